#pragma once

// A program's drawings on top of its world: shapes, lines, points, texts, ghosts of robots. They
// collide with nothing and weigh nothing. Made by Visuals (visuals.h), and valid until they are
// removed there; RaiSim's names.
//
//   Visual* target = server.addVisualSphere("target", 0.05, 1, 0, 0, 1);
//   target->setPosition(0.3, 0, 0.5);

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <concepts>
#include <memory>
#include <string>
#include <vector>

#include "espalier/geometry/shape.h"
#include "espalier/model/spec/spec.h"
#include "espalier/robot/math.h"
#include "espalier/robot/vis_object.h"

namespace espalier {

class ArticulatedSystem;
class World;

/// Colour in [0, 1], and what RaiSim's calls that add a shape say behind it.
struct VisualLook {
  Vec<4> color;          ///< red, green, blue, opacity
  std::string material;  ///< shown with the shape's name
  bool glow, shadow;     ///< kept, and without effect

  /// in  opacity  below 0: 1
  explicit VisualLook(double red = 1, double green = 1, double blue = 1, double opacity = 1,
                      std::string itsMaterial = "", bool glows = false, bool hasShadow = false)
      : color(red, green, blue, opacity < 0 ? 1 : opacity),
        material(std::move(itsMaterial)),
        glow(glows),
        shadow(hasShadow) {}
  /// Without a material.
  VisualLook(double red, double green, double blue, double opacity, std::integral auto glows,
             bool hasShadow = false)
      : VisualLook(red, green, blue, opacity, std::string(), glows, hasShadow) {}
};

/// One shape. RaiSim calls it Visuals.
class Visual {
 public:
  enum class Kind { SPHERE, BOX, CYLINDER, CAPSULE, MESH, ARROW };

  const std::string name;
  Vec<4> color;                       ///< red, green, blue, opacity, in [0, 1]
  std::string material;               ///< shown with the shape's name
  bool glow = false, shadow = false;  ///< kept, and without effect

  Kind kind() const { return kind_; }

  // Sizes, m.   errors  throw std::invalid_argument for another kind, or lengths that are not
  // positive and finite
  void setSphereSize(double radius);
  void setBoxSize(double x, double y, double z);
  void setCylinderSize(double radius, double height);  ///< arrows, too: along their z
  void setCapsuleSize(double radius, double height);

  void setColor(double red, double green, double blue, double opacity) {
    color = Vec<4>(red, green, blue, opacity);
  }
  /// Of its middle; of an arrow its tail.
  ///   errors  throw std::invalid_argument where a number is not finite or a quaternion zero
  void setPosition(const Vec<3>& position);
  void setPosition(double x, double y, double z) { setPosition(Vec<3>(x, y, z)); }
  void setOrientation(const Vec<4>& quaternion);  ///< w, x, y, z; shape to world
  void setOrientation(double w, double x, double y, double z) {
    setOrientation(Vec<4>(w, x, y, z));
  }
  template <class Q>
  void setOrientation(const Eigen::QuaternionBase<Q>& q) {
    setOrientation(Vec<4>(q.w(), q.x(), q.y(), q.z()));
  }
  Eigen::Vector3d getPosition() const { return position_; }
  Eigen::Vector4d getOrientation() const { return quaternion_; }

  Transformd pose() const;
  /// Colour, size and shape, its X_LG the identity; of an arrow its shaft.
  VisualSpec look() const;
  /// Whether its colour or size has changed since it was first shown.
  bool hasVaryingLook() const { return hasVaryingLook_; }

 private:
  friend class Visuals;
  Visual(std::string name, Kind kind, const Vec<3>& size, const Vec<4>& color);
  void setSize(Kind kind, const Vec<3>& size);

  Kind kind_;
  Vec<3> size_;  ///< m: radius; edges; radius and height; of a mesh its scale
  Vec<3> position_;
  Vec<4> quaternion_ = Vec<4>(1, 0, 0, 0);
  MeshShape mesh_;

  bool isShown_ = false, hasVaryingLook_ = false;
  Vec<4> shownColor_;
  Vec<3> shownSize_;
};

/// A line through points.
class PolyLine {
 public:
  explicit PolyLine(std::string called) : name(std::move(called)) {}

  const std::string name;
  Vec<4> color = Vec<4>(1, 1, 1, 1);
  double width = 0.01;                  ///< m; drawn as 200 pixels for each m, at least one
  std::vector<Eigen::Vector3d> points;  ///< m, world

  void setColor(double red, double green, double blue, double opacity) {
    color = Vec<4>(red, green, blue, opacity);
  }
  void addPoint(const Eigen::Vector3d& point) { points.push_back(point); }
  void clearPoints() { points.clear(); }
};

/// Many points of one colour.
class PointCloud {
 public:
  explicit PointCloud(std::string called) : name(std::move(called)) {}

  const std::string name;
  Vec<4> color = Vec<4>(1, 1, 1, 1);
  double size = 0.02;                   ///< m
  std::vector<Eigen::Vector3d> points;  ///< m, world
};

/// A word at a place.
class TextLabel {
 public:
  explicit TextLabel(std::string called) : name(std::move(called)) {}

  const std::string name;
  std::string text;
  Eigen::Vector3d position{0, 0, 0};  ///< m, world
  Vec<4> color = Vec<4>(1, 1, 1, 1);
};

/// Many shapes that are alike; the colour of each lies between two.
class InstancedVisuals {
 public:
  const std::string name;

  std::size_t count() const { return instances_.size(); }
  void resize(std::size_t count) { instances_.resize(count); }
  void addInstance(const Vec<3>& position, double colorWeight = 0);
  void addInstance(const Vec<3>& position, const Vec<4>& quaternion, const Vec<3>& scale,
                   double colorWeight = 0);
  void removeInstance(std::size_t index);
  void clearInstances() { instances_.clear(); }

  // errors  throw std::invalid_argument where there is no such instance, or a number is not finite
  void setPosition(std::size_t index, const Vec<3>& position);  ///< m, world
  void setOrientation(std::size_t index, const Vec<4>& quaternion);
  void setScale(std::size_t index, const Vec<3>& scale);  ///< 1: the size of them all
  void setColorWeight(std::size_t index, double weight);  ///< 0: the first colour, 1: the second
  void setColors(const Vec<4>& first, const Vec<4>& second);  ///< of weights 0 and 1

  struct Instance {
    Vec<3> position;
    Vec<4> quaternion = Vec<4>(1, 0, 0, 0);
    Vec<3> scale = Vec<3>(1, 1, 1);
    double colorWeight = 0;
  };
  const std::vector<Instance>& instances() const { return instances_; }
  const VisualSpec& shape() const { return shape_; }
  Vec<4> colorOf(const Instance& instance) const;

 private:
  friend class Visuals;
  InstancedVisuals(std::string called, VisualSpec shape, const Vec<4>& first, const Vec<4>& second);
  Instance& at(std::size_t index);

  VisualSpec shape_;
  Vec<4> first_, second_;
  std::vector<Instance> instances_;
};

/// A robot that is only drawn: a reference, a plan, a recorded one.
class ArticulatedSystemVisual {
 public:
  ~ArticulatedSystemVisual();

  const std::string name;
  Vec<4> color;  ///< of all its parts; opacity 0: its own colours

  void setColor(double red, double green, double blue, double opacity) {
    color = Vec<4>(red, green, blue, opacity);
  }
  /// As ArticulatedSystem::setGeneralizedCoordinate().
  void setGeneralizedCoordinate(const Eigen::VectorXd& q);
  /// The robot behind it; its own world is never stepped.
  const ArticulatedSystem& robot() const { return *robot_; }
  World& world() const { return *world_; }

 private:
  friend class Visuals;
  ArticulatedSystemVisual(std::string called, const std::string& urdfFile, const Vec<4>& color);

  std::unique_ptr<World> world_;
  ArticulatedSystem* robot_;
};

}  // namespace espalier

#pragma once

// Single bodies by their shape, as World::add... makes them: a Sphere has the type
// ObjectType::SPHERE, and so on.
//
//   Sphere* ball = world.addSphere(0.1, 1);
//   if (auto* box = dynamic_cast<Box*>(world.getObject("crate"))) box->getDim();
//
// Sizes are the present ones, in m, also after they were changed through ODE.

#include "espalier/robot/raisim_names.h"
#include "espalier/robot/single_body.h"

namespace espalier {

class Sphere final : public SingleBodyObject {
 public:
  using SingleBodyObject::SingleBodyObject;
  double getRadius() const;
};

class Box final : public SingleBodyObject {
 public:
  using SingleBodyObject::SingleBodyObject;
  Vec<3> getDim() const;  ///< whole edge lengths
};

class Cylinder final : public SingleBodyObject {
 public:
  using SingleBodyObject::SingleBodyObject;
  double getRadius() const;
  double getHeight() const;
};

class Capsule final : public SingleBodyObject {
 public:
  using SingleBodyObject::SingleBodyObject;
  double getRadius() const;
  double getHeight() const;  ///< distance of the two sphere centres
};

class Mesh final : public SingleBodyObject {
 public:
  using SingleBodyObject::SingleBodyObject;
  const std::string& getMeshFileName() const;
  const TriangleMesh& getMesh() const;  ///< scale applied, in the body's frame
};

/// The half space below its plane.
class Ground final : public SingleBodyObject {
 public:
  using SingleBodyObject::SingleBodyObject;
  double getHeight() const;  ///< z of its origin
};

class HeightMap final : public SingleBodyObject {
 public:
  using SingleBodyObject::SingleBodyObject;
  int getXSamples() const { return data().xSamples; }
  int getYSamples() const { return data().ySamples; }
  double getXSize() const { return data().xSize; }
  double getYSize() const { return data().ySize; }
  double getCenterX() const { return getPosition().x(); }
  double getCenterY() const { return getPosition().y(); }
  const std::vector<double>& getHeightVector() const { return data().heights; }
  /// z of the surface below a point of the world.
  ///   errors  throw std::invalid_argument where the map has none there
  double getHeight(double x, double y) const;
  void getNormal(double x, double y, Eigen::Vector3d& normal) const;  ///< unit, upward
  const HeightfieldData& data() const;
};

/// Several shapes as one body, or none.
class Compound final : public SingleBodyObject {
 public:
  using SingleBodyObject::SingleBodyObject;

  /// A part in RaiSim's form.
  struct CompoundObjectChild {
    ObjectType objectType = ObjectType::SPHERE;
    /// m: SPHERE {radius}; BOX {x, y, z}; CYLINDER and CAPSULE {radius, height}.
    Vec<4> objectParam;
    std::string material = "default";
    Transformation trans;  ///< in the body's frame
    Vec<4> color = Vec<4>(0.5, 0.5, 0.5, 1);

    /// errors  throws std::invalid_argument for another type
    operator CollisionSpec() const;
  };
};

}  // namespace espalier

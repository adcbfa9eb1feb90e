#pragma once

// Visuals: all that a program draws on top of its world, by RaiSim's calls, and the messages
// `overlay`, `graphs` and `graphData` of it (docs/viewer_protocol.md). Server is one.
//
// It has no lock of its own: it is edited and read by the thread that steps, or by one that holds
// Server::lockVisualizationServerMutex().

#include <memory>
#include <string>
#include <vector>

#include "espalier/visual/charts.h"
#include "espalier/visual/named_list.h"
#include "espalier/visual/visual_objects.h"

namespace espalier {

class VisualMessages;

class Visuals {
 public:
  Visuals();
  ~Visuals();
  Visuals(const Visuals&) = delete;
  Visuals& operator=(const Visuals&) = delete;

  // ---- shapes. Names must differ, from one another and from lines; lengths in m. The last arguments
  // `look` are those of VisualLook, all with defaults: red, green, blue, opacity, material, glow, shadow.
  //   errors  throw std::invalid_argument for a name that is taken, or numbers that make no shape

  template <class... Look>
  Visual* addVisualSphere(const std::string& name, double radius, Look... look) {
    return add(Visual::Kind::SPHERE, name, Vec<3>(radius, radius, radius), VisualLook(look...));
  }
  template <class... Look>
  Visual* addVisualBox(const std::string& name, double x, double y, double z, Look... look) {
    return add(Visual::Kind::BOX, name, Vec<3>(x, y, z), VisualLook(look...));
  }
  template <class... Look>
  Visual* addVisualCylinder(const std::string& name, double radius, double height, Look... look) {
    return add(Visual::Kind::CYLINDER, name, Vec<3>(radius, height, height), VisualLook(look...));
  }
  template <class... Look>
  Visual* addVisualCapsule(const std::string& name, double radius, double height, Look... look) {
    return add(Visual::Kind::CAPSULE, name, Vec<3>(radius, height, height), VisualLook(look...));
  }
  /// From STL, OBJ, Collada, glTF, PLY or MSH; its look has no material.
  ///   errors  as above, or where the file cannot be read
  template <class... Look>
  Visual* addVisualMesh(const std::string& name, const std::string& file, double scaleX = 1,
                        double scaleY = 1, double scaleZ = 1, Look... look) {
    return addMesh(name, file, Vec<3>(scaleX, scaleY, scaleZ), VisualLook(look...));
  }
  /// From its position along its z; its look has no material, and is black by default.
  template <class... Look>
  Visual* addVisualArrow(const std::string& name, double radius, double height, double red = 0,
                         double green = 0, double blue = 0, double opacity = 1, Look... look) {
    return add(Visual::Kind::ARROW, name, Vec<3>(radius, height, height),
               VisualLook(red, green, blue, opacity, look...));
  }
  Visual* getVisualObject(const std::string& name) const { return shapes_.get(name); }
  void removeVisualObject(const std::string& name) { shapes_.remove(name); }
  void removeVisualObject(const Visual* visual) { shapes_.remove(visual); }

  /// in  type   Sphere, Box, Cylinder or Capsule; or Mesh, with its file
  /// in  size   m: {radius}, {x, y, z}, {radius, height}; of a mesh its scale
  InstancedVisuals* addInstancedVisuals(const std::string& name, ShapeType type, const Vec<3>& size,
                                        const Vec<4>& firstColor, const Vec<4>& secondColor,
                                        const std::string& meshFile = "");
  InstancedVisuals* getInstancedVisuals(const std::string& name) const {
    return instanced_.get(name);
  }
  void removeInstancedVisuals(const std::string& name) { instanced_.remove(name); }

  // ---- lines, points, texts

  PolyLine* addVisualPolyLine(const std::string& name);
  PolyLine* getVisualPolyLine(const std::string& name) const { return lines_.get(name); }
  void removeVisualPolyLine(const std::string& name) { lines_.remove(name); }
  PointCloud* addPointCloud(const std::string& name);
  PointCloud* getPointCloud(const std::string& name) const { return clouds_.get(name); }
  void removePointCloud(const std::string& name) { clouds_.remove(name); }
  TextLabel* addVisualText(const std::string& name, const std::string& text = "");
  TextLabel* getVisualText(const std::string& name) const { return texts_.get(name); }
  void removeVisualText(const std::string& name) { texts_.remove(name); }

  // ---- ghosts of robots

  /// in  urdfFile  a file, of any kind that World::addArticulatedSystem() takes, or text
  /// in  opacity   0: the robot's own colours
  ArticulatedSystemVisual* addVisualArticulatedSystem(const std::string& name,
                                                      const std::string& urdfFile, double red = 0,
                                                      double green = 0, double blue = 0,
                                                      double opacity = 0);
  ArticulatedSystemVisual* getVisualArticulatedSystem(const std::string& name) const {
    return ghosts_.get(name);
  }
  void removeVisualArticulatedSystem(const std::string& name) { ghosts_.remove(name); }
  void removeVisualArticulatedSystem(const ArticulatedSystemVisual* ghost) {
    ghosts_.remove(ghost);
  }

  // ---- charts

  TimeSeriesGraph* addTimeSeriesGraph(const std::string& title,
                                      const std::vector<std::string>& names,
                                      const std::string& xAxis, const std::string& yAxis);
  BarChart* addBarChart(const std::string& title, const std::vector<std::string>& names);
  TimeSeriesGraph* getTimeSeriesGraph(const std::string& title) const { return series_.get(title); }
  BarChart* getBarChart(const std::string& title) const { return bars_.get(title); }
  /// Charts are not removed in RaiSim; here they are, by their titles.
  void removeChart(const std::string& title);

  // ---- messages

  /// Makes the message `overlay` anew where lines, instances, arrows or shapes of varying looks have changed.
  ///   returns  true where overlay() is new; so it is at the first call
  bool updateOverlay();
  const std::string& overlay() const;
  /// The same of the message `graphs`.
  bool updateGraphs();
  const std::string& graphs() const;
  /// Messages `graphData`, one for each sample since the last call.
  std::vector<std::string> takeSamples();

  // ---- for WorldCapture and the messages

  /// Notes which shapes have changed colour or size since they were first shown.
  void updateLooks();
  const std::vector<std::unique_ptr<Visual>>& shapes() const { return shapes_.all(); }
  const std::vector<std::unique_ptr<ArticulatedSystemVisual>>& ghosts() const {
    return ghosts_.all();
  }
  const std::vector<std::unique_ptr<InstancedVisuals>>& instanced() const {
    return instanced_.all();
  }
  const std::vector<std::unique_ptr<PolyLine>>& lines() const { return lines_.all(); }
  const std::vector<std::unique_ptr<PointCloud>>& clouds() const { return clouds_.all(); }
  const std::vector<std::unique_ptr<TextLabel>>& texts() const { return texts_.all(); }
  const std::vector<std::unique_ptr<TimeSeriesGraph>>& series() const { return series_.all(); }
  const std::vector<std::unique_ptr<BarChart>>& bars() const { return bars_.all(); }

 private:
  Visual* add(Visual::Kind kind, const std::string& name, const Vec<3>& size,
              const VisualLook& look);
  Visual* addMesh(const std::string& name, const std::string& file, const Vec<3>& scale,
                  const VisualLook& look);
  Visual* add(std::unique_ptr<Visual> visual, const VisualLook& look);
  void requireFree(const std::string& name) const;
  void requireFreeTitle(const std::string& title) const;

  NamedList<Visual> shapes_;
  NamedList<InstancedVisuals> instanced_;
  NamedList<PolyLine> lines_;
  NamedList<PointCloud> clouds_;
  NamedList<TextLabel> texts_;
  NamedList<ArticulatedSystemVisual> ghosts_;
  NamedList<TimeSeriesGraph, &TimeSeriesGraph::title> series_;
  NamedList<BarChart, &BarChart::title> bars_;
  std::unique_ptr<VisualMessages> messages_;
};

}  // namespace espalier

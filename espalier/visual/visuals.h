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
#include "espalier/visual/visual_objects.h"

namespace espalier {

class VisualMessages;

class Visuals {
 public:
  Visuals();
  ~Visuals();
  Visuals(const Visuals&) = delete;
  Visuals& operator=(const Visuals&) = delete;

  // ---- shapes. Names must differ, from one another and from lines; lengths in m.
  //   errors  throw std::invalid_argument for a name that is taken, or numbers that make no shape

  Visual* addVisualSphere(const std::string& name, double radius, double red = 1, double green = 1,
                          double blue = 1, double opacity = 1, const std::string& material = "",
                          bool glow = false, bool shadow = false);
  Visual* addVisualBox(const std::string& name, double x, double y, double z, double red = 1,
                       double green = 1, double blue = 1, double opacity = 1,
                       const std::string& material = "", bool glow = false, bool shadow = false);
  Visual* addVisualCylinder(const std::string& name, double radius, double height, double red = 1,
                            double green = 1, double blue = 1, double opacity = 1,
                            const std::string& material = "", bool glow = false,
                            bool shadow = false);
  Visual* addVisualCapsule(const std::string& name, double radius, double height, double red = 1,
                           double green = 1, double blue = 1, double opacity = 1,
                           const std::string& material = "", bool glow = false,
                           bool shadow = false);
  /// From STL, OBJ, Collada, glTF, PLY or MSH.   errors  as above, or where the file cannot be read
  Visual* addVisualMesh(const std::string& name, const std::string& file, double scaleX = 1,
                        double scaleY = 1, double scaleZ = 1, double red = 1, double green = 1,
                        double blue = 1, double opacity = 1, bool glow = false,
                        bool shadow = false);
  /// From its position along its z; an opacity below 0 is 1.
  Visual* addVisualArrow(const std::string& name, double radius, double height, double red = 0,
                         double green = 0, double blue = 0, double opacity = -1, bool glow = false,
                         bool shadow = false);
  Visual* getVisualObject(const std::string& name) const;
  void removeVisualObject(const std::string& name);
  void removeVisualObject(const Visual* visual);

  /// in  type   Sphere, Box, Cylinder or Capsule; or Mesh, with its file
  /// in  size   m: {radius}, {x, y, z}, {radius, height}; of a mesh its scale
  InstancedVisuals* addInstancedVisuals(const std::string& name, ShapeType type, const Vec<3>& size,
                                        const Vec<4>& firstColor, const Vec<4>& secondColor,
                                        const std::string& meshFile = "");
  InstancedVisuals* getInstancedVisuals(const std::string& name) const;
  void removeInstancedVisuals(const std::string& name);

  // ---- lines, points, texts

  PolyLine* addVisualPolyLine(const std::string& name);
  PolyLine* getVisualPolyLine(const std::string& name) const;
  void removeVisualPolyLine(const std::string& name);
  PointCloud* addPointCloud(const std::string& name);
  PointCloud* getPointCloud(const std::string& name) const;
  void removePointCloud(const std::string& name);
  TextLabel* addVisualText(const std::string& name, const std::string& text = "");
  TextLabel* getVisualText(const std::string& name) const;
  void removeVisualText(const std::string& name);

  // ---- ghosts of robots

  /// in  urdfFile  a file, of any kind that World::addArticulatedSystem() takes, or text
  /// in  opacity   0: the robot's own colours
  ArticulatedSystemVisual* addVisualArticulatedSystem(const std::string& name,
                                                      const std::string& urdfFile, double red = 0,
                                                      double green = 0, double blue = 0,
                                                      double opacity = 0);
  ArticulatedSystemVisual* getVisualArticulatedSystem(const std::string& name) const;
  void removeVisualArticulatedSystem(const std::string& name);
  void removeVisualArticulatedSystem(const ArticulatedSystemVisual* ghost);

  // ---- charts

  TimeSeriesGraph* addTimeSeriesGraph(const std::string& title,
                                      const std::vector<std::string>& names,
                                      const std::string& xAxis, const std::string& yAxis);
  BarChart* addBarChart(const std::string& title, const std::vector<std::string>& names);
  TimeSeriesGraph* getTimeSeriesGraph(const std::string& title) const;
  BarChart* getBarChart(const std::string& title) const;
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
  const std::vector<std::unique_ptr<Visual>>& shapes() const { return shapes_; }
  const std::vector<std::unique_ptr<ArticulatedSystemVisual>>& ghosts() const { return ghosts_; }
  const std::vector<std::unique_ptr<InstancedVisuals>>& instanced() const { return instanced_; }
  const std::vector<std::unique_ptr<PolyLine>>& lines() const { return lines_; }
  const std::vector<std::unique_ptr<PointCloud>>& clouds() const { return clouds_; }
  const std::vector<std::unique_ptr<TextLabel>>& texts() const { return texts_; }
  const std::vector<std::unique_ptr<TimeSeriesGraph>>& series() const { return series_; }
  const std::vector<std::unique_ptr<BarChart>>& bars() const { return bars_; }

 private:
  Visual* add(Visual* visual, double opacity, const std::string& material, bool glow, bool shadow);
  void requireFree(const std::string& name) const;
  void requireFreeTitle(const std::string& title) const;

  std::vector<std::unique_ptr<Visual>> shapes_;
  std::vector<std::unique_ptr<InstancedVisuals>> instanced_;
  std::vector<std::unique_ptr<PolyLine>> lines_;
  std::vector<std::unique_ptr<PointCloud>> clouds_;
  std::vector<std::unique_ptr<TextLabel>> texts_;
  std::vector<std::unique_ptr<ArticulatedSystemVisual>> ghosts_;
  std::vector<std::unique_ptr<TimeSeriesGraph>> series_;
  std::vector<std::unique_ptr<BarChart>> bars_;
  std::unique_ptr<VisualMessages> messages_;
};

}  // namespace espalier

#pragma once

// The visible parts of a robot, in RaiSim's names: its visuals, and its collision bodies.
//
//   for (VisObject& visual : robot->getVisOb())
//     if (visual.shape == ShapeType::Box) visual.color = Vec<4>(1, 0, 0, 1);

#include <memory>
#include <string>
#include <vector>

#include "espalier/model/model.h"
#include "espalier/robot/math.h"

namespace espalier {

ShapeType shapeType(const Shape& shape);

struct VisObject {
  ShapeType shape = ShapeType::NotShape;
  /// m: sphere {radius}; box {x, y, z}; cylinder and capsule {radius, height}; ellipsoid its half
  /// axes {x, y, z}; else empty.
  std::vector<double> visShapeParam;
  Vec<3> offset;                                   ///< m, in the body's frame
  Mat<3, 3> rot = Mat<3, 3>(identity3<double>());  ///< R of the shape in that frame
  Vec<4> color = Vec<4>(0.7, 0.7, 0.7, 1);         ///< red, green, blue, opacity, in [0, 1]
  Vec<3> scale = Vec<3>(1, 1, 1);                  ///< of a mesh
  std::string fileName;                            ///< of a mesh
  std::string name;          ///< as in the file, or LINK/i, i counted within the link
  std::size_t localIdx = 0;  ///< body that it is fixed to
  std::string material;      ///< name of the file's material; may be empty
  int link = -1;             ///< Model::links; -1: the body's own
  /// Of a mesh, as read at `scale`; null where the file was missing.
  std::shared_ptr<const TriangleMesh> triangles;

  bool operator==(const VisObject&) const = default;
};

/// All visuals of a robot, link by link in the order of the file.
std::vector<VisObject> visualsOf(const SystemSpec& spec, const Model& model);
/// Its collision bodies as something to draw.
std::vector<VisObject> visualsOfCollisions(const Model& model);

/// Its shape and looks; X_LG is its pose in the body's frame.
///   in   before  as it was read, at whose scale its triangles are; null: its own
///   errors  throws std::invalid_argument for numbers that are not finite, or a shape without lengths
VisualSpec visualSpec(const VisObject& visual, const VisObject* before = nullptr);

/// Writes edited visuals back into the Spec they came from; those that are as they were keep their
/// VisualSpec to the bit.
///   errors  throws std::invalid_argument for a body that does not exist, numbers that are not
///           finite, or a shape without lengths
void writeVisuals(const std::vector<VisObject>& visuals, const Model& model, SystemSpec& spec);

}  // namespace espalier

#pragma once

// The parts an SDF model is read in.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "espalier/io/mesh/mesh_library.h"
#include "espalier/io/sdf/sdf.h"
#include "espalier/io/sdf/sdf_frames.h"

namespace espalier::io {

struct SdfJoint {
  JointSpec spec;  ///< X_PJ is not set; axes in the joint frame
  Transformd X_MJ = identityTransform<double>();
  bool hasLimits = false, hasDynamics = false;
  /// Limits and dynamics of both axes of a universal joint, where they are not the same; else empty.
  std::vector<JointSpec> axes;
};

/// A model as it stands in the file, nested ones in it by names such as arm::link.
struct SdfModel {
  std::string name;
  std::string relativeTo;  ///< a frame or model of the world; empty: the world
  Transformd X_WM = identityTransform<double>();  ///< in the former, until that is placed
  bool isStatic = false, collidesWithItself = false;
  std::vector<LinkSpec> links;  ///< their shapes and inertias in the frames of the file
  std::vector<SdfJoint> joints;
  SdfFrames frames;
  /// What each frame, joint and nested model is attached to, and the model itself, of an empty name.
  std::map<std::string, std::string> attachedTo;
  int line = 0;

  /// The link that a name stands for; the name itself where there is none.
  std::string linkOf(const std::string& frame) const;
};

struct SdfReading {
  XmlReader xml;
  MeshLibrary meshes;
  double version = 1.0;
  std::set<double> frictions;  ///< of all collisions
};

// sdf_shape.cpp
/// The shape in e's <geometry>; none where it is missing or there is none such here.
///   out  X   the shape's frame in e's, where it has one of its own
std::optional<Shape> readSdfShape(SdfReading& reading, const SdfNode& e, bool isCollision,
                                  Vec3d& scale, Transformd& X);

// sdf_link.cpp
///   pre  the frames of the model are all there
///   in   prefix   of names in its (nested) model: "" or "arm::"
LinkSpec readSdfLink(SdfReading& reading, SdfFrames& frames, const SdfNode& link,
                     const std::string& prefix, bool isStatic);
/// Name of the material of a collision with that friction.
std::string sdfMaterial(double friction);
std::vector<MaterialPairSpec> sdfMaterialPairs(const std::set<double>& frictions);

// sdf_joint.cpp
/// None, and an Error or a Warning, where there is no such joint here.
///   pre  the frames of the model are all there
///   in   prefix   of names in its (nested) model: "" or "arm::"
std::optional<SdfJoint> readSdfJoint(SdfReading& reading, SdfFrames& frames, const SdfNode& joint,
                                     const std::string& prefix);

// sdf_model.cpp
SdfModel readSdfModel(SdfReading& reading, const SdfNode& model);

// sdf_graph.cpp
/// The spanning tree of a model's joints, the others as loops. Not checked.
SystemSpec buildSdfSystem(SdfModel model, XmlReader& xml);

}  // namespace espalier::io

#pragma once

// Parts of the message `scene` as JSON (docs/viewer_protocol.md). Internal.

#include <nlohmann/json.hpp>
#include <string>

#include "espalier/model/spec/spec.h"
#include "espalier/spatial/inertia.h"
#include "espalier/visual/mesh_blob.h"

namespace espalier {

/// A message as text. What is not UTF-8 in names from files is replaced.
std::string textOf(const nlohmann::json& message);

nlohmann::json vectorJson(const Vec3d& v);
nlohmann::json poseJson(const Transformd& X);  ///< [x, y, z, qw, qx, qy, qz]

/// A body that has no frames, no joint and no mass.
///   in  parent  its place among the scene's bodies, -1: none
nlohmann::json bodyJson(const std::string& name, int parent);

/// A shape whose X_LG is its pose in the body's frame. A mesh whose file was not read is "missing".
///   io   meshes  gets its triangles
nlohmann::json shapeJson(const VisualSpec& visual, MeshStore& meshes);

/// The box of uniform density that has this inertia: sizes from I_x = m (y^2 + z^2) / 12 and so on.
///   in   I  kg m^2 about com, axes of the body
///   returns  {"size", "pose"} in the body's frame; null without a mass
nlohmann::json inertiaBoxJson(double mass, const Vec3d& com, const Sym3<double>& I);

}  // namespace espalier

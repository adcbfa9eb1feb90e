#pragma once

// Shapes as the JSON of the message `scene` (docs/viewer_protocol.md). Internal.

#include <nlohmann/json.hpp>

#include "espalier/model/spec/spec.h"
#include "espalier/visual/mesh_blob.h"

namespace espalier {

nlohmann::json vectorJson(const Vec3d& v);
nlohmann::json poseJson(const Transformd& X);  ///< [x, y, z, qw, qx, qy, qz]

/// A shape whose X_LG is its pose in the body's frame. A mesh whose file was not read is "missing".
///   io   meshes  gets its triangles
nlohmann::json shapeJson(const VisualSpec& visual, MeshStore& meshes);

}  // namespace espalier

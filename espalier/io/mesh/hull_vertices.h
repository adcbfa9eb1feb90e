#pragma once

// UrdfOptions::hullVertices and WorldOptions::hullVertices.

#include <variant>
#include <vector>

#include "espalier/model/spec/spec.h"

namespace espalier::io {

/// Sets maxHullVertices of all meshes among the shapes.
///   in   most   0: they stay as they are
inline void setHullVertices(std::vector<CollisionSpec>& collisions, int most) {
  if (most == 0) return;
  for (CollisionSpec& c : collisions)
    if (auto* mesh = std::get_if<MeshShape>(&c.shape)) mesh->maxHullVertices = most;
}
inline void setHullVertices(SystemSpec& system, int most) {
  for (LinkSpec& link : system.links) setHullVertices(link.collisions, most);
}

}  // namespace espalier::io

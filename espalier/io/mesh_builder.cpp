#include "espalier/io/mesh_builder.h"

#include <cmath>
#include <utility>

namespace espalier::io {

std::optional<int> MeshBuilder::vertex(const Vec3d& p) {
  const Vec3d v{p.x * scale_.x, p.y * scale_.y, p.z * scale_.z};
  if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z)) return std::nullopt;
  // + 0.0 makes the two zeros one.
  const std::array<double, 3> key{v.x + 0.0, v.y + 0.0, v.z + 0.0};
  const auto [place, isNew] = ids_.emplace(key, static_cast<int>(mesh_.vertices.size()));
  if (isNew) mesh_.vertices.push_back({key[0], key[1], key[2]});
  return place->second;
}

void MeshBuilder::add(std::array<int, 3> t, bool isMirrored) {
  if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return;
  const bool scaleMirrors = ((scale_.x < 0) != (scale_.y < 0)) != (scale_.z < 0);
  if (isMirrored != scaleMirrors) std::swap(t[1], t[2]);
  mesh_.triangles.push_back(t);
}

}  // namespace espalier::io

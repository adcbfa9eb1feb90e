#include "espalier/io/mesh/mesh_builder.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <utility>

#include "espalier/io/text/reading_budget.h"
#include "espalier/io/text/text_file.h"
#include "espalier/spatial/finite.h"

namespace espalier::io {

namespace {

/// Another one in every process, so that no file can be made whose vertices all collide.
const auto hash_seed =
    static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()) *
    0x9E3779B97F4A7C15u;

bool isSame(const Vec3d& a, const Vec3d& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

}  // namespace

/// The slot of the vertex, or the free one where it belongs.
std::size_t MeshBuilder::slotOf(const Vec3d& v) const {
  std::uint64_t hash = hash_seed;
  for (const double x : {v.x, v.y, v.z}) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = hash & mask;
  while (table_[slot] >= 0 && !isSame(mesh_.vertices[table_[slot]], v)) slot = (slot + 1) & mask;
  return slot;
}

void MeshBuilder::reserve(std::size_t vertices, std::size_t triangles) {
  mesh_.vertices.reserve(vertices);
  mesh_.triangles.reserve(triangles);
  setTableSize(std::max(table_.size(), std::bit_ceil(std::max<std::size_t>(64, 2 * vertices))));
}

void MeshBuilder::setTableSize(std::size_t size) {
  table_.assign(size, -1);
  for (std::size_t i = 0; i < mesh_.vertices.size(); ++i)
    table_[slotOf(mesh_.vertices[i])] = static_cast<int>(i);
}

std::optional<int> MeshBuilder::vertex(const Vec3d& p) {
  // + 0.0 makes the two zeros one.
  const Vec3d v{p.x * scale_.x + 0.0, p.y * scale_.y + 0.0, p.z * scale_.z + 0.0};
  if (!isFinite(v)) return std::nullopt;
  if (2 * mesh_.vertices.size() >= table_.size())
    setTableSize(std::max<std::size_t>(64, 2 * table_.size()));
  int& id = table_[slotOf(v)];
  if (id < 0) {
    id = static_cast<int>(mesh_.vertices.size());
    mesh_.vertices.push_back(v);
  }
  return id;
}

void MeshBuilder::add(std::array<int, 3> t, bool isMirrored) {
  if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return;
  const bool scaleMirrors = ((scale_.x < 0) != (scale_.y < 0)) != (scale_.z < 0);
  if (isMirrored != scaleMirrors) std::swap(t[1], t[2]);
  mesh_.triangles.push_back(t);
  mesh_.colors.push_back(color_);
}

void MeshBuilder::setColor(const std::optional<Rgba8>& color) {
  color_ = color.value_or(uncolored);
  isColored_ |= color.has_value();
}

TriangleMesh MeshBuilder::take() {
  if (!isColored_) mesh_.colors.clear();
  return std::move(mesh_);
}

Rgba8 rgba8(const std::array<double, 4>& color) {
  Rgba8 out;
  for (std::size_t i = 0; i < 4; ++i)
    out[i] =
        color[i] > 0 ? static_cast<std::uint8_t>(std::lround(255 * std::min(color[i], 1.0))) : 0;
  return out;
}

Diagnostics tooManyTriangles(const std::string& path) {
  return problem(
      path, "the mesh has more than " + std::to_string(default_limits.triangles) + " triangles",
      "make it coarser");
}

Diagnostics notFinite(const std::string& path, std::size_t at) {
  return problem(path, "the mesh has a vertex that is not finite, at byte " + std::to_string(at),
                 "write it again with finite numbers; check its scale, too");
}

}  // namespace espalier::io

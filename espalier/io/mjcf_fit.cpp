#include "espalier/io/mjcf_fit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace espalier::io {
namespace {

constexpr int subdivisions = 3;

/// A point half way between two of the unit sphere, on it; each edge has one.
class Midpoints {
 public:
  explicit Midpoints(std::vector<Vec3d>& points) : points_(points) {}
  int operator()(int a, int b) {
    const auto [place, isNew] =
        known_.try_emplace(std::minmax(a, b), static_cast<int>(points_.size()));
    if (isNew) {
      const Vec3d sum = points_[static_cast<std::size_t>(a)] + points_[static_cast<std::size_t>(b)];
      points_.push_back(sum * (1 / norm(sum)));
    }
    return place->second;
  }

 private:
  std::vector<Vec3d>& points_;
  std::map<std::pair<int, int>, int> known_;
};

/// The unit sphere by an icosahedron whose faces are divided into four, thrice.
TriangleMesh sphereMesh() {
  const double g = (1 + std::sqrt(5.0)) / 2, k = 1 / std::sqrt(1 + g * g);
  TriangleMesh mesh;
  for (const double s : {-1.0, 1.0}) {
    for (const double t : {-g, g}) {
      mesh.vertices.push_back({0, s * k, t * k});
      mesh.vertices.push_back({s * k, t * k, 0});
      mesh.vertices.push_back({t * k, 0, s * k});
    }
  }
  // Its faces are the triples of neighbours, seen from outside.
  const auto areNeighbours = [&](int a, int b) {
    return dot(mesh.vertices[static_cast<std::size_t>(a)],
               mesh.vertices[static_cast<std::size_t>(b)]) > 0.4;
  };
  for (int a = 0; a < 12; ++a) {
    for (int b = a + 1; b < 12; ++b) {
      for (int c = b + 1; c < 12; ++c) {
        if (!areNeighbours(a, b) || !areNeighbours(b, c) || !areNeighbours(c, a)) continue;
        const Vec3d &p = mesh.vertices[static_cast<std::size_t>(a)],
                    &q = mesh.vertices[static_cast<std::size_t>(b)],
                    &r = mesh.vertices[static_cast<std::size_t>(c)];
        const bool isOutward = dot(p, cross(q, r)) > 0;
        mesh.triangles.push_back({a, isOutward ? b : c, isOutward ? c : b});
      }
    }
  }
  for (int i = 0; i < subdivisions; ++i) {
    Midpoints middle(mesh.vertices);
    std::vector<std::array<int, 3>> finer;
    for (const auto& [a, b, c] : mesh.triangles) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    mesh.triangles = std::move(finer);
  }
  return mesh;
}

}  // namespace

std::array<double, 3> fittedSize(const std::string& type, const std::array<double, 3>& half) {
  const double across = (half[0] + half[1]) / 2;
  if (type == "sphere") return {(half[0] + half[1] + half[2]) / 3, 0, 0};
  if (type == "capsule") return {across, std::max(0.0, half[2] - across / 2), 0};
  if (type == "cylinder") return {across, half[2], 0};
  return half;
}

std::shared_ptr<const TriangleMesh> ellipsoidMesh(const Vec3d& half) {
  static const TriangleMesh sphere = sphereMesh();
  auto mesh = std::make_shared<TriangleMesh>(sphere);
  for (Vec3d& v : mesh->vertices) v = {v.x * half.x, v.y * half.y, v.z * half.z};
  return mesh;
}

}  // namespace espalier::io

#include "espalier/collision/triangle_tree.h"

#include <algorithm>

namespace espalier::collision {
namespace {

constexpr int kLeaf = 4;  // triangles

double component(const Vec3d& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

Aabb boxOf(const MeshTriangle& t) {
  const auto &a = t.corners[0], &b = t.corners[1], &c = t.corners[2];
  return {{min(a.x, min(b.x, c.x)), min(a.y, min(b.y, c.y)), min(a.z, min(b.z, c.z))},
          {max(a.x, max(b.x, c.x)), max(a.y, max(b.y, c.y)), max(a.z, max(b.z, c.z))}};
}

/// A side of a triangle by its ends, the lesser vertex first.
struct Side {
  int low, high;
  int triangle, side;  // in triangles_
  bool isTurned;       // runs from high to low
};

bool areSameEnds(const Side& a, const Side& b) { return a.low == b.low && a.high == b.high; }

}  // namespace

TriangleTree::TriangleTree(const TriangleMesh& mesh) {
  addTriangles(mesh);
  joinSides(mesh);
  if (!triangles_.empty()) addNode(0, static_cast<int>(triangles_.size()));
}

void TriangleTree::addTriangles(const TriangleMesh& mesh) {
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    MeshTriangle t{};
    for (int k = 0; k < 3; ++k) t.corners[k] = mesh.vertices[mesh.triangles[i][k]];
    const Vec3d u = t.corners[1] - t.corners[0], v = t.corners[2] - t.corners[0];
    const Vec3d n = cross(u, v);
    const double area = norm(n);
    if (!(area > 1e-12 * (dot(u, u) + dot(v, v)))) continue;
    t.normal = n * (1 / area);
    t.id = static_cast<int>(i);
    for (int k = 0; k < 3; ++k) {
      const Vec3d out = cross(t.corners[(k + 1) % 3] - t.corners[k], t.normal);
      t.sides[k] = {out * (1 / norm(out)), 1, 0, true};
    }
    triangles_.push_back(t);
  }
}

void TriangleTree::joinSides(const TriangleMesh& mesh) {
  std::vector<Side> sides;
  for (int i = 0; i < static_cast<int>(triangles_.size()); ++i) {
    const auto& ids = mesh.triangles[triangles_[i].id];
    for (int k = 0; k < 3; ++k) {
      const int from = ids[k], to = ids[(k + 1) % 3];
      sides.push_back({std::min(from, to), std::max(from, to), i, k, from > to});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    if (a.low != b.low) return a.low < b.low;
    if (a.high != b.high) return a.high < b.high;
    return a.triangle < b.triangle;
  });
  isClosed_ = !sides.empty();
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i + 1;
    while (end < sides.size() && areSameEnds(sides[i], sides[end])) ++end;
    if (end - i == 2) {
      const Side pair[2] = {sides[i], sides[i + 1]};
      const bool areAgainst = pair[0].isTurned == pair[1].isTurned;
      isClosed_ = isClosed_ && !areAgainst;
      for (int k = 0; k < 2; ++k) {
        const Vec3d& beyond = triangles_[pair[1 - k].triangle].normal;
        const Vec3d n = areAgainst ? -beyond : beyond;
        MeshTriangle& t = triangles_[pair[k].triangle];
        MeshTriangle::Side& side = t.sides[pair[k].side];
        side = {side.out, dot(n, t.normal), dot(n, side.out), false};
      }
    } else {
      isClosed_ = false;
    }
    i = end;
  }
}

/// The triangles [first, first + count) halved along the longest way of their middles.
int TriangleTree::addNode(int first, int count) {
  const auto begin = triangles_.begin() + first, end = begin + count;
  Aabb box = boxOf(*begin), middles{begin->corners[0], begin->corners[0]};
  for (auto t = begin; t != end; ++t) {
    const Aabb b = boxOf(*t);
    const Vec3d m = (b.lo + b.hi) * 0.5;
    if (t == begin) middles = {m, m};
    const auto grow = [](Aabb& a, const Vec3d& lo, const Vec3d& hi) {
      a.lo = {min(a.lo.x, lo.x), min(a.lo.y, lo.y), min(a.lo.z, lo.z)};
      a.hi = {max(a.hi.x, hi.x), max(a.hi.y, hi.y), max(a.hi.z, hi.z)};
    };
    grow(box, b.lo, b.hi);
    grow(middles, m, m);
  }
  const int place = static_cast<int>(nodes_.size());
  nodes_.push_back({box, first, 0, count});
  if (count <= kLeaf) return place;
  const Vec3d w = middles.hi - middles.lo;
  const int axis = w.x >= w.y && w.x >= w.z ? 0 : w.y >= w.z ? 1 : 2;
  const int half = count / 2;
  std::nth_element(begin, begin + half, end, [&](const MeshTriangle& a, const MeshTriangle& b) {
    const Aabb p = boxOf(a), q = boxOf(b);
    const double x = component(p.lo, axis) + component(p.hi, axis),
                 y = component(q.lo, axis) + component(q.hi, axis);
    return x != y ? x < y : a.id < b.id;
  });
  const int left = addNode(first, half), right = addNode(first + half, count - half);
  Node& node = nodes_[place];
  node.first = left;
  node.second = right;
  node.count = 0;
  return place;
}

}  // namespace espalier::collision

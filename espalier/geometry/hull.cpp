#include "espalier/geometry/hull.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>

namespace espalier {
namespace {

struct Triangle {
  std::array<int, 3> v;
  Vec3d n;
  double offset;
  std::vector<int> outside;  // points beyond it that no other triangle has taken
  bool alive = true;
};

class Quickhull {
 public:
  explicit Quickhull(const std::vector<Vec3d>& points) : points_(points) {}

  /// False where the points span no volume.
  bool run() {
    if (!start()) return false;
    for (std::size_t i = 0; i < triangles_.size(); ++i) {
      if (triangles_[i].alive && !triangles_[i].outside.empty()) grow(static_cast<int>(i));
    }
    return true;
  }

  std::unique_ptr<Hull> merged() const;

 private:
  double height(const Triangle& t, int p) const { return dot(t.n, points_[p]) - t.offset; }
  static std::uint64_t edge(int from, int to) {
    return static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to);
  }
  int across(const Triangle& t, int side) const {
    return sideOf_.at(edge(t.v[(side + 1) % 3], t.v[side]));
  }

  int add(int a, int b, int c) {
    Triangle t;
    t.v = {a, b, c};
    const Vec3d n = cross(points_[b] - points_[a], points_[c] - points_[a]);
    const double length = norm(n);
    t.n = length > 0 ? n * (1 / length) : zero3<double>();
    t.offset = dot(t.n, points_[a]);
    const int id = static_cast<int>(triangles_.size());
    for (int k = 0; k < 3; ++k) sideOf_[edge(t.v[k], t.v[(k + 1) % 3])] = id;
    triangles_.push_back(std::move(t));
    return id;
  }

  bool start();
  void grow(int from);

  const std::vector<Vec3d>& points_;
  std::vector<Triangle> triangles_;
  std::unordered_map<std::uint64_t, int> sideOf_;  // directed edge -> triangle on its left
  double tolerance_ = 0;
};

/// A large tetrahedron: the extremes along the longest side, the point farthest from their line,
/// the point farthest from that plane.
bool Quickhull::start() {
  const int n = static_cast<int>(points_.size());
  if (n < 4) return false;
  const auto farthest = [&](auto measure) {
    int best = 0;
    for (int i = 1; i < n; ++i) {
      if (measure(points_[i]) > measure(points_[best])) best = i;
    }
    return best;
  };
  int a = 0, b = 0;
  double extent = 0;
  for (const Vec3d& e : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
    const int lo = farthest([&](const Vec3d& p) { return -dot(e, p); });
    const int hi = farthest([&](const Vec3d& p) { return dot(e, p); });
    const double length = dot(e, points_[hi] - points_[lo]);
    if (length > extent) extent = length, a = lo, b = hi;
  }
  tolerance_ = 1e-7 * extent;
  if (!(extent > 0)) return false;
  const Vec3d pa = points_[a], ab = (points_[b] - pa) * (1 / norm(points_[b] - pa));
  const auto fromLine = [&](const Vec3d& p) { return norm(cross(ab, p - pa)); };
  int c = farthest(fromLine);
  if (fromLine(points_[c]) <= tolerance_) return false;
  Vec3d normal = cross(points_[b] - pa, points_[c] - pa);
  normal = normal * (1 / norm(normal));
  const int d = farthest([&](const Vec3d& p) { return abs(dot(normal, p - pa)); });
  const double side = dot(normal, points_[d] - pa);
  if (abs(side) <= tolerance_) return false;
  if (side > 0) std::swap(b, c);
  const int first[4] = {add(a, b, c), add(a, c, d), add(a, d, b), add(b, d, c)};
  for (int p = 0; p < n; ++p) {
    for (const int t : first) {
      if (height(triangles_[t], p) <= tolerance_) continue;
      triangles_[t].outside.push_back(p);
      break;
    }
  }
  return true;
}

/// Takes the point farthest beyond a triangle into the hull: what it sees goes, and a cone from
/// the rim of the hole to the point comes.
void Quickhull::grow(int from) {
  const std::vector<int>& beyond = triangles_[from].outside;
  const int apex = *std::max_element(beyond.begin(), beyond.end(), [&](int p, int q) {
    return height(triangles_[from], p) < height(triangles_[from], q);
  });
  std::vector<int> seen{from}, orphans;
  std::vector<std::pair<int, int>> rim;
  triangles_[from].alive = false;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    for (int side = 0; side < 3; ++side) {
      const Triangle& t = triangles_[seen[i]];
      const int other = across(t, side);
      Triangle& o = triangles_[other];
      if (!o.alive) continue;  // seen already
      if (height(o, apex) > tolerance_) {
        o.alive = false;
        seen.push_back(other);
      }
    }
  }
  for (const int s : seen) {
    Triangle& t = triangles_[s];
    orphans.insert(orphans.end(), t.outside.begin(), t.outside.end());
    t.outside.clear();
    for (int side = 0; side < 3; ++side) {
      if (triangles_[across(t, side)].alive) rim.emplace_back(t.v[side], t.v[(side + 1) % 3]);
    }
  }
  std::vector<int> cone;
  for (const auto& [u, v] : rim) cone.push_back(add(u, v, apex));
  for (const int p : orphans) {
    for (const int t : cone) {
      if (p == apex || height(triangles_[t], p) <= tolerance_) continue;
      triangles_[t].outside.push_back(p);
      break;
    }
  }
}

/// Triangles that lie in one plane become one face: from each, largest first, as far as the
/// neighbours' corners stay in its plane.
std::unique_ptr<Hull> Quickhull::merged() const {
  auto hull = std::make_unique<Hull>();
  std::vector<std::pair<double, int>> bySize;
  for (std::size_t i = 0; i < triangles_.size(); ++i) {
    const Triangle& t = triangles_[i];
    if (!t.alive) continue;
    const Vec3d p = points_[t.v[0]];
    bySize.emplace_back(-norm(cross(points_[t.v[1]] - p, points_[t.v[2]] - p)),
                        static_cast<int>(i));
  }
  std::sort(bySize.begin(), bySize.end());
  std::vector<int> faceOf(triangles_.size(), -1), renamed(points_.size(), -1);
  for (const auto& [size, seed] : bySize) {
    if (faceOf[seed] >= 0) continue;
    const int face = static_cast<int>(hull->faces.size());
    const Triangle& plane = triangles_[seed];
    std::vector<int> patch{seed};
    faceOf[seed] = face;
    std::unordered_map<int, int> next;  // the patch's rim, corner to corner
    for (std::size_t i = 0; i < patch.size(); ++i) {
      const Triangle& t = triangles_[patch[i]];
      for (int side = 0; side < 3; ++side) {
        const int other = across(t, side);
        const Triangle& o = triangles_[other];
        if (faceOf[other] >= 0) continue;
        bool flat = dot(o.n, plane.n) > 0.9 || norm(o.n) == 0;
        for (const int v : o.v) flat = flat && abs(height(plane, v)) <= 4 * tolerance_;
        if (!flat) continue;
        faceOf[other] = face;
        patch.push_back(other);
      }
    }
    for (const int p : patch) {
      const Triangle& t = triangles_[p];
      for (int side = 0; side < 3; ++side) {
        if (faceOf[across(t, side)] != face) next[t.v[side]] = t.v[(side + 1) % 3];
      }
    }
    const int begin = static_cast<int>(hull->corners.size());
    const int first = plane.v[0];
    int start = first;
    if (next.find(start) == next.end()) start = std::min_element(next.begin(), next.end())->first;
    for (int v = start, steps = static_cast<int>(next.size()); steps > 0; --steps) {
      if (renamed[v] < 0) {
        renamed[v] = static_cast<int>(hull->vertices.size());
        hull->vertices.push_back(points_[v]);
      }
      hull->corners.push_back(renamed[v]);
      const auto it = next.find(v);
      if (it == next.end() || it->second == start) break;
      v = it->second;
    }
    hull->faces.push_back({plane.n, plane.offset, begin, static_cast<int>(hull->corners.size())});
  }
  Vec3d sum = zero3<double>();
  for (const Vec3d& v : hull->vertices) sum += v;
  hull->centre = sum * (1.0 / static_cast<double>(hull->vertices.size()));
  return hull;
}

}  // namespace

std::unique_ptr<const Hull> convexHull(const TriangleMesh& mesh) {
  Quickhull quickhull(mesh.vertices);
  if (!quickhull.run()) return nullptr;
  return quickhull.merged();
}

}  // namespace espalier

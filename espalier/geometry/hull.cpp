#include "espalier/geometry/hull.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>

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
      while (triangles_[i].alive && !triangles_[i].outside.empty()) grow(static_cast<int>(i));
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
  std::vector<int> seenFrom(int apex, int from) const;
  std::vector<std::pair<int, int>> rimOf(const std::vector<int>& seen) const;
  static bool isOneCycle(const std::vector<std::pair<int, int>>& rim);
  std::vector<int> outline(const std::vector<int>& patch, const std::vector<int>& faceOf) const;
  bool isThin(const Triangle& t) const;
  bool isConvex() const;
  double supportOf(const Triangle& t) const;

  const std::vector<Vec3d>& points_;
  std::vector<Triangle> triangles_;
  std::unordered_map<std::uint64_t, int> sideOf_;  // directed edge -> triangle on its left
  std::vector<bool> isTaken_;                      // points that are, or were, corners of the hull
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
  isTaken_.assign(points_.size(), false);
  for (const int p : {a, b, c, d}) isTaken_[static_cast<std::size_t>(p)] = true;
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

/// The triangles below the apex, connected to `from`, which is one of them.
std::vector<int> Quickhull::seenFrom(int apex, int from) const {
  std::vector<int> seen{from};
  std::unordered_set<int> known{from};
  for (std::size_t i = 0; i < seen.size(); ++i) {
    for (int side = 0; side < 3; ++side) {
      const int other = across(triangles_[seen[i]], side);
      if (known.count(other) == 0 && height(triangles_[other], apex) > tolerance_) {
        known.insert(other);
        seen.push_back(other);
      }
    }
  }
  return seen;
}

/// The directed edges around a set of triangles.
std::vector<std::pair<int, int>> Quickhull::rimOf(const std::vector<int>& seen) const {
  const std::unordered_set<int> inside(seen.begin(), seen.end());
  std::vector<std::pair<int, int>> rim;
  for (const int s : seen) {
    const Triangle& t = triangles_[s];
    for (int side = 0; side < 3; ++side) {
      if (inside.count(across(t, side)) == 0) rim.emplace_back(t.v[side], t.v[(side + 1) % 3]);
    }
  }
  return rim;
}

/// Whether the edges are one closed line that passes no corner twice.
bool Quickhull::isOneCycle(const std::vector<std::pair<int, int>>& rim) {
  std::unordered_map<int, int> next;
  for (const auto& [u, v] : rim) {
    if (!next.emplace(u, v).second) return false;
  }
  if (rim.size() < 3) return false;
  std::size_t steps = 0;
  int v = rim.front().first;
  do {
    const auto it = next.find(v);
    if (it == next.end() || ++steps > rim.size()) return false;
    v = it->second;
  } while (v != rim.front().first);
  return steps == rim.size();
}

/// Takes the point farthest beyond a triangle into the hull: what it sees goes, and a cone from
/// the rim of the hole to the point comes. Where rounding lets the hole be none that a cone closes,
/// the point is left out.
void Quickhull::grow(int from) {
  std::vector<int>& beyond = triangles_[from].outside;
  const auto farthest = std::max_element(beyond.begin(), beyond.end(), [&](int p, int q) {
    return height(triangles_[from], p) < height(triangles_[from], q);
  });
  const int apex = *farthest;
  const std::vector<int> seen = seenFrom(apex, from);
  const std::vector<std::pair<int, int>> rim = rimOf(seen);
  if (isTaken_[static_cast<std::size_t>(apex)] || !isOneCycle(rim)) {
    beyond.erase(farthest);
    return;
  }
  isTaken_[static_cast<std::size_t>(apex)] = true;
  std::vector<int> orphans;
  for (const int s : seen) {
    Triangle& t = triangles_[s];
    t.alive = false;
    orphans.insert(orphans.end(), t.outside.begin(), t.outside.end());
    t.outside.clear();
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

/// The corners around a patch of one face, from the first of its first triangle where that is on
/// the rim; empty where the rim is not one closed line.
std::vector<int> Quickhull::outline(const std::vector<int>& patch,
                                    const std::vector<int>& faceOf) const {
  const int face = faceOf[static_cast<std::size_t>(patch.front())];
  std::vector<std::pair<int, int>> rim;
  for (const int p : patch) {
    const Triangle& t = triangles_[p];
    for (int side = 0; side < 3; ++side) {
      const int other = across(t, side);
      if (faceOf[static_cast<std::size_t>(other)] != face)
        rim.emplace_back(t.v[side], t.v[(side + 1) % 3]);
    }
  }
  if (!isOneCycle(rim)) return {};
  const std::unordered_map<int, int> next(rim.begin(), rim.end());
  int v = triangles_[patch.front()].v[0];
  if (next.count(v) == 0) v = std::min_element(rim.begin(), rim.end())->first;
  std::vector<int> corners;
  for (std::size_t i = 0; i < rim.size(); ++i, v = next.at(v)) corners.push_back(v);
  return corners;
}

/// A triangle whose normal is uncertain: the tolerance of its height turns it.
bool Quickhull::isThin(const Triangle& t) const {
  constexpr double thin = 1e4;  // tolerances
  const Vec3d &a = points_[t.v[0]], &b = points_[t.v[1]], &c = points_[t.v[2]];
  const double longest = max(norm(b - a), max(norm(c - b), norm(a - c)));
  return norm(cross(b - a, c - a)) <= thin * tolerance_ * longest;
}

/// Whether every corner next to a triangle is below its plane, as far as that is certain. Where
/// points differ by little more than the tolerance rounding may fold the hull.
bool Quickhull::isConvex() const {
  for (const Triangle& t : triangles_) {
    if (!t.alive) continue;
    const double beyond = isThin(t) ? 1e4 : 100;  // tolerances
    for (int side = 0; side < 3; ++side) {
      for (const int v : triangles_[across(t, side)].v) {
        if (height(t, v) > beyond * tolerance_) return false;
      }
    }
  }
  return true;
}

/// Offset of the plane that has the triangle's normal and all points below.
double Quickhull::supportOf(const Triangle& t) const {
  constexpr double beyond = 100;  // tolerances
  double most = 0;
  for (int p = 0; p < static_cast<int>(points_.size()); ++p) most = max(most, height(t, p));
  return most > beyond * tolerance_ ? t.offset + most : t.offset;
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
  const bool isFolded = !isConvex();
  for (const auto& [size, seed] : bySize) {
    if (faceOf[seed] >= 0) continue;
    const int face = seed;
    const Triangle& plane = triangles_[seed];
    std::vector<int> patch{seed};
    faceOf[seed] = face;
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
    std::vector<int> corners = outline(patch, faceOf);
    if (corners.empty()) {  // a face of its own for each of its triangles
      for (std::size_t i = 1; i < patch.size(); ++i) faceOf[patch[i]] = -1;
      corners.assign(plane.v.begin(), plane.v.end());
    }
    if (norm(plane.n) == 0) continue;
    const int begin = static_cast<int>(hull->corners.size());
    for (const int v : corners) {
      if (renamed[v] < 0) {
        renamed[v] = static_cast<int>(hull->vertices.size());
        hull->vertices.push_back(points_[v]);
      }
      hull->corners.push_back(renamed[v]);
    }
    // A plane may lie outside of the points, never cut some of them off.
    const double offset = isFolded || isThin(plane) ? supportOf(plane) : plane.offset;
    hull->faces.push_back({plane.n, offset, begin, static_cast<int>(hull->corners.size())});
  }
  return hull;
}

/// Exponent e of the largest coordinate, 2^e <= |x| < 2^(e+1); none where a coordinate is not
/// finite, or all are zero.
std::optional<int> exponentOf(const std::vector<Vec3d>& points) {
  double most = 0;
  for (const Vec3d& p : points) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) return std::nullopt;
    most = std::max({most, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  }
  if (most == 0) return std::nullopt;
  return std::ilogb(most);
}

Vec3d timesPowerOf2(const Vec3d& v, int e) {
  return {std::ldexp(v.x, e), std::ldexp(v.y, e), std::ldexp(v.z, e)};
}

std::unique_ptr<Hull> hullOf(const std::vector<Vec3d>& points) {
  Quickhull quickhull(points);
  if (!quickhull.run()) return nullptr;
  auto hull = quickhull.merged();
  return hull->faces.size() < 4 ? nullptr : std::move(hull);
}

}  // namespace

std::unique_ptr<const Hull> convexHull(const TriangleMesh& mesh) {
  const std::optional<int> exponent = exponentOf(mesh.vertices);
  if (!exponent) return nullptr;
  // Fourth powers of lengths under- or overflow beyond this. A power of two changes no digit.
  constexpr int safe = 100;
  const int e = std::abs(*exponent) > safe ? *exponent : 0;
  std::unique_ptr<Hull> hull;
  if (e == 0) {
    hull = hullOf(mesh.vertices);
  } else {
    std::vector<Vec3d> points = mesh.vertices;
    for (Vec3d& p : points) p = timesPowerOf2(p, -e);
    hull = hullOf(points);
  }
  if (!hull) return nullptr;
  for (Vec3d& v : hull->vertices) v = timesPowerOf2(v, e);
  for (Hull::Face& f : hull->faces) f.offset = std::ldexp(f.offset, e);
  Vec3d sum = zero3<double>();
  const double share = 1.0 / static_cast<double>(hull->vertices.size());
  if (e == 0) {
    for (const Vec3d& v : hull->vertices) sum += v;
    hull->centre = sum * share;
  } else {  // the sum itself may overflow
    for (const Vec3d& v : hull->vertices) sum += v * share;
    hull->centre = sum;
  }
  return hull;
}

}  // namespace espalier

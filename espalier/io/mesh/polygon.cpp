#include "espalier/io/mesh/mesh_formats.h"

#include <cmath>
#include <numeric>

namespace espalier::io {
namespace {

struct Point {
  double x, y;
};

/// Twice the signed area of the triangle a, b, c; positive counter-clockwise.
double area2(const Point& a, const Point& b, const Point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Twice the vector area of the polygon, about its first corner.
Vec3d vectorArea2(std::span<const Vec3d> corners) {
  Vec3d sum = zero3<double>();
  for (std::size_t i = 1; i + 1 < corners.size(); ++i)
    sum += cross(corners[i] - corners[0], corners[i + 1] - corners[0]);
  return sum;
}

/// The corners projected along the axis nearest to n, counter-clockwise.
std::vector<Point> projected(std::span<const Vec3d> corners, const Vec3d& n) {
  const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
  std::vector<Point> points;
  points.reserve(corners.size());
  for (const Vec3d& corner : corners) {
    const Vec3d p = corner - corners[0];
    Point q = z >= x && z >= y ? Point{p.x, p.y} : (y >= x ? Point{p.z, p.x} : Point{p.y, p.z});
    const double along = z >= x && z >= y ? n.z : (y >= x ? n.y : n.x);
    if (along < 0) q.x = -q.x;
    points.push_back(q);
  }
  return points;
}

/// tolerance: twice an area below which a corner counts as straight.
bool isConvex(const std::vector<Point>& p, double tolerance) {
  const std::size_t n = p.size();
  for (std::size_t i = 0; i < n; ++i)
    if (area2(p[i], p[(i + 1) % n], p[(i + 2) % n]) < -tolerance) return false;
  return true;
}

/// Whether the corner `at` of those left can be cut off: it is convex and its triangle holds no
/// other corner.
bool isEar(const std::vector<Point>& p, const std::vector<int>& left, std::size_t at) {
  const std::size_t n = left.size();
  const Point &a = p[left[(at + n - 1) % n]], &b = p[left[at]], &c = p[left[(at + 1) % n]];
  if (!(area2(a, b, c) > 0)) return false;
  for (std::size_t k = 2; k + 1 < n; ++k) {
    const Point& q = p[left[(at + k) % n]];
    if (area2(a, b, q) >= 0 && area2(b, c, q) >= 0 && area2(c, a, q) >= 0) return false;
  }
  return true;
}

}  // namespace

bool triangulate(std::span<const Vec3d> corners, std::vector<std::array<int, 3>>& out) {
  constexpr double straight = 1e-9;  // of the polygon's area
  std::vector<int> left(corners.size());
  std::iota(left.begin(), left.end(), 0);
  if (corners.size() > 3) {
    const Vec3d n = vectorArea2(corners);
    const std::vector<Point> points = projected(corners, n);
    if (!isConvex(points, straight * norm(n))) {
      if (corners.size() > most_concave_corners) return false;
      while (left.size() > 3) {
        std::size_t at = 0;
        while (at < left.size() && !isEar(points, left, at)) ++at;
        if (at == left.size()) break;  // it crosses itself: the rest becomes a fan
        const std::size_t m = left.size();
        out.push_back({left[(at + m - 1) % m], left[at], left[(at + 1) % m]});
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
      }
    }
  }
  for (std::size_t i = 1; i + 1 < left.size(); ++i) out.push_back({left[0], left[i], left[i + 1]});
  return true;
}

}  // namespace espalier::io

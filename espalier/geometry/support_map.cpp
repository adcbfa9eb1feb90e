#include "espalier/geometry/support_map.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace espalier {
namespace {

constexpr int kMostPerEdge = 8;
/// Differences of heights below this part of the points' size may be rounding.
constexpr double kRounding = 1e-9;

double component(const Vec3d& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

Vec3d direction(int axis, double major, double s, double t) {
  return axis == 0 ? Vec3d{major, s, t} : axis == 1 ? Vec3d{t, major, s} : Vec3d{s, t, major};
}

/// Heights of a point along the four corners of a cell.
using Heights = std::array<double, 4>;

bool exceeds(const Heights& a, const Heights& b, double by) {
  return a[0] - b[0] > by && a[1] - b[1] > by && a[2] - b[2] > by && a[3] - b[3] > by;
}

/// The points that none exceeds at all corners, by index. Highest in the middle first, so that
/// most are compared with few; what the highest exceeds is not sorted.
std::vector<int> candidatesOf(const std::vector<Vec3d>& points, const std::array<Vec3d, 4>& corners,
                              double rounding) {
  std::vector<Heights> heights(points.size());
  std::vector<double> middle(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t k = 0; k < 4; ++k) heights[i][k] = dot(corners[k], points[i]);
    middle[i] = heights[i][0] + heights[i][1] + heights[i][2] + heights[i][3];
  }
  const auto highest =
      static_cast<std::size_t>(std::max_element(middle.begin(), middle.end()) - middle.begin());
  std::vector<int> order, kept;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!exceeds(heights[highest], heights[i], rounding)) order.push_back(static_cast<int>(i));
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return middle[a] > middle[b]; });
  for (const int i : order) {
    const Heights& h = heights[i];
    const bool isBelow = std::any_of(
        kept.begin(), kept.end(), [&](int other) { return exceeds(heights[other], h, rounding); });
    if (!isBelow) kept.push_back(i);
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

/// The cell of x in [-1, 1] among n; the first for NaN.
int cellAlong(double x, int n) {
  const double at = (x + 1) * 0.5 * n;
  return at >= n ? n - 1 : at >= 1 ? static_cast<int>(at) : 0;
}

}  // namespace

SupportMap::SupportMap(const std::vector<Vec3d>& points) {
  const double n = static_cast<double>(points.size());
  perEdge_ = std::clamp(static_cast<int>(std::sqrt(n / 3)), 1, kMostPerEdge);
  double size = 0;
  for (const Vec3d& p : points) size = max(size, norm(p));
  begin_.push_back(0);
  for (int side = 0; side < 6; ++side) {
    for (int i = 0; i < perEdge_; ++i) {
      for (int j = 0; j < perEdge_; ++j) {
        std::array<Vec3d, 4> corners;
        for (int k = 0; k < 4; ++k) {
          corners[k] =
              direction(side / 2, side % 2 == 0 ? 1 : -1, -1 + 2.0 * (i + k % 2) / perEdge_,
                        -1 + 2.0 * (j + k / 2) / perEdge_);
        }
        for (const int c : candidatesOf(points, corners, kRounding * size))
          candidates_.push_back({points[c], c});
        begin_.push_back(static_cast<int>(candidates_.size()));
      }
    }
  }
}

SupportMap::Parts SupportMap::parts() const {
  Parts parts{perEdge_, begin_, {}};
  for (const Candidate& c : candidates_) parts.indices.push_back(c.index);
  return parts;
}

std::optional<SupportMap> SupportMap::fromParts(const Parts& parts,
                                                const std::vector<Vec3d>& points) {
  if (parts.perEdge < 1 || parts.perEdge > kMostPerEdge) return std::nullopt;
  const auto cells = static_cast<std::size_t>(6 * parts.perEdge * parts.perEdge);
  const std::vector<int>& begin = parts.begin;
  if (begin.size() != cells + 1 || begin.front() != 0 ||
      begin.back() != static_cast<int>(parts.indices.size()))
    return std::nullopt;
  for (std::size_t i = 0; i < cells; ++i)
    if (begin[i + 1] <= begin[i]) return std::nullopt;  // every cell has a candidate
  SupportMap map;
  map.perEdge_ = parts.perEdge;
  map.begin_ = begin;
  for (const int i : parts.indices) {
    if (i < 0 || i >= static_cast<int>(points.size())) return std::nullopt;
    map.candidates_.push_back({points[i], i});
  }
  return map;
}

std::size_t SupportMap::cellOf(const Vec3d& d) const {
  const double x = abs(d.x), y = abs(d.y), z = abs(d.z);
  const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  const double major = component(d, axis), length = abs(major);
  const int side = 2 * axis + (major < 0 ? 1 : 0);
  if (perEdge_ == 1) return static_cast<std::size_t>(side);
  const int i = cellAlong(component(d, (axis + 1) % 3) / length, perEdge_);
  const int j = cellAlong(component(d, (axis + 2) % 3) / length, perEdge_);
  return static_cast<std::size_t>((side * perEdge_ + i) * perEdge_ + j);
}

}  // namespace espalier

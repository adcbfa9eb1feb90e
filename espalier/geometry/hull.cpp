#include "espalier/geometry/hull.h"

#include <libqhull_r/libqhull_r.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>

#include "espalier/spatial/finite.h"

namespace espalier {
namespace {

/// Coplanarity tolerance, relative to the points' extent.
constexpr double kFlat = 1e-7;

/// Exponent e of the largest coordinate, 2^e <= |x| < 2^(e+1); none where a coordinate is not
/// finite, or all are zero.
std::optional<int> exponentOf(const std::vector<Vec3d>& points) {
  double most = 0;
  for (const Vec3d& p : points) {
    if (!isFinite(p)) return std::nullopt;
    most = std::max({most, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  }
  if (most == 0) return std::nullopt;
  return std::ilogb(most);
}

Vec3d timesPowerOf2(const Vec3d& v, int e) {
  return {std::ldexp(v.x, e), std::ldexp(v.y, e), std::ldexp(v.z, e)};
}

/// The points about the middle of their box, at a scale where no power of a length over- or
/// underflows. A power of two changes no digit.
struct Normalised {
  std::vector<Vec3d> points;
  Vec3d middle;
  double extent;

  Normalised(const std::vector<Vec3d>& originals, int exponent) : points(originals) {
    for (Vec3d& p : points) p = timesPowerOf2(p, -exponent);
    Vec3d lo = points[0], hi = lo;
    for (const Vec3d& p : points) {
      lo = {min(lo.x, p.x), min(lo.y, p.y), min(lo.z, p.z)};
      hi = {max(hi.x, p.x), max(hi.y, p.y), max(hi.z, p.z)};
    }
    middle = (lo + hi) * 0.5;
    extent = max(hi.x - lo.x, max(hi.y - lo.y, hi.z - lo.z));
    for (Vec3d& p : points) p -= middle;
  }
};

/// Qhull's answer for points that stay where they are as long as it lives.
class Qhull {
 public:
  Qhull(std::vector<Vec3d>& points, const std::string& options)
      : first_(&points[0].x), qh_(std::make_unique<qhT>()), log_(std::fopen("/dev/null", "w")) {
    static_assert(sizeof(Vec3d) == 3 * sizeof(coordT));
    std::FILE* log = log_ != nullptr ? log_ : stderr;  // Qhull asks for one
    qh_zero(qh_.get(), log);
    std::string command = "qhull " + options;
    isRight_ = qh_new_qhull(qh_.get(), 3, static_cast<int>(points.size()), first_, False,
                            command.data(), nullptr, log) == 0;
  }
  ~Qhull() {
    int count = 0, bytes = 0;
    qh_freeqhull(qh_.get(), !qh_ALL);
    qh_memfreeshort(qh_.get(), &count, &bytes);
    if (log_ != nullptr) std::fclose(log_);
  }
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;

  /// False where the points are flat.
  bool isRight() const { return isRight_; }

  template <class Visit>
  void forEachFacet(Visit visit) const {
    for (const facetT* f = qh_->facet_list; f != nullptr && f->next != nullptr; f = f->next)
      visit(*f);
  }
  std::vector<int> pointsOf(const facetT& facet) const {
    std::vector<int> ids;
    const vertexT *vertex, **vertexp;
    FOREACHsetelement_(const vertexT, facet.vertices, vertex) {
      ids.push_back(static_cast<int>((vertex->point - first_) / 3));
    }
    return ids;
  }

 private:
  double* first_;
  std::unique_ptr<qhT> qh_;
  std::FILE* log_;
  bool isRight_ = false;
};

/// The corners of a convex face, counter-clockwise about its normal.
void sortAround(std::vector<int>& corners, const Vec3d& normal, const std::vector<Vec3d>& points) {
  const auto at = [&](int i) -> const Vec3d& { return points[i]; };
  Vec3d middle = zero3<double>();
  for (const int c : corners) middle += at(c);
  middle = middle * (1.0 / static_cast<double>(corners.size()));
  Vec3d u = zero3<double>();  // towards the corner farthest from the middle
  for (const int c : corners) {
    const Vec3d out = at(c) - middle;
    if (dot(out, out) > dot(u, u)) u = out;
  }
  const Vec3d v = cross(normal, u);
  std::vector<std::pair<double, int>> byAngle;
  for (const int c : corners) {
    const Vec3d out = at(c) - middle;
    byAngle.emplace_back(std::atan2(dot(out, v), dot(out, u)), c);
  }
  std::sort(byAngle.begin(), byAngle.end());
  for (std::size_t i = 0; i < corners.size(); ++i) corners[i] = byAngle[i].second;
}

/// Smallest height of the hull over one of its faces.
double thicknessOf(const Hull& hull) {
  const SupportMap map(hull.vertices);
  double least = std::numeric_limits<double>::infinity();
  for (const Hull::Face& f : hull.faces) {
    const auto lowest = static_cast<std::size_t>(map.farthest(-f.normal));
    least = min(least, f.offset - dot(f.normal, hull.vertices[lowest]));
  }
  return least;
}

bool isCapped(const Normalised& set, int maxVertices) {
  return static_cast<std::size_t>(maxVertices) < set.points.size();
}

/// Largest height of a point over a face.
double heightOver(const Hull& hull, const std::vector<Vec3d>& points) {
  double most = 0;
  for (const Hull::Face& f : hull.faces)
    for (const Vec3d& p : points) most = max(most, dot(f.normal, p) - f.offset);
  return most;
}

/// Qhull's options. C-n merges facets that are coplanar to within n; Qf and Q9 take
/// the farthest of all points next, and TAn stops after n points beyond the first four.
std::string optionsFor(const Normalised& set, int maxVertices) {
  char merging[32];
  std::snprintf(merging, sizeof merging, "C-%.6e", kFlat * set.extent);
  std::string options = merging;
  if (isCapped(set, maxVertices))
    options += " Qf Q9 TA" + std::to_string(std::max(maxVertices, 4) - 4);
  return options;
}

/// Of normalised points, without centre and maps; null where they are flat.
///   out  ids   [vertices] their places among the points
std::unique_ptr<Hull> hullOf(Normalised& set, int maxVertices, std::vector<int>& ids) {
  const Qhull qhull(set.points, optionsFor(set, maxVertices));
  if (!qhull.isRight()) return nullptr;

  auto hull = std::make_unique<Hull>();
  std::vector<int> renamed(set.points.size(), -1);
  qhull.forEachFacet([&](const facetT& facet) {
    std::vector<int> corners = qhull.pointsOf(facet);
    if (corners.size() < 3) return;
    const Vec3d normal{facet.normal[0], facet.normal[1], facet.normal[2]};
    sortAround(corners, normal, set.points);
    const int begin = static_cast<int>(hull->corners.size());
    for (const int c : corners) {
      int& name = renamed[c];
      if (name < 0) {
        name = static_cast<int>(ids.size());
        ids.push_back(c);
        hull->vertices.push_back(set.points[c]);
      }
      hull->corners.push_back(name);
    }
    hull->faces.push_back({normal, -facet.offset, begin, static_cast<int>(hull->corners.size())});
  });
  if (hull->faces.size() < 4) return nullptr;
  if (isCapped(set, maxVertices)) hull->error = heightOver(*hull, set.points);
  if (thicknessOf(*hull) <= kFlat * set.extent) return nullptr;
  return hull;
}

}  // namespace

std::unique_ptr<const Hull> convexHull(const TriangleMesh& mesh, int maxVertices) {
  const std::optional<int> exponent = exponentOf(mesh.vertices);
  if (!exponent || mesh.vertices.size() < 4) return nullptr;
  Normalised set(mesh.vertices, *exponent);
  std::vector<int> ids;
  std::unique_ptr<Hull> hull = hullOf(set, maxVertices, ids);
  if (!hull) return nullptr;
  Vec3d sum = zero3<double>();
  for (const Vec3d& v : hull->vertices) sum += v;
  const double share = 1.0 / static_cast<double>(hull->vertices.size());
  hull->centre = timesPowerOf2(madd(sum, share, set.middle), *exponent);
  hull->error = std::ldexp(hull->error, *exponent);
  for (std::size_t i = 0; i < ids.size(); ++i) hull->vertices[i] = mesh.vertices[ids[i]];
  std::vector<Vec3d> normals;
  for (Hull::Face& f : hull->faces) {
    f.offset = std::ldexp(f.offset + dot(f.normal, set.middle), *exponent);
    normals.push_back(f.normal);
  }
  hull->vertexMap = SupportMap(hull->vertices);
  hull->normalMap = SupportMap(normals);
  return hull;
}

TriangleMesh hullSurface(const Hull& hull) {
  TriangleMesh mesh;
  mesh.vertices = hull.vertices;
  for (const Hull::Face& face : hull.faces) {
    const auto corner = [&](int i) { return hull.corners[i]; };
    for (int i = face.begin + 2; i < face.end; ++i)
      mesh.triangles.push_back({corner(face.begin), corner(i - 1), corner(i)});
  }
  return mesh;
}

}  // namespace espalier

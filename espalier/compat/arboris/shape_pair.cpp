#include "espalier/compat/arboris/shape_pair.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "espalier/collision/bounds.h"
#include "espalier/collision/pairs.h"
#include "espalier/core/check.h"

namespace espalier::sim {
namespace {

collision::Geom geomOf(const Shape& shape) {
  ESPALIER_REQUIRE(!std::holds_alternative<MeshShape>(shape),
                   "contacts of meshes are found by the World, not by one constraint");
  const SphereShape* sphere = std::get_if<SphereShape>(&shape);
  if (!sphere || sphere->radius != 0) return collision::makeGeom(shape, false);
  collision::Geom point = collision::makeGeom(SphereShape{1}, false);
  point.size = {0, 0, 0};
  point.radius = 0;
  return point;
}

/// How much of the gap lies between the point that a pair function reports and shape 0
/// (collision/contact_point.h).
double shareBefore(collision::Kind k0, collision::Kind k1) {
  using enum collision::Kind;
  const auto flat = [](collision::Kind k) { return k == Plane || k == Heightfield; };
  const auto round = [](collision::Kind k) { return k == Sphere || k == Capsule; };
  if (flat(k0)) return 1;
  if (flat(k1)) return 0;
  if (k0 == Sphere && !round(k1)) return 0;
  if (k1 == Sphere && !round(k0)) return 1;
  return 0.5;
}

}  // namespace

ShapePair::ShapePair(const Shape& shape0, const Shape& shape1)
    : shapes_{shape0, shape1}, geoms_{geomOf(shapes_[0]), geomOf(shapes_[1])} {
  ESPALIER_REQUIRE(collision::pairEntry(geoms_[0].kind, geoms_[1].kind).function,
                   std::string("there is no contact between ") + shapeName(shape0) + " and " +
                       shapeName(shape1));
}

double ShapePair::radius() const { return std::min(geoms_[0].radius, geoms_[1].radius); }

bool ShapePair::find(const Transformd& X_g0, const Transformd& X_g1, double reach,
                     Proximity& found) {
  geoms_[0].X_WG = X_g0;
  geoms_[1].X_WG = X_g1;
  const collision::PairEntry entry = collision::pairEntry(geoms_[0].kind, geoms_[1].kind);
  collision::Manifold manifold;
  entry.function(geoms_[entry.swapped ? 1 : 0], geoms_[entry.swapped ? 0 : 1], reach, manifold);
  if (manifold.count == 0) return false;
  const collision::PairPoint* deepest =
      std::max_element(manifold.points, manifold.points + manifold.count,
                       [](const auto& a, const auto& b) { return a.depth < b.depth; });
  found.distance = -deepest->depth;
  found.normal = entry.swapped ? deepest->normal : -deepest->normal;
  const double before = found.distance * shareBefore(geoms_[0].kind, geoms_[1].kind);
  found.p0 = nmadd(found.normal, before, deepest->position);
  found.p1 = madd(found.normal, found.distance, found.p0);
  return true;
}

Mat3d alignedToZ(const Vec3d& n) {
  const double c[3] = {n.x, n.y, n.z};
  std::array<int, 3> order{0, 1, 2};
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return std::abs(c[a]) < std::abs(c[b]); });
  double x[3] = {0, 0, 0};
  x[order[1]] = c[order[2]];
  x[order[2]] = -c[order[1]];
  const Vec3d long_{x[0], x[1], x[2]};
  const Vec3d e = long_ * (1 / norm(long_)), f = cross(n, e);
  return transpose(Mat3d{e, f, n});
}

}  // namespace espalier::sim

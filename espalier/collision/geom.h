#pragma once

// A shape made ready for collision: plain numbers, no variant, no ownership.

#include <cstdint>

#include "espalier/geometry/shape.h"
#include "espalier/scalar/lanes.h"

namespace espalier {
struct Hull;
}

namespace espalier::collision {

/// In the order of Shape's alternatives, but that a mesh is its convex hull, or its triangles where
/// it is static and not MeshShape::isConvex.
// clang-format off
enum class Kind : std::uint8_t {
  Sphere, Box, Cylinder, Capsule, Ellipsoid, Plane, Hull, Heightfield, Trimesh
};
// clang-format on
inline constexpr int kKinds = static_cast<int>(Kind::Trimesh) + 1;
static_assert(kKinds == std::variant_size_v<Shape> + 1);

/// f(S()) for the solid shape S of this kind, Kind < Plane.
template <int i = 0, class F>
ESPALIER_INLINE auto withSolid(Kind kind, const F& f) {
  using S = std::variant_alternative_t<i, Shape>;
  if constexpr (SolidShape<std::variant_alternative_t<i + 1, Shape>>) {
    if (kind != static_cast<Kind>(i)) return withSolid<i + 1>(kind, f);
  }
  return f(S());
}

class Field;
class OdeGeom;
class TriangleTree;

/// What a size means: of a solid half() of its file (of a capsule {r, r, half distance of the sphere
/// centres}); of hull, mesh and heightfield the half lengths of their box about `middle`.
struct Geom {
  Transformd X_WG;
  Vec3d size;
  Vec3d middle;   ///< of the box, in the shape's frame; hull, mesh and heightfield only
  double radius;  ///< of the bounding sphere about the frame's origin; infinite for a plane
  double thin;  ///< the smallest half length; of triangles 0, of a plane and a heightfield infinite
  Vec3d way;    ///< m, world: how far its origin may move until the contact acts, either way
  double turn;  ///< m, how far its surface may move besides, by turning
  Kind kind;
  bool isAlive;    ///< not removed
  bool isEnabled;  ///< else it meets nothing
  bool isStatic;   ///< meets no static geom
  bool isPassive;  ///< for now meets no static and no passive geom
  int owner;
  std::uint64_t group, mask;
  std::uint64_t poseStamp;   ///< changes with X_WG
  const Field* field;        ///< heightfields only
  const TriangleMesh* mesh;  ///< meshes only
  const Hull* hull;          ///< hulls only; null where the mesh is flat
  const TriangleTree* tree;  ///< triangle meshes only
  OdeGeom* ode;              ///< triangle meshes only, for rays; else null
};

/// False where one of the two is switched off, or neither can be moved by the other.
inline bool isAwake(const Geom& a, const Geom& b) {
  return a.isEnabled && b.isEnabled &&
         !((a.isStatic || a.isPassive) && (b.isStatic || b.isPassive));
}

using Four = Lanes<double, 4>;

inline constexpr double farthest_approach = 2;  ///< m, of a runaway
/// How far two surfaces may come nearer to one another until the contact acts, m: what moves along
/// with the other does not.
template <class T>
ESPALIER_INLINE T approachOf(const Vec3<T>& way, const T& turn, const Vec3<T>& otherWay,
                             const T& otherTurn) {
  return min(norm(way - otherWay) + (turn + otherTurn), bc<T>(farthest_approach));
}
inline double approachOf(const Geom& a, const Geom& b) {
  return approachOf(a.way, a.turn, b.way, b.turn);
}

/// World box of a geom, grown by half the query's margin, Geom::turn and reach(); and Geom::way.
/// x, y, z, and a fourth number that meets all others.
struct Corners {
  Four lo, hi, way;

  /// How far it moves along the axes, m; a runaway not farther than a metre, lest it meets everything.
  Four reach() const { return min(abs(way), Four(1.0)); }
  bool meets(const Corners& b) const {
    if (!all((lo <= b.hi) & (b.lo <= hi))) return false;
    const Four relative = abs(way - b.way) - (reach() + b.reach());  // negative: both move alike
    return all((lo - b.hi <= relative) & (b.lo - hi <= relative));
  }
};
/// The same, number by number.
struct Aabb {
  Vec3d lo, hi;
};

}  // namespace espalier::collision

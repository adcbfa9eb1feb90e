#include <array>

#include "espalier/collision/pairs.h"

namespace espalier::collision {
namespace pair_table {

using enum Kind;

constexpr bool isSolid(Kind k) { return k < Plane || k == Hull; }

/// The function of any pair, a <= b, by support functions. Half spaces, fields and meshes do not meet
/// each other: they are ground.
constexpr PairFunction general(Kind a, Kind b) {
  if (!isSolid(a)) return nullptr;
  if (isSolid(b)) return convexPair;
  return b == Plane ? convexPlane : b == Heightfield ? convexHeightfield : convexTrimesh;
}

/// The pairs that have a function of their own.
struct OwnPair {
  Kind a, b;
  PairFunction function;
};
constexpr OwnPair own_pairs[] = {{Sphere, Sphere, sphereSphere},
                                 {Sphere, Box, sphereBox},
                                 {Sphere, Cylinder, sphereCylinder},
                                 {Sphere, Capsule, sphereCapsule},
                                 {Sphere, Plane, spherePlane},
                                 {Sphere, Heightfield, sphereHeightfield},
                                 {Box, Box, boxBox},
                                 {Box, Cylinder, boxRound},
                                 {Box, Capsule, boxCapsule},
                                 {Box, Ellipsoid, boxRound},
                                 {Box, Plane, boxPlane},
                                 {Cylinder, Plane, cylinderPlane},
                                 {Capsule, Capsule, capsuleCapsule},
                                 {Capsule, Plane, capsulePlane},
                                 {Plane, Hull, planeHull}};

constexpr auto functions = [] {
  std::array<std::array<PairFunction, kKinds>, kKinds> table{};
  for (std::size_t a = 0; a < kKinds; ++a) {
    for (std::size_t b = a; b < kKinds; ++b) {
      table[a][b] = general(static_cast<Kind>(a), static_cast<Kind>(b));
    }
  }
  for (const OwnPair& p : own_pairs) {
    table[static_cast<int>(p.a)][static_cast<int>(p.b)] = p.function;
  }
  return table;
}();

}  // namespace pair_table

PairEntry pairEntry(Kind a, Kind b) {
  const bool swapped = a > b;
  const auto i = static_cast<std::size_t>(swapped ? b : a),
             j = static_cast<std::size_t>(swapped ? a : b);
  return {pair_table::functions[i][j], swapped};
}

}  // namespace espalier::collision

#include "espalier/collision/pairs.h"

namespace espalier::collision {
namespace {

// clang-format off
constexpr PairFunction none = nullptr;
constexpr PairFunction pairTable[kKinds][kKinds] = {
//                first \ second
//  Sphere        Box           Cylinder      Capsule       Plane          Mesh          Heightfield
  { sphereSphere, none,         none,         none,         spherePlane,   none,         none},  // Sphere
  { none,         odePair,      none,         none,         boxPlane,      none,         none},  // Box
  { none,         none,         none,         none,         cylinderPlane, none,         none},  // Cylinder
  { none,         none,         none,         none,         capsulePlane,  none,         none},  // Capsule
  { none,         none,         none,         none,         none,          none,         none},  // Plane
  { none,         none,         none,         none,         none,          none,         none},  // Mesh
  { none,         none,         none,         none,         none,          none,         none},  // Heightfield
};
// clang-format on

}  // namespace

PairEntry pairEntry(Kind a, Kind b) {
  const bool swapped = a > b;
  const int i = static_cast<int>(swapped ? b : a), j = static_cast<int>(swapped ? a : b);
  return {pairTable[i][j], swapped};
}

}  // namespace espalier::collision

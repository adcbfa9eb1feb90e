#include "espalier/collision/pairs.h"

namespace espalier::collision {
namespace {

// Below the diagonal the arguments are swapped. Half spaces, fields and meshes do not meet each
// other: they are ground.
// clang-format off
constexpr PairFunction none = nullptr;
constexpr PairFunction pairTable[kKinds][kKinds] = {
  // first \ second:
  //  Sphere,        Box,              Cylinder,           Capsule,
  //  Plane,         Hull,             Heightfield,        Trimesh
  /* SphereShape */
  {   sphereSphere,  sphereBox,        sphereCylinder,     sphereCapsule,
      spherePlane,   convexPair,       sphereHeightfield,  convexTrimesh },
  /* BoxShape */
  {   none,          boxBox,           convexPair,         boxCapsule,
      boxPlane,      convexPair,       convexHeightfield,  convexTrimesh },
  /* CylinderShape */
  {   none,          none,             convexPair,         convexPair,
      cylinderPlane, convexPair,       convexHeightfield,  convexTrimesh },
  /* CapsuleShape */
  {   none,          none,             none,               capsuleCapsule,
      capsulePlane,  convexPair,       convexHeightfield,  convexTrimesh },
  /* Plane */
  {   none,          none,             none,               none,
      none,          planeHull,        none,               none },
  /* Hull */
  {   none,          none,             none,               none,
      none,          convexPair,       convexHeightfield,  convexTrimesh },
  /* Heightfield */
  {   none,          none,             none,               none,
      none,          none,             none,               none },
  /* Trimesh */
  {   none,          none,             none,               none,
      none,          none,             none,               none },
};
// clang-format on

}  // namespace

PairEntry pairEntry(Kind a, Kind b) {
  const bool swapped = a > b;
  const int i = static_cast<int>(swapped ? b : a), j = static_cast<int>(swapped ? a : b);
  return {pairTable[i][j], swapped};
}

}  // namespace espalier::collision

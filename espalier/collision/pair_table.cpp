#include "espalier/collision/pairs.h"

namespace espalier::collision {
namespace {

// Below the diagonal the arguments are swapped. Half spaces, fields and meshes do not meet each
// other: they are ground. A hull against a static mesh's triangles is refused (Scene::build()).
// clang-format off
constexpr PairFunction none = nullptr;
constexpr PairFunction pairTable[kKinds][kKinds] = {
  // first \ second:
  //  Sphere,        Box,              Cylinder,           Capsule,
  //  Plane,         Hull,             Heightfield,        Trimesh
  /* SphereShape */
  {   sphereSphere,  sphereBox,        sphereCylinder,     sphereCapsule,
      spherePlane,   convexPair,       sphereHeightfield,  odeMesh },
  /* BoxShape */
  {   none,          boxBox,           convexPair,         boxCapsule,
      boxPlane,      convexPair,       convexHeightfield,  odeMesh },
  /* CylinderShape */
  {   none,          none,             convexPair,         convexPair,
      cylinderPlane, convexPair,       convexHeightfield,  odeMesh },
  /* CapsuleShape */
  {   none,          none,             none,               capsuleCapsule,
      capsulePlane,  convexPair,       convexHeightfield,  odeMesh },
  /* Plane */
  {   none,          none,             none,               none,
      none,          planeHull,        none,               none },
  /* Hull */
  {   none,          none,             none,               none,
      none,          convexPair,       convexHeightfield,  none },
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

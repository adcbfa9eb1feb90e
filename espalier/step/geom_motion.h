#pragma once

// Pose and velocity of a geom at the evaluation point, the input of collision. Of a
// robot's geom, in a world or in lanes.

#include "espalier/dynamics/tree/jacobian.h"

namespace espalier {

template <class T>
struct GeomMotion {
  Transform<T> X_WG;
  Vec3<T> velocity;  ///< m/s, of its origin, world
  T spin;            ///< rad/s, norm of its angular velocity
};

template <class T>
ESPALIER_INLINE GeomMotion<T> geomMotion(const Workspace<T>& ws, int body, const Transformd& X_CG) {
  const Mat3<T>& R = ws.R[body];
  const Motion<T>& V = ws.V[body];
  const Vec3<T> p = ws.origin + ws.x[body] + mul(R, bc<T>(X_CG.p));
  return {{mul(R, bc<T>(X_CG.R)), p}, velocityAt(V, p - ws.origin), norm(V.w)};
}

}  // namespace espalier

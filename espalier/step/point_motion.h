#pragma once

// The motion of a point that a robot's body carries: of one world, or of worlds in lanes.

#include "espalier/dynamics/tree/jacobian.h"

namespace espalier {

template <class T>
struct BodyPointMotion {
  Vec3<T> velocity;      ///< m/s
  Vec3<T> acceleration;  ///< m/s^2 at udot = 0
};

/// Where the contact point rolls over a rounding with its centre at c, the acceleration is
/// a_c + alpha x (p - c).
///   in  r, c  the point and that centre from the origin, world axes
template <class T>
ESPALIER_INLINE BodyPointMotion<T> bodyPointMotion(const Motion<T>& V, const Motion<T>& A,
                                                   const Vec3<T>& gravity, const Vec3<T>& r,
                                                   const Vec3<T>& c) {
  return {velocityAt(V, r), A.v + gravity + cross(A.w, r) + cross(V.w, velocityAt(V, c))};
}

}  // namespace espalier

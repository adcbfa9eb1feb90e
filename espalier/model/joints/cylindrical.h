#pragma once

#include "espalier/model/joints/revolute.h"

namespace espalier {

/// A slider that also turns: q = distance along the child's z, angle about it; u = q'.
struct CylindricalJoint : JointBase<JointKind::Cylindrical> {
  template <class T, class P>
  static ESPALIER_INLINE void pose(const LoweredBody<P>& b, const JointExtra<P>& x, const T* q,
                                   Mat3<T>& e, Vec3<T>& p) {
    RevoluteJoint::pose(b, x, q + 1, e, p);
    p = madd(e.r2, q[0], p);
  }
  /// Neither column carries the other, because S_0 x S_1 = 0.
  template <class T, class P>
  static ESPALIER_INLINE void columns(const JointExtra<P>&, const T*, const JointFrames<T>& f,
                                      Motion<T>* S) {
    const Vec3<T> z = columnZ(f.R_XC);
    S[0] = {zero3<T>(), z};
    S[1] = {z, cross(f.o, z)};
  }
};

}  // namespace espalier

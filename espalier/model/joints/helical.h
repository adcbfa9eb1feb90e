#pragma once

#include "espalier/model/joints/revolute.h"

namespace espalier {

/// A screw: q = angle about the child's z, which advances pitch metres per radian.
struct HelicalJoint : JointBase<JointKind::Helical> {
  template <class T, class P>
  static ESPALIER_INLINE void pose(const LoweredBody<P>& b, const JointExtra<P>& x, const T* q,
                                   Mat3<T>& e, Vec3<T>& p) {
    RevoluteJoint::pose(b, x, q, e, p);
    p = madd(e.r2, bc<T>(x.pitch) * q[0], p);
  }
  template <class T, class P>
  static ESPALIER_INLINE void columns(const JointExtra<P>& x, const T*, const JointFrames<T>& f,
                                      Motion<T>* S) {
    const Vec3<T> z = columnZ(f.R_XC);
    S[0] = {z, madd(z, bc<T>(x.pitch), cross(f.o, z))};
  }
};

}  // namespace espalier

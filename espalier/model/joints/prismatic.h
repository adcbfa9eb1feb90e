#pragma once

#include "espalier/model/joints/joint.h"

namespace espalier {

/// A slider: q = distance along the child's z, u = its rate.
struct PrismaticJoint : JointBase<JointKind::Prismatic> {
  template <class T, class P>
  static ESPALIER_INLINE void poseOf(const LoweredBody<P>& b, const T& q, Mat3<T>& e, Vec3<T>& p) {
    e = bc<T>(b.E);
    p = madd(e.r2, q, bc<T>(b.p));
  }
  template <class T, class P>
  static ESPALIER_INLINE void pose(const LoweredBody<P>& b, const JointExtra<P>&, const T* q,
                                   Mat3<T>& e, Vec3<T>& p) {
    poseOf(b, q[0], e, p);
  }
  template <class T, class P>
  static ESPALIER_INLINE void columns(const JointExtra<P>&, const T*, const JointFrames<T>& x,
                                      Motion<T>* S) {
    S[0] = {zero3<T>(), columnZ(x.R_XC)};
  }
};

}  // namespace espalier

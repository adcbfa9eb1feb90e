#pragma once

#include "espalier/model/joints/joint.h"
#include "espalier/scalar/sincos.h"

namespace espalier {

/// A hinge: q = angle about the child's z, u = its rate.
struct RevoluteJoint : JointBase<JointKind::Revolute> {
  /// E = Rz(q)' R_JP from sine and cosine: two rows turn, the third stays.
  template <class T, class P>
  static ESPALIER_INLINE void poseOf(const LoweredBody<P>& b, const T& s, const T& c, Mat3<T>& e,
                                     Vec3<T>& p) {
    const Mat3<T> e0 = bc<T>(b.E);
    e.r0 = madd(e0.r1, s, e0.r0 * c);
    e.r1 = nmadd(e0.r0, s, e0.r1 * c);
    e.r2 = e0.r2;
    p = bc<T>(b.p);
  }
  template <class T, class P>
  static ESPALIER_INLINE void pose(const LoweredBody<P>& b, const JointExtra<P>&, const T* q,
                                   Mat3<T>& e, Vec3<T>& p) {
    T s, c;
    sincos(q[0], s, c);
    poseOf(b, s, c, e, p);
  }
  template <class T, class P>
  static ESPALIER_INLINE void columns(const JointExtra<P>&, const T*, const JointFrames<T>& x,
                                      Motion<T>* S) {
    const Vec3<T> z = columnZ(x.R_XC);
    S[0] = {z, cross(x.o, z)};
  }
};

}  // namespace espalier

#pragma once

#include "espalier/model/joints/revolute.h"

namespace espalier {

/// Sliding in the plane normal to z and turning about it: q = x, y, angle; u = q', so that the
/// velocity is expressed in the joint frame.
struct PlanarJoint : VectorJoint<3> {
  static constexpr JointKind kind = JointKind::Planar;
  static constexpr bool hasBias = true;
  static constexpr bool needsJointAxes = true;

  template <class T, class P>
  static ESPALIER_INLINE void pose(const LoweredBody<P>& b, const JointExtra<P>& x, const T* q,
                                   Mat3<T>& e, Vec3<T>& p) {
    RevoluteJoint::pose(b, x, q + 2, e, p);
    p = p + tmul(bc<T>(b.E), Vec3<T>{q[0], q[1], T(value_t<T>(0))});
  }
  template <class T, class P>
  static ESPALIER_INLINE void columns(const JointExtra<P>&, const T*, const JointFrames<T>& f,
                                      Motion<T>* S) {
    const Vec3<T> z = columnZ(f.R_XJ);
    S[0] = {zero3<T>(), columnX(f.R_XJ)};
    S[1] = {zero3<T>(), columnY(f.R_XJ)};
    S[2] = {z, cross(f.o, z)};
  }
  /// The axis of S_3 slides with the child: v_rel x w_rel.
  template <class T>
  static ESPALIER_INLINE Motion<T> bias(const Motion<T>* S, const T* u, const Vec3<T>&) {
    const Vec3<T> v = madd(S[1].v, u[1], S[0].v * u[0]);
    return {zero3<T>(), cross(v, S[2].w * u[2])};
  }
};

}  // namespace espalier

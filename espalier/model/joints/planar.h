#pragma once

#include "espalier/model/joints/revolute.h"

namespace espalier {

/// Sliding in the plane normal to z and turning about it: q = x, y, angle; u = q', so that the
/// velocity is expressed in the joint frame.
struct PlanarJoint : JointBase<JointKind::Planar> {
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
  /// The axis of the turn slides with the child.
  static constexpr int carriers(int k) { return k == 2 ? 2 : 0; }
};

}  // namespace espalier

#pragma once

#include "espalier/model/joints/spherical.h"

namespace espalier {

/// A free body: q = position, quaternion; u = velocity of the child's origin, angular velocity,
/// both in the joint frame (the world's, for a floating base).
struct FloatingJoint : JointBase<JointKind::Floating> {
  static constexpr bool needsJointAxes = true;

  template <class T, class P>
  static ESPALIER_INLINE void pose(const LoweredBody<P>& b, const JointExtra<P>& x, const T* q,
                                   Mat3<T>& e, Vec3<T>& p) {
    SphericalJoint::pose(b, x, q + 3, e, p);
    p = p + tmul(bc<T>(b.E), Vec3<T>{q[0], q[1], q[2]});
  }
  template <class T, class P>
  static ESPALIER_INLINE void columns(const JointExtra<P>& x, const T* q, const JointFrames<T>& f,
                                      Motion<T>* S) {
    S[0] = {zero3<T>(), columnX(f.R_XJ)};
    S[1] = {zero3<T>(), columnY(f.R_XJ)};
    S[2] = {zero3<T>(), columnZ(f.R_XJ)};
    SphericalJoint::columns(x, q, f, S + 3);
  }
  /// The axes of rotation slide with the child.
  static constexpr int carriers(int k) { return k < 3 ? 0 : 3; }
};

}  // namespace espalier

#pragma once

#include "espalier/model/joints/joint.h"

namespace espalier {

/// A ball: q = unit quaternion w, x, y, z (child to joint frame), u = angular velocity in the
/// joint frame.
struct SphericalJoint : JointBase<JointKind::Spherical> {
  static constexpr bool needsJointAxes = true;

  template <class T, class P>
  static ESPALIER_INLINE void pose(const LoweredBody<P>& b, const JointExtra<P>&, const T* q,
                                   Mat3<T>& e, Vec3<T>& p) {
    e = mul(transpose(rotation(Quat<T>{q[0], q[1], q[2], q[3]})), bc<T>(b.E));
    p = bc<T>(b.p);
  }
  template <class T, class P>
  static ESPALIER_INLINE void columns(const JointExtra<P>&, const T*, const JointFrames<T>& f,
                                      Motion<T>* S) {
    const Vec3<T> w[3] = {columnX(f.R_XJ), columnY(f.R_XJ), columnZ(f.R_XJ)};
    for (int k = 0; k < 3; ++k) S[k] = {w[k], cross(f.o, w[k])};
  }
};

}  // namespace espalier

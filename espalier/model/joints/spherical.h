#pragma once

#include "espalier/model/joints/joint.h"
#include "espalier/spatial/rotation.h"

namespace espalier {

/// A ball: q = unit quaternion w, x, y, z (child to joint frame), u = angular velocity in the
/// joint frame.
struct SphericalJoint {
  static constexpr JointKind kind = JointKind::Spherical;
  static constexpr int nq = 4, nv = 3;
  static constexpr bool needsJointAxes = true;
  static constexpr int carriers(int) { return 0; }

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
  /// q+ = exp(step) q: the step is expressed in the joint frame.
  template <class T>
  static ESPALIER_INLINE void advance(const T* q, const T* step, T* out) {
    const Quat<T> turned =
        normalized(expQuat(Vec3<T>{step[0], step[1], step[2]}) * Quat<T>{q[0], q[1], q[2], q[3]});
    out[0] = turned.w;
    out[1] = turned.x;
    out[2] = turned.y;
    out[3] = turned.z;
  }
  static void neutral(double* q) {
    q[0] = 1;
    q[1] = q[2] = q[3] = 0;
  }
};

}  // namespace espalier

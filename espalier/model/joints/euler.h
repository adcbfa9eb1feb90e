#pragma once

#include "espalier/model/joints/joint.h"
#include "espalier/scalar/sincos.h"
#include "espalier/spatial/rotation.h"

namespace espalier {

/// N rotations in sequence about axes that each follow the ones before: R_JC = R1(q1) R2(q2) ...
/// N = 2 is the universal (cardan) joint; N = 3 covers RzRyRx and every other sequence.
/// Singular (S loses rank) where the last axis falls on the first.
template <JointKind Kind>
struct SequenceJoint : JointBase<Kind> {
  static constexpr int N = info(Kind).nv;
  static constexpr bool needsJointAxes = true;

  template <class T, class P>
  static ESPALIER_INLINE void pose(const LoweredBody<P>& b, const JointExtra<P>& x, const T* q,
                                   Mat3<T>& e, Vec3<T>& p) {
    e = bc<T>(b.E);
    for (int k = 0; k < N; ++k) e = mul(transpose(turn(x, q, k)), e);
    p = bc<T>(b.p);
  }
  /// w_k = R_XJ R1 ... R_{k-1} a_k
  template <class T, class P>
  static ESPALIER_INLINE void columns(const JointExtra<P>& x, const T* q, const JointFrames<T>& f,
                                      Motion<T>* S) {
    Mat3<T> r = f.R_XJ;
    for (int k = 0; k < N; ++k) {
      const Vec3<T> w = mul(r, bc<T>(x.axes[k]));
      S[k] = {w, cross(f.o, w)};
      if (k + 1 < N) r = mul(r, turn(x, q, k));
    }
  }
  /// Each axis is carried by the turns before it.
  static constexpr int carriers(int k) { return k; }

 private:
  template <class T, class P>
  static ESPALIER_INLINE Mat3<T> turn(const JointExtra<P>& x, const T* q, int k) {
    T s, c;
    sincos(q[k], s, c);
    return axisRotation(bc<T>(x.axes[k]), s, c);
  }
};
using UniversalJoint = SequenceJoint<JointKind::Universal>;
using EulerJoint = SequenceJoint<JointKind::Euler>;

}  // namespace espalier

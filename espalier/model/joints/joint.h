#pragma once

// Each joint kind is defined once, in its own file of this folder, by:
//
//   pose     E = R_CP and p = p_PC at q
//   columns  S_k, the twist of the child over the parent per unit of u_k, in any frame X
//   carriers(k)  how many of the joint's earlier columns carry column k (beside the parent, which
//            carries all): dS_k/dt = (V_P + sum_{j < carriers(k)} S_j u_j) x S_k
//
// The rest it has from its row of model/joints/joint_kind.h.
// Frames: P parent body, J joint frame on P, C child body; C = J at the neutral q.

#include "espalier/model/joints/joint_kind.h"
#include "espalier/model/lowered.h"
#include "espalier/spatial/rotation.h"

namespace espalier {

/// Where the columns are wanted: X is the world's axes about the root's origin, or the child.
template <class T>
struct JointFrames {
  Mat3<T> R_XC;  ///< child axes
  Mat3<T> R_XJ;  ///< joint axes; filled only for kinds with needsJointAxes
  Vec3<T> o;     ///< child's origin in X
};

/// What all kinds have in common.
template <JointKind Kind>
struct JointBase {
  static constexpr JointKind kind = Kind;
  static constexpr int nq = info(Kind).nq, nv = info(Kind).nv, quaternion = info(Kind).quaternion;
  static constexpr bool needsJointAxes = false;
  static constexpr int carriers(int) { return 0; }

  /// q (+) step, step = dt u: the coordinates after moving with u for dt. A quaternion becomes
  /// exp(step) q, because its step is expressed in the joint frame.
  template <class T>
  static ESPALIER_INLINE void advance(const T* q, const T* step, T* out) {
    for (int i = 0; i < (quaternion < 0 ? nq : quaternion); ++i) out[i] = q[i] + step[i];
    if constexpr (quaternion >= 0) {
      constexpr int i = quaternion;
      const Quat<T> turned = normalized(expQuat(Vec3<T>{step[i], step[i + 1], step[i + 2]}) *
                                        Quat<T>{q[i], q[i + 1], q[i + 2], q[i + 3]});
      out[i] = turned.w;
      out[i + 1] = turned.x;
      out[i + 2] = turned.y;
      out[i + 3] = turned.z;
    }
  }
};

/// sum_j S_j u_j over the first `count` columns.
template <class T>
ESPALIER_INLINE Motion<T> partialTwist(const Motion<T>* S, const T* u, int count) {
  Motion<T> sum = zeroMotion<T>();
  for (int j = 0; j < count; ++j) sum = madd(S[j], u[j], sum);
  return sum;
}

/// dS/dt u beyond V_P x S u: the joint's own velocity-product term.
template <class J, class T>
ESPALIER_INLINE Motion<T> jointBias(const Motion<T>* S, const T* u) {
  Motion<T> sum = zeroMotion<T>();
  for (int k = 1; k < J::nv; ++k)
    if (J::carriers(k) > 0) sum += crossMotion(partialTwist(S, u, J::carriers(k)), S[k] * u[k]);
  return sum;
}
template <class J>
constexpr bool hasJointBias() {
  for (int k = 1; k < J::nv; ++k)
    if (J::carriers(k) > 0) return true;
  return false;
}

}  // namespace espalier

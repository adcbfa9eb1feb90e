#pragma once

// One joint of any kind by itself, not in a tree.

#include "espalier/model/joints/dispatch.h"

namespace espalier {

/// J joint frame; L the child with the axes that it has in J at the neutral q.
template <class T>
struct JointAlone {
  Transform<T> X_JL = identityTransform<T>();
  Motion<T> S[6];     ///< [nv] columns, in L about its origin
  Motion<T> ring[6];  ///< [nv] dS/dt as seen from L: (V_carriers - V_L) x S_k
};

///   in  axes   [3] unit; as many as the kind reads
///   in  pitch  m/rad, of helical joints
///   in  q [nq], u [nv]
template <class T>
JointAlone<T> jointAlone(JointKind kind, const Vec3d* axes, double pitch, const T* q, const T* u) {
  using P = value_t<T>;
  JointAlone<T> out;
  for (int k = 0; k < 6; ++k) out.S[k] = out.ring[k] = zeroMotion<T>();
  // The kinds' equations are for a child C whose z is the axis; L is turned against it by R_LC.
  const Mat3d R_LC = info(kind).axes == 1 ? rotationToZ(axes[0]) : identity3<double>();
  const LoweredBody<P> body{bc<P>(transpose(R_LC)), {P(0), P(0), P(0)}, {}};
  const JointExtra<P> extra{{bc<P>(axes[0]), bc<P>(axes[1]), bc<P>(axes[2])}, P(pitch)};
  withJoint(kind, [&]<class J>() {
    Mat3<T> R_CJ;
    J::pose(body, extra, q, R_CJ, out.X_JL.p);
    const Mat3<T> R = bc<T>(R_LC);
    out.X_JL.R = transpose(mul(R, R_CJ));
    J::columns(extra, q, JointFrames<T>{R, mul(R, mul(R_CJ, R)), zero3<T>()}, out.S);
    const Motion<T> V = partialTwist(out.S, u, J::nv);
    for (int k = 0; k < J::nv; ++k)
      out.ring[k] = crossMotion(partialTwist(out.S, u, J::carriers(k)) - V, out.S[k]);
  });
  return out;
}

}  // namespace espalier

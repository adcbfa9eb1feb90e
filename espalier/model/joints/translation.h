#pragma once

#include "espalier/model/joints/joint.h"

namespace espalier {

/// Three sliders along the joint frame's axes: q = x, y, z.
struct TranslationJoint : JointBase<JointKind::Translation> {
  static constexpr bool needsJointAxes = true;

  template <class T, class P>
  static ESPALIER_INLINE void pose(const LoweredBody<P>& b, const JointExtra<P>&, const T* q,
                                   Mat3<T>& e, Vec3<T>& p) {
    e = bc<T>(b.E);
    p = bc<T>(b.p) + tmul(e, Vec3<T>{q[0], q[1], q[2]});
  }
  template <class T, class P>
  static ESPALIER_INLINE void columns(const JointExtra<P>&, const T*, const JointFrames<T>& f,
                                      Motion<T>* S) {
    S[0] = {zero3<T>(), columnX(f.R_XJ)};
    S[1] = {zero3<T>(), columnY(f.R_XJ)};
    S[2] = {zero3<T>(), columnZ(f.R_XJ)};
  }
};

}  // namespace espalier

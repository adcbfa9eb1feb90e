#pragma once

// For body C on parent P, common frame O, world axes:
//   R_WC = R_WP E',  x_C = x_P + R_WP p
//   V_C = V_P + S u
//   c = dS/dt u = V_P x S u + bias        (the columns are carried by the parent)
//   I_C about O by the parallel-axis theorem

#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/model/joints/dispatch.h"
#include "espalier/scalar/fours.h"

namespace espalier {

namespace kinematics_detail {

/// V_C and c from the parent's twist and the joint's columns.
template <class J, class T>
ESPALIER_INLINE void twist(const Motion<T>& parent, const Motion<T>* S, const T* u, Motion<T>& V,
                           Motion<T>& c) {
  Motion<T> joint = S[0] * u[0];
  for (int k = 1; k < J::nv; ++k) joint = madd(S[k], u[k], joint);
  V = parent + joint;
  c = crossMotion(parent, joint);
  if constexpr (hasJointBias<J>()) c += jointBias<J>(S, u);
}

/// Pose and twist of the body that carries a joint.
template <class T>
struct CarrierMotion {
  const Mat3<T>& R;
  const Vec3<T>& x;
  const Motion<T>& V;
};
/// Pose, columns, twist and velocity-product acceleration of the body that it carries.
template <class T>
struct BodyMotion {
  Mat3<T>& R;
  Vec3<T>& x;
  Motion<T>* S;
  Motion<T>& V;
  Motion<T>& c;
};

/// Frames of a joint on its carrier's pose, R and x.
template <class J, class T, class P>
ESPALIER_INLINE void findFrames(const LoweredBody<P>& b, const JointExtra<P>& extra, const T* q,
                                const Mat3<T>& R, const Vec3<T>& x, JointFrames<T>& f) {
  Mat3<T> e;
  Vec3<T> p;
  J::pose(b, extra, q, e, p);
  f.R_XC = {mul(e, R.r0), mul(e, R.r1), mul(e, R.r2)};
  f.o = x + mul(R, p);
  if constexpr (J::needsJointAxes) {
    const Mat3<T> e0 = bc<T>(b.E);
    f.R_XJ = {mul(e0, R.r0), mul(e0, R.r1), mul(e0, R.r2)};
  }
}

/// One body on its parent: everything kinematics() says of it but its inertia.
template <class J, class T, class P>
ESPALIER_INLINE void place(const LoweredBody<P>& b, const JointExtra<P>& extra, const T* q,
                           const T* u, const CarrierMotion<T>& parent, const BodyMotion<T>& out) {
  JointFrames<T> f;
  findFrames<J>(b, extra, q, parent.R, parent.x, f);
  Motion<T> columns[J::nv];
  J::columns(extra, q, f, columns);
  for (int k = 0; k < J::nv; ++k) out.S[k] = columns[k];
  out.R = f.R_XC;
  out.x = f.o;
  twist<J>(parent.V, columns, u, out.V, out.c);
}
template <class T, class P>
ESPALIER_INLINE void place(const Topology& t, const Lowered<P>& par, int i, const T* q, const T* u,
                           Workspace<T>& ws) {
  const BodyTopology& body = t.bodies[i];
  withJoint(
      body.kind, [&]<class J>() __attribute__((always_inline)) {
        place<J>(par.bodies[i], par.extra[i], q + body.q, u + body.u,
                 CarrierMotion<T>{ws.R[body.parent], ws.x[body.parent], ws.V[body.parent]},
                 BodyMotion<T>{ws.R[i], ws.x[i], &ws.S[body.u], ws.V[i], ws.c[i]});
      });
}

/// A body's inertia in the common frame.
template <class T>
ESPALIER_INLINE RigidInertia<T> inertiaAt(const Mat3<T>& R, const Vec3<T>& x,
                                          const RigidInertia<T>& own) {
  return toParent(transpose(R), x, own);
}

/// Ib of all bodies.
///   pre  R and x
template <class T, class P>
void placeAllInertias(const Topology& t, const Lowered<P>& par, Workspace<T>& ws) {
  forPlaces<T>(
      0, t.nb, [&](const auto& at) __attribute__((always_inline)) {
        const auto own = at.template loadOf<RigidInertia>(
            [&](int i) -> const RigidInertia<P>& { return par.bodies[i].I; });
        at.store(ws.Ib.data(), inertiaAt(at.load(ws.R.data()), at.load(ws.x.data()), own));
      });
}

/// A floating base: O moves with it at this moment, so S = [0 1; 1 0] and c = [0; v x w].
template <class T>
ESPALIER_INLINE void baseTwist(const T* u, Workspace<T>& ws) {
  const Vec3<T> v{u[0], u[1], u[2]}, w{u[3], u[4], u[5]};
  ws.V[0] = {w, v};
  ws.c[0] = {zero3<T>(), cross(v, w)};
}

/// Pose of a base that floats, about its origin.
template <class T>
ESPALIER_INLINE void placeFloating(const T* q, Workspace<T>& ws) {
  ws.origin = {q[0], q[1], q[2]};
  ws.R[0] = rotation(Quat<T>{q[3], q[4], q[5], q[6]});
}
/// Pose of body 0: at its coordinates where it floats, else where it is welded.
template <class T, class P>
ESPALIER_INLINE void placeRoot(const Topology& t, const Lowered<P>& par, const T* q,
                               Workspace<T>& ws) {
  ws.x[0] = zero3<T>();
  if (t.floating) return placeFloating(q, ws);
  ws.origin = bc<T>(par.bodies[0].p);
  ws.R[0] = transpose(bc<T>(par.bodies[0].E));
}
/// Pose and twist of body 0.
template <class T, class P>
ESPALIER_INLINE void placeBase(const Topology& t, const Lowered<P>& par, const T* q, const T* u,
                               Workspace<T>& ws) {
  placeRoot(t, par, q, ws);
  if (t.floating)
    baseTwist(u, ws);
  else
    ws.V[0] = ws.c[0] = zeroMotion<T>();
}

}  // namespace kinematics_detail

template <class T, class P>
void kinematics(const Topology& t, const Lowered<P>& par, const T* q, const T* u,
                Workspace<T>& ws) {
  using namespace kinematics_detail;
  placeBase(t, par, q, u, ws);
  for (int i = 1; i < t.nb; ++i) place(t, par, i, q, u, ws);
  placeAllInertias(t, par, ws);
}

template <class T, class P>
void chainKinematics(const Topology& t, const Lowered<P>& par, const std::vector<int>& bodies,
                     const T* q, const T* u, Workspace<T>& ws) {
  using namespace kinematics_detail;
  placeBase(t, par, q, u, ws);
  for (const int i : bodies)
    if (i > 0) place(t, par, i, q, u, ws);
}

template <class T>
void velocities(const Topology& t, const T* u, Workspace<T>& ws) {
  using namespace kinematics_detail;
  if (t.floating) baseTwist(u, ws);
  for (int i = 1; i < t.nb; ++i) {
    const BodyTopology& body = t.bodies[i];
    withJoint(
        body.kind, [&]<class J>() __attribute__((always_inline)) {
          twist<J>(ws.V[body.parent], &ws.S[body.u], u + body.u, ws.V[i], ws.c[i]);
        });
  }
}

}  // namespace espalier

/// For the translation units of every instruction-set level.
#define ESPALIER_INSTANTIATE_KINEMATICS(T)                                                      \
  template void kinematics<T>(const Topology&, const Lowered<value_t<T>>&, const T*, const T*,  \
                              Workspace<T>&);                                                   \
  template void chainKinematics<T>(const Topology&, const Lowered<value_t<T>>&,                 \
                                   const std::vector<int>&, const T*, const T*, Workspace<T>&); \
  template void velocities<T>(const Topology&, const T*, Workspace<T>&);

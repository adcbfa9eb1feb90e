#pragma once

// Scratch and results of the dynamics, one per thread, sized by the topology. No step allocates.
//
// All spatial quantities of one system are expressed in world axes about one common origin O, the
// root's origin at this moment: recursions add without transforming, and the column of a contact
// point r is S_j.v + S_j.w x r.

#include "espalier/core/aligned.h"
#include "espalier/model/topology.h"
#include "espalier/spatial/inertia.h"

namespace espalier {

template <class T>
struct Workspace {
  explicit Workspace(const Topology& t)
      : R(t.nb),
        x(t.nb),
        V(t.nb),
        c(t.nb),
        Ib(t.nb),
        S(t.nv),
        A(t.nb),
        F(t.nb),
        Ic(t.nb),
        H(t.entries()),
        Dinv(t.nv) {}

  // kinematics(q, u)
  Vec3<T> origin{};                  ///< p_WO, where O is in the world
  AlignedArray<Mat3<T>> R;           ///< [nb] R_WC
  AlignedArray<Vec3<T>> x;           ///< [nb] p_OC, body origin from O, world axes
  AlignedArray<Motion<T>> V;         ///< [nb] twist
  AlignedArray<Motion<T>> c;         ///< [nb] dS/dt u of the body's joint
  AlignedArray<RigidInertia<T>> Ib;  ///< [nb]
  AlignedArray<Motion<T>> S;         ///< [nv] columns; a floating base's six are implied

  // inverse dynamics
  AlignedArray<Motion<T>> A;  ///< [nb] acceleration, minus gravity
  AlignedArray<Force<T>> F;   ///< [nb] wrench through the body's joint

  // massMatrix, then factor
  AlignedArray<RigidInertia<T>> Ic;  ///< [nb] composite inertia
  AlignedArray<T> H;                 ///< [entries] packed lower triangle of M; then L
  AlignedArray<T> Dinv;              ///< [nv] after factor
};

}  // namespace espalier

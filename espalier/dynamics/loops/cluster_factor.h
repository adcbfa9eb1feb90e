#pragma once

// The factored articulated inertias of a tree of clusters, shared by forward dynamics, the inverse
// operational-space inertia and test forces. All in world axes about the common origin, where
// articulated inertias add without transforms.
//
//   F_i  = sum_b IA_b s_b,i            over the bodies b of the cluster, i its independent dofs
//   D    = sum_b s_b' IA_b s_b + G' diag(armature) G  =  L Delta L'
//   U    = F L'^-1
//   Ia   = sum_b IA_b - U Delta^-1 U'  handed to the carrier
//
// Geared rotors (model/compile/gyrostats.h) add kappa z G to F and the matching terms to D. One that
// couples a dof d to c, the joint of the carrier, by a constant m also acts on c's rate:
//
//   t = L^-1 m G_d;   to the carrier:  couple -U Delta^-1 t by c's rate,  inertia -t' Delta^-1 t
//
// The inertias of one cluster's bodies do not couple: whatever hangs on them hangs on one of them.
// Featherstone 2008, ch. 7; Jain 2012; Chignoli et al. 2025.

#include "espalier/dynamics/loops/cluster_tree.h"
#include "espalier/dynamics/loops/reduction.h"

namespace espalier {

/// Scratch and results of the recursions over clusters.
template <class T>
struct ClusterWorkspace {
  ClusterWorkspace(const Topology& t, const Mechanism& m)
      : tree(t, m),
        IA(t.nb),
        D(tree.entries),
        inverse(m.reduced.nv),
        U(m.reduced.nv),
        tie(m.reduced.nv),
        couple(t.nb),
        inertia(t.nb),
        A(t.nb),
        z(m.reduced.nv) {}

  ClusterTree tree;

  // factorClusters()
  AlignedArray<ArticulatedInertia<T>> IA;  ///< [nb] with all that hangs on the body
  AlignedArray<T> D;                       ///< L below the diagonal, Delta on it
  AlignedArray<T> inverse;                 ///< [reduced.nv] 1 / Delta
  AlignedArray<Force<T>> U;                ///< [reduced.nv]
  AlignedArray<T> tie;                     ///< [reduced.nv] t
  AlignedArray<Force<T>> couple;  ///< [nb] on the body by its joint's rate, from what it carries
  AlignedArray<T> inertia;        ///< [nb] of its joint's rate, likewise

  // the recursions
  AlignedArray<Motion<T>> A;  ///< [nb] acceleration
  AlignedArray<T> z;          ///< [reduced.nv]
};

/// Articulated inertias and factors of all clusters at q.
///   pre  kinematics(q, anything), loopRates(q), computeReducedColumns()
///   pre  every D is positive definite, else `inverse` is not finite and positive
///   out  cw.IA, D, inverse, U
///   cost O(nb) for clusters of a bounded size
template <class T, class P = value_t<T>>
void factorClusters(const Topology& t, const Lowered<P>& par, const Mechanism& m,
                    const Workspace<T>& ws, const LoopWorkspace<T>& loops, ClusterWorkspace<T>& cw);

}  // namespace espalier

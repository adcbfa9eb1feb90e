#pragma once

// Closed loops at work: where they are closed, how the dependent joints move with the independent
// ones. Theory: docs/loops.md; the plan of elimination is the Mechanism's.
//
//   K_d G_d = -K_i,   K_d g_d = k        block by block (model/loops/loop_plan.h)
//   q_d <- q_d (+) -K_d^-1 phi           Newton

#include "espalier/core/aligned.h"
#include "espalier/dynamics/loops/loop_plans.h"
#include "espalier/dynamics/tree/workspace.h"
#include "espalier/model/loops/mechanism.h"
#include "espalier/model/lowered.h"

namespace espalier {

/// Axes of a row of a closure: a of its frame A, b of its frame B, which only turn rows have.
template <class T>
struct RowAxes {
  Vec3<T> a, b;
};
/// Origins of a closure's frames A and B.
template <class T>
struct ClosureEnds {
  Vec3<T> A, B;
};

/// Scratch and results of a mechanism's loops, sized by it.
template <class T>
struct LoopWorkspace : LoopPlans {
  LoopWorkspace(const Topology& t, const Mechanism& m);

  // Frames of the closures in their bodies' axes, and as last evaluated.
  AlignedArray<RowAxes<T>> axes, turned;  ///< [rows]
  AlignedArray<ClosureEnds<T>> ends;      ///< [closures]
  AlignedArray<Vec3<T>> point;            ///< [closures] p_B

  AlignedArray<T> phi, k;      ///< [rows] of all clusters
  AlignedArray<T> K;           ///< [sizeK] rows by spanning dofs of the cluster; zero outside a
                               ///< row's columns, which alone are ever written
  AlignedArray<T> G;           ///< [sizeG] spanning dofs of the cluster by its y
  AlignedArray<T> g;           ///< [nv] spanning, udot = G udot_y + g; zero outside clusters
  AlignedArray<T> lu;          ///< blocks of K_d, factored or inverted
  AlignedArray<T> step;        ///< [nv] of a correction
  AlignedArray<T> local;       ///< by places in a cluster
  AlignedArray<Motion<T>> a0;  ///< [nb] acceleration against the carrier at udot = 0
  AlignedArray<Motion<T>> reducedColumn;  ///< [firstReduced] motion of a body per y of its cluster
  AlignedArray<Force<T>> wrench;          ///< [reduced.nv, at least 6]
  AlignedArray<Force<T>> sum;             ///< [reduced.nv]
  AlignedArray<T> inputs;                 ///< of all tapes
  AlignedArray<T> values;                 ///< of the longest tape
  AlignedArray<Dual<T>> tangents;
  AlignedArray<Jet2<T>> jets;
  /// Singularity measure: the largest LoopPlan::leastPivots / pivot, or determinant, since it was last set to 0;
  /// above 1 a change point may be near.
  T singularity = bc<T>(0.0);

  /// Reads the closures' frames again.
  void takeClosures(const Mechanism& m);
  const LoopPlan& planOf(const Mechanism& m, const Cluster& c) const {
    return plans[&c - m.clusters.data()];
  }
  void usePublic(const Mechanism& m, const Cluster& c);
  /// After a change of a cluster's plan.
  void takePlan(const Mechanism& m, const Cluster& c);
};

/// Newton on the dependent joints until every |phi| < tolerance, at most `iterations` times.
///   io   q   [nq]
///   out  ws  R, x, S of the clusters' bodies at q, about the origin that ws held before;
///            loops do not depend on the pose of their carrier
///   out  loops  phi and K at q
///   returns the largest |phi| left; 1 where a correction went further than 0.5 rad or m, for it may
///           then have led to another solution
template <class T, class P = value_t<T>>
T closeLoops(const Topology& t, const Lowered<P>& par, const Mechanism& m, T* q,
             value_t<T> tolerance, int iterations, Workspace<T>& ws, LoopWorkspace<T>& loops);

/// The same where ws holds R, x, S of all bodies at q already, and then again.
template <class T, class P = value_t<T>>
T closePlacedLoops(const Topology& t, const Lowered<P>& par, const Mechanism& m, T* q,
                   value_t<T> tolerance, int iterations, Workspace<T>& ws, LoopWorkspace<T>& loops);

/// R, x, S of all bodies at q.
template <class T, class P = value_t<T>>
void placeBodies(const Topology& t, const Lowered<P>& par, const T* q, Workspace<T>& ws);

/// Ib of all bodies.
///   pre  placeBodies(q)
template <class T, class P = value_t<T>>
void placeInertias(const Topology& t, const Lowered<P>& par, Workspace<T>& ws);

/// G at q.
///   pre  K at q
template <class T>
void solveRates(const Mechanism& m, LoopWorkspace<T>& loops);

/// The same, and one more Newton step with the present factors, so that the residual left by the
/// tolerance of closing does not grow from one time step to the next.
///   in   left   as closeLoops() returned it
///   io   q      by no more than that; ws and K stay where they are
///   pre  closeLoops(q)
template <class T>
void settleLoops(const Topology& t, const Mechanism& m, T left, T* q, LoopWorkspace<T>& loops);

/// K and G at q.
///   pre  kinematics(q, anything)
template <class T>
void loopRates(const Topology& t, const Mechanism& m, const T* q, const Workspace<T>& ws,
               LoopWorkspace<T>& loops);

/// g at q and u.
///   in   u  [nv]
///   io   loops  g: an input for dofs without a determining row, else an output
///   pre  kinematics(q, u), loopRates(q)
template <class T>
void loopAccelerations(const Topology& t, const Mechanism& m, const T* u, const Workspace<T>& ws,
                       LoopWorkspace<T>& loops);

/// Chooses as independent the public dofs where they determine the others well (no |G| above 1.5),
/// else those that complete pivoting of K leaves, as at a dead point. Depends on q alone. Clusters
/// at a change point keep their plan. Allocates nothing.
///   pre  K at q
void chooseIndependents(const Mechanism& m, LoopWorkspace<double>& loops);

/// Whether the public dofs are the independent ones of every cluster.
bool isPublic(const Mechanism& m, const LoopWorkspace<double>& loops);

/// Largest |G| for which the public dofs stay independent. Relative energy error after 1,500 dead
/// points of a crank-rocker with a public rocker: 3e-7 at 1.5, 3e-4 at 2, 4e-3 at 3. Large clusters
/// keep the public dofs longer, because their elimination is expensive.
double mostGain(const Cluster& c);

/// Whether no |G| of the cluster exceeds mostGain().   pre  G at q
template <class T>
mask_t<T> suffice(const Cluster& c, const LoopWorkspace<T>& loops) {
  const T most = bc<T>(mostGain(c));
  const int size = static_cast<int>(c.dofs.size()) * c.ny();
  auto all = most >= most;
  for (int i = 0; i < size; ++i) all = all & (abs(loops.G[c.firstG + i]) <= most);
  return all;
}

/// Whether chooseIndependents() would take the public ones.
///   pre  isPublic(), G at q
template <class T>
mask_t<T> publicSuffice(const Mechanism& m, const LoopWorkspace<T>& loops) {
  const T zero = bc<T>(0.0);
  auto all = zero >= zero;
  for (const Cluster& c : m.clusters)
    if (c.gain != 0) all = all & suffice(c, loops);
  return all;
}

/// u of the dependent joints from that of the independent ones.
///   io   u  [nv] spanning
template <class T>
void dependentRates(const Mechanism& m, const LoopWorkspace<T>& loops, T* u);

}  // namespace espalier

#pragma once

// Traversal of change points (model/loops/change_points.h), where K loses rank: the linkage stays on its
// solution branch. Near one, some rows of K determine nothing; as many dependent dofs, here called
// undetermined, get rates extrapolated along the path of the independent dofs, w its unit
// direction:
//
//   G_j(q) = G_j + c_j (w'd) w'     d = the independent part of q (-) q_0
//   g_j(u) = c_j (w'u_y)^2          which is the rate of G_j(q) u_y
//
// q_0 is the configuration at the end of the step before, and G_j and c_j are those there. The
// other rows determine the other dofs as usual.
//
// With one undetermined dof z, phi of its row, the other rows closed, is a function of z and of the
// path length x; about its stationary point it is f + a x^2/2 + b x z + c z^2/2, and the branches
// that cross there have the slopes s with a + 2 b s + c s^2 = 0. So G_j w = s at that point. Where
// lengths do not fit exactly, f is not zero and the two branches do not meet; the row is then
// relaxed, p being its pivot,
//
//   phi_j(q) = f (1 - p^2 / p_1^2)   while p^2 < p_1^2, where the traversal ends
//
// and the curvature of the path that this causes, -f / (b + c s) / x^2, is subtracted from G_j w at
// q_0.
//
// Each cluster is traversed on its own.

#include <vector>

#include "espalier/dynamics/loops/closure.h"

namespace espalier {

class SingularityTraversal {
 public:
  /// in  topology, mechanism   outlive this object
  SingularityTraversal(const Topology& topology, const Mechanism& mechanism);

  bool isOn() const { return count_ > 0; }

  /// Looks whether more clusters are near a change point at q, and begins with those.
  ///   in   q0, u0  where the step began
  ///   in   q       near closed
  ///   io   loops   plans
  ///   out  ws      anything
  ///   returns whether any did; if not, loops has nothing but scratch changed
  ///   pre  the plans of the others are those for q0
  bool begin(const Lowered<double>& par, const double* q0, const double* u0, const double* q,
             Workspace<double>& ws, LoopWorkspace<double>& loops);

  /// closeLoops(), and G there.
  double close(const Lowered<double>& par, double* q, double tolerance, int iterations,
               Workspace<double>& ws, LoopWorkspace<double>& loops);

  /// g of the undetermined dofs, before loopAccelerations().
  void dependentBias(const double* u, LoopWorkspace<double>& loops) const;

  /// Ends for clusters that have passed; all their rows are determining again.
  ///   returns whether any did; q is to be closed again then
  ///   pre  close(q)
  bool end(LoopWorkspace<double>& loops);

  /// Ends for all at once.
  void stop(LoopWorkspace<double>& loops);

  /// The lists that make it go on in another run (step/history.h).
  ///   in  list(numbers), and list(numbers, most) for whole numbers from 0 to `most`
  template <class Visit>
  void visit(Visit&& list) {
    list(isOn_, 1);
    list(from_);
    list(where_);
    list(way_);
    list(bend_);
    list(G_);
    list(misfit_);
  }
  /// After they were read: the plans again.
  void resume(const Lowered<double>& par, Workspace<double>& ws, LoopWorkspace<double>& loops);

 private:
  std::size_t indexOf(const Cluster& c) const {
    return static_cast<std::size_t>(&c - m_.clusters.data());
  }
  /// Whether the cluster has change points at all.
  static bool canTraverse(const Cluster& c) { return c.leastPivot != 0 && c.ny() != 0; }
  void clear();
  bool isNear(const Cluster& c, double least, LoopWorkspace<double>& loops);
  int rankOf(const Cluster& c, double least, LoopWorkspace<double>& loops);
  void remember(const Cluster& c, const double* q0, const double* u0, const double* q,
                const LoopWorkspace<double>& loops);
  void hold(const Cluster& c, LoopWorkspace<double>& loops);
  double gapAt(const Lowered<double>& par, const Cluster& c, double x, double z,
               Workspace<double>& ws, LoopWorkspace<double>& loops);
  void lookAround(const Lowered<double>& par, const Cluster& c, Workspace<double>& ws,
                  LoopWorkspace<double>& loops);
  void extrapolate(const double* q, LoopWorkspace<double>& loops);
  double aim(const Cluster& c, LoopWorkspace<double>& loops);
  void findStep(const Cluster& c, LoopWorkspace<double>& loops);

  const Topology& t_;
  const Mechanism& m_;
  int count_ = 0;
  // Of each cluster that traverses a singularity, by the places of its own bodies and dofs.
  AlignedArray<double> isOn_;          // [clusters] 1 or 0
  AlignedArray<double> from_, where_;  // [nq] q_0; where it was found near
  AlignedArray<double> way_, bend_;    // [nv] w, c
  AlignedArray<double> G_;             // [sizeG]
  AlignedArray<double> misfit_;        // [clusters] f
  // Scratch.
  AlignedArray<double> isFresh_;          // [clusters]
  AlignedArray<double> d_;                // [nv]
  AlignedArray<double> centre_, beside_;  // [nq]
  std::vector<int> rows_, columns_;
};

}  // namespace espalier

#pragma once

// Nonlinear Gauss-Seidel, accelerated by Newton's method.
//
// Each contact in turn is solved exactly (contact/single.h) while the others hold still; sweeps run
// to and fro until the true residual of every contact is below the tolerance. Sweeps always
// make progress, but slowly where contacts are strongly coupled, as the feet of one robot are. So,
// on small islands, a few Newton steps (contact/newton.h) are tried from the warm start and again
// now and then; their result counts only if its residual is below the tolerance. They are given up where
// two of them do not lower the residual (at tolerances from 1e-9 m/s on), and not tried again in resolve() and retry(). Next, after as
// many sweeps as one of its steps costs, comes Newton's method on the velocities
// (contact/primal_newton.h), which solves most remaining islands: its primal-dual steps first, then
// the rounds of multipliers. Sweeps go on from its best impulses. On an operator of few groups that hang
// on a robot that method comes first.
//
// The cost of a solve is bounded, in multiplications, so that the same problem costs the same
// everywhere: sweeps by maxSweeps; Newton's method on the velocities by `effort` times the cost of
// the rest of the island's step (its dynamics, collisions and rows), and so are the sweeps after
// it. An island that is so large and dense that less than 20 of its steps are paid for has sweeps
// alone. Where contacts are pushed apart half of that effort is paid for.
//
// With SolveOptions::fallsBack false an island is left, with impulses of zero, where Newton's method on
// the velocities does not solve it or corrections put much into it (contact/corrections.h). The caller
// may change b, and asks for the rest by retry().
//
// The impulses of an island above the tolerance are made passive (contact/passive.h). Where
// contacts are pushed apart, and half of the steps that are paid for end far from the law, nothing
// else is tried: a jam has no solution.
//
// Large islands are swept from the highest group to the lowest, and contacts of free bodies are
// visited four at a time (contact/wide_contacts.h), before the groups that are in no batch. Their
// budget may end before they have converged, and then the warm start is part of the dynamics. On a
// mode that a solve reduces by s, with a correction of beta gap / dt, errors grow from step to step
// wherever s is near 1 if the impulses of a correction are remembered: warm-starting them is
// unstable when sweeps are truncated. So the first sweeps leave corrections out, and the warm start
// keeps the result of those sweeps.

#include "espalier/contact/newton.h"
#include "espalier/contact/passive.h"
#include "espalier/contact/primal_newton.h"
#include "espalier/contact/problem.h"
#include "espalier/contact/single.h"
#include "espalier/contact/wide_contacts.h"

namespace espalier::contact {

template <class T>
struct SolveOptions {
  /// Largest residual of a contact, m/s.
  value_t<T> tolerance = sizeof(value_t<T>) == 8 ? value_t<T>(1e-10) : value_t<T>(1e-5);
  /// 0, of a problem by its sides: Newton's method on the velocities alone, primalSteps of it, whatever
  /// the island. What a lane comes to then does not depend on the contacts of other lanes.
  int maxSweeps = 1000;
  /// Newton steps of one try; 0: sweeps only.
  int newtonSteps = 10;
  /// Of Newton's method on the velocities; 0: without it.
  int primalSteps = 300;
  /// Largest cost, in units of the island's step without the solve.
  int effort = 1 << 20;
  /// Whether an island that Newton's method on the velocities does not solve goes on to sweeps; false:
  /// it is left to retry(), and so are those whose corrections put much in. Lanes of worlds are then not
  /// solved.
  bool fallsBack = true;
};

template <class T>
struct SolveReport {
  T residual;           // the largest over the contacts, m/s; evaluated at the result
  mask_t<T> converged;  // residual <= tolerance
  mask_t<T> cut;        // stopped by maxSweeps, whatever the residual then is
  int sweeps = 0;       // of the slowest island and lane
  int newtonSteps = 0;  // of the same, by either method
  int unsolved = 0;     // islands above the tolerance, in some lane
  int left = 0;         // islands left to retry()
  int reduced = 0;      // those whose impulses were reduced (contact/passive.h)
};

template <class T>
class GaussSeidel {
 public:
  GaussSeidel() = default;
  explicit GaussSeidel(const Capacity& capacity) { reserve(capacity); }
  explicit GaussSeidel(int maxGroups) { reserve({maxGroups}); }
  /// Sets the capacities, those of the problem; the only call that allocates.
  void reserve(const Capacity& capacity);
  void reserve(int maxGroups, int numbers = 0) { reserve({maxGroups, 0, 0, numbers}); }

  /// Impulses of a finished problem.
  ///   io   lambda  [size]  N s, (t1, t2, n); on entry the warm start (zero: none)
  ///   uses this    overwritten; no allocation
  SolveReport<T> solve(const Problem<T>& problem, Vec3<T>* lambda,
                       const SolveOptions<T>& options = {});

  /// The same for a problem of which only b has changed since `solve`: factors are kept.
  SolveReport<T> resolve(const Problem<T>& problem, Vec3<T>* lambda,
                         const SolveOptions<T>& options = {});

  /// Whether the last solve left an island to retry().
  bool isLeft(int island) const { return progress_[island].isLeft; }
  /// Solves the islands that were left. Their b may have changed.
  ///   returns  the report of all islands, the solve before included
  SolveReport<T> retry(const Problem<T>& problem, Vec3<T>* lambda,
                       const SolveOptions<T>& options = {});

  /// v_i of the solution just found, bias included.
  Vec3<T> velocity(const Problem<T>& problem, int i, const Vec3<T>* lambda) const {
    return problem.hasBlocks(i) ? problem.velocity(i, lambda)
                                : problem.velocity(i, lambda, a_.data());
  }

  /// [size] The impulses without those of corrections (Problem::setCorrection): the warm start of
  /// the next step. On islands with blocks, and where nothing is corrected, those of the solution.
  const Vec3<T>* relaxed() const { return relaxed_.data(); }

  /// The largest residual of all groups at lambda, m/s.
  T largestResidual(const Problem<T>& problem, const Vec3<T>* lambda);

 private:
  using Island = typename Problem<T>::Island;
  using Deal = typename WideContacts<T>::Deal;
  static constexpr int most_calm = 5;
  /// How far one island has come.
  struct Progress {
    T residual;
    mask_t<T> live;
    mask_t<T> isBeyondNewton;  // where the short cut has failed: not tried again
    int sweeps = 0, newtonSteps = 0;
    bool isCalmed = false, isReduced = false, isLeft = false;
  };
  class IslandSolve;
  SolveReport<T> report(const Problem<T>& problem, const SolveOptions<T>& options) const;
  void keepCalm(const Problem<T>& problem, int island, const Vec3<T>* lambda);
  Progress solveIsland(const Problem<T>& problem, Island island, Vec3<T>* lambda,
                       const SolveOptions<T>& options, mask_t<T> isBeyondNewton);
  void tryNewton(const Problem<T>& problem, Island island, Vec3<T>* lambda, mask_t<T> asked,
                 const SolveOptions<T>& options, Progress& progress);
  /// Largest cost of Newton's method on the velocities on an island.
  struct Plan {
    int sweepsBefore = -1;  // as many as one of its steps costs; -1: the island is not for it
    int steps = 0;
  };
  Plan planPrimal(const Problem<T>& problem, Island island, const SolveOptions<T>& options);
  void tryPrimal(const Problem<T>& problem, Island island, Vec3<T>* lambda, const T& residual,
                 mask_t<T> asked, int steps, const SolveOptions<T>& options, Progress& progress);
  void relax(const Problem<T>& problem, Island island, const Deal& deal, Vec3<T>* lambda,
             const SolveOptions<T>& options, Progress& progress);
  template <class Groups>
  void factor(const Problem<T>& problem, const Groups& groups);
  T sweep(const Problem<T>& problem, Island island, Vec3<T>* lambda, bool forward, mask_t<T> live);
  T sweepSides(const Problem<T>& problem, const Deal& deal, Vec3<T>* lambda, mask_t<T> live,
               bool isRelaxed = false);
  Deal deal(const Problem<T>& problem, Island island);
  T residualBySides(const Problem<T>& problem, const Deal& deal, const Vec3<T>* lambda);
  T update(const Problem<T>& problem, Vec3<T>* lambda, int i, const Vec3<T>& other, mask_t<T> live);
  T update(const Problem<T>& problem, Vec3<T>* lambda, int i, const Vec3<T>& v,
           const Vec3<T>& other, mask_t<T> live);

  AlignedArray<SingleFactor<T>> factor_;
  AlignedArray<bool> hasFactor_;
  Newton<T> newton_;
  PrimalNewton<T> primal_;
  struct None {};
  // Lanes have none: islands that they do not solve are solved on the scalar path from the start.
  std::conditional_t<lanes_v<T> == 1, Passive<value_t<T>>, None> passive_;
  AlignedArray<T> a_;              // sum of (Y' D)' lambda of islands without blocks, numbered as a
  AlignedArray<Vec3<T>> relaxed_;  // groups
  WideContacts<T> wide_;
  AlignedArray<Deal> deal_;  // islands without blocks
  AlignedArray<bool> isDealt_;
  AlignedArray<Progress> progress_;  // islands
};

#define ESPALIER_DECLARE(T) extern template class GaussSeidel<T>;
ESPALIER_DECLARE(double)
ESPALIER_DECLARE(float)
ESPALIER_DECLARE(DoubleLanes)
ESPALIER_DECLARE(FloatLanes)
#undef ESPALIER_DECLARE

}  // namespace espalier::contact

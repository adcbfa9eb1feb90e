#pragma once

// The definitions of contact/gauss_seidel.h, for the translation units that instantiate them.

#include <algorithm>

#include "espalier/contact/corrections.h"
#include "espalier/contact/gauss_seidel.h"
#include "espalier/contact/newton_impl.h"
#include "espalier/contact/primal_dual_impl.h"
#include "espalier/contact/primal_newton_impl.h"
#include "espalier/contact/sweeps_impl.h"
#include "espalier/contact/wide_contacts_impl.h"

namespace espalier::contact {

/// Steps of Newton's method on the velocities, without which it is not begun, and after which its failure
/// tells that there is no solution.
inline constexpr int least_steps = 20, steps_that_tell = 30;
/// Groups of an island from which on it is read for that method only after a few sweeps.
inline constexpr int many_groups = 160, sweeps_on_many = 16;
/// Steps of the short cut after which its residual is below that of the start, or it is given up.
inline constexpr int steps_that_help = 2;
/// Smaller islands on one robot begin with that method where a step of it costs less than so many sweeps.
inline constexpr int few_sweeps = 4;
/// Sweeps between two tries of it.
inline constexpr int sweeps_between = 32;
/// Sweeps after that method, in units of the effort.
inline constexpr int sweeps_an_effort = 3;

/// The largest residual of an island that has blocks.
template <class T>
T islandResidual(const Problem<T>& problem, typename Problem<T>::Island island,
                 const Vec3<T>* lambda) {
  T worst = bc<T>(0.0);
  for (const int i : island)
    worst = max(worst, problem.residualOf(i, lambda, problem.velocity(i, lambda)));
  return worst;
}

template <class T>
void GaussSeidel<T>::reserve(const Capacity& capacity) {
  ESPALIER_REQUIRE(capacity.groups >= 0 && capacity.numbers >= 0, "capacities are counts");
  const auto groups = static_cast<std::size_t>(capacity.groups);
  a_ = AlignedArray<T>(static_cast<std::size_t>(capacity.numbers) + 6);
  wide_.reserve(capacity.groups, capacity.numbers,
                capacity.batched < 0 ? capacity.groups : capacity.batched);
  deal_ = AlignedArray<Deal>(groups);
  isDealt_ = AlignedArray<bool>(groups);
  progress_ = AlignedArray<Progress>(groups);
  factor_ = AlignedArray<SingleFactor<T>>(groups);
  hasFactor_ = AlignedArray<bool>(groups);
  relaxed_ = AlignedArray<Vec3<T>>(groups);
  newton_.reserve(capacity.groups);
  primal_.reserve(capacity.groups, capacity.numbers, capacity.columns);
  if constexpr (lanes_v<T> == 1) {
    passive_.reserve(capacity.groups, capacity.numbers);
  }
}

template <class T>
SolveReport<T> GaussSeidel<T>::solve(const Problem<T>& problem, Vec3<T>* lambda,
                                     const SolveOptions<T>& options) {
  ESPALIER_REQUIRE(problem.size() <= static_cast<int>(factor_.size()),
                   "more contact groups than reserved");
  ESPALIER_REQUIRE(problem.numbers() + 6 <= static_cast<int>(a_.size()),
                   "more numbers of movers than reserved");
  for (int i = 0; i < problem.size(); ++i) hasFactor_[i] = false;
  const mask_t<T> none = bc<T>(0.0) < bc<T>(0.0);
  for (int k = 0; k < problem.islands(); ++k) {
    isDealt_[k] = false;
    progress_[k].isBeyondNewton = none;
  }
  wide_.clear();
  newton_.forget();
  primal_.forget();
  return resolve(problem, lambda, options);
}

template <class T>
SolveReport<T> GaussSeidel<T>::resolve(const Problem<T>& problem, Vec3<T>* lambda,
                                       const SolveOptions<T>& options) {
  for (int k = 0; k < problem.islands(); ++k) {
    if (k > 0) newton_.forget();  // it keeps the factors of one island
    progress_[k] =
        solveIsland(problem, problem.island(k), lambda, options, progress_[k].isBeyondNewton);
    keepCalm(problem, k, lambda);
  }
  if (problem.islands() > 1) newton_.forget();
  return report(problem, options);
}

template <class T>
SolveReport<T> GaussSeidel<T>::retry(const Problem<T>& problem, Vec3<T>* lambda,
                                     const SolveOptions<T>& options) {
  for (int k = 0; k < problem.islands(); ++k) {
    Progress& progress = progress_[k];
    if (!progress.isLeft) continue;
    newton_.forget();
    const Progress before = progress;
    progress = solveIsland(problem, problem.island(k), lambda, options, bc<T>(0.0) < bc<T>(0.0));
    progress.sweeps += before.sweeps;
    progress.newtonSteps += before.newtonSteps;
    keepCalm(problem, k, lambda);
  }
  newton_.forget();
  return report(problem, options);
}

/// Outcome of the islands.
template <class T>
SolveReport<T> GaussSeidel<T>::report(const Problem<T>& problem,
                                      const SolveOptions<T>& options) const {
  SolveReport<T> report;
  report.residual = bc<T>(0.0);
  report.cut = bc<T>(0.0) < bc<T>(0.0);
  for (int k = 0; k < problem.islands(); ++k) {
    const Progress& island = progress_[k];
    report.residual = max(report.residual, island.residual);
    report.sweeps = std::max(report.sweeps, island.sweeps);
    report.newtonSteps = std::max(report.newtonSteps, island.newtonSteps);
    report.unsolved += any(island.live);
    report.left += island.isLeft;
    report.reduced += island.isReduced;
    report.cut = report.cut | island.live;
  }
  report.converged = report.residual <= bc<T>(options.tolerance);
  return report;
}

/// The warm start of the next step where no corrections were left out of the first sweeps.
template <class T>
void GaussSeidel<T>::keepCalm(const Problem<T>& problem, int island, const Vec3<T>* lambda) {
  const Progress& progress = progress_[island];
  if (progress.isCalmed && !progress.isReduced) return;
  for (const int i : problem.island(island)) relaxed_[i] = byNumbers(lambda[i]);
}

/// The solve of one island.
template <class T>
class GaussSeidel<T>::IslandSolve {
 public:
  IslandSolve(GaussSeidel& solver, const Problem<T>& problem, Island island, Vec3<T>* lambda,
              const SolveOptions<T>& options, mask_t<T> isBeyondNewton)
      : s_(solver),
        problem_(problem),
        island_(island),
        lambda_(lambda),
        options_(options),
        tolerance_(bc<T>(options.tolerance)),
        hasBlocks_(problem.hasBlocks(island)),
        triesNewton_(hasBlocks_ && island.size() <= small_island && options.newtonSteps > 0),
        progress_{bc<T>(0.0), tolerance_ <= tolerance_, isBeyondNewton},
        mostSweeps_(options.maxSweeps) {}

  Progress run() {
    for (const int i : island_) lambda_[i] = problem_.admissible(i, lambda_);
    if (options_.maxSweeps == 0) return runOnVelocities();
    if (!beginsOnVelocities() || beginOnVelocities()) goOn();
    if (any(!progress_.live) && !options_.fallsBack) refuseCorrections();
    if (!progress_.isLeft) limit();
    if (progress_.isLeft) {
      // Where there is no solution impulses have no limit, those of the warm start neither.
      for (const int i : island_) lambda_[i] = zero3<T>();
      return progress_;
    }
    if (lanes_v<T> != 1 && any(progress_.live))
      progress_.residual = select(progress_.live, residual(), progress_.residual);
    return progress_;
  }

 private:
  /// With the other methods, each in its turn.
  void goOn() {
    load();
    if (triesNewton_) tryNewton(progress_.live & !progress_.isBeyondNewton);
    start_ = any(progress_.live) ? confirm(progress_.live) : bc<T>(0.0);
    prepareSweeps();
    planPrimal();
    iterate();
    store();
  }
  void load() {
    if (hasBlocks_) return;
    dealt_ = s_.deal(problem_, island_);
    s_.wide_.load(problem_, dealt_, lambda_);
  }
  void store() {
    if (!hasBlocks_) s_.wide_.store(dealt_, lambda_);
  }
  /// The largest residual, m/s; of an operator at what load() has read.
  T residual() {
    return hasBlocks_ ? islandResidual(problem_, island_, lambda_)
                      : s_.residualBySides(problem_, dealt_, lambda_);
  }
  /// Whether Newton's method on the velocities comes before everything else: on an operator of few groups
  /// that hang on a robot.
  bool beginsOnVelocities() const {
    return !hasBlocks_ && options_.primalSteps > 0 && island_.size() <= many_groups &&
           problem_.hangsOnARobot(island_);
  }
  /// False where nothing is to be tried after it.
  bool beginOnVelocities() {
    if (!s_.primal_.load(problem_, island_)) return true;
    start_ = s_.primal_.residual(problem_, island_, lambda_);
    const mask_t<T> done = progress_.live & (start_ <= tolerance_);
    progress_.residual = select(done, start_, progress_.residual);
    progress_.live = progress_.live & !done;
    if (!any(progress_.live)) return false;
    plan_ = s_.planPrimal(problem_, island_, options_);
    hasBegun_ = plan_.sweepsBefore >= 0 && plan_.sweepsBefore < few_sweeps;
    return !hasBegun_ || goOnVelocities(progress_.live);
  }
  Progress runOnVelocities() {
    if (!s_.primal_.load(problem_, island_)) return progress_;
    progress_.residual = s_.primal_.residual(problem_, island_, lambda_);
    progress_.live = progress_.live & !(progress_.residual <= tolerance_);
    if (any(progress_.live))
      s_.tryPrimal(problem_, island_, lambda_, progress_.residual, progress_.live,
                   options_.primalSteps, options_, progress_);
    return progress_;
  }
  /// Takes lanes out whose residual is below the tolerance.
  T confirm(mask_t<T> hopeful) {
    const T found = residual();
    const mask_t<T> done = hopeful & (found <= tolerance_);
    progress_.residual = select(done, found, progress_.residual);
    progress_.live = progress_.live & !done;
    return found;
  }
  void tryNewton(mask_t<T> asked) {
    s_.tryNewton(problem_, island_, lambda_, asked, options_, progress_);
  }

  void prepareSweeps() {
    if (any(progress_.live)) {
      if (hasBlocks_)
        s_.factor(problem_, island_);
      else
        s_.factor(problem_, s_.wide_.left(dealt_));
    }
    if (!hasBlocks_) s_.relax(problem_, island_, dealt_, lambda_, options_, progress_);
  }

  /// Newton's method on the velocities comes late to large islands and where corrections come and go, and
  /// again after some sweeps while steps are paid for; where the residual is hardly above the
  /// tolerance two sweeps are tried before it.
  void planPrimal() {
    isNear_ = start_ <= bc<T>(3 * options_.tolerance);
    isAlone_ = progress_.live;
    pending_ = progress_.live & !progress_.live;
    if (hasBegun_) return;
    const bool triesPrimal = any(progress_.live) && options_.primalSteps > 0;
    const bool isLate = island_.size() > many_groups || progress_.isCalmed;
    if (triesPrimal && !isLate) plan_ = s_.planPrimal(problem_, island_, options_);
    plansLate_ = triesPrimal && isLate;
    pending_ = plan_.sweepsBefore < 0 ? progress_.live & !progress_.live : progress_.live;
    isAlone_ = progress_.live & !pending_;
  }

  void iterate() {
    int nextTry = 4;
    while (progress_.sweeps < mostSweeps_ && any(progress_.live)) {
      const mask_t<T> asked = askedOfPrimal();
      if (any(asked) && !tryPrimal(asked)) return;
      sweep();
      if (progress_.sweeps != nextTry || !any(progress_.live)) continue;
      nextTry *= 2;
      const mask_t<T> tried = progress_.live & (pending_ | isAlone_);
      if (triesNewton_ && any(tried)) tryNewton(tried);
    }
  }

  /// The lanes in which Newton's method on the velocities is due.
  mask_t<T> askedOfPrimal() {
    const mask_t<T> none = progress_.live & !progress_.live;
    if (plansLate_ && progress_.sweeps == sweeps_on_many) {
      plan_ = s_.planPrimal(problem_, island_, options_);
      if (plan_.sweepsBefore >= 0) pending_ = progress_.live;
    }
    if (progress_.sweeps == nextPrimal_ && plan_.steps >= least_steps) pending_ = progress_.live;
    if (progress_.sweeps < plan_.sweepsBefore) return none;
    const mask_t<T> asked = progress_.live & pending_;
    return progress_.sweeps < 2 ? asked & !isNear_ : asked;
  }

  /// False where nothing is to be tried after it.
  bool tryPrimal(mask_t<T> asked) {
    pending_ = pending_ & !asked;
    store();
    if (progress_.sweeps > 0) start_ = residual();
    s_.primal_.residual(problem_, island_, lambda_);
    const bool goesOn = goOnVelocities(asked);
    load();
    return goesOn;
  }
  /// From impulses whose residual is start_; false where nothing is to be tried after it.
  bool goOnVelocities(mask_t<T> asked) {
    const int before = progress_.newtonSteps;
    s_.tryPrimal(problem_, island_, lambda_, start_, asked,
                 std::min(plan_.steps, options_.primalSteps), options_, progress_);
    const int steps = progress_.newtonSteps - before;
    plan_.steps -= steps;
    nextPrimal_ = 2 * progress_.sweeps + sweeps_between;
    if (!any(progress_.live)) return false;
    progress_.isLeft = lanes_v<T> == 1 && !options_.fallsBack;
    if (!options_.fallsBack) return false;
    mostSweeps_ =
        std::min<long>(mostSweeps_, progress_.sweeps + long{sweeps_an_effort} * options_.effort);
    return !isJam(steps);
  }
  /// An island so far from the law after so many steps, where contacts are pushed apart, is most
  /// likely a jam, which nothing else solves. Without a push standing still obeys the law.
  bool isJam(int steps) const {
    if constexpr (lanes_v<T> == 1)
      return steps >= steps_that_tell && Passive<T>::isPushed(problem_, island_) &&
             Passive<T>::isFar(problem_, island_, progress_.residual);
    else
      return false;
  }

  void sweep() {
    const bool forward = progress_.sweeps % 2 == 0;
    const T seen = hasBlocks_ ? s_.sweep(problem_, island_, lambda_, forward, progress_.live)
                              : s_.sweepSides(problem_, dealt_, lambda_, progress_.live);
    ++progress_.sweeps;
    // Each contact was judged before its update and before those after it: confirm at the end.
    const mask_t<T> hopeful = progress_.live & (seen <= tolerance_);
    if (any(hopeful)) confirm(hopeful);
  }

  /// Lanes whose corrections put too much in count as not solved.
  void refuseCorrections() {
    bool isCurrent = hasBlocks_;
    const mask_t<T> putsTooMuch = putsMuchIn(problem_, island_, lambda_, [&](int i) {
      if (!isCurrent) load(), residual();
      isCurrent = true;
      return s_.velocity(problem_, i, lambda_);
    });
    const mask_t<T> isTooMuch = (!progress_.live) & putsTooMuch;
    if constexpr (lanes_v<T> == 1)
      progress_.isLeft = isTooMuch;
    else
      progress_.live = progress_.live | isTooMuch;
  }

  /// Makes the impulses of an island passive that is not solved, or is pushed apart. A solution for one
  /// robot that is not passive owes that to its corrections, which are left out; others most likely to motions
  /// from outside.
  void limit() {
    if constexpr (lanes_v<T> == 1) {
      if (!progress_.live && !Passive<T>::isPushed(problem_, island_)) return;
      load();
      const T found = residual();
      const auto passive = s_.passive_.limit(problem_, island_, lambda_, found, !progress_.live);
      progress_.isLeft = passive.isReduced && !progress_.live && !options_.fallsBack &&
                         problem_.actsOnOneMover(island_);
      if (progress_.isLeft) return;
      progress_.isReduced = passive.isReduced;
      if (!progress_.live && passive.residual == found) return;
      load();
      progress_.residual = residual();
      progress_.live = !(progress_.residual <= options_.tolerance);
    }
  }

  GaussSeidel& s_;
  const Problem<T>& problem_;
  const Island island_;
  Vec3<T>* const lambda_;
  const SolveOptions<T>& options_;
  const T tolerance_;
  const bool hasBlocks_, triesNewton_;
  bool plansLate_ = false, hasBegun_ = false;
  Deal dealt_{};
  Progress progress_;
  Plan plan_;
  T start_;  ///< residual before Newton's method on the velocities, m/s
  mask_t<T> isNear_, pending_, isAlone_;
  int nextPrimal_ = 0, mostSweeps_;
};

template <class T>
auto GaussSeidel<T>::solveIsland(const Problem<T>& problem, Island island, Vec3<T>* lambda,
                                 const SolveOptions<T>& options, mask_t<T> isBeyondNewton)
    -> Progress {
  return IslandSolve(*this, problem, island, lambda, options, isBeyondNewton).run();
}

/// The first sweeps of an operator that has corrections are without them.
template <class T>
void GaussSeidel<T>::relax(const Problem<T>& problem, Island island, const Deal& deal,
                           Vec3<T>* lambda, const SolveOptions<T>& options, Progress& progress) {
  const int sweeps = std::min(options.maxSweeps / 3, most_calm);
  T most = bc<T>(0.0);
  for (const int i : island) most = max(most, abs(problem.correction(i)));
  if (!any(progress.live & (most > bc<T>(0.0))) || sweeps == 0) return;
  for (; progress.sweeps < sweeps; ++progress.sweeps)
    sweepSides(problem, deal, lambda, progress.live, true);
  wide_.store(deal, lambda);
  for (const int i : island) relaxed_[i] = lambda[i];
  progress.isCalmed = true;
}

template <class T>
void GaussSeidel<T>::tryNewton(const Problem<T>& problem, Island island, Vec3<T>* lambda,
                               mask_t<T> asked, const SolveOptions<T>& options,
                               Progress& progress) {
  Vec3<T> before[small_island];
  for (int k = 0; k < island.size(); ++k) before[k] = byNumbers(lambda[island[k]]);
  // Where the other one stands ready a few steps are enough: they find the solution at once, or not.
  const bool isFirstOfTwo = options.primalSteps > 0 && problem.isBySides();
  const int most = isFirstOfTwo ? std::min(options.newtonSteps, 6) : options.newtonSteps;
  // Without a fall-back the caller asks again, by retry(), which takes all steps. A fine tolerance needs them.
  const bool endsEarly =
      isFirstOfTwo && !options.fallsBack && options.tolerance >= value_t<T>(1e-9);
  const int patience = endsEarly ? steps_that_help : most;
  T first = bc<T>(0.0);
  mask_t<T> failed = first < first;
  for (int step = 0; any(asked); ++step) {
    const T residual = newton_.evaluate(problem, island, lambda);
    if (step == 0) first = residual;
    const mask_t<T> done = asked & (residual <= bc<T>(options.tolerance));
    progress.residual = select(done, residual, progress.residual);
    progress.live = progress.live & !done;
    asked = asked & !done;
    if (step >= patience) failed = failed | (asked & !(residual < first));
    asked = asked & !failed;
    if (!any(asked) || step == most) break;
    newton_.step(problem, island, lambda, asked);
    ++progress.newtonSteps;
  }
  failed = failed | asked;
  if (endsEarly) progress.isBeyondNewton = progress.isBeyondNewton | failed;
  for (int k = 0; k < island.size(); ++k) {
    Vec3<T>& l = lambda[island[k]];
    l = pick<T>(failed, before[k], l);
  }
}

template <class T>
auto GaussSeidel<T>::planPrimal(const Problem<T>& problem, Island island,
                                const SolveOptions<T>& options) -> Plan {
  Plan plan;
  if (!primal_.load(problem, island)) return plan;
  long sweep = 0;
  for (const int i : island) {
    sweep += 100;
    for (const Side<T>& s : problem.sides(i)) sweep += 6 * s.count;
  }
  // Cost of the rest of the island's step: its rows and collisions, and the dynamics.
  const long anyway = 6 * sweep + 600 * primal_.numbers();
  const long step = primal_.operations() + 50 * island.size() + 1000;
  const long paid = 2L * options.effort * anyway / step;
  if (paid < least_steps) return plan;
  plan.steps = static_cast<int>(std::min(paid, 1L << 30));
  plan.sweepsBefore = static_cast<int>(std::min(primal_.operations() / (2 * sweep), 16L));
  return plan;
}

/// Newton's method on the velocities; sweeps go on from its best impulses.
///   in  residual  m/s, at lambda
///   in  asked     in these lanes
///   in  most      steps
template <class T>
void GaussSeidel<T>::tryPrimal(const Problem<T>& problem, Island island, Vec3<T>* lambda,
                               const T& residual, mask_t<T> asked, int most,
                               const SolveOptions<T>& options, Progress& progress) {
  PrimalReport<T> report =
      primal_.trySteps(problem, island, lambda, residual, options.tolerance, asked);
  const mask_t<T> left = asked & !(report.residual <= bc<T>(options.tolerance));
  if (any(left)) {
    // Primal-dual steps may end at impulses that are not admissible.
    for (const int i : island) lambda[i] = pick<T>(left, problem.admissible(i, lambda), lambda[i]);
    const T start = select(left, primal_.residual(problem, island, lambda), report.residual);
    PrimalBudget<T> budget{most};
    if constexpr (lanes_v<T> == 1) {
      // An island that stays far from the law, where contacts are pushed apart, is most likely a jam.
      if (Passive<T>::isPushed(problem, island))
        budget = {most, std::max(most / 4, 1), Passive<T>::farFrom(problem, island)};
    }
    const int before = report.steps;
    report = primal_.solve(problem, island, lambda, start, options.tolerance, budget, left);
    report.steps += before;
  }
  // A solution must stay one to the last bit where it is the warm start.
  for (const int i : island) lambda[i] = pick<T>(asked, problem.admissible(i, lambda), lambda[i]);
  progress.newtonSteps += report.steps;
  progress.residual = select(asked, report.residual, progress.residual);
  progress.live = progress.live & !(asked & (report.residual <= bc<T>(options.tolerance)));
}

template <class T>
T GaussSeidel<T>::largestResidual(const Problem<T>& problem, const Vec3<T>* lambda) {
  T worst = bc<T>(0.0);
  for (int k = 0; k < problem.islands(); ++k) isDealt_[k] = false;
  wide_.clear();
  for (int k = 0; k < problem.islands(); ++k) {
    const Island island = problem.island(k);
    if (problem.hasBlocks(island)) {
      worst = max(worst, islandResidual(problem, island, lambda));
    } else {
      wide_.load(problem, deal(problem, island), lambda);
      worst = max(worst, residualBySides(problem, deal(problem, island), lambda));
    }
  }
  return worst;
}

}  // namespace espalier::contact

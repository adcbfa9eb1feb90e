#pragma once

// The dynamics of a mechanism subtree by subtree, several worlds in the lanes: of each world to the
// bit what SubtreeMechanism, whose lanes are subtrees, makes of it alone. T is lanes.

#include <algorithm>

#include "espalier/dynamics/loops/reduction.h"
#include "espalier/dynamics/simd/subtree_set.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"

namespace espalier {

template <class T>
class SubtreeLanes {
 public:
  /// in  set    outlives this object
  ///     whole  that has the closures' frames
  SubtreeLanes(const SubtreeSet& set, const LoopWorkspace<T>& whole);

  bool isProfitable() const { return !subtrees_.empty(); }

  /// Parameters of each lane, until shareParameters().   in  whole  of the whole robot
  void putParameters(const Lowered<T>& whole) {
    for (Subtree& subtree : subtrees_) takeParameters(set_.plan, subtree.of, whole, subtree.own);
    hasOwn_ = true;
  }
  void shareParameters() { hasOwn_ = false; }

  /// closeLoops(), and G there, which goes to whole, with the singularity measure.
  T close(T* q, double tolerance, int iterations, LoopWorkspace<T>& whole);
  /// M_y in packed rows.   pre  close(q)
  void massMatrix(T* H);
  /// h at q and u; g goes to whole.   pre  close(q), massMatrix()
  void bias(const Vec3<T>& gravity, const T* u, LoopWorkspace<T>& whole, T* h);

  /// f(topology, workspace, its body, the whole's body) for every body, once.
  template <class F>
  void forBodies(F&& f) const {
    forAll([&](const Subtree& subtree, const Part& part, bool isRoot) {
      const int first = isRoot ? 0 : root().t.nb;
      for (int b = first; b < part.t.nb; ++b)
        f(part.t, subtree.ws, b, subtree.at(part.places.body, b));
    });
  }
  /// f(reduced column, its place in the whole's LoopWorkspace::reducedColumn) for every reduced
  /// column, once.
  template <class F>
  void forReducedColumns(F&& f) const {
    forAll([&](const Subtree& subtree, const Part& part, bool isRoot) {
      const int first = isRoot ? 0 : part.m.firstReduced[root().t.nb];
      for (int s = first; s < part.m.firstReduced.back(); ++s)
        f(subtree.loops.reducedColumn[s], subtree.at(part.places.reducedColumn, s));
    });
  }

 private:
  struct Subtree {
    Subtree(const Part& part, const SubtreeSet::Subtree& subtree)
        : of(subtree),
          lanes(part.lanes),
          own(lowered<T>(subtree.parameters)),
          ws(part.t),
          loops(part.t, part.m),
          q(static_cast<std::size_t>(part.t.nq)),
          u(static_cast<std::size_t>(part.t.nv)),
          h(static_cast<std::size_t>(part.t.nv)),
          H(static_cast<std::size_t>(part.m.reduced.entries())) {}
    int at(const std::vector<int>& places, int i) const { return places[i * lanes + of.lane]; }
    const SubtreeSet::Subtree& of;
    int lanes;
    Lowered<T> own;
    Workspace<T> ws;
    LoopWorkspace<T> loops;
    AlignedArray<T> q, u, h, H;
  };

  const Part& root() const { return set_.plan.parts[0]; }
  const Part& partOf(const Subtree& subtree) const { return set_.plan.parts[subtree.of.part]; }
  template <class F>
  void forAll(F&& f) const {
    for (std::size_t i = 0; i < subtrees_.size(); ++i)
      f(subtrees_[i], partOf(subtrees_[i]), i == 0);
  }
  template <class F>
  void forAll(F&& f) {
    for (std::size_t i = 0; i < subtrees_.size(); ++i)
      f(subtrees_[i], partOf(subtrees_[i]), i == 0);
  }
  /// f(parameters of the subtree); in single precision lanes read their own alone
  template <class F>
  auto withParameters(const Subtree& subtree, F&& f) const {
    if constexpr (sizeof(value_t<T>) == sizeof(double))
      if (!hasOwn_) return f(subtree.of.parameters);
    return f(subtree.own);
  }
  template <class Numbers>
  void add(const std::vector<int> PartPlaces::*places, int Part::*shared, Numbers&& numbers,
           T* to) const;

  const SubtreeSet& set_;
  std::vector<Subtree> subtrees_;
  bool hasOwn_ = false;
};

template <class T>
SubtreeLanes<T>::SubtreeLanes(const SubtreeSet& set, const LoopWorkspace<T>& whole) : set_(set) {
  subtrees_.reserve(set.subtrees.size());
  for (const SubtreeSet::Subtree& own : set.subtrees) {
    const Part& part = set.plan.parts[own.part];
    Subtree& subtree = subtrees_.emplace_back(part, own);
    for (std::size_t i = 0; i < part.m.closures.size(); ++i)
      subtree.loops.ends[i] = whole.ends[subtree.at(part.places.closure, static_cast<int>(i))];
    for (int r = 0; r < part.m.rows; ++r)
      subtree.loops.axes[r] = whole.axes[subtree.at(part.places.row, r)];
  }
}

template <class T>
T SubtreeLanes<T>::close(T* q, double tolerance, int iterations, LoopWorkspace<T>& whole) {
  T worst = bc<T>(0.0);
  whole.singularity = bc<T>(0.0);
  const int shared = root().t.nq;
  forAll([&](Subtree& subtree, const Part& part, bool isRoot) {
    for (int i = 0; i < part.t.nq; ++i) subtree.q[i] = q[subtree.at(part.places.q, i)];
    withParameters(
        subtree, [&](const auto& par) { placeBodies(part.t, par, subtree.q.data(), subtree.ws); });
    if (isRoot) return;
    LoopWorkspace<T>& loops = subtree.loops;
    loops.singularity = bc<T>(0.0);
    const T left = withParameters(subtree, [&](const auto& par) {
      return closePlacedLoops(part.t, par, part.m, subtree.q.data(), tolerance, iterations,
                              subtree.ws, loops);
    });
    settleLoops(part.t, part.m, left, subtree.q.data(), loops);
    for (int i = shared; i < part.t.nq; ++i) q[subtree.at(part.places.q, i)] = subtree.q[i];
    for (int i = 0; i < part.m.sizeG; ++i) whole.G[subtree.at(part.places.G, i)] = loops.G[i];
    worst = select(left <= worst, worst, left);  // NaN counts, too
    whole.singularity =
        select(loops.singularity > whole.singularity, loops.singularity, whole.singularity);
  });
  return worst;
}

template <class T>
void SubtreeLanes<T>::massMatrix(T* H) {
  forAll([&](Subtree& subtree, const Part& part, bool) {
    withParameters(subtree, [&](const auto& par) {
      placeInertias(part.t, par, subtree.ws);
      computeReducedColumns(part.t, part.m, subtree.ws, subtree.loops);
      reducedMassMatrix(part.t, par, part.m, subtree.ws, subtree.loops, subtree.H.data());
    });
  });
  add(
      &PartPlaces::entry, &Part::sharedEntries,
      [](const Subtree& subtree) -> const AlignedArray<T>& { return subtree.H; }, H);
}

template <class T>
void SubtreeLanes<T>::bias(const Vec3<T>& gravity, const T* u, LoopWorkspace<T>& whole, T* h) {
  forAll([&](Subtree& subtree, const Part& part, bool) {
    for (int i = 0; i < part.t.nv; ++i) subtree.u[i] = u[subtree.at(part.places.u, i)];
    velocities(part.t, subtree.u.data(), subtree.ws);
    loopAccelerations(part.t, part.m, subtree.u.data(), subtree.ws, subtree.loops);
    withParameters(subtree, [&](const auto& par) {
      inverseDynamics(part.t, par, gravity, subtree.loops.g.data(), subtree.ws, subtree.h.data());
    });
    for (int i = part.sharedDofs; i < part.t.nv; ++i)
      whole.g[subtree.at(part.places.u, i)] = subtree.loops.g[i];
  });
  add(
      &PartPlaces::u, &Part::sharedDofs,
      [](const Subtree& subtree) -> const AlignedArray<T>& { return subtree.h; }, h);
}

/// Sums in the order of SubtreePacks: the root, then subtrees of one part by fours.
template <class T>
template <class Numbers>
void SubtreeLanes<T>::add(const std::vector<int> PartPlaces::*places, int Part::*shared,
                          Numbers&& numbers, T* to) const {
  for (std::size_t first = 0; first < subtrees_.size();) {
    const Part& part = partOf(subtrees_[first]);
    const std::vector<int>& at = part.places.*places;
    const std::size_t end = first + static_cast<std::size_t>(part.filled);
    const int own = part.*shared;
    for (int i = 0; i < own; ++i)
      for (std::size_t l = first; l < end; l += subtrees_in_a_sum) {
        T sum = numbers(subtrees_[l])[i];
        for (std::size_t k = l + 1; k < std::min(l + subtrees_in_a_sum, end); ++k)
          sum += numbers(subtrees_[k])[i];
        to[subtrees_[first].at(at, i)] += sum;
      }
    for (std::size_t l = first; l < end; ++l) {
      const AlignedArray<T>& from = numbers(subtrees_[l]);
      for (int i = own; i < static_cast<int>(from.size()); ++i)
        to[subtrees_[l].at(at, i)] = from[i];
    }
    first = end;
  }
}

}  // namespace espalier

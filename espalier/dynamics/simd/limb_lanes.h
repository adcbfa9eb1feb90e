#pragma once

// The dynamics of a mechanism limb by limb, several worlds in the lanes: of each world to the bit
// what Limbs, whose lanes are limbs, makes of it alone. T is lanes.

#include <algorithm>

#include "espalier/dynamics/loops/reduction.h"
#include "espalier/dynamics/simd/limb_set.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"

namespace espalier {

template <class T>
class LimbLanes {
 public:
  /// in  set    outlives this object
  ///     whole  that has the closures' frames
  LimbLanes(const LimbSet& set, const LoopWorkspace<T>& whole);

  bool isWorthIt() const { return !limbs_.empty(); }

  /// closeLoops(), and G there, which goes to whole, with the nearness.
  T close(T* q, double tolerance, int iterations, LoopWorkspace<T>& whole);
  /// M_y in packed rows.   pre  close(q)
  void massMatrix(T* H);
  /// h at q and u; g goes to whole.   pre  close(q), massMatrix()
  void bias(const Vec3<T>& gravity, const T* u, LoopWorkspace<T>& whole, T* h);

  /// f(workspace, its body, the whole's body) for every body, once.
  template <class F>
  void forBodies(F&& f) const {
    forAll([&](const Limb& limb, const Part& part, bool isTrunk) {
      const int first = isTrunk ? 0 : trunk().t.nb;
      for (int b = first; b < part.t.nb; ++b) f(limb.ws, b, limb.at(part.places.body, b));
    });
  }
  /// f(screw, its place in the whole's LoopWorkspace::screw) for every screw, once.
  template <class F>
  void forScrews(F&& f) const {
    forAll([&](const Limb& limb, const Part& part, bool isTrunk) {
      const int first = isTrunk ? 0 : part.m.firstScrew[static_cast<std::size_t>(trunk().t.nb)];
      for (int s = first; s < part.m.firstScrew.back(); ++s)
        f(limb.loops.screw[static_cast<std::size_t>(s)], limb.at(part.places.screw, s));
    });
  }

 private:
  struct Limb {
    Limb(const Part& part, const LimbSet::Limb& own)
        : of(own),
          lanes(part.lanes),
          ws(part.t),
          loops(part.t, part.m),
          q(static_cast<std::size_t>(part.t.nq)),
          u(static_cast<std::size_t>(part.t.nv)),
          h(static_cast<std::size_t>(part.t.nv)),
          H(static_cast<std::size_t>(part.m.reduced.entries())) {}
    int at(const std::vector<int>& places, int i) const {
      return places[static_cast<std::size_t>(i * lanes + of.lane)];
    }
    const LimbSet::Limb& of;
    int lanes;
    Workspace<T> ws;
    LoopWorkspace<T> loops;
    AlignedArray<T> q, u, h, H;
  };

  const Part& trunk() const { return set_.plan.parts[0]; }
  const Part& partOf(const Limb& limb) const {
    return set_.plan.parts[static_cast<std::size_t>(limb.of.part)];
  }
  template <class F>
  void forAll(F&& f) const {
    for (std::size_t i = 0; i < limbs_.size(); ++i) f(limbs_[i], partOf(limbs_[i]), i == 0);
  }
  template <class F>
  void forAll(F&& f) {
    for (std::size_t i = 0; i < limbs_.size(); ++i) f(limbs_[i], partOf(limbs_[i]), i == 0);
  }
  template <class Numbers>
  void add(const std::vector<int> PartPlaces::*places, int Part::*shared, Numbers&& numbers,
           T* to) const;

  const LimbSet& set_;
  std::vector<Limb> limbs_;
};

template <class T>
LimbLanes<T>::LimbLanes(const LimbSet& set, const LoopWorkspace<T>& whole) : set_(set) {
  limbs_.reserve(set.limbs.size());
  for (const LimbSet::Limb& own : set.limbs) {
    const Part& part = set.plan.parts[static_cast<std::size_t>(own.part)];
    Limb& limb = limbs_.emplace_back(part, own);
    for (std::size_t i = 0; i < part.m.closures.size(); ++i)
      limb.loops.ends[i] =
          whole.ends[static_cast<std::size_t>(limb.at(part.places.closure, static_cast<int>(i)))];
    for (int r = 0; r < part.m.rows; ++r)
      limb.loops.axes[static_cast<std::size_t>(r)] =
          whole.axes[static_cast<std::size_t>(limb.at(part.places.row, r))];
  }
}

template <class T>
T LimbLanes<T>::close(T* q, double tolerance, int iterations, LoopWorkspace<T>& whole) {
  T worst = bc<T>(0.0);
  whole.nearness = bc<T>(0.0);
  const int shared = trunk().t.nq;
  forAll([&](Limb& limb, const Part& part, bool isTrunk) {
    for (int i = 0; i < part.t.nq; ++i) limb.q[i] = q[limb.at(part.places.q, i)];
    placeBodies(part.t, limb.of.parameters, limb.q.data(), limb.ws);
    if (isTrunk) return;
    LoopWorkspace<T>& loops = limb.loops;
    loops.nearness = bc<T>(0.0);
    const T left = closePlacedLoops(part.t, limb.of.parameters, part.m, limb.q.data(), tolerance,
                                    iterations, limb.ws, loops);
    settleLoops(part.t, part.m, left, limb.q.data(), loops);
    for (int i = shared; i < part.t.nq; ++i) q[limb.at(part.places.q, i)] = limb.q[i];
    for (int i = 0; i < part.m.sizeG; ++i) whole.G[limb.at(part.places.G, i)] = loops.G[i];
    worst = select(left <= worst, worst, left);  // no number counts, too
    whole.nearness = select(loops.nearness > whole.nearness, loops.nearness, whole.nearness);
  });
  return worst;
}

template <class T>
void LimbLanes<T>::massMatrix(T* H) {
  forAll([&](Limb& limb, const Part& part, bool) {
    placeInertias(part.t, limb.of.parameters, limb.ws);
    bodyScrews(part.t, part.m, limb.ws, limb.loops);
    reducedMassMatrix(part.t, limb.of.parameters, part.m, limb.ws, limb.loops, limb.H.data());
  });
  add(
      &PartPlaces::entry, &Part::sharedEntries,
      [](const Limb& limb) -> const AlignedArray<T>& { return limb.H; }, H);
}

template <class T>
void LimbLanes<T>::bias(const Vec3<T>& gravity, const T* u, LoopWorkspace<T>& whole, T* h) {
  forAll([&](Limb& limb, const Part& part, bool) {
    for (int i = 0; i < part.t.nv; ++i) limb.u[i] = u[limb.at(part.places.u, i)];
    velocities(part.t, limb.u.data(), limb.ws);
    loopAccelerations(part.t, part.m, limb.u.data(), limb.ws, limb.loops);
    inverseDynamics(part.t, limb.of.parameters, gravity, limb.loops.g.data(), limb.ws,
                    limb.h.data());
    for (int i = part.sharedDofs; i < part.t.nv; ++i)
      whole.g[limb.at(part.places.u, i)] = limb.loops.g[i];
  });
  add(
      &PartPlaces::u, &Part::sharedDofs,
      [](const Limb& limb) -> const AlignedArray<T>& { return limb.h; }, h);
}

/// Sums in the order of LimbPacks: the trunk, then limbs of one part by fours.
template <class T>
template <class Numbers>
void LimbLanes<T>::add(const std::vector<int> PartPlaces::*places, int Part::*shared,
                       Numbers&& numbers, T* to) const {
  for (std::size_t first = 0; first < limbs_.size();) {
    const Part& part = partOf(limbs_[first]);
    const std::vector<int>& at = part.places.*places;
    const std::size_t end = first + static_cast<std::size_t>(part.filled);
    const int own = part.*shared;
    for (int i = 0; i < own; ++i)
      for (std::size_t l = first; l < end; l += limbs_in_a_sum) {
        T sum = numbers(limbs_[l])[i];
        for (std::size_t k = l + 1; k < std::min(l + limbs_in_a_sum, end); ++k)
          sum += numbers(limbs_[k])[i];
        to[limbs_[first].at(at, i)] += sum;
      }
    for (std::size_t l = first; l < end; ++l) {
      const AlignedArray<T>& from = numbers(limbs_[l]);
      for (int i = own; i < static_cast<int>(from.size()); ++i) to[limbs_[l].at(at, i)] = from[i];
    }
    first = end;
  }
}

}  // namespace espalier

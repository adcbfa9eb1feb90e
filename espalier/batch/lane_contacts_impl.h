#pragma once

// The definitions of batch/lane_contacts.h, for the translation units that instantiate them.

#include <algorithm>
#include <cmath>
#include <limits>

#include "espalier/batch/lane_contacts.h"

namespace espalier {

template <class T>
LaneContacts<T>::LaneContacts(int dofs, int groups, int sides)
    : group(static_cast<std::size_t>(groups)),
      lambda(group.size()),
      row_(group.size()),
      side_(static_cast<std::size_t>(sides) * group.size()),
      firstSide_(group.size() + 1),
      y_(2 * side_.size() * static_cast<std::size_t>(dofs)),
      pushed_(static_cast<std::size_t>(dofs)) {
  constexpr int small = contact::small_island;
  const contact::Capacity room{.groups = groups,
                               .couplings = std::max(8 * groups, small * (small - 1) / 2),
                               .sides = sides * groups,
                               .numbers = dofs};
  problem_.reserve(room);
  solver_.reserve(room);
}

template <class T>
void LaneContacts<T>::close(const LaneMover<T>& mover, const DofChain& chain, Column3* y,
                            bool hasThirdRowAlone) {
  if (hasThirdRowAlone)
    halfSolveThirdRow(mover.solved, mover.solver, chain.dofs, chain.count, y);
  else
    halfSolveRows(mover.solved, mover.solver, chain.dofs, chain.count, y);
  side_[sides_++] = {0, chain.dofs, chain.count, y, y + chain.count, hasThirdRowAlone};
  numbers_ += 2 * chain.count;
}

/// Of a contact, or of the spin of its bodies.
template <class T>
void LaneContacts<T>::addEnds(const LaneMover<T>& mover, const Row& row, const LaneGroup<T>& g) {
  const Vec3<T> r = g.point - mover.origin, *at = row.contact < 0 ? &r : nullptr;
  addEnd(mover, row.a, g.frame, at, bc<T>(1.0));
  addEnd(mover, row.b, g.frame, at, bc<T>(-1.0));
}

template <class T>
void LaneContacts<T>::addEnd(const LaneMover<T>& mover, int body, const Mat3<T>& frame,
                             const Vec3<T>* r, const T& sign) {
  if (body < 0) return;
  const Mechanism& m = mover.model.mechanism;
  const DofChain chain = chainOf(m, body);
  if (chain.count == 0) return;  // welded to the world
  Column3* y = &y_[numbers_];
  const int* reducedColumns = reducedColumnsOf(m, body);
  putColumns(
      mover.solved.floating, frame, r, sign, chain.count,
      [&](int k) -> const Motion<T>& { return mover.reducedColumns[reducedColumns[k]]; }, y);
  close(mover, chain, y, false);
}

/// One for each joint of a tendon: they need not lie on one way up.
template <class T>
void LaneContacts<T>::addJointSides(const LaneMover<T>& mover, const Row& row,
                                    const LaneGroup<T>& g) {
  const Topology& t = mover.model.topology;
  const Mechanism& m = mover.model.mechanism;
  const auto add = [&](std::span<const RotorInfo::Term> terms) {
    Column3* y = &y_[numbers_];
    const DofChain chain = putJoint(
        t, terms, g.sign, [&](int u) { return gRowOf(t, m, mover.at, u); },
        [&](int body) { return chainOf(m, body).dofs; }, y);
    close(mover, chain, y, true);
  };
  RotorInfo::Term own;
  const std::span<const RotorInfo::Term> terms = termsOf(mover.model, row.dof, own);
  const int firstTendon = mover.model.nv() + static_cast<int>(mover.model.rotors.size());
  if (row.dof < firstTendon) return add(terms);
  for (const RotorInfo::Term& term : terms) add({&term, 1});
}

template <class T>
Vec3<T> LaneContacts<T>::freeVelocity(int i, const T* z) const {
  Column3 v = group[i].rate;
  for (int s = firstSide_[i]; s < firstSide_[i + 1]; ++s) {
    Side side = side_[s];
    side.y = side.yd;
    v = addVelocity(side, z, v);
  }
  return v.vec3() + group[i].bias;
}

template <class T>
void LaneContacts<T>::addToProblem(const Row& row, const LaneGroup<T>& g,
                                   std::span<const Side> sides, const Vec3<T>& b) {
  const T zero = bc<T>(0.0);
  if (row.contact >= 0)
    problem_.addTorsion(sides, b, row.contact, g.rolling, g.spinning, max(g.rolling, g.spinning));
  else if (row.dof < 0 || row.isOneSided)
    problem_.addGroup(sides, b, row.dof < 0 ? g.friction : zero);
  else
    problem_.addBounded(sides, b, {zero, zero, g.lower}, {zero, zero, g.upper},
                        {zero, zero, g.soft});
}

template <class T>
void LaneContacts<T>::assemble(const LaneMover<T>& mover, const T* z, int mostWithBlocks) {
  problem_.clear();
  sides_ = numbers_ = 0;
  firstSide_[0] = 0;
  for (int i = 0; i < count_; ++i) {
    const Row& row = row_[i];
    const LaneGroup<T>& g = group[i];
    const int first = sides_;
    if (row.dof >= 0)
      addJointSides(mover, row, g);
    else
      addEnds(mover, row, g);
    firstSide_[i + 1] = sides_;
    const std::span<const Side> sides{side_.data() + first,
                                      static_cast<std::size_t>(sides_ - first)};
    addToProblem(row, g, sides, freeVelocity(i, z));
    problem_.setGiven(i, g.bias);
  }
  if (mostWithBlocks == 0)
    problem_.finishBySides();
  else
    problem_.finish(mostWithBlocks);
}

template <class T>
contact::SolveReport<T> LaneContacts<T>::solveGroups(const contact::SolveOptions<T>& options,
                                                     bool again, const T* z) {
  if (again)
    for (int i = 0; i < count_; ++i) problem_.setFreeVelocity(i, freeVelocity(i, z));
  const auto solved = again ? solver_.resolve(problem_, lambda.data(), options)
                            : solver_.solve(problem_, lambda.data(), options);
  residual = solved.residual;
  return solved;
}

/// z + Y' lambda
template <class T>
void LaneContacts<T>::push(const mask_t<T>& takes, T* z) const {
  for (int i = 0; i < count_; ++i) {
    const Vec3<T> impulse = contact::pick<T>(takes, lambda[i], zero3<T>());
    for (int s = firstSide_[i]; s < firstSide_[i + 1]; ++s) {
      Side side = side_[s];
      side.yd = side.y;
      contact::push(side, impulse, z);
    }
  }
}

template <class T>
int LaneContacts<T>::solve(const contact::SolveOptions<T>& options, bool again, const T& takesPart,
                           T* z, T& residualOfSolved) {
  const auto solved = solveGroups(options, again, z);
  // Of contacts that nothing can follow a world tells itself.
  const auto isLeft = solved.cut | (problem_.missed() > bc<T>(options.tolerance));
  residualOfSolved = select(isLeft, bc<T>(HUGE_VAL), solved.residual);
  push(takesPart > bc<T>(0.0), z);
  return solved.sweeps + solved.newtonSteps;
}

/// Once more in these lanes, from zero, without what brings contacts and limits to their place: links that
/// wedge one another can follow no correction.
template <class T>
contact::SolveReport<T> LaneContacts<T>::solveUncorrected(const contact::SolveOptions<T>& options,
                                                          const mask_t<T>& where) {
  const T zero = bc<T>(0.0);
  for (int i = 0; i < count_; ++i) {
    T& bias = group[i].bias.z;
    const T kept = select(where, max(bias, zero), bias);
    Vec3<T> b = problem_.freeVelocity(i);
    b.z = b.z + (kept - bias);
    bias = kept;
    problem_.setFreeVelocity(i, b);
    lambda[i] = contact::pick<T>(where, zero3<T>(), lambda[i]);
  }
  const auto solved = solver_.resolve(problem_, lambda.data(), options);
  residual = solved.residual;
  return solved;
}

template <class T>
mask_t<T> LaneContacts<T>::solvePassively(const contact::SolveOptions<T>& options, bool again,
                                          double worst, const T* Dinv, T* z, int& steps) {
  const auto count = [&](const contact::SolveReport<T>& solved) {
    steps += solved.sweeps + solved.newtonSteps;
  };
  count(solveGroups(options, again, z));
  const T zero = bc<T>(0.0), one = bc<T>(1.0);
  const auto all = zero <= zero;
  const auto isUncorrected = !(residual <= bc<T>(worst));
  auto isFar = isUncorrected;
  if (any(isFar)) {
    count(solveUncorrected(options, isFar));
    isFar = !(residual <= bc<T>(worst));
  }
  if (any(isFar)) {
    // The kinetic energy changes by s lambda' J u + s^2 / 2 lambda' G lambda, u that without impulses.
    T work = zero, energy = bc<T>(std::numeric_limits<value_t<T>>::min());
    for (T& x : pushed_) x = zero;
    push(all, pushed_.data());
    for (std::size_t d = 0; d < pushed_.size(); ++d) energy += pushed_[d] * pushed_[d] * Dinv[d];
    for (int i = 0; i < count_; ++i) work += dot(lambda[i], freeVelocity(i, z) - group[i].bias);
    const T most = min(one, max(zero, bc<T>(-2.0) * work / energy));
    const T share = select(isFar, select(most <= one, most, zero), one);  // zero where NaN
    for (int i = 0; i < count_; ++i)
      lambda[i] = contact::pick<T>(share > zero, lambda[i] * share, zero3<T>());
  }
  push(all, z);
  return isUncorrected;
}

}  // namespace espalier

#pragma once

// The definitions of contact/wide_contacts.h, for the translation units that instantiate them.

#include <algorithm>
#include <bit>

#include "espalier/contact/wide_contacts.h"

namespace espalier::contact {

namespace wide_contacts_detail {

template <class T, class L>
ESPALIER_INLINE void putLane(Vec3<L>& to, int c, const Vec3<T>& from) {
  setLane(to.x, c, from.x);
  setLane(to.y, c, from.y);
  setLane(to.z, c, from.z);
}

/// at += Y lambda
template <class L>
ESPALIER_INLINE void pushAll(const Vec3<L> y[2][6], const Vec3<L>& lambda, L at[2][6]) {
  for (int e = 0; e < 2; ++e)
    for (int k = 0; k < 6; ++k)
      at[e][k] =
          fma(y[e][k].z, lambda.z, fma(y[e][k].y, lambda.y, fma(y[e][k].x, lambda.x, at[e][k])));
}

}  // namespace wide_contacts_detail

template <class T>
void WideContacts<T>::reserve(int groups, int numbers, int batched) {
  order_ = AlignedArray<int>(static_cast<std::size_t>(groups));
  rest_ = AlignedArray<int>(static_cast<std::size_t>(groups));
  held_ = numbers;
  if constexpr (lanes_v<T> == 1) {
    batch_ = AlignedArray<WideContact>(static_cast<std::size_t>(batched / fewest));
    mover_ = AlignedArray<int>(static_cast<std::size_t>(numbers));
    open_ = AlignedArray<std::uint32_t>(static_cast<std::size_t>(numbers));
  }
  clear();
}

template <class T>
bool WideContacts<T>::fits(const Problem<T>& problem, int i) {
  const auto sides = problem.sides(i);
  if (problem.kind(i) != Kind::Coulomb || sides.size() > 2) return false;
  for (const Side<T>& s : sides)
    if (s.dof || s.count != 6 || s.y != s.yd) return false;
  if (sides.size() == 2 && sides[0].mover == sides[1].mover) return false;
  if constexpr (lanes_v<T> != 1)
    return false;
  else
    return !problem.hasOwn(i);
}

/// By bins by height; in one bin in the island's order.
template <class T>
void WideContacts<T>::sortByHeight(const Problem<T>& problem, Island island) {
  S low = problem.height(island[0]), high = low;
  for (const int i : island) {
    low = std::min(low, problem.height(i));
    high = std::max(high, problem.height(i));
  }
  const S perMetre = high > low ? S(heightBins - 1) / (high - low) : S(0);
  const auto heightBin = [&](int i) {
    const S below = (high - problem.height(i)) * perMetre;
    return below > 0 && below < S(heightBins) ? static_cast<int>(below) : 0;
  };
  int place[heightBins + 1] = {};
  for (const int i : island) ++place[heightBin(i) + 1];
  for (int k = 0; k < heightBins; ++k) place[k + 1] += place[k];
  for (const int i : island) order_[place[heightBin(i)]++] = i;
}

template <class T>
auto WideContacts<T>::deal(const Problem<T>& problem, Island island) -> Deal {
  Deal d{batches_, 0, left_, 0, movers_, 0};
  Hand hands[most_open];
  std::uint32_t unfinished = 0;
  sortByHeight(problem, island);
  for (const int i : island)
    if (fits(problem, i))
      for (const Side<T>& s : problem.sides(i)) open_[s.mover] = unseen;
  for (int k = 0; k < island.size(); ++k) {
    const int i = order_[k];
    const int h = fits(problem, i) ? freeHand(problem, i) : most_open;
    if (h == most_open) {
      rest_[left_++] = i;
      continue;
    }
    const std::uint32_t bit = std::uint32_t{1} << h;
    Hand& hand = hands[h];
    if (!(unfinished & bit)) hand.count = 0;
    unfinished |= bit;
    hand.group[hand.count++] = i;
    for (const Side<T>& s : problem.sides(i)) open_[s.mover] |= bit;
    if (hand.count < 4) continue;
    for (const int j : hand.group)
      for (const Side<T>& s : problem.sides(j)) open_[s.mover] &= ~bit;
    unfinished &= ~bit;
    pack(problem, hand);
  }
  for (; unfinished; unfinished &= unfinished - 1) {
    const Hand& hand = hands[std::countr_zero(unfinished)];
    if (hand.count >= fewest) {
      pack(problem, hand);
    } else {
      for (int k = 0; k < hand.count; ++k) rest_[left_++] = hand.group[k];
    }
  }
  d.batches = batches_ - d.batch;
  d.lefts = left_ - d.left;
  d.movers = movers_ - d.mover;
  return d;
}

/// The first hand that holds none of the group's movers; most_open: none. Lists movers that are new.
template <class T>
ESPALIER_INLINE int WideContacts<T>::freeHand(const Problem<T>& problem, int i) {
  constexpr std::uint32_t all = (std::uint32_t{1} << most_open) - 1;
  std::uint32_t taken = 0;
  for (const Side<T>& s : problem.sides(i)) {
    if (open_[s.mover] == unseen) {
      open_[s.mover] = 0;
      mover_[movers_++] = s.mover;
    }
    taken |= open_[s.mover];
  }
  return (taken & all) == all ? most_open : std::countr_zero(~taken);
}

template <class T>
void WideContacts<T>::pack(const Problem<T>& problem, const Hand& hand) {
  using wide_contacts_detail::putLane;
  if constexpr (lanes_v<T> == 1) {
    WideContact& q = batch_[batches_++];
    for (int c = 0; c < 4; ++c) {
      const int i = c < hand.count ? hand.group[c] : -1;
      q.group[c] = i;
      const std::size_t sides = i < 0 ? 0 : problem.sides(i).size();
      for (std::size_t e = 0; e < 2; ++e) {
        q.mover[e][c] = e < sides ? problem.sides(i)[e].mover : held_;
        const Column3<T>* y = e < sides ? problem.sides(i)[e].y : nullptr;
        for (int k = 0; k < 6; ++k) putLane(q.y[e][k], c, y ? y[k].vec3() : zero3<T>());
      }
      const Sym3<T> g = i < 0 ? Sym3<T>{1, 0, 0, 1, 0, 1} : problem.diagonal(i);
      setLane(q.diagonal.xx, c, g.xx);
      setLane(q.diagonal.xy, c, g.xy);
      setLane(q.diagonal.xz, c, g.xz);
      setLane(q.diagonal.yy, c, g.yy);
      setLane(q.diagonal.yz, c, g.yz);
      setLane(q.diagonal.zz, c, g.zz);
      setLane(q.mu, c, i < 0 ? T(0) : problem.mu(i));
      setLane(q.scale, c, i < 0 ? T(1) : problem.scale(i));
      setLane(q.inverseScale, c, i < 0 ? T(1) : problem.inverseScale(i));
      putLane(q.b, c, Vec3<T>{T(0), T(0), Problem<T>::inactive()});
      putLane(q.lambda, c, zero3<T>());
      setLane(q.correction, c, T(0));
    }
    q.factor = factorSingle(q.diagonal, q.mu);
  }
}

template <class T>
void WideContacts<T>::load(const Problem<T>& problem, const Deal& d, const Vec3<T>* lambda) {
  using wide_contacts_detail::putLane;
  if constexpr (lanes_v<T> == 1) {
    for (int k = d.batch; k < d.batch + d.batches; ++k) {
      WideContact& q = batch_[k];
      for (int c = 0; c < 4; ++c) {
        const int i = q.group[c];
        if (i < 0) continue;
        putLane(q.b, c, problem.freeVelocity(i));
        putLane(q.lambda, c, lambda[i]);
        setLane(q.correction, c, problem.correction(i));
      }
    }
  }
}

template <class T>
void WideContacts<T>::store(const Deal& d, Vec3<T>* lambda) const {
  if constexpr (lanes_v<T> == 1) {
    for (int k = d.batch; k < d.batch + d.batches; ++k) {
      const WideContact& q = batch_[k];
      for (int c = 0; c < 4; ++c)
        if (q.group[c] >= 0)
          lambda[q.group[c]] = {lane(q.lambda.x, c), lane(q.lambda.y, c), lane(q.lambda.z, c)};
    }
  }
}

template <class T>
void WideContacts<T>::zero(const Deal& d, T* a) const {
  for (int k = d.mover; k < d.mover + d.movers; ++k)
    for (int n = 0; n < 6; ++n) a[mover_[k] + n] = bc<T>(0.0);
  for (int n = 0; n < 6; ++n) a[held_ + n] = bc<T>(0.0);
}

template <class T>
ESPALIER_INLINE void WideContacts<T>::gather(const WideContact& q, const T* a, L at[2][6]) {
  for (int e = 0; e < 2; ++e) {
    const T *a0 = a + q.mover[e][0], *a1 = a + q.mover[e][1], *a2 = a + q.mover[e][2],
            *a3 = a + q.mover[e][3];
    for (int k = 0; k < 6; ++k) at[e][k] = typename L::Vector{a0[k], a1[k], a2[k], a3[k]};
  }
}

template <class T>
ESPALIER_INLINE void WideContacts<T>::scatter(const WideContact& q, const L at[2][6], T* a) {
  for (int e = 0; e < 2; ++e)
    for (int c = 0; c < 4; ++c)
      for (int k = 0; k < 6; ++k) a[q.mover[e][c] + k] = lane(at[e][k], c);
}

/// Two sums side by side, because a visit is bound by the latency of the chain of fused additions.
template <class T>
ESPALIER_INLINE auto WideContacts<T>::velocity(const WideContact& q, const L at[2][6]) -> Vec3<L> {
  Vec3<L> v = q.b, w = q.y[1][0] * at[1][0];
  for (int k = 0; k < 6; ++k) v = madd(q.y[0][k], at[0][k], v);
  for (int k = 1; k < 6; ++k) w = madd(q.y[1][k], at[1][k], w);
  return v + w;
}

template <class T>
void WideContacts<T>::push(const Deal& d, T* a) const {
  if constexpr (lanes_v<T> == 1) {
    for (int i = d.batch; i < d.batch + d.batches; ++i) {
      const WideContact& q = batch_[i];
      L at[2][6];
      gather(q, a, at);
      wide_contacts_detail::pushAll(q.y, q.lambda, at);
      scatter(q, at, a);
    }
  }
}

template <class T>
T WideContacts<T>::residual(const Deal& d, const T* a) const {
  T worst = bc<T>(0.0);
  if constexpr (lanes_v<T> == 1) {
    L most = bc<L>(0.0);
    for (int i = d.batch; i < d.batch + d.batches; ++i) {
      const WideContact& q = batch_[i];
      L at[2][6];
      gather(q, a, at);
      most = max(most, contact::residual(q.lambda, velocity(q, at), q.mu, q.scale, q.inverseScale));
    }
    for (int c = 0; c < 4; ++c) worst = std::max(worst, lane(most, c));
  }
  return worst;
}

template <class T>
T WideContacts<T>::sweep(const Deal& d, bool isRelaxed, T* a) {
  T worst = bc<T>(0.0);
  if constexpr (lanes_v<T> == 1) {
    L most = bc<L>(0.0);
    for (int i = 0; i < d.batches; ++i) {
      WideContact& q = batch_[d.batch + i];
      L at[2][6];
      gather(q, a, at);
      const Vec3<L> old = q.lambda;
      Vec3<L> v = velocity(q, at);
      if (isRelaxed) v.z -= q.correction;
      const Vec3<L> c = nmadd(old, q.factor.shift, v - mul(q.diagonal, old));
      // Each contact comes round again: a step at a time towards its root is enough.
      q.lambda = solveSingle(q.factor, q.mu, old, v, c, 1);
      const Vec3<L> change = q.lambda - old;
      wide_contacts_detail::pushAll(q.y, change, at);
      scatter(q, at, a);
      most = max(most, q.scale * q.scale * dot(change, change));
    }
    for (int c = 0; c < 4; ++c) worst = std::max(worst, lane(most, c));
  }
  return worst;
}

}  // namespace espalier::contact

#pragma once

// Newton and the proximal method of solver 2 (contact/direct.h).
//
// With y = x - w / s, the argument of the projections, where s is about |w| / |x|:
//   Coulomb  N = max(y_N, 0):  F = s (x - (P_disk(mu N)(y_T), N))
//     open   y_N <= 0         F = s x
//     stick  |y_T| <= mu N    F = w
//     slip                    F_N = w_N,  F_T = s (x_T - mu N e),  e = y_T / |y_T|
//                             dF_T = s (1 - k P) dx_T + k P dw_T - mu e (s dx_N - dw_N),
//                             P = 1 - e e',  k = mu N / |y_T|
//   Bounded  F_r = s (x_r - clamp(y_r))
//   Torsion  F = s (x - P_ball(y)), as slip above with all three rows, N the normal x
// s balances impulses and velocities: where bodies are jammed hard, contacts that hold would else
// be told from those that slide by the last digits of y.

#include "espalier/contact/direct.h"

namespace espalier::contact {

template <class T>
ESPALIER_INLINE T component(const Vec3<T>& v, int k) {
  return k == 0 ? v.x : (k == 1 ? v.y : v.z);
}

/// In shares of the balance: impulses may go far along what moves nothing.
template <class T>
inline constexpr T least_softness = sizeof(T) == 8 ? T(1e-8) : T(1e-3);

/// Steps from x_ while they get on. True when the tolerance is met.
template <class T>
bool Direct<T>::newton(int steps) {
  // Far above rounding, far below what a step must resolve: damps what moves nothing.
  balance();
  softness_ = (sizeof(T) == 8 ? T(1e-10) : T(1e-4)) * balance_;
  for (int s = 0; s < steps; ++s) {
    std::copy_n(x_.data(), n_, center_.data());
    if (!step()) return false;
    if (report_.residual <= tolerance_) return true;
  }
  return false;
}

/// Whole steps of Newton, none of which changes a contact's impulse by more than a share of it. They
/// come to the solution all of a sudden, or not at all; true when it is good enough.
template <class T>
bool Direct<T>::chase(const T* from, T share) {
  if (!isNear()) return false;
  std::copy_n(from, n_, x_.data());
  balance();
  softness_ = least_softness<T> * balance_;
  for (int s = 0; s < 100; ++s) {
    std::copy_n(x_.data(), n_, center_.data());
    if (!direction()) return false;
    T length = T(1);
    for (int k = 0; k < groups_; ++k) {
      const T most = share * norm(at(x_.data(), k)), size = norm(at(step_.data(), k));
      if (most > T(0) && size * length > most) length = most / size;
    }
    for (int r = 0; r < n_; ++r) x_[r] = fma(length, step_[r], x_[r]);
    if (judge(x_.data())) return true;
  }
  return false;
}

/// True when the tolerance is met within so many steps of Newton, from ADMM's last iterate.
template <class T>
bool Direct<T>::proximal(int steps) {
  std::copy_n(z_.data(), n_, x_.data());
  balance();
  softness_ = T(0.1) * balance_;
  T ahead = T(0);  // how many times the last stretch
  while (steps > 0 && softness_ <= T(1e5) * balance_) {
    for (int r = 0; r < n_; ++r) {
      center_[r] = fma(ahead, x_[r] - z_[r], x_[r]);
      z_[r] = x_[r];
      x_[r] = center_[r];
    }
    balance();
    bool near = false;
    int used = 0;
    while (!near && used < 10) {
      const bool advances = step();
      ++used;
      --steps;
      if (report_.residual <= tolerance_) return true;
      // Good enough where F is small beside what the softness does to it.
      T moved = T(0);
      for (int r = 0; r < n_; ++r) moved = fma(x_[r] - center_[r], x_[r] - center_[r], moved);
      near = merit_ <= T(0.25) * softness_ * softness_ * moved || merit_ <= T(1e-22);
      if (!advances) break;
    }
    if (!near) {
      std::copy_n(z_.data(), n_, x_.data());
      softness_ *= T(5);
      ahead = T(0);
      continue;
    }
    ahead = isNear() ? min(T(2) * ahead + T(1), T(100)) : T(0);
    if (used <= 3) {
      softness_ = max(softness_ * T(0.3), least_softness<T> * balance_);
    }
  }
  return false;
}

/// s from x_ and b.
template <class T>
void Direct<T>::balance() {
  T x = T(0), w = T(0);
  for (int r = 0; r < n_; ++r) {
    x = max(x, abs(x_[r]));
    w = max(w, abs(b_[r]));
  }
  balance_ = x > w ? w / x : T(1);
}

template <class T>
void Direct<T>::addSoftness(const T* x, T* w) const {
  for (int r = 0; r < n_; ++r) w[r] = fma(softness_, x[r] - center_[r], w[r]);
}

/// F(x); the square of its length.
template <class T>
T Direct<T>::equation(const T* x, const T* w, T* f) const {
  T square = T(0);
  const T inverse = T(1) / balance_;
  for (int k = 0; k < groups_; ++k) {
    const Group& group = group_[k];
    const Vec3<T> xk = at(x, k), y = nmadd(at(w, k), inverse, xk);
    Vec3<T> fk;
    if (group.kind == Kind::Coulomb) {
      const T normal = max(y.z, T(0)), t = tangentNorm(y), most = group.mu * normal;
      const T share = t > most ? most / t : T(1);
      fk = {fnma(share, y.x, xk.x), fnma(share, y.y, xk.y), xk.z - normal};
    } else {
      fk = xk - project(k, y, x);
    }
    fk = fk * balance_;
    put(f, k, fk);
    square += dot(fk, fk);
  }
  return square;
}

/// Newton's step at x_ in step_; false where there is none.
template <class T>
bool Direct<T>::direction() {
  multiply(x_.data(), w_.data());
  addSoftness(x_.data(), w_.data());
  merit_ = equation(x_.data(), w_.data(), equation_.data());
  if (!(merit_ < std::numeric_limits<T>::max())) return false;
  assemble();
  ++report_.newtonSteps;
  if (!factorGeneral(newtonMatrix(), pivot_.data())) return false;
  solveGeneral(newtonMatrix(), pivot_.data(), trial_.data());
  for (int r = 0; r < n_; ++r)
    if (place_[r] >= 0) step_[r] = trial_[place_[r]];
  return true;
}

/// One step with line search from x_ to x_; false where it does not get on.
template <class T>
bool Direct<T>::step() {
  if (!direction()) return false;
  const T before = merit_;
  T length = T(1);
  for (int tries = 0; tries < 8; ++tries, length *= T(0.5)) {
    for (int r = 0; r < n_; ++r) trial_[r] = fma(length, step_[r], x_[r]);
    const bool done = judge(trial_.data());
    addSoftness(trial_.data(), w_.data());
    const T after = equation(trial_.data(), w_.data(), equation_.data());
    if (done || after <= (T(1) - T(1e-3) * length) * before) {
      std::copy_n(trial_.data(), n_, x_.data());
      merit_ = after;
      return true;
    }
  }
  return false;
}

/// Whether a row is an equation in its own x alone.
template <class T>
bool Direct<T>::rests(int k, int r) const {
  const Group& group = group_[k];
  const auto y = [&](int row) { return x_[3 * k + row] - w_[3 * k + row] / balance_; };
  switch (group.kind) {
    case Kind::Bounded: return y(r) <= component(group.low, r) || y(r) >= component(group.high, r);
    case Kind::Torsion: return !(component(group.low, r) > T(0));
    case Kind::Coulomb: break;
  }
  return y(2) <= T(0);
}

/// Newton's matrix in f_ and right-hand side in trial_, from x_, w_ and F; step_ of rows at rest.
template <class T>
void Direct<T>::assemble() {
  const T none = T(0), one = T(1);
  rows_ = 0;
  for (int row = 0; row < n_; ++row) {
    const bool rest = rests(row / 3, row % 3);
    place_[row] = rest ? -1 : rows_++;
    step_[row] = rest ? -equation_[row] / balance_ : none;
  }
  for (int k = 0; k < groups_; ++k) {
    const Group& group = group_[k];
    const bool isContact = group.kind == Kind::Coulomb;
    const Vec3<T> y = nmadd(at(w_.data(), k), one / balance_, at(x_.data(), k));
    T most = none, length = none;
    if (isContact) {
      most = group.mu * max(y.z, none);
      length = tangentNorm(y);
    } else if (group.kind == Kind::Torsion) {
      most = reach(k, x_.data());
      length = norm(projectOnBall(y, group.low, std::numeric_limits<T>::max()));
    }
    const bool slips = length > most;
    const T inverse = slips ? one / length : none, share = most * inverse;
    const Vec3<T> e = {y.x * inverse, y.y * inverse, isContact ? none : y.z * inverse};
    for (int r = 0; r < 3; ++r) {
      if (place_[3 * k + r] < 0) continue;
      const Vec3<T> own = {T(r == 0), T(r == 1), T(r == 2)};
      const T er = component(e, r);
      if (!slips || (isContact && r == 2)) {
        writeRow(k, r, own, zero3<T>(), -w_[3 * k + r]);
        continue;
      }
      Vec3<T> onW = (own - e * er) * share, onX = (own - onW) * balance_;
      if (isContact) {
        onW.z += group.mu * er;
        onX.z -= group.mu * er * balance_;
      }
      writeRow(k, r, onW, onX, -equation_[3 * k + r]);
      if (isContact || !(x_[group.normal] > none)) continue;
      const int place = place_[3 * k + r], normal = place_[group.normal];
      const T pull = group.mu * er * balance_;
      if (normal >= 0)
        newtonMatrix().row(place)[normal] -= pull;
      else
        trial_[place] = fma(pull, step_[group.normal], trial_[place]);
    }
  }
}

/// The equation onW . dw + onX . dx = right of a group's three rows, dw = (G + softness) dx.
template <class T>
void Direct<T>::writeRow(int k, int r, const Vec3<T>& onW, Vec3<T> onX, T right) {
  const int place = place_[3 * k + r];
  const T *g0 = g().row(3 * k), *g1 = g().row(3 * k + 1), *g2 = g().row(3 * k + 2);
  T* row = newtonMatrix().row(place);
  for (int c = 0; c < n_; ++c) {
    const T value = fma(onW.z, g2[c], fma(onW.y, g1[c], onW.x * g0[c]));
    if (place_[c] >= 0)
      row[place_[c]] = value;
    else
      right = fnma(value, step_[c], right);
  }
  onX += onW * softness_;
  for (int c = 0; c < 3; ++c) {
    if (place_[3 * k + c] >= 0)
      row[place_[3 * k + c]] += component(onX, c);
    else
      right = fnma(component(onX, c), step_[3 * k + c], right);
  }
  trial_[place] = right;
}

}  // namespace espalier::contact

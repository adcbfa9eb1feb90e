#pragma once

// How a group hangs on what moves. A mover (a free body, an articulated system) has numbers a in
// which its mass matrix is D^-1, and a group's rows on it are a side:
//
//   v_i = b_i + sum over its sides of Y' a[dof],     a[dof] += (Y' D)' lambda_i
//
// A free body: 6 numbers in a row, y = J, yd = J M^-1. An articulated system with M = L' D^-1 L:
// the ancestor dofs of a body, y = Y' with Y = L'^-1 J', yd = Y' D.

#include "espalier/spatial/vec3.h"

namespace espalier::contact {

template <class T>
struct Side {
  int mover = -1;            ///< where its mover's numbers begin in a; names the mover
  const int* dof = nullptr;  ///< [count] ascending, counted from there; null: 0 .. count - 1
  int count = 0;
  const T* y = nullptr;   ///< [3 count] rows t1, t2, n of Y'
  const T* yd = nullptr;  ///< [3 count] the same of Y' D
};

/// v + Y' a
template <class T>
ESPALIER_INLINE Vec3<T> addVelocity(const Side<T>& s, const T* a, Vec3<T> v) {
  const T *at = a + s.mover, *x = s.y, *y = x + s.count, *z = y + s.count;
  const auto add = [&](const T& number, int k) {
    v.x = fma(x[k], number, v.x);
    v.y = fma(y[k], number, v.y);
    v.z = fma(z[k], number, v.z);
  };
  if (s.dof)
    for (int k = 0; k < s.count; ++k) add(at[s.dof[k]], k);
  else if (s.count == 6)  // a free body: straight code
#pragma GCC unroll 6
    for (int k = 0; k < 6; ++k) add(at[k], k);
  else
    for (int k = 0; k < s.count; ++k) add(at[k], k);
  return v;
}

/// a += (Y' D)' lambda
template <class T>
ESPALIER_INLINE void push(const Side<T>& s, const Vec3<T>& lambda, T* a) {
  T* at = a + s.mover;
  const T *x = s.yd, *y = x + s.count, *z = y + s.count;
  const auto add = [&](T& number, int k) {
    number = fma(z[k], lambda.z, fma(y[k], lambda.y, fma(x[k], lambda.x, number)));
  };
  if (s.dof)
    for (int k = 0; k < s.count; ++k) add(at[s.dof[k]], k);
  else if (s.count == 6)
#pragma GCC unroll 6
    for (int k = 0; k < 6; ++k) add(at[k], k);
  else
    for (int k = 0; k < s.count; ++k) add(at[k], k);
}

/// g += Y_a' D Y_b, over the numbers that both have.
///   pre  the sides are of one mover
template <class T>
inline void couple(const Side<T>& a, const Side<T>& b, Mat3<T>& g) {
  const int na = a.count, nb = b.count;
  const auto add = [&](int i, int j) {
    const Vec3<T> y = {b.y[j], b.y[nb + j], b.y[2 * nb + j]};
    g.r0 = madd(y, a.yd[i], g.r0);
    g.r1 = madd(y, a.yd[na + i], g.r1);
    g.r2 = madd(y, a.yd[2 * na + i], g.r2);
  };
  const int most = na < nb ? na : nb;
  if (a.dof == b.dof) {
    for (int k = 0; k < most; ++k) add(k, k);
    return;
  }
  const auto dofOf = [](const Side<T>& s, int k) { return s.dof ? s.dof[k] : k; };
  int i = 0;
  // Chains of one tree share a beginning, and then often lie apart.
  for (; i < most && dofOf(a, i) == dofOf(b, i); ++i) add(i, i);
  if (i == most || dofOf(a, na - 1) < dofOf(b, i) || dofOf(b, nb - 1) < dofOf(a, i)) return;
  for (int j = i; i < na && j < nb;) {
    const int da = dofOf(a, i), db = dofOf(b, j);
    if (da == db) add(i, j);
    i += da <= db;
    j += db <= da;
  }
}

/// The same with itself.
template <class T>
inline void coupleSelf(const Side<T>& s, Sym3<T>& g) {
  const int n = s.count;
  const T *y = s.y, *d = s.yd;
  for (int k = 0; k < n; ++k) {
    g.xx = fma(d[k], y[k], g.xx);
    g.xy = fma(d[k], y[n + k], g.xy);
    g.xz = fma(d[k], y[2 * n + k], g.xz);
    g.yy = fma(d[n + k], y[n + k], g.yy);
    g.yz = fma(d[n + k], y[2 * n + k], g.yz);
    g.zz = fma(d[2 * n + k], y[2 * n + k], g.zz);
  }
}

}  // namespace espalier::contact

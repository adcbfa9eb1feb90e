#pragma once

// Jacobian blocks of a group. A mover (a free body, an articulated system) is a dynamic node of the
// contact graph with numbers a in which its mass matrix is D^-1; a group's rows on it are a side:
//
//   v_i = b_i + sum over its sides of Y' a[dof],     a[dof] += (Y' D)' lambda_i
//
// A free body: 6 numbers in a row, y = J, yd = J M^-1. An articulated system with M = L' D^-1 L:
// the ancestor dofs of a body, y = Y' with Y = L'^-1 J', yd = Y' D.

#include "espalier/contact/column3.h"

namespace espalier::contact {

template <class T>
struct Side {
  int mover = -1;            ///< offset of its mover's numbers in a; identifies the mover
  const int* dof = nullptr;  ///< [count] ascending, counted from there; null: 0 .. count - 1
  int count = 0;
  const Column3<T>* y = nullptr;   ///< [count] columns of the rows (t1, t2, n) of Y'
  const Column3<T>* yd = nullptr;  ///< [count] the same of Y' D
  /// The first two rows are zero, as of joints, and lanes leave them out. In double the three rows
  /// share a register, so that nothing is saved.
  bool hasThirdRowAlone = false;

  bool leavesTwoOut() const { return lanes_v<T> != 1 && hasThirdRowAlone; }
  /// Calls visit(k, number) for each column k, which belongs to that number of a.
  template <class Visit>
  ESPALIER_INLINE void forColumns(Visit&& visit) const {
    if (dof)
      for (int k = 0; k < count; ++k) visit(k, mover + dof[k]);
    else if (count == 6)  // a free body: straight code
#pragma GCC unroll 6
      for (int k = 0; k < 6; ++k) visit(k, mover + k);
    else
      for (int k = 0; k < count; ++k) visit(k, mover + k);
  }
};

/// v + Y' a
template <class T>
ESPALIER_INLINE Column3<T> addVelocity(const Side<T>& s, const T* a, Column3<T> v) {
  if (s.leavesTwoOut()) {
    T z = v.z();
    s.forColumns([&](int k, int number) { z = fma(s.y[k].z(), a[number], z); });
    return Vec3<T>{v.x(), v.y(), z};
  }
  s.forColumns([&](int k, int number) { v = madd(s.y[k], a[number], v); });
  return v;
}

/// a += (Y' D)' lambda
template <class T>
ESPALIER_INLINE void push(const Side<T>& s, const Vec3<T>& lambda, T* a) {
  if (s.leavesTwoOut())
    return s.forColumns(
        [&](int k, int number) { a[number] = fma(s.yd[k].z(), lambda.z, a[number]); });
  s.forColumns([&](int k, int number) {
    const Column3<T>& y = s.yd[k];
    a[number] = fma(y.z(), lambda.z, fma(y.y(), lambda.y, fma(y.x(), lambda.x, a[number])));
  });
}

/// g += Y_a' D Y_b, over the numbers that both have.
///   pre  the sides are of one mover
template <class T>
ESPALIER_INLINE void couple(const Side<T>& a, const Side<T>& b, Block<T>& g) {
  const int na = a.count, nb = b.count;
  Block<T> sum = g;
  const auto add = [&](int i, int j) {
    sum.r0 = madd(b.y[j], a.yd[i].x(), sum.r0);
    sum.r1 = madd(b.y[j], a.yd[i].y(), sum.r1);
    sum.r2 = madd(b.y[j], a.yd[i].z(), sum.r2);
  };
  const int most = na < nb ? na : nb;
  const auto dofOf = [](const Side<T>& s, int k) { return s.dof ? s.dof[k] : k; };
  int i = 0;
  if (a.dof == b.dof)
    for (; i < most; ++i) add(i, i);
  // Chains of one tree share a beginning, and then often lie apart.
  for (; i < most && dofOf(a, i) == dofOf(b, i); ++i) add(i, i);
  if (i < most && dofOf(a, na - 1) >= dofOf(b, i) && dofOf(b, nb - 1) >= dofOf(a, i)) {
    for (int j = i; i < na && j < nb;) {
      const int da = dofOf(a, i), db = dofOf(b, j);
      if (da == db) add(i, j);
      i += da <= db;
      j += db <= da;
    }
  }
  g = sum;
}

/// The same with itself, of which lanes compute the upper half alone.
template <class T>
ESPALIER_INLINE void coupleSelf(const Side<T>& s, Block<T>& g) {
  if constexpr (lanes_v<T> != 1) {
    Vec3<T>&r0 = g.r0.v, &r1 = g.r1.v, &r2 = g.r2.v;
    T xx = r0.x, xy = r0.y, xz = r0.z, yy = r1.y, yz = r1.z, zz = r2.z;
    for (int k = 0; k < s.count; ++k) {
      const Column3<T>&y = s.y[k], &yd = s.yd[k];
      zz = fma(y.z(), yd.z(), zz);
      if (s.hasThirdRowAlone) continue;
      xx = fma(y.x(), yd.x(), xx);
      xy = fma(y.y(), yd.x(), xy);
      xz = fma(y.z(), yd.x(), xz);
      yy = fma(y.y(), yd.y(), yy);
      yz = fma(y.z(), yd.y(), yz);
    }
    r0.x = xx, r0.y = xy, r0.z = xz, r1.y = yy, r1.z = yz, r2.z = zz;
  } else {
    Block<T> sum = g;
    for (int k = 0; k < s.count; ++k) {
      sum.r0 = madd(s.y[k], s.yd[k].x(), sum.r0);
      sum.r1 = madd(s.y[k], s.yd[k].y(), sum.r1);
      sum.r2 = madd(s.y[k], s.yd[k].z(), sum.r2);
    }
    g = sum;
  }
}

}  // namespace espalier::contact

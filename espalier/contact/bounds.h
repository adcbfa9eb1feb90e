#pragma once

// Rows on their own, each between two bounds: bilateral rows, dry joint friction, bounded motors,
// unilateral limits.
//
//   lower <= lambda <= upper,   v_r < 0 only at upper, v_r > 0 only at lower   (infinite allowed)
//   as one equation, for any d > 0:   lambda_r = clamp(lambda_r - v_r / d)
//
// The gap in it, times d = G_rr, is the row's residual in m/s or rad/s; the group's is their length.

#include <limits>

#include "espalier/contact/cone.h"

namespace espalier::contact {

template <class T>
ESPALIER_INLINE Vec3<T> clamp(const Vec3<T>& x, const Vec3<T>& lower, const Vec3<T>& upper) {
  return {max(min(x.x, upper.x), lower.x), max(min(x.y, upper.y), lower.y),
          max(min(x.z, upper.z), lower.z)};
}

/// d of each row: G_rr, or where a row moves nothing a number that can still be divided by.
template <class T>
ESPALIER_INLINE Vec3<T> rowScale(const Sym3<T>& g) {
  const T floor = bc<T>(sizeof(value_t<T>) == 8 ? value_t<T>(1e-150) : value_t<T>(1e-18));
  return {max(g.xx, floor), max(g.yy, floor), max(g.zz, floor)};
}

/// Distance of a group from the law.
///   in  v  velocity with lambda acting, bias included
///   NaN counts as the largest residual
template <class T>
ESPALIER_INLINE T residualBounded(const Vec3<T>& lambda, const Vec3<T>& v, const Sym3<T>& g,
                                  const Vec3<T>& lower, const Vec3<T>& upper) {
  const Vec3<T> d = rowScale(g);
  const Vec3<T> p =
      clamp<T>({lambda.x - v.x / d.x, lambda.y - v.y / d.y, lambda.z - v.z / d.z}, lower, upper);
  const T r = norm(Vec3<T>{d.x * (lambda.x - p.x), d.y * (lambda.y - p.y), d.z * (lambda.z - p.z)});
  return select(r >= bc<T>(0.0), r, bc<T>(std::numeric_limits<value_t<T>>::max()));
}

namespace bounds_detail {

/// x of G x = r over the rows with isFree = 1; the others are left as r has them.
template <class T>
inline Vec3<T> solveFree(const Sym3<T>& g, const bool (&isFree)[3], const Vec3<T>& r) {
  const T zero = bc<T>(0.0), one = bc<T>(1.0);
  const T xx = isFree[0] ? g.xx : one, yy = isFree[1] ? g.yy : one, zz = isFree[2] ? g.zz : one;
  const T xy = isFree[0] && isFree[1] ? g.xy : zero, xz = isFree[0] && isFree[2] ? g.xz : zero,
          yz = isFree[1] && isFree[2] ? g.yz : zero;
  const T lyx = xy / xx, lzx = xz / xx;
  const T dy = fnma(lyx, xy, yy), lzy = fnma(lyx, xz, yz) / dy;
  const T dz = fnma(lzy * lzy, dy, fnma(lzx, xz, zz));
  Vec3<T> s = r;
  s.y = fnma(lyx, s.x, s.y);
  s.z = fnma(lzy, s.y, fnma(lzx, s.x, s.z)) / dz;
  s.y = fnma(lzy, s.z, s.y / dy);
  s.x = fnma(lyx, s.y, fnma(lzx, s.z, s.x / xx));
  return s;
}

/// G with a share on the diagonal of rows that hang on the rows before them.
template <class T>
inline Sym3<T> regular(const Sym3<T>& g) {
  using S = value_t<T>;
  const T collapse = bc<T>(sizeof(S) == 8 ? S(1e-11) : S(1e-5));
  const T share = bc<T>(sizeof(S) == 8 ? S(1e-7) : S(1e-3));
  const Vec3<T> d = rowScale(g);
  Sym3<T> r = g;
  r.xx = d.x;
  const T py = fnma(g.xy / r.xx, g.xy, d.y);
  const T ey = select(py > collapse * d.y, bc<T>(0.0), share * d.y);
  r.yy = d.y + ey;
  const T l = fnma(g.xy / r.xx, g.xz, g.yz);
  const T pz = fnma(l / (max(py, bc<T>(0.0)) + ey), l, fnma(g.xz / r.xx, g.xz, d.z));
  r.zz = d.z + select(pz > collapse * d.z, bc<T>(0.0), share * d.z);
  return r;
}

}  // namespace bounds_detail

/// The impulse of one group of bounded rows alone, exactly: of the 27 ways in which three rows can
/// be free, at `lower` or at `upper`, the one that obeys the law.
///   in  warm  an earlier impulse, v the velocity with it acting
///   A singular G is regularised; the result is then a proximal step from `warm`.
template <class T>
inline Vec3<T> solveBounded(const Sym3<T>& g, const Vec3<T>& lower, const Vec3<T>& upper,
                            const Vec3<T>& warm, const Vec3<T>& v) {
  const T largest = bc<T>(std::numeric_limits<value_t<T>>::max());
  const Sym3<T> a = bounds_detail::regular(g);
  const Vec3<T> d = rowScale(a);
  // Rounding in v; a candidate as good as this ends the search.
  const T enough = bc<T>(8 * std::numeric_limits<value_t<T>>::epsilon()) *
                   (norm(v) + norm(Vec3<T>{d.x * warm.x, d.y * warm.y, d.z * warm.z}));
  Vec3<T> best = clamp(warm, lower, upper);
  T bestResidual = largest;
  for (int way = 0; way < 27 && any(bestResidual > enough); ++way) {
    const int status[3] = {way % 3, way / 3 % 3, way / 9};
    const bool isFree[3] = {status[0] == 0, status[1] == 0, status[2] == 0};
    const Vec3<T> at = {status[0] == 2 ? upper.x : lower.x, status[1] == 2 ? upper.y : lower.y,
                        status[2] == 2 ? upper.z : lower.z};
    const T zero = bc<T>(0.0);
    const Vec3<T> fixed = {isFree[0] ? zero : at.x - warm.x, isFree[1] ? zero : at.y - warm.y,
                           isFree[2] ? zero : at.z - warm.z};
    const Vec3<T> push = -(v + mul(a, fixed));
    const Vec3<T> step = bounds_detail::solveFree(
        a, isFree,
        {isFree[0] ? push.x : fixed.x, isFree[1] ? push.y : fixed.y, isFree[2] ? push.z : fixed.z});
    const Vec3<T> lambda = warm + step;
    const T r = residualBounded(lambda, v + mul(a, step), a, lower, upper);
    const mask_t<T> better = r < bestResidual;
    best = pick<T>(better, clamp(lambda, lower, upper), best);
    bestResidual = select(better, r, bestResidual);
  }
  return best;
}

}  // namespace espalier::contact

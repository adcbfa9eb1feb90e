#pragma once

// Numbers against numbers, as one figure.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "espalier/spatial/inertia.h"

namespace espalier::testing {

/// Largest difference over the largest size, sizes below one counted as one; NaN counts as infinite.
template <class A, class B>
double relativeDifference(const A& a, const B& b) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const auto count = static_cast<std::size_t>(a.size());
  if (count != static_cast<std::size_t>(b.size())) return infinite;
  double worst = 0, size = 1;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
    const double d = std::abs(x - y);
    worst = d <= worst ? worst : std::isnan(d) ? infinite : d;
    size = std::max(size, std::abs(y));
  }
  return worst / size;
}

inline std::vector<double> numbers(const Vec3d& v) { return {v.x, v.y, v.z}; }
inline std::vector<double> numbers(const Mat3d& m) {
  return {m.r0.x, m.r0.y, m.r0.z, m.r1.x, m.r1.y, m.r1.z, m.r2.x, m.r2.y, m.r2.z};
}
inline std::vector<double> numbers(const Motion<double>& m) {
  return {m.w.x, m.w.y, m.w.z, m.v.x, m.v.y, m.v.z};
}
inline std::vector<double> numbers(const Force<double>& f) {
  return {f.n.x, f.n.y, f.n.z, f.f.x, f.f.y, f.f.z};
}
inline std::vector<double> numbers(const Sym3<double>& s) {
  return {s.xx, s.xy, s.xz, s.yy, s.yz, s.zz};
}
inline std::vector<double> numbers(const RigidInertia<double>& b) {
  return {b.m, b.h.x, b.h.y, b.h.z, b.I.xx, b.I.xy, b.I.xz, b.I.yy, b.I.yz, b.I.zz};
}

template <class A>
double relativeDifference(const A& a, const A& b) requires requires {
  numbers(a);
}
{ return relativeDifference(numbers(a), numbers(b)); }

}  // namespace espalier::testing

#pragma once

// Quad<T>: four consecutive numbers of an array. In double they share a register; of lanes each
// number fills one. Each number is computed as it would be alone, so that worlds in lanes have the
// bits of worlds alone.

#include <cstring>

#include "espalier/scalar/lanes.h"
#include "espalier/scalar/scalar.h"

namespace espalier {

template <class T>
struct Quad {
  static constexpr int size = 4;
  T v[4];

  Quad() : Quad(bc<T>(0.0)) {}
  ESPALIER_INLINE explicit Quad(const T& s) : v{s, s, s, s} {}
  static ESPALIER_INLINE Quad load(const T* from) {
    Quad q;
    for (int i = 0; i < 4; ++i) q.v[i] = from[i];
    return q;
  }
  ESPALIER_INLINE void store(T* to) const {
    for (int i = 0; i < 4; ++i) to[i] = v[i];
  }
  friend ESPALIER_INLINE Quad operator*(const Quad& a, const Quad& b) {
    Quad q;
    for (int i = 0; i < 4; ++i) q.v[i] = a.v[i] * b.v[i];
    return q;
  }
  /// a b + c
  friend ESPALIER_INLINE Quad fma(const Quad& a, const Quad& b, const Quad& c) {
    Quad q;
    for (int i = 0; i < 4; ++i) q.v[i] = espalier::fma(a.v[i], b.v[i], c.v[i]);
    return q;
  }
  /// c - a b
  friend ESPALIER_INLINE Quad fnma(const Quad& a, const Quad& b, const Quad& c) {
    Quad q;
    for (int i = 0; i < 4; ++i) q.v[i] = espalier::fnma(a.v[i], b.v[i], c.v[i]);
    return q;
  }
  friend ESPALIER_INLINE T sum(const Quad& a) { return (a.v[0] + a.v[1]) + (a.v[2] + a.v[3]); }
};

template <>
struct Quad<double> {
  static constexpr int size = 4;
  using Four = Lanes<double, 4>;
  Four v;

  Quad() : Quad(0.0) {}
  ESPALIER_INLINE Quad(Four four) : v(four) {}
  ESPALIER_INLINE explicit Quad(double s) : v(s) {}
  static ESPALIER_INLINE Quad load(const double* from) {
    Four four;
    std::memcpy(&four, from, sizeof(four));
    return four;
  }
  ESPALIER_INLINE void store(double* to) const { std::memcpy(to, &v, sizeof(v)); }
  friend ESPALIER_INLINE Quad operator*(const Quad& a, const Quad& b) { return a.v * b.v; }
  friend ESPALIER_INLINE Quad fma(const Quad& a, const Quad& b, const Quad& c) {
    return espalier::fma(a.v, b.v, c.v);
  }
  friend ESPALIER_INLINE Quad fnma(const Quad& a, const Quad& b, const Quad& c) {
    return espalier::fnma(a.v, b.v, c.v);
  }
  friend ESPALIER_INLINE double sum(const Quad& a) {
    return (a.v.v[0] + a.v.v[1]) + (a.v.v[2] + a.v.v[3]);
  }
};

}  // namespace espalier

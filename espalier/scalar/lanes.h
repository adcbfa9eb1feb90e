#pragma once

// Lanes<S, W>: W worlds side by side in one vector register.
//
// Built on the compilers' vector extensions, exactly one register wide (two registers are
// lowered badly by gcc 12). fma and sqrt are intrinsics where the generic loop is not
// reliably vectorised. Each instruction-set level has its own inline namespace, so that the
// linker cannot mix code compiled for different machines.

#include <cstdint>

#include "espalier/scalar/scalar.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define ESPALIER_ISA v4
#elif defined(__AVX2__) && defined(__FMA__)
#define ESPALIER_ISA v3
#else
#define ESPALIER_ISA generic
#endif

namespace espalier {
inline namespace ESPALIER_ISA {

/// Bytes of one vector register at this instruction-set level.
#if defined(__AVX512F__) && defined(__AVX512DQ__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX2__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif

namespace lanes_detail {
// Outside the class: gcc 12 rejects the attribute on a dependent member type.
template <class S, int W>
struct Vector {
  typedef S Type __attribute__((vector_size(W * sizeof(S))));
};
template <class S>
using Integer = std::conditional_t<sizeof(S) == 8, std::int64_t, std::int32_t>;
}  // namespace lanes_detail

/// Result of comparing Lanes; all bits of a lane set where true.
template <class S, int W>
struct Mask {
  using Vector = typename lanes_detail::Vector<lanes_detail::Integer<S>, W>::Type;
  Vector v;

  friend ESPALIER_INLINE Mask operator&(Mask a, Mask b) { return {a.v & b.v}; }
  friend ESPALIER_INLINE Mask operator|(Mask a, Mask b) { return {a.v | b.v}; }
  friend ESPALIER_INLINE Mask operator!(Mask a) { return {~a.v}; }
};

template <class S, int W>
struct Lanes {
  using Vector = typename lanes_detail::Vector<S, W>::Type;
  Vector v;

  Lanes() = default;
  ESPALIER_INLINE Lanes(Vector x) : v(x) {}
  ESPALIER_INLINE explicit Lanes(S s) : v(s - Vector{}) {}  // s - 0, which keeps -0

  friend ESPALIER_INLINE Lanes operator+(Lanes a, Lanes b) { return a.v + b.v; }
  friend ESPALIER_INLINE Lanes operator-(Lanes a, Lanes b) { return a.v - b.v; }
  friend ESPALIER_INLINE Lanes operator*(Lanes a, Lanes b) { return a.v * b.v; }
  friend ESPALIER_INLINE Lanes operator/(Lanes a, Lanes b) { return a.v / b.v; }
  friend ESPALIER_INLINE Lanes operator-(Lanes a) { return -a.v; }
  ESPALIER_INLINE Lanes& operator+=(Lanes b) {
    v += b.v;
    return *this;
  }
  ESPALIER_INLINE Lanes& operator-=(Lanes b) {
    v -= b.v;
    return *this;
  }
  ESPALIER_INLINE Lanes& operator*=(Lanes b) {
    v *= b.v;
    return *this;
  }

  friend ESPALIER_INLINE Mask<S, W> operator<(Lanes a, Lanes b) { return {a.v < b.v}; }
  friend ESPALIER_INLINE Mask<S, W> operator>(Lanes a, Lanes b) { return {a.v > b.v}; }
  friend ESPALIER_INLINE Mask<S, W> operator<=(Lanes a, Lanes b) { return {a.v <= b.v}; }
  friend ESPALIER_INLINE Mask<S, W> operator>=(Lanes a, Lanes b) { return {a.v >= b.v}; }
};

template <class S, int W>
ESPALIER_INLINE Lanes<S, W> select(Mask<S, W> m, Lanes<S, W> a, Lanes<S, W> b) {
  return m.v ? a.v : b.v;
}
template <class S, int W>
ESPALIER_INLINE Lanes<S, W> min(Lanes<S, W> a, Lanes<S, W> b) {
  return a.v < b.v ? a.v : b.v;
}
template <class S, int W>
ESPALIER_INLINE Lanes<S, W> max(Lanes<S, W> a, Lanes<S, W> b) {
  return a.v > b.v ? a.v : b.v;
}
template <class S, int W>
ESPALIER_INLINE Lanes<S, W> abs(Lanes<S, W> a) {
  using Bits = typename Mask<S, W>::Vector;
  const Bits sign = reinterpret_cast<Bits>(Lanes<S, W>(S(-0.0)).v);
  return reinterpret_cast<typename Lanes<S, W>::Vector>(reinterpret_cast<Bits>(a.v) & ~sign);
}
template <class S, int W>
ESPALIER_INLINE S lane(const Lanes<S, W>& a, int i) {
  return a.v[i];
}
template <class S, int W>
ESPALIER_INLINE void setLane(Lanes<S, W>& a, int i, S x) {
  a.v[i] = x;
}

// fma, sqrt and any: one instruction where the machine has it, a loop elsewhere.
// (maskz: gcc 12 warns of an uninitialised register inside its own plain _mm512_sqrt.)
template <class S, int W>
ESPALIER_INLINE Lanes<S, W> fma(Lanes<S, W> a, Lanes<S, W> b, Lanes<S, W> c) {
#if defined(__AVX512F__)
  if constexpr (W * sizeof(S) == 64 && sizeof(S) == 8)
    return (typename Lanes<S, W>::Vector)_mm512_fmadd_pd((__m512d)a.v, (__m512d)b.v, (__m512d)c.v);
  if constexpr (W * sizeof(S) == 64 && sizeof(S) == 4)
    return (typename Lanes<S, W>::Vector)_mm512_fmadd_ps((__m512)a.v, (__m512)b.v, (__m512)c.v);
#endif
#if defined(__FMA__)
  if constexpr (W * sizeof(S) == 32 && sizeof(S) == 8)
    return (typename Lanes<S, W>::Vector)_mm256_fmadd_pd((__m256d)a.v, (__m256d)b.v, (__m256d)c.v);
  if constexpr (W * sizeof(S) == 32 && sizeof(S) == 4)
    return (typename Lanes<S, W>::Vector)_mm256_fmadd_ps((__m256)a.v, (__m256)b.v, (__m256)c.v);
#endif
  Lanes<S, W> r;
  for (int i = 0; i < W; ++i) r.v[i] = espalier::fma(S(a.v[i]), S(b.v[i]), S(c.v[i]));
  return r;
}
template <class S, int W>
ESPALIER_INLINE Lanes<S, W> fnma(Lanes<S, W> a, Lanes<S, W> b, Lanes<S, W> c) {
#if defined(__AVX512F__)
  if constexpr (W * sizeof(S) == 64 && sizeof(S) == 8)
    return (typename Lanes<S, W>::Vector)_mm512_fnmadd_pd((__m512d)a.v, (__m512d)b.v, (__m512d)c.v);
  if constexpr (W * sizeof(S) == 64 && sizeof(S) == 4)
    return (typename Lanes<S, W>::Vector)_mm512_fnmadd_ps((__m512)a.v, (__m512)b.v, (__m512)c.v);
#endif
#if defined(__FMA__)
  if constexpr (W * sizeof(S) == 32 && sizeof(S) == 8)
    return (typename Lanes<S, W>::Vector)_mm256_fnmadd_pd((__m256d)a.v, (__m256d)b.v, (__m256d)c.v);
  if constexpr (W * sizeof(S) == 32 && sizeof(S) == 4)
    return (typename Lanes<S, W>::Vector)_mm256_fnmadd_ps((__m256)a.v, (__m256)b.v, (__m256)c.v);
#endif
  return fma(-a, b, c);
}
template <class S, int W>
ESPALIER_INLINE Lanes<S, W> sqrt(Lanes<S, W> a) {
#if defined(__AVX512F__)
  if constexpr (W * sizeof(S) == 64 && sizeof(S) == 8)
    return (typename Lanes<S, W>::Vector)_mm512_maskz_sqrt_pd(0xFF, (__m512d)a.v);
  if constexpr (W * sizeof(S) == 64 && sizeof(S) == 4)
    return (typename Lanes<S, W>::Vector)_mm512_maskz_sqrt_ps(0xFFFF, (__m512)a.v);
#endif
#if defined(__AVX__)
  if constexpr (W * sizeof(S) == 32 && sizeof(S) == 8)
    return (typename Lanes<S, W>::Vector)_mm256_sqrt_pd((__m256d)a.v);
  if constexpr (W * sizeof(S) == 32 && sizeof(S) == 4)
    return (typename Lanes<S, W>::Vector)_mm256_sqrt_ps((__m256)a.v);
#endif
  Lanes<S, W> r;
  for (int i = 0; i < W; ++i) r.v[i] = espalier::sqrt(S(a.v[i]));
  return r;
}
template <class S, int W>
ESPALIER_INLINE bool any(Mask<S, W> m) {
#if defined(__AVX512DQ__)
  if constexpr (W * sizeof(S) == 64 && sizeof(S) == 8)
    return _mm512_movepi64_mask((__m512i)m.v) != 0;
  if constexpr (W * sizeof(S) == 64 && sizeof(S) == 4)
    return _mm512_movepi32_mask((__m512i)m.v) != 0;
#endif
#if defined(__AVX__)
  if constexpr (W * sizeof(S) == 32 && sizeof(S) == 8) return _mm256_movemask_pd((__m256d)m.v) != 0;
  if constexpr (W * sizeof(S) == 32 && sizeof(S) == 4) return _mm256_movemask_ps((__m256)m.v) != 0;
#endif
  lanes_detail::Integer<S> bits = 0;
  for (int i = 0; i < W; ++i) bits |= m.v[i];
  return bits != 0;
}
template <class S, int W>
ESPALIER_INLINE bool all(Mask<S, W> m) {
  return !any(!m);
}

}  // namespace ESPALIER_ISA

template <class S, int W>
struct ScalarTraits<Lanes<S, W>> {
  using Value = S;
  using Mask = espalier::Mask<S, W>;
  static constexpr int lanes = W;
};

}  // namespace espalier

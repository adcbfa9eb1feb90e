#pragma once

// The definitions of contact/sparse_lu.h, for the translation units that instantiate them.

#include <bit>

#include "espalier/contact/sparse_lu.h"

namespace espalier::contact {

template <class T>
void SparseLu<T>::reserve(int n) {
  ESPALIER_REQUIRE(n >= 0, "the number of unknowns is a count");
  max_ = n;
  n_ = 0;
  h_ = AlignedArray<T>(n * (n + 3) + 4);
  x_ = AlignedArray<T>(n + 3);
  pattern_ = AlignedArray<std::uint64_t>((n + 1) * (n / bits + 1));
  row_ = AlignedArray<Row>(n);
  run_ = AlignedArray<Run>(n * (n / 2 + 1));
  quad_ = AlignedArray<Run>(n * (n / 8 + 2));
}

template <class T>
void SparseLu<T>::clear(int n) {
  ESPALIER_ASSERT(n <= max_);
  n_ = n;
  words_ = n / bits + 1;
  stride_ = (n + 3) / 4 * 4;
  for (int i = 0; i < n * words_; ++i) pattern_[i] = 0;
}

template <class T>
void SparseLu<T>::beginBlock() {
  std::uint64_t* before = pattern(n_);  // a spare row: the indices met so far
  for (int w = 0; w < words_; ++w) before[w] = 0;
}

template <class T>
void SparseLu<T>::addToBlock(int first, int last) {
  std::uint64_t* before = pattern(n_);
  for (int i = first; i < last; ++i) {
    std::uint64_t* own = pattern(i);
    for (int w = 0; w < words_; ++w) own[w] |= before[w];
    before[i / bits] |= std::uint64_t{1} << (i % bits);
  }
}

template <class T>
void SparseLu<T>::finishPattern() {
  operations_ = 0;
  for (int i = n_ - 1; i > 0; --i) {
    const std::uint64_t* own = pattern(i);
    int parent = -1;
    for (int w = words_ - 1; w >= 0 && parent < 0; --w)
      if (own[w] != 0) parent = w * bits + bits - 1 - std::countl_zero(own[w]);
    if (parent < 0) continue;
    std::uint64_t* up = pattern(parent);
    for (int w = 0; w < words_; ++w) up[w] |= own[w];
    up[parent / bits] &= ~(std::uint64_t{1} << (parent % bits));
  }
  int runs = 0, quads = 0;
  for (int i = 0; i < n_; ++i) {
    Row& row = row_[i];
    row.run = runs;
    row.quad = quads;
    const std::uint64_t* own = pattern(i);
    long count = 0;
    for (int j = 0; j < i;) {
      const std::uint64_t rest = own[j / bits] >> (j % bits);
      if (rest == 0) {
        j += bits - j % bits;
        continue;
      }
      j += std::countr_zero(rest);
      const int first = j;
      while (j < i && ((own[j / bits] >> (j % bits)) & 1) != 0) ++j;
      run_[runs++] = {first, j};
      count += j - first;
      const int from = first / 4 * 4, to = (j + 3) / 4 * 4;
      if (quads > row.quad && quad_[quads - 1].last >= from)
        quad_[quads - 1].last = to;
      else
        quad_[quads++] = {from, to};
    }
    row.lastRun = runs;
    row.lastQuad = quads;
    operations_ += count * (count + 2);
  }
}

template <class T>
void SparseLu<T>::setTo(const T* g, const T& s) {
  using Q = Quad<T>;
  const Q factor(s);
  T* h = h_.data();
  for (int k = 0; k < entries(); k += Q::size) (factor * Q::load(g + k)).store(h + k);
  for (int i = 0; i < n_; ++i) row(i)[i] += bc<T>(1.0);
}

/// Elimination of unknown i: with l = H[j][i] / H[i][i] for j < i,  H[j][k] -= l H[i][k].
template <class T>
void SparseLu<T>::solve(T* r) {
  using Q = Quad<T>;
  for (int i = n_ - 1; i >= 0; --i) {
    const Row& at = row_[i];
    T* own = row(i);
    const T inverse = bc<T>(1.0) / own[i], right = r[i];
    own[i] = inverse;
    for (int s = at.run; s < at.lastRun; ++s) {
      const Run rows = run_[s];
      for (int j = rows.first; j < rows.last; ++j) {
        T* to = row(j);
        const T l = to[i] * inverse;
        r[j] = fnma(l, right, r[j]);
        const Q factor(l);
        for (int q = at.quad; q < at.lastQuad; ++q) {
          const Run quads = quad_[q];
          for (int k = quads.first; k < quads.last; k += 4)
            fnma(factor, Q::load(own + k), Q::load(to + k)).store(to + k);
        }
      }
    }
  }
  // x[k] is zero where it is not known yet, so that whole quads may be summed.
  T* x = x_.data();
  for (int k = 0; k < stride_; ++k) x[k] = bc<T>(0.0);
  for (int i = 0; i < n_; ++i) {
    const Row& at = row_[i];
    const T* own = row(i);
    Q known;
    for (int q = at.quad; q < at.lastQuad; ++q) {
      const Run quads = quad_[q];
      for (int k = quads.first; k < quads.last; k += 4)
        known = fma(Q::load(own + k), Q::load(x + k), known);
    }
    x[i] = (r[i] - sum(known)) * own[i];
  }
  for (int i = 0; i < n_; ++i) r[i] = x[i];
}

}  // namespace espalier::contact

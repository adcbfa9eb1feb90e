#pragma once

// The definitions of contact/sparse_lu.h, for the translation units that instantiate them.

#include <bit>

#include "espalier/contact/sparse_lu.h"

namespace espalier::contact {

template <class T>
void SparseLu<T>::reserve(int n) {
  ESPALIER_REQUIRE(n >= 0, "the number of unknowns is a count");
  const auto size = static_cast<std::size_t>(n);
  max_ = n;
  n_ = 0;
  h_ = AlignedArray<T>(size * size);
  column_ = AlignedArray<T>(size);
  pattern_ = AlignedArray<std::uint64_t>((size + 1) * (size / bits + 1));
  run_ = AlignedArray<Run>(size * (size / 2 + 1));
  runBegin_ = AlignedArray<int>(size + 1);
}

template <class T>
void SparseLu<T>::clear(int n) {
  ESPALIER_ASSERT(n <= max_);
  n_ = n;
  words_ = n / bits + 1;
  for (int i = 0; i < n * words_; ++i) pattern_[static_cast<std::size_t>(i)] = 0;
}

template <class T>
void SparseLu<T>::addBlock(std::span<const int> indices) {
  std::uint64_t* before = pattern(n_);  // a spare row: the indices met so far
  for (int w = 0; w < words_; ++w) before[w] = 0;
  for (const int i : indices) {
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
  int runs = 0;
  for (int i = 0; i < n_; ++i) {
    runBegin_[static_cast<std::size_t>(i)] = runs;
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
      run_[static_cast<std::size_t>(runs++)] = {first, j};
      count += j - first;
    }
    operations_ += count * (count + 2);
  }
  runBegin_[static_cast<std::size_t>(n_)] = runs;
}

template <class T>
void SparseLu<T>::setIdentity() {
  const T zero = bc<T>(0.0);
  for (int i = 0; i < n_; ++i) {
    for (const Run run : runs(i))
      for (int j = run.first; j < run.last; ++j) row(i)[j] = row(j)[i] = zero;
    row(i)[i] = bc<T>(1.0);
  }
}

/// Elimination of unknown i: with l = H[j][i] / H[i][i] for j < i,  H[j][k] -= l H[i][k].
template <class T>
void SparseLu<T>::solve(T* r) {
  for (int i = n_ - 1; i >= 0; --i) {
    T* __restrict own = row(i);
    const T inverse = bc<T>(1.0) / own[i];
    own[i] = inverse;
    const auto ancestors = runs(i);
    for (const Run rows : ancestors)
      for (int j = rows.first; j < rows.last; ++j) {
        T* __restrict to = row(j);
        const T l = to[i] * inverse;
        r[j] = fnma(l, r[i], r[j]);
        for (const Run run : ancestors)
          for (int k = run.first; k < run.last; ++k) to[k] = fnma(l, own[k], to[k]);
      }
  }
  for (int i = 0; i < n_; ++i) {
    const T* own = row(i);
    T sum = r[i];
    for (const Run run : runs(i))
      for (int k = run.first; k < run.last; ++k) sum = fnma(own[k], r[k], sum);
    r[i] = sum * own[i];
  }
}

}  // namespace espalier::contact

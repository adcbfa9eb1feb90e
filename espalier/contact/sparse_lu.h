#pragma once

// Sparse LU without pivoting, for matrices 1 + (sums of dense blocks on few indices) whose pattern
// is that of a forest: H[i][j] and H[j][i] are in the pattern where one block holds both i and j.
//
// Unknowns are eliminated from the last to the first, as in Featherstone's L'DL factorisation: on
// the dofs of a robot numbered parents first, blocks that lie on one path to the root cause no
// fill-in, whatever their number. Blocks that join two branches fill the path between them.
//
//   from  Featherstone 2008, ch. 6.5; Gilbert 1994, "Predicting structure in sparse matrix
//         computations", for the fill-in by the elimination tree

#include <cstdint>
#include <span>

#include "espalier/core/aligned.h"
#include "espalier/core/check.h"
#include "espalier/scalar/instantiate.h"

namespace espalier::contact {

/// Indices first .. last - 1.
struct Run {
  int first, last;
};

template <class T>
class SparseLu {
 public:
  /// Room for n unknowns; the only call that allocates.
  void reserve(int n);
  int maxSize() const { return max_; }
  int size() const { return n_; }

  /// Starts a pattern of n unknowns.   pre  n <= maxSize()
  void clear(int n);
  /// A block on these indices, ascending.
  void addBlock(std::span<const int> indices);
  /// Adds the fill-in.
  void finishPattern();
  /// Multiplications that one factorisation takes, about.
  long operations() const { return operations_; }

  /// The identity.
  void setIdentity();
  /// Row i; entries outside the pattern are not to be written.
  T* row(int i) { return &h_[static_cast<std::size_t>(i) * static_cast<std::size_t>(n_)]; }

  /// Factors in place and solves H x = r, r [size] becomes x. A vanishing pivot makes x infinite or
  /// NaN.
  void solve(T* r);

 private:
  static constexpr int bits = 64;
  std::uint64_t* pattern(int i) { return &pattern_[static_cast<std::size_t>(i * words_)]; }
  std::span<const Run> runs(int i) const {
    return {&run_[runBegin_[static_cast<std::size_t>(i)]],
            static_cast<std::size_t>(runBegin_[static_cast<std::size_t>(i) + 1] -
                                     runBegin_[static_cast<std::size_t>(i)])};
  }

  int max_ = 0, n_ = 0, words_ = 0;
  long operations_ = 0;
  AlignedArray<T> h_;                    // [n n]
  AlignedArray<T> column_;               // [n] of the unknown that is eliminated
  AlignedArray<std::uint64_t> pattern_;  // [n + 1][words] bit j of row i, j < i
  AlignedArray<Run> run_;                // of the rows, one after another
  AlignedArray<int> runBegin_;           // [n + 1]
};

}  // namespace espalier::contact

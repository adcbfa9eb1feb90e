#pragma once

// Sparse LU without pivoting, for matrices 1 + (sums of dense blocks on few indices) whose pattern
// is that of a forest: H[i][j] and H[j][i] are in the pattern where one block holds both i and j.
//
// Unknowns are eliminated from the last to the first, as in Featherstone's L'DL factorisation: on
// the dofs of a robot numbered parents first, blocks that lie on one path to the root cause no
// fill-in, whatever their number. Blocks that join two branches fill the path between them.
//
// Rows are eliminated by quads of neighbouring entries. What a quad holds beyond the pattern is zero
// left of the diagonal, so that it changes nothing, and right of it belongs to unknowns that are
// eliminated already.
//
//   from  Featherstone 2008, ch. 6.5; Gilbert 1994, "Predicting structure in sparse matrix
//         computations", for the fill-in by the elimination tree

#include <cstdint>

#include "espalier/core/aligned.h"
#include "espalier/core/check.h"
#include "espalier/scalar/quad.h"

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
  /// A block on the indices that addToBlock tells, ascending: first .. last - 1.
  void beginBlock();
  void addToBlock(int first, int last);
  /// Adds the fill-in.
  void finishPattern();
  /// Multiplications that one factorisation takes, about.
  long operations() const { return operations_; }

  /// Numbers of a matrix as H is stored, row by row; and of one row.
  int entries() const { return n_ * stride_; }
  int stride() const { return stride_; }
  /// H = 1 + s G.   in  G [entries], of the pattern, zero outside
  void setTo(const T* g, const T& s);
  /// Row i. To entries outside the pattern nothing but zero may be added, up to three behind the
  /// last one too.
  T* row(int i) { return &h_[static_cast<std::size_t>(i) * static_cast<std::size_t>(stride_)]; }

  /// Factors in place and solves H x = r, r [size] becomes x. A vanishing pivot makes x infinite or
  /// NaN.
  void solve(T* r);

 private:
  static constexpr int bits = 64;
  std::uint64_t* pattern(int i) { return &pattern_[i * words_]; }
  /// Of row i: its neighbours j < i in the pattern; and the quads of the row that hold them.
  struct Row {
    int run, lastRun, quad, lastQuad;
  };

  int max_ = 0, n_ = 0, words_ = 0, stride_ = 0;
  long operations_ = 0;
  AlignedArray<T> h_;                    // [n][stride]
  AlignedArray<T> x_;                    // [stride] the solution
  AlignedArray<std::uint64_t> pattern_;  // [n + 1][words] bit j of row i, j < i
  AlignedArray<Row> row_;                // [n]
  AlignedArray<Run> run_;                // of the rows, one after another
  AlignedArray<Run> quad_;               // the same in multiples of four
};

}  // namespace espalier::contact

#pragma once

// K_d x_d = r - K_i x_i, block by block (model/loops/loop_plan.h). Blocks of two or three dofs, which most
// are, are inverted: the order of pivots is fixed, and one may pass through zero where the block is regular.
// Larger ones are eliminated where their pattern is. Right-hand sides go a few columns at a time.

#include "espalier/dynamics/loops/closure.h"

namespace espalier::closure_detail {

/// Calls f.template operator()<S>() with S the size of a small block, 0 of any other.
template <class F>
ESPALIER_INLINE void withSize(int size, F&& f) {
  switch (size) {
    case 1: return f.template operator()<1>();
    case 2: return f.template operator()<2>();
    case 3: return f.template operator()<3>();
    default: return f.template operator()<0>();
  }
}

/// Calls f.template operator()<C>(first) for columns four at a time, then for those that are left: C of them
/// from `first` on, whose sums stay in registers.
template <class F>
ESPALIER_INLINE void fewByFew(int columns, F&& f) {
  constexpr int most = 4;
  int first = 0;
  for (; first + most <= columns; first += most) f.template operator()<most>(first);
  withSize(columns - first, [&]<int C>() {
    if constexpr (C > 0) f.template operator()<C>(first);
  });
}

/// One of LoopPlan's lists of columns.
struct Columns {
  const int *first, *last;
  const int* begin() const { return first; }
  const int* end() const { return last; }
};
inline Columns columnsOf(const std::vector<int>& list, const std::vector<int>& first, int row) {
  return {list.data() + first[row], list.data() + first[row + 1]};
}

/// L U of a block in place, row by row, where its pattern is; on the diagonal the pivots' inverses. The order
/// was chosen before.
template <class T>
void factorBlock(const T* K, int n, const LoopPlan& plan, const LoopBlock& block, T* lu) {
  const int s = block.size;
  const int* dofs = &plan.dependent[block.first];
  for (int i = 0; i < s; ++i) {
    const Columns lower = columnsOf(plan.lower, plan.firstLower, block.first + i);
    const Columns upper = columnsOf(plan.upper, plan.firstUpper, block.first + i);
    const T* from = K + plan.rows[block.first + i] * n;
    T* own = lu + i * s;
    own[i] = from[dofs[i]];
    for (const int j : lower) own[j] = from[dofs[j]];
    for (const int j : upper) own[j] = from[dofs[j]];
    for (const int k : lower) {
      const T* other = lu + k * s;
      const T l = own[k] = own[k] * other[k];
      for (const int j : columnsOf(plan.upper, plan.firstUpper, block.first + k))
        own[j] = fnma(l, other[j], own[j]);
    }
    own[i] = bc<T>(1.0) / own[i];
  }
}

/// The inverse of a block, by its adjugate.   returns 1 / det
template <int S, class T>
ESPALIER_INLINE T invertBlock(const T* K, int n, const int* rows, const int* dofs, T* inverse) {
  const auto k = [&](int i, int j) -> const T& { return K[rows[i] * n + dofs[j]]; };
  if constexpr (S == 2) {
    const T r = bc<T>(1.0) / fnma(k(0, 1), k(1, 0), k(0, 0) * k(1, 1));
    put(inverse, k(1, 1) * r, -k(0, 1) * r, -k(1, 0) * r, k(0, 0) * r);
    return r;
  } else {
    const Vec3<T> a{k(0, 0), k(1, 0), k(2, 0)}, b{k(0, 1), k(1, 1), k(2, 1)},
        c{k(0, 2), k(1, 2), k(2, 2)};
    const Vec3<T> bxc = cross(b, c);
    const T r = bc<T>(1.0) / dot(a, bxc);
    const Vec3<T> u = bxc * r, v = cross(c, a) * r, w = cross(a, b) * r;
    put(inverse, u.x, u.y, u.z, v.x, v.y, v.z, w.x, w.y, w.z);
    return r;
  }
}

template <class T>
void factorBlocks(const Cluster& c, const LoopPlan& plan, LoopWorkspace<T>& loops) {
  const int n = static_cast<int>(c.dofs.size());
  T* lu = &loops.lu[c.firstK];
  for (const LoopBlock& block : plan.blocks) {
    const T* K = &loops.K[c.firstK];
    const int *rows = &plan.rows[block.first], *dofs = &plan.dependent[block.first];
    const double* least = &plan.leastPivots[block.first];
    if (block.isInverted) {
      const T r = block.size == 2 ? invertBlock<2>(K, n, rows, dofs, lu)
                                  : invertBlock<3>(K, n, rows, dofs, lu);
      loops.singularity = max(loops.singularity, abs(r) * bc<T>(*least));
    } else {
      if (block.size == 1)
        *lu = bc<T>(1.0) / K[*rows * n + *dofs];
      else
        factorBlock(K, n, plan, block, lu);
      for (int k = 0; k < block.size; ++k)
        loops.singularity = max(loops.singularity, abs(lu[k * block.size + k]) * bc<T>(least[k]));
    }
    lu += block.size * block.size;
  }
}

/// x = inverse x of an inverted block, column by column.
template <int S, int C, class T>
ESPALIER_INLINE void multiplyBlock(const int* dofs, const T* inverse, T* x, int stride) {
  for (int y = 0; y < C; ++y) {
    T right[S];
    for (int i = 0; i < S; ++i) right[i] = x[dofs[i] * stride + y];
    for (int i = 0; i < S; ++i) {
      T sum = inverse[i * S] * right[0];
      for (int j = 1; j < S; ++j) sum = fma(inverse[i * S + j], right[j], sum);
      x[dofs[i] * stride + y] = sum;
    }
  }
}

/// C columns of the x of one block.
///   in   S  its size if it is inverted, else 0
///   in   right(row)  the same for all columns of x
///   io   x  [dofs][stride]; those of blocks before and of the independent dofs are known
template <int S, int C, class T, class Right>
ESPALIER_INLINE void solveBlock(const LoopPlan& plan, const LoopBlock& block, const T* K, int n,
                                const T* lu, T* x, int stride, Right&& right) {
  const int s = S > 0 ? S : block.size;
  const int* dofs = &plan.dependent[block.first];
  T own[C];
  const auto subtract = [&](const T& factor, int dof) {
    for (int y = 0; y < C; ++y) own[y] = fnma(factor, x[dof * stride + y], own[y]);
  };
  for (int i = 0; i < s; ++i) {
    const int row = plan.rows[block.first + i];
    for (T& sum : own) sum = right(row);
    for (const int j : columnsOf(plan.outside, plan.firstOutside, block.first + i))
      subtract(K[row * n + j], j);
    if constexpr (S == 0)
      for (const int k : columnsOf(plan.lower, plan.firstLower, block.first + i))
        subtract(lu[i * s + k], dofs[k]);
    for (int y = 0; y < C; ++y) x[dofs[i] * stride + y] = own[y];
  }
  if constexpr (S > 0) return multiplyBlock<S, C>(dofs, lu, x, stride);
  for (int i = s - 1; i >= 0; --i) {
    for (int y = 0; y < C; ++y) own[y] = x[dofs[i] * stride + y];
    for (const int k : columnsOf(plan.upper, plan.firstUpper, block.first + i))
      subtract(lu[i * s + k], dofs[k]);
    for (int y = 0; y < C; ++y) x[dofs[i] * stride + y] = own[y] * lu[i * s + i];
  }
}

/// C columns of the x of the dependent dofs, the factors being known.
///   io  x  [dofs][stride]
template <int C, class T, class Right>
void solveColumns(const Cluster& c, const LoopPlan& plan, const LoopWorkspace<T>& loops, T* x,
                  int stride, Right&& right) {
  const int n = static_cast<int>(c.dofs.size());
  const T *K = &loops.K[c.firstK], *lu = &loops.lu[c.firstK];
  for (const LoopBlock& block : plan.blocks) {
    withSize(block.isInverted || block.size == 1 ? block.size : 0,
             [&]<int S>() { solveBlock<S, C>(plan, block, K, n, lu, x, stride, right); });
    lu += block.size * block.size;
  }
}

}  // namespace espalier::closure_detail

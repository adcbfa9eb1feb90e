#pragma once

// K_d x_d = r - K_i x_i, block by block (model/loops/loop_plan.h). Blocks of one to three dofs, which most
// are, and single right-hand sides have their loops unrolled.

#include "espalier/dynamics/loops/closure.h"
#include "espalier/dynamics/tree/subtract.h"

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

/// L U of a block in place, on the diagonal the pivots' inverses; the order was chosen before.
template <int S, class T>
ESPALIER_INLINE void factorBlock(const T* K, int n, const int* rows, const int* dofs, int size,
                                 T* lu) {
  const int s = S > 0 ? S : size;
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < s; ++j) lu[i * s + j] = K[rows[i] * n + dofs[j]];
  for (int k = 0; k < s; ++k) {
    lu[k * s + k] = bc<T>(1.0) / lu[k * s + k];
    for (int i = k + 1; i < s; ++i) {
      const T l = lu[i * s + k] = lu[i * s + k] * lu[k * s + k];
      if constexpr (S > 0)
        for (int j = k + 1; j < s; ++j) lu[i * s + j] = fnma(l, lu[k * s + j], lu[i * s + j]);
      else
        subtractRows<1, T>(&lu[i * s + k + 1], {&lu[k * s + k + 1]}, {l}, s - k - 1);
    }
  }
}

template <class T>
void factorBlocks(const Cluster& c, const LoopPlan& plan, LoopWorkspace<T>& loops) {
  const int n = static_cast<int>(c.dofs.size());
  T* lu = &loops.lu[c.firstK];
  for (const LoopBlock& block : plan.blocks) {
    withSize(block.size, [&]<int S>() {
      factorBlock<S>(&loops.K[c.firstK], n, &plan.rows[block.first], &plan.dependent[block.first],
                     block.size, lu);
    });
    for (int k = 0; k < block.size; ++k)
      loops.singularity = max(loops.singularity, abs(lu[k * block.size + k]) *
                                                     bc<T>(plan.leastPivots[block.first + k]));
    lu += block.size * block.size;
  }
}

/// The x of one block.
///   in   right(row)  the same for all columns of x
///   io   x  [dofs][columns]; those of blocks before and of the independent dofs are known
template <int S, int C, class T, class Right>
ESPALIER_INLINE void solveBlock(const LoopPlan& plan, const LoopBlock& block, const T* K, int n,
                                const T* lu, T* x, int columns, Right&& right) {
  const int s = S > 0 ? S : block.size, count = C > 0 ? C : columns;
  const int* dofs = &plan.dependent[block.first];
  for (int i = 0; i < s; ++i) {
    const int row = plan.rows[block.first + i];
    T* own = x + dofs[i] * count;
    for (int y = 0; y < count; ++y) own[y] = right(row);
    const int end = plan.firstOutside[block.first + i + 1];
    for (int e = plan.firstOutside[block.first + i]; e < end; ++e) {
      const T k = K[row * n + plan.outside[e]];
      const T* other = x + plan.outside[e] * count;
      for (int y = 0; y < count; ++y) own[y] = fnma(k, other[y], own[y]);
    }
    for (int k = 0; k < i; ++k)
      for (int y = 0; y < count; ++y) own[y] = fnma(lu[i * s + k], x[dofs[k] * count + y], own[y]);
  }
  for (int i = s - 1; i >= 0; --i) {
    T* own = x + dofs[i] * count;
    for (int k = i + 1; k < s; ++k)
      for (int y = 0; y < count; ++y) own[y] = fnma(lu[i * s + k], x[dofs[k] * count + y], own[y]);
    for (int y = 0; y < count; ++y) own[y] = own[y] * lu[i * s + i];
  }
}

/// x of the dependent dofs, the factors being known; x [dofs][columns].
///   in  C  columns, 0 where they are more than a few
template <int C, class T, class Right>
void solveBlocks(const Cluster& c, const LoopPlan& plan, const LoopWorkspace<T>& loops, T* x,
                 int columns, Right&& right) {
  const int n = static_cast<int>(c.dofs.size());
  const T *K = &loops.K[c.firstK], *lu = &loops.lu[c.firstK];
  for (const LoopBlock& block : plan.blocks) {
    withSize(block.size,
             [&]<int S>() { solveBlock<S, C>(plan, block, K, n, lu, x, columns, right); });
    lu += block.size * block.size;
  }
}

}  // namespace espalier::closure_detail

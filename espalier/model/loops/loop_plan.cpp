#include "espalier/model/loops/loop_plan.h"

#include <algorithm>
#include <cmath>

#include "espalier/model/loops/elimination.h"
#include "espalier/model/loops/loop_rows.h"

namespace espalier {
namespace {

/// Rows and dependent dofs as a graph: node i is row i and the dof matched to it.
class Graph {
 public:
  Graph(const std::vector<LoopRow>& rows, int dofs, const std::vector<int>& dependent)
      : rows_(rows), rowOf_(static_cast<std::size_t>(dofs), -1), isDependent_(rowOf_.size(), 0) {
    for (const int d : dependent) isDependent_[d] = 1;
  }

  bool match() {
    for (int r = 0; r < count(); ++r) {
      std::vector<char> seen(rowOf_.size(), 0);
      if (!augment(r, seen)) return false;
    }
    dofOf_.assign(rows_.size(), -1);
    for (std::size_t d = 0; d < rowOf_.size(); ++d)
      if (rowOf_[d] >= 0) dofOf_[rowOf_[d]] = static_cast<int>(d);
    return true;
  }

  /// Components, those that others need first.
  std::vector<std::vector<int>> components() {
    order_.assign(rows_.size(), -1);
    low_.assign(rows_.size(), 0);
    onStack_.assign(rows_.size(), 0);
    for (int r = 0; r < count(); ++r)
      if (order_[r] < 0) visit(r);
    return std::move(found_);
  }
  int dofOf(int row) const { return dofOf_[row]; }

 private:
  int count() const { return static_cast<int>(rows_.size()); }

  bool augment(int row, std::vector<char>& seen) {
    for (const int d : rows_[row].columns) {
      if (!isDependent_[d] || seen[d]) continue;
      seen[d] = 1;
      if (rowOf_[d] >= 0 && !augment(rowOf_[d], seen)) continue;
      rowOf_[d] = row;
      return true;
    }
    return false;
  }

  void visit(int row) {
    order_[row] = low_[row] = next_++;
    stack_.push_back(row);
    onStack_[row] = 1;
    for (const int d : rows_[row].columns) {
      if (!isDependent_[d]) continue;
      const int other = rowOf_[d];
      if (order_[other] < 0) {
        visit(other);
        low_[row] = std::min(low_[row], low_[other]);
      } else if (onStack_[other]) {
        low_[row] = std::min(low_[row], order_[other]);
      }
    }
    if (low_[row] != order_[row]) return;
    std::vector<int>& component = found_.emplace_back();
    do {
      component.push_back(stack_.back());
      onStack_[stack_.back()] = 0;
      stack_.pop_back();
    } while (component.back() != row);
    std::sort(component.begin(), component.end());
  }

  const std::vector<LoopRow>& rows_;
  std::vector<int> rowOf_, dofOf_;
  std::vector<char> isDependent_;
  std::vector<int> order_, low_, stack_;
  std::vector<char> onStack_;
  std::vector<std::vector<int>> found_;
  int next_ = 0;
};

}  // namespace

LoopPlan makePlan(const std::vector<LoopRow>& rows, int dofs, const std::vector<int>& dependent) {
  LoopPlan plan;
  for (int d = 0; d < dofs; ++d)
    if (!std::binary_search(dependent.begin(), dependent.end(), d)) plan.independent.push_back(d);
  Graph graph(rows, dofs, dependent);
  if (!graph.match()) {
    plan.dependent = dependent;
    for (int r = 0; r < static_cast<int>(rows.size()); ++r) plan.rows.push_back(r);
    if (!rows.empty()) plan.blocks.push_back({0, static_cast<int>(rows.size())});
    return plan;
  }
  for (const std::vector<int>& block : graph.components()) {
    const int size = static_cast<int>(block.size());
    plan.blocks.push_back({static_cast<int>(plan.rows.size()), size, size == 2 || size == 3});
    for (const int r : block) {
      plan.rows.push_back(r);
      plan.dependent.push_back(graph.dofOf(r));
    }
  }
  return plan;
}

void orderPivots(LoopPlan& plan, const std::vector<LoopRow>& rowsOf, const std::vector<double>& K,
                 int dofs) {
  for (const LoopBlock& block : plan.blocks) {
    const auto first = plan.rows.begin() + block.first;
    const auto firstDof = plan.dependent.begin() + block.first;
    std::vector<double> own;
    std::vector<char> isFilled;
    for (int r = 0; r < block.size; ++r)
      for (int d = 0; d < block.size; ++d) {
        const std::vector<int>& columns = rowsOf[first[r]].columns;
        own.push_back(K[first[r] * dofs + firstDof[d]]);
        isFilled.push_back(std::binary_search(columns.begin(), columns.end(), firstDof[d]));
      }
    const Pivots pivots = choosePivotsOfPattern(std::move(own), std::move(isFilled), block.size);
    if (pivots.rank() < block.size) continue;
    const std::vector<int> rows(first, first + block.size),
        columns(firstDof, firstDof + block.size);
    for (int k = 0; k < block.size; ++k) {
      first[k] = rows[pivots.rows[k]];
      firstDof[k] = columns[pivots.columns[k]];
    }
  }
}

std::vector<double> pivotsOf(const LoopPlan& plan, const std::vector<double>& K, int dofs) {
  std::vector<double> sizes;
  for (const LoopBlock& block : plan.blocks) {
    const int s = block.size;
    std::vector<double> a;
    for (int r = block.first; r < block.first + s; ++r)
      for (int d = block.first; d < block.first + s; ++d)
        a.push_back(K[plan.rows[r] * dofs + plan.dependent[d]]);
    const auto at = [&](int i, int j) -> double& { return a[i * s + j]; };
    if (block.isInverted) {
      const auto minor = [&](int i, int j) { return at(0, i) * at(1, j) - at(0, j) * at(1, i); };
      sizes.push_back(std::abs(s == 2 ? minor(0, 1)
                                      : at(2, 0) * minor(1, 2) - at(2, 1) * minor(0, 2) +
                                            at(2, 2) * minor(0, 1)));
      sizes.resize(sizes.size() + s - 1);
      continue;
    }
    for (int k = 0; k < s; ++k) {
      sizes.push_back(std::abs(at(k, k)));
      for (int i = k + 1; i < s; ++i)
        for (int j = k + 1; j < s; ++j) at(i, j) -= at(i, k) / at(k, k) * at(k, j);
    }
  }
  return sizes;
}

int rowsOf(LoopKind kind) { return static_cast<int>(rowTable(kind).size()); }

const char* nameOf(LoopKind kind) {
  switch (kind) {
    case LoopKind::POINT: return "point";
    case LoopKind::FIXED: return "fixed";
    case LoopKind::REVOLUTE: return "revolute";
    case LoopKind::PRISMATIC: return "prismatic";
    case LoopKind::CYLINDRICAL: return "cylindrical";
    case LoopKind::UNIVERSAL: return "universal";
    case LoopKind::PLANAR: return "planar";
    case LoopKind::SCREW: return "screw";
  }
  return "";
}

}  // namespace espalier

#include "espalier/step/loop_forces.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "espalier/dynamics/loops/closure_rows.h"

namespace espalier {

namespace {

/// Share of the largest pivot below which a row counts as dependent on the others, at a change point.
constexpr double least_pivot = 1e-10;

int mostOf(const Mechanism& m, int (*size)(const Cluster&)) {
  int most = 0;
  for (const Cluster& c : m.clusters) most = std::max(most, size(c));
  return most;
}

}  // namespace

LoopForces::LoopForces(const Mechanism& m)
    : width_(mostOf(m, [](const Cluster& c) { return static_cast<int>(c.rows.size()); }) + 1),
      matrix_(static_cast<std::size_t>(
          width_ * mostOf(m, [](const Cluster& c) { return static_cast<int>(c.dofs.size()); }))),
      mu_(static_cast<std::size_t>(width_)),
      column_(static_cast<std::size_t>(width_)) {}

/// K' mu = r by elimination with full pivoting; mu of rows that say nothing new is zero.
void LoopForces::solve(int dofs, int rows) {
  for (int r = 0; r < rows; ++r) mu_[r] = 0, column_[r] = r;
  double first = 0;
  int rank = 0;
  for (; rank < std::min(dofs, rows); ++rank) {
    int bestDof = rank, bestRow = rank;
    for (int i = rank; i < dofs; ++i)
      for (int j = rank; j < rows; ++j)
        if (std::abs(at(i, j)) > std::abs(at(bestDof, bestRow))) bestDof = i, bestRow = j;
    const double pivot = std::abs(at(bestDof, bestRow));
    if (rank == 0) first = pivot;
    if (!(pivot > least_pivot * first)) break;
    for (int j = 0; j <= rows; ++j) std::swap(at(rank, j), at(bestDof, j));
    for (int i = 0; i < dofs; ++i) std::swap(at(i, rank), at(i, bestRow));
    std::swap(column_[rank], column_[bestRow]);
    for (int i = rank + 1; i < dofs; ++i) {
      const double factor = at(i, rank) / at(rank, rank);
      for (int j = rank; j <= rows; ++j) at(i, j) -= factor * at(rank, j);
    }
  }
  for (int k = rank - 1; k >= 0; --k) {
    double x = at(k, rows);
    for (int j = k + 1; j < rank; ++j) x -= at(k, j) * mu_[column_[j]];
    mu_[column_[k]] = x / at(k, k);
  }
}

void LoopForces::push(const Mechanism& m, const LoopWorkspace<double>& loops,
                      const Workspace<double>& ws, const double* left, Force<double>* outside) {
  using closure_detail::axesOf, closure_detail::placeOf;
  for (const Cluster& c : m.clusters) {
    const int dofs = static_cast<int>(c.dofs.size()), rows = static_cast<int>(c.rows.size());
    for (int i = 0; i < dofs; ++i) {
      for (int r = 0; r < rows; ++r) at(i, r) = loops.K[c.firstK + r * dofs + i];
      at(i, rows) = left[c.dofs[static_cast<std::size_t>(i)]];
    }
    solve(dofs, rows);
    for (int r = 0; r < rows; ++r) {
      const LoopRow& row = c.rows[static_cast<std::size_t>(r)];
      if (row.closure < 0) continue;  // a coupling acts within joints
      const Closure& closure = m.closures[row.closure];
      Force<double> W;
      rowOf(closure, rowTable(closure.kind)[static_cast<std::size_t>(row.index)],
            framesOf(closure, axesOf(ws, closure.a), placeOf(ws, closure.a), axesOf(ws, closure.b),
                     placeOf(ws, closure.b)),
            W);
      const auto add = [&](int body, double share) {
        if (body < 0) return;
        outside[body] += Force<double>{(W.n - cross(ws.x[body], W.f)) * share, W.f * share};
      };
      add(closure.b, mu_[r]);
      add(closure.a, -mu_[r]);
    }
  }
}

}  // namespace espalier

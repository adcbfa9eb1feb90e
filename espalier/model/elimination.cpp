#include "espalier/model/elimination.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace espalier {

Pivots choosePivots(std::vector<double> a, int rows, int columns,
                    const std::vector<double>& preference, double tolerance) {
  Pivots found;
  const auto at = [&](int i, int j) -> double& {
    return a[static_cast<std::size_t>(i * columns + j)];
  };
  const auto weight = [&](int j) {
    return preference.empty() ? 1.0 : preference[static_cast<std::size_t>(j)];
  };
  double largest = 0;
  for (const double x : a) largest = std::max(largest, std::abs(x));
  std::vector<char> rowTaken(static_cast<std::size_t>(rows)),
      columnTaken(static_cast<std::size_t>(columns));
  while (found.rank() < rows && found.rank() < columns) {
    int row = -1, column = -1;
    double best = 0;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns && !rowTaken[static_cast<std::size_t>(i)]; ++j) {
        const double x = std::abs(at(i, j));
        if (columnTaken[static_cast<std::size_t>(j)] || !(x > tolerance * largest)) continue;
        if (x * weight(j) > best) {
          best = x * weight(j);
          row = i;
          column = j;
        }
      }
    if (row < 0) break;
    found.rows.push_back(row);
    found.columns.push_back(column);
    found.size.push_back(std::abs(at(row, column)));
    rowTaken[static_cast<std::size_t>(row)] = columnTaken[static_cast<std::size_t>(column)] = 1;
    for (int i = 0; i < rows; ++i) {
      if (rowTaken[static_cast<std::size_t>(i)]) continue;
      const double factor = at(i, column) / at(row, column);
      if (factor == 0) continue;
      for (int j = 0; j < columns; ++j) at(i, j) -= factor * at(row, j);
    }
  }
  return found;
}

double largestSolution(std::vector<double> A, std::vector<double> b, int n, int count) {
  const auto at = [n](int i, int j) { return static_cast<std::size_t>(i * n + j); };
  const auto in = [count](int i, int j) { return static_cast<std::size_t>(i * count + j); };
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k; i < n; ++i)
      if (std::abs(A[at(i, k)]) > std::abs(A[at(best, k)])) best = i;
    if (A[at(best, k)] == 0) return HUGE_VAL;
    for (int j = 0; j < n; ++j) std::swap(A[at(k, j)], A[at(best, j)]);
    for (int j = 0; j < count; ++j) std::swap(b[in(k, j)], b[in(best, j)]);
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = A[at(i, k)] / A[at(k, k)];
      for (int j = k; j < n; ++j) A[at(i, j)] -= factor * A[at(k, j)];
      for (int j = 0; j < count; ++j) b[in(i, j)] -= factor * b[in(k, j)];
    }
  }
  double most = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < count; ++j) most = std::max(most, std::abs(b[in(i, j)] / A[at(i, i)]));
  return most;
}

std::vector<double> dampedSolve(const std::vector<double>& J, int rows, int columns,
                                const std::vector<double>& r, double damping) {
  const auto n = static_cast<std::size_t>(rows), m = static_cast<std::size_t>(columns);
  std::vector<std::vector<std::size_t>> places(n);  // a row knows the dofs of its loop alone
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j)
      if (J[i * m + j] != 0) places[i].push_back(j);
  std::vector<double> a(n * n), y = r, x(m, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = i; k < n; ++k) {
      double sum = i == k ? damping : 0.0;
      for (const std::size_t j : places[i]) sum += J[i * m + j] * J[k * m + j];
      a[i * n + k] = a[k * n + i] = sum;
    }
  for (std::size_t k = 0; k < n; ++k) {  // L D L', positive by the damping
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] / a[k * n + k];
      if (factor == 0) continue;
      for (std::size_t j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      y[i] -= factor * y[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) y[k] -= a[k * n + j] * y[j];
    y[k] /= a[k * n + k];
  }
  for (std::size_t i = 0; i < n; ++i)
    for (const std::size_t j : places[i]) x[j] += J[i * m + j] * y[i];
  return x;
}

}  // namespace espalier

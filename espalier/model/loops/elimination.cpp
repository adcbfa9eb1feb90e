#include "espalier/model/loops/elimination.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace espalier {

namespace {

/// A matrix in elimination with complete pivoting; rows and columns of earlier pivots are taken.
class Elimination {
 public:
  Elimination(std::vector<double> a, int rows, int columns)
      : a_(std::move(a)),
        columns_(columns),
        isRowTaken_(static_cast<std::size_t>(rows)),
        isColumnTaken_(static_cast<std::size_t>(columns)) {}

  double& at(int i, int j) { return a_[i * columns_ + j]; }
  double size(int i, int j) const { return std::abs(a_[i * columns_ + j]); }
  double largest() const {
    double most = 0;
    for (const double x : a_) most = std::max(most, std::abs(x));
    return most;
  }

  struct Place {
    int row = -1, column = -1;  ///< -1: none
  };
  /// The entry of the largest weighted size among those above `least` that are not taken.
  Place next(const std::vector<double>& weights, double least) {
    Place place;
    double best = 0;
    for (int i = 0; i < rows(); ++i)
      for (int j = 0; j < columns_ && !isRowTaken_[i]; ++j) {
        const double x = std::abs(at(i, j));
        if (isColumnTaken_[j] || !(x > least)) continue;
        const double weighted = x * (weights.empty() ? 1.0 : weights[j]);
        if (!(weighted > best)) continue;
        best = weighted;
        place = {i, j};
      }
    return place;
  }
  bool isLeft(int i, int j) const { return isRowLeft(i) && isColumnLeft(j); }
  bool isRowLeft(int i) const { return !isRowTaken_[i]; }
  bool isColumnLeft(int j) const { return !isColumnTaken_[j]; }
  void eliminate(const Place& pivot) {
    isRowTaken_[pivot.row] = isColumnTaken_[pivot.column] = 1;
    for (int i = 0; i < rows(); ++i) {
      if (isRowTaken_[i]) continue;
      const double factor = at(i, pivot.column) / at(pivot.row, pivot.column);
      if (factor == 0) continue;
      for (int j = 0; j < columns_; ++j) at(i, j) -= factor * at(pivot.row, j);
    }
  }

 private:
  int rows() const { return static_cast<int>(isRowTaken_.size()); }
  std::vector<double> a_;
  int columns_;
  std::vector<char> isRowTaken_, isColumnTaken_;
};

/// Those that next() finds, until it finds none.
template <class Matrix, class Next>
Pivots takePivots(Matrix& matrix, int most, Next next) {
  Pivots found;
  while (found.rank() < most) {
    const auto place = next();
    if (place.row < 0) break;
    found.rows.push_back(place.row);
    found.columns.push_back(place.column);
    found.size.push_back(matrix.size(place.row, place.column));
    matrix.eliminate(place);
  }
  return found;
}

}  // namespace

Pivots choosePivots(std::vector<double> a, int rows, int columns,
                    const std::vector<double>& preference, double tolerance) {
  Elimination matrix(std::move(a), rows, columns);
  const double least = tolerance * matrix.largest();
  return takePivots(matrix, std::min(rows, columns),
                    [&] { return matrix.next(preference, least); });
}

namespace {

/// As Elimination, of a square matrix, with its pattern.
class PatternElimination {
 public:
  PatternElimination(std::vector<double> a, std::vector<char> isFilled, int n)
      : matrix_(std::move(a), n, n), isFilled_(std::move(isFilled)), n_(n) {}

  /// That of the least fill-in among the large enough, of equal ones the largest.
  Elimination::Place next() {
    constexpr double large_enough = 0.25;
    const Elimination::Place largest = matrix_.next({}, 0);
    if (largest.row < 0) return largest;
    const double least = large_enough * size(largest.row, largest.column);
    Elimination::Place best = largest;
    long leastFill = fillOf(largest);
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) {
        if (!matrix_.isLeft(i, j) || !(size(i, j) >= least)) continue;
        const long fill = fillOf({i, j});
        if (fill > leastFill || (fill == leastFill && !(size(i, j) > size(best.row, best.column))))
          continue;
        leastFill = fill;
        best = {i, j};
      }
    return best;
  }
  double size(int i, int j) const { return matrix_.size(i, j); }
  void eliminate(const Elimination::Place& pivot) {
    matrix_.eliminate(pivot);
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_ && isFilled(i, pivot.column); ++j)
        if (isFilled(pivot.row, j)) isFilled_[i * n_ + j] = 1;
  }

 private:
  bool isFilled(int i, int j) const { return isFilled_[i * n_ + j] != 0; }
  /// The most numbers that the pivot fills: (others in its row) (others in its column).
  long fillOf(const Elimination::Place& pivot) const {
    long row = -1, column = -1;
    for (int k = 0; k < n_; ++k) {
      row += matrix_.isColumnLeft(k) && isFilled(pivot.row, k);
      column += matrix_.isRowLeft(k) && isFilled(k, pivot.column);
    }
    return row * column;
  }

  Elimination matrix_;
  std::vector<char> isFilled_;
  int n_;
};

}  // namespace

Pivots choosePivotsOfPattern(std::vector<double> a, std::vector<char> isFilled, int n) {
  PatternElimination matrix(std::move(a), std::move(isFilled), n);
  return takePivots(matrix, n, [&] { return matrix.next(); });
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

namespace {

/// y of a y = y, a [n][n] symmetric positive definite, in place of y; a is overwritten by its L D L'.
void solveDefinite(std::vector<double>& a, std::vector<double>& y) {
  const std::size_t n = y.size();
  for (std::size_t k = 0; k < n; ++k) {
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
}

}  // namespace

std::vector<double> dampedSolve(const std::vector<double>& J, int rows, int columns,
                                const std::vector<double>& r, double damping) {
  const auto n = static_cast<std::size_t>(rows), m = static_cast<std::size_t>(columns);
  std::vector<std::vector<std::size_t>> places(
      n);  // a row has entries at the dofs of its loop only
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
  solveDefinite(a, y);
  for (std::size_t i = 0; i < n; ++i)
    for (const std::size_t j : places[i]) x[j] += J[i * m + j] * y[i];
  return x;
}

}  // namespace espalier

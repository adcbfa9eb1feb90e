#pragma once

// Rank and pivots of a small dense matrix by elimination with complete pivoting; for compile and
// assembly, not for the step.

#include <vector>

namespace espalier {

/// A pivot of a loop's Jacobian below this times the largest entry is zero.
inline constexpr double negligible_pivot = 1e-8;

struct Pivots {
  std::vector<int> rows, columns;  ///< in the order they were chosen; as many as the rank
  std::vector<double> size;        ///< of each pivot when it was chosen
  int rank() const { return static_cast<int>(rows.size()); }
};

/// Pivots of a [rows][columns] matrix.
///   in  preference  [columns] added weights: a column of twice the weight is chosen although its
///                   entries are half as large; empty: all alike
///   in  tolerance   a pivot below it times the largest entry is zero
Pivots choosePivots(std::vector<double> matrix, int rows, int columns,
                    const std::vector<double>& preference, double tolerance);

/// Pivots of a square matrix that leave few numbers: of those that are no smaller than a quarter of what complete
/// pivoting would take, the one with the least fill-in (Markowitz 1957).
///   in  isFilled  [n][n] 0: zero at every configuration
Pivots choosePivotsOfPattern(std::vector<double> matrix, std::vector<char> isFilled, int n);

/// The largest |x| of A x = b for several right-hand sides; infinite where A is singular.
///   in  A  [n][n];  b  [n][count]
double largestSolution(std::vector<double> A, std::vector<double> b, int n, int count);

/// x of least norm with J x = r in the least-squares sense, damped: J'(J J' + damping 1)^-1 r.
///   in  J  [rows][columns]
std::vector<double> dampedSolve(const std::vector<double>& J, int rows, int columns,
                                const std::vector<double>& r, double damping);

}  // namespace espalier

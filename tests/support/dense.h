#pragma once

// Dense systems as the tests solve them apart from the library. Eigen's decompositions take seconds
// to compile, so that they stand in one place.

#include <Eigen/Core>

namespace espalier::testing {

/// x with A x = b, by full pivoting.
Eigen::VectorXd solveDense(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

/// Of a symmetric matrix: ascending values, vectors in the columns.
struct Spectrum {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
Spectrum spectrumOf(const Eigen::MatrixXd& A);

}  // namespace espalier::testing

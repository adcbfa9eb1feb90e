#include "tests/support/dense.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace espalier::testing {

Eigen::VectorXd solveDense(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  return A.fullPivLu().solve(b);
}

Spectrum spectrumOf(const Eigen::MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace espalier::testing

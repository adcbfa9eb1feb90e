#pragma once

#include <Eigen/QR>

namespace espalier::sim {

/// pinv(A) b. Directions in which A is less than 1e-12 of its largest are left alone: the mechanism
/// cannot move there.
template <class A, class B>
typename B::PlainObject pseudoSolve(const Eigen::MatrixBase<A>& matrix,
                                    const Eigen::MatrixBase<B>& right) {
  Eigen::CompleteOrthogonalDecomposition<typename A::PlainObject> inverse;
  inverse.setThreshold(1e-12);
  inverse.compute(matrix);
  return inverse.solve(right);
}

}  // namespace espalier::sim

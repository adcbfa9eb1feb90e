#include "espalier/robot/sparse_jacobian.h"

#include <algorithm>

#include "espalier/core/check.h"

namespace espalier {

void SparseJacobian::resize(int columns) {
  size = columns;
  idx.resize(static_cast<std::size_t>(columns));
  v.resize(3, columns);
}

Vec<3> SparseJacobian::times(const Eigen::VectorXd& u) const {
  Vec<3> sum;
  for (int i = 0; i < size; ++i) {
    const int dof = idx[i];
    ESPALIER_REQUIRE(dof < u.size(), "the vector has no number " + std::to_string(dof));
    sum += v.col(i) * u[dof];
  }
  return sum;
}

void SparseJacobian::fill(Eigen::MatrixXd& dense) const {
  const int last = idx.empty() ? -1 : *std::max_element(idx.begin(), idx.end());
  ESPALIER_REQUIRE(dense.rows() == 3 && dense.cols() > last,
                   "a dense Jacobian has 3 rows and a column for each dof, not " +
                       std::to_string(dense.rows()) + " x " + std::to_string(dense.cols()));
  for (int i = 0; i < size; ++i) dense.col(idx[i]) = v.col(i);
}

}  // namespace espalier

#pragma once

// A Jacobian by its non-zero columns, which are the dofs between a body and its root.

#include <vector>

#include "espalier/robot/math.h"

namespace espalier {

struct SparseJacobian {
  std::vector<int> idx;  ///< [size] places in the generalized velocity, root first
  MatDyn v;              ///< 3 x size; column i belongs to idx[i]
  int size = 0;

  /// Keeps its memory where the size stays.
  void resize(int columns);
  MatDyn::Base& e() { return v; }
  const MatDyn::Base& e() const { return v; }
  /// The columns' numbers one after the other, three each.
  double operator[](int i) const { return v.data()[i]; }
  double& operator[](int i) { return v.data()[i]; }
  /// J u
  Vec<3> times(const Eigen::VectorXd& u) const;
  /// Writes the columns where they belong and leaves the others.
  ///   pre  dense is 3 x dof, else throws std::invalid_argument
  void fill(Eigen::MatrixXd& dense) const;
};

}  // namespace espalier

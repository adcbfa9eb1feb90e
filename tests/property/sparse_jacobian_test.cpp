// The sparse Jacobians are the dense ones without their zeros.

#include <gtest/gtest.h>

#include "espalier/dynamics/tree/jacobian.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "tests/support/random_tree.h"

namespace espalier::testing {
namespace {

class SparseJacobians : public ::testing::TestWithParam<int> {
 protected:
  SparseJacobians()
      : tree_(randomTree(static_cast<std::uint64_t>(GetParam()),
                         {.bodies = 2 + GetParam(), .floating = GetParam() % 2 == 0})),
        state_(randomState(tree_.topology, 7)),
        ws_(tree_.topology) {
    kinematics(tree_.topology, tree_.parameters, state_.q.data(), state_.u.data(), ws_);
  }

  /// Dense from the list, to be compared with the dense function's own.
  void expectSame(const std::vector<double>& dense, int count) const {
    const int nv = tree_.topology.nv;
    std::vector<double> J(static_cast<std::size_t>(3 * nv), 0.0);
    for (int k = 0; k < count; ++k) {
      if (k > 0) {
        EXPECT_LT(dofs_[k - 1], dofs_[k]);
      }
      J[dofs_[k]] = columns_[k].x;
      J[nv + dofs_[k]] = columns_[k].y;
      J[2 * nv + dofs_[k]] = columns_[k].z;
    }
    EXPECT_EQ(J, dense);
  }

  RandomTree tree_;
  RandomState state_;
  Workspace<double> ws_;
  int dofs_[200];
  Vec3d columns_[200];
};

TEST_P(SparseJacobians, EqualTheDenseOnes) {
  const Topology& t = tree_.topology;
  const Vec3d r{0.3, -0.2, 0.5};
  const double* u = state_.u.data();
  for (int body = 0; body < t.nb; ++body) {
    const auto zero = std::vector<double>(static_cast<std::size_t>(3 * t.nv), 0.0);
    std::vector<double> J = zero;
    pointJacobian(t, ws_, body, r, J.data());
    expectSame(J, sparsePointJacobian(t, ws_, body, r, dofs_, columns_));
    J = zero;
    rotationalJacobian(t, ws_, body, J.data());
    expectSame(J, sparseRotationalJacobian(t, ws_, body, dofs_, columns_));
    J = zero;
    pointJacobianRate(t, ws_, u, body, r, J.data());
    expectSame(J, sparsePointJacobianRate(t, ws_, u, body, r, dofs_, columns_));
    J = zero;
    rotationalJacobianRate(t, ws_, u, body, J.data());
    expectSame(J, sparseRotationalJacobianRate(t, ws_, u, body, dofs_, columns_));
  }
}

INSTANTIATE_TEST_SUITE_P(Random, SparseJacobians, ::testing::Range(1, 16));

}  // namespace
}  // namespace espalier::testing

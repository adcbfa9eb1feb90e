// The factor against what it factored: M M^-1 = 1 and the two halves of a solve, on random trees.

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "espalier/dynamics/factor.h"
#include "espalier/dynamics/kinematics.h"
#include "espalier/dynamics/mass_matrix.h"
#include "tests/support/compare.h"
#include "tests/support/dense.h"
#include "tests/support/random_tree.h"

namespace espalier::testing {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class Inverse : public ::testing::TestWithParam<int> {
 protected:
  Inverse()
      : tree_(randomTree(static_cast<std::uint64_t>(GetParam()) + 40,
                         {.bodies = 2 + GetParam() % 12, .floating = GetParam() % 2 == 0})),
        t_(tree_.topology),
        ws_(t_),
        M_(t_.nv, t_.nv) {
    const RandomState s = randomState(t_, static_cast<std::uint64_t>(GetParam()));
    kinematics(t_, tree_.parameters, s.q.data(), s.u.data(), ws_);
    massMatrix(t_, tree_.parameters, ws_);
    unpack(t_, ws_.H.data(), M_.data());
    factor(t_, ws_);
  }
  double condition() const {
    const Eigen::VectorXd e = spectrumOf(M_).values;
    return e.maxCoeff() / e.minCoeff();
  }
  RandomTree tree_;
  const Topology& t_;
  Workspace<double> ws_;
  Matrix M_;
};

TEST_P(Inverse, TimesMassMatrixIsOne) {
  Matrix inverted(t_.nv, t_.nv);
  inverse(t_, ws_, inverted.data());
  const Matrix one = M_ * inverted;
  EXPECT_LT((one - Matrix::Identity(t_.nv, t_.nv)).cwiseAbs().maxCoeff(), 1e-14 * condition());
  EXPECT_LT((inverted - inverted.transpose()).cwiseAbs().maxCoeff(),
            1e-13 * inverted.cwiseAbs().maxCoeff());
}

TEST_P(Inverse, FactorRebuildsTheMassMatrix) {
  Matrix L = Matrix::Identity(t_.nv, t_.nv), D = Matrix::Zero(t_.nv, t_.nv);
  for (int k = 0; k < t_.nv; ++k) {
    int l = t_.dofParent[k];
    for (int d = t_.dofDepth[k] - 1; d >= 0; --d, l = t_.dofParent[l])
      L(k, l) = ws_.H[t_.row[k] + d];
    D(k, k) = ws_.H[t_.row[k] + t_.dofDepth[k]];
    EXPECT_DOUBLE_EQ(ws_.Dinv[k] * D(k, k), 1);
    EXPECT_GT(D(k, k), 0);
  }
  const Matrix rebuilt = L.transpose() * D * L;
  EXPECT_LT((rebuilt - M_).cwiseAbs().maxCoeff(), 1e-13 * M_.cwiseAbs().maxCoeff());
}

TEST_P(Inverse, HalvesOfASolve) {
  Random random(9);
  std::vector<double> x(static_cast<std::size_t>(t_.nv));
  for (double& v : x) v = random.uniform(-1, 1);
  const std::vector<double> b = x;
  solve(t_, ws_, x.data());
  std::vector<double> halves = b;
  solveTransposed(t_, ws_, halves.data());
  solveForward(t_, ws_, halves.data());
  EXPECT_EQ(halves, x);
  const Eigen::VectorXd expected =
      solveDense(M_, Eigen::Map<const Eigen::VectorXd>(b.data(), t_.nv));
  EXPECT_LT(relativeDifference(x, expected), 1e-14 * condition());
}

INSTANTIATE_TEST_SUITE_P(Random, Inverse, ::testing::Range(0, 20));

}  // namespace
}  // namespace espalier::testing

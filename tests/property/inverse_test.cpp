// The factor against what it factored: M M^-1 = 1 and the two halves of a solve, on random trees.

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "espalier/dynamics/tree/factor.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"
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

/// Parents of dofs: chains of all lengths, one behind another or side by side.
std::vector<int> chainsOf(int length, bool sideBySide) {
  std::vector<int> parents;
  for (int chain = 0; chain < 3; ++chain)
    for (int k = 0; k < length + chain; ++k) {
      const int before = static_cast<int>(parents.size()) - 1;
      parents.push_back(k > 0 || !sideBySide ? before : std::min(before, 1));
    }
  return parents;
}

// Dofs that go together in factor() and its solves see the operations of dofs taken one by one, in
// the same order: the same bits.
TEST(Factor, DofsTogetherAreThoseOneByOne) {
  for (int length = 1; length < 12; ++length)
    for (const bool sideBySide : {false, true}) {
      const Topology t = makeDofTree(chainsOf(length, sideBySide));
      Workspace<double> ws(t);
      Random random(static_cast<std::uint64_t>(length));
      for (int k = 0; k < t.nv; ++k)
        for (int d = 0; d <= t.dofDepth[k]; ++d)
          ws.H[t.row[k] + d] = d == t.dofDepth[k] ? 50 + k : random.uniform(-1, 1);
      std::vector<double> H(ws.H.begin(), ws.H.end());
      std::vector<double> x(static_cast<std::size_t>(t.nv));
      for (double& number : x) number = random.uniform(-1, 1);
      std::vector<double> y = x;
      factor(t, ws);
      solveTransposed(t, ws, y.data());
      solveForward(t, ws, y.data());

      const auto at = [&](int k, int depth) -> double& { return H[t.row[k] + depth]; };
      for (int k = t.nv - 1; k >= 0; --k) {
        const double inverse = 1 / at(k, t.dofDepth[k]);
        EXPECT_EQ(ws.Dinv[k], inverse);
        int i = t.dofParent[k];
        for (int d = t.dofDepth[k] - 1; d >= 0; --d, i = t.dofParent[i]) {
          const double a = at(k, d) * inverse;
          for (int j = 0; j <= d; ++j) at(i, j) = std::fma(-a, at(k, j), at(i, j));
          at(k, d) = a;
        }
      }
      for (std::size_t e = 0; e < H.size(); ++e) EXPECT_EQ(ws.H[e], H[e]);
      const auto number = [&](int k) -> double& { return x[k]; };
      for (int k = t.nv - 1; k >= 0; --k) {
        int i = t.dofParent[k];
        for (int d = t.dofDepth[k] - 1; d >= 0; --d, i = t.dofParent[i])
          number(i) = std::fma(-number(k), at(k, d), number(i));
      }
      for (int k = 0; k < t.nv; ++k) {
        number(k) *= ws.Dinv[k];
        std::vector<int> chain;
        for (int i = t.dofParent[k]; i >= 0; i = t.dofParent[i]) chain.insert(chain.begin(), i);
        for (std::size_t d = 0; d < chain.size(); ++d)
          number(k) = std::fma(-at(k, static_cast<int>(d)), number(chain[d]), number(k));
      }
      for (int k = 0; k < t.nv; ++k) EXPECT_EQ(y[k], number(k));
    }
}

}  // namespace
}  // namespace espalier::testing

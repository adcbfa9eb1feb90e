// What must hold between the algorithms on any tree, whatever its joints.

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/dynamics/tree/factor.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"
#include "tests/support/aba.h"
#include "tests/support/random_tree.h"
#include "tests/support/rnea.h"

namespace espalier::testing {
namespace {

const Vec3d gravity{0.3, -0.2, -9.81};

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0, size = 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst = std::max(worst, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return worst / size;
}

class Trees : public ::testing::TestWithParam<int> {
 protected:
  Trees() {
    const int seed = GetParam();
    tree_ =
        randomTree(static_cast<std::uint64_t>(seed),
                   {.bodies = 2 + seed % 13, .floating = seed % 3 != 0, .armature = seed % 2 == 0});
    state_ = randomState(tree_.topology, static_cast<std::uint64_t>(seed) + 1000);
    tau_.resize(static_cast<std::size_t>(tree_.topology.nv));
  }
  RandomTree tree_;
  RandomState state_;
  std::vector<double> tau_;
};

TEST_P(Trees, BodyFrameRneaEqualsCommonFrame) {
  const Topology& t = tree_.topology;
  Workspace<double> ws(t), other(t);
  std::vector<double> tau(tau_.size());
  rnea(t, tree_.parameters, gravity, state_.q.data(), state_.u.data(), state_.udot.data(), ws,
       tau_.data());
  kinematics(t, tree_.parameters, state_.q.data(), state_.u.data(), other);
  inverseDynamics(t, tree_.parameters, gravity, state_.udot.data(), other, tau.data());
  EXPECT_LT(difference(tau, tau_), 1e-12);
}

TEST_P(Trees, AbaInvertsRnea) {
  const Topology& t = tree_.topology;
  Workspace<double> ws(t);
  AbaWorkspace<double> aws(t);
  rnea(t, tree_.parameters, gravity, state_.q.data(), state_.u.data(), state_.udot.data(), ws,
       tau_.data());
  std::vector<double> udot(tau_.size());
  aba(t, tree_.parameters, gravity, state_.q.data(), state_.u.data(), tau_.data(), aws,
      udot.data());
  EXPECT_LT(difference(udot, state_.udot), 1e-8);
}

TEST_P(Trees, MassMatrixTimesAccelerationPlusBiasIsRnea) {
  const Topology& t = tree_.topology;
  Workspace<double> ws(t), other(t);
  rnea(t, tree_.parameters, gravity, state_.q.data(), state_.u.data(), state_.udot.data(), other,
       tau_.data());
  kinematics(t, tree_.parameters, state_.q.data(), state_.u.data(), ws);
  std::vector<double> h(tau_.size()), tau(tau_.size());
  bias(t, tree_.parameters, gravity, ws, h.data());
  massMatrix(t, tree_.parameters, ws);
  multiply(t, ws.H.data(), state_.udot.data(), tau.data());
  for (std::size_t d = 0; d < h.size(); ++d) tau[d] += h[d];
  EXPECT_LT(difference(tau, tau_), 1e-12);
}

TEST_P(Trees, FactorSolvesProductsOfMultiply) {
  const Topology& t = tree_.topology;
  Workspace<double> ws(t);
  kinematics(t, tree_.parameters, state_.q.data(), state_.u.data(), ws);
  massMatrix(t, tree_.parameters, ws);
  std::vector<double> x(tau_.size());
  multiply(t, ws.H.data(), state_.udot.data(), x.data());
  factor(t, ws);
  solve(t, ws, x.data());
  EXPECT_LT(difference(x, state_.udot), 1e-8);
}

TEST_P(Trees, VelocitiesRepeatKinematics) {
  const Topology& t = tree_.topology;
  Workspace<double> ws(t), other(t);
  kinematics(t, tree_.parameters, state_.q.data(), state_.udot.data(), ws);
  velocities(t, state_.u.data(), ws);
  kinematics(t, tree_.parameters, state_.q.data(), state_.u.data(), other);
  std::vector<double> h(tau_.size()), expected(tau_.size());
  bias(t, tree_.parameters, gravity, ws, h.data());
  bias(t, tree_.parameters, gravity, other, expected.data());
  EXPECT_EQ(h, expected);
}

INSTANTIATE_TEST_SUITE_P(Random, Trees, ::testing::Range(0, 60));

}  // namespace
}  // namespace espalier::testing

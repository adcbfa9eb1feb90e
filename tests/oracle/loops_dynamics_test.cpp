// Closed loops in the engine against the dense second opinion: a hundred mechanisms, fifty states
// each; G, g, M and h in the engine's own independent dofs, and the accelerations of all joints.

#include <gtest/gtest.h>

#include <optional>

#include "espalier/dynamics/inverse_dynamics.h"
#include "espalier/dynamics/kinematics.h"
#include "espalier/dynamics/mass_matrix.h"
#include "espalier/dynamics/reduction.h"
#include "espalier/model/model.h"
#include "tests/support/compare.h"
#include "tests/support/random_mechanism.h"

namespace espalier::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int mechanisms = 100, states = 50;
const V3 gravity(0.3, -0.2, -9.81);

/// The engine at one state.
struct Engine {
  const Model& model;
  const Mechanism& m = *model.mechanism;
  Workspace<double> ws{model.topology};
  LoopWorkspace<double> loops{model.topology, m};
  int nv = model.nv(), ny = m.reduced.nv;

  void move(const MechanismState& s) {
    const Topology& t = model.topology;
    kinematics(t, model.lowered, s.q.data(), s.u.data(), ws);
    loopRates(t, m, s.q.data(), ws, loops);
    loopAccelerations(t, m, ws, loops);
    bodyScrews(t, m, ws, loops);
  }
  MatrixXd G() {
    MatrixXd all(nv, ny);
    for (int i = 0; i < ny; ++i) {
      const VectorXd y = VectorXd::Unit(ny, i);
      VectorXd x = VectorXd::Zero(nv);
      expand(m, loops, y.data(), x.data());
      all.col(i) = x;
    }
    return all;
  }
  VectorXd g() const { return VectorXd::Map(loops.g.data(), nv); }
  MatrixXd M() {
    VectorXd packed(m.reduced.entries());
    reducedMassMatrix(model.topology, model.lowered, m, ws, loops, packed.data());
    MatrixXd dense(ny, ny);
    unpack(m.reduced, packed.data(), dense.data());
    return dense;
  }
  VectorXd h() {
    VectorXd spanning(nv), y(ny);
    inverseDynamics(model.topology, model.lowered, fromEigen(gravity), loops.g.data(), ws,
                    spanning.data());
    reduce(m, loops, spanning.data(), y.data());
    return y;
  }
  VectorXd reduced(const VectorXd& spanning) const {
    VectorXd y(ny);
    reduce(m, loops, spanning.data(), y.data());
    return y;
  }
};

class LoopsDynamics : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    compiled_.emplace(compile(mechanism_.spec));
    ASSERT_TRUE(compiled_->hasValue()) << compiled_->diagnostics().toString();
    ASSERT_TRUE((*compiled_)->mechanism);
    ASSERT_EQ((*compiled_)->nv(), tree_.nv);
    states_ = randomStates(tree_, mechanism_.q0, static_cast<std::uint64_t>(GetParam()), states);
    ASSERT_EQ(static_cast<int>(states_.size()), states);
  }
  const Model& model() const { return **compiled_; }

  RandomMechanism mechanism_ = randomMechanism(static_cast<std::uint64_t>(GetParam()));
  MechanismTree tree_{mechanism_.spec};
  std::optional<Expected<Model>> compiled_;
  std::vector<MechanismState> states_;
};

TEST_P(LoopsDynamics, ProjectionIsTheDenseSolution) {
  Engine engine{model()};
  Random random(static_cast<std::uint64_t>(GetParam()) + 17);
  for (const MechanismState& s : states_) {
    Maximal maximal(tree_, s.q, s.u);
    maximal.addGravity(gravity);
    VectorXd tau(tree_.nv);
    for (double& x : tau) x = random.uniform(-5, 5);
    ASSERT_EQ(maximal.dofs(), engine.ny);
    const Maximal::Reduced r = maximal.reduced(engine.m.spanningDof);
    // The choice of y may be a bad one here; no answer in y is better than it.
    const double bad = 1 / maximal.conditioning() * r.condition;
    engine.move(s);
    const MatrixXd G = engine.G(), M = engine.M();
    const VectorXd h = engine.h(), right = engine.reduced(tau) - h;
    const VectorXd udot = G * M.ldlt().solve(right) + engine.g();
    const auto expectSame = [&](const auto& value, const auto& wanted, const char* what) {
      const double error =
          relativeDifference(VectorXd(value.reshaped()), VectorXd(wanted.reshaped()));
      EXPECT_LT(error, 1e-12 * bad)
          << what << ", conditioning " << maximal.conditioning() << ", choice of y " << r.condition;
    };
    expectSame(G, r.G, "G");
    expectSame(engine.g(), r.g, "g");
    expectSame(M, r.M, "M");
    expectSame(h, r.h, "h");
    expectSame(udot, maximal.accelerations(tau), "udot");
  }
}
/// K G = 0 and K g = k, rows and dofs of each cluster.
TEST_P(LoopsDynamics, RatesSolveTheirEquations) {
  Engine engine{model()};
  for (const MechanismState& s : states_) {
    engine.move(s);
    for (const Cluster& c : engine.m.clusters) {
      const auto rows = static_cast<Eigen::Index>(c.rows.size());
      const auto n = static_cast<Eigen::Index>(c.dofs.size());
      using RowMajor = Eigen::Matrix<double, -1, -1, Eigen::RowMajor>;
      const RowMajor K = RowMajor::Map(&engine.loops.K[c.firstK], rows, n);
      const RowMajor G = RowMajor::Map(&engine.loops.G[c.firstG], n, c.ny());
      const VectorXd k = VectorXd::Map(&engine.loops.k[c.firstRow], rows);
      const VectorXd g = engine.g()(c.dofs);
      EXPECT_LT((K * G).cwiseAbs().maxCoeff(), 1e-12 * std::max(1.0, G.cwiseAbs().maxCoeff()));
      EXPECT_LT((K * g - k).cwiseAbs().maxCoeff(), 1e-12 * std::max(1.0, g.cwiseAbs().maxCoeff()));
    }
  }
}

/// Dependent joints that were moved come back to where the second opinion closes the loops. Where a
/// ball joint is independent in part only, "y has not moved" depends on the way, in second order.
TEST_P(LoopsDynamics, ClosureFindsTheSameConfiguration) {
  Engine engine{model()};
  Random random(static_cast<std::uint64_t>(GetParam()) + 23);
  const std::vector<int>& y = engine.m.spanningDof;
  bool isSplit = false;
  for (const MechanismTree::Joint& j : tree_.joints) {
    const auto held =
        std::count_if(y.begin(), y.end(), [&](int d) { return j.u <= d && d < j.u + j.nv; });
    isSplit |= j.nq > j.nv && held > 0 && held < j.nv;
  }
  for (const MechanismState& s : states_) {
    engine.move(s);
    for (const double phi : engine.loops.phi) EXPECT_LT(std::abs(phi), 1e-12);
    const Maximal maximal(tree_, s.q, s.u);
    const double bad = maximal.reduced(y).condition / maximal.conditioning();
    // So near that no other solution is as near.
    const double far = std::min(1e-3, 0.03 / bad);
    VectorXd step(tree_.nv);
    for (double& x : step) x = random.uniform(-far, far);
    step(y).setZero();
    VectorXd q = tree_.advance(s.q, step);
    const Closed wanted = close(tree_, q, y);
    const double left = closeLoops(model().topology, model().lowered, engine.m, q.data(), 1e-14, 10,
                                   engine.ws, engine.loops);
    EXPECT_TRUE(wanted.converged());
    EXPECT_LT(left, 1e-13);
    EXPECT_LT(tree_.difference(wanted.q, q).cwiseAbs().maxCoeff(),
              isSplit ? 10 * bad * far * far : 1e-13 * bad);
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, LoopsDynamics, ::testing::Range(0, mechanisms));

}  // namespace
}  // namespace espalier::testing

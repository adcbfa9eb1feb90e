// Closed loops in the engine against the dense second opinion: a hundred mechanisms, fifty states
// each; G, g, M and h in the engine's own independent dofs, and the accelerations of all joints.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "tests/oracle/loops_engine.h"
#include "tests/support/random_mechanism.h"
#include "tests/support/random_spec.h"

namespace espalier::testing {
namespace {

using Eigen::VectorXd;

constexpr int mechanisms = 100, states = 50;

class LoopsDynamics : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    compiled_.emplace(compile(mechanism_.spec));
    ASSERT_TRUE(compiled_->hasValue()) << compiled_->diagnostics().toString();
    ASSERT_FALSE((*compiled_)->mechanism.isTree());
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
  LoopsEngine engine(model(), tree_);
  Random random(static_cast<std::uint64_t>(GetParam()) + 17);
  for (const MechanismState& s : states_) {
    engine.move(s);
    expectSameDynamics(engine, tree_, s, 1e-12, random);
  }
}

/// Whichever dofs lead: where the public ones do badly, and everywhere once `gain` forbids them.
TEST_P(LoopsDynamics, OtherDofsMayLead) {
  Model strict = model();
  for (Cluster& c : strict.mechanism.clusters) c.gain = std::min(c.gain, 1e-6);
  Random random(static_cast<std::uint64_t>(GetParam()) + 29);
  for (const Model* m : {&model(), const_cast<const Model*>(&strict)}) {
    LoopsEngine engine(*m, tree_);
    for (const MechanismState& s : states_) {
      engine.move(s, true);
      expectSameDynamics(engine, tree_, s, 1e-12, random);
    }
  }
}

/// K G = 0 and K g = k, rows and dofs of each cluster.
TEST_P(LoopsDynamics, RatesSolveTheirEquations) {
  LoopsEngine engine(model(), tree_);
  for (const MechanismState& s : states_) {
    engine.move(s);
    for (const Cluster& c : engine.m.clusters) {
      const auto rows = static_cast<Eigen::Index>(c.rows.size());
      const auto n = static_cast<Eigen::Index>(c.dofs.size());
      using RowMajor = Eigen::Matrix<double, -1, -1, Eigen::RowMajor>;
      const RowMajor K = RowMajor::Map(&engine.loops.K[c.firstK], rows, n);
      const RowMajor G = RowMajor::Map(&engine.loops.G[c.firstG], n, c.ny());
      const VectorXd k = VectorXd::Map(&engine.loops.k[c.firstRow], rows);
      const VectorXd g = VectorXd::Map(engine.loops.g.data(), engine.nv)(c.dofs);
      EXPECT_LT((K * G).cwiseAbs().maxCoeff(), 1e-12 * std::max(1.0, G.cwiseAbs().maxCoeff()));
      EXPECT_LT((K * g - k).cwiseAbs().maxCoeff(), 1e-12 * std::max(1.0, g.cwiseAbs().maxCoeff()));
    }
  }
}

/// Dependent joints that were moved come back to where the second opinion closes the loops. Where a
/// ball joint is independent in part only, "y has not moved" depends on the way, in second order.
TEST_P(LoopsDynamics, ClosureFindsTheSameConfiguration) {
  LoopsEngine engine(model(), tree_);
  Random random(static_cast<std::uint64_t>(GetParam()) + 23);
  const std::vector<int> y = engine.independent();
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
    const double bad = sensitivity(maximal, y);
    // So near that no other solution is as near.
    const double far = std::min(1e-3, 0.03 / bad);
    VectorXd step(tree_.nv);
    for (double& x : step) x = random.uniform(-far, far);
    step(y).setZero();
    const VectorXd start = tree_.advance(s.q, step);
    VectorXd q = engine.toEngine(start);
    const Closed wanted = close(tree_, start, y);
    const double left = closeLoops(model().topology, model().lowered, engine.m, q.data(), 1e-14, 10,
                                   engine.ws, engine.loops);
    EXPECT_TRUE(wanted.converged());
    EXPECT_LT(left, 1e-13);
    EXPECT_LT(tree_.difference(wanted.q, engine.fromEngine(q)).cwiseAbs().maxCoeff(),
              isSplit ? 10 * bad * far * far : 1e-13 * bad);
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, LoopsDynamics, ::testing::Range(0, mechanisms));

/// Many loops whose frames start about half a turn off, where their sines vanish, too.
TEST(LoopsAssembly, TurnsFramesThatFaceTheOtherWay) {
  SystemSpec spec;
  spec.fixedBase = true;
  spec.links.emplace_back().name = "ground";
  Random random(11);
  const auto add = [&](const std::string& parent, const std::string& name, JointKind kind) {
    LinkSpec& link = spec.links.emplace_back();
    link.name = name;
    link.inertial = randomInertial(random);
    JointSpec& joint = spec.joints.emplace_back();
    joint.name = name;
    joint.kind = kind;
    joint.parent = parent;
    joint.child = name;
  };
  const double half = 3.141592653589793;
  for (const double turn : {half, half - 1e-9, half - 0.01, half - 0.1, -half + 0.2, 3.0})
    for (const LoopKind kind : {LoopKind::FIXED, LoopKind::PRISMATIC, LoopKind::REVOLUTE}) {
      const std::string name = std::to_string(spec.links.size());
      add("ground", "a" + name, JointKind::Floating);
      add("a" + name, "b" + name, JointKind::Revolute);
      LoopSpec& loop = spec.loops.emplace_back();
      loop.name = name;
      loop.kind = kind;
      loop.predecessor = "ground";
      loop.successor = "b" + name;
      const Vec3d axis = random.unit();
      loop.axis = cross(axis, random.unit());
      loop.X_SB = {rotation(expQuat(axis * turn)), random.vector(0.3)};
    }
  const Expected<Model> model = compile(spec);
  ASSERT_TRUE(model.hasValue()) << model.diagnostics().toString();
  const MechanismTree tree(spec);
  const LoopsEngine engine(*model, tree);
  const VectorXd q = VectorXd::Map(engine.m.assembled.data(), tree.nq);
  EXPECT_LT(closureResidual(tree, engine.fromEngine(q)).cwiseAbs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace espalier::testing

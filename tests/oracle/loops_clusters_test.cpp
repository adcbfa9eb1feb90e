// The recursions over clusters against the dense second opinion and against the projection: forward
// and inverse dynamics, the inverse operational-space inertia, the response to a test force; and
// OperationalQuery against the dense second opinion.

#include <gtest/gtest.h>

#include "espalier/robot/operational_query.h"
#include "tests/oracle/loops_robots.h"
#include "tests/support/cluster_aba.h"
#include "tests/support/cluster_rnea.h"
#include "tests/support/force_propagators.h"
#include "tests/support/random_mechanism.h"

namespace espalier::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// At one state; how far each figure may be off, relative, is a tolerance times how badly y is
/// chosen and how near the loops are to a singularity.
class Clusters {
 public:
  Clusters(LoopsEngine& engine, const MechanismTree& tree, const MechanismState& s,
           double tolerance, Random& random)
      : e_(engine),
        tree_(tree),
        cw_(engine.model.topology, engine.m),
        query_(engine.model, engine.model.lowered, engine.toEngine(s.q).data(),
               engine.ratesToEngine(s.u).data()),
        maximal_(tree, s.q, s.u),
        tau_(tree.nv),
        random_(random) {
    maximal_.addGravity(gravity_);
    for (double& x : tau_) x = random.uniform(-5, 5);
    tolerance_ =
        tolerance * maximal_.reduced(engine.independent()).condition / maximal_.conditioning();
    M_ = engine.M();
    h_ = engine.h(gravity_);
  }

  void expectForwardDynamics() {
    VectorXd ydot(e_.ny), udot(e_.nv);
    const VectorXd tau = e_.ratesToEngine(tau_);
    clusterAba(topology(), e_.model.lowered, e_.m, fromEigen(gravity_), tau.data(), e_.ws, e_.loops,
               cw_, ydot.data(), udot.data());
    const VectorXd projected = M_.ldlt().solve(e_.reduced(tau_) - h_);
    expectSame(ydot, projected, "udot_y, projection");
    expectSame(e_.ratesFromEngine(udot), maximal_.accelerations(tau_), "udot, dense");
  }

  void expectInverseDynamics() {
    VectorXd ydot(e_.ny), tau(e_.ny);
    for (double& x : ydot) x = random_.uniform(-5, 5);
    clusterRnea(topology(), e_.model.lowered, e_.m, fromEigen(gravity_), ydot.data(), e_.ws,
                e_.loops, cw_, tau.data());
    const VectorXd wanted = M_ * ydot + h_;
    // Relative to what is added up, which may cancel.
    const double size = 1 + (M_.cwiseAbs() * ydot.cwiseAbs() + h_.cwiseAbs()).maxCoeff();
    EXPECT_LT((tau - wanted).cwiseAbs().maxCoeff(), 1e-12 * size) << "tau_y";
  }

  /// Three wrenches on bodies of their own, rows and columns of Lambda^-1.
  void expectOperationalInertia() {
    constexpr int rows = 3;
    factorClusters(topology(), e_.model.lowered, e_.m, e_.ws, e_.loops, cw_);
    std::vector<BodyWrench<double>> wrenches;
    std::vector<espalier::BodyWrench> asked;
    MatrixXd J = MatrixXd::Zero(rows, e_.ny), dense(rows, rows);
    VectorXd udot[rows];
    const VectorXd none = VectorXd::Zero(tree_.nv), rest = maximal_.bodyAccelerations(none);
    Push pushes[rows];
    for (Push& push : pushes) push = randomPush();
    for (int k = 0; k < rows; ++k) {
      const Push& push = pushes[k];
      const int body = engineBody(push.body);
      const Vec3d r = fromEigen(push.at) - e_.ws.origin, force = fromEigen(push.force);
      wrenches.push_back({body, forceAt(r, force) + Force<double>{fromEigen(push.couple), {}}});
      asked.push_back({body, wrenches[k].f});
      for (int i = e_.m.firstColumn[body]; i < e_.m.firstColumn[body + 1]; ++i)
        J(k, e_.m.columnY[i]) = dot(e_.loops.reducedColumn[e_.m.columnReduced[i]], wrenches[k].f);
      Maximal pushed = maximal_;
      pushed.push(push.body, push.at, push.force, push.couple);
      const VectorXd change = pushed.bodyAccelerations(none) - rest;
      udot[k] = pushed.accelerations(none) - maximal_.accelerations(none);
      for (int l = 0; l < rows; ++l) {
        const Push& other = pushes[l];
        const V3 alpha = change.segment<3>(6 * other.body),
                 a = change.segment<3>(6 * other.body + 3);
        const V3 arm = other.at - maximal_.centre(other.body);
        dense(l, k) = other.couple.dot(alpha) + other.force.dot(a + alpha.cross(arm));
      }
    }
    MatrixXd z(e_.ny, rows), inverse(rows, rows);
    inverseOperationalInertia(e_.m, e_.loops, cw_, wrenches.data(), rows, z.data(), inverse.data());
    expectSame(inverse, J * M_.ldlt().solve(J.transpose()), "Lambda^-1, projection");
    expectSame(inverse, dense, "Lambda^-1, dense");
    expectSame(query_.inverseInertia(asked), dense, "Lambda^-1 of the query, dense");
    for (int k = 0; k < rows; ++k) {
      VectorXd ydot(e_.ny), change(e_.nv);
      const double felt = testForce(e_.m, e_.loops, wrenches[k], cw_, ydot.data(), change.data());
      expectSame(ydot, M_.ldlt().solve(J.row(k).transpose()), "test force, udot_y");
      expectSame(e_.ratesFromEngine(change), udot[k], "test force, udot");
      expectSame(VectorXd::Constant(1, felt), VectorXd::Constant(1, dense(k, k)),
                 "test force, along it");
      std::vector<double> response(static_cast<std::size_t>(e_.nv));
      Motion<double> acceleration;
      const double along = query_.respond(asked[k], response, acceleration);
      expectSame(e_.ratesFromEngine(VectorXd::Map(response.data(), e_.nv)), udot[k],
                 "the query's response, udot");
      expectSame(VectorXd::Constant(1, along), VectorXd::Constant(1, dense(k, k)),
                 "the query's response, along it");
    }
  }

 private:
  struct Push {
    int body;
    V3 at, force, couple;
  };

  const Topology& topology() const { return e_.model.topology; }
  int engineBody(int body) const {
    const std::string& joint = tree_.joints[body].name;
    return joint.empty() ? 0 : e_.model.joint(joint);
  }
  Push randomPush() {
    const int body = random_.integer(tree_.nb());
    const V3 at = maximal_.centre(body) + toEigen(random_.vector(0.5));
    return {body, at, toEigen(random_.vector(1)), toEigen(random_.vector(1))};
  }
  template <class A, class B>
  void expectSame(const A& value, const B& wanted, const char* what) const {
    const MatrixXd a = value, b = wanted;
    EXPECT_LT(relativeDifference(VectorXd(a.reshaped()), VectorXd(b.reshaped())), tolerance_)
        << what << ", conditioning " << maximal_.conditioning();
  }

  LoopsEngine& e_;
  const MechanismTree& tree_;
  ClusterScratch<double> cw_;
  OperationalQuery query_;
  Maximal maximal_;
  VectorXd tau_, h_;
  MatrixXd M_;
  Random& random_;
  double tolerance_;
  V3 gravity_{0.3, -0.2, -9.81};
};

void expectSame(LoopsEngine& engine, const MechanismTree& tree,
                const std::vector<MechanismState>& states, bool chooses, double tolerance) {
  Random random(41);
  for (const MechanismState& s : states) {
    engine.move(s, chooses);
    Clusters clusters(engine, tree, s, tolerance, random);
    clusters.expectForwardDynamics();
    clusters.expectInverseDynamics();
    clusters.expectOperationalInertia();
  }
}

class LoopsClusters : public ::testing::TestWithParam<int> {};

TEST_P(LoopsClusters, AreTheDenseSolution) {
  const RandomMechanism mechanism = randomMechanism(static_cast<std::uint64_t>(GetParam()));
  const MechanismTree tree(mechanism.spec);
  const Expected<Model> model = compile(mechanism.spec);
  ASSERT_TRUE(model.hasValue()) << model.diagnostics().toString();
  const std::vector<MechanismState> states =
      randomStates(tree, mechanism.q0, static_cast<std::uint64_t>(GetParam()), 50);
  ASSERT_EQ(states.size(), 50u);
  LoopsEngine engine(*model, tree);
  expectSame(engine, tree, states, GetParam() % 2 == 1, 1e-12);
}
INSTANTIATE_TEST_SUITE_P(Seeds, LoopsClusters, ::testing::Range(0, 100));

class ClustersOfRobots : public ::testing::TestWithParam<const char*> {};
TEST_P(ClustersOfRobots, AreTheDenseSolution) {
  const auto robot = loopRobot(GetParam());
  if (!robot) GTEST_SKIP() << "no " << GetParam() << " under ESPALIER_SHARED";
  expectSame(robot->engine, robot->tree, robot->walk(50), true, 1e-9);
}
INSTANTIATE_TEST_SUITE_P(All, ClustersOfRobots, ::testing::ValuesIn(loop_robots), nameOfRobot);

}  // namespace
}  // namespace espalier::testing

// A tree is a mechanism of lone joints: the recursions over clusters and the algorithms of trees must
// say the same, whatever the joints.

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "espalier/dynamics/tree/factor.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/jacobian.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"
#include "espalier/model/loops/mechanism_layout.h"
#include "tests/support/aba.h"
#include "tests/support/cluster_aba.h"
#include "tests/support/cluster_rnea.h"
#include "tests/support/compare.h"
#include "tests/support/force_propagators.h"
#include "tests/support/random_tree.h"
#include "tests/support/rnea.h"

namespace espalier::testing {
namespace {

using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, -1, -1, Eigen::RowMajor>;

const Vec3d gravity{0.3, -0.2, -9.81};

class ClusterTrees : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    layOut(t, m);
    loops = std::make_unique<LoopWorkspace<double>>(t, m);
    clusters = std::make_unique<ClusterScratch<double>>(t, m);
    kinematics(t, tree.parameters, state.q.data(), state.u.data(), ws);
    computeReducedColumns(t, m, ws, *loops);
  }
  static std::uint64_t seed() { return static_cast<std::uint64_t>(GetParam()); }

  RandomTree tree = randomTree(seed() + 700, {.bodies = 2 + GetParam() % 13,
                                              .floating = GetParam() % 3 != 0,
                                              .armature = GetParam() % 2 == 0});
  const Topology& t = tree.topology;
  RandomState state = randomState(t, seed() + 1000);
  Mechanism m;
  Workspace<double> ws{t};
  std::unique_ptr<LoopWorkspace<double>> loops;
  std::unique_ptr<ClusterScratch<double>> clusters;
};

TEST_P(ClusterTrees, ForwardDynamicsIsThatOfTheTree) {
  ASSERT_EQ(m.reduced.nv, t.nv);
  std::vector<double> wanted(state.u.size()), ydot(wanted.size()), udot(wanted.size());
  AbaWorkspace<double> aws(t);
  aba(t, tree.parameters, gravity, state.q.data(), state.u.data(), state.udot.data(), aws,
      wanted.data());
  clusterAba(t, tree.parameters, m, gravity, state.udot.data(), ws, *loops, *clusters, ydot.data(),
             udot.data());
  EXPECT_LT(relativeDifference(udot, wanted), 1e-9);
  EXPECT_EQ(udot, ydot);
}

TEST_P(ClusterTrees, InverseDynamicsIsThatOfTheTree) {
  std::vector<double> wanted(state.u.size()), tau(wanted.size());
  Workspace<double> other(t);
  rnea(t, tree.parameters, gravity, state.q.data(), state.u.data(), state.udot.data(), other,
       wanted.data());
  clusterRnea(t, tree.parameters, m, gravity, state.udot.data(), ws, *loops, *clusters, tau.data());
  EXPECT_LT(relativeDifference(tau, wanted), 1e-12);
}

/// Points of two bodies, the base among them now and then, and a spin.
TEST_P(ClusterTrees, OperationalInertiaIsJacobiansThroughTheMassMatrix) {
  constexpr int rows = 9;
  Random random(seed() + 5);
  std::vector<BodyWrench<double>> wrenches;
  RowMajor J = RowMajor::Zero(rows, t.nv);
  const Vec3d axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 0; k < 3; ++k) {
    const int body = random.integer(t.nb);
    const Vec3d r = random.vector(1);
    for (const Vec3d& e : axes)
      wrenches.push_back({body, k == 2 ? Force<double>{e, {0, 0, 0}} : forceAt(r, e)});
    if (k == 2)
      rotationalJacobian(t, ws, body, J.row(3 * k).data());
    else
      pointJacobian(t, ws, body, r, J.row(3 * k).data());
  }
  massMatrix(t, tree.parameters, ws);
  factor(t, ws);
  RowMajor solved = J;  // rows become M^-1 J'
  for (int k = 0; k < rows; ++k) solve(t, ws, solved.row(k).data());

  RowMajor z(rows, t.nv), inverse(rows, rows);
  factorClusters(t, tree.parameters, m, ws, *loops, *clusters);
  inverseOperationalInertia(m, *loops, *clusters, wrenches.data(), rows, z.data(), inverse.data());
  const RowMajor wanted = J * solved.transpose();
  EXPECT_LT(relativeDifference(VectorXd(inverse.reshaped()), VectorXd(wanted.reshaped())), 1e-9);

  for (int k = 0; k < rows; ++k) {
    VectorXd ydot(t.nv), udot(t.nv);
    const double felt = testForce(m, *loops, wrenches[k], *clusters, ydot.data(), udot.data());
    EXPECT_LT(relativeDifference(udot, VectorXd(solved.row(k))), 1e-9) << k;
    EXPECT_NEAR(felt, wanted(k, k), 1e-9 * (1 + wanted(k, k))) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Random, ClusterTrees, ::testing::Range(0, 60));

}  // namespace
}  // namespace espalier::testing

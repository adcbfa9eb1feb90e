// aba(), forwardDynamics(), accelerations and joint wrenches against the dense solution in maximal
// coordinates.

#include "tests/oracle/maximal.h"

#include <gtest/gtest.h>

#include "espalier/dynamics/tree/accelerations.h"
#include "espalier/dynamics/tree/jacobian.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "tests/support/aba.h"
#include "tests/support/compare.h"
#include "tests/support/forward_dynamics.h"
#include "tests/support/joint_kinds.h"

namespace espalier::testing {
namespace {

const Vec3d gravity{0.3, -0.2, -9.81};

void expectSameAccelerations(const RandomTree& tree, std::uint64_t seed, double tolerance) {
  const Topology& t = tree.topology;
  const RandomState s = randomState(t, seed);
  std::vector<double> tau(s.u.size());
  Random random(seed + 99);
  for (double& x : tau) x = random.uniform(-10, 10);

  MaximalCoordinates maximal(tree, s.q, s.u);
  const Eigen::VectorXd expected = maximal.accelerations({gravity.x, gravity.y, gravity.z}, tau);

  std::vector<double> udot(tau.size());
  AbaWorkspace<double> aws(t);
  aba(t, tree.parameters, gravity, s.q.data(), s.u.data(), tau.data(), aws, udot.data());
  EXPECT_LT(relativeDifference(udot, expected), tolerance) << "aba";

  Workspace<double> ws(t);
  forwardDynamics(t, tree.parameters, gravity, s.q.data(), s.u.data(), tau.data(), ws, udot.data());
  EXPECT_LT(relativeDifference(udot, expected), tolerance) << "forwardDynamics";

  // A push on the last body arrives through its Jacobians as joint forces.
  const int last = t.nb - 1;
  const Vec3d p_C{0.1, 0.2, -0.3}, force{3, -2, 1}, couple{0.4, 0.5, -0.6};
  const Vec3d r = ws.x[last] + mul(ws.R[last], p_C), at = ws.origin + r;
  maximal.push(last, {at.x, at.y, at.z}, {force.x, force.y, force.z},
               {couple.x, couple.y, couple.z});
  std::vector<double> J(static_cast<std::size_t>(6 * t.nv), 0.0);
  pointJacobian(t, ws, last, r, J.data());
  rotationalJacobian(t, ws, last, J.data() + 3 * t.nv);
  std::vector<double> pushed = tau;
  const double wrench[6] = {force.x, force.y, force.z, couple.x, couple.y, couple.z};
  for (int d = 0; d < t.nv; ++d)
    for (int k = 0; k < 6; ++k) pushed[d] += J[k * t.nv + d] * wrench[k];
  aba(t, tree.parameters, gravity, s.q.data(), s.u.data(), pushed.data(), aws, udot.data());
  EXPECT_LT(relativeDifference(udot, maximal.accelerations({gravity.x, gravity.y, gravity.z}, tau)),
            tolerance)
      << "pushed";
}

std::vector<double> sixOf(const Eigen::Matrix<double, 6, Eigen::Dynamic>& all, int body) {
  return {all.col(body).begin(), all.col(body).end()};
}

void expectSameWrenches(const RandomTree& tree, std::uint64_t seed, double tolerance) {
  const Topology& t = tree.topology;
  const RandomState s = randomState(t, seed);
  MaximalCoordinates maximal(tree, s.q, s.u);
  Random random(seed + 7);
  std::vector<double> tau(s.u.size());
  for (double& x : tau) x = random.uniform(-10, 10);
  std::vector<Force<double>> external;
  for (int i = 0; i < t.nb; ++i) {
    const Vec3d force = random.vector(5), couple = random.vector(2);
    maximal.push(i, maximal.position(i), {force.x, force.y, force.z},
                 {couple.x, couple.y, couple.z});
    external.push_back({couple, force});
  }
  const auto expected = maximal.motion({gravity.x, gravity.y, gravity.z}, tau);

  Workspace<double> ws(t);
  kinematics(t, tree.parameters, s.q.data(), s.u.data(), ws);
  std::vector<Motion<double>> A(external.size());
  std::vector<Force<double>> wrenches(external.size());
  accelerations(t, ws, expected.udot.data(), A.data());
  jointWrenches(t, ws, gravity, A.data(), external.data(), wrenches.data());
  for (int i = 0; i < t.nb; ++i) {
    const Motion<double> own{A[i].w, accelerationAt(ws.V[i], A[i], ws.x[i])};
    EXPECT_LT(relativeDifference(numbers(own), sixOf(expected.bodies, i)), tolerance) << i;
    EXPECT_LT(relativeDifference(numbers(wrenches[i]), sixOf(expected.wrenches, i)), tolerance)
        << i;
  }
}

class MaximalKinds : public ::testing::TestWithParam<KindCase> {};
TEST_P(MaximalKinds, SameAccelerations) { expectSameAccelerations(GetParam().tree(21), 5, 1e-10); }
TEST_P(MaximalKinds, SameWrenches) { expectSameWrenches(GetParam().tree(22), 6, 1e-10); }
INSTANTIATE_TEST_SUITE_P(Kinds, MaximalKinds, ::testing::ValuesIn(everyKind()), kindName);

class MaximalTrees : public ::testing::TestWithParam<int> {};
TEST_P(MaximalTrees, SameAccelerations) {
  const int seed = GetParam();
  expectSameAccelerations(
      randomTree(static_cast<std::uint64_t>(seed) + 500,
                 {.bodies = 2 + seed % 9, .floating = seed % 2 == 0, .armature = seed % 3 == 0}),
      static_cast<std::uint64_t>(seed), 1e-9);
}
TEST_P(MaximalTrees, SameWrenches) {
  const int seed = GetParam();
  expectSameWrenches(
      randomTree(static_cast<std::uint64_t>(seed) + 900,
                 {.bodies = 2 + seed % 9, .floating = seed % 2 == 0, .armature = seed % 3 == 0}),
      static_cast<std::uint64_t>(seed), 1e-9);
}
INSTANTIATE_TEST_SUITE_P(Random, MaximalTrees, ::testing::Range(0, 30));

}  // namespace
}  // namespace espalier::testing

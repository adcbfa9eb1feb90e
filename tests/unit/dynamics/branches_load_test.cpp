// Branches beyond the step: parameters edited after they were laid out arrive when they are loaded
// again; momentum, total inertia and what is handed to the plain workspace are the plain ones.

#include <gtest/gtest.h>

#include "espalier/dynamics/simd/branches.h"
#include "espalier/dynamics/tree/energy.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"
#include "tests/support/compare.h"
#include "tests/support/random_tree.h"

namespace espalier::testing {
namespace {

/// Four limbs of three hinges on a floating base.
RandomTree quadruped(std::uint64_t seed) {
  RandomTree tree = randomTree(seed, {.bodies = 13, .armature = true});
  std::vector<BodyTopology> bodies = tree.topology.bodies;
  for (int b = 1; b < 13; ++b)
    bodies[b] = {.parent = b % 3 == 1 ? 0 : b - 1, .kind = JointKind::Revolute};
  tree.topology = makeTopology(bodies);
  tree.parameters.armature.assign(static_cast<std::size_t>(tree.topology.nv), 0.1 * seed);
  for (int d = 0; d < 6; ++d) tree.parameters.armature[d] = 0;
  return tree;
}

TEST(BranchesLoad, EditedParametersGiveThePlainResults) {
  RandomTree tree = quadruped(1);
  const RandomTree other = quadruped(2);
  const Topology& t = tree.topology;
  const RandomState s = randomState(t, 5);
  const Vec3d gravity{0.1, 0.2, -9.81};
  Branches branches(t, tree.parameters);
  ASSERT_TRUE(branches.isProfitable());
  Workspace<double> plain(t), lanes(t);
  std::vector<double> expected(s.u.size()), actual(s.u.size());
  const auto run = [&] {
    branches.kinematics(s.q.data(), s.u.data(), lanes);
    branches.bias(gravity, lanes, actual.data());
    branches.massMatrix(lanes);
  };
  run();
  const std::vector<double> before = actual;

  tree.parameters = other.parameters;
  branches.load(tree.parameters);
  run();
  kinematics(t, tree.parameters, s.q.data(), s.u.data(), plain);
  bias(t, tree.parameters, gravity, plain, expected.data());
  massMatrix(t, tree.parameters, plain);
  EXPECT_NE(actual, before);
  EXPECT_EQ(actual, expected);
  for (std::size_t i = 0; i < plain.H.size(); ++i) ASSERT_EQ(lanes.H[i], plain.H[i]) << i;
}

TEST(BranchesLoad, WholeSystemAndExportsAreThePlainOnes) {
  const RandomTree tree = quadruped(3);
  const Topology& t = tree.topology;
  const RandomState s = randomState(t, 6);
  const Vec3d gravity{0.1, 0.2, -9.81};
  Branches branches(t, tree.parameters);
  Workspace<double> plain(t), lanes(t);
  std::vector<double> h(s.u.size());
  kinematics(t, tree.parameters, s.q.data(), s.u.data(), plain);
  bias(t, tree.parameters, gravity, plain, h.data());
  branches.kinematics(s.q.data(), s.u.data(), lanes);
  branches.bias(gravity, lanes, h.data());
  EXPECT_EQ(numbers(branches.momentum(s.u.data(), lanes)),
            numbers(momentum(t, tree.parameters, s.u.data(), plain)));
  EXPECT_EQ(numbers(branches.totalInertia(lanes)), numbers(totalInertia(t, plain)));
  branches.exportAll(lanes);
  for (int b = 0; b < t.nb; ++b) {
    EXPECT_EQ(numbers(lanes.R[b]), numbers(plain.R[b]));
    EXPECT_EQ(numbers(lanes.x[b]), numbers(plain.x[b]));
    EXPECT_EQ(numbers(lanes.V[b]), numbers(plain.V[b]));
    EXPECT_EQ(numbers(lanes.c[b]), numbers(plain.c[b]));
    EXPECT_EQ(numbers(lanes.A[b]), numbers(plain.A[b]));
    EXPECT_EQ(numbers(lanes.Ib[b]), numbers(plain.Ib[b]));
  }
  for (int d = 6; d < t.nv; ++d) EXPECT_EQ(numbers(lanes.S[d]), numbers(plain.S[d]));
}

}  // namespace
}  // namespace espalier::testing

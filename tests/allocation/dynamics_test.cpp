// Once the workspaces stand, no algorithm of dynamics/ and no step on the coordinates allocates.

#include <gtest/gtest.h>

#include "espalier/dynamics/simd/chain_lanes.h"
#include "espalier/io/urdf/urdf.h"
#include "espalier/model/coordinates.h"
#include "espalier/model/model.h"
#include "espalier/scalar/instantiate.h"
#include "tests/support/all_algorithms.h"
#include "tests/support/cluster_algorithms.h"
#include "tests/support/counted_heap.h"
#include "tests/support/random_mechanism.h"
#include "tests/support/random_tree.h"
#include "tests/support/source_folder.h"

namespace espalier::testing {
namespace {

template <class F>
long allocationsIn(F&& f) {
  const long before = allocations;
  f();
  return allocations - before;
}

TEST(Allocation, TheWatcherSees) {
  EXPECT_EQ(allocationsIn([] { std::vector<double> v(3); }), 1);
  EXPECT_EQ(allocationsIn([] { AlignedArray<double> a(3); }), 1);
}

template <class T>
class EveryScalar : public ::testing::Test {};
using Scalars = ::testing::Types<double, float, DoubleLanes, FloatLanes, Dual<double>>;
TYPED_TEST_SUITE(EveryScalar, Scalars);

TYPED_TEST(EveryScalar, DynamicsDoesNotAllocate) {
  using T = TypeParam;
  for (const bool floating : {false, true}) {
    const RandomTree tree = randomTree(1, {.bodies = 20, .floating = floating, .armature = true});
    const Topology& t = tree.topology;
    const Lowered<value_t<T>> par = lowered<value_t<T>>(tree.parameters);
    AllAlgorithms<T> all(t, par);
    EXPECT_EQ(allocationsIn([&] { all.run(); }), 0);

    AlignedArray<T> q(t.nq), step(t.nv);
    EXPECT_EQ(allocationsIn([&] { advance(t, q.data(), step.data(), q.data()); }), 0);
  }
}

TYPED_TEST(EveryScalar, RecursionsOverClustersDoNotAllocate) {
  using S = value_t<TypeParam>;
  const std::string biped = sourceFolder() + "/models/geared_biped/geared_biped.urdf";
  for (const SystemSpec& spec : {randomMechanism(1).spec, io::loadRobot(biped).value()}) {
    const Model model = compile(spec).value();
    const Lowered<S> par = lowered<S>(model.lowered);
    ClusterAlgorithms<TypeParam> all(model.topology, par, model.mechanism);
    EXPECT_EQ(allocationsIn([&] { all.run(); }), 0);
  }
}

TEST(Allocation, LegsInLanesDoNotAllocate) {
  RandomTree tree = randomTree(1, {.bodies = 13, .kinds = {JointKind::Revolute}});
  std::vector<BodyTopology> bodies = tree.topology.bodies;
  for (int b = 1; b < 13; ++b) bodies[b].parent = b % 3 == 1 ? 0 : b - 1;  // four legs
  tree.topology = makeTopology(bodies);
  const Topology& t = tree.topology;
  RandomState s = randomState(t, 1);
  const Vec3d gravity{0, 0, -9.81};
  ChainLanes chains(t, tree.parameters);
  ASSERT_TRUE(chains.isProfitable());
  Workspace<double> ws(t);
  EXPECT_EQ(allocationsIn([&] {
              chains.load(tree.parameters);
              chains.kinematics(s.q.data(), s.u.data(), ws);
              chains.velocities(s.u.data(), ws);
              chains.bias(gravity, ws, s.udot.data());
              chains.massMatrix(ws);
              chains.momentum(s.u.data(), ws);
              chains.totalInertia(ws);
              chains.exportAll(ws);
            }),
            0);
}

TEST(Allocation, CoordinatesDoNotAllocate) {
  const RandomTree tree = randomTree(2, {.bodies = 20});
  const Topology& t = tree.topology;
  RandomState s = randomState(t, 1);
  EXPECT_EQ(allocationsIn([&] {
              neutral(t, s.q.data());
              normalize(t, s.q.data());
              difference(t, s.q.data(), s.q.data(), s.u.data());
            }),
            0);
}

}  // namespace
}  // namespace espalier::testing

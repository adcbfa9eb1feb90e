// State is a value: taken, copied, put back.

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

void build(World& world) {
  world.addGround();
  addRobot(world, "strider", 100, 2, {0, 0, 0.05});
  Eigen::VectorXd u = Eigen::VectorXd::Zero(18);
  u.head<6>() << 0.5, 0.2, 0, 0.4, -0.3, 0.2;
  world.system(0)->setGeneralizedVelocity(u);
  addRobot(world, "chain20", 1, 0.1, {3, 0, 0});
}

TEST(WorldState, PutBackItIsTheSameToTheBit) {
  World world;
  build(world);
  for (int i = 0; i < 500; ++i) {
    world.integrate();
    const State state = world.getState();
    const std::uint64_t before = world.stateHash();
    world.setState(state);
    ASSERT_EQ(world.stateHash(), before) << i;
    ASSERT_EQ(world.getState(), state) << i;
    world.system(0)->setGeneralizedCoordinate(world.system(0)->getGeneralizedCoordinate());
    ASSERT_EQ(world.getState(), state) << i;
  }
}

TEST(WorldState, QuaternionsAreMadeUnit) {
  World world;
  ArticulatedSystem* ball = world.addArticulatedSystem(freeBody("ball", SphereShape{0.1}, 1));
  Eigen::VectorXd q(7);
  q << 0, 0, 1, 0.6, 0, 1.6, 0;
  ball->setGeneralizedCoordinate(q);
  q.tail(4) /= q.tail(4).norm();
  EXPECT_LT((ball->getGeneralizedCoordinate() - q).norm(), 1e-15);
}

// Two worlds that are given one state go on alike, whatever they did before.
TEST(WorldState, IsAllThatMoves) {
  World a, b;
  build(a);
  build(b);
  for (int i = 0; i < 300; ++i) a.integrate();
  for (int i = 0; i < 77; ++i) b.integrate();
  const State state = a.getState();
  a.setState(state);
  b.setState(state);
  for (int i = 0; i < 200; ++i) {
    a.integrate();
    b.integrate();
    ASSERT_EQ(a.getState(), b.getState()) << i;
  }
  EXPECT_GT(a.report().activeContacts, 0);
  EXPECT_EQ(hash(a.getState()), a.stateHash());
}

// The history is that of one q, u and set of welds: where those are others the step starts as without.
TEST(WorldState, AHistoryOfAnotherStateIsIgnored) {
  World kept, emptied;
  for (World* w : {&kept, &emptied}) build(*w);
  for (int i = 0; i < 300; ++i) kept.integrate();
  State state = kept.getState();
  ASSERT_FALSE(state.history.empty());
  const auto expectCold = [&] {
    kept.setState(state);
    State cold = state;
    cold.history.clear();
    emptied.setState(cold);
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(kept.integrate().iterations, emptied.integrate().iterations);
      ASSERT_EQ(kept.getState(), emptied.getState()) << i;
    }
  };
  state.u[0] += 0.01;
  expectCold();
  state = kept.getState();
  for (World* w : {&kept, &emptied}) w->attach(w->system(1), nullptr);
  expectCold();
}

TEST(WorldState, AHistoryThatCannotBeIsRefused) {
  World world;
  build(world);
  for (int i = 0; i < 300; ++i) world.integrate();
  const State good = world.getState();
  const auto expectRefused = [&](State bad) {
    EXPECT_THROW(world.setState(bad), std::invalid_argument);
    EXPECT_EQ(world.getState(), good);
    EXPECT_EQ(world.getState().history, good.history);
  };
  State bad = good;
  bad.history[2] = 0.5;  // contacts
  expectRefused(bad);
  bad = good;
  bad.history.pop_back();
  expectRefused(bad);
  bad.history.insert(bad.history.end(), 2, 0.0);
  expectRefused(bad);
  bad = good;
  bad.history.back() = std::numeric_limits<double>::infinity();
  expectRefused(bad);
}

TEST(WorldState, BetweenTheHalvesOfAStepItHasNoHistory) {
  World world;
  build(world);
  EXPECT_FALSE(world.getState().history.empty());
  world.integrate1();
  EXPECT_TRUE(world.getState().history.empty());
  world.integrate2();
  EXPECT_FALSE(world.getState().history.empty());
}

TEST(WorldState, AsBytes) {
  World world;
  build(world);
  for (int i = 0; i < 100; ++i) world.integrate();
  const State state = world.getState(), again = stateFromBytes(toBytes(state));
  EXPECT_EQ(again, state);
  EXPECT_EQ(again.history, state.history);
  EXPECT_EQ(world.saveCheckpoint(), toBytes(state));
}

TEST(WorldState, BeginsWhereTheSpecSays) {
  World world;
  SystemSpec spec = freeBody("ball", SphereShape{0.1}, 1);
  spec.X_WB.p = {1, 2, 3};
  spec.X_WB.R = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};  // a quarter turn about z
  ArticulatedSystem* ball = world.addArticulatedSystem(spec);
  Eigen::VectorXd q(7);
  q << 1, 2, 3, std::sqrt(0.5), 0, 0, std::sqrt(0.5);
  EXPECT_LT((ball->getGeneralizedCoordinate() - q).norm(), 1e-15);
  EXPECT_EQ(world.getWorldTime(), 0);
}

TEST(WorldState, AnothersIsRefused) {
  World world, other;
  build(world);
  const State before = world.getState();
  EXPECT_THROW(world.setState(other.getState()), std::invalid_argument);
  State bad = before;
  bad.q[8] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(world.setState(bad), std::invalid_argument);
  bad = before;
  bad.time = std::numeric_limits<double>::infinity();
  EXPECT_THROW(world.setState(bad), std::invalid_argument);
  world.integrate1();
  EXPECT_THROW(world.setState(before), std::invalid_argument);
  EXPECT_EQ(world.getState(), before);
}

}  // namespace
}  // namespace espalier::testing

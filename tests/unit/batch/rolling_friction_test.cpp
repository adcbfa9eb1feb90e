// Rolling and spinning friction in throughput batches.

#include <gtest/gtest.h>

#include "tests/unit/batch/batch_scenes.h"

namespace espalier::testing {
namespace {

constexpr double radius = 0.1, rolling = 0.004;  // m

MaterialPairSpec sticky() {
  MaterialPairSpec pair;
  pair.friction = 0.8;
  pair.rollingFriction = rolling;
  pair.spinningFriction = 0.01;
  return pair;
}

std::shared_ptr<World> makeSticky() {
  auto world = makeGround();
  world->setDefaultMaterial(sticky());
  return world;
}

/// A ball that rolls, a box that spins on its side, and a robot that stands beside both.
std::shared_ptr<World> makeRollers() {
  auto world = makeSticky();
  auto* ball = world->addSphere(radius, 1);
  ball->setPosition(2, 0, radius);
  ball->setVelocity({1, 0, 0}, {0, 1 / radius, 0});
  auto* box = world->addBox(0.2, 0.2, 0.1, 1);
  box->setPosition(0, 2, 0.05);
  box->setAngularVelocity({0, 0, 5});
  addRobot(*world, "strider", 100, 5, {0, 0, 0.01});
  return world;
}

template <class S>
void expectAsAccurate(double tolerance) {
  Batch<double> exact(makeRollers, 3);
  Batch<S> fast(makeRollers, 3, {.mode = BatchMode::THROUGHPUT});
  const Rows<double> q = exact.bind("q");
  for (int k = 0; k < 4; ++k) {
    exact.step(50);
    fast.step(50);
    for (int i = 0; i < q.count; ++i)
      EXPECT_NEAR(static_cast<double>(fast.bind("q")(i, 0)), q(i, 0), tolerance) << i << ", " << k;
  }
  EXPECT_EQ(fast.report().flags[0], 0u);
}

TEST(RollingFriction, IsAsInAccurateWorlds) {
  expectAsAccurate<double>(1e-5);
  expectAsAccurate<float>(2e-3);
}

/// With M = m (r^2 + k^2) / r^2 = 7/5 m a ball is slowed by a couple of rolling m g about its point of contact:
/// v' = -5/7 g rolling / r.
template <class S>
void expectDeceleration(double tolerance) {
  const auto make = [] {
    auto world = makeSticky();
    auto* ball = world->addSphere(radius, 1);
    ball->setPosition(0, 0, radius);
    ball->setVelocity({1, 0, 0}, {0, 1 / radius, 0});
    return world;
  };
  Batch<S> batch(make, 2, {.mode = BatchMode::THROUGHPUT});
  batch.step(250);
  const double slower = 5.0 / 7 * gravity * rolling / radius * 0.5;
  EXPECT_NEAR(static_cast<double>(batch.bind("u")(0, 1)), 1 - slower, tolerance);
  batch.step(2000);
  EXPECT_NEAR(static_cast<double>(batch.bind("u")(0, 1)), 0, tolerance);  // it has come to rest
}

TEST(RollingFriction, SlowsABallAsItShould) {
  expectDeceleration<double>(1e-6);
  expectDeceleration<float>(1e-4);
}

/// Beside worlds in which all touches, in which nothing does, and in which the robot alone does.
template <class S>
void expectSameBits() {
  const auto put = [](Batch<S>& batch, int world, int kind) {
    if (kind == 0) return;
    State state = batch.initialState();
    state.history.clear();
    for (double& x : state.u) x = 0;
    for (const int z : {2, 9}) state.q[z] += 1;  // of ball and box
    if (kind == 1) state.q[16] += 1;             // of the robot
    batch.setState(world, state);
  };
  Batch<S> many(makeRollers, 20, {.mode = BatchMode::THROUGHPUT, .threads = 2});
  for (int w = 0; w < many.size(); ++w) put(many, w, w % 3);
  for (int k = 0; k < 30; ++k) many.step(3);
  for (const int kind : {0, 1, 2}) {
    Batch<S> alone(makeRollers, 1, {.mode = BatchMode::THROUGHPUT});
    put(alone, 0, kind);
    for (int k = 0; k < 30; ++k) alone.step(3);
    for (int w = kind; w < many.size(); w += 3) expectSameWorld(alone, 0, many, w);
  }
}

TEST(RollingFriction, HasTheSameBitsBesideAnyNeighbours) {
  expectSameBits<double>();
  expectSameBits<float>();
}

}  // namespace
}  // namespace espalier::testing

// A world that diverges leaves nothing behind: not in its neighbours, not in worlds that are stepped after it in
// the same registers, not in itself once it is reset.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/batch/batch_scenes.h"

namespace espalier::testing {
namespace {

constexpr int world_count = 19, bad = 5, some_steps = 40;

template <class S>
std::vector<S> statesOf(Batch<S>& batch) {
  std::vector<S> all;
  for (const char* name : {"q", "u"}) {
    const Rows<S> rows = batch.bind(name);
    for (int w = 0; w < batch.size(); ++w)
      for (int i = 0; i < rows.count; ++i) all.push_back(rows(i, w));
  }
  return all;
}

/// Robots with 6 to 18 dofs that are solved for, so that loops over four end everywhere.
std::shared_ptr<World> makeStanding(const char* name) {
  auto world = makeGround();
  addRobot(*world, name, 30, 1, {0, 0, 0.01});
  return world;
}

template <class S>
void expectNothingLeft(const char* robot, BatchMode mode, const char* input, S value) {
  SCOPED_TRACE(std::string(robot) + ", " + input + " is " + std::to_string(value));
  const auto make = [&] { return makeStanding(robot); };
  const BatchOptions options{.mode = mode, .threads = 1};
  Batch<S> clean(make, world_count, options), batch(make, world_count, options);
  clean.step(some_steps);
  const std::vector<S> expected = statesOf(clean);

  const Rows<S> rows = batch.bind(input);
  const S before = rows(rows.count - 1, bad);
  rows(rows.count - 1, bad) = value;
  batch.step(3);
  EXPECT_NE(batch.report().flags[bad], 0u);
  for (int w = 0; w < world_count; ++w)
    if (w != bad) EXPECT_EQ(batch.report().flags[w], 0u) << "world " << w;
  rows(rows.count - 1, bad) = before;
  batch.reset();
  batch.step(some_steps);
  EXPECT_EQ(statesOf(batch), expected);
}

template <class S>
void expectNothingLeftOfAny(BatchMode mode) {
  for (const char* robot : {"strider", "quadruped", "biped", "beest", "geared_biped"}) {
    expectNothingLeft<S>(robot, mode, "feedforward", std::numeric_limits<S>::quiet_NaN());
    expectNothingLeft<S>(robot, mode, "u", std::numeric_limits<S>::quiet_NaN());
    expectNothingLeft<S>(robot, mode, "gravity", std::numeric_limits<S>::quiet_NaN());
  }
}

TEST(Divergence, LeavesNothingBehindInThroughputMode) {
  expectNothingLeftOfAny<double>(BatchMode::THROUGHPUT);
  expectNothingLeftOfAny<float>(BatchMode::THROUGHPUT);
}

TEST(Divergence, LeavesNothingBehindInAccurateMode) {
  expectNothingLeftOfAny<double>(BatchMode::ACCURATE);
}

TEST(Divergence, LeavesNothingBehindInAWorld) {
  for (const char* name : {"strider", "quadruped", "biped", "beest"}) {
    const auto world = makeStanding(name), clean = makeStanding(name);
    const State start = clean->getState();
    ArticulatedSystem* robot = world->system(0);
    const Eigen::VectorXd none = robot->getFeedForwardGeneralizedForce();
    Eigen::VectorXd force = none;
    force.tail(1)[0] = 1e300;
    robot->setGeneralizedForce(force);
    for (int k = 0; k < 3; ++k) world->integrate();
    robot->setGeneralizedForce(none);
    world->setState(start);
    clean->setState(start);
    for (int k = 0; k < some_steps; ++k) world->integrate(), clean->integrate();
    EXPECT_EQ(world->getState().q, clean->getState().q) << name;
    EXPECT_EQ(world->getState().u, clean->getState().u) << name;
  }
}

template <class S>
void expectTakesZeroQuaternions() {
  Batch<S> batch(makeStrider, 2, {.mode = BatchMode::THROUGHPUT});
  const Rows<S> q = batch.bind("q");
  q(3, 1) = 0;
  batch.step();
  EXPECT_EQ(batch.report().flags[1], 0u);
  for (int i = 0; i < q.count; ++i) EXPECT_EQ(q(i, 1), q(i, 0)) << "coordinate " << i;
}

TEST(Divergence, QuaternionsOfZerosAreTheIdentity) {
  expectTakesZeroQuaternions<double>();
  expectTakesZeroQuaternions<float>();
}

template <class S>
void expectForgetsContactForces(BatchMode mode) {
  Batch<S> batch(makeStrider, 2, {.mode = mode});
  const Rows<S> force = batch.bind("contact_force");
  batch.step(100);
  double sum = 0;
  for (int i = 0; i < force.count; ++i) sum += std::abs(static_cast<double>(force(i, 1)));
  EXPECT_GT(sum, 100);
  const int one[] = {1};
  batch.reset(one);
  for (int i = 0; i < force.count; ++i) EXPECT_EQ(force(i, 1), S(0));
}

TEST(Batch, ForgetsContactForcesWhenReset) {
  expectForgetsContactForces<double>(BatchMode::ACCURATE);
  expectForgetsContactForces<double>(BatchMode::THROUGHPUT);
  expectForgetsContactForces<float>(BatchMode::THROUGHPUT);
}

TEST(ThroughputBatch, RefusesAFunctionThatMakesOtherWorldsEachTime) {
  for (const double heavier : {0.0, 1.0}) {
    int calls = 0;
    const auto make = [&] {
      auto world = makeGround();
      if (++calls > 1 && heavier == 0) world->setTimeStep(1e-3);
      SystemSpec spec = modelSpec("strider");
      for (LinkSpec& link : spec.links)
        if (link.inertial && calls > 1) link.inertial->mass += heavier;
      world->addArticulatedSystem(spec);
      return world;
    };
    EXPECT_THROW((Batch<double>(make, 4, {.mode = BatchMode::THROUGHPUT})), std::invalid_argument);
  }
}

}  // namespace
}  // namespace espalier::testing

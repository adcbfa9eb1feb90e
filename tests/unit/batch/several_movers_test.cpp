// Throughput batches of worlds with several robots and with single bodies.

#include <gtest/gtest.h>

#include "tests/unit/batch/batch_scenes.h"

namespace espalier::testing {
namespace {

/// A ball that falls on a robot's back, a fixed arm that swings above a crate, a second robot at a crate.
/// In the state bodies stand before, between and behind the robots.
std::shared_ptr<World> makeCompany() {
  auto world = makeGround();
  world->addSphere(0.1, 2)->setPosition(0.05, 0.02, 0.9);
  addRobot(*world, "strider", 100, 5, {0, 0, 0.01});
  world->addBox(0.3, 0.3, 0.2, 3)->setPosition(2.3, 0, 0.1);
  SystemSpec arm = modelSpec("arm7");
  arm.X_WB.p = {2, 0.1, 0.1};
  world->addArticulatedSystem(arm);
  addRobot(*world, "quadruped", 100, 5, {0, -2, 0});
  world->addBox(0.2, 0.2, 0.2, 1)->setPosition(0.3, -2, 0.9);
  return world;
}

std::shared_ptr<World> makeLoops() {
  auto world = makeGround();
  world->addBox(0.4, 0.4, 0.1, 2)->setPosition(0, 0, 1.8);
  addRobot(*world, "beest", 0, 0, {0, 0, 0.01});
  addRobot(*world, "four_bar", 0, 0);
  return world;
}

std::shared_ptr<World> makeBodies() {
  auto world = makeGround();
  for (int i = 0; i < 3; ++i) {
    world->addBox(0.2, 0.2, 0.2, 1)->setPosition(0.03 * i, 0, 0.1 + 0.21 * i);
    world->addSphere(0.1, 1)->setPosition(0.4, 0.02 * i, 0.1 + 0.21 * i);
  }
  return world;
}

double farthest(const Rows<double>& exact, const auto& fast, int worlds) {
  double most = 0;
  for (int i = 0; i < exact.count; ++i)
    for (int w = 0; w < worlds; ++w)
      most = std::max(most, std::abs(exact(i, w) - static_cast<double>(fast(i, w))));
  return most;
}

/// Coordinates and forces as in accurate worlds; every world is gravitated to another side.
template <class S>
void expectAsAccurate(std::shared_ptr<World> (*make)(), int steps, double tolerance) {
  constexpr int n = 5;
  Batch<double> exact(make, n);
  Batch<S> fast(make, n, {.mode = BatchMode::THROUGHPUT});
  const Rows<double> q = exact.bind("q"), force = exact.bind("contact_force");
  ASSERT_EQ(q.count, fast.bind("q").count);
  const State start = exact.initialState();
  for (int w = 0; w < n; ++w) {
    exact.bind("gravity")(0, w) = 0.2 * w;
    fast.bind("gravity")(0, w) = static_cast<S>(0.2 * w);
  }
  exact.step(steps);
  fast.step(steps);
  EXPECT_LT(farthest(q, fast.bind("q"), n), tolerance);
  double moved = 0, most = 0;
  for (int i = 0; i < q.count; ++i) moved = std::max(moved, std::abs(q(i, 0) - start.q[i]));
  for (int i = 0; i < force.count; ++i) most = std::max(most, std::abs(force(i, 0)));
  EXPECT_GT(moved, 0.05);
  EXPECT_TRUE(force.count == 0 || most > 10) << most;
  EXPECT_LT(farthest(force, fast.bind("contact_force"), n), std::max(1.0, most) * 100 * tolerance);
  for (int w = 0; w < n; ++w) EXPECT_EQ(fast.report().flags[w], 0u) << "world " << w;
}

TEST(SeveralMovers, AreAsInAccurateWorlds) {
  expectAsAccurate<double>(makeCompany, 150, 1e-5);
  expectAsAccurate<float>(makeCompany, 150, 5e-3);
}
/// The four-bar turns far in a step; an accurate world takes the error of its energy out.
TEST(SeveralMovers, WithClosedLoopsToo) { expectAsAccurate<double>(makeLoops, 100, 3e-4); }
TEST(SeveralMovers, WithoutAnyRobotToo) {
  expectAsAccurate<double>(makeBodies, 150, 1e-5);
  expectAsAccurate<float>(makeBodies, 150, 1e-3);
}

/// Inputs of one robot are its own, though they are rows among those of all.
TEST(SeveralMovers, FollowTheirOwnInputs) {
  const auto make = [] {
    auto world = makeCompany();
    world->setGravity({0, 0, 0});
    return world;
  };
  Batch<double> exact(make, 3), fast(make, 3, {.mode = BatchMode::THROUGHPUT});
  const World& world = exact.prototype();
  const int strider = world.system(0)->model().nb(), arm = world.system(1)->model().nb();
  const int nv = exact.bind("u").count, quadruped = nv - 6 - world.system(2)->model().nv();
  for (Batch<double>* batch : {&exact, &fast}) {
    batch->bind("wrench")(6 * 3 + 1, 1) = 5;                    // a link of the first robot
    batch->bind("wrench")(6 * (strider + arm - 1) + 1, 1) = 2;  // the last one of the arm
    batch->bind("wrench")(6 * (strider + arm), 1) = -20;        // the base of the last robot
    for (int b = 0; b < 3; ++b) batch->bind("mass")(strider + arm + b, 1) = 3;
    batch->bind("feedforward")(quadruped, 1) = 10;  // on a base it acts
    for (const int body : {0, nv - 6}) {            // on single bodies it does not
      batch->bind("feedforward")(body, 2) = 100;
      batch->bind("kp")(body, 2) = batch->bind("torque_upper")(body, 2) = 1000;
      batch->bind("target_q")(0, 2) = 7;
    }
    batch->step(40);
  }
  EXPECT_LT(farthest(exact.bind("q"), fast.bind("q"), 3), 1e-6);
  EXPECT_LT(farthest(exact.bind("u"), fast.bind("u"), 3), 1e-5);
  const Rows<double> u = exact.bind("u");
  EXPECT_LT(std::abs(u(quadruped, 1)), std::abs(20 * 0.08 / 3));
  EXPECT_GT(std::abs(u(quadruped, 1)), 0.001);
  EXPECT_EQ(u(0, 2), u(0, 0));
}

TEST(SeveralMovers, NameWhatLanesHaveNot) {
  const auto faultOf = [](const std::function<void(World&)>& change) -> std::string {
    const auto make = [&] {
      auto world = makeCompany();
      change(*world);
      return world;
    };
    try {
      Batch<double>(make, 2, {.mode = BatchMode::THROUGHPUT});
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  const auto ballOf = [](World& world) { return world.addSphere(0.1, 1); };
  EXPECT_EQ(faultOf([](World&) {}), "");
  EXPECT_NE(faultOf([&](World& w) { ballOf(w)->setLinearDamping(1); }).find("damped single bodies"),
            std::string::npos);
  EXPECT_NE(faultOf([&](World& w) {
              ballOf(w)->setBodyType(BodyType::KINEMATIC);
            }).find("keep the velocity they are given"),
            std::string::npos);
  EXPECT_NE(faultOf([](World& w) { w.setSleeping(true); }).find("bodies that sleep"),
            std::string::npos);
  EXPECT_NE(faultOf([](World& w) {
              w.addArticulatedSystem(std::make_shared<Model>(w.system(0)->model()));
            }).find("a compiled model, beside others"),
            std::string::npos);
}

}  // namespace
}  // namespace espalier::testing

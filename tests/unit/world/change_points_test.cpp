// Linkages whose bars can all lie in one line go through there as they came.

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/world/world.h"
#include "tests/support/four_bar.h"

namespace espalier::testing {
namespace {

struct Linkage {
  std::string name;
  FourBarOptions sides;
  double misfit;  ///< m, of its lengths
  /// The coupler's joint stands at start + ratio times the crank's; no number: it is not said.
  double start, ratio;
};

const Linkage linkages[] = {
    {"parallelogram", {.crank = 1, .coupler = 2, .rocker = 1, .ground = 2}, 0, 0, -1},
    {"a little long", {.crank = 1, .coupler = 2, .rocker = 1 + 1e-6, .ground = 2}, 1e-6, 0, -1},
    {"a little short", {.crank = 1, .coupler = 2, .rocker = 1 - 1e-6, .ground = 2}, 1e-6, 0, -1},
    {"nonlinear", {.crank = 1, .coupler = 2.5, .rocker = 2, .ground = 1.5}, 0, 0, NAN},
    {"kite", {.crank = 1, .coupler = 1, .rocker = 2, .ground = 2}, 0, -M_PI, 0},
};

struct Bar {
  Bar(const FourBarOptions& sides, double rate, Scheme scheme = Scheme::MIDPOINT) {
    world.setGravity({0, 0, 0});
    world.setTimeStep(1e-3);
    world.setIntegrationScheme(scheme);
    robot = world.addArticulatedSystem(fourBar(sides));
    robot->setGeneralizedCoordinate({sides.publicRocker ? 1.1 : 0.8});
    robot->setGeneralizedVelocity({rate});
  }
  bool isTraversing() const { return world.report().has(StepFlag::ChangePoint); }

  World world;
  ArticulatedSystem* robot = nullptr;
};

/// Some twenty turns.
void expectPassage(const Linkage& linkage, Scheme scheme, double gravity) {
  SCOPED_TRACE(linkage.name + (scheme == Scheme::MIDPOINT ? " MIDPOINT" : " RUNGE_KUTTA_4"));
  Bar bar(linkage.sides, 6, scheme);
  bar.world.setGravity({0, gravity, 0});
  const double before = bar.robot->getEnergy({0, gravity, 0});
  Eigen::VectorXd last = bar.robot->getSpanningCoordinate();
  int traversal = 0;
  double fastest = 0;
  for (int i = 0; i < 20000; ++i) {
    bar.world.integrate();
    const StepReport& report = bar.world.report();
    traversal += bar.isTraversing();
    ASSERT_LE(report.closure, 1.01 * linkage.misfit + 1e-12) << i;
    ASSERT_EQ(report.has(StepFlag::LoopOpen), report.closure >= 1e-10);
    ASSERT_FALSE(report.has(StepFlag::NotFinite));
    const Eigen::VectorXd q = bar.robot->getSpanningCoordinate();
    ASSERT_GT((q - last).norm(), 0) << "step " << i << " was not taken";
    fastest = std::max(fastest, (q - last).cwiseAbs().maxCoeff());
    last = q;
  }
  EXPECT_GT(traversal, 20);
  EXPECT_LT(traversal, 400);
  EXPECT_GT(last[0], 50);
  if (std::isfinite(linkage.ratio)) {
    EXPECT_NEAR(last[1], linkage.start + linkage.ratio * last[0], 0.01);
  }
  EXPECT_LT(fastest, 0.02);
  if (linkage.misfit == 0) {
    EXPECT_NEAR(bar.robot->getEnergy({0, gravity, 0}) / before, 1, 5e-3);
  }
}

TEST(ChangePoints, AreTraversedWithoutOpeningALoop) {
  for (const Linkage& linkage : linkages)
    for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::RUNGE_KUTTA_4})
      for (const double gravity : {0.0, -9.81}) expectPassage(linkage, scheme, gravity);
}

TEST(ChangePoints, OthersAreNotMistakenForThem) {
  Bar bar({}, 6);
  for (int i = 0; i < 5000; ++i) {
    bar.world.integrate();
    ASSERT_EQ(bar.world.report().flags, 0u);
  }
}

TEST(ChangePoints, AnotherLeaderGoesThroughToo) {
  Bar bar({.publicRocker = true, .crank = 1, .coupler = 2.5, .rocker = 2, .ground = 1.5}, 3);
  const double before = bar.robot->getEnergy();
  int traversal = 0;
  for (int i = 0; i < 10000; ++i) {
    bar.world.integrate();
    traversal += bar.isTraversing();
    ASSERT_LT(bar.world.report().closure, 1e-12);
  }
  EXPECT_GT(traversal, 10);
  EXPECT_NEAR(bar.robot->getEnergy() / before, 1, 1e-3);
}

/// Two parallelograms on one crank lie flat at once.
TEST(ChangePoints, ThreeCranksGoThroughTogether) {
  SystemSpec spec = fourBar({.crank = 1, .coupler = 2, .rocker = 1, .ground = 2});
  const SystemSpec longer = fourBar({.crank = 1, .coupler = 3, .rocker = 1, .ground = 3});
  for (const int i : {2, 3}) spec.links.push_back(longer.links[i]);
  for (const int i : {1, 2}) spec.joints.push_back(longer.joints[i]);
  spec.loops.push_back(longer.loops[0]);
  spec.links[4].name = spec.joints[3].child = spec.loops[1].predecessor = "coupler 2";
  spec.links[5].name = spec.joints[4].child = spec.loops[1].successor = "rocker 2";
  spec.joints[3].name = "d";
  spec.joints[4].name = "e";
  spec.loops[1].name = "pin 2";
  World world;
  world.setGravity({0, -9.81, 0});
  world.setTimeStep(1e-3);
  ArticulatedSystem* bars = world.addArticulatedSystem(spec);
  ASSERT_EQ(bars->getDOF(), 1);
  bars->setGeneralizedCoordinate({0.8});
  bars->setGeneralizedVelocity({6.0});
  const double before = bars->getEnergy({0, -9.81, 0});
  int traversal = 0;
  for (int i = 0; i < 5000; ++i) {
    world.integrate();
    traversal += world.report().has(StepFlag::ChangePoint);
    ASSERT_LT(world.report().closure, 1e-12) << i;
  }
  const Eigen::VectorXd q = bars->getSpanningCoordinate();
  EXPECT_GT(traversal, 10);
  EXPECT_GT(q[0], 20);
  EXPECT_NEAR(q[1], -q[0], 1e-6);
  EXPECT_NEAR(q[3], -q[0], 1e-6);
  EXPECT_NEAR(bars->getEnergy({0, -9.81, 0}) / before, 1, 1e-4);
}

TEST(ChangePoints, AFloatingOneGoesThroughToo) {
  World world;
  world.setGravity({0, 0, 0});
  world.setTimeStep(1e-3);
  ArticulatedSystem* bar = world.addArticulatedSystem(
      fourBar({.floats = true, .crank = 1, .coupler = 2, .rocker = 1, .ground = 2}));
  Eigen::VectorXd q = bar->getGeneralizedCoordinate(), u = Eigen::VectorXd::Zero(bar->getDOF());
  q[q.size() - 1] = 0.8;
  u[u.size() - 1] = 6;
  bar->setGeneralizedCoordinate(q);
  bar->setGeneralizedVelocity(u);
  const double before = bar->getEnergy();
  int traversal = 0;
  for (int i = 0; i < 5000; ++i) {
    world.integrate();
    traversal += world.report().has(StepFlag::ChangePoint);
    ASSERT_LT(world.report().closure, 1e-12);
  }
  EXPECT_GT(traversal, 5);
  EXPECT_NEAR(bar->getEnergy() / before, 1, 1e-4);
}

TEST(ChangePoints, OneMayStartThereAtRest) {
  for (const Linkage& linkage : linkages) {
    if (linkage.misfit > 0 || linkage.name == "kite") continue;  // do not lie flat at q = 0
    SCOPED_TRACE(linkage.name);
    World world;
    world.setTimeStep(1e-3);
    world.setGravity({0, -9.81, 0});
    ArticulatedSystem* bar = world.addArticulatedSystem(fourBar(linkage.sides));
    const double before = bar->getEnergy({0, -9.81, 0});
    for (int i = 0; i < 1000; ++i) {
      world.integrate();
      ASSERT_TRUE(i > 0 || world.report().has(StepFlag::ChangePoint));
      ASSERT_LE(world.report().closure, 1e-12) << i;
    }
    EXPECT_LT(bar->getGeneralizedCoordinate()[0], -0.1) << "it falls";
    EXPECT_NEAR(bar->getEnergy({0, -9.81, 0}), before, 1e-2);
  }
}

TEST(ChangePoints, VelocitiesCannotBeSetThereButZero) {
  World world;
  ArticulatedSystem* bar = world.addArticulatedSystem(fourBar(linkages[0].sides));
  EXPECT_THROW(bar->setGeneralizedVelocity({1.0}), std::invalid_argument);
  EXPECT_NO_THROW(bar->setState(VecDyn{0.0}, VecDyn{0.0}));
  EXPECT_EQ(bar->getSpanningVelocity().norm(), 0);
}

TEST(ChangePoints, CoordinatesCanBeSetThereAndBringItToRest) {
  for (const Linkage& linkage : linkages) {
    if (linkage.misfit > 0 || linkage.name == "kite") continue;  // do not lie flat at q = 0
    SCOPED_TRACE(linkage.name);
    for (const double rate : {0.0, 6.0}) {
      Bar bar(linkage.sides, rate);
      bar.robot->setSpanningCoordinate(VecDyn{0.0, 0.0, 0.0});
      EXPECT_EQ(bar.robot->getSpanningVelocity().norm(), 0);
      bar.robot->setGeneralizedCoordinate({0.0});
      EXPECT_EQ(bar.robot->getSpanningVelocity().norm(), 0);
      bar.world.integrate();
      EXPECT_TRUE(bar.robot->getSpanningVelocity().allFinite());
    }
  }
}

TEST(ChangePoints, ACheckpointThereGoesOnToTheBit) {
  for (const Linkage& linkage : linkages) {
    SCOPED_TRACE(linkage.name);
    Bar bar(linkage.sides, 3);
    int into = 0;
    while (into < 2) {
      bar.world.integrate();
      into += bar.isTraversing();
      ASSERT_LT(bar.world.getWorldTime(), 5);
    }
    const auto bytes = bar.world.saveCheckpoint();
    Bar twin(linkage.sides, 1);
    twin.world.restoreCheckpoint(bytes);
    for (int i = 0; i < 100; ++i) {
      bar.world.integrate();
      twin.world.integrate();
      ASSERT_EQ(bar.robot->getSpanningCoordinate(), twin.robot->getSpanningCoordinate()) << i;
      ASSERT_EQ(bar.robot->getSpanningVelocity(), twin.robot->getSpanningVelocity()) << i;
      ASSERT_EQ(bar.world.report().flags, twin.world.report().flags) << i;
    }
  }
}

}  // namespace
}  // namespace espalier::testing

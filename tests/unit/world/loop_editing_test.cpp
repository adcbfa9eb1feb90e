// Joints of a robot with loops that are moved while it runs: its loops are closed again, or nothing is changed.

#include <gtest/gtest.h>

#include "espalier/world/world.h"
#include "tests/support/bilateral.h"
#include "tests/support/four_bar.h"

namespace espalier::testing {
namespace {

constexpr int hinge_of_coupler = 2;

struct Moved {
  World world;
  ArticulatedSystem* robot;

  explicit Moved(const SystemSpec& spec) : robot(world.addArticulatedSystem(spec)) {
    world.setTimeStep(1e-3);
    world.setGravity({0, -9.81, 0});
    robot->setSpanningCoordinate(
        World().addArticulatedSystem(fourBar({}))->getSpanningCoordinate());
  }
  void move(double x) {
    robot->getJointPos_P()[hinge_of_coupler][0] = x;
    robot->updateMassInfo();
  }
};

SystemSpec lengthened(double crank) {
  SystemSpec spec = fourBar({});
  spec.joints[1].X_PJ.p.x = crank;
  return spec;
}

TEST(LoopEditing, ClosesTheLoopsAgain) {
  for (const bool isBilateral : {false, true}) {
    const SystemSpec spec = fourBar({});
    Moved moved(isBilateral ? bilateral(spec) : spec);
    moved.move(0.45);
    EXPECT_LT(moved.robot->getClosureResidual(), 1e-12);
    World other;
    ArticulatedSystem* fresh = other.addArticulatedSystem(lengthened(0.45));
    fresh->setSpanningCoordinate(moved.robot->getSpanningCoordinate());
    EXPECT_LT((fresh->getSpanningCoordinate() - moved.robot->getSpanningCoordinate()).norm(),
              1e-12);
    if (!isBilateral)
      EXPECT_NEAR(fresh->getMassMatrix()(0, 0), moved.robot->getMassMatrix()(0, 0), 1e-12);
    moved.world.integrate();
    EXPECT_EQ(moved.world.report().flags, 0u);
    EXPECT_LT(moved.robot->getSpanningVelocity().norm(), 0.1) << "of gravity alone";
  }
}

TEST(LoopEditing, RefusesPlacesThatNoneReach) {
  Moved moved(fourBar({}));
  const Eigen::VectorXd q = moved.robot->getSpanningCoordinate();
  EXPECT_THROW(moved.move(5), std::invalid_argument);
  EXPECT_EQ(moved.robot->getJointPos_P()[hinge_of_coupler][0], 0.4);
  EXPECT_EQ(moved.robot->getSpanningCoordinate(), q);
  moved.world.integrate();
  EXPECT_EQ(moved.world.report().flags, 0u);
}

}  // namespace
}  // namespace espalier::testing

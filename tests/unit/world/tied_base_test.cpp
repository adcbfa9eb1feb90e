// A floating base that loops tie to the world stays on the constraint, whatever is set.

#include <gtest/gtest.h>

#include "espalier/world/world.h"

namespace espalier::testing {
namespace {

/// Base and arm on a hinge about y; the arm is pinned to the world at (0.2, 0, 1.5).
SystemSpec pinnedArm(bool isBilateral) {
  SystemSpec spec;
  spec.name = "pinned";
  spec.X_WB.p = {0.1, 0, 1};
  for (const char* name : {"base", "arm"}) {
    LinkSpec& link = spec.links.emplace_back();
    link.name = name;
    link.inertial = InertialSpec{1, {identity3<double>(), {0, 0, 0.1}}, {1, 0, 0, 1, 0, 1}};
  }
  JointSpec& hinge = spec.joints.emplace_back();
  hinge.name = "hinge";
  hinge.parent = "base";
  hinge.child = "arm";
  hinge.kind = JointKind::Revolute;
  hinge.axes[0] = {0, 1, 0};
  hinge.X_PJ.p = {0, 0, 0.3};
  LoopSpec& loop = spec.loops.emplace_back();
  loop.name = "pin";
  loop.predecessor = "world";
  loop.successor = "arm";
  loop.X_PA.p = {0.2, 0, 1.5};
  loop.X_SB.p = {0, 0, 0.2};
  loop.isBilateral = isBilateral;
  return spec;
}

class TiedBase : public ::testing::TestWithParam<bool> {
 protected:
  void expectClosed(const char* when) {
    EXPECT_LT(robot->getClosureResidual(), GetParam() ? 1e-6 : 1e-10) << when;
  }
  void expectGoodStep() {
    world.integrate();
    EXPECT_EQ(world.report().flags, 0u);
    expectClosed("after a step");
  }

  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(pinnedArm(GetParam()));
};
INSTANTIATE_TEST_SUITE_P(Bilateral, TiedBase, ::testing::Bool());

TEST_P(TiedBase, BeginsClosedNearWhereItIsPlaced) {
  expectClosed("at first");
  EXPECT_LT((Eigen::Vector3d(robot->getBasePosition()) - Eigen::Vector3d(0.1, 0, 1)).norm(), 0.1);
  expectGoodStep();
}

TEST_P(TiedBase, StaysClosedWhereItsPoseIsSet) {
  robot->setBasePos({0.25, 0, 1.05});
  expectClosed("after a position");
  expectGoodStep();
  robot->setBaseOrientation(Vec<4>(0.995, 0, 0.0998, 0));
  expectClosed("after an orientation");
  expectGoodStep();
}

/// Rows leave the base free to move when it is assembled.
TEST_P(TiedBase, IsRefusedWhereItCannotClose) {
  if (GetParam()) {
    robot->setBasePos({5, 5, 5});
    return expectClosed("from afar");
  }
  const Eigen::VectorXd before = robot->getSpanningCoordinate();
  try {
    robot->setBasePos({5, 5, 5});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("robot 'pinned'"), std::string::npos) << error.what();
  }
  EXPECT_EQ(robot->getSpanningCoordinate(), before);
}

TEST_P(TiedBase, MovesAlongTheConstraint) {
  robot->setBaseVelocity({0.3, 0.2, -0.1});
  robot->setBaseAngularVelocity({0.1, 0, 0.2});
  const Eigen::VectorXd q = robot->getSpanningCoordinate(), u = robot->getSpanningVelocity();
  EXPECT_GT(u.norm(), 0.1);
  expectGoodStep();
  // The pin stays: its place in the arm, that moves with u, has no velocity.
  robot->setSpanningCoordinate(q);
  robot->setSpanningVelocity(u);
  Eigen::Vector3d velocity;
  robot->getVelocity(robot->getBodyIdx("arm"), Vec<3>(0, 0, 0.2), velocity);
  EXPECT_LT(velocity.norm(), GetParam() ? 1e-3 : 1e-10);
}

TEST(WeldedBase, IsAFixedOneInAWorld) {
  SystemSpec spec = pinnedArm(false);
  spec.loops[0].kind = LoopKind::FIXED;
  spec.loops[0].successor = "base";
  spec.loops[0].X_PA.p = spec.X_WB.p;
  spec.loops[0].X_SB.p = {0, 0, 0};
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(spec);
  EXPECT_EQ(robot->getDOF(), 1);
  for (int i = 0; i < 10; ++i) world.integrate();
  EXPECT_EQ(world.report().flags, 0u);
  EXPECT_LT((Eigen::Vector3d(robot->getBasePosition()) - Eigen::Vector3d(0.1, 0, 1)).norm(), 1e-12);
}

}  // namespace
}  // namespace espalier::testing

// What goes wrong in a step is a flag in its report, never a throw, a crash or a NaN in the state.

#include <gtest/gtest.h>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

bool isFinite(World& world) {
  for (int s = 0; s < world.systemCount(); ++s)
    if (!world.system(s)->getGeneralizedCoordinate().allFinite() ||
        !world.system(s)->getGeneralizedVelocity().allFinite())
      return false;
  return true;
}

TEST(Flags, EachHasANameAndARemedyAndItsOwnBit) {
  std::uint32_t all = 0;
  for (const StepFlagInfo& info : step_flags) {
    StepReport report;
    report.raise(info.flag);
    EXPECT_TRUE(report.has(info.flag));
    EXPECT_EQ(all & report.flags, 0u);
    all |= report.flags;
    EXPECT_FALSE(std::string(info.name).empty());
    EXPECT_FALSE(std::string(info.remedy).empty());
  }
}

TEST(Flags, TooManyContacts) {
  World world;
  world.setMaxContacts(2);
  world.addGround();
  ArticulatedSystem* box =
      world.addArticulatedSystem(freeBody("box", BoxShape{{0.3, 0.4, 0.2}}, 5));
  place(*box, {0, 0, 0.1});
  for (int i = 0; i < 100; ++i) {
    const StepReport& report = world.integrate();
    ASSERT_TRUE(report.has(StepFlag::ContactsOverflow));
    ASSERT_EQ(report.contacts, 2);
    ASSERT_EQ(world.contacts().size(), 2u);
  }
  EXPECT_TRUE(isFinite(world));
  // The remedy it names works.
  world.setMaxContacts(8);
  place(*box, {0, 0, 0.1});
  const StepReport& report = world.integrate();
  EXPECT_EQ(report.flags, 0u);
  EXPECT_EQ(report.contacts, 4);
}

// Boxes thrown upon each other: one sweep is not enough for some steps, a thousand are for more.
TEST(Flags, SolverNotConverged) {
  int flagged[2] = {0, 0};
  for (const int k : {0, 1}) {
    World world;
    world.setContactSolverParam(1e-10, k == 0 ? 1 : 1000);
    world.addGround();
    for (int i = 0; i < 3; ++i)
      place(*world.addArticulatedSystem(freeBody("box", BoxShape{{0.3, 0.3, 0.2}}, 2)),
            {0.03 * i, 0, 0.12 + 0.22 * i}, {0.5, 0, -0.1}, {0.2, 0.1, 0.3});
    for (int i = 0; i < 500; ++i) {
      const StepReport& report = world.integrate();
      flagged[k] += report.has(StepFlag::SolverNotConverged);
      ASSERT_EQ(report.has(StepFlag::SolverNotConverged), report.residual > 1e-10);
    }
    EXPECT_TRUE(isFinite(world));
  }
  EXPECT_GT(flagged[0], 0);
  EXPECT_LT(flagged[1], flagged[0]);
}

// An arm with a limit at hand, spun so fast that its own inertia overflows.
TEST(Flags, NotFiniteKeepsTheStateBefore) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT}) {
    World world;
    world.setIntegrationScheme(scheme);
    ArticulatedSystem* arm = addRobot(world, "arm7", 0, 0);
    ArticulatedSystem* ball = world.addArticulatedSystem(freeBody("ball", SphereShape{0.1}, 1));
    place(*ball, {5, 0, 5});
    const Eigen::VectorXd wild = Eigen::VectorXd::Constant(7, 1e200);
    arm->setGeneralizedVelocity(wild);
    const Eigen::VectorXd before = arm->getGeneralizedCoordinate();
    EXPECT_TRUE(world.integrate().has(StepFlag::NotFinite));
    EXPECT_EQ(arm->getGeneralizedCoordinate(), before);
    EXPECT_EQ(arm->getGeneralizedVelocity(), wild);
    EXPECT_LT(ball->getGeneralizedVelocity()[2], 0);
    EXPECT_TRUE(isFinite(world));

    // After a sane state is given, all goes on as in a world where this never happened.
    arm->setState(nominal("arm7"), Eigen::VectorXd::Constant(7, 0.1));
    World fresh;
    fresh.setIntegrationScheme(scheme);
    ArticulatedSystem* other = addRobot(fresh, "arm7", 0, 0);
    other->setGeneralizedVelocity(Eigen::VectorXd::Constant(7, 0.1));
    place(*fresh.addArticulatedSystem(freeBody("ball", SphereShape{0.1}, 1)), {5, 0, 5});
    fresh.integrate();  // the ball's first step
    other->setState(nominal("arm7"), Eigen::VectorXd::Constant(7, 0.1));
    for (int i = 0; i < 50; ++i) {
      EXPECT_EQ(world.integrate().flags, 0u);
      fresh.integrate();
    }
    EXPECT_EQ(world.stateHash(), fresh.stateHash());
  }
}

// Impulses of a step that came to nothing must not start the next one.
TEST(Flags, NotFiniteLeavesNoImpulsesBehind) {
  World world;
  ArticulatedSystem* cart = addRobot(world, "cartpole", 0, 0);
  Eigen::VectorXd q(2), u(2);
  q << 1.9999, 0.3;
  u << 1e160, 1e200;  // against the limit
  cart->setState(q, u);
  EXPECT_TRUE(world.integrate().has(StepFlag::NotFinite));
  u << 0.5, 0;
  cart->setState(q, u);
  for (int i = 0; i < 20; ++i) {
    const StepReport& report = world.integrate();
    ASSERT_EQ(report.flags, 0u) << i;
    ASSERT_LE(report.residual, 1e-10);
  }
  EXPECT_LT(cart->getGeneralizedCoordinate()[0], 2 + 1e-9);
}

// Nothing is printed in a step, whatever goes wrong in it.
TEST(Flags, AStepIsSilent) {
  World world;
  world.setMaxContacts(2);
  world.setContactSolverParam(1e-14, 1);
  world.addGround();
  addRobot(world, "strider", 100, 2, {0, 0, -0.01});
  ArticulatedSystem* arm = addRobot(world, "arm7", 0, 0, {3, 0, 0});
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  std::uint32_t flags = 0;
  for (int i = 0; i < 50; ++i) flags |= world.integrate().flags;
  arm->setGeneralizedVelocity(Eigen::VectorXd::Constant(7, 1e200));
  flags |= world.integrate().flags;
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_NE(flags & static_cast<std::uint32_t>(StepFlag::ContactsOverflow), 0u);
  EXPECT_NE(flags & static_cast<std::uint32_t>(StepFlag::NotFinite), 0u);
}

// compile() refuses such a model; one that a program has made itself is caught in the step.
TEST(Flags, SingularMassMatrix) {
  Model broken = compile(jointedBody(JointKind::Revolute, SphereShape{0.1}, 1)).value();
  broken.lowered.bodies[1].I = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
  World world;
  world.addGround();
  ArticulatedSystem* ball = world.addArticulatedSystem(freeBody("ball", SphereShape{0.1}, 1));
  place(*ball, {5, 0, 2});
  ArticulatedSystem* robot = world.addArticulatedSystem(std::make_shared<const Model>(broken));
  const Eigen::VectorXd before = robot->getGeneralizedCoordinate();
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(world.integrate().has(StepFlag::SingularMassMatrix));
    EXPECT_EQ(world.report().refused, 1);
    EXPECT_EQ(robot->getGeneralizedCoordinate(), before);
  }
  EXPECT_NEAR(ball->getGeneralizedVelocity()[2], -3e-3 * gravity, 1e-12);
  EXPECT_TRUE(isFinite(world));
}

}  // namespace
}  // namespace espalier::testing

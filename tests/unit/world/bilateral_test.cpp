// Loops that rows of the contact problem keep, in the step; the same mechanism embedded is the
// second opinion.

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/world/world.h"
#include "tests/support/bilateral.h"
#include "tests/support/four_bar.h"

namespace espalier::testing {
namespace {

struct Outcome {
  Eigen::VectorXd q, u;
  double closure = 0;
  std::uint32_t flags = 0;
};

/// A second of a mechanism that begins in the same state either way.
Outcome run(const SystemSpec& spec, double rate, double dt, Scheme scheme = Scheme::MIDPOINT) {
  World start;
  SystemSpec embedded = spec;
  for (LoopSpec& loop : embedded.loops) loop.isBilateral = false;
  ArticulatedSystem* lead = start.addArticulatedSystem(embedded);
  lead->setGeneralizedVelocity(Eigen::VectorXd::Constant(lead->getDOF(), rate));

  World world;
  world.setTimeStep(dt);
  world.setIntegrationScheme(scheme);
  world.setGravity({0, -9.81, 0});
  ArticulatedSystem* robot = world.addArticulatedSystem(spec);
  robot->setSpanningCoordinate(lead->getSpanningCoordinate());
  const bool isPublic = robot->getDOF() == robot->getSpanningDOF();
  robot->setGeneralizedVelocity(isPublic ? lead->getSpanningVelocity()
                                         : lead->getGeneralizedVelocity());
  Outcome r;
  const int steps = static_cast<int>(std::lround(1 / dt));
  for (int i = 0; i < steps; ++i) {
    world.integrate();
    r.flags |= world.report().flags;
    r.closure = std::max(r.closure, world.report().closure);
  }
  EXPECT_LE(robot->getClosureResidual(), world.report().closure * 1.01 + 1e-15);
  r.q = robot->getSpanningCoordinate();
  r.u = robot->getSpanningVelocity();
  return r;
}

TEST(Bilateral, AFourBarMovesAsTheEmbeddedOneDoes) {
  for (const LoopKind kind : {LoopKind::POINT, LoopKind::REVOLUTE})
    for (const bool floats : {false, true}) {
      const FourBarOptions options{.floats = floats, .kind = kind};
      const Outcome exact = run(fourBar(options), 4, 1.25e-4);
      double before = HUGE_VAL, closureBefore = HUGE_VAL;
      for (const double dt : {4e-3, 2e-3, 1e-3}) {
        const Outcome rows = run(bilateral(fourBar(options)), 4, dt);
        EXPECT_EQ(rows.flags, 0u);
        const double error = (rows.q - exact.q).norm() + (rows.u - exact.u).norm();
        EXPECT_LT(error, before / 3) << dt;                // of second order
        EXPECT_LT(rows.closure, closureBefore / 6) << dt;  // of third
        before = error;
        closureBefore = rows.closure;
      }
      EXPECT_LT(before, floats ? 3e-3 : 1e-4);
      EXPECT_LT(closureBefore, 1e-6);
    }
}

TEST(Bilateral, EverySchemeKeepsThemClosed) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::TRAPEZOID, Scheme::SEMI_IMPLICIT,
                              Scheme::EULER, Scheme::RUNGE_KUTTA_4}) {
    double last = HUGE_VAL;
    for (const double dt : {2e-3, 1e-3}) {
      const Outcome rows = run(bilateral(fourBar({})), 4, dt, scheme);
      EXPECT_EQ(rows.flags, 0u);
      EXPECT_LT(rows.closure, 1e-4) << static_cast<int>(scheme);
      EXPECT_LT(rows.closure, last / 3.5) << static_cast<int>(scheme);
      last = rows.closure;
    }
  }
}

/// One body on a hinge of the tree, and the same body afloat with a loop for the hinge.
TEST(Bilateral, ALoopToTheGroundIsAJoint) {
  SystemSpec hinged;
  hinged.name = "pendulum";
  LinkSpec world, bob;
  world.name = "world";
  bob.name = "bob";
  bob.inertial = InertialSpec{2, {identity3<double>(), {0.3, 0.1, 0}}, {0.02, 0, 0, 0.03, 0, 0.04}};
  JointSpec hinge;
  hinge.name = "hinge";
  hinge.kind = JointKind::Revolute;
  hinge.parent = "world";
  hinge.child = "bob";
  hinge.axes[0] = {0, 0.6, 0.8};
  hinged.links = {world, bob};
  hinged.joints = {hinge};
  SystemSpec afloat;
  afloat.name = "bob";
  const Vec3d pin{0.2, -0.1, 0.3};  // the link's frame is elsewhere
  LinkSpec shifted = bob;
  shifted.inertial->X_LC.p = shifted.inertial->X_LC.p + pin;
  afloat.links = {shifted};
  afloat.X_WB.p = -pin;
  LoopSpec loop;
  loop.name = "hinge";
  loop.kind = LoopKind::REVOLUTE;
  loop.predecessor = "world";
  loop.successor = "bob";
  loop.X_SB.p = pin;
  loop.axis = hinge.axes[0];
  loop.isBilateral = true;
  afloat.loops = {loop};

  double before = HUGE_VAL;
  for (const double dt : {2e-3, 1e-3, 5e-4}) {
    World a, b;
    ArticulatedSystem* one = nullptr;
    ArticulatedSystem* other = nullptr;
    for (World* w : {&a, &b}) w->setTimeStep(dt);
    one = a.addArticulatedSystem(hinged);
    other = b.addArticulatedSystem(afloat);
    ASSERT_EQ(other->model().bilateral.rowsOf(0), 5);
    for (int i = 0; i < std::lround(0.7 / dt); ++i) {
      a.integrate();
      b.integrate();
      ASSERT_EQ(b.report().flags, 0u);
    }
    Vec<3> p, q;
    one->getPosition(1, Vec<3>{0.3, 0.1, 0}, p);
    other->getPosition(0, Vec<3>(Vec3d{0.3, 0.1, 0} + pin), q);
    EXPECT_GT((p - Vec<3>{0.3, 0.1, 0}).norm(), 0.1);
    EXPECT_LT((p - q).norm(), before / 3.5);
    before = (p - q).norm();
    EXPECT_LT(b.report().closure, 1e-7);
  }
  EXPECT_LT(before, 1e-6);
}

TEST(Bilateral, AFloatingSystemKeepsItsMomentum) {
  World world;
  world.setTimeStep(1e-3);
  world.setGravity({0, 0, 0});
  ArticulatedSystem* robot = world.addArticulatedSystem(bilateral(fourBar({.floats = true})));
  VecDyn u = VecDyn(Eigen::VectorXd(Eigen::VectorXd::Zero(robot->getDOF())));
  u[3] = 1;
  u[5] = -2;
  u[6] = 6;
  robot->setGeneralizedVelocity(u);
  const Eigen::Vector3d linear = robot->getLinearMomentum();
  const Eigen::Vector3d angular = robot->getAngularMomentum(Vec<3>{0, 0, 0});
  for (int i = 0; i < 2000; ++i) world.integrate();
  EXPECT_EQ(world.report().flags, 0u);
  EXPECT_LT((robot->getLinearMomentum() - linear).norm(), 1e-6);
  EXPECT_LT((robot->getAngularMomentum(Vec<3>{0, 0, 0}) - angular).norm(), 1e-6);
}

TEST(Bilateral, CoordinatesAreAssembledOrRefused) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(bilateral(fourBar({})));
  ASSERT_EQ(robot->getDOF(), 3);
  VecDyn q = robot->getGeneralizedCoordinate();
  EXPECT_LT(robot->getClosureResidual(), 1e-11);
  q[0] += 0.4;  // flagged independent
  robot->setGeneralizedCoordinate(q);
  EXPECT_EQ(robot->getGeneralizedCoordinate()[0], q[0]);
  EXPECT_NE(robot->getGeneralizedCoordinate()[1], q[1]);
  EXPECT_LT(robot->getClosureResidual(), 1e-11);
  q = robot->getGeneralizedCoordinate();
  robot->setGeneralizedCoordinate(q);
  EXPECT_EQ(robot->getGeneralizedCoordinate(), q);

  ArticulatedSystem* rocker =
      world.addArticulatedSystem(bilateral(fourBar({.publicRocker = true})));
  const VecDyn before = rocker->getGeneralizedCoordinate();
  VecDyn away = before;
  away[2] = 0;  // the rocker reaches down there in no way
  EXPECT_THROW(rocker->setGeneralizedCoordinate(away), std::invalid_argument);
  EXPECT_EQ(rocker->getGeneralizedCoordinate(), before);
}

TEST(Bilateral, DependentVelocitiesFollowTheIndependentOnes) {
  World world;
  ArticulatedSystem* embedded = world.addArticulatedSystem(fourBar({}));
  embedded->setGeneralizedVelocity({3.0});
  ArticulatedSystem* robot = world.addArticulatedSystem(bilateral(fourBar({})));
  robot->setGeneralizedVelocity({3.0, 0.0, 0.0});
  EXPECT_EQ(robot->getGeneralizedVelocity()[0], 3);
  EXPECT_LT((robot->getGeneralizedVelocity() - embedded->getSpanningVelocity()).norm(), 1e-9);
  const VecDyn u = robot->getGeneralizedVelocity();
  robot->setGeneralizedVelocity(u);
  EXPECT_EQ(robot->getGeneralizedVelocity(), u);

  SystemSpec over = bilateral(fourBar({}));
  for (JointSpec& joint : over.joints) joint.independent = true;
  ArticulatedSystem* held = world.addArticulatedSystem(over);
  EXPECT_THROW(held->setGeneralizedVelocity({3.0, 0.0, 0.0}), std::invalid_argument);
  EXPECT_EQ(held->getGeneralizedVelocity().norm(), 0);
}

TEST(Bilateral, ARestoredRunGoesOnToTheBit) {
  World world, other;
  for (World* w : {&world, &other}) {
    w->setTimeStep(1e-3);
    w->addGround(-1.3);
    SystemSpec spec = bilateral(fourBar({.floats = true}));
    for (LinkSpec& link : spec.links) {
      CollisionSpec ball;
      ball.shape = SphereShape{0.05};
      link.collisions.push_back(ball);
    }
    w->addArticulatedSystem(spec);
    w->addArticulatedSystem(bilateral(fourBar({})));
  }
  for (int i = 0; i < 1500; ++i) {
    world.integrate();
    if (i % 7 == 0)
      other.restoreCheckpoint(world.saveCheckpoint());
    else
      other.integrate();
    ASSERT_EQ(world.stateHash(), other.stateHash()) << i;
    ASSERT_EQ(world.report().closure, i % 7 == 0 ? world.report().closure : other.report().closure);
  }
  EXPECT_GT(world.report().activeContacts, 0);
}

/// A hinge without motor carries no torque about its axis, to the order of the step, whatever the pin
/// pulls.
TEST(Bilateral, JointForcesKnowOfThem) {
  World world;
  world.setTimeStep(1e-3);
  world.setGravity({0, -9.81, 0});
  ArticulatedSystem* rows = world.addArticulatedSystem(bilateral(fourBar({})));
  rows->setComputeInverseDynamics(true);
  for (int i = 0; i < 300; ++i) world.integrate();
  for (const char* joint : {"a", "b", "c"})
    EXPECT_NEAR(rows->getTorqueAtJointInWorldFrame(rows->model().joint(joint))[2], 0, 1e-5)
        << joint;
}

TEST(Bilateral, TheEnergyBalanceCountsTheirWork) {
  World world;
  world.setTimeStep(1e-3);
  world.setGravity({0, -9.81, 0});
  world.setEnergyMonitoring(true);
  ArticulatedSystem* robot = world.addArticulatedSystem(bilateral(fourBar({})));
  robot->setGeneralizedVelocity({3.0, 0.0, 0.0});
  for (int i = 0; i < 500; ++i) {
    world.integrate();
    EXPECT_LT(std::abs(world.report().energyBalance), 1e-6);
  }
}

TEST(Bilateral, ALoopThatIsTornApartIsFlagged) {
  World world;
  world.setTimeStep(1e-2);
  ArticulatedSystem* robot = world.addArticulatedSystem(
      bilateral(fourBar({.crank = 1.0, .coupler = 0.5, .rocker = 0.8, .ground = 1.0})));
  robot->setGeneralizedVelocity({-300.0, 100.0, 50.0});
  world.integrate();
  EXPECT_TRUE(world.report().has(StepFlag::LoopOpen));
  EXPECT_GT(world.report().closure, 1e-3);
}

}  // namespace
}  // namespace espalier::testing

// Each scheme has its order, and keeps what it promises to keep.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/four_bar.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

/// Joint angles of a double pendulum after 0.5 s.
Eigen::VectorXd swing(Scheme scheme, double dt) {
  World world;
  world.setTimeStep(dt);
  world.setIntegrationScheme(scheme);
  ArticulatedSystem* robot = world.addArticulatedSystem(modelSpec("double_pendulum"));
  Eigen::VectorXd q = Eigen::VectorXd::Constant(robot->getDOF(), 0.7);
  robot->setState(q, Eigen::VectorXd::Constant(robot->getDOF(), 0.5));
  const int steps = static_cast<int>(std::lround(0.5 / dt));
  for (int i = 0; i < steps; ++i) world.integrate();
  return robot->getGeneralizedCoordinate();
}

TEST(Schemes, HaveTheirOrders) {
  const Eigen::VectorXd truth = swing(Scheme::RUNGE_KUTTA_4, 1e-4);
  struct Case {
    Scheme scheme;
    double order;
  };
  for (const Case& c :
       {Case{Scheme::MIDPOINT, 2}, Case{Scheme::TRAPEZOID, 1}, Case{Scheme::SEMI_IMPLICIT, 1},
        Case{Scheme::EULER, 1}, Case{Scheme::RUNGE_KUTTA_4, 4}}) {
    const double coarse = (swing(c.scheme, 4e-3) - truth).norm();
    const double fine = (swing(c.scheme, 2e-3) - truth).norm();
    EXPECT_NEAR(std::log2(coarse / fine), c.order, 0.35)
        << "scheme " << static_cast<int>(c.scheme) << " errs by " << fine;
  }
}

TEST(Schemes, AreATable) {
  int row = 0;
  for (const SchemeInfo& known : schemes) {
    EXPECT_EQ(static_cast<int>(known.scheme), row++);
    EXPECT_EQ(&info(known.scheme), &known);
  }
  EXPECT_EQ(row, 5);
  EXPECT_EQ(implicitWeights(Scheme::TRAPEZOID, 0.01).stiffness, 0.01 * 0.01 / 4);
}

/// Energy drift of a spinning box in flight; rotations need the commutators for order four.
TEST(Schemes, RungeKuttaIsOfFourthOrderOnRotations) {
  const auto drift = [](double dt) {
    World world;
    world.setGravity({0, 0, 0});
    world.setTimeStep(dt);
    world.setIntegrationScheme(Scheme::RUNGE_KUTTA_4);
    SingleBodyObject* box = world.addBox(0.1, 0.2, 0.4, 1);
    box->setAngularVelocity({1, 3, 0.1});
    const Eigen::Vector3d L = box->getAngularMomentum();
    for (int i = 0; i < static_cast<int>(std::lround(2 / dt)); ++i) world.integrate();
    return (box->getAngularMomentum() - L).norm();
  };
  EXPECT_NEAR(std::log2(drift(0.04) / drift(0.02)), 4, 0.5);
}

// A robot that tumbles without gravity, its joints flailing: between integrate1 and integrate2 the
// state's velocity has the momentum that it had at first, to rounding.
class MomentumIsKept : public ::testing::TestWithParam<const char*> {};

TEST_P(MomentumIsKept, ToRounding) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::TRAPEZOID}) {
    World world, probe;
    ArticulatedSystem* robots[2];
    for (World* w : {&world, &probe}) {
      w->setGravity({0, 0, 0});
      w->setIntegrationScheme(scheme);
      const std::string name = GetParam();
      robots[w == &probe] = name == "floating bar"
                                ? w->addArticulatedSystem(fourBar({.floats = true}))
                                : addRobot(*w, name, 0, 0, {0, 0, 5});
    }
    robots[0]->setGeneralizedVelocity(Eigen::VectorXd::LinSpaced(robots[0]->getDOF(), -2, 2));
    const auto aboutOrigin = [](const ArticulatedSystem& r) {
      return Eigen::Vector3d(r.getAngularMomentum() + r.getCOM().cross(r.getLinearMomentum()));
    };
    const Eigen::Vector3d P = robots[0]->getLinearMomentum(), L = aboutOrigin(*robots[0]);
    double kept = 0, uncorrected = 0;
    const auto error = [&](const State& state) {
      probe.setState(state);
      return std::max((robots[1]->getLinearMomentum() - P).norm(),
                      (aboutOrigin(*robots[1]) - L).norm());
    };
    for (int i = 0; i < 1000; ++i) {
      uncorrected = std::max(uncorrected, error(world.getState()));
      world.integrate1();
      kept = std::max(kept, error(world.getState()));
      world.integrate2();
    }
    EXPECT_LT(kept, 1e-11);
    EXPECT_LT(uncorrected, 1e-3);
    EXPECT_GT(uncorrected, 1e-9) << "the scheme alone keeps it: the correction is not tested";
  }
}

// A tree; loops of many legs, and of one.
INSTANTIATE_TEST_SUITE_P(Robots, MomentumIsKept,
                         ::testing::Values("strider", "beest", "floating bar"));

// Contact with another floating thing hands momentum over; what holds both is kept.
TEST(Schemes, MomentumIsKeptThroughACollision) {
  World world, probe;
  Object* objects[2][2];
  for (World* w : {&world, &probe}) {
    w->setGravity({0, 0, 0});
    ArticulatedSystem* robot = addRobot(*w, "strider", 50, 1);
    objects[w == &probe][0] = robot;
    SingleBodyObject* ball = w->addSphere(0.2, 10);
    ball->setPosition(robot->getCOM() - Eigen::Vector3d(0, 1.5, 0));
    ball->setLinearVelocity({0, 5, 0});
    objects[w == &probe][1] = ball;
  }
  const Eigen::Vector3d P(0, 50, 0);
  bool touched = false;
  for (int i = 0; i < 1000; ++i) {
    world.integrate1();
    probe.setState(world.getState());
    const auto* robot = static_cast<ArticulatedSystem*>(objects[1][0]);
    const auto* ball = static_cast<SingleBodyObject*>(objects[1][1]);
    ASSERT_LT((robot->getLinearMomentum() + ball->getLinearMomentum() - P).norm(), 1e-11) << i;
    world.integrate2();
    touched |= world.report().activeContacts > 0;
  }
  EXPECT_TRUE(touched);
}

}  // namespace
}  // namespace espalier::testing

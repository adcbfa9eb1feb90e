// The constraints of arboris' step, where the outcome can be written down.

#include <gtest/gtest.h>

#include "espalier/compat/arboris/ball_and_socket.h"
#include "espalier/compat/arboris/joint_limits.h"
#include "espalier/compat/arboris/slip_force.h"
#include "espalier/compat/arboris/soft_finger.h"
#include "espalier/compat/arboris/weight_controller.h"
#include "tests/support/random_tree.h"
#include "tests/unit/arboris/scenes.h"

namespace espalier::testing {
namespace {

using sim::BallAndSocket;
using sim::SoftFinger;
using sim::Stepping;
using sim::SubFrame;
using sim::WeightController;

// Random slips: Y f + alpha = s diag(1/e^2, 0) f with s <= 0, on the cone's surface, closing.
TEST(Constraints, SlipForceIsOppositeToSlip) {
  Random random(5);
  const auto vector = [&](double size) {
    return Eigen::Vector4d(random.uniform(-size, size), random.uniform(-size, size),
                           random.uniform(-size, size), random.uniform(-size, size));
  };
  int slipping = 0;
  for (int k = 0; k < 2000; ++k) {
    Eigen::Matrix4d A, Y;
    for (int i = 0; i < 4; ++i) A.col(i) = vector(1);
    Y = A * A.transpose() + 0.05 * Eigen::Matrix4d::Identity();
    if (k % 2)  // as an implicit N makes it
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < i; ++j) {
          const double s = random.uniform(-0.1, 0.1);
          Y(i, j) += s;
          Y(j, i) -= s;
        }
    Eigen::Vector4d alpha = vector(1);
    alpha[3] = -std::abs(alpha[3]) - 1e-3;
    const Eigen::Vector3d e(random.uniform(0.01, 0.2), 1, random.uniform(0.5, 2));
    const double mu = random.uniform(0.05, 1);
    const Eigen::Vector4d stuck = -Y.partialPivLu().solve(alpha);
    const auto size = [&](const Eigen::Vector4d& f) { return f.head<3>().cwiseQuotient(e).norm(); };
    if (stuck[3] >= 0 && size(stuck) <= mu * stuck[3]) continue;
    ++slipping;
    const Eigen::Vector4d f = sim::slipForce(Y, alpha, mu, e), v = Y * f + alpha;
    EXPECT_GT(f[3], 0);
    EXPECT_NEAR(size(f), mu * f[3], 1e-12 * (1 + mu * f[3]));
    EXPECT_NEAR(v[3], 0, 1e-12 * (1 + alpha.norm()));
    // Slip in the ellipsoid's metric: (e v) parallel to -(f / e).
    const Eigen::Vector3d slip = e.cwiseProduct(v.head<3>()), push = f.head<3>().cwiseQuotient(e);
    EXPECT_LE(slip.dot(push), 0);
    EXPECT_LT(slip.cross(push).norm(), 1e-11 * (1 + alpha.norm()) * (1e-3 + push.norm()));
  }
  EXPECT_GT(slipping, 1000);
}

/// A ball of mass 2 and radius 0.1 on a plane that leans by `angle` about y.
struct Slope {
  World world;
  Simulation* simulation;
  std::unique_ptr<Simulation> owner;
  SoftFinger* contact;

  Slope(double angle, double mu, const Eigen::Vector3d& radii, const Shape& shape) {
    world.addArticulatedSystem(freeBody("body", shape, 2.0));
    owner = std::make_unique<Simulation>(world);
    simulation = owner.get();
    // The slope stays level and gravity leans.
    simulation->add<WeightController>(Vec3d{9.81 * std::sin(angle), 0, -9.81 * std::cos(angle)});
    contact = &simulation->add<SoftFinger>(simulation->ground(), Plane{}, simulation->body("body"),
                                           shape, mu, radii);
    Eigen::VectorXd q(7);
    q << 0, 0, 0.1, 1, 0, 0, 0;
    world.system(0)->setGeneralizedCoordinate(q);
  }
};

// A ball that rolls: v' = 5/7 g sin; one without friction slides: v' = g sin.
TEST(Constraints, BallOnASlope) {
  for (double mu : {0.5, 0.0}) {
    Slope slope(0.3, mu, {1, 1, 1}, SphereShape{0.1});
    for (int k = 0; k < 200; ++k) step(*slope.simulation, 1e-3);
    const double v = slope.world.system(0)->getGeneralizedVelocity()[0];
    EXPECT_NEAR(v, 0.2 * 9.81 * std::sin(0.3) * (mu > 0 ? 5.0 / 7 : 1), 1e-3);
    EXPECT_NEAR(slope.contact->force()[3], 2 * 9.81 * std::cos(0.3), 1e-2);
  }
}

// Spinning about the normal: the torque is mu times the weight times the radius e_0 of the
// ellipsoid, and the ball comes to rest when the closed form says.
TEST(Constraints, SpinningFriction) {
  const double radius = 0.01, mu = 0.5, I = 0.4 * 2 * 0.01;
  Slope slope(0, mu, {radius, 1, 1}, SphereShape{0.1});
  Eigen::VectorXd nu = Eigen::VectorXd::Zero(6);
  nu[2] = 5;
  slope.simulation->setGvel(nu);
  for (int k = 0; k < 100; ++k) step(*slope.simulation, 1e-3);
  EXPECT_NEAR(slope.simulation->gvel()[2], 5 - 0.1 * mu * 2 * 9.81 * radius / I, 1e-6);
}

TEST(Constraints, DisabledOnesDoNothing) {
  Slope slope(0, 0.5, {1, 1, 1}, SphereShape{0.1});
  slope.contact->disable();
  for (int k = 0; k < 10; ++k) step(*slope.simulation, 1e-2);
  EXPECT_NEAR(slope.world.system(0)->getGeneralizedVelocity()[2], -0.981, 1e-13);
  EXPECT_EQ(slope.contact->force().norm(), 0);
  slope.contact->enable();
  step(*slope.simulation, 1e-2);
  EXPECT_GT(slope.contact->force()[3], 0);
}

// Shapes of any kind, and either first: the force has the weight.
TEST(Constraints, ShapesInEitherOrder) {
  struct Case {
    Shape shape;
    double height;
  };
  for (const auto& [shape, height] :
       {Case{SphereShape{0.1}, 0.1}, Case{CapsuleShape{0.1, 0.3}, 0.25}, Case{SphereShape{0}, 0}})
    for (bool planeFirst : {true, false}) {
      World world;
      world.addArticulatedSystem(freeBody("body", SphereShape{0.1}, 2.0));
      Simulation simulation(world);
      simulation.add<WeightController>();
      auto& body = simulation.body("body");
      auto& contact =
          planeFirst ? simulation.add<SoftFinger>(simulation.ground(), Plane{}, body, shape, 0.5)
                     : simulation.add<SoftFinger>(body, shape, simulation.ground(), Plane{}, 0.5);
      Eigen::VectorXd q(7);
      q << 0, 0, height, 1, 0, 0, 0;
      world.system(0)->setGeneralizedCoordinate(q);
      step(simulation, 1e-3);
      EXPECT_NEAR(contact.sdist(), 0, 1e-15);
      EXPECT_NEAR(contact.force()[3], 2 * 9.81, 1e-9);
      EXPECT_NEAR(simulation.gvel().norm(), 0, 1e-12);
    }
}

// Two hinges thrown against their limits stay within them, once the sweeps have converged.
TEST(Constraints, JointLimitsOfSeveralDofs) {
  World world;
  ArticulatedSystem* arm = world.addArticulatedSystem(hangingArm(2));
  Simulation simulation(world);
  auto& limits = simulation.add<sim::JointLimits>(std::vector<std::string>{"joint0", "joint1"},
                                                  Eigen::Vector2d(-0.2, -0.3),
                                                  Eigen::Vector2d(0.4, 0.1), 0.05);
  simulation.setConstraintSweeps(500);
  simulation.setGvel(Eigen::Vector2d(3, -4));
  bool touched = false;
  for (int k = 0; k < 500; ++k) {
    step(simulation, 1e-3);
    touched |= limits.force().norm() > 0;
    const VecDyn q = arm->getGeneralizedCoordinate();
    ASSERT_LT(q[0], 0.4 + 1e-9);
    ASSERT_GT(q[0], -0.2 - 1e-9);
    ASSERT_LT(q[1], 0.1 + 1e-9);
    ASSERT_GT(q[1], -0.3 - 1e-9);
  }
  EXPECT_TRUE(touched);
}

// A ball tied to a frame that the user carries along follows it, from the first step.
TEST(Constraints, FollowsAMovingFrame) {
  World world;
  world.addArticulatedSystem(freeBody("ball", SphereShape{0.1}, 2.0));
  Simulation simulation(world);
  simulation.add<WeightController>();
  auto& hook =
      simulation.add<sim::MovingSubFrame>(simulation.ground(), identityTransform<double>());
  auto& tie = simulation.add<BallAndSocket>(hook, simulation.body("ball"));
  const sim::Vector6 along = (sim::Vector6() << 0, 0, 0, 1, 0, 0.5).finished();
  for (int k = 0; k < 100; ++k) {
    hook.setBpose({identity3<double>(), {1e-3 * k, 0, 0.5e-3 * k}}, along);
    step(simulation, 1e-3);
    ASSERT_LT(tie.gap().norm(), 1e-12);
  }
  EXPECT_NEAR(tie.force()[2], 2 * 9.81, 1e-8);
  EXPECT_NEAR(simulation.gvel()[3], 1, 1e-12);
}

TEST(Constraints, Misuse) {
  World world;
  world.addArticulatedSystem(hangingArm(2));
  Simulation simulation(world), stepped(world, Stepping::WORLD);
  auto& a = simulation.body("link0");
  auto& b = simulation.add<SubFrame>(a, identityTransform<double>());
  EXPECT_THROW(simulation.add<BallAndSocket>(a, b), std::invalid_argument);
  EXPECT_THROW(simulation.add<SoftFinger>(a, SphereShape{1}, b, SphereShape{1}, 0.5),
               std::invalid_argument);
  EXPECT_THROW(simulation.add<SoftFinger>(simulation.ground(), Plane{}, b, Plane{}, 0.5),
               std::invalid_argument);
  EXPECT_THROW(simulation.add<SoftFinger>(simulation.ground(), Plane{}, b, SphereShape{1}, -0.5),
               std::invalid_argument);
  EXPECT_THROW(stepped.add<BallAndSocket>(stepped.ground(), stepped.body("link0")),
               std::invalid_argument);
  simulation.add<sim::JointLimits>(std::vector<std::string>{"joint0"}, Eigen::Vector2d(0, 0),
                                   Eigen::Vector2d(1, 1));
  EXPECT_THROW(simulation.init(), std::invalid_argument);
}

}  // namespace
}  // namespace espalier::testing

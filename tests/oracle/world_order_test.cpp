// How the error of a step falls with dt: MIDPOINT is of second order, with and without contact,
// SEMI_IMPLICIT of first. The reference of free motion is a Runge-Kutta integrator that asks the
// world for accelerations only; that of contact, a much smaller step.

#include <gtest/gtest.h>

#include <functional>
#include <numbers>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

using Torque =
    std::function<Eigen::VectorXd(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u)>;

/// Classical Runge-Kutta of 4th order on udot = forward dynamics, for joints with qdot = u.
Eigen::VectorXd rungeKutta(ArticulatedSystem& s, Eigen::VectorXd q, Eigen::VectorXd u,
                           const Torque& tau, double dt, int steps) {
  const auto rate = [&](double t, const Eigen::VectorXd& qk, const Eigen::VectorXd& uk) {
    s.setState(qk, uk);
    return s.computeForwardDynamics(tau(t, qk, uk));
  };
  for (int i = 0; i < steps; ++i) {
    const double t = i * dt;
    const Eigen::VectorXd a1 = rate(t, q, u);
    const Eigen::VectorXd u2 = u + dt / 2 * a1, a2 = rate(t + dt / 2, q + dt / 2 * u, u2);
    const Eigen::VectorXd u3 = u + dt / 2 * a2, a3 = rate(t + dt / 2, q + dt / 2 * u2, u3);
    const Eigen::VectorXd u4 = u + dt * a3, a4 = rate(t + dt, q + dt * u3, u4);
    q += dt / 6 * (u + 2 * u2 + 2 * u3 + u4);
    u += dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return q;
}

/// Errors at three time steps, each half the one before; their quotients tell the order.
struct Errors {
  double e[3];
  void expectOrder(int order) const {
    const double quotient = 1 << order;
    EXPECT_NEAR(e[0] / e[1], quotient, 0.12 * quotient) << e[0] << " " << e[1] << " " << e[2];
    EXPECT_NEAR(e[1] / e[2], quotient, 0.12 * quotient) << e[0] << " " << e[1] << " " << e[2];
  }
};

TEST(Order, DoublePendulum) {
  Eigen::VectorXd q0(2), u0(2);
  q0 << 1.5, -0.7;
  u0 << 0.5, 2;
  World asked;
  const Eigen::VectorXd exact = rungeKutta(
      *asked.addArticulatedSystem(modelSpec("double_pendulum")), q0, u0,
      [](double, const Eigen::VectorXd&, const Eigen::VectorXd&) {
        return Eigen::VectorXd::Zero(2).eval();
      },
      0.0005, 2000);
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT}) {
    Errors errors;
    for (int k = 0; k < 3; ++k) {
      World world;
      world.setIntegrationScheme(scheme);
      const int steps = 500 << k;
      world.setTimeStep(1.0 / steps);
      ArticulatedSystem* pendulum = world.addArticulatedSystem(modelSpec("double_pendulum"));
      pendulum->setState(q0, u0);
      for (int i = 0; i < steps; ++i) world.integrate();
      errors.e[k] = (pendulum->getGeneralizedCoordinate() - exact).norm();
    }
    errors.expectOrder(scheme == Scheme::MIDPOINT ? 2 : 1);
    EXPECT_LT(errors.e[2], scheme == Scheme::MIDPOINT ? 1e-4 : 1e-1);
  }
}

TEST(Order, DoublePendulumKeepsItsEnergy) {
  double worst[2];
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT}) {
    World world;
    world.setIntegrationScheme(scheme);
    ArticulatedSystem* pendulum = world.addArticulatedSystem(modelSpec("double_pendulum"));
    Eigen::VectorXd q0(2);
    q0 << 1.5, -0.7;
    pendulum->setGeneralizedCoordinate(q0);
    const double before = pendulum->getKineticEnergy() + pendulum->getPotentialEnergy();
    double& error = worst[scheme == Scheme::SEMI_IMPLICIT];
    error = 0;
    for (int i = 0; i < 10000; ++i) {
      world.integrate();
      error = std::max(
          error, std::abs(pendulum->getKineticEnergy() + pendulum->getPotentialEnergy() - before));
    }
  }
  EXPECT_LT(worst[0], 1e-3);
  EXPECT_LT(worst[0], 1e-2 * worst[1]) << worst[1];
}

/// PD, feedforward and joint damping of the arm as torques.
Torque armTorque(const ArticulatedSystem& arm, double kp, double kd) {
  Eigen::VectorXd damping(7);
  for (int d = 0; d < 7; ++d) damping[d] = arm.model().bodies[1 + d].dynamics.damping;
  return [=](double, const Eigen::VectorXd& q, const Eigen::VectorXd& u) -> Eigen::VectorXd {
    return kp * (nominal("arm7") - q) - kd * u - damping.cwiseProduct(u) +
           Eigen::VectorXd::Constant(7, 2);
  };
}

// The implicit PD of a world is the PD of the differential equation, to second order.
TEST(Order, ArmUnderPd) {
  const double kp = 200, kd = 10;
  const Eigen::VectorXd q0 = nominal("arm7") + Eigen::VectorXd::Constant(7, 0.1);
  const Eigen::VectorXd u0 = Eigen::VectorXd::Constant(7, -0.2);
  World asked;
  ArticulatedSystem* reference = asked.addArticulatedSystem(modelSpec("arm7"));
  const Eigen::VectorXd exact =
      rungeKutta(*reference, q0, u0, armTorque(*reference, kp, kd), 0.0005, 1000);
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT}) {
    Errors errors;
    for (int k = 0; k < 3; ++k) {
      World world;
      world.setIntegrationScheme(scheme);
      const int steps = 250 << k;
      world.setTimeStep(0.5 / steps);
      ArticulatedSystem* arm = addRobot(world, "arm7", kp, kd);
      arm->setJointFriction(Eigen::VectorXd::Zero(7));  // not smooth, and not in the reference
      arm->setState(q0, u0);
      arm->setGeneralizedForce(Eigen::VectorXd::Constant(7, 2));
      for (int i = 0; i < steps; ++i) world.integrate();
      EXPECT_EQ(world.report().limits, 0);
      errors.e[k] = (arm->getGeneralizedCoordinate() - exact).norm();
    }
    errors.expectOrder(scheme == Scheme::MIDPOINT ? 2 : 1);
  }
}

/// Position of the strider's base after squatting for a second with its feet on the ground.
///   in   dt   s; targets are those of the middle of each step
Eigen::Vector3d squat(Scheme scheme, double dt, double* balance = nullptr) {
  World world;
  world.setIntegrationScheme(scheme);
  world.setTimeStep(dt);
  world.setContactSolverParam(1e-12, 1000);
  world.setEnergyMonitoring(balance != nullptr);
  world.addGround();
  ArticulatedSystem* robot = addRobot(world, "strider", 300, 6);
  const int steps = static_cast<int>(std::lround(1 / dt));
  for (int i = 0; i < steps; ++i) {
    const double t = (i + (scheme == Scheme::MIDPOINT ? 0.5 : 1)) * dt;
    const double depth = 0.5 * (1 - std::cos(2 * std::numbers::pi * t));
    Eigen::VectorXd q = nominal("strider"), u = Eigen::VectorXd::Zero(18);
    for (int leg = 0; leg < 4; ++leg) {
      const double way = leg < 2 ? 0.2 : -0.2;
      q[7 + 3 * leg] += 0.05 * depth;
      q[8 + 3 * leg] += way * depth;
      q[9 + 3 * leg] -= 2 * way * depth;
    }
    robot->setPdTarget(q, u);
    const StepReport& report = world.integrate();
    EXPECT_EQ(report.flags, 0u);
    EXPECT_EQ(report.activeContacts, 4) << "feet stay down, step " << i;
    if (balance) *balance += report.energyBalance;
  }
  return robot->getGeneralizedCoordinate().head<3>();
}

TEST(Order, SquattingInContact) {
  const Eigen::Vector3d exact = squat(Scheme::MIDPOINT, 0.000125);
  Errors errors;
  for (int k = 0; k < 3; ++k)
    errors.e[k] = (squat(Scheme::MIDPOINT, 0.004 / (1 << k)) - exact).norm();
  errors.expectOrder(2);
  EXPECT_LT(errors.e[2], 2e-6) << "2 um at 1 ms";
  // At the same step SEMI_IMPLICIT is far behind.
  EXPECT_GT((squat(Scheme::SEMI_IMPLICIT, 0.001) - exact).norm(), 10 * errors.e[2]);
}

// A robot that floats freely and moves its legs: between steps its momentum is off by what one step
// alone adds, third order with MIDPOINT, which puts it right at the start of the next.
TEST(Order, MomentumOfAFloatingRobot) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT}) {
    Errors errors;
    for (int k = 0; k < 3; ++k) {
      World world;
      world.setIntegrationScheme(scheme);
      world.setGravity({0, 0, 0});
      const int steps = 125 << k;
      world.setTimeStep(0.25 / steps);
      ArticulatedSystem* robot = addRobot(world, "strider", 30, 1);
      Eigen::VectorXd target = nominal("strider");
      for (int d = 7; d < 19; ++d) target[d] += d % 2 ? 0.3 : -0.2;
      robot->setPdTarget(target, Eigen::VectorXd::Zero(18));
      for (int i = 0; i < steps; ++i) {
        EXPECT_EQ(world.integrate().activeContacts, 0);
        EXPECT_EQ(world.report().limits, 0);
      }
      errors.e[k] = robot->getLinearMomentum().norm();
    }
    errors.expectOrder(scheme == Scheme::MIDPOINT ? 3 : 1);
    EXPECT_LT(errors.e[2], scheme == Scheme::MIDPOINT ? 1e-7 : 1e-1);
  }
}

// ---- the energy balance of a report is the integrator's error, and falls as dt^2

TEST(Order, EnergyBalanceOfFreeMotion) {
  Errors errors;
  for (int k = 0; k < 3; ++k) {
    World world;
    world.setEnergyMonitoring(true);
    const int steps = 500 << k;
    world.setTimeStep(0.5 / steps);
    ArticulatedSystem* arm = addRobot(world, "arm7", 200, 10);
    Eigen::VectorXd q = nominal("arm7");
    q[1] += 0.3;
    q[3] -= 0.3;
    arm->setGeneralizedCoordinate(q);
    double sum = 0;
    for (int i = 0; i < steps; ++i) {
      const StepReport& report = world.integrate();
      sum += report.energyBalance;
      EXPECT_NEAR(report.energy, arm->getKineticEnergy() + arm->getPotentialEnergy(), 1e-9);
    }
    errors.e[k] = sum;
  }
  errors.expectOrder(2);
  EXPECT_LT(std::abs(errors.e[2]), 1e-4) << "of some 10 J that come and go";
}

TEST(Order, EnergyBalanceInContact) {
  double coarse = 0, fine = 0;
  squat(Scheme::MIDPOINT, 0.002, &coarse);
  squat(Scheme::MIDPOINT, 0.001, &fine);
  EXPECT_LT(std::abs(fine), 1e-3);
  EXPECT_GT(std::abs(coarse), 2 * std::abs(fine));
}

// Bodies that bounce without loss: nothing comes or goes, and the report says so.
TEST(Order, EnergyBalanceOfBouncing) {
  World world;
  world.setEnergyMonitoring(true);
  world.setDefaultMaterial(0, 1, 0.01);
  world.addGround();
  place(*world.addArticulatedSystem(freeBody("ball", SphereShape{0.1}, 1)), {0, 0, 0.5});
  double sum = 0;
  for (int i = 0; i < 2000; ++i) sum += std::abs(world.integrate().energyBalance);
  EXPECT_LT(sum, 1e-9);
  EXPECT_NEAR(world.report().energy, gravity * 0.5, 1e-8);
}

}  // namespace
}  // namespace espalier::testing

// Motion without contact against its closed forms.

#include <gtest/gtest.h>

#include <numbers>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

// p = p0 + v0 t + g t^2 / 2, which MIDPOINT meets exactly.
TEST(FreeMotion, BallisticFlightIsExact) {
  World world;
  world.setTimeStep(0.01);
  ArticulatedSystem* ball = world.addArticulatedSystem(freeBody("ball", SphereShape{0.1}, 2));
  const Eigen::Vector3d p0{1, -2, 50}, v0{3, 0.5, 4}, g{0, 0, -gravity};
  place(*ball, p0, v0);
  for (int i = 1; i <= 400; ++i) {
    const StepReport& report = world.integrate();
    ASSERT_EQ(report.flags, 0u);
    const double t = 0.01 * i;
    const Eigen::Vector3d p = p0 + v0 * t + g * (t * t / 2);
    ASSERT_LT((ball->getGeneralizedCoordinate().head<3>() - p).norm(), 1e-11) << t;
    ASSERT_LT((ball->getGeneralizedVelocity().head<3>() - v0 - g * t).norm(), 1e-12) << t;
  }
  EXPECT_NEAR(world.getWorldTime(), 4, 1e-12);
}

// The same thrown by SEMI_IMPLICIT lags by g dt t / 2: its known first-order error.
TEST(FreeMotion, SemiImplicitFallsAsItsFormulaSays) {
  World world;
  world.setTimeStep(0.01);
  world.setIntegrationScheme(Scheme::SEMI_IMPLICIT);
  ArticulatedSystem* ball = world.addArticulatedSystem(freeBody("ball", SphereShape{0.1}, 2));
  place(*ball, {0, 0, 10});
  for (int i = 0; i < 100; ++i) world.integrate();
  const double t = 1;
  EXPECT_NEAR(ball->getGeneralizedCoordinate()[2], 10 - gravity * t * (t + 0.01) / 2, 1e-12);
}

// A body that spins about a principal axis goes on doing so: q = exp(w t).
TEST(FreeMotion, PrincipalSpinIsExact) {
  World world;
  world.setGravity({0, 0, 0});
  ArticulatedSystem* brick =
      world.addArticulatedSystem(freeBody("brick", BoxShape{{0.3, 0.2, 0.1}}, 1));
  place(*brick, {0, 0, 0}, {0, 0, 0}, {0, 0, 5});
  for (int i = 0; i < 1000; ++i) world.integrate();
  const Eigen::VectorXd q = brick->getGeneralizedCoordinate();
  // 5 rad: the quaternion of a half turn more may come with either sign.
  const double sign = q[3] * std::cos(2.5) > 0 ? 1 : -1;
  EXPECT_NEAR(q[3], sign * std::cos(2.5), 1e-12);
  EXPECT_NEAR(q[6], sign * std::sin(2.5), 1e-12);
  EXPECT_NEAR(brick->getGeneralizedVelocity()[5], 5, 1e-12);
}

// ---- the pendulum: a point-like bob at l below a hinge about y

class Pendulum {
 public:
  static constexpr double length = 0.8, mass = 1.5, amplitude = 1.2;
  /// Rotational inertia about the hinge.
  double inertiaAboutHinge = 0;
  World world;
  ArticulatedSystem* bob = nullptr;

  explicit Pendulum(double dt) {
    SystemSpec spec = jointedBody(JointKind::Revolute, SphereShape{0.1}, mass, {0, 1, 0});
    spec.links[1].inertial->X_LC.p = {0, 0, -length};
    inertiaAboutHinge = mass * length * length + 0.4 * mass * 0.1 * 0.1;
    world.setTimeStep(dt);
    bob = world.addArticulatedSystem(spec);
    bob->setGeneralizedCoordinate(Eigen::VectorXd::Constant(1, amplitude));
  }

  /// T = 2 pi sqrt(I / m g l) / agm(1, cos(amplitude / 2))   (Gauss)
  double exactPeriod() const {
    double a = 1, b = std::cos(amplitude / 2);
    for (int i = 0; i < 6; ++i) {
      const double mean = (a + b) / 2;
      b = std::sqrt(a * b);
      a = mean;
    }
    return 2 * std::numbers::pi * std::sqrt(inertiaAboutHinge / (mass * gravity * length)) / a;
  }

  /// Mean of five periods, between passages of the lowest point, each interpolated by a cubic.
  double measuredPeriod() {
    const double dt = world.getTimeStep();
    double first = 0, last = 0;
    int passages = 0;
    double q0 = amplitude, u0 = 0;
    while (passages < 11) {
      world.integrate();
      const double q1 = bob->getGeneralizedCoordinate()[0], u1 = bob->getGeneralizedVelocity()[0];
      if (q0 * q1 < 0) {
        double s = q0 / (q0 - q1);
        for (int i = 0; i < 5; ++i) {  // Newton on the Hermite cubic
          const double a = 2 * q0 - 2 * q1 + dt * (u0 + u1);
          const double b = -3 * q0 + 3 * q1 - dt * (2 * u0 + u1);
          s -= (((a * s + b) * s + dt * u0) * s + q0) / ((3 * a * s + 2 * b) * s + dt * u0);
        }
        last = world.getWorldTime() - dt + s * dt;
        if (passages++ == 0) first = last;
      }
      q0 = q1, u0 = u1;
    }
    return (last - first) / 5;
  }
};

TEST(FreeMotion, PendulumKeepsItsPeriodToSecondOrder) {
  double error[2];
  for (int k = 0; k < 2; ++k) {
    Pendulum p(k == 0 ? 0.004 : 0.002);
    error[k] = p.measuredPeriod() / p.exactPeriod() - 1;
  }
  EXPECT_LT(std::abs(error[1]), 1e-5);
  EXPECT_NEAR(error[0] / error[1], 4, 0.1);
}

TEST(FreeMotion, PendulumKeepsItsEnergy) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT}) {
    Pendulum p(0.001);
    p.world.setIntegrationScheme(scheme);
    const double before = p.bob->getKineticEnergy() + p.bob->getPotentialEnergy();
    double worst = 0;
    for (int i = 0; i < 20000; ++i) {
      p.world.integrate();
      const double now = p.bob->getKineticEnergy() + p.bob->getPotentialEnergy();
      worst = std::max(worst, std::abs(now - before));
    }
    // Swings between 11.8 J of potential energy; both schemes are symplectic here.
    EXPECT_LT(worst, scheme == Scheme::MIDPOINT ? 2e-5 : 5e-2);
  }
}

}  // namespace
}  // namespace espalier::testing

// An arm with a four-bar forearm pushes against a wall by force control through its Jacobian: what
// its motors are told, J'F in the independent coordinates, is what the wall feels.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

constexpr double wanted = 50;      // N
const Vec3d tool{0.32, 0, -0.15};  // in the forearm

/// Gravity and bias made up for, a push along x, and springs that keep the tool's y and z.
Eigen::VectorXd pushing(const ArticulatedSystem& arm, int forearm, const Eigen::Vector3d& home) {
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(3, arm.getDOF());
  arm.getDenseJacobian(forearm, ArticulatedSystem::BODY_FRAME, tool, J);
  Eigen::Vector3d at, velocity;
  arm.getPosition(forearm, tool, at);
  arm.getVelocity(forearm, tool, velocity);
  Eigen::Vector3d force = 400 * (home - at) - 60 * velocity;
  force.x() = wanted - 60 * velocity.x();
  return arm.getNonlinearities() + J.transpose() * force;
}

struct Push {
  double least = HUGE_VAL, most = 0;  ///< N, along the normal
  double residual = 0, closure = 0;
  std::uint32_t flags = 0;
};

/// What the wall feels from `from` to `to`, s. It swings by so much at 0.5 Hz.
Push pushFor(double from, double to, double swing) {
  World world;
  world.setTimeStep(1e-3);
  ArticulatedSystem* arm = world.addArticulatedSystem(modelFile("linkage_arm"));
  BodySpec spec = fixedShape("wall", BoxShape{{0.2, 2, 2}});
  spec.type = BodyType::KINEMATIC;
  spec.X_WB.p = {0.66, 0, 0.5};
  SingleBodyObject* wall = world.addBody(spec);
  const int forearm = arm->getBodyIdx("forearm");
  Eigen::Vector3d home;
  arm->getPosition(forearm, tool, home);
  Push out;
  while (world.getWorldTime() < to) {
    const double t = world.getWorldTime(), rate = std::acos(-1.0);
    wall->setVelocity(swing * rate * std::cos(rate * t), 0, 0, 0, 0, 0);
    arm->setGeneralizedForce(pushing(*arm, forearm, home));
    const StepReport& report = world.integrate();
    out.residual = std::max(out.residual, report.residual);
    out.closure = std::max(out.closure, report.closure);
    out.flags |= report.flags;
    if (t < from) continue;
    double force = 0;
    for (const ContactView& contact : arm->getContacts())
      force -= contact.getImpulseOnThis()[0] / world.getTimeStep();
    out.least = std::min(out.least, force);
    out.most = std::max(out.most, force);
  }
  return out;
}

void expectHolds(const char* what, const Push& push, double tolerance) {
  std::printf("[ figure   ] %s: %.6f .. %.6f N, residual %.1e m/s, closure %.1e m\n", what,
              push.least, push.most, push.residual, push.closure);
  EXPECT_NEAR(push.least, wanted, tolerance);
  EXPECT_NEAR(push.most, wanted, tolerance);
  EXPECT_LE(push.residual, 1e-8);
  EXPECT_LE(push.closure, 1e-10);
  EXPECT_EQ(push.flags, 0u);
}

TEST(WallForce, AFourBarForearmHoldsFiftyNewton) {
  expectHolds("an arm holds 50 N for 10 s", pushFor(2, 12, 0), 1);
}

/// It yields and follows; what differs are its masses and dampers.
TEST(WallForce, AlsoWhereTheWallSwings) {
  expectHolds("the same, the wall swinging by 1 mm", pushFor(2, 12, 0.001), 1);
}

}  // namespace
}  // namespace espalier::testing

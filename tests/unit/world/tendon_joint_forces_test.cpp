// Forces within joints beside tendons through points, which pull at bodies and not within joints.

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/world/world.h"

namespace espalier::testing {
namespace {

constexpr double mass_of_rod = 2, half_rod = 0.3, spring_rate = 500, short_step = 1e-5;
const Vec3d end_of_tendon{0.4, 0, 0.5};  // of the tendon, in the world

/// A rod on a hinge about y, from the hinge along x, whose end a tendon pulls at.
SystemSpec rodWithTendon() {
  SystemSpec spec;
  spec.name = "rod";
  spec.fixedBase = true;
  LinkSpec base, rod;
  base.name = "base";
  rod.name = "rod";
  rod.inertial = InertialSpec{};
  rod.inertial->mass = mass_of_rod;
  rod.inertial->X_LC.p = {half_rod, 0, 0};
  rod.inertial->I = {0.01, 0, 0, 0.05, 0, 0.05};
  spec.links = {base, rod};
  JointSpec hinge;
  hinge.name = "hinge";
  hinge.kind = JointKind::Revolute;
  hinge.parent = "base";
  hinge.child = "rod";
  hinge.axes[0] = {0, 1, 0};
  spec.joints = {hinge};
  TendonSpec tendon;
  tendon.name = "spring";
  tendon.ways = {{{{"world", end_of_tendon}, {"rod", {2 * half_rod, 0, 0}}}, 1, {}}};
  tendon.stiffness = spring_rate;
  tendon.restLower = tendon.restUpper = 0.2;
  spec.tendons = {tendon};
  return spec;
}

TEST(TendonJointForces, PullAtTheBodiesAndNotInTheJoint) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT, Scheme::EULER}) {
    World world;
    world.setTimeStep(short_step);
    world.setIntegrationScheme(scheme);
    ArticulatedSystem* robot = world.addArticulatedSystem(rodWithTendon());
    robot->setComputeInverseDynamics(true);
    world.integrate();
    const Vec3d way = end_of_tendon - Vec3d{2 * half_rod, 0, 0};
    const Vec3d pull = way * (spring_rate * (norm(way) - 0.2) / norm(way));
    const double alpha = robot->getGeneralizedVelocity()[0] / short_step;  // about y: x turns to -z
    EXPECT_GT(std::abs(alpha), 10);
    const Vec<3> force = robot->getForceAtJointInWorldFrame(robot->model().joint("hinge"));
    const Vec<3> torque = robot->getTorqueAtJointInWorldFrame(robot->model().joint("hinge"));
    EXPECT_NEAR(force[0], -pull.x, 1e-2);
    EXPECT_NEAR(force[2], mass_of_rod * (9.81 - alpha * half_rod) - pull.z, 1e-2);
    EXPECT_NEAR(torque[1], 0, 1e-3);
  }
}

}  // namespace
}  // namespace espalier::testing

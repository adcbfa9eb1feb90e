// A cylindrical joint moves as a slider and a hinge on it, about and along one axis.

#include <gtest/gtest.h>

#include "espalier/io/export/export.h"
#include "espalier/io/mjcf/mjcf.h"
#include "espalier/io/world_xml/world_xml.h"
#include "espalier/model/compile/coordinate_names.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

const Vec3d axis{0.48, 0.6, 0.64};

/// A box on an axis that is askew, its centre of mass beside it.
SystemSpec onOneJoint() {
  SystemSpec spec = jointedBody(JointKind::Cylindrical, BoxShape{0.1, 0.2, 0.4}, 1.5, axis);
  spec.links[1].inertial->X_LC.p = {0.1, -0.05, 0.2};
  spec.joints[0].X_PJ.p = {0.3, 0.2, 0.1};
  return spec;
}

/// The same on two joints, with a massless link between them.
SystemSpec onTwoJoints() {
  SystemSpec spec = onOneJoint();
  LinkSpec carriage;
  carriage.name = "carriage";
  spec.links.push_back(carriage);
  JointSpec hinge = spec.joints[0];
  JointSpec& slider = spec.joints[0];
  slider.kind = JointKind::Prismatic;
  slider.child = "carriage";
  hinge.kind = JointKind::Revolute;
  hinge.name = "hinge";
  hinge.parent = "carriage";
  hinge.X_PJ = identityTransform<double>();
  spec.joints.push_back(hinge);
  return spec;
}

class Cylindrical : public ::testing::TestWithParam<Scheme> {};
INSTANTIATE_TEST_SUITE_P(Schemes, Cylindrical,
                         ::testing::Values(Scheme::MIDPOINT, Scheme::TRAPEZOID,
                                           Scheme::SEMI_IMPLICIT, Scheme::EULER,
                                           Scheme::RUNGE_KUTTA_4),
                         [](const auto& scheme) {
                           return std::string(espalier::info(scheme.param).name);
                         });

/// Springs, dampers, rotor inertia and PD control of both dofs.
TEST_P(Cylindrical, MovesAsASliderAndAHinge) {
  World worlds[2];
  ArticulatedSystem* robots[2];
  for (int i = 0; i < 2; ++i) {
    SystemSpec spec = i == 0 ? onOneJoint() : onTwoJoints();
    for (JointSpec& joint : spec.joints) {
      joint.dynamics.damping = 0.3;
      joint.dynamics.stiffness = 20;
      joint.dynamics.rotorInertia = 0.02;
      joint.dynamics.springMount.assign(static_cast<std::size_t>(info(joint.kind).nq), 0.1);
    }
    worlds[i].setIntegrationScheme(GetParam());
    robots[i] = worlds[i].addArticulatedSystem(spec);
    robots[i]->setState(Eigen::Vector2d(0.2, -0.7), Eigen::Vector2d(0.5, 2));
    robots[i]->setControlMode(ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
    robots[i]->setPdGains(Eigen::Vector2d(30, 4), Eigen::Vector2d(1, 0.2));
    robots[i]->setPdTarget(Eigen::Vector2d(-0.2, 1), Eigen::Vector2d(0, 0.5));
    robots[i]->setGeneralizedForce({3, -0.5});
  }
  double far = 0;
  for (int step = 0; step < 1000; ++step) {
    for (World& world : worlds) ASSERT_EQ(world.integrate().flags, 0u);
    const Eigen::Vector2d q = robots[0]->getGeneralizedCoordinate();
    ASSERT_LT((q - robots[1]->getGeneralizedCoordinate()).norm(), 1e-11) << step;
    ASSERT_LT((robots[0]->getGeneralizedVelocity() - robots[1]->getGeneralizedVelocity()).norm(),
              1e-10)
        << step;
    far = std::max(far, (q - Eigen::Vector2d(0.2, -0.7)).norm());
  }
  EXPECT_GT(far, 0.5);
}

TEST_P(Cylindrical, FreeMotionKeepsItsEnergy) {
  World world;
  world.setIntegrationScheme(GetParam());
  world.setGravity({0, 0, 0});
  ArticulatedSystem* robot = world.addArticulatedSystem(onOneJoint());
  robot->setGeneralizedVelocity(Eigen::Vector2d(0.4, 3));
  const double before = robot->getEnergy();
  for (int step = 0; step < 1000; ++step) world.integrate();
  const bool isSecond = GetParam() == Scheme::MIDPOINT || GetParam() == Scheme::RUNGE_KUTTA_4;
  EXPECT_NEAR(robot->getEnergy() / before, 1, isSecond ? 1e-6 : 2e-2);
  EXPECT_GT(std::abs(robot->getGeneralizedCoordinate()[1]), 2);
}

/// Stages know no limits: by RUNGE_KUTTA_4 a dof that is pressed against its limit with acceleration a ends
/// each step dt^2/2 a before it, with the velocity dt/2 a.
TEST_P(Cylindrical, LimitsHoldBothDofsAsThoseOfASliderAndAHinge) {
  World worlds[2];
  ArticulatedSystem* robots[2];
  for (int i = 0; i < 2; ++i) {
    SystemSpec spec = i == 0 ? onOneJoint() : onTwoJoints();
    for (JointSpec& joint : spec.joints) {
      joint.limits.lower = -0.3;
      joint.limits.upper = 0.5;
    }
    worlds[i].setIntegrationScheme(GetParam());
    robots[i] = worlds[i].addArticulatedSystem(spec);
  }
  for (const double sign : {1.0, -1.0}) {
    const double limit = sign > 0 ? 0.5 : -0.3;
    for (ArticulatedSystem* robot : robots) robot->setGeneralizedForce({60 * sign, 8 * sign});
    for (int step = 0; step < 2000; ++step)
      for (World& world : worlds) ASSERT_EQ(world.integrate().flags, 0u);
    const Eigen::Vector2d q = robots[0]->getGeneralizedCoordinate();
    const Eigen::Vector2d u = robots[0]->getGeneralizedVelocity();
    EXPECT_LT((q - robots[1]->getGeneralizedCoordinate()).norm(), 1e-8);
    for (int k = 0; k < 2; ++k) {
      const double moved =
          espalier::info(GetParam()).hasStages ? worlds[0].getTimeStep() * std::abs(u[k]) : 0;
      EXPECT_LT(std::abs(u[k]), moved > 0 ? 1 : 1e-6) << k;
      EXPECT_NEAR(std::abs(q[k] - limit), moved, 1e-5) << k;
    }
  }
}

TEST(CylindricalJoint, NamesItsCoordinates) {
  World world;
  const Model& model = world.addArticulatedSystem(onOneJoint())->model();
  const std::vector<std::string> names{"joint.distance", "joint.angle"};
  EXPECT_EQ(coordinateNames(model), names);
  EXPECT_EQ(dofNames(model), names);
}

TEST(CylindricalJoint, AWorldFileKeepsIt) {
  World first;
  ArticulatedSystem* robot = first.addArticulatedSystem(onOneJoint());
  robot->setName("bar");
  robot->setState(Eigen::Vector2d(0.2, -0.7), Eigen::Vector2d(0.5, 2));
  const auto spec = io::loadWorld(io::exportWorldXml(first.spec()));
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  World second(*spec);
  const auto* again = dynamic_cast<const ArticulatedSystem*>(second.getObject("bar"));
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(again->model().topology.bodies[1].kind, JointKind::Cylindrical);
  for (World* world : {&first, &second})
    for (int step = 0; step < 200; ++step) world->integrate();
  EXPECT_EQ(again->getGeneralizedCoordinate(), robot->getGeneralizedCoordinate());
}

/// MJCF has no such joint: a slide and a hinge of one body are read as two joints, which move alike.
TEST(CylindricalJoint, MjcfSaysItByTwoJoints) {
  const auto spec = io::parseMjcfRobot(R"(<mujoco><worldbody><body pos="0.3 0.2 0.1">
      <joint name="joint" type="slide" axis="0.48 0.6 0.64"/>
      <joint name="hinge" type="hinge" axis="0.48 0.6 0.64"/>
      <inertial pos="0.1 -0.05 0.2" mass="1.5" diaginertia="0.025 0.02125 0.00625"/>
    </body></worldbody></mujoco>)",
                                       "bar.xml");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  World worlds[2];
  ArticulatedSystem* robots[] = {worlds[0].addArticulatedSystem(onOneJoint()),
                                 worlds[1].addArticulatedSystem(*spec)};
  for (ArticulatedSystem* robot : robots)
    robot->setState(Eigen::Vector2d(0.2, -0.7), Eigen::Vector2d(0.5, 2));
  for (int step = 0; step < 500; ++step)
    for (World& world : worlds) world.integrate();
  EXPECT_LT((robots[0]->getGeneralizedCoordinate() - robots[1]->getGeneralizedCoordinate()).norm(),
            1e-11);
}

}  // namespace
}  // namespace espalier::testing

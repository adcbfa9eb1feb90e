// Geared rotors in the world: a robot whose rotors are constants of joints and carriers does what it
// does with rotors as bodies.

#include <gtest/gtest.h>

#include "espalier/io/export/export.h"
#include "espalier/io/urdf/urdf.h"
#include "espalier/robot/articulated_refs.h"
#include "espalier/robot/articulated_system.h"
#include "espalier/world/world.h"
#include "tests/support/rotor_twins.h"

namespace espalier {
namespace {

using Eigen::VectorXd;
using testing::ownRobot;
using testing::Twins;
using testing::waves;

/// The strider above the ground, in some motion.
struct Strider : Twins {
  Strider() : Twins(ownRobot("geared_strider")) {
    VectorXd q = VectorXd::Zero(robots[0]->getGeneralizedCoordinateDim());
    q[2] = 0.9;
    q[3] = 1;
    q.tail(12) = waves(12, 0.3, 0.4);
    setState(q, waves(18, 1.1, 0.6));
  }
};

TEST(GyrostatsInWorlds, FlyAsWithBodies) {
  Strider t;
  for (World& world : t.worlds) world.setIntegrationScheme(Scheme::SEMI_IMPLICIT);
  t.step(200);
  t.expectSameState(1e-13);
  EXPECT_EQ(t.worlds[0].report().flags, t.worlds[1].report().flags);
}

TEST(GyrostatsInWorlds, KeepTheirMomentum) { Strider().expectMomentumKept(); }

TEST(GyrostatsInWorlds, FallAndStandAsWithBodies) {
  Strider t;
  for (int i = 0; i < 2; ++i) {
    t.worlds[i].addGround();
    t.worlds[i].setIntegrationScheme(Scheme::SEMI_IMPLICIT);
    t.worlds[i].setContactSolverParam(1e-10, 1000);
    t.robots[i]->setPdGains(VectorXd::Constant(18, 300), VectorXd::Constant(18, 10));
    t.robots[i]->setControlMode(ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
  }
  t.step(600);  // it has landed
  t.expectSameState(1e-11);
  EXPECT_GT(t.worlds[0].report().contacts, 0);
}

TEST(GyrostatsInWorlds, FramesTurn) {
  Strider t;
  EXPECT_EQ(t.robots[0]->getRotorNames().size(), 12u);
  t.expectFramesTurn(1e-12);
}

TEST(GyrostatsInWorlds, JointForcesAreThoseWithBodies) {
  Strider t;
  for (ArticulatedSystem* robot : t.robots) robot->setComputeInverseDynamics(true);
  t.step(1);
  for (const BodyInfo& body : t.robots[0]->model().bodies) {
    const int a = t.robots[0]->getBodyIdx(body.name), b = t.robots[1]->getBodyIdx(body.name);
    EXPECT_LT(
        (t.robots[0]->getForceAtJointInWorldFrame(a) - t.robots[1]->getForceAtJointInWorldFrame(b))
            .norm(),
        1e-7)
        << body.name;
  }
  for (const std::string& joint : t.robots[0]->getRotorNames())
    EXPECT_LT((t.robots[0]->getFrameAngularAcceleration(joint) -
               t.robots[1]->getFrameAngularAcceleration(joint))
                  .norm(),
              1e-6 * t.robots[1]->getFrameAngularAcceleration(joint).norm())
        << joint;
}

TEST(GyrostatsInWorlds, OperationalInertiaIsThatWithBodies) {
  Strider t;
  const std::vector<FrameOf> feet{"LF_KFE", "RH_KFE"};
  const MatDyn a = t.robots[0]->inverseOperationalSpaceInertiaMatrix(feet),
               b = t.robots[1]->inverseOperationalSpaceInertiaMatrix(feet);
  EXPECT_LT((a - b).norm(), 1e-11 * b.norm());
  VectorXd u0, u1;
  const Vec<3> push{0.3, -0.2, 1};
  const double felt = t.robots[0]->applyTestForce("LF_KFE", push, u0);
  EXPECT_NEAR(felt, t.robots[1]->applyTestForce("LF_KFE", push, u1), 1e-11);
  EXPECT_LT((u0 - u1).norm(), 1e-11 * u1.norm());
}

/// One arm with a rotor that may turn by two radians either way.
SystemSpec arm(double velocity) {
  const std::string limit = "<limit lower=\"-2\" upper=\"2\" effort=\"1\" velocity=\"" +
                            std::to_string(velocity) + "\"/>";
  auto spec = io::parseUrdf(R"(<robot name="arm"><link name="world"/>
<link name="arm"><inertial><origin xyz="0.3 0 0"/><mass value="1"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
<link name="rotor"><inertial><mass value="0.1"/>
<inertia ixx="0.001" ixy="0" ixz="0" iyy="0.002" iyz="0" izz="0.001"/></inertial></link>
<joint name="shoulder" type="continuous"><parent link="world"/><child link="arm"/>
<axis xyz="0 1 0"/></joint>
<joint name="motor" type="revolute" independent="false"><parent link="world"/><child link="rotor"/>
<axis xyz="0 1 0"/>)" + limit +
                            R"(</joint>
<coupling name="gear"><predecessor link="arm"/><successor link="rotor"/><ratio value="5"/></coupling>
</robot>)");
  EXPECT_TRUE(spec) << spec.diagnostics().toString();
  return std::move(spec).value();
}

TEST(GyrostatsInWorlds, LimitsOfRotorsHold) {
  Twins t(arm(1e3));
  t.step(2000);
  EXPECT_NEAR(t.robots[0]->getRotorCoordinate()[0], 2, 1e-6);
  EXPECT_NEAR(t.robots[0]->getGeneralizedCoordinate()[0], 0.4, 1e-6);
  t.expectSameState(1e-9);
}

TEST(GyrostatsInWorlds, SpeedLimitsOfRotorsHold) {
  Twins t(arm(1.5));
  for (ArticulatedSystem* robot : t.robots) robot->enforceJointVelocityLimits(true);
  t.step(500);
  EXPECT_NEAR(t.robots[0]->getRotorVelocity()[0], 1.5, 1e-9);
  t.expectSameState(1e-9);
}

TEST(GyrostatsInWorlds, EditedRobotsAreExportedWithTheirRotors) {
  Twins t(ownRobot("geared_strider"));
  ArticulatedSystem& robot = *t.robots[0];
  const int thigh = robot.getBodyIdx("LF_thigh");
  const double mass = robot.getMass(thigh);
  robot.setMass(thigh, mass + 0.5);
  t.worlds[0].integrate();
  const auto again = io::parseUrdf(io::exportUrdf(t.worlds[0].spec().systems[0].system));
  ASSERT_TRUE(again) << again.diagnostics().toString();
  World world;
  ArticulatedSystem& copy = *world.addArticulatedSystem(*again);
  EXPECT_EQ(copy.getRotorNames(), robot.getRotorNames());
  EXPECT_NEAR(copy.getMass(copy.getBodyIdx("LF_thigh")), mass + 0.5, 1e-12);
  EXPECT_NEAR(copy.getTotalMass(), robot.getTotalMass(), 1e-11);
}

TEST(GyrostatsInWorlds, BodiesOfRotorsAloneAreExportedMassless) {
  Twins t(arm(1e3));  // whose rotor sits on the massless world
  t.robots[0]->setMass(t.robots[0]->getBodyIdx("arm"), 2);
  t.worlds[0].integrate();
  const SystemSpec spec = t.worlds[0].spec().systems[0].system;
  ASSERT_EQ(spec.links[0].name, "world");
  EXPECT_FALSE(spec.links[0].inertial);
  const auto again = io::parseUrdf(io::exportUrdf(spec));
  ASSERT_TRUE(again) << again.diagnostics().toString();
  World world;
  EXPECT_NEAR(world.addArticulatedSystem(*again)->getTotalMass(), 2.1, 1e-12);
}

TEST(GyrostatsInWorlds, ACarrierLighterThanItsRotorsIsRefused) {
  Twins t(ownRobot("geared_strider"));
  t.robots[0]->setMass(t.robots[0]->getBodyIdx("LF_thigh"), 1e-3);
  t.worlds[0].integrate();
  EXPECT_THROW(t.worlds[0].spec(), std::invalid_argument);
}

}  // namespace
}  // namespace espalier

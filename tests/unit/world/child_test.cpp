// Robots built in code: the same as those of the file that says the same.

#include "espalier/robot/child.h"

#include <gtest/gtest.h>

#include "espalier/io/urdf/urdf.h"
#include "tests/support/random_spec.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

Child link(const std::string& name, Joint::Type type, double mass) {
  Child child;
  child.name = name;
  child.joint.type = type;
  child.body.setMass(mass);
  child.body.setInertia({0.1, 0, 0, 0.2, 0, 0.25});
  return child;
}

/// world - hinge - arm - weld - hand, and beside it a slider with a ball joint on it.
Child workshop() {
  Child arm = link("arm", Joint::REVOLUTE, 2);
  arm.joint.name = "hinge";
  arm.joint.jointAxis({0, 1, 0});
  arm.joint.jointPosition({0, 0, 0.5});
  arm.joint.limit = Vec<2>(-1, 1.5);
  arm.joint.effort = 20;
  arm.joint.damping = 0.1;
  arm.joint.rotor_inertia = 0.01;
  arm.body.setCom({0.25, 0, 0});
  arm.body.addCollision(CapsuleShape{0.05, 0.5}, {0.25, 0, 0}, "rubber");
  Child hand = link("hand", Joint::FIXED, 0.5);
  hand.joint.jointPosition({0.5, 0, 0});
  hand.body.addCollision(SphereShape{0.1});
  arm.addChild(hand);
  Child slider = link("slider", Joint::PRISMATIC, 1);
  slider.joint.name = "slide";
  slider.joint.jointAxis({1, 0, 0});
  slider.joint.jointPosition({0, 1, 0});
  Child ball = link("ball", Joint::SPHERICAL, 1);
  ball.joint.name = "socket";
  ball.joint.stiffness = 3;
  slider.addChild(ball);
  Child root;
  root.name = "world";
  root.addChild(arm);
  root.addChild(slider);
  return root;
}

const char* const workshop_urdf = R"(<robot name="world">
  <link name="world"/>
  <link name="arm">
    <inertial><origin xyz="0.25 0 0"/><mass value="2"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.25"/></inertial>
    <collision><origin xyz="0.25 0 0"/><geometry><capsule radius="0.05" height="0.5"/></geometry>
      <material><contact name="rubber"/></material></collision>
  </link>
  <link name="hand">
    <inertial><mass value="0.5"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.25"/></inertial>
    <collision><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
  <link name="slider"><inertial><mass value="1"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.25"/></inertial></link>
  <link name="ball"><inertial><mass value="1"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.25"/></inertial></link>
  <joint name="hinge" type="revolute"><parent link="world"/><child link="arm"/>
    <origin xyz="0 0 0.5"/><axis xyz="0 1 0"/><limit lower="-1" upper="1.5" effort="20"/>
    <dynamics damping="0.1" rotor_inertia="0.01"/></joint>
  <joint name="arm-hand" type="fixed"><parent link="arm"/><child link="hand"/>
    <origin xyz="0.5 0 0"/></joint>
  <joint name="slide" type="prismatic"><parent link="world"/><child link="slider"/>
    <origin xyz="0 1 0"/><axis xyz="1 0 0"/></joint>
  <joint name="socket" type="spherical"><parent link="slider"/><child link="ball"/>
    <dynamics stiffness="3"/></joint>
</robot>)";

TEST(Child, IsTheSameAsTheFileThatSaysTheSame) {
  const Model built = compile(toSpec(workshop())).value();
  const Model read = compile(io::parseUrdf(workshop_urdf).value()).value();
  EXPECT_TRUE(sameBits(built.lowered, read.lowered));
  ASSERT_EQ(built.nb(), read.nb());
  for (int b = 0; b < built.nb(); ++b) {
    EXPECT_EQ(built.bodies[b].name, read.bodies[b].name);
    EXPECT_EQ(built.bodies[b].joint, read.bodies[b].joint);
    EXPECT_EQ(built.topology.bodies[b].kind, read.topology.bodies[b].kind);
    EXPECT_EQ(built.bodies[b].limits.lower, read.bodies[b].limits.lower);
    EXPECT_EQ(built.bodies[b].limits.upper, read.bodies[b].limits.upper);
    EXPECT_EQ(built.bodies[b].limits.effort, read.bodies[b].limits.effort);
    EXPECT_EQ(built.bodies[b].dynamics.damping, read.bodies[b].dynamics.damping);
    EXPECT_EQ(built.bodies[b].dynamics.stiffness, read.bodies[b].dynamics.stiffness);
  }
  ASSERT_EQ(built.collisions.size(), 2u);
  EXPECT_EQ(built.collisions[1].name, "hand/0");
  EXPECT_EQ(built.collisions[0].material, "rubber");
  EXPECT_EQ(built.frame("arm-hand"), read.frame("arm-hand"));
}

TEST(Child, JointOrderAndIgnoredPairsAreObeyed) {
  const Model model =
      compile(toSpec(workshop(), {"socket", "slide", "hinge"}, {{"hand", "ball"}})).value();
  EXPECT_FALSE(model.publicOrderIsInternal);  // socket hangs on slide
  EXPECT_EQ(model.ignoredBodyPairs.size(), 4u);
}

TEST(Child, ARootFloatsWhenItSaysSo) {
  Child root = link("trunk", Joint::FLOATING, 1);
  EXPECT_TRUE(compile(toSpec(root)).value().topology.floating);
  root.joint = Joint::getFloatingBaseJoint();
  EXPECT_TRUE(compile(toSpec(root)).value().topology.floating);
  root.joint.type = Joint::FIXED;
  EXPECT_FALSE(compile(toSpec(root)).value().topology.floating);
}

TEST(Child, AWorldTakesItAsItIs) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(workshop());
  EXPECT_EQ(robot->getDOF(), 5);
  Child trunk = link("trunk", Joint::FLOATING, 1);
  trunk.joint.jointPosition({1, 2, 3});
  EXPECT_EQ(world.addArticulatedSystem(trunk)->getBasePosition(), Vec<3>(1, 2, 3));
}

TEST(Child, MisplacedJointsAreRefused) {
  Child root = link("trunk", Joint::FLOATING, 1);
  EXPECT_THROW(root.addChild(link("leg", Joint::FLOATING, 1)), std::invalid_argument);
  root.fixedBodies.push_back(link("leg", Joint::REVOLUTE, 1));
  EXPECT_THROW(toSpec(root), std::invalid_argument);
  EXPECT_THROW(toSpec(link("leg", Joint::REVOLUTE, 1)), std::invalid_argument);
}

TEST(Child, ALinkThatSaysNothingOfItsMassIsMassless) {
  Child root = link("world", Joint::FIXED, 0);
  root.body.inertial = {};
  EXPECT_FALSE(toSpec(root).links[0].inertial.has_value());
  Child heavyless = link("leg", Joint::REVOLUTE, 0);
  root.addChild(heavyless);
  EXPECT_TRUE(toSpec(root).links[1].inertial.has_value());  // an inertia without mass is kept
}

}  // namespace
}  // namespace espalier::testing

// What is wrong with a world is said with file, line, name and remedy; nothing is lost on the way.

#include <gtest/gtest.h>

#include "espalier/io/world_xml/world_xml.h"
#include "folder.h"
#include "remarks.h"

namespace espalier::io {
namespace {

Diagnostics refuse(const std::string& text) {
  const auto world = loadWorld(text);
  EXPECT_FALSE(world) << text;
  return world.diagnostics();
}

/// What is said of one object, which stands on line 3.
Diagnostics refuseObject(const std::string& object) {
  return refuse("<raisim>\n<objects>\n" + object + "\n</objects></raisim>");
}

TEST(WorldBad, NoWorldAtAll) {
  expectRemark(refuse("<robot name='r'/>"), Severity::Error, 1, "outermost element is 'robot'");
  expectRemark(refuse("<raisim>\n<objects>"), Severity::Error, 2, "not closed");
  expectRemark(refuse("<!-- nothing -->"), Severity::Error, 1, "no element");
  const auto missing = loadWorld("there/is/no.xml");
  ASSERT_FALSE(missing);
  expectRemark(missing.diagnostics(), Severity::Error, 0, "no such file", "there/is/no.xml");
}

TEST(WorldBad, EveryProblemIsSaid) {
  const Diagnostics all = refuse(R"(<raisim>
    <gravity value="down"/>
    <time_step value="0"/>
    <material><default friction="-1"/>
      <pair_prop name1="a" friction="1"/></material>
    <nonsense/>
    <objects>
      <sphere name="s" mass="-1"><dim radius="0.1"/></sphere>
      <box name="b" mass="1"><dim x="1" y="1"/></box>
      <capsule name="c"><dim radius="1" height="1"/></capsule>
      <cylinder name="d" mass="1"/>
      <sphere name="e" mass="1" body_type="liquid"><dim radius="1" colour="red"/></sphere>
      <sphere name="f" mass="1"><dim radius="0"/></sphere>
      <sphere name="g" mass="1" collision_group="many"><dim radius="1"/>
        <state pos="0 0" quat="0 0 0 0"/></sphere>
      <compound name="h" mass="1"/>
      <sphere name="i" mass="1"><dim radius="1"/><inertia xx="1" yy="1" zz="5"/></sphere>
      <mesh name="j" mass="1"/>
      <ground name="k" height="@"/>
      <articulated_system name="l"/>
      <sphere name="m" mass="1" exist="maybe"><dim radius="1"/></sphere>
      <torus name="n"/>
    </objects></raisim>)");
  const auto error = [&](int line, const std::string& part) {
    expectRemark(all, Severity::Error, line, part);
  };
  error(2, "<gravity value> is 'down', not 3 finite numbers");
  error(3, "time step is 0");
  error(4, "<default friction> is negative");
  error(5, "does not name two materials");
  expectRemark(all, Severity::Warning, 6, "<nonsense> is not known in <raisim>");
  error(8, "object 's': the mass of a body that moves is -1");
  error(9, "object 'b': <dim> lacks the attribute 'z'");
  error(10, "object 'c': <capsule> lacks the attribute 'mass'");
  error(11, "object 'd': <cylinder> has no <dim>");
  error(12, "object 'e': the body type 'liquid' is not known");
  expectRemark(all, Severity::Warning, 12, "attribute 'colour' is not known in <dim>");
  error(13, "object 'f' has a collision sphere without a finite extent");
  error(14, "'many', not a collision group or mask");
  error(15, "<state pos> is '0 0', not 3 finite numbers");
  error(15, "<state quat> is no rotation");
  error(16, "<compound> has no <children>");
  expectRemark(all, Severity::Warning, 17, "object 'i' has an inertia that breaks the triangle");
  error(18, "<mesh> names no file");
  error(19, "<ground height> is '@'");
  error(20, "names no URDF");
  error(21, "<sphere exist> is 'maybe'");
  expectRemark(all, Severity::Warning, 22, "<torus> is not known");
}

TEST(WorldBad, WhatPullsInRaiSimAndObjectsThatAreNotKnownAreOmissions) {
  const auto world = loadWorld(
      "<raisim>\n<objects><sphere name='s' mass='1'><dim radius='.1'/></sphere>\n<atlas/>\n"
      "</objects><wire><stiff/></wire><camera/></raisim>");
  ASSERT_TRUE(world) << world.diagnostics().toString();
  const Diagnostics left = world.diagnostics().omissions();
  expectRemark(left, Severity::Warning, 3, "<atlas> is not known");
  expectRemark(left, Severity::Warning, 4, "<wire> is read, not simulated");
  EXPECT_EQ(left.all().size(), 2u) << left.toString();
}

TEST(WorldBad, LinesInsideArraysAreThoseOfTheFile) {
  const Diagnostics all = refuse(
      "<raisim>\n<objects>\n<array idx='i' start='0' end='5'>\n"
      "<sphere name='s@@i' mass='1'>\n<dim radius='{i-3}'/></sphere>\n</array>\n"
      "<box name='late' mass='1'/></objects></raisim>");
  EXPECT_EQ(countRemarks(all, Severity::Error, "without a finite extent"), 4);
  expectRemark(all, Severity::Error, 4, "object 's0' has a collision sphere");
  expectRemark(all, Severity::Error, 7, "object 'late'");
}

TEST(WorldBad, UnsetVariables) {
  const Diagnostics all =
      refuse("<raisim>\n<params><a value='{b}'/></params>\n<timeStep value='@@dt'/></raisim>");
  expectRemark(all, Severity::Error, 2, "'b' is not set");
  expectRemark(all, Severity::Error, 3, "'dt' is not set");
}

TEST(WorldBad, RobotsBringTheirOwnRemarks) {
  const TestFolder folder;
  const std::string robot = folder.write("r.urdf",
                                         "<robot name='r'>\n<link name='a'/>\n"
                                         "<link name='b'/></robot>");
  const std::string file =
      folder.write("w.xml",
                   "<raisim><objects>\n<articulated_system name='x' urdf_path='r.urdf'/>\n"
                   "<articulated_system name='y' urdf_path='lost.urdf'/>\n"
                   "<sphere name='z' mass='0'><dim radius='1'/></sphere></objects></raisim>");
  const auto world = loadWorld(file);
  ASSERT_FALSE(world);
  EXPECT_GT(countRemarks(world.diagnostics(), Severity::Error, ""), 3);
  const Diagnostic* root = findRemark(world.diagnostics(), Severity::Error, "root");
  ASSERT_NE(root, nullptr) << world.diagnostics().toString();
  EXPECT_EQ(root->file, std::filesystem::absolute(robot).lexically_normal());
  expectRemark(world.diagnostics(), Severity::Error, 2, "'r.urdf' has errors", file);
  expectRemark(world.diagnostics(), Severity::Error, 3, "'lost.urdf' was not found", file);
  expectRemark(world.diagnostics(), Severity::Error, 4, "the mass of a body that moves", file);
}

TEST(WorldBad, StatesThatDoNotFitTheirRobot) {
  const std::string robot =
      "<robot name='r'><link name='base'><inertial><mass value='1'/>"
      "<inertia ixx='1' iyy='1' izz='1'/></inertial></link></robot>";
  const Diagnostics all = refuseObject("<articulated_system name='r'>" + robot +
                                       "\n<state qpos='0 0 1' qvel='0 0 0 0 0 0 0'/>"
                                       "\n<ignore_collision link1='base' link2='nobody'/>"
                                       "</articulated_system>");
  expectRemark(all, Severity::Error, 4, "<state qpos> has 3 numbers, the robot 'r' needs 7");
  expectRemark(all, Severity::Error, 4, "<state qvel> has 7 numbers, the robot 'r' needs 6");
  expectRemark(all, Severity::Error, 5, "no link 'nobody'");
}

TEST(WorldBad, IncludesThatCannotBe) {
  const TestFolder folder;
  const std::string self = folder.write("self.xml",
                                        "<raisim>\n<include value='[THIS_DIR]/self.xml'/>\n"
                                        "<include value='lost.xml'/></raisim>");
  const auto world = loadWorld(self);
  ASSERT_FALSE(world);
  expectRemark(world.diagnostics(), Severity::Error, 2, "includes itself", self);
  expectRemark(world.diagnostics(), Severity::Error, 3, "'lost.xml' was not found", self);

  const std::string b = folder.write("b.xml", "<raisim>\n\n<gravity/></raisim>");
  const auto outer = loadWorld(
      folder.write("a.xml", "<raisim><include value='b.xml'/><timeStep value='-1'/></raisim>"));
  ASSERT_FALSE(outer);
  expectRemark(outer.diagnostics(), Severity::Error, 3, "<gravity> has no value",
               std::filesystem::absolute(b).lexically_normal());
  expectRemark(outer.diagnostics(), Severity::Error, 1, "time step is -1", folder.path("a.xml"));
}

TEST(WorldBad, NamesThatComeAgain) {
  const auto world =
      loadWorld("<raisim><objects>\n<ground name='a'/>\n<ground name='a'/></objects></raisim>");
  ASSERT_TRUE(world);
  expectRemark(world.diagnostics(), Severity::Warning, 3, "the name 'a' comes again");
}

}  // namespace
}  // namespace espalier::io

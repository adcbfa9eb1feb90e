// Robots that are drawn and never weighed.

#include "espalier/io/urdf/shape_inertias.h"

#include <gtest/gtest.h>

#include "espalier/io/urdf/urdf.h"
#include "espalier/model/model.h"
#include "remarks.h"

namespace espalier::io {
namespace {

std::string robot(const std::string& inLid, const std::string& joint = "revolute") {
  return R"(<robot name="chest"><link name="case"><collision><geometry><box size="1 2 0.5"/></geometry>
</collision></link><link name="hinge"/><link name="lid">)" +
         inLid +
         R"(</link><joint name="slide" type="prismatic"><parent link="case"/><child link="hinge"/>
<limit lower="0" upper="1"/></joint><joint name="turn" type=")" +
         joint +
         R"("><parent link="hinge"/><child link="lid"/><limit lower="0" upper="1"/></joint></robot>)";
}

const std::string cylinder = R"(<collision><origin xyz="0.3 0 0" rpy="1.5707963267948966 0 0"/>
<geometry><cylinder radius="0.1" length="0.4"/></geometry></collision>)";

TEST(ShapeInertias, LinksWeighTheirCollisionShapes) {
  const auto spec = loadRobot(robot(cylinder));
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  expectRemark(spec.diagnostics(), Severity::Warning, 1, "no link of 'chest' has a mass");
  const auto model = compile(*spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  EXPECT_TRUE(model->topology.floating) << "what has mass floats";
  const double pi = 3.14159265358979323846, mass = 1000 * pi * 0.01 * 0.4;
  EXPECT_NEAR(model->authored.bodies[0].mass, 1000, 1e-9);
  EXPECT_NEAR(model->authored.bodies[0].I.xx, 1000 * (4 + 0.25) / 12, 1e-9);
  EXPECT_EQ(model->authored.bodies[1].mass, 0) << "carries the lid and has no shape";
  const AuthoredBody& lid = model->authored.bodies[2];
  EXPECT_NEAR(lid.mass, mass, 1e-9);
  EXPECT_NEAR(lid.com.x, 0.3, 1e-12);
  EXPECT_NEAR(lid.I.yy, mass * 0.01 / 2, 1e-9) << "its axis is y";
  EXPECT_NEAR(lid.I.xx, mass * (0.01 / 4 + 0.16 / 12), 1e-9);
}

TEST(ShapeInertias, MeshesAreTheirHulls) {
  // A box of 0.2 x 0.4 x 0.6 m with a dent in one face.
  const std::string dented = R"(<collision><geometry><mesh>
<vertices value="0 0 0  0.2 0 0  0.2 0.4 0  0 0.4 0  0 0 0.6  0.2 0 0.6  0.2 0.4 0.6  0 0.4 0.6  0.1 0.2 0.3"/>
<triangles value="0 2 1 0 3 2  0 1 5 0 5 4  1 2 6 1 6 5  2 3 7 2 7 6  3 0 4 3 4 7  4 5 8 5 6 8 6 7 8 7 4 8"/>
</mesh></geometry></collision>)";
  const auto spec = loadRobot(robot(dented));
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  ASSERT_TRUE(spec->links[2].inertial);
  EXPECT_NEAR(spec->links[2].inertial->mass, 48, 1e-9);
  EXPECT_NEAR(spec->links[2].inertial->I.zz, 48 * (0.04 + 0.16) / 12, 1e-9);
  EXPECT_NEAR(spec->links[2].inertial->X_LC.p.z, 0.3, 1e-12);
}

TEST(ShapeInertias, OneMassIsAllThatIsNeededToLeaveARobotAsItIs) {
  const auto spec = loadRobot(robot(
      cylinder + R"(<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>)"));
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  EXPECT_FALSE(spec->links[0].inertial);
  EXPECT_EQ(countRemarks(spec.diagnostics(), Severity::Warning, "has a mass"), 0);
}

TEST(ShapeInertias, WhatCannotMoveStaysScenery) {
  const auto spec = loadRobot(
      R"(<robot name="wall"><link name="l"><collision><geometry><box size="1 1 1"/></geometry></collision></link></robot>)");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  EXPECT_FALSE(spec->links[0].inertial);
}

TEST(ShapeInertias, WithoutShapesItIsAnError) {
  const auto spec = loadRobot(
      R"(<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>)");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  const auto model = compile(*spec);
  ASSERT_FALSE(model);
  expectRemark(model.diagnostics(), Severity::Error, 1, "has no inertia along that motion");
}

}  // namespace
}  // namespace espalier::io

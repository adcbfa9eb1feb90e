// What is written reads back as the same, field by field.

#include "espalier/io/export/export.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <random>

#include "espalier/io/spec_difference.h"
#include "espalier/io/text/numbers.h"
#include "espalier/io/text/rotation_text.h"
#include "espalier/io/urdf/urdf.h"
#include "espalier/io/world_xml/world_xml.h"
#include "folder.h"
#include "meshes.h"
#include "remarks.h"
#include "tests/support/source_folder.h"

namespace espalier::io {
namespace {

namespace fs = std::filesystem;

constexpr double rounding = 1e-15;  // of rotations that no file has said

void expectSameAgain(const SystemSpec& spec, double tolerance = 0, bool loadMeshes = true) {
  UrdfOptions options;
  options.loadMeshes = loadMeshes;
  const std::string text = exportUrdf(spec);
  auto again = parseUrdf(text, "<text>", options);
  ASSERT_TRUE(again) << again.diagnostics().toString() << text;
  again->fixedBase = spec.fixedBase;
  again->X_WB = spec.X_WB;
  again->jointOrder = spec.jointOrder;
  again->ignoredPairs = spec.ignoredPairs;
  EXPECT_EQ(difference(spec, *again, tolerance), "") << text;
  EXPECT_EQ(exportUrdf(*again), text) << "and so it stays";
}

void expectSameAgain(const WorldSpec& spec, double tolerance = 0) {
  const std::string text = exportWorldXml(spec);
  const auto again = loadWorld(text);
  ASSERT_TRUE(again) << again.diagnostics().toString() << text;
  EXPECT_EQ(difference(spec, *again, tolerance), "") << text;
}

SystemSpec robotOf(const std::string& text) {
  auto spec = parseUrdf(text);
  EXPECT_TRUE(spec) << spec.diagnostics().toString();
  return spec ? std::move(spec).value() : SystemSpec();
}

/// Every kind of joint, every attribute of our dialect, names that need escapes.
const std::string everything = R"(<robot name="all &amp; &lt;everything&gt;">
  <material name="blue"><color rgba="0.1 0.2 0.7 0.5"/></material>
  <link name="base"><inertial><origin xyz="0.1 0.2 0.3" rpy="0.4 -0.5 0.6"/><mass value="1.1"/>
      <inertia ixx="1" ixy="0.01" ixz="0.02" iyy="1.1" iyz="0.03" izz="1.2"/></inertial>
    <visual name="v &#64;&#64;x"><origin rpy="1.5707963267948966 0 0.1"/>
      <geometry><box size="0.1 0.2 0.30000000000000004"/></geometry><material name="blue"/></visual>
    <collision name="c {1}" collision_group="6" collision_mask="collision[1|63]">
      <origin xyz="1e-300 654321.12345678901 -0.1"/><geometry><capsule radius="0.1" height="0.7"/></geometry>
      <material><contact name="rubber"/></material></collision>
    <collision><geometry><cylinder radius="0.1" length="0.2"/></geometry></collision>
    <collision><geometry><ellipsoid radii="0.1 0.2 0.30000000000000004"/></geometry></collision>
    <collision><geometry><plane/></geometry></collision>
    <collision><geometry><mesh><vertices value="0 0 0 1 0 0 0 2 0 0 0 3"/>
      <triangles value="0 2 1 0 1 3 0 3 2 1 2 3"/></mesh></geometry></collision></link>
  <link name="l1"/><link name="l2"/><link name="l3"/><link name="l4"/><link name="l5"/>
  <link name="l6"/><link name="l7"/><link name="l8"/><link name="l9"/><link name="l10"/>
  <link name="l11"/><joint name="cylindrical" type="cylindrical"><parent link="l10"/>
    <child link="l11"/><axis xyz="0 0.6 0.8"/><limit lower="-0.5" upper="0.25" effort="3"/>
    <dynamics stiffness="5" spring_mount="0.1 -0.2" damping="0.5"/></joint>
  <joint name="revolute" type="revolute"><parent link="base"/><child link="l1"/>
    <origin xyz="0 0 1" rpy="0.3 0.2 0.1"/><axis xyz="0.6 0 0.8"/>
    <limit lower="-1" upper="2.5" effort="30" velocity="7"/>
    <dynamics damping="0.1" friction="0.2" stiffness="3" spring_mount="0.4" rotor_inertia="0.01"/>
    </joint>
  <joint name="continuous" type="continuous"><parent link="l1"/><child link="l2"/>
    <axis xyz="0 1 0"/><limit effort="3" velocity="2"/><mimic joint="revolute" multiplier="-2"
      offset="0.1"/></joint>
  <joint name="prismatic" type="prismatic"><parent link="l2"/><child link="l3"/>
    <limit lower="0" upper="0.5" effort="1e300" velocity="1"/></joint>
  <joint name="free" type="prismatic"><parent link="l3"/><child link="l4"/></joint>
  <joint name="helical" type="screw" pitch="0.01"><parent link="l4"/><child link="l5"/></joint>
  <joint name="universal" type="universal"><parent link="l5"/><child link="l6"/>
    <axis xyz="1 0 0"/><axis2 xyz="0 0 1"/></joint>
  <joint name="euler" type="euler"><parent link="l6"/><child link="l7"/>
    <axis xyz="0 0 1"/><axis2 xyz="0 1 0"/><axis3 xyz="1 0 0"/></joint>
  <joint name="planar" type="planar"><parent link="l7"/><child link="l8"/>
    <axis xyz="0 0 1"/></joint>
  <joint name="spherical" type="spherical"><parent link="l8"/><child link="l9"/>
    <axis xyz="0 1 0"/><limit lower="0" upper="0.7"/>
    <dynamics stiffness="500" damping="3" rotor_inertia="0.0001"
      spring_mount="0.70710678118 0 0.70710678118 0"/></joint>
  <joint name="fixed" type="fixed"><parent link="l9"/><child link="l10"/>
    <origin rpy="0 1.5707963267948966 0"/></joint>
  <transmission name="t"><type>simple</type><joint name="revolute"/>
    <actuator name="motor"><mechanicalReduction>6.5</mechanicalReduction></actuator></transmission>
</robot>)";

TEST(Export, EveryPartOfAUrdf) { expectSameAgain(robotOf(everything)); }

TEST(Export, OwnRobots) {
  for (const auto& entry : fs::recursive_directory_iterator(sourceFolder() + "/models")) {
    if (entry.path().extension() != ".urdf") continue;
    SCOPED_TRACE(entry.path().string());
    const auto spec = loadRobot(entry.path().string());
    if (spec) expectSameAgain(*spec);  // templates need parameters
  }
}

TEST(Export, RealRobots) {
  const fs::path folder = sharedFolder() / "models";
  if (sharedFolder().empty() || !fs::is_directory(folder)) {
    GTEST_SKIP() << "no robots of others here; set ESPALIER_SHARED to a folder with models/";
  }
  int count = 0;
  UrdfOptions options;
  options.loadMeshes = false;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".urdf") continue;
    SCOPED_TRACE(entry.path().string());
    const auto spec = loadRobot(entry.path().string(), options);
    ASSERT_TRUE(spec) << spec.diagnostics().toString();
    expectSameAgain(*spec, 0, false);
    ++count;
  }
  EXPECT_GE(count, 20);
}

TEST(Export, LimitsOfZeroStayNextToNone) {
  SystemSpec spec = robotOf(everything);
  spec.joints[0].limits.effort = 0;
  const auto again = parseUrdf(exportUrdf(spec));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->joints[0].limits.effort, 1e-300);
}

TEST(Export, AUrdfHasNoHeightMaps) {
  SystemSpec spec = robotOf(everything);
  spec.links[0].collisions[0].shape = Heightfield{};
  EXPECT_THROW(exportUrdf(spec), std::invalid_argument);
}

// ---- rotations

double distance(const Mat3d& a, const Mat3d& b) {
  double sum = 0;
  for (const Vec3d& d : {a.r0 - b.r0, a.r1 - b.r1, a.r2 - b.r2}) sum += dot(d, d);
  return std::sqrt(sum);
}

TEST(Export, RotationsThatCameFromTextComeBackBitForBit) {
  constexpr int count = 200;
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> angle(-3.2, 3.2);
  int angles = 0, quats = 0;
  for (int i = 0; i < count; ++i) {
    const Mat3d R = rotationFromRpy({angle(random), angle(random), angle(random)});
    double rpy[3];
    ASSERT_TRUE(parseNumbers(rpyText(R), rpy));
    const Mat3d again = rotationFromRpy({rpy[0], rpy[1], rpy[2]});
    EXPECT_LT(distance(R, again), 2 * rounding);
    angles += isSame(R, again);

    double q[4] = {angle(random), angle(random), angle(random), angle(random)};
    Mat3d A, B;
    ASSERT_TRUE(rotationFromQuat(q, A));
    ASSERT_TRUE(parseNumbers(quatText(A), q));
    ASSERT_TRUE(rotationFromQuat(q, B));
    EXPECT_LT(distance(A, B), 2 * rounding);
    quats += isSame(A, B);
  }
  EXPECT_EQ(angles, count);
  EXPECT_GE(quats, count - 2);
}

TEST(Export, RotationsAreWrittenInFewDigits) {
  EXPECT_EQ(rpyText(rotationFromRpy({0, 1.5708, 0.1})), "0 1.5708 0.1");
  EXPECT_EQ(rpyText(rotationFromRpy({0, 0, 3.14})), "0 0 3.14");
  Mat3d R;
  const double q[4] = {0, 0, 0.6, 0.8};
  ASSERT_TRUE(rotationFromQuat(q, R));
  EXPECT_EQ(quatText(R), "0 0 0.6 0.8");
}

// ---- worlds

WorldSpec richWorld() {
  const auto world = loadWorld(R"(<raisim>
    <material><default friction="0.7" restitution="0.1" restitution_threshold="0.02"/>
      <pair_prop name1="a" name2="b" friction="0.3" restitution="0.2" restitution_threshold="0.1"
        static_friction="0.5" static_friction_velocity_threshold="0.002" rolling_friction="0.01"
        spinning_friction="0.02"/></material>
    <gravity value="0.1 0.2 -9"/><time_step value="0.0025"/><erp erp="0.1" slop="1e-5" max_depenetration_velocity="0.7"/>
    <objects>
      <ground name="floor" height="-0.1" material="a" collision_mask="3"/>
      <heightmap name="hill" x_sample="3" y_sample="2" x_size="1" y_size="2" center_x="5"
        center_z="0.3" quat="0.8 0 0 0.6" height="0 0.1 0.2 0.3 0.4 0.5"/>
      <sphere name="ball" mass="1.5" com="0 0 0.01" material="b" collision_group="2"
        appearance="1 0.5 0.25 0.5"><dim radius="0.1"/>
        <state pos="1 2 3" quat="0.3 0.4 0.5 0.6" lin_vel="1 0 0" ang_vel="0 0 2"/></sphere>
      <box name="crate" mass="2" body_type="kinematic"><dim x="0.1" y="0.2" z="0.3"/>
        <inertia xx="0.02" xy="0.001" xz="0" yy="0.02" yz="0" zz="0.02" quat="0.6 0.8 0 0"/></box>
      <cylinder name="pillar" body_type="static"><dim radius="0.3" height="2"/></cylinder>
      <capsule mass="0.2"><dim radius="0.02" height="0.1"/></capsule>
      <mesh name="tetra" mass="1"><vertices value="0 0 0 1 0 0 0 2 0 0 0 3"/>
        <triangles value="0 2 1 0 1 3 0 3 2 1 2 3"/></mesh>
      <compound name="table" mass="10"><children>
        <box name="top" material="wood" appearance="0.5 0.3 0.1"><dim x="1" y="1" z="0.05"/>
          <state pos="0 0 1"/></box>
        <capsule collision_group="4"><dim radius="0.03" height="0.9"/>
          <state pos="0.4 0.4 0.5" quat="0.9 0.1 0 0"/></capsule></children>
        <state pos="0 3 0"/></compound>
      <compound name="plain" mass="1"><children><sphere><dim radius="0.1"/></sphere></children>
        <visuals><box name="hull" material="m" appearance="0 1 0"><dim x="1" y="1" z="1"/>
          <state pos="0 0 0.1"/></box></visuals></compound>
    </objects></raisim>)");
  EXPECT_TRUE(world) << world.diagnostics().toString();
  return world ? *world : WorldSpec();
}

TEST(Export, EveryPartOfAWorld) {
  const std::string name_with_marks = "ball @@{}";
  auto world = loadWorld("<raisim><objects><ground/></objects></raisim>");
  ASSERT_TRUE(world);
  world->bodies[0].name = name_with_marks;
  expectSameAgain(*world);
}

TEST(Export, Ellipsoids) {
  const auto world = loadWorld(
      "<raisim><objects><ellipsoid name=\"egg\" mass=\"2\"><dim x=\"0.1\" y=\"0.2\" "
      "z=\"0.30000000000000004\"/></ellipsoid></objects></raisim>");
  ASSERT_TRUE(world) << world.diagnostics().toString();
  const BodySpec& egg = world->bodies.at(0);
  EXPECT_EQ(std::get<EllipsoidShape>(egg.collisions.at(0).shape).radii.z, 0.30000000000000004);
  EXPECT_NEAR(egg.inertial.I.xx, 2.0 / 5 * (0.04 + 0.09), 1e-15);
  expectSameAgain(*world);
}

TEST(Export, RobotsByTheirFileOrInFull) {
  const TestFolder folder;
  const std::string path = folder.write("robots/all.urdf", everything);
  const auto plain = loadRobot(path);
  ASSERT_TRUE(plain) << plain.diagnostics().toString();
  WorldSpec world;
  world.systems.push_back({*plain, {}, {}});
  world.systems[0].system.name = "another name";
  EXPECT_NE(exportWorldXml(world).find("urdf_path=\"" + path + "\""), std::string::npos);
  EXPECT_NE(exportWorldXml(world, folder.path("worlds")).find("[THIS_DIR]/../robots/all.urdf"),
            std::string::npos);
  expectSameAgain(world);

  world.systems[0].system.ignoredPairs.push_back({"base", "l2", "for a test"});
  world.systems[0].system.selfCollides = false;
  world.systems[0].system.X_WB = {rotationFromRpy({0.1, 0.2, 0.3}), {1, 2, 3}};
  world.systems[0].system.fixedBase = true;
  expectSameAgain(world, rounding);
  EXPECT_NE(exportWorldXml(world).find("urdf_path"), std::string::npos);

  for (LinkSpec& link : world.systems[0].system.links) {
    for (CollisionSpec& c : link.collisions) c.group = c.mask = 12;
  }
  EXPECT_NE(exportWorldXml(world).find("collision_group=\"12\""), std::string::npos);
  expectSameAgain(world, rounding);

  world.systems[0].system.links[0].inertial->mass = 2;  // edited: its file is no longer true
  EXPECT_EQ(exportWorldXml(world).find("urdf_path"), std::string::npos);
  expectSameAgain(world, rounding);
}

TEST(Export, RobotsWithStateAndOrder) {
  WorldSpec world;
  SystemSpec spec = robotOf(
      "<robot name='r'><link name='base'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1'/></inertial></link><link name='a'/><link name='b'/>"
      "<joint name='j' type='continuous'><parent link='base'/><child link='a'/></joint>"
      "<joint name='k' type='continuous'><parent link='base'/><child link='b'/></joint></robot>");
  spec.jointOrder = {"k", "j"};
  world.systems.push_back(
      {spec, {0.1, 1.0 / 3, -2, 1, 0, 0, 0, 0.1, 0.2}, {1, 2, 3, 4, 5, 6, 7, 1e-17}});
  expectSameAgain(world);
}

TEST(Export, SavedWorldsMoveWithTheirFolder) {
  const TestFolder folder;
  folder.write("one/robots/all.urdf", everything);
  folder.write("one/meshes/tetra.obj", tetrahedron_obj);
  const auto world = loadWorld(folder.write("one/worlds/w.xml", R"(<raisim><objects>
    <articulated_system name="a" urdf_path="[THIS_DIR]/../robots/all.urdf"/>
    <mesh name="m" mass="1" file_name="[THIS_DIR]/../meshes/tetra.obj" scale="2 3 4"/>
    </objects></raisim>)"));
  ASSERT_TRUE(world) << world.diagnostics().toString();
  const std::string saved = folder.path("one/worlds/saved.xml");
  ASSERT_TRUE(saveWorld(*world, saved).all().empty());
  const auto again = loadWorld(saved);
  ASSERT_TRUE(again) << again.diagnostics().toString();
  EXPECT_EQ(difference(*world, *again), "");
  fs::rename(folder.path("one"), folder.path("two"));
  const auto moved = loadWorld(folder.path("two/worlds/saved.xml"));
  ASSERT_TRUE(moved) << moved.diagnostics().toString();
  EXPECT_EQ(moved->systems.size(), 1u);
  EXPECT_DOUBLE_EQ(volume(moved->bodies[0].collisions[0].shape), 24);
}

TEST(Export, UnwritableFeaturesAreReported) {
  const Diagnostics all = saveWorld(WorldSpec(), "/no/such/folder/w.xml");
  expectRemark(all, Severity::Error, 0, "cannot be written", "/no/such/folder/w.xml");
}

/// Bodies that no file describes: rotations of any origin, terrain that moves, nothing at all.
TEST(Export, BodiesMadeByHand) {
  WorldSpec world;
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  const auto pose = [&]() -> Transformd {
    return {rotation(expQuat(Vec3d{normal(random), normal(random), normal(random)})),
            {normal(random), normal(random), normal(random)}};
  };
  for (int i = 0; i < 20; ++i) {
    BodySpec body;
    body.type = static_cast<BodyType>(i % 3);
    body.inertial = {1.0 + i, pose(), {1, 0.1, 0.2, 1.1, 0.3, 1.2}};
    body.X_WB = pose();
    for (int k = 0; k < i % 4; ++k) {
      CollisionSpec c;
      c.shape = k == 0 ? Shape(BoxShape{{0.1, 0.2, 0.3}}) : Shape(Plane{});
      if (i % 2 == 0) c.X_LG = pose();
      body.collisions.push_back(c);
    }
    body.velocity = {normal(random), 0, 0};
    world.bodies.push_back(body);
  }
  expectSameAgain(world, 4 * rounding);
}

TEST(Export, RichWorld) { expectSameAgain(richWorld()); }

}  // namespace
}  // namespace espalier::io

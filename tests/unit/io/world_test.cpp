// Worlds from text: every element and attribute ends up where it belongs.

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/io/world_xml/world_xml.h"
#include "folder.h"
#include "meshes.h"
#include "remarks.h"

namespace espalier::io {
namespace {

const std::string pendulum =
    "<robot name='pendulum'><link name='world'/>"
    "<link name='rod'><inertial><mass value='1'/><inertia ixx='0.1' iyy='0.1' izz='0.1'/>"
    "</inertial><collision><geometry><sphere radius='@@r'/></geometry></collision></link>"
    "<joint name='hinge' type='continuous'><parent link='world'/><child link='rod'/>"
    "<axis xyz='0 1 0'/></joint></robot>";

WorldSpec load(const std::string& text, const WorldOptions& options = {}) {
  auto world = loadWorld(text, options);
  EXPECT_TRUE(world) << world.diagnostics().toString();
  return world ? std::move(world).value() : WorldSpec();
}

/// Loaded, and not a word was said.
WorldSpec loadQuietly(const std::string& text, const WorldOptions& options = {}) {
  auto world = loadWorld(text, options);
  EXPECT_TRUE(world) << world.diagnostics().toString();
  EXPECT_TRUE(world.diagnostics().all().empty()) << world.diagnostics().toString();
  return world ? std::move(world).value() : WorldSpec();
}

BodySpec loadOne(const std::string& object) {
  const WorldSpec world = loadQuietly("<raisim><objects>" + object + "</objects></raisim>");
  EXPECT_EQ(world.bodies.size(), 1u);
  return world.bodies.empty() ? BodySpec() : world.bodies[0];
}

void expectVec(const Vec3d& v, double x, double y, double z) {
  EXPECT_EQ(v.x, x);
  EXPECT_EQ(v.y, y);
  EXPECT_EQ(v.z, z);
}

TEST(WorldFile, SettingsAndTheirDefaults) {
  const WorldSpec plain = loadQuietly("<raisim version=\"1.1\"/>");
  EXPECT_EQ(plain.timeStep, 0.005);
  expectVec(plain.gravity, 0, 0, -9.81);
  const WorldSpec world = loadQuietly(
      "<espalier><gravity value='0, 0, -1.62'/><timeStep value='0.002'/>"
      "<erp erp='0.3' slop='1e-4' max_depenetration_velocity='0.7'/></espalier>");
  EXPECT_EQ(world.timeStep, 0.002);
  expectVec(world.gravity, 0, 0, -1.62);
  EXPECT_EQ(world.erp, 0.3);
  EXPECT_EQ(world.slop, 1e-4);
  EXPECT_EQ(world.maxDepenetrationVelocity, 0.7);
  EXPECT_EQ(plain.maxDepenetrationVelocity, 3);
  for (const char* tag : {"time_step", "timeStep", "timestep"}) {
    EXPECT_EQ(loadQuietly("<raisim><" + std::string(tag) + " value='0.001'/></raisim>").timeStep,
              0.001);
  }
}

TEST(WorldFile, Materials) {
  const WorldSpec world = loadQuietly(R"(<raisim><material>
    <default friction="0.6" restitution="0.1" restitution_threshold="0.02"/>
    <pair_prop name1="ice" name2="steel" friction="0.02" restitution="0" restitution_threshold="0"
      static_friction="0.05" static_friction_velocity_threshold="0.001" rolling_friction="0.003"
      spinning_friction="0.004"/>
    <pair_prop name1="a" name2="b" friction="1"/></material></raisim>)");
  EXPECT_EQ(world.defaultMaterial.friction, 0.6);
  EXPECT_EQ(world.defaultMaterial.restitution, 0.1);
  EXPECT_EQ(world.defaultMaterial.restitutionThreshold, 0.02);
  ASSERT_EQ(world.materials.size(), 2u);
  const MaterialPairSpec& ice = world.materials[0];
  EXPECT_EQ(ice.first, "ice");
  EXPECT_EQ(ice.second, "steel");
  EXPECT_EQ(ice.friction, 0.02);
  EXPECT_EQ(ice.staticFriction, 0.05);
  EXPECT_EQ(ice.staticVelocity, 0.001);
  EXPECT_EQ(ice.rollingFriction, 0.003);
  EXPECT_EQ(ice.spinningFriction, 0.004);
  EXPECT_EQ(ice.line, 3);
  EXPECT_LT(world.materials[1].staticFriction, 0) << "as friction";
}

TEST(WorldFile, SphereWithEverything) {
  const BodySpec ball = loadOne(
      "<sphere name='ball' mass='2' com='0.01 0 0' material='steel' collision_group='2' "
      "collision_mask='collision[1|4|6]' body_type='kinematic' appearance='0.5, 0.25, 0.125'>"
      "<dim radius='0.3'/><inertia xx='0.1' xy='0.01' xz='0' yy='0.1' yz='0' zz='0.1'/>"
      "<state pos='1 2 3' quat='0 0 0 2' lin_vel='4 5 6' ang_vel='7,8,9'/></sphere>");
  EXPECT_EQ(ball.name, "ball");
  EXPECT_EQ(ball.type, BodyType::KINEMATIC);
  ASSERT_EQ(ball.collisions.size(), 1u);
  const CollisionSpec& c = ball.collisions[0];
  EXPECT_EQ(std::get<SphereShape>(c.shape).radius, 0.3);
  EXPECT_EQ(c.material, "steel");
  EXPECT_EQ(c.group, 2u);
  EXPECT_EQ(c.mask, (1u << 1) | (1u << 4) | (1u << 6));
  EXPECT_EQ(ball.inertial.mass, 2);
  expectVec(ball.inertial.X_LC.p, 0.01, 0, 0);
  EXPECT_EQ(ball.inertial.I.xx, 0.1);
  EXPECT_EQ(ball.inertial.I.xy, 0.01);
  expectVec(ball.X_WB.p, 1, 2, 3);
  expectVec(ball.X_WB.R.r0, -1, 0, 0);
  expectVec(ball.velocity, 4, 5, 6);
  expectVec(ball.angularVelocity, 7, 8, 9);
  ASSERT_EQ(ball.visuals.size(), 1u);
  EXPECT_EQ(ball.visuals[0].rgba, (std::array<double, 4>{0.5, 0.25, 0.125, 1}));
}

TEST(WorldFile, CamelCaseIsTheSame) {
  const BodySpec ball = loadOne(
      "<sphere name='b' mass='1' collisionGroup='4' collisionMask='-1' bodyType='kinematic'>"
      "<dim radius='0.5'/><state pos='0 0 5' linVel='1 0 0' angVel='0 2 0'/></sphere>");
  EXPECT_EQ(ball.collisions[0].group, 4u);
  EXPECT_EQ(ball.collisions[0].mask, ~std::uint64_t{0});
  EXPECT_EQ(ball.type, BodyType::KINEMATIC);
  expectVec(ball.velocity, 1, 0, 0);
  expectVec(ball.angularVelocity, 0, 2, 0);
}

TEST(WorldFile, ShapesHaveTheirSizesAndEvenInertia) {
  const BodySpec box =
      loadOne("<box name='b' mass='12'><dim x='1' y='2' z='3'/><state pos='0 0 1'/></box>");
  expectVec(std::get<BoxShape>(box.collisions[0].shape).size, 1, 2, 3);
  EXPECT_DOUBLE_EQ(box.inertial.I.xx, 4 + 9);
  EXPECT_DOUBLE_EQ(box.inertial.I.yy, 1 + 9);
  EXPECT_DOUBLE_EQ(box.inertial.I.zz, 1 + 4);
  const BodySpec can =
      loadOne("<cylinder name='c' mass='2'><dim radius='0.5' height='2'/></cylinder>");
  EXPECT_EQ(std::get<CylinderShape>(can.collisions[0].shape).height, 2);
  EXPECT_DOUBLE_EQ(can.inertial.I.zz, 0.25);
  const BodySpec pill =
      loadOne("<capsule name='p' mass='2'><dim radius='0.5' height='2'/></capsule>");
  EXPECT_EQ(std::get<CapsuleShape>(pill.collisions[0].shape).height, 2);
}

TEST(WorldFile, CompoundOfShapes) {
  const BodySpec body = loadOne(
      "<compound name='dumbbell' mass='2' collision_mask='7'><children>"
      "<box material='steel' appearance='red'><dim x='1' y='1' z='1'/><state pos='2 0 0'/></box>"
      "<box name='other' collision_group='8'><dim x='1' y='1' z='1'/>"
      "<state pos='-2 0 0' quat='0.5 0.5 0.5 0.5'/></box></children>"
      "<state pos='0 0 10'/></compound>");
  ASSERT_EQ(body.collisions.size(), 2u);
  EXPECT_EQ(body.collisions[0].material, "steel");
  EXPECT_EQ(body.collisions[0].mask, 7u);
  EXPECT_EQ(body.collisions[1].group, 8u);
  EXPECT_EQ(body.collisions[1].name, "other");
  expectVec(body.collisions[0].X_LG.p, 2, 0, 0);
  expectVec(body.collisions[1].X_LG.R.r0, 0, 0, 1);
  ASSERT_EQ(body.visuals.size(), 2u);
  EXPECT_GT(body.visuals[0].rgba[0], body.visuals[0].rgba[1]);
  // Two cubes of 1 kg, each 2 m away: I = 2 (1/6 + 4) across, 2/6 along.
  expectVec(body.inertial.X_LC.p, 0, 0, 0);
  EXPECT_DOUBLE_EQ(body.inertial.I.xx, 1.0 / 3);
  EXPECT_DOUBLE_EQ(body.inertial.I.yy, 1.0 / 3 + 8);
}

TEST(WorldFile, GroundAndItsHeight) {
  const BodySpec ground = loadOne("<ground name='g' height='-0.5' material='grass'/>");
  EXPECT_EQ(ground.type, BodyType::STATIC);
  EXPECT_TRUE(std::holds_alternative<Plane>(ground.collisions[0].shape));
  EXPECT_EQ(ground.collisions[0].material, "grass");
  EXPECT_EQ(ground.collisions[0].group, std::uint64_t{1} << 63);
  expectVec(ground.X_WB.p, 0, 0, -0.5);
  expectVec(loadOne("<ground name='g'><dim height='2'/><state/></ground>").X_WB.p, 0, 0, 2);
}

TEST(WorldFile, MeshFromAFile) {
  const TestFolder folder;
  folder.write("tetra.obj", tetrahedron_obj);
  const std::string file = folder.write(
      "world.xml",
      "<raisim><objects><mesh name='m' mass='1' file_name='[THIS_DIR]/tetra.obj' scale='2 2 2'/>"
      "<mesh name='n' mass='1' fileName='tetra.obj' scale='2'/></objects></raisim>");
  const WorldSpec world = loadQuietly(file);
  ASSERT_EQ(world.bodies.size(), 2u);
  for (const BodySpec& body : world.bodies) {
    const MeshShape& mesh = std::get<MeshShape>(body.collisions[0].shape);
    ASSERT_NE(mesh.data, nullptr);
    EXPECT_DOUBLE_EQ(volume(mesh), 8);
    expectVec(body.collisions[0].meshScale, 2, 2, 2);
    EXPECT_NEAR(body.inertial.X_LC.p.y, 1, 1e-15) << "a quarter of 4 m";
  }
}

TEST(WorldFile, MeshFromTheTextItself) {
  const BodySpec body = loadOne(
      "<mesh name='m' mass='1'><vertices value='0 0 0  1 0 0  0 2 0  0 0 3'/>"
      "<triangles value='0 2 1  0 1 3  0 3 2  1 2 3'/></mesh>");
  EXPECT_DOUBLE_EQ(volume(body.collisions[0].shape), 1);
}

TEST(WorldFile, RobotWithParametersAndState) {
  const TestFolder folder;
  folder.write("robots/pendulum.urdf", pendulum);
  const std::string file = folder.write("worlds/world.xml", R"(<raisim>
    <params><radius value="0.2"/></params>
    <objects>
      <articulatedSystem name="left" urdfPath="[THIS_DIR]/../robots/pendulum.urdf" collisionGroup="2">
        <params><r value="@@radius"/></params>
        <state qpos="0.5" qvel="-1" pos="0 1 2"/>
      </articulatedSystem>
      <articulated_system name="right" urdf_path="robots/pendulum.urdf" joint_order="hinge">
        <params><r value="{radius/2}"/></params>
      </articulated_system>
    </objects></raisim>)");
  const WorldSpec world = loadQuietly(file);
  ASSERT_EQ(world.systems.size(), 2u);
  const PlacedSystemSpec& left = world.systems[0];
  EXPECT_EQ(left.system.name, "left");
  EXPECT_EQ(left.q, std::vector<double>{0.5});
  EXPECT_EQ(left.u, std::vector<double>{-1});
  expectVec(left.system.X_WB.p, 0, 1, 2);
  EXPECT_EQ(left.system.links[1].collisions[0].group, 2u);
  EXPECT_EQ(std::get<SphereShape>(left.system.links[1].collisions[0].shape).radius, 0.2);
  EXPECT_EQ(world.systems[1].system.jointOrder, std::vector<std::string>{"hinge"});
  EXPECT_EQ(std::get<SphereShape>(world.systems[1].system.links[1].collisions[0].shape).radius,
            0.1);
  EXPECT_TRUE(world.systems[1].q.empty());
}

TEST(WorldFile, RobotInTheWorldItself) {
  const WorldSpec world = loadQuietly(
      "<espalier><objects><articulated_system name='p' fixed_base='true'><robot name='r'>"
      "<link name='base'/><link name='a'><inertial><mass value='1'/>"
      "<inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
      "<joint name='j' type='continuous'><parent link='base'/><child link='a'/></joint></robot>"
      "<ignore_collision link1='base' link2='a'/></articulated_system></objects></espalier>");
  ASSERT_EQ(world.systems.size(), 1u);
  const SystemSpec& robot = world.systems[0].system;
  EXPECT_EQ(robot.name, "p");
  EXPECT_EQ(robot.links.size(), 2u);
  EXPECT_TRUE(robot.fixedBase);
  ASSERT_EQ(robot.ignoredPairs.size(), 1u);
  EXPECT_EQ(robot.ignoredPairs[0].second, "a");
}

TEST(WorldFile, ClassesGiveMissingAttributes) {
  const WorldSpec world = loadQuietly(R"(<raisim>
    <object_class>
      <ball type="sphere" mass="0.5" material="rubber"><dimension radius="0.2"/></ball>
      <pair type="compound" mass="2"><children>
        <sphere object_param="0.1" pos="0 0 1"/><box object_param="1 2 3" pos="0 0 -1" quat="1 0 0 0"/>
      </children></pair>
    </object_class>
    <objects>
      <ball name="one"><state pos="1 0 0"/></ball>
      <ball name="two" mass="3"/>
      <pair name="three"/>
    </objects></raisim>)");
  ASSERT_EQ(world.bodies.size(), 3u);
  EXPECT_EQ(world.bodies[0].inertial.mass, 0.5);
  EXPECT_EQ(world.bodies[1].inertial.mass, 3);
  EXPECT_EQ(std::get<SphereShape>(world.bodies[1].collisions[0].shape).radius, 0.2);
  EXPECT_EQ(world.bodies[0].collisions[0].material, "rubber");
  expectVec(world.bodies[0].X_WB.p, 1, 0, 0);
  ASSERT_EQ(world.bodies[2].collisions.size(), 2u);
  EXPECT_EQ(std::get<SphereShape>(world.bodies[2].collisions[0].shape).radius, 0.1);
  expectVec(world.bodies[2].collisions[1].X_LG.p, 0, 0, -1);
}

TEST(WorldFile, TemplatesArraysAndExist) {
  WorldOptions options;
  options.parameters = {{"count", "3"}, {"wanted", "false"}};
  const WorldSpec world = loadQuietly(R"(<raisim>
    <params><step value="0.5"/><twice value="{2*@@step}"/></params>
    <objects>
      <array idx="@@i" start="1" end="@@count" increment="1">
        <sphere name="ball@@i" mass="1"><dim radius="{0.1*@@i}"/><state pos="{i*step} 0 @@twice"/></sphere>
        <box name="box@@i" mass="1" exist="@@wanted"><dim x="1" y="1" z="1"/></box>
      </array>
    </objects></raisim>)",
                                      options);
  ASSERT_EQ(world.bodies.size(), 3u);
  EXPECT_EQ(world.bodies[2].name, "ball3");
  EXPECT_DOUBLE_EQ(std::get<SphereShape>(world.bodies[2].collisions[0].shape).radius, 0.3);
  expectVec(world.bodies[2].X_WB.p, 1.5, 0, 1);
  EXPECT_EQ(world.bodies[2].line, 5);
}

TEST(WorldFile, IncludesComeFirstAndHaveTheGivenValues) {
  const TestFolder folder;
  folder.write("parts/floor.xml",
               "<raisim><timeStep value='0.1'/><objects><ground name='floor' height='@@h'/>"
               "</objects></raisim>");
  const std::string file = folder.write(
      "world.xml",
      "<raisim><timeStep value='0.2'/><objects><sphere name='s' mass='1'><dim radius='1'/>"
      "</sphere></objects><include value='[THIS_DIR]/parts/floor.xml'/>"
      "<include value='nowhere.xml' exist='false'/></raisim>");
  WorldOptions options;
  options.parameters["h"] = "0.25";
  const WorldSpec world = loadQuietly(file, options);
  ASSERT_EQ(world.bodies.size(), 2u);
  EXPECT_EQ(world.bodies[0].name, "floor");
  EXPECT_EQ(world.bodies[0].X_WB.p.z, 0.25);
  EXPECT_EQ(world.timeStep, 0.2);
  EXPECT_EQ(world.file, file);
}

TEST(WorldFile, OwnParametersWinAndSaySo) {
  WorldOptions options;
  options.parameters["h"] = "2";
  const auto world = loadWorld(
      "<raisim>\n<params><h value='1'/></params>\n<objects><ground "
      "height='@@h'/></objects></raisim>",
      options);
  ASSERT_TRUE(world) << world.diagnostics().toString();
  EXPECT_EQ(world->bodies[0].X_WB.p.z, 1);
  expectRemark(world.diagnostics(), Severity::Warning, 2, "'h' is given as '2'");
}

TEST(WorldFile, IgnoredElementsAreReported) {
  const auto world = loadWorld(
      "<raisim>\n<wire name='w' type='stiff'/>\n<wire/>\n<camera follow='a'/>\n"
      "<objects><granular name='g'/></objects></raisim>");
  ASSERT_TRUE(world) << world.diagnostics().toString();
  expectRemark(world.diagnostics(), Severity::Warning, 2, "<wire> is read, not simulated");
  expectRemark(world.diagnostics(), Severity::Warning, 4, "<camera> is read, not simulated");
  expectRemark(world.diagnostics(), Severity::Warning, 5, "<granular> is read, not simulated");
  EXPECT_EQ(world.diagnostics().count(Severity::Warning), 3) << "each kind once";
}

TEST(WorldFile, IsToldFromARobot) {
  EXPECT_TRUE(isWorld("<raisim version='1'/>"));
  EXPECT_TRUE(isWorld("<?xml version='1.0'?><!-- x --><espalier/>"));
  EXPECT_FALSE(isWorld("<robot name='r'/>"));
  EXPECT_FALSE(isWorld("there/is/no/such.file"));
}

TEST(WorldFile, ReadsNumbersWithoutAskingTheLocale) {
  const CommaLocale comma;
  EXPECT_EQ(load("<raisim><timeStep value='0.0025'/></raisim>").timeStep, 0.0025);
}

}  // namespace
}  // namespace espalier::io

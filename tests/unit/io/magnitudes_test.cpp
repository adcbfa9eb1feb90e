// Absurd magnitudes in files: refused, with the bound that is exceeded, unless an option lifts it.

#include <gtest/gtest.h>

#include "espalier/io/mjcf/mjcf.h"
#include "espalier/io/sdf/sdf.h"
#include "espalier/io/urdf/urdf.h"
#include "espalier/io/world_xml/world_xml.h"
#include "espalier/model/compile/compile_cache.h"
#include "espalier/model/spec/check_magnitudes.h"
#include "folder.h"
#include "meshes.h"
#include "remarks.h"

namespace espalier::io {
namespace {

std::string robotAt(const std::string& origin, const std::string& mass = "1",
                    const std::string& radius = "0.1", const std::string& more = "") {
  return "<robot name=\"r\"><link name=\"world\"/>\n<link name=\"a\"><inertial><mass value=\"" +
         mass +
         "\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>"
         "<collision><geometry><sphere radius=\"" +
         radius +
         "\"/></geometry></collision></link>\n"
         "<joint name=\"j\" type=\"continuous\"><parent link=\"world\"/><child link=\"a\"/>"
         "<origin xyz=\"" +
         origin + "\"/>" + more + "</joint></robot>";
}

void expectRefused(const std::string& text, int line, const std::string& what) {
  const auto spec = parseUrdf(text);
  ASSERT_FALSE(spec) << text;
  expectRemark(spec.diagnostics(), Severity::Error, line, what);
  UrdfOptions lifted;
  lifted.unbounded = true;
  const auto anyway = parseUrdf(text, "<text>", lifted);
  ASSERT_TRUE(anyway) << anyway.diagnostics().toString();
  EXPECT_TRUE(anyway->unbounded);
}

TEST(Magnitudes, OfRobotsAreBounded) {
  EXPECT_TRUE(parseUrdf(robotAt("1e6 -1e6 0", "1e9")));
  expectRefused(robotAt("1e308 0 0"), 3,
                "joint 'j' has an origin with a coordinate of 1e+308 m, more than 1e+06 m");
  expectRefused(robotAt("0 -2e6 0"), 3, "of 2e+06 m, more than 1e+06 m");
  expectRefused(robotAt("0 0 0", "2e9"), 2, "link 'a' has a mass of 2e+09 kg, more than 1e+09 kg");
  expectRefused(robotAt("0 0 0", "1", "2e6"), 2, "a collision sphere with a radius of 2e+06 m");
  expectRefused(robotAt("0 0 0", "1", "1", "<dynamics rotor_inertia=\"1e22\"/>"), 3,
                "a rotor_inertia of 1e+22 kg m^2");
  expectRefused(robotAt("0 0 0", "1", "1", "<dynamics stiffness=\"1\" spring_mount=\"1e7\"/>"), 3,
                "a spring_mount of 1e+07");
}

TEST(Magnitudes, LimitsThatMeanNoneAreLeftAlone) {
  EXPECT_TRUE(parseUrdf(robotAt("0 0 0", "1", "1",
                                "<limit lower=\"-1e16\" upper=\"1e16\" effort=\"1e30\" "
                                "velocity=\"1e30\"/>")));
}

TEST(Magnitudes, OfMeshesAreThoseOfTheirScale) {
  const TestFolder folder;
  const std::string file = folder.write("t.obj", tetrahedron_obj);
  const auto mesh = [&](const std::string& scale, const std::string& use = "collision") {
    return parseUrdf("<robot name=\"r\">\n<link name=\"a\"><" + use +
                     "><geometry><mesh filename=\"" + file + "\" scale=\"" + scale +
                     "\"/></geometry></" + use + "></link></robot>");
  };
  EXPECT_TRUE(mesh("0.001 0.001 0.001"));
  const auto tiny = mesh("1e-100 1e-100 1e-100");
  ASSERT_FALSE(tiny);
  expectRemark(tiny.diagnostics(), Severity::Error, 2,
               "a collision mesh of 3e-100 m, less than 1e-09 m");
  const auto huge = mesh("1e100 1 1");
  ASSERT_FALSE(huge);
  expectRemark(huge.diagnostics(), Severity::Error, 2,
               "a collision mesh with a coordinate of 1e+100 m");
  EXPECT_FALSE(mesh("1e308 1e308 1e308")) << "not finite";
  EXPECT_TRUE(mesh("1e-100 1e-100 1e-100", "visual")) << "nothing collides with it";
}

TEST(Magnitudes, OfWorldsAreBounded) {
  const auto ball = [](const std::string& state, const std::string& mass = "1") {
    return "<raisim><objects>\n<sphere name=\"b\" mass=\"" + mass +
           "\"><dim radius=\"0.1\"/><state " + state + "/></sphere></objects></raisim>";
  };
  EXPECT_TRUE(loadWorld(ball("pos=\"1e6 0 0\" lin_vel=\"1e6 0 0\"")));
  const std::pair<std::string, std::string> bad[] = {
      {ball("pos=\"0 1e300 0\""), "object 'b' has a pose with a coordinate of 1e+300 m"},
      {ball("ang_vel=\"2e6 0 0\""), "an angular velocity of 2e+06 rad/s, more than 1e+06 rad/s"},
      {ball("lin_vel=\"0 0 -2e6\""), "a velocity of 2e+06 m/s"},
      {ball("pos=\"0 0 0\"", "1e12"), "a mass of 1e+12 kg"}};
  WorldOptions lifted;
  lifted.unbounded = true;
  for (const auto& [text, what] : bad) {
    const auto world = loadWorld(text);
    ASSERT_FALSE(world) << text;
    expectRemark(world.diagnostics(), Severity::Error, 2, what);
    EXPECT_EQ(world.diagnostics().count(Severity::Error), 1) << "said once";
    EXPECT_TRUE(loadWorld(text, lifted));
  }
  const auto gravity = loadWorld("<raisim><gravity value=\"0 0 -1e9\"/></raisim>");
  ASSERT_FALSE(gravity);
  expectRemark(gravity.diagnostics(), Severity::Error, 0, "a gravity of 1e+09 m/s^2");
}

TEST(Magnitudes, OfIncludedWorldsAreToldWithTheirFile) {
  const TestFolder folder;
  const std::string part = folder.write(
      "part.xml",
      "<raisim><objects>\n\n<sphere mass=\"1\"><dim radius=\"2e6\"/></sphere></objects></raisim>");
  const auto world =
      loadWorld(folder.write("w.xml", "<raisim><include value=\"[THIS_DIR]/part.xml\"/></raisim>"));
  ASSERT_FALSE(world);
  expectRemark(world.diagnostics(), Severity::Error, 3, "a radius of 2e+06 m", part);
}

TEST(Magnitudes, OfInitialStatesAreBounded) {
  const TestFolder folder;
  folder.write("r.urdf", robotAt("0 0 0"));
  const auto world = [&](const std::string& state) {
    return loadWorld(folder.write(
        "w.xml",
        "<raisim><objects><articulated_system name=\"arm\" urdf_path=\"[THIS_DIR]/r.urdf\">"
        "<state " +
            state + "/></articulated_system></objects></raisim>"));
  };
  EXPECT_TRUE(world("qpos=\"1\" qvel=\"1e6\""));
  const auto fast = world("qpos=\"1\" qvel=\"2e6\"");
  ASSERT_FALSE(fast);
  EXPECT_NE(findRemark(fast.diagnostics(), Severity::Error,
                       "state of 'arm': u[0] is 2e+06, more than 1e+06 m/s or rad/s"),
            nullptr)
      << fast.diagnostics().toString();
  EXPECT_FALSE(world("qpos=\"-1e7\" qvel=\"0\""));
  const auto far = world("pos=\"0 0 1e8\"");
  ASSERT_FALSE(far);
  EXPECT_NE(findRemark(far.diagnostics(), Severity::Error, "system 'arm' has a pose"), nullptr);
  const double q[] = {0, 1e300}, u[] = {0, -3e6};
  EXPECT_EQ(excessOf(q, u), "q[1] is 1e+300, more than 1e+06 m or rad");
  EXPECT_EQ(excessOf({q, 1}, {u, 1}), "");
}

TEST(Magnitudes, OfMujocosAndGazebosFilesAreBounded) {
  const std::string mjcf =
      "<mujoco><worldbody>\n<body name=\"b\" pos=\"0 0 2e6\"><freejoint/><geom size=\"1\"/></body>"
      "<geom name=\"far\" pos=\"1e7 0 0\" size=\"1\"/></worldbody></mujoco>";
  const auto world = parseMjcfWorld(mjcf, "<text>");
  ASSERT_FALSE(world);
  EXPECT_NE(findRemark(world.diagnostics(), Severity::Error, "more than 1e+06 m"), nullptr)
      << world.diagnostics().toString();
  MjcfOptions mujoco;
  mujoco.unbounded = true;
  EXPECT_TRUE(parseMjcfWorld(mjcf, "<text>", mujoco));
  const std::string sdf =
      "<sdf version=\"1.7\"><world name=\"w\"><model name=\"m\">\n<pose>0 0 1e9 0 0 0</pose>"
      "<link name=\"a\"><inertial><mass>1</mass></inertial></link></model></world></sdf>";
  EXPECT_FALSE(parseSdfWorld(sdf, "<text>"));
  EXPECT_FALSE(parseSdfRobot(sdf, "<text>"));
  SdfOptions gazebo;
  gazebo.unbounded = true;
  EXPECT_TRUE(parseSdfWorld(sdf, "<text>", gazebo));
  EXPECT_TRUE(parseSdfRobot(sdf, "<text>", gazebo));
}

TEST(Magnitudes, OfSpecsAreBoundedWhenTheyAreCompiled) {
  SystemSpec spec;
  spec.fixedBase = true;
  spec.links.resize(1);
  spec.links[0].name = "base";
  spec.links[0].inertial = InertialSpec{1e10, identityTransform<double>(), {1, 0, 0, 1, 0, 1}};
  EXPECT_FALSE(compile(spec));
  EXPECT_FALSE(CompileCache::ofProcess().compile(spec));
  spec.unbounded = true;
  const auto lifted = CompileCache::ofProcess().compile(spec);
  EXPECT_TRUE(lifted);
  spec.unbounded = false;
  EXPECT_FALSE(CompileCache::ofProcess().compile(spec)) << "not the model of the unbounded one";
}

}  // namespace
}  // namespace espalier::io

// What a good URDF becomes, tag by tag.

#include "espalier/io/urdf/urdf.h"

#include <gtest/gtest.h>

#include <cmath>

#include "remarks.h"

namespace espalier::io {
namespace {

SystemSpec read(const std::string& body, const UrdfOptions& options = {}) {
  auto result = parseUrdf("<robot name=\"r\">" + body + "</robot>", "<text>", options);
  EXPECT_TRUE(result) << result.diagnostics().toString();
  return result ? std::move(result).value() : SystemSpec{};
}

/// Two links and a joint between them.
SystemSpec readJoint(const std::string& type, const std::string& tags) {
  return read("<link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"" + type +
              "\"><parent link=\"a\"/><child link=\"b\"/>" + tags + "</joint>");
}

void expectNear(const Vec3d& v, double x, double y, double z) {
  EXPECT_NEAR(v.x, x, 1e-15);
  EXPECT_NEAR(v.y, y, 1e-15);
  EXPECT_NEAR(v.z, z, 1e-15);
}

TEST(Urdf, AJointMayHangOnAWorldThatIsNotWritten) {
  const auto spec = parseUrdf(
      "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
      "iyy=\"1\" "
      "izz=\"1\"/></inertial></link>\n<joint name=\"j\" type=\"continuous\"><parent "
      "link=\"world\"/><child "
      "link=\"a\"/></joint></robot>");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  expectRemark(spec.diagnostics(), Severity::Note, 2, "joint 'j' hangs on the world");
  const auto model = compile(*spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  EXPECT_FALSE(model->topology.floating);
  EXPECT_EQ(model->nv(), 1);
}

TEST(Urdf, NamesAndTree) {
  const SystemSpec spec = readJoint("revolute", "<limit lower=\"-1\" upper=\"1\"/>");
  EXPECT_EQ(spec.name, "r");
  EXPECT_EQ(spec.file, "<text>");
  ASSERT_EQ(spec.links.size(), 2u);
  EXPECT_EQ(spec.links[1].name, "b");
  EXPECT_FALSE(spec.links[1].inertial);
  ASSERT_EQ(spec.joints.size(), 1u);
  EXPECT_EQ(spec.joints[0].parent, "a");
  EXPECT_EQ(spec.joints[0].child, "b");
  EXPECT_FALSE(spec.fixedBase);
}

TEST(Urdf, ZeroBytesAtTheEndAreNoText) {
  EXPECT_TRUE(
      parseUrdf(std::string("<robot name=\"r\"><link name=\"a\"/></robot>\n\0\0", 43), "<text>"));
}

TEST(Urdf, OptionsReachTheSpec) {
  UrdfOptions options;
  options.fixedBase = true;
  options.jointOrder = {"k", "j"};
  const SystemSpec spec = read(
      "<link name=\"a\"/><link name=\"b\"/><link name=\"c\"/>"
      "<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint>"
      "<joint name=\"k\" type=\"continuous\"><parent link=\"a\"/><child link=\"c\"/></joint>",
      options);
  EXPECT_TRUE(spec.fixedBase);
  EXPECT_EQ(spec.jointOrder, options.jointOrder);
}

TEST(Urdf, Inertial) {
  const SystemSpec spec = read(
      "<link name=\"a\"><inertial><origin xyz=\"1 2 3\" rpy=\"0 0 1.5707963267948966\"/>"
      "<mass value=\"2\"/><inertia ixx=\"1\" ixy=\"0.1\" ixz=\"0.2\" iyy=\"1.5\" iyz=\"0.3\" "
      "izz=\"2\"/></inertial></link>");
  const InertialSpec& i = *spec.links.at(0).inertial;
  EXPECT_EQ(i.mass, 2);
  EXPECT_EQ(i.I.xy, 0.1);
  EXPECT_EQ(i.I.xz, 0.2);
  EXPECT_EQ(i.I.yz, 0.3);
  EXPECT_EQ(i.I.zz, 2);
  expectNear(i.X_LC.p, 1, 2, 3);
  expectNear(mul(i.X_LC.R, Vec3d{1, 0, 0}), 0, 1, 0);
}

TEST(Urdf, RpyTurnsRollFirst) {
  const SystemSpec spec =
      readJoint("fixed", "<origin rpy=\"1.5707963267948966 1.5707963267948966 0\" xyz=\"0 0 1\"/>");
  // Roll takes y to z, then pitch takes z to x.
  expectNear(mul(spec.joints[0].X_PJ.R, Vec3d{0, 1, 0}), 1, 0, 0);
  expectNear(spec.joints[0].X_PJ.p, 0, 0, 1);
}

TEST(Urdf, QuaternionOrigin) {
  const SystemSpec spec = readJoint("fixed", "<origin xyz=\"1 2 3\" quat_xyzw=\"0 0 2 2\"/>");
  expectNear(mul(spec.joints[0].X_PJ.R, Vec3d{1, 0, 0}), 0, 1, 0);
  expectNear(spec.joints[0].X_PJ.p, 1, 2, 3);
}

TEST(Urdf, Shapes) {
  const SystemSpec spec = read(
      "<link name=\"a\">"
      "<collision name=\"c\"><geometry><box size=\"1 2 3\"/></geometry></collision>"
      "<collision><origin xyz=\"0 0 1\"/><geometry><sphere radius=\"0.5\"/></geometry></collision>"
      "<collision><geometry><cylinder radius=\"0.1\" length=\"2\"/></geometry></collision>"
      "<collision><geometry><capsule radius=\"0.1\" height=\"2\"/></geometry></collision>"
      "<collision><geometry><capsule radius=\"0.1\" length=\"3\"/></geometry></collision>"
      "<visual><geometry><capsule radius=\"0.1\" height=\"0\"/></geometry></visual></link>");
  const auto& c = spec.links.at(0).collisions;
  ASSERT_EQ(c.size(), 5u);
  EXPECT_EQ(c[0].name, "c");
  EXPECT_EQ(std::get<BoxShape>(c[0].shape).size.z, 3);
  EXPECT_EQ(std::get<SphereShape>(c[1].shape).radius, 0.5);
  expectNear(c[1].X_LG.p, 0, 0, 1);
  EXPECT_EQ(std::get<CylinderShape>(c[2].shape).height, 2);
  EXPECT_EQ(std::get<CapsuleShape>(c[3].shape).height, 2);
  EXPECT_EQ(std::get<CapsuleShape>(c[4].shape).height, 3) << "length is the ROS name of height";
  EXPECT_EQ(std::get<CapsuleShape>(spec.links[0].visuals.at(0).shape).height, 0);
  EXPECT_EQ(c[0].material, "default");
}

TEST(Urdf, ContactMaterial) {
  const SystemSpec spec = read(
      "<link name=\"a\"><collision><geometry><sphere radius=\"1\"/></geometry>"
      "<material name=\"black\"><contact name=\"rubber\"/></material></collision>"
      "<collision><geometry><sphere radius=\"1\"/></geometry>"
      "<material name=\"black\"/></collision></link>");
  EXPECT_EQ(spec.links[0].collisions[0].material, "rubber");
  EXPECT_EQ(spec.links[0].collisions[1].material, "default");
}

TEST(Urdf, ColoursFromEverywhere) {
  const std::string shape = "<geometry><sphere radius=\"1\"/></geometry>";
  const auto result = parseUrdf(
      "<robot name=\"r\"><link name=\"a\">"
      "<visual>" +
      shape +
      "<material name=\"later\"/></visual>"
      "<visual>" +
      shape +
      "<material name=\"own\"><color rgba=\"0 1 0 0.5\"/></material></visual>"
      "<visual>" +
      shape +
      "<material name=\"own\"/></visual>"
      "<visual>" +
      shape +
      "<material name=\"\"><color rgba=\"0 0 1\"/></material></visual>"
      "<visual>" +
      shape +
      "<material name=\"nowhere\"/></visual>"
      "</link><material name=\"later\"><color rgba=\"1 0 0 1\"/></material></robot>");
  ASSERT_TRUE(result) << result.diagnostics().toString();
  const auto& v = result->links[0].visuals;
  using Rgba = std::array<double, 4>;
  EXPECT_EQ(v[0].rgba, (Rgba{1, 0, 0, 1})) << "defined after its use";
  EXPECT_EQ(v[0].material, "later");
  EXPECT_EQ(v[1].rgba, (Rgba{0, 1, 0, 0.5}));
  EXPECT_EQ(v[2].rgba, (Rgba{0, 1, 0, 0.5})) << "defined by another visual";
  EXPECT_EQ(v[3].rgba, (Rgba{0, 0, 1, 1})) << "three numbers are opaque";
  EXPECT_EQ(v[4].rgba, (VisualSpec{}.rgba));
  expectRemark(result.diagnostics(), Severity::Warning, 1, "'nowhere' is nowhere defined");
}

TEST(Urdf, EveryJointKind) {
  const std::pair<const char*, JointKind> kinds[] = {
      {"fixed", JointKind::Fixed},
      {"revolute", JointKind::Revolute},
      {"continuous", JointKind::Revolute},
      {"prismatic", JointKind::Prismatic},
      {"spherical", JointKind::Spherical},
      {"planar", JointKind::Planar},
      {"floating", JointKind::Floating},
      {"translation", JointKind::Translation},
      {"universal", JointKind::Universal},
      {"euler", JointKind::Euler},
      {"cylindrical", JointKind::Cylindrical},
  };
  for (const auto& [name, kind] : kinds) EXPECT_EQ(readJoint(name, "").joints.at(0).kind, kind);
}

TEST(Urdf, Axes) {
  expectNear(readJoint("continuous", "").joints[0].axes[0], 1, 0, 0);
  expectNear(readJoint("prismatic", "<axis xyz=\"0 0 2\"/>").joints[0].axes[0], 0, 0, 2);
  const SystemSpec universal =
      readJoint("universal", "<axis xyz=\"0 0 1\"/><axis2 xyz=\"1 0 0\"/>");
  expectNear(universal.joints[0].axes[0], 0, 0, 1);
  expectNear(universal.joints[0].axes[1], 1, 0, 0);
  const SystemSpec euler =
      readJoint("euler", "<axis xyz=\"0 0 1\"/><axis2 xyz=\"0 1 0\"/><axis3 xyz=\"1 0 0\"/>");
  expectNear(euler.joints[0].axes[2], 1, 0, 0);
}

TEST(Urdf, ZeroAxisOfAFixedJointIsFine) {
  EXPECT_EQ(readJoint("fixed", "<axis xyz=\"0 0 0\"/>").joints.size(), 1u);
}

TEST(Urdf, HelicalPitchInEitherPlace) {
  EXPECT_EQ(readJoint("helical", "<axis xyz=\"0 0 1\" pitch=\"0.01\"/>").joints[0].pitch, 0.01);
  const SystemSpec spec = read(
      "<link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"screw\" pitch=\"0.02\">"
      "<parent link=\"a\"/><child link=\"b\"/></joint>");
  EXPECT_EQ(spec.joints[0].kind, JointKind::Helical);
  EXPECT_EQ(spec.joints[0].pitch, 0.02);
}

TEST(Urdf, Limits) {
  const JointLimits l =
      readJoint("revolute", "<limit lower=\"-1\" upper=\"2\" effort=\"3\" velocity=\"4\"/>")
          .joints[0]
          .limits;
  EXPECT_EQ(l.lower, -1);
  EXPECT_EQ(l.upper, 2);
  EXPECT_EQ(l.effort, 3);
  EXPECT_EQ(l.velocity, 4);
  const JointLimits one = readJoint("revolute", "<limit upper=\"2\"/>").joints[0].limits;
  EXPECT_EQ(one.lower, 0) << "a bound that is not given is zero, as URDF says";
  const JointLimits c =
      readJoint("continuous", "<limit lower=\"0\" upper=\"0\" effort=\"5\"/>").joints[0].limits;
  EXPECT_EQ(c.lower, -unlimited);
  EXPECT_EQ(c.effort, 5);
  const JointLimits s = readJoint("spherical", "<limit lower=\"0\" upper=\"0\"/>").joints[0].limits;
  EXPECT_EQ(s.upper, unlimited) << "equal limits of a spherical joint are none";
  const JointLimits i =
      readJoint("revolute", "<limit lower=\"-inf\" upper=\"1\"/>").joints[0].limits;
  EXPECT_EQ(i.lower, -unlimited);
}

TEST(Urdf, LimitsThatSayNothing) {
  const auto result = parseUrdf(
      "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><link name=\"c\"/>\n"
      "<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/></joint>\n"
      "<joint name=\"k\" type=\"revolute\"><parent link=\"b\"/><child link=\"c\"/>\n"
      "<limit effort=\"0\" velocity=\"0\"/></joint></robot>");
  ASSERT_TRUE(result) << result.diagnostics().toString();
  EXPECT_EQ(result->joints[0].limits.upper, unlimited);
  EXPECT_EQ(result->joints[1].limits.effort, unlimited);
  EXPECT_EQ(result->joints[1].limits.velocity, unlimited);
  const Diagnostics& all = result.diagnostics();
  expectRemark(all, Severity::Warning, 2, "joint 'j': a revolute joint without lower");
  EXPECT_EQ(countRemarks(all, Severity::Warning, "without lower"), 1) << "once for all joints";
  expectRemark(all, Severity::Warning, 4, "effort> is zero");
  expectRemark(all, Severity::Warning, 4, "velocity> is zero");
}

TEST(Urdf, Dynamics) {
  const JointDynamics d =
      readJoint("revolute",
                "<limit lower=\"-1\" upper=\"1\"/><dynamics damping=\"1\" friction=\"2\" "
                "stiffness=\"3\" spring_mount=\"0.4\" rotor_inertia=\"0.005\"/>")
          .joints[0]
          .dynamics;
  EXPECT_EQ(d.damping, 1);
  EXPECT_EQ(d.friction, 2);
  EXPECT_EQ(d.stiffness, 3);
  EXPECT_EQ(d.springMount, std::vector<double>{0.4});
  EXPECT_EQ(d.rotorInertia, 0.005);
}

TEST(Urdf, SpringMountOfASphericalJointIsAUnitQuaternion) {
  const JointDynamics d =
      readJoint("spherical", "<dynamics spring_mount=\"0.707 0 0.707 0\" stiffness=\"500\"/>")
          .joints[0]
          .dynamics;
  ASSERT_EQ(d.springMount.size(), 4u);
  EXPECT_NEAR(d.springMount[0], std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(d.springMount[2], std::sqrt(0.5), 1e-15);
}

TEST(Urdf, MimicIsRead) {
  const auto result = parseUrdf(
      "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><link name=\"c\"/>"
      "<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint>\n"
      "<joint name=\"k\" type=\"continuous\"><parent link=\"b\"/><child link=\"c\"/>\n"
      "<mimic joint=\"j\" multiplier=\"-2\" offset=\"0.5\"/></joint></robot>");
  ASSERT_TRUE(result) << result.diagnostics().toString();
  ASSERT_TRUE(result->joints[1].mimic);
  EXPECT_EQ(result->joints[1].mimic->joint, "j");
  EXPECT_EQ(result->joints[1].mimic->multiplier, -2);
  EXPECT_EQ(result->joints[1].mimic->offset, 0.5);
  EXPECT_TRUE(result.diagnostics().all().empty()) << result.diagnostics().toString();
}

TEST(Urdf, TransmissionsAreKeptWithOneWarning) {
  const auto result = parseUrdf(
      "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/>"
      "<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint>\n"
      "<transmission name=\"t\"><type>gear</type><joint name=\"j\"/><actuator name=\"m\">"
      "<mechanicalReduction> 6 </mechanicalReduction></actuator></transmission>\n"
      "<transmission name=\"s\" type=\"two\"><joint name=\"j\"><mechanicalReduction>2"
      "</mechanicalReduction></joint><joint name=\"j\"/><actuator name=\"x\"/>"
      "<actuator name=\"y\"/></transmission></robot>");
  ASSERT_TRUE(result) << result.diagnostics().toString();
  const auto& t = result->transmissions;
  ASSERT_EQ(t.size(), 3u);
  EXPECT_EQ(t[0].type, "gear");
  EXPECT_EQ(t[0].joint, "j");
  EXPECT_EQ(t[0].actuator, "m");
  EXPECT_EQ(t[0].reduction, 6);
  EXPECT_EQ(t[1].reduction, 2);
  EXPECT_EQ(t[1].actuator, "x");
  EXPECT_EQ(t[2].actuator, "y");
  EXPECT_EQ(t[2].reduction, 1);
  expectRemark(result.diagnostics(), Severity::Warning, 2, "<transmission> is kept");
  EXPECT_EQ(countRemarks(result.diagnostics(), Severity::Warning, "<transmission>"), 1);
}

TEST(Urdf, TemplatesAreFilledIn) {
  UrdfOptions options;
  options.parameters = {{"radius", "0.25"}, {"who", "ball"}};
  const SystemSpec spec = read(
      "<link name=\"@@who\"><collision><geometry><sphere radius=\"{2*@@radius}\"/></geometry>"
      "</collision></link>",
      options);
  EXPECT_EQ(spec.links[0].name, "ball");
  EXPECT_EQ(std::get<SphereShape>(spec.links[0].collisions[0].shape).radius, 0.5);
}

TEST(Urdf, UnknownTagsWarnOncePerKindForeignOnesAreNoted) {
  const auto result = parseUrdf(
      "<robot name=\"r\" xmlns:xacro=\"x\" version=\"1.0\" colour=\"red\">\n"
      "<link name=\"a\"><wheel/></link><link name=\"b\"><wheel/></link>\n"
      "<joint name=\"j\" type=\"fixed\" speed=\"1\"><parent link=\"a\"/><child link=\"b\"/>"
      "<safety_controller/></joint>\n"
      "<gazebo reference=\"a\"><x/></gazebo><gazebo/><balloon/>\n"
      "<equality name=\"e\"/></robot>");
  ASSERT_TRUE(result) << result.diagnostics().toString();
  const Diagnostics& all = result.diagnostics();
  expectRemark(all, Severity::Warning, 1, "'colour'");
  expectRemark(all, Severity::Warning, 2, "<wheel>");
  EXPECT_EQ(countRemarks(all, Severity::Warning, "<wheel>"), 1);
  expectRemark(all, Severity::Warning, 3, "'speed'");
  expectRemark(all, Severity::Note, 3, "<safety_controller>");
  expectRemark(all, Severity::Note, 4, "<gazebo>");
  EXPECT_EQ(countRemarks(all, Severity::Note, "<gazebo>"), 1);
  expectRemark(all, Severity::Warning, 4, "<balloon>");
  expectRemark(all, Severity::Warning, 5, "<equality> does not act yet");
  EXPECT_EQ(all.count(Severity::Warning), 5) << all.toString();
}

TEST(Urdf, ShapesWithoutExtentAreLeftOutWithAWarning) {
  const auto result = parseUrdf(
      "<robot name=\"r\"><link name=\"a\">\n<collision><geometry><box size=\"0 0 0\"/></geometry>"
      "</collision>\n<visual><geometry/></visual>\n<visual><geometry><cone/></geometry></visual>"
      "</link></robot>");
  ASSERT_TRUE(result) << result.diagnostics().toString();
  EXPECT_TRUE(result->links[0].collisions.empty());
  EXPECT_TRUE(result->links[0].visuals.empty());
  expectRemark(result.diagnostics(), Severity::Warning, 2, "<box> without extent");
  expectRemark(result.diagnostics(), Severity::Warning, 3, "<visual> without a shape");
  expectRemark(result.diagnostics(), Severity::Warning, 4, "'cone' is not known");
}

TEST(Urdf, LinesOfLinksAndJointsAreKept) {
  const auto result = parseUrdf(
      "<robot name=\"r\">\n<link name=\"a\"/>\n<link name=\"b\"/>\n<joint name=\"j\" "
      "type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->links[1].line, 3);
  EXPECT_EQ(result->joints[0].line, 4);
  EXPECT_TRUE(result.diagnostics().all().empty()) << result.diagnostics().toString();
}

TEST(Urdf, TextAndPathAreToldApart) {
  const std::string text = "\xEF\xBB\xBF \n<robot name=\"r\"><link name=\"a\"/></robot>";
  EXPECT_TRUE(loadRobot(text)) << loadRobot(text).diagnostics().toString();
  const auto missing = loadRobot("no/such/robot.urdf");
  ASSERT_FALSE(missing);
  expectRemark(missing.diagnostics(), Severity::Error, 0, "no such file", "no/such/robot.urdf");
}

}  // namespace
}  // namespace espalier::io

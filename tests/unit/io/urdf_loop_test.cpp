// URDF+: <loop>, <coupling> and independent joints, as written and as mistaken.

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/model/model.h"
#include "urdf_text.h"

namespace espalier::io {
namespace {

/// Two cranks on a base, a rod on the first, and a rotor beside it; the line after the first of the body is 9.
std::string loopRobot(const std::string& body) {
  return R"(<robot name="r"><link name="world"/><link name="a"/><link name="b"/><link name="c"/>
<joint name="ja" type="continuous" independent="true"><parent link="world"/><child link="a"/>
  <axis xyz="0 0 1"/></joint>
<joint name="jb" type="continuous" independent="false"><parent link="a"/><child link="b"/>
  <origin xyz="0.5 0 0"/><axis xyz="0 0 1"/></joint>
<joint name="jc" type="continuous"><parent link="world"/><child link="c"/>
  <origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>
<link name="tip"/><joint name="weld" type="fixed"><parent link="b"/><child link="tip"/></joint>)" +
         body + "</robot>";
}

const std::string ends = "<predecessor link=\"b\"/><successor link=\"c\"/>";

SystemSpec read(const std::string& body) { return readUrdf(loopRobot(body)); }

void expectError(const std::string& body, int line, const std::string& part) {
  expectUrdfError(loopRobot(body), line, part);
}

TEST(UrdfLoop, EveryPart) {
  const SystemSpec spec = read(R"(
<loop name="l" type="universal" bilateral="true">
  <predecessor link="b"><origin xyz="1 0 0" rpy="0 0 0.3"/></predecessor>
  <successor link="c"><origin xyz="0.5 0 0.1"/></successor>
  <axis xyz="0 0 2"/><axis2 xyz="3 0 4"/></loop>)");
  ASSERT_EQ(spec.loops.size(), 1u);
  const LoopSpec& loop = spec.loops[0];
  EXPECT_EQ(loop.name, "l");
  EXPECT_EQ(loop.kind, LoopKind::UNIVERSAL);
  EXPECT_EQ(loop.predecessor, "b");
  EXPECT_EQ(loop.successor, "c");
  EXPECT_EQ(loop.X_PA.p.x, 1);
  EXPECT_NEAR(loop.X_PA.R.r1.x, std::sin(0.3), 1e-15);
  EXPECT_EQ(loop.X_SB.p.z, 0.1);
  EXPECT_EQ(loop.axis.z, 1) << "of unit length";
  EXPECT_NEAR(loop.axis2.x, 0.6, 1e-15);
  EXPECT_TRUE(loop.isBilateral);
  EXPECT_EQ(loop.line, 9);
  expectSameAgain(spec);
}

TEST(UrdfLoop, EveryType) {
  const struct {
    const char* type;
    LoopKind kind;
  } types[] = {{"point", LoopKind::POINT},
               {"spherical", LoopKind::POINT},
               {"fixed", LoopKind::FIXED},
               {"revolute", LoopKind::REVOLUTE},
               {"continuous", LoopKind::REVOLUTE},
               {"prismatic", LoopKind::PRISMATIC},
               {"cylindrical", LoopKind::CYLINDRICAL},
               {"universal", LoopKind::UNIVERSAL},
               {"planar", LoopKind::PLANAR},
               {"screw", LoopKind::SCREW}};
  for (const auto& [type, kind] : types) {
    SCOPED_TRACE(type);
    const SystemSpec spec = read("<loop name=\"l\" pitch=\"0.01\" type=\"" + std::string(type) +
                                 "\">" + ends + "<axis xyz=\"0 0.6 0.8\"/></loop>");
    ASSERT_EQ(spec.loops.size(), 1u);
    EXPECT_EQ(spec.loops[0].kind, kind);
    EXPECT_EQ(spec.loops[0].axis.y, 0.6);
    EXPECT_EQ(spec.loops[0].pitch, kind == LoopKind::SCREW ? 0.01 : 0);
    expectSameAgain(spec);
  }
}

TEST(UrdfLoop, HasDefaults) {
  const SystemSpec spec = read("<loop name=\"l\" type=\"revolute\">" + ends +
                               "</loop><coupling name=\"c\">" + ends + "</coupling>");
  EXPECT_EQ(difference(spec, read("<loop name=\"l\" type=\"continuous\" bilateral=\"false\">" +
                                  ends + "<axis xyz=\"1 0 0\"/></loop><coupling name=\"c\">" +
                                  ends + "<ratio value=\"1\"/><offset value=\"0\"/></coupling>")),
            "");
  EXPECT_EQ(spec.joints[0].independent, true);
  EXPECT_EQ(spec.joints[1].independent, false);
  EXPECT_EQ(spec.joints[2].independent, std::nullopt);
  expectSameAgain(spec);
}

TEST(UrdfLoop, ToTheGroundThatIsNoLinkOfTheFile) {
  const auto spec = parseUrdf(
      "<robot name=\"r\"><link name=\"a\"/><loop name=\"l\" type=\"planar\">"
      "<predecessor link=\"world\"/><successor link=\"a\"/><axis xyz=\"0 0 1\"/></loop></robot>");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  EXPECT_EQ(spec->loops[0].predecessor, "world");
}

TEST(UrdfLoop, AxesStayBitForBit) {
  for (const char* axis : {"1 2 3", "0.1 -0.7 1e-9", "1e100 1e100 0", "3 0 1e-300"}) {
    expectSameAgain(read("<loop name=\"l\" type=\"planar\">" + ends + "<axis xyz=\"" +
                         std::string(axis) + "\"/></loop>"));
  }
}

TEST(UrdfCoupling, EveryPart) {
  const SystemSpec spec = read("\n<coupling name=\"gear\" type=\"rolling\">" + ends +
                               "\n<ratio value=\"-6.5\"/><offset value=\"0.25\"/></coupling>");
  ASSERT_EQ(spec.couplings.size(), 1u);
  const CouplingSpec& coupling = spec.couplings[0];
  EXPECT_EQ(coupling.name, "gear");
  EXPECT_EQ(coupling.predecessor, "b");
  EXPECT_EQ(coupling.successor, "c");
  EXPECT_EQ(coupling.ratio, -6.5);
  EXPECT_EQ(coupling.offset, 0.25);
  EXPECT_EQ(coupling.line, 9);
  expectSameAgain(spec);
}

std::string loop(const std::string& type, const std::string& tags) {
  return "\n<loop name=\"l\" type=\"" + type + "\">" + tags + "</loop>";
}
std::string coupling(const std::string& tags) {
  return "\n<coupling name=\"c\">" + tags + "</coupling>";
}
std::string tie(const std::string& predecessor, const std::string& successor) {
  return "<predecessor link=\"" + predecessor + "\"/><successor link=\"" + successor + "\"/>";
}

/// A four-bar of Gazebo's: the SDF joint is where the rod ends as drawn.
std::string gazebo(const std::string& joint) {
  const auto link = [](const std::string& name) {
    return "<link name='" + name +
           "'><inertial><mass value='1'/><inertia ixx='.1' ixy='0' ixz='0' " +
           "iyy='.1' iyz='0' izz='.1'/></inertial></link>\n";
  };
  const auto hinge = [](const std::string& name, const std::string& parent,
                        const std::string& child, const std::string& place) {
    return "<joint name='" + name + "' type='continuous'><parent link='" + parent +
           "'/><child link='" + child + "'/><origin xyz='" + place +
           "' rpy='0 0 0.3'/><axis xyz='0 0 1'/></joint>\n";
  };
  return "<robot name='g'>" + link("base") + link("crank") + link("rod") + link("rocker") +
         hinge("a", "base", "crank", "0 0 0") + hinge("b", "crank", "rod", ".4 0 0") +
         hinge("c", "base", "rocker", "1 0 0") + "<gazebo>\n" + joint + "</gazebo></robot>";
}

TEST(UrdfLoop, AJointOfGazeboClosesOne) {
  const auto spec =
      loadRobot(gazebo("<joint name='pin' type='revolute'><parent>rod</parent><child>rocker</child>"
                       "<pose>-.1 .5 0 0 0 .2</pose><axis><xyz>0 0 2</xyz></axis></joint>"));
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  ASSERT_EQ(spec->loops.size(), 1u);
  const LoopSpec& loop = spec->loops[0];
  EXPECT_EQ(loop.kind, LoopKind::REVOLUTE);
  EXPECT_EQ(loop.predecessor, "rod");
  EXPECT_EQ(loop.successor, "rocker");
  EXPECT_EQ(loop.X_SB.p.y, 0.5);
  const auto model = compile(*spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  EXPECT_EQ(model->publicNv, 6 + 1);
  for (int i = 0; i < 3; ++i)  // closed as drawn
    EXPECT_NEAR(model->mechanism.assembled[7 + i], 0, 1e-12);
}

TEST(UrdfLoop, OtherElementsOfGazeboAreLeftOut) {
  const std::string ends = "<parent>rod</parent><child>rocker</child>";
  const std::pair<std::string, std::string> cases[] = {
      {"<joint name='j' type='gearbox'>" + ends + "</joint>", "its type 'gearbox'"},
      {"<joint name='j' type='ball'><parent>rod</parent><child>x</child></joint>",
       "two links of the robot"},
      {"<joint name='j' type='ball'>" + ends + "<pose>1 2</pose></joint>", "its <pose>"},
      {"<joint name='j' type='revolute'>" + ends + "<axis><xyz>up</xyz></axis></joint>",
       "its <axis><xyz>"}};
  for (const auto& [joint, why] : cases) {
    const auto spec = loadRobot(gazebo(joint));
    ASSERT_TRUE(spec) << spec.diagnostics().toString();
    EXPECT_TRUE(spec->loops.empty());
    expectRemark(spec.diagnostics(), Severity::Warning, 9, why);
  }
}

TEST(BadUrdfLoop, Types) {
  expectError(loop("ball", ends), 9, "the loop type 'ball' is not known");
  expectError("\n<loop name=\"l\">" + ends + "</loop>", 9, "the loop has no type");
  expectError(loop("screw", ends), 9, "no pitch");
}

TEST(BadUrdfLoop, Ends) {
  expectError(loop("point", tie("b", "d")), 9, "names the successor 'd', which does not exist");
  expectError(loop("point", tie("d", "b")), 9, "names the predecessor 'd', which does not exist");
  expectError(loop("point", "<successor link=\"a\"/>"), 9, "loop 'l' has no predecessor");
  expectError(loop("point", "<predecessor link=\"a\"/>"), 9, "loop 'l' has no successor");
  expectError(loop("point", "<predecessor/><successor link=\"a\"/>"), 9, "has no predecessor");
  expectError(loop("point", tie("b", "b")), 9, "to itself");
  expectError(loop("point",
                   "<predecessor link=\"b\"><origin xyz=\"0.1 0 0\"/></predecessor>"
                   "<successor link=\"tip\"/>"),
              9, "welded together already");
}

TEST(BadUrdfLoop, Numbers) {
  expectError(loop("planar", ends + "\n<axis xyz=\"0 0 0\"/>"), 9, "has a zero axis");
  expectError(loop("universal", ends + "\n<axis2 xyz=\"0 0 0\"/>"), 9, "has a zero axis2");
  expectError(loop("planar", ends + "\n<axis xyz=\"0 0\"/>"), 10, "not 3 finite numbers");
  expectError(loop("planar", ends + "\n<axis xyz=\"0 0 nan\"/>"), 10, "not 3 finite numbers");
  expectError(loop("planar", "<predecessor link=\"b\"><origin xyz=\"0 0 inf\"/></predecessor>"), 9,
              "not 3 finite numbers");
  expectError("\n<loop name=\"l\" type=\"point\" bilateral=\"maybe\">" + ends + "</loop>", 9,
              "neither true nor false");
}

TEST(BadUrdfLoop, Names) {
  expectError(loop("point", ends) + loop("point", ends), 10, "has the name of another one");
  expectError(coupling(ends) + coupling(ends), 10, "has the name of another one");
  expectError("\n<loop type=\"point\">" + ends + "</loop>", 9, "a loop has no name");
  expectError("\n<coupling>" + ends + "</coupling>", 9, "a coupling has no name");
}

TEST(BadUrdfCoupling, Ratio) {
  expectError(coupling(ends + "<ratio value=\"0\"/>"), 9, "has the ratio zero");
  expectError(coupling(ends + "\n<ratio value=\"inf\"/>"), 10, "not a finite number");
  expectError(coupling(ends + "\n<ratio value=\"six\"/>"), 10, "not a finite number");
  expectError(coupling(ends + "\n<ratio/>"), 10, "lacks the attribute 'value'");
  expectError(coupling(ends + "\n<offset value=\"nan\"/>"), 10, "not a finite number");
}

TEST(BadUrdfCoupling, Ends) {
  expectError(coupling(tie("b", "d")), 9, "coupling 'c' names the successor 'd'");
  expectError(coupling("<successor link=\"a\"/>"), 9, "coupling 'c' has no predecessor");
  expectError(coupling(tie("b", "b")), 9, "gears the link 'b' to itself");
  expectError(coupling(tie("b", "tip")), 9, "has no movable joint");
  expectError(
      "<link name=\"s\"/><joint name=\"js\" type=\"spherical\"><parent link=\"world\"/>"
      "<child link=\"s\"/></joint>" +
          coupling(tie("a", "s")),
      9, "goes through the spherical joint 'js'");
}

TEST(BadUrdfCoupling, OneSidedOnesWarn) {
  const auto spec = parseUrdf(loopRobot(coupling(tie("a", "b"))));
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  expectRemark(spec.diagnostics(), Severity::Warning, 9, "joints on one side only");
}

TEST(BadUrdfCoupling, OriginsHaveNoMeaning) {
  const auto spec = parseUrdf(loopRobot(coupling(
      "<predecessor link=\"b\"><origin xyz=\"1 0 0\"/></predecessor><successor link=\"c\"/>")));
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  expectRemark(spec.diagnostics(), Severity::Warning, 9, "<origin> is not known in <predecessor>");
}

TEST(BadUrdfJoint, Independent) {
  expectError(
      "\n<link name=\"d\"/><joint name=\"jd\" type=\"fixed\" independent=\"yes\">"
      "<parent link=\"a\"/><child link=\"d\"/></joint>",
      9, "<joint independent> is 'yes', neither true nor false");
}

std::string mimicking(const std::string& a, const std::string& b, const std::string& type) {
  const auto joint = [](const std::string& name, const std::string& child, const std::string& kind,
                        const std::string& leader) {
    return "\n<joint name=\"" + name + "\" type=\"" + kind + "\"><parent link=\"world\"/><child " +
           "link=\"" + child + "\"/><mimic joint=\"" + leader + "\"/></joint>";
  };
  return "<link name=\"d\"/><link name=\"e\"/>" + joint("jd", "d", type, a) +
         joint("je", "e", "continuous", b);
}

TEST(BadMimic, Rings) {
  expectError(mimicking("je", "jd", "continuous"), 9,
              "mimics itself by way of others: 'jd' -> 'je' -> 'jd'");
  EXPECT_EQ(countRemarks(parseUrdf(loopRobot(mimicking("je", "jd", "continuous"))).diagnostics(),
                         Severity::Error, "by way of others"),
            1);
  // One that leads into a ring is not on it.
  expectError(mimicking("je", "je", "continuous"), 10, "'je' mimics itself");
}

TEST(BadMimic, Kinds) {
  expectError(mimicking("je", "ja", "spherical"), 9, "but 'jd' is spherical");
  expectError(mimicking("ja", "jd", "planar"), 9, "but 'jd' is planar");
  expectError(mimicking("ja", "jd", "planar"), 10, "mimics the joint 'jd', but 'jd' is planar");
  const auto spec = parseUrdf(loopRobot(mimicking("ja", "ja", "fixed")));
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  expectRemark(spec.diagnostics(), Severity::Warning, 9, "is fixed, so that its mimic");
}

TEST(UrdfPin, MeetsWhereItIsInTheNominalConfiguration) {
  // a and b stretched along x by a quarter turn of a, c turned to meet b's end.
  const SystemSpec spec = read(
      "\n<constraints nominal_config=\"1.5707963267948966 0 0.5\">\n"
      "<pin body1=\"b\" body2=\"c\" anchor=\"0.2 0 0.1\"/><pin body1=\"a\" body2=\"world\"/>"
      "</constraints><loop name=\"pin2\" type=\"point\">" +
      ends + "</loop>");
  ASSERT_EQ(spec.loops.size(), 3u);
  const LoopSpec& pin = spec.loops[1];
  EXPECT_EQ(pin.name, "pin1");
  EXPECT_EQ(pin.kind, LoopKind::POINT);
  EXPECT_EQ(pin.predecessor, "b");
  EXPECT_EQ(pin.successor, "c");
  EXPECT_EQ(pin.line, 10);
  EXPECT_EQ(pin.X_PA.p.x, 0.2);
  // In the world it is at (0, 0.7, 0.1); c is at (1, 0, 0), turned by 0.5.
  EXPECT_NEAR(pin.X_SB.p.x, -std::cos(0.5) + 0.7 * std::sin(0.5), 1e-15);
  EXPECT_NEAR(pin.X_SB.p.y, std::sin(0.5) + 0.7 * std::cos(0.5), 1e-15);
  EXPECT_EQ(pin.X_SB.p.z, 0.1);
  EXPECT_EQ(spec.loops[2].name, "pin3") << "pin2 is taken";
  EXPECT_NEAR(norm(spec.loops[2].X_SB.p), 0, 1e-15);
  expectSameAgain(spec);
}

TEST(UrdfPin, FollowsTheJointOrderAndEveryKindOfJoint) {
  const std::string text = R"(<robot name="r"><link name="base"/>
<link name="l1"/><joint name="j1" type="prismatic"><parent link="base"/><child link="l1"/>
  <axis xyz="0 0 2"/><limit lower="-9" upper="9"/></joint>
<link name="l2"/><joint name="j2" type="helical" pitch="0.5"><parent link="l1"/><child link="l2"/>
  <axis xyz="0 0 1"/></joint>
<link name="l3"/><joint name="j3" type="universal"><parent link="l2"/><child link="l3"/>
  <axis xyz="1 0 0"/><axis2 xyz="0 1 0"/></joint>
<link name="l4"/><joint name="j4" type="spherical"><parent link="l3"/><child link="l4"/></joint>
<link name="l5"/><joint name="j5" type="translation"><parent link="l4"/><child link="l5"/></joint>
<constraints nominal_config="9 9 9 0 1 0 0  0.7  2  1  1.5707963267948966 1.5707963267948966
  0 0 0 2"><pin body1="l5" body2="base" anchor="1 0 0"/></constraints></robot>)";
  // In the order j5's three numbers would not come last; jointOrder puts j1 behind j2 and j5 first.
  UrdfOptions options;
  options.jointOrder = {"j2", "j1"};
  const auto wrong = parseUrdf(text, "<text>", options);
  EXPECT_FALSE(wrong);
  expectRemark(wrong.diagnostics(), Severity::Error, 10, "has 16 numbers, the robot needs 18");

  std::string right = text;
  right.replace(right.find("9 9 9 0 1 0 0  0.7  2  1"), 24, "9 9 9 0 1 0 0  2 0.7");
  right.replace(right.find("0 0 0 2"), 7, "0 0 0 2 0.1 0.2 0.3");
  const auto spec = parseUrdf(right, "<text>", options);
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  // l5's point (1.1, 0.2, 0.3); a half turn about z; Rx Ry by quarters; the screw turns by 2.
  const Vec3d a{-1.1, -0.2, 0.3};
  const Vec3d b{a.z, a.y, -a.x};  // Ry(90): x = z, z = -x
  const Vec3d c{b.x, -b.z, b.y};  // Rx(90): y = -z, z = y
  const double s = std::sin(2.0), co = std::cos(2.0);
  const Vec3d expected{co * c.x - s * c.y, s * c.x + co * c.y, c.z + 2 * 0.5 + 0.7};
  EXPECT_LT(norm(spec->loops[0].X_SB.p - expected), 1e-14);
}

TEST(BadUrdfPin, Mistakes) {
  const auto pin = [](const std::string& config, const std::string& attributes) {
    return "\n<constraints" + config + ">\n<pin " + attributes + "/></constraints>";
  };
  const std::string good = "body1=\"b\" body2=\"c\" anchor=\"1 0 0\"";
  expectError(pin(" nominal_config=\"0 0\"", good), 9, "has 2 numbers, the robot needs 3");
  expectError(pin(" nominal_config=\"0 0 x\"", good), 9, "not 3 finite numbers");
  expectError(pin("", "body1=\"b\" body2=\"d\""), 10, "names the successor 'd'");
  expectError(pin("", "body1=\"b\""), 10, "has no successor");
  expectError(pin("", "body1=\"b\" body2=\"b\""), 10, "to itself");
  expectError(pin("", good + "name=\"l\"") + "<loop name=\"l\" type=\"point\">" + ends + "</loop>",
              10, "has the name of another one");
  expectError(pin("", "body1=\"b\" body2=\"c\" anchor=\"1 0\""), 10, "not 3 finite numbers");
}

TEST(UrdfLoop, FilesOfOthersComeBackAsTheyWere) {
  const auto folder = sharedFolder() / "models" / "urdf_plus";
  if (!std::filesystem::is_directory(folder)) {
    GTEST_SKIP() << "no robots of others here; set ESPALIER_SHARED to a folder with models/";
  }
  const struct {
    const char* name;
    std::size_t loops, couplings;
  } files[] = {{"four_bar", 1, 0}, {"revolute_rotor_chain", 0, 3}, {"mini_cheetah", 0, 12}};
  for (const auto& [name, loops, couplings] : files) {
    const auto spec = loadUrdf((folder / (std::string(name) + ".urdf")).string());
    ASSERT_TRUE(spec) << spec.diagnostics().toString();
    EXPECT_EQ(spec->loops.size(), loops) << name;
    EXPECT_EQ(spec->couplings.size(), couplings) << name;
    expectSameAgain(*spec);
  }
}

}  // namespace
}  // namespace espalier::io

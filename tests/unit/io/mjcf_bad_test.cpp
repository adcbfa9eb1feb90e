// What is wrong with a MuJoCo file, or not read, is said with file, line and remedy.

#include <gtest/gtest.h>

#include "espalier/io/urdf/urdf.h"
#include "espalier/io/world_xml/world_xml.h"
#include "folder.h"
#include "remarks.h"

namespace espalier::io {
namespace {

/// Refused with an Error at that line of what stands in <mujoco> (the first is line 2).
void expectError(const std::string& inside, int line, const std::string& part) {
  SCOPED_TRACE(inside);
  const std::string text = "<mujoco>\n" + inside + "\n</mujoco>";
  const auto robot = loadRobot(text);
  ASSERT_FALSE(robot);
  expectRemark(robot.diagnostics(), Severity::Error, line, part);
  EXPECT_FALSE(loadWorld(text));
}

void expectWarning(const std::string& inside, int line, const std::string& part) {
  SCOPED_TRACE(inside);
  const auto robot = loadRobot("<mujoco>\n" + inside + "\n</mujoco>");
  ASSERT_TRUE(robot) << robot.diagnostics().toString();
  expectRemark(robot.diagnostics(), Severity::Warning, line, part);
}

std::string body(const std::string& inside) {
  return "<worldbody><body name=\"a\"><joint name=\"j\"/><geom size=\".1\"/>\n" + inside +
         "</body></worldbody>";
}

TEST(BadMjcf, Xml) {
  for (const char* text :
       {"<mujoco>", "<mujoco><worldbody></mujoco>", "<mujoco", "<mujoco a=b/>"}) {
    const auto robot = loadRobot(text);
    ASSERT_FALSE(robot) << text;
    expectRemark(robot.diagnostics(), Severity::Error, 1, "cannot be read");
  }
  const auto nothing = loadRobot("<mujoco/>");
  ASSERT_FALSE(nothing);
  expectRemark(nothing.diagnostics(), Severity::Error, 1, "no body of the model can move");
}

TEST(BadMjcf, RefusesBadNumbers) {
  expectError(body("<geom size=\".1 x\"/>"), 3, "not finite numbers");
  expectError(body("<geom size=\".1\" pos=\"1 2\"/>"), 3, "not 3 finite numbers");
  expectError(body("<geom size=\".1\" contype=\".5\"/>"), 3, "not a whole number");
  expectError(body("<geom size=\"1 2 3 4\"/>"), 3, "at most 3 numbers");
  expectError(body("<geom size=\"-1\"/>"), 3, "no size above zero");
  expectError(body("<geom type=\"capsule\" size=\"1\"/>"), 3, "no size above zero");
  expectError(body("<geom size=\".1\" mass=\"-1\"/>"), 3, "negative");
  expectError(body("<inertial pos=\"0 0 0\" mass=\"-1\" diaginertia=\"1 1 1\"/>"), 3,
              "negative mass");
  expectError(body("<geom size=\".1\" quat=\"1 0 0 0\" euler=\"1 2 3\"/>"), 3,
              "more than one orientation");
  expectError(body("<geom size=\".1\" quat=\"0 0 0 0\"/>"), 3, "orientation");
  expectError(body("<geom type=\"capsule\" size=\".1\" fromto=\"1 1 1 1 1 1\"/>"), 3, "no length");
  expectError(body("<site name=\"s\" fromto=\"1 1 1 1 1 1\"/>"), 3, "<site fromto> has no length");
  expectError(body("<joint axis=\"0 0 0\"/>"), 3, "zero axis");
  expectError("<option timestep=\"0\"/>" + body(""), 2, "timestep");
  expectError("<option density=\"-1\"/>" + body(""), 2, "density or viscosity below zero");
}

TEST(BadMjcf, RefusesMissingAndDoubledNames) {
  expectError(body("<body name=\"a\"/>"), 3, "two bodies 'a'");
  expectError(body("<body name=\"world\"/>"), 3, "named 'world'");
  expectError(body("<joint name=\"j\"/>"), 3, "two joints 'j'");
  expectError(body("<geom class=\"none\" size=\".1\"/>"), 3, "class 'none' does not exist");
  expectError(body("<body childclass=\"none\"/>"), 3, "class 'none' does not exist");
  expectError(body("<geom type=\"mesh\" mesh=\"none\"/>"), 3, "no mesh 'none'");
  expectError(body("<geom type=\"lump\"/>"), 3, "'lump'");
  expectError(body("<joint type=\"lump\"/>"), 3, "'lump'");
  expectError(body("") + "<actuator><motor joint=\"none\"/></actuator>", 3, "no joint 'none'");
  expectError(body("") + "<actuator><motor tendon=\"none\"/></actuator>", 3, "no tendon 'none'");
  expectError(body("") + "<tendon><fixed><joint joint=\"none\" coef=\"1\"/></fixed></tendon>", 3,
              "no joint 'none'");
  const auto round = [](const std::string& way) {
    return body(
               "<site name=\"s\"/><geom name=\"box\" type=\"box\" size=\"1 1 1\"/>"
               "<geom name=\"g\" size=\".1\"/>") +
           "<tendon><spatial>\n" + way + "</spatial></tendon>";
  };
  const std::string site = "<site site=\"s\"/>";
  expectError(round(site + "<geom geom=\"none\"/>" + site), 4, "no geom 'none'");
  expectError(round(site + "<geom geom=\"box\"/>" + site), 4, "neither a sphere nor a cylinder");
  expectError(round(site + "<geom geom=\"g\" sidesite=\"none\"/>" + site), 4, "no site 'none'");
  expectError(round("<geom geom=\"g\"/>" + site), 4, "between two sites");
  expectError(round(site + "<geom geom=\"g\"/><pulley/>"), 4, "between two sites");
  expectError(body("") + "<tendon><spatial><site site=\"none\"/></spatial></tendon>", 3,
              "no site 'none'");
  expectError(body("") + "<contact><exclude body1=\"none\" body2=\"a\"/></contact>", 3,
              "no body 'none'");
  expectError("<default><default class=\"c\"/>\n<default class=\"c\"/></default>" + body(""), 3,
              "stands there twice");
  expectError(body("") + "<equality><connect body1=\"a\" body2=\"a\" anchor=\"0 0 0\"/></equality>",
              3, "to itself");
  expectError(body("") + "<equality><joint joint1=\"j\" joint2=\"j\"/></equality>", 3,
              "follows itself");
  expectError(body("") + "<equality><weld site1=\"s\" site2=\"s\"/></equality>", 3, "no site 's'");
}

TEST(BadMjcf, Joints) {
  expectError(body("<body><freejoint/></body>"), 3, "free joint");
  expectError("<worldbody>\n<body><freejoint/><joint/><geom size=\".1\"/></body></worldbody>", 3,
              "beside its free joint");
  expectError("<worldbody>\n<joint/></worldbody>", 3, "the world has a joint");
  expectError(body("<body><joint limited=\"true\"/></body>"), 3, "no range");
  expectError(body("<joint limited=\"true\" range=\"0 0\"/>"), 3,
              "<joint range> does not begin below");
  expectError(body("<joint actuatorfrclimited=\"true\" actuatorfrcrange=\"1 -1\"/>"), 3,
              "<joint actuatorfrcrange> does not begin below");
  expectWarning(body("<joint range=\"1 -1\"/>"), 3, "<joint range> does not begin below");
  expectWarning(body("<body><joint type=\"ball\" limited=\"true\"/><geom size=\".1\"/></body>"), 3,
                "a ball joint is limited and has no range");
  expectWarning("<compiler autolimits=\"false\"/>" + body("<joint range=\"-1 1\"/>"), 3,
                "range of a joint does not act");
}

TEST(BadMjcf, APlaneCannotMove) {
  const auto read = loadWorld(
      "<mujoco>\n<worldbody><body><freejoint/><geom size=\".1\"/>\n"
      "<geom type=\"plane\" size=\"1 1 1\"/></body></worldbody></mujoco>");
  ASSERT_FALSE(read);
  expectRemark(read.diagnostics(), Severity::Error, 3, "a plane cannot move");
}

TEST(BadMjcf, Meshes) {
  const auto mesh = [](const std::string& attributes) {
    return "<asset>\n<mesh name=\"m\" " + attributes + "/></asset><worldbody><body><joint/>" +
           "<geom type=\"mesh\" mesh=\"m\"/></body></worldbody>";
  };
  expectError(mesh("vertex=\"0 0 0 1 0 0\""), 3, "no good vertices");
  expectError(mesh("vertex=\"0 0 0 1 0 0 0 1 0 1 1 0\""), 3, "flat");
  expectError(mesh("vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" face=\"0 1 9\""), 3, "no good vertices");
  expectError(mesh("file=\"nowhere/none.stl\""), 3, "the mesh 'm', which is not there");
  expectError(mesh(""), 3, "neither file nor vertices");
}

TEST(BadMjcf, Includes) {
  expectError("<include file=\"nowhere/none.xml\"/>" + body(""), 2, "cannot be read");
  const TestFolder folder;
  const std::string self =
      folder.write("self.xml", "<mujoco>\n<include file=\"self.xml\"/></mujoco>");
  const auto robot = loadRobot(self);
  ASSERT_FALSE(robot);
  expectRemark(robot.diagnostics(), Severity::Error, 2, "a second time", self);
}

TEST(BadMjcf, DeepBodiesAreReadFromAnIncludedFile) {
  constexpr int count = 60;
  const auto chain = [](const std::string& inner) {
    std::string text = inner;
    for (int i = 0; i < count; ++i) text = "<body><joint/><geom size=\".1\"/>" + text + "</body>";
    return text;
  };
  const TestFolder folder;
  const std::string deep = folder.write(
      "deep.xml", "<mujoco><worldbody>\n" + chain(chain("")) + "</worldbody></mujoco>");
  const auto refused = loadRobot(deep);
  ASSERT_FALSE(refused);
  expectRemark(refused.diagnostics(), Severity::Error, 2, "nested too deeply", deep);
  const Diagnostic* said = findRemark(refused.diagnostics(), Severity::Error, "nested too deeply");
  ASSERT_NE(said, nullptr);
  EXPECT_NE(said->remedy.find("<include>"), std::string::npos) << refused.diagnostics().toString();
  folder.write("inner.xml", "<mujocoinclude>" + chain("") + "</mujocoinclude>");
  const auto robot = loadRobot(folder.write(
      "outer.xml",
      "<mujoco><worldbody>" + chain("<include file=\"inner.xml\"/>") + "</worldbody></mujoco>"));
  ASSERT_TRUE(robot) << robot.diagnostics().toString();
  EXPECT_EQ(robot->joints.size(), 2u * count);
}

/// Remarks on the omissions of a world with joints j and k, a tendon t of both, and s from the world to the
/// second body.
int countOmissions(const std::string& bounds, const std::string& actuators,
                   const std::string& part) {
  const auto read = loadWorld(
      "<mujoco><worldbody><site name=\"p\"/><body><joint name=\"j\" " + bounds +
      "/><geom size=\".1\"/><site name=\"q\"/><body><joint name=\"k\"/><geom size=\".1\"/>"
      "<site name=\"r\" pos=\"1 0 0\"/></body></body></worldbody><tendon><fixed name=\"t\">"
      "<joint joint=\"j\" coef=\"1\"/><joint joint=\"k\" coef=\"1\"/></fixed>"
      "<spatial name=\"s\"><site site=\"p\"/><site site=\"r\"/></spatial>"
      "<spatial name=\"above\"><site site=\"q\"/><site site=\"r\"/></spatial></tendon><actuator>" +
      actuators + "</actuator></mujoco>");
  EXPECT_TRUE(read) << read.diagnostics().toString();
  return countRemarks(read.diagnostics().omissions(), Severity::Warning, part);
}

TEST(BadMjcf, ForcesThatLoseTheirBoundsAreOmissions) {
  const std::string range = "actuatorfrcrange=\"-1 1\"", ofJoints = "actuatorfrcrange of joints";
  EXPECT_EQ(countOmissions(range, "<position tendon=\"t\"/>", ofJoints), 1);
  EXPECT_EQ(countOmissions(range, "<motor tendon=\"s\"/>", ofJoints), 1);
  EXPECT_EQ(countOmissions(range, "<motor tendon=\"above\"/>", ofJoints), 0);  // j does not move it
  EXPECT_EQ(countOmissions(range, "<motor tendon=\"t\"/>", ofJoints), 0);
  EXPECT_EQ(countOmissions("", "<position tendon=\"t\"/><motor tendon=\"s\"/>", ofJoints), 0);
  const std::string servo = "<position joint=\"j\" forcerange=\"-1 1\"/>",
                    motor = "<motor tendon=\"t\"/>", sum = "their sum is bounded";
  EXPECT_EQ(countOmissions("", servo + motor, sum), 1);
  EXPECT_EQ(countOmissions("", motor + servo, sum), 1);
  EXPECT_EQ(countOmissions("", motor + motor, sum), 0);
  EXPECT_EQ(countOmissions("", "<motor joint=\"j\" damping=\"1 2\"/>", "damping of higher order"),
            1);
}

/// A Warning about what acts in MuJoCo and not here.
void expectOmission(const std::string& inside, int line, const std::string& part) {
  SCOPED_TRACE(inside);
  const auto read = loadWorld("<mujoco>\n" + inside + "\n</mujoco>");
  ASSERT_TRUE(read) << read.diagnostics().toString();
  expectRemark(read.diagnostics().omissions(), Severity::Warning, line, part);
}

TEST(BadMjcf, FeaturesThatActAndAreNotReadAreOmissions) {
  expectOmission(body("<flexcomp name=\"f\"/>"), 3, "<flexcomp> is left out");
  expectOmission(body("<composite/>"), 3, "<composite> is left out");
  expectOmission(body("<plugin/>"), 3, "<plugin> is left out");
  expectOmission(body("<geom type=\"sdf\"/>"), 3, "type sdf");
  const std::string points = "<asset><mesh name=\"m\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\"/></asset>";
  expectOmission(points + body("<geom type=\"sdf\" mesh=\"m\"/>"), 3,
                 "collides as the convex hull");
  expectOmission(body("<geom type=\"ellipsoid\" size=\".1 .2 .3\" shellinertia=\"true\"/>"), 3,
                 "it is a shell");
  expectOmission(body("<joint damping=\"1 2\"/>"), 3, "damping of higher order");
  expectOmission(body("<joint springyield=\".1\"/>"), 3, "<joint springyield>");
  expectOmission(body("<geom size=\".1\" adhesion=\"2\"/>"), 3, "<geom adhesion>");
  expectOmission(body("<frame scale=\"2\"/>"), 3, "<frame scale>");
  expectOmission(body("") + "<deformable>\n<skin/><flex/></deformable>", 3, "<flex> is left out");
  expectOmission(body("") + "<equality><joint joint1=\"j\"/></equality>", 3, "holds one joint");
  expectOmission(body("") + "<equality><flex/></equality>", 3, "<flex>");
  expectOmission(body("<frejoint/>"), 3, "<frejoint> is not known");
  expectOmission(body("<joint actuatorgravcomp=\"true\" actuatorfrcrange=\"-1 1\"/>"), 3,
                 "bounds its actuators alone");
  const std::string free = "<worldbody><body>\n<freejoint align=\"true\"/><geom size=\".1\"/>";
  expectOmission(free + "</body></worldbody>", 3, "align");
  expectOmission("<compiler alignfree=\"true\"/>" + body(""), 2, "alignfree");
  const std::string ellipsoid = "<geom size=\".1\" fluidshape=\"ellipsoid\"/>";
  expectOmission("<option viscosity=\"1\"/>" + body(ellipsoid), 3, "of a fluid on ellipsoids");
  expectOmission("<option><flag filterparent=\"disable\"/></option>" + body(""), 2,
                 "'filterparent'");
  expectOmission("<option><flag override=\"enable\"/></option>" + body(""), 2, "'override'");
  const auto looks = loadWorld("<mujoco>" + body("<camera/><light/>") +
                               "<deformable><skin/></deformable><visual/><statistic/></mujoco>");
  ASSERT_TRUE(looks);
  EXPECT_TRUE(looks.diagnostics().omissions().all().empty()) << looks.diagnostics().toString();
}

TEST(BadMjcf, Contacts) {
  const auto contact = [](const std::string& inside) {
    return body("<geom name=\"g\" size=\".1\"/>") + "<contact>\n" + inside + "</contact>";
  };
  expectError(contact("<pair geom1=\"g\" geom2=\"none\"/>"), 4, "no geom 'none'");
  expectError(contact("<pair geom1=\"g\" geom2=\"g\"/>"), 4, "one geom twice");
  expectError(contact("<pair geom1=\"g\" geom2=\"g\" condim=\"2\"/>"), 4, "one geom twice");
  expectError(body("<geom name=\"g\" size=\".1\"/>\n<geom name=\"g\" size=\".1\"/>"), 4,
              "two geoms 'g'");
}

TEST(BadMjcf, HeightFields) {
  const auto field = [](const std::string& attributes) {
    return "<asset>\n<hfield name=\"h\" " + attributes +
           "/></asset><worldbody><body><joint/><geom size=\".1\"/></body><geom type=\"hfield\" "
           "hfield=\"h\"/></worldbody>";
  };
  expectError(field("nrow=\"2\" ncol=\"2\""), 3, "no size above zero");
  expectError(field("size=\"1 1 1 1\""), 3, "0 rows and 0 columns");
  expectError(field("size=\"1 1 1 1\" nrow=\"2\" ncol=\"2\" elevation=\"1 2 3\""), 3,
              "3 numbers in elevation");
  expectError(field("size=\"1 1 1 1\" file=\"nowhere.png\""), 3, "was not found");
  expectError(
      "<worldbody><body><joint/><geom size=\".1\"/></body>\n<geom type=\"hfield\" "
      "hfield=\"none\"/></worldbody>",
      3, "no height field 'none'");
  const TestFolder folder;
  folder.write("h.bin", "abcdefgh");
  const std::string file =
      folder.write("m.xml", "<mujoco>" + field("size=\"1 1 1 1\" file=\"h.bin\"") + "</mujoco>");
  const auto bad = loadWorld(file);
  ASSERT_FALSE(bad);
  expectRemark(bad.diagnostics(), Severity::Error, 2, "rows and", file);
}

TEST(BadMjcf, CopiesAndAttachedModels) {
  expectError(body("<replicate/>"), 3, "no count above zero");
  expectError(body("<attach model=\"m\" body=\"b\" prefix=\"p\"/>"), 3, "no model 'm'");
  expectError("<asset><model file=\"nowhere.xml\"/></asset>" + body(""), 2, "cannot be read");
  expectError(body("<replicate count=\"2000\"><replicate count=\"2000\"><replicate "
                   "count=\"2000\"><geom size=\".1\"/></replicate></replicate></replicate>"),
              3, "with the copies of this element");
  const TestFolder folder;
  folder.write("kid.xml",
               "<mujoco model=\"kid\"><worldbody><body name=\"b\"/></worldbody></mujoco>");
  const std::string file = folder.write(
      "m.xml", "<mujoco><asset><model file=\"kid.xml\"/></asset>" +
                   body("<attach model=\"kid\" body=\"c\" prefix=\"p\"/>") + "</mujoco>");
  const auto bad = loadRobot(file);
  ASSERT_FALSE(bad);
  expectRemark(bad.diagnostics(), Severity::Error, 2, "no body 'c'", file);
}

/// What a check of the whole robot says names the included file where the line is.
TEST(BadMjcf, LinesOfIncludedFiles) {
  const TestFolder folder;
  const std::string hand =
      folder.write("hand.xml",
                   "<mujocoinclude>\n<body name=\"hand\"><joint name=\"wrist\" axis=\"0 0 0\"/>\n"
                   "<geom size=\".1\"/></body></mujocoinclude>");
  const std::string file = folder.write(
      "arm.xml",
      "<mujoco><worldbody><body name=\"arm\"><joint name=\"elbow\"/><geom size=\".1\"/>"
      "<include file=\"hand.xml\"/></body></worldbody></mujoco>");
  for (const Diagnostics& said : {loadRobot(file).diagnostics(), loadWorld(file).diagnostics()}) {
    expectRemark(said, Severity::Error, 2, "joint 'wrist' has a zero axis", hand);
  }
}

TEST(BadMjcf, ATieToAMocapBodyIsAnOmissionWhereAKeyframeMovesThat) {
  const auto tie = [](const std::string& key) {
    return "<worldbody><body name=\"t\" mocap=\"true\" pos=\"0 0 1\"/><body name=\"a\" pos=\"0 0 "
           "1\">"
           "<freejoint/><geom size=\".1\"/></body></worldbody>\n<equality><weld body1=\"t\" "
           "body2=\"a\"/></equality><keyframe><key " +
           key + "/></keyframe>";
  };
  expectWarning(tie(""), 3, "ties to a mocap body");
  expectWarning(tie("mpos=\"0 0 1\""), 3, "ties to a mocap body");
  const auto same = loadWorld("<mujoco>" + tie("mpos=\"0 0 1\"") + "</mujoco>");
  ASSERT_TRUE(same) << same.diagnostics().toString();
  EXPECT_EQ(countRemarks(same.diagnostics().omissions(), Severity::Warning, "mocap"), 0);
  expectOmission(tie("mpos=\"0 0 2\""), 3, "ties to a mocap body");
  expectOmission(tie("mquat=\"0 0 1 0\""), 3, "ties to a mocap body");
}

/// MuJoCo refuses all of them.
TEST(BadMjcf, AttributesThatMujocoDoesNotKnowAreWarnings) {
  const std::string part = "'wrong' is not known";
  for (const std::string tag : {"joint", "geom", "site", "pair", "equality", "tendon", "motor",
                                "position", "mesh", "muscle"}) {
    const std::string wrong = "<default>\n<" + tag + " wrong=\"1\"/></default>";
    expectWarning(wrong + body(""), 3, part);
  }
  expectWarning("<default>\n<wheel/></default>" + body(""), 3, "<wheel> is not known");
  expectWarning(body("<site name=\"s\" wrong=\"1\"/>"), 3, part);
  expectWarning("<option>\n<flag wrong=\"enable\"/></option>" + body(""), 3, part);
  expectError("<option>\n<flag gravity=\"off\"/></option>" + body(""), 3,
              "<flag gravity> is 'off'");
  const std::string sites = body("<site name=\"s\"/><geom name=\"g\" size=\".1\"/>");
  const auto spatial = [&](const std::string& inside) {
    return sites + "<tendon><spatial><site site=\"s\"/>\n" + inside +
           "<site site=\"s\"/></spatial>" + "</tendon>";
  };
  expectWarning(spatial("<site site=\"s\" wrong=\"1\"/>"), 4, part);
  expectWarning(spatial("<geom geom=\"g\" wrong=\"1\"/>"), 4, part);
  expectWarning(spatial("<pulley wrong=\"1\"/><site site=\"s\"/>"), 4, part);
  expectWarning(
      sites + "<tendon><fixed>\n<joint joint=\"j\" coef=\"1\" wrong=\"1\"/></fixed></tendon>", 4,
      part);
  expectWarning(sites + "<tendon>\n<wheel/></tendon>", 4, "<wheel> is not known");
  expectWarning(sites + "\n<contact wrong=\"1\"/>", 4, part);
  const auto actuator = [](const std::string& tag) {
    return body("") + "<actuator>\n" + tag + "</actuator>";
  };
  expectWarning(actuator("<motor joint=\"j\" wrong=\"1\"/>"), 4, part);
  expectWarning(actuator("<motor joint=\"j\" kp=\"1\"/>"), 4, "'kp' is not known");
  expectOmission(actuator("<motor joint=\"j\" delay=\".01\" nsample=\"10\"/>"), 4, "<motor delay>");
  expectError(actuator("<motor name=\"m\" joint=\"j\"/>\n<position name=\"m\" joint=\"j\"/>"), 5,
              "two actuators 'm'");
}

TEST(BadMjcf, UnreadFeaturesAreReportedOnce) {
  expectWarning(body("<geom size=\".1\" colour=\"red\"/>"), 3, "'colour' is not known");
  expectWarning(body("<wheel/>"), 3, "<wheel> is not known");
  const auto actuator = [](const std::string& tag) {
    return body("") + "<actuator>" + tag + "</actuator>";
  };
  expectOmission(actuator("<muscle joint=\"j\"/>"), 3, "<muscle>");
  expectOmission(actuator("<adhesion body=\"a\"/>"), 3, "<adhesion>");
  expectOmission(actuator("<dcmotor joint=\"j\"/>"), 3, "<dcmotor>");
  expectOmission(actuator("<motor site=\"s\"/>"), 3, "neither a joint nor a tendon");
  expectOmission(actuator("<position joint=\"j\" kp=\"-1\"/>"), 3, "pushes away");
  expectOmission(actuator("<position joint=\"j\" forcerange=\"-1 1\"/><motor joint=\"j\"/>"), 3,
                 "their sum is bounded");
  // A state that the actuator has at the start, and would keep in MuJoCo, is no omission.
  const auto told = [&](const std::string& tag, const std::string& ctrl) {
    return actuator(tag) + "<keyframe><key ctrl=\"" + ctrl + "\"/></keyframe>";
  };
  expectWarning(told("<intvelocity joint=\"j\"/>", "0"), 3, "integrates its control");
  expectOmission(told("<intvelocity joint=\"j\"/>", "1"), 3, "integrates its control");
  expectWarning(told("<position joint=\"j\" timeconst=\".1\"/>", "0"), 3, "acts at once");
  expectOmission(told("<position joint=\"j\" timeconst=\".1\"/>", "1"), 3, "acts at once");
  const auto twice = loadRobot("<mujoco>" + body("<flexcomp/><flexcomp/>") + "</mujoco>");
  EXPECT_EQ(countRemarks(twice.diagnostics(), Severity::Warning, "flexcomp"), 1);
}

}  // namespace
}  // namespace espalier::io

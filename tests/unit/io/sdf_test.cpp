// Gazebo's files: models, their loops, worlds; and what is wrong with them.

#include "espalier/io/sdf/sdf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "espalier/io/urdf/urdf.h"
#include "espalier/io/world_xml/world_xml.h"
#include "espalier/model/model.h"
#include "remarks.h"

namespace espalier::io {
namespace {

std::string sdf(const std::string& inside, const std::string& version = "1.7") {
  return "<sdf version=\"" + version + "\">\n<model name=\"m\">\n" + inside + "</model></sdf>";
}
std::string link(const std::string& name, const std::string& pose = "0 0 0 0 0 0",
                 const std::string& more = "") {
  return "<link name=\"" + name + "\"><pose>" + pose + "</pose><inertial><mass>1</mass><inertia>" +
         "<ixx>.1</ixx><iyy>.1</iyy><izz>.1</izz></inertia></inertial>" + more + "</link>\n";
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& more = "") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent>" + parent +
         "</parent><child>" + child + "</child>" + more + "</joint>\n";
}
std::string axis(const std::string& xyz, const std::string& more = "") {
  return "<axis><xyz>" + xyz + "</xyz>" + more + "</axis>";
}

SystemSpec robot(const std::string& text) {
  auto spec = loadRobot(text);
  EXPECT_TRUE(spec) << spec.diagnostics().toString();
  return spec ? *spec : SystemSpec{};
}

void expectError(const std::string& inside, int line, const std::string& part) {
  SCOPED_TRACE(inside);
  const auto spec = loadRobot(sdf(inside));
  ASSERT_FALSE(spec);
  expectRemark(spec.diagnostics(), Severity::Error, line, part);
}

TEST(Sdf, AVelocityLimitOfZeroIsNone) {
  const auto spec = loadRobot(
      sdf(link("a") + link("b") +
          joint("j", "revolute", "a", "b",
                axis("0 0 1", "<limit><velocity>0</velocity><effort>0</effort></limit>"))));
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  expectRemark(spec.diagnostics(), Severity::Warning, 5,
               "<velocity> is zero and is read as no limit");
  EXPECT_EQ(spec->joints[0].limits.velocity, unlimited);
  EXPECT_EQ(spec->joints[0].limits.effort, 0) << "nothing drives it";
}

TEST(Sdf, Ellipsoids) {
  const std::string begin = "<collision name=\"c\"><geometry><ellipsoid>",
                    end = "</ellipsoid></geometry></collision>";
  const SystemSpec spec =
      robot(sdf(link("a", "0 0 0 0 0 0", begin + "<radii>.1 .2 .3</radii>" + end)));
  const Vec3d r = std::get<EllipsoidShape>(spec.links.at(0).collisions.at(0).shape).radii;
  EXPECT_EQ(r.x, 0.1);
  EXPECT_EQ(r.y, 0.2);
  EXPECT_EQ(r.z, 0.3);
  expectError(link("a", "0 0 0 0 0 0", begin + "<radii>.1 0 .3</radii>" + end), 3,
              "no radii above zero");
}

TEST(Sdf, AJointInItsChild) {
  const SystemSpec spec = robot(
      sdf("<pose>0 0 9 0 0 0</pose>" + link("a", "0 0 1 0 0 0") + link("b", "1 0 1 0 0 0") +
          joint("j", "revolute", "a", "b",
                "<pose>0 0 .5 0 0 1.5707963267948966</pose>" +
                    axis("1 0 0",
                         "<limit><lower>-1</lower><upper>1e16</upper><effort>-1</effort></limit>"
                         "<dynamics><damping>.1</damping><friction>.2</friction>"
                         "<spring_stiffness>3</spring_stiffness>"
                         "<spring_reference>.4</spring_reference></dynamics>"))));
  EXPECT_EQ(spec.X_WB.p.z, 10);
  ASSERT_EQ(spec.joints.size(), 1u);
  const JointSpec& j = spec.joints[0];
  EXPECT_NEAR(j.X_PJ.p.x, 1, 1e-15);
  EXPECT_NEAR(j.X_PJ.p.z, 0.5, 1e-15);
  EXPECT_NEAR(j.X_PJ.R.r1.x, 1, 1e-15);  // turned a quarter about z
  EXPECT_EQ(j.limits.lower, -1);
  EXPECT_EQ(j.limits.upper, unlimited);
  EXPECT_EQ(j.limits.effort, unlimited);
  EXPECT_EQ(j.dynamics.damping, 0.1);
  EXPECT_EQ(j.dynamics.friction, 0.2);
  EXPECT_EQ(j.dynamics.springMount, std::vector<double>{0.4});
  // The link's frame is the joint's; the file's lies half a metre below.
  EXPECT_NEAR(spec.links[1].inertial->X_LC.p.z, -0.5, 1e-15);
}

TEST(Sdf, AxesOfAllVersions) {
  // The child is turned a quarter about z: its y is -x of the model.
  const std::string links = link("a") + link("b", "0 0 0 0 0 1.5707963267948966");
  const auto axisOf = [&](const std::string& version, const std::string& text) {
    return robot(sdf(links + joint("j", "revolute", "a", "b", text), version)).joints.at(0).axes[0];
  };
  EXPECT_NEAR(axisOf("1.7", axis("1 0 0")).x, 1, 1e-15);
  EXPECT_NEAR(axisOf("1.4", axis("1 0 0")).y, -1, 1e-15);
  EXPECT_NEAR(axisOf("1.5", axis("1 0 0", "<use_parent_model_frame>1</use_parent_model_frame>")).y,
              -1, 1e-15);
  EXPECT_NEAR(axisOf("1.10", "<axis><xyz expressed_in=\"__model__\">1 0 0</xyz></axis>").y, -1,
              1e-15);
  EXPECT_NEAR(axisOf("1.7", "<axis><xyz expressed_in=\"a\">0 1 0</xyz></axis>").x, 1, 1e-15);
}

TEST(Sdf, FramesRelativeToFrames) {
  const SystemSpec spec = robot(
      sdf("<frame name=\"f\" attached_to=\"a\"><pose>0 2 0 0 0 0</pose></frame>" +
          link("a", "1 0 0 0 0 0") +
          "<link name=\"b\"><pose relative_to=\"f\" degrees=\"true\">0 0 3 0 0 90</pose></link>" +
          joint("j", "revolute", "a", "b", "<pose relative_to=\"f\"/>" + axis("0 0 1"))));
  EXPECT_NEAR(spec.joints.at(0).X_PJ.p.y, 2, 1e-15);
  EXPECT_NEAR(spec.links.at(1).inertial->mass, 1, 1e-15);
  EXPECT_NEAR(spec.links[1].inertial->X_LC.p.z, 3, 1e-15);
  EXPECT_NEAR(spec.links[1].inertial->X_LC.R.r1.x, 1, 1e-15);
}

TEST(Sdf, ANestedModelIsPlacedByItsPlacementFrame) {
  const auto text = [](const std::string& frame) {
    return link("a") + "<model name=\"n\" placement_frame=\"" + frame +
           "\">\n<pose>1 0 0 0 0 0</pose><frame name=\"f\"><pose relative_to=\"b\">0 0 2 0 0 "
           "0</pose>" +
           "</frame>" + link("b", "0 .5 0 0 0 1.5707963267948966") + "</model>" +
           joint("j", "revolute", "a", "n::b", axis("0 0 1"));
  };
  const Transformd onLink = robot(sdf(text("b"))).joints.at(0).X_PJ;
  EXPECT_NEAR(onLink.p.x, 1, 1e-15);
  EXPECT_NEAR(onLink.p.y, 0, 1e-15);
  EXPECT_NEAR(onLink.R.r0.x, 1, 1e-15);
  EXPECT_NEAR(robot(sdf(text("f"))).joints.at(0).X_PJ.p.z, -2, 1e-15);
  expectError(text("none"), 4, "placement_frame 'none' does not exist");
}

TEST(Sdf, JointsNameFramesAndModelsInPlaceOfLinks) {
  const std::string frames =
      "<frame name=\"f\" attached_to=\"a\"><pose>0 .2 0 0 0 0</pose></frame>"
      "<frame name=\"g\" attached_to=\"f\"/>"
      "<model name=\"n\"><pose>1 0 0 0 0 0</pose>" +
      link("b", "0 .5 0 0 0 0") + link("c", "0 .5 0 0 0 0") + "</model>";
  const SystemSpec spec = robot(sdf(link("a") + frames + joint("w", "fixed", "world", "__model__") +
                                    joint("j", "revolute", "g", "n", axis("0 0 1")) +
                                    joint("k", "revolute", "n::b", "n::c", axis("0 0 1"))));
  ASSERT_EQ(spec.joints.size(), 3u);
  EXPECT_EQ(spec.joints[0].child, "a");
  EXPECT_EQ(spec.joints[1].parent, "a");
  EXPECT_EQ(spec.joints[1].child, "n::b");
  EXPECT_NEAR(spec.joints[1].X_PJ.p.x, 1, 1e-15);  // in the frame of the nested model
  EXPECT_NEAR(spec.joints[1].X_PJ.p.y, 0, 1e-15);
  EXPECT_NEAR(spec.joints[2].X_PJ.p.y, 0.5, 1e-15);
  expectError(link("a") + joint("j", "fixed", "a", "x"), 4, "the link 'x', which does not exist");
}

TEST(Sdf, PartsOfALinkArePlacedRelativeToFrames) {
  const auto text = [](const std::string& frame) {
    return "<frame name=\"f\"><pose>0 2 0 0 0 0</pose></frame>" +
           link("a", "1 0 0 0 0 1.5707963267948966",
                "<collision name=\"c\"><pose relative_to=\"" + frame +
                    "\">0 0 3 0 0 0</pose><geometry><sphere><radius>.1</radius></sphere></geometry>"
                    "</collision>");
  };
  const Vec3d p = robot(sdf(text("f"))).links.at(0).collisions.at(0).X_LG.p;
  EXPECT_NEAR(p.x, 2, 1e-15);
  EXPECT_NEAR(p.y, 1, 1e-15);
  EXPECT_NEAR(p.z, 3, 1e-15);
  EXPECT_NEAR(robot(sdf(text("__model__"))).links.at(0).collisions.at(0).X_LG.p.y, 1, 1e-15);
  EXPECT_NEAR(robot(sdf(text("a"))).links.at(0).collisions.at(0).X_LG.p.y, 0, 1e-15);
  expectError(text("none"), 3, "placed relative to 'none'");
}

TEST(Sdf, KindsOfJoints) {
  const auto kindOf = [&](const std::string& type, const std::string& more = "") {
    return robot(sdf(link("a") + link("b") + joint("j", type, "a", "b", more))).joints.at(0);
  };
  EXPECT_EQ(kindOf("continuous").kind, JointKind::Revolute);
  EXPECT_EQ(kindOf("prismatic").kind, JointKind::Prismatic);
  EXPECT_EQ(kindOf("ball").kind, JointKind::Spherical);
  EXPECT_EQ(kindOf("fixed").kind, JointKind::Fixed);
  const JointSpec universal =
      kindOf("universal", axis("1 0 0") + "<axis2><xyz>0 1 0</xyz></axis2>");
  EXPECT_EQ(universal.kind, JointKind::Universal);
  EXPECT_EQ(universal.axes[1].y, 1);
  const JointSpec screw = kindOf("screw", "<screw_thread_pitch>.02</screw_thread_pitch>");
  EXPECT_EQ(screw.kind, JointKind::Helical);
  EXPECT_NEAR(screw.pitch, 0.02 / (2 * std::numbers::pi), 1e-17);
  EXPECT_NEAR(kindOf("screw", "<thread_pitch>-100</thread_pitch>").pitch, 0.01, 1e-17);
}

TEST(Sdf, BothAxesOfAUniversalJointKeepTheirOwnLimits) {
  const auto with = [](const std::string& first, const std::string& second) {
    return robot(
        sdf(link("a") + link("b", "0 .5 0 0 0 0") +
            joint("j", "universal", "a", "b",
                  axis("1 0 0", first) + "<axis2><xyz>0 1 0</xyz>" + second + "</axis2>")));
  };
  const std::string limit = "<limit><lower>-.1</lower><upper>.1</upper></limit>";
  const SystemSpec same = with(limit, limit);
  ASSERT_EQ(same.joints.size(), 1u);
  EXPECT_EQ(same.joints[0].limits.upper, 0.1);
  const SystemSpec spec = with(
      limit + "<dynamics><damping>1</damping></dynamics>",
      "<limit><lower>-1</lower><upper>2</upper></limit><dynamics><damping>7</damping>"
      "<spring_stiffness>3</spring_stiffness><spring_reference>.2</spring_reference></dynamics>");
  ASSERT_EQ(spec.joints.size(), 2u);
  EXPECT_EQ(spec.joints[0].kind, JointKind::Revolute);
  EXPECT_EQ(spec.joints[0].axes[0].x, 1);
  EXPECT_EQ(spec.joints[0].limits.upper, 0.1);
  EXPECT_EQ(spec.joints[0].dynamics.damping, 1);
  EXPECT_NEAR(spec.joints[0].X_PJ.p.y, 0.5, 1e-15);
  EXPECT_EQ(spec.joints[1].name, "j:axis2");
  EXPECT_EQ(spec.joints[1].parent, spec.joints[0].child);
  EXPECT_EQ(spec.joints[1].child, "b");
  EXPECT_EQ(spec.joints[1].axes[0].y, 1);
  EXPECT_EQ(spec.joints[1].limits.upper, 2);
  EXPECT_EQ(spec.joints[1].dynamics.damping, 7);
  EXPECT_EQ(spec.joints[1].dynamics.springMount, std::vector<double>{0.2});
  EXPECT_EQ(norm(spec.joints[1].X_PJ.p), 0);
  const auto model = compile(spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
}

const std::string four_links =
    link("a") + link("b", "1 0 0 0 0 0") + link("c", "1 1 0 0 0 0") + link("d", "0 1 0 0 0 0");

TEST(Sdf, TheJointThatClosesARingIsALoop) {
  const SystemSpec spec =
      robot(sdf(four_links + joint("ab", "revolute", "a", "b", axis("0 0 1")) +
                joint("bc", "revolute", "b", "c", axis("0 0 1")) +
                joint("ad", "revolute", "a", "d", axis("0 0 1")) +
                joint("dc", "revolute", "d", "c", "<pose>0 0 .1 0 0 0</pose>" + axis("0 0 1"))));
  ASSERT_EQ(spec.joints.size(), 3u);
  ASSERT_EQ(spec.loops.size(), 1u);
  const LoopSpec& loop = spec.loops[0];
  EXPECT_EQ(loop.name, "dc");
  EXPECT_EQ(loop.kind, LoopKind::REVOLUTE);
  EXPECT_EQ(loop.predecessor, "d");
  EXPECT_EQ(loop.successor, "c");
  EXPECT_NEAR(loop.X_PA.p.x, 1, 1e-15);
  EXPECT_NEAR(loop.X_PA.p.z, 0.1, 1e-15);
  EXPECT_NEAR(loop.X_SB.p.z, 0.1, 1e-15);
  EXPECT_EQ(loop.axis.z, 1);
}

TEST(Sdf, ARingAllOneWayAndAJointTheOtherWay) {
  const SystemSpec ring =
      robot(sdf(four_links + joint("ab", "revolute", "a", "b") + joint("bc", "revolute", "b", "c") +
                joint("cd", "revolute", "c", "d") + joint("da", "ball", "d", "a")));
  EXPECT_EQ(ring.joints.size(), 3u);
  ASSERT_EQ(ring.loops.size(), 1u);
  EXPECT_EQ(ring.loops[0].kind, LoopKind::POINT);
  // c is b's already, and d has no parent: d hangs from c, its axis the other way.
  const SystemSpec turned =
      robot(sdf(four_links + joint("ab", "revolute", "a", "b") + joint("bc", "revolute", "b", "c") +
                joint("dc", "revolute", "d", "c", "<pose>-1 0 0 0 0 0</pose>" + axis("0 0 1"))));
  ASSERT_EQ(turned.joints.size(), 3u);
  EXPECT_TRUE(turned.loops.empty());
  EXPECT_EQ(turned.joints[2].parent, "c");
  EXPECT_EQ(turned.joints[2].child, "d");
  EXPECT_EQ(turned.joints[2].axes[0].z, -1);
  EXPECT_NEAR(turned.joints[2].X_PJ.p.x, -1, 1e-15);
}

TEST(Sdf, TreesSideBySideFloat) {
  const SystemSpec spec = robot(
      sdf(four_links + joint("ab", "revolute", "a", "b") + joint("cd", "revolute", "c", "d")));
  ASSERT_EQ(spec.joints.size(), 4u);
  EXPECT_EQ(spec.joints[2].kind, JointKind::Floating);
  EXPECT_EQ(spec.joints[2].parent, "world");
  EXPECT_EQ(spec.joints[3].X_PJ.p.y, 1);
  const SystemSpec held = robot(sdf(link("a", "0 0 1 0 0 0") + joint("w", "fixed", "world", "a")));
  ASSERT_EQ(held.joints.size(), 1u);
  EXPECT_EQ(held.joints[0].parent, "world");
  EXPECT_EQ(held.joints[0].X_PJ.p.z, 1);
}

TEST(Sdf, LinksOfAModelDoNotCollideUnlessAsked) {
  const std::string ball =
      "<collision name=\"c\"><pose>0 0 1 0 0 0</pose><geometry><sphere><radius>.1</radius>"
      "</sphere></geometry><surface><friction><ode><mu>.3</mu></ode></friction></surface>"
      "</collision>";
  const std::string links = link("a", "0 0 0 0 0 0", ball) + link("b", "0 0 0 0 0 0", ball);
  const std::string model = links + joint("j", "revolute", "a", "b");
  EXPECT_FALSE(robot(sdf(model)).selfCollides);
  const SystemSpec spec = robot(sdf("<self_collide>true</self_collide>" + model));
  EXPECT_TRUE(spec.selfCollides);
  EXPECT_EQ(spec.links[0].collisions.at(0).X_LG.p.z, 1);
  EXPECT_EQ(spec.links[0].collisions[0].material, "friction 0.3");
}

TEST(Sdf, AWorld) {
  const std::string box =
      "<collision name=\"c\"><geometry><box><size>1 2 3</size></box></geometry></collision>";
  const auto world = loadWorld(
      "<sdf version=\"1.6\"><world name=\"w\"><gravity>0 0 -2</gravity><physics type=\"ode\">"
      "<max_step_size>.002</max_step_size></physics>"
      "<model name=\"ground\"><static>true</static><pose>0 0 -1 0 0 0</pose>" +
      link("l", "0 0 .5 0 0 0", box) + "</model><model name=\"crate\">" +
      link("l", "0 0 4 0 0 0", box) + "</model><model name=\"robot\">" + link("a") + link("b") +
      joint("j", "revolute", "a", "b") + "</model></world></sdf>");
  ASSERT_TRUE(world) << world.diagnostics().toString();
  EXPECT_EQ(world->gravity.z, -2);
  EXPECT_EQ(world->timeStep, 0.002);
  ASSERT_EQ(world->bodies.size(), 2u);
  EXPECT_EQ(world->bodies[0].type, BodyType::STATIC);
  EXPECT_EQ(world->bodies[0].X_WB.p.z, -1);
  EXPECT_EQ(world->bodies[0].collisions.at(0).X_LG.p.z, 0.5);
  EXPECT_EQ(world->bodies[1].X_WB.p.z, 4);
  ASSERT_EQ(world->systems.size(), 1u);
  EXPECT_EQ(world->systems[0].system.name, "robot");
}

TEST(Sdf, ModelsArePlacedRelativeToFramesAndModelsOfTheWorld) {
  const auto text = [](const std::string& frame) {
    return "<sdf version=\"1.9\"><world name=\"w\"><model name=\"m\"><pose relative_to=\"" + frame +
           "\">0 0 1 0 0 0</pose>" + link("l") +
           "</model><frame name=\"f\"><pose>1 0 0 0 0 "
           "1.5707963267948966</pose></frame><model name=\"k\" placement_frame=\"l\"><pose "
           "relative_to=\"f\">2 0 0 0 0 0</pose>" +
           link("l", "0 0 5 0 0 0") + "</model></world></sdf>";
  };
  const auto world = loadWorld(text("k"));
  ASSERT_TRUE(world) << world.diagnostics().toString();
  const Vec3d p = world->bodies.at(0).X_WB.p;
  EXPECT_NEAR(p.x, 1, 1e-15);
  EXPECT_NEAR(p.y, 2, 1e-15);
  EXPECT_NEAR(p.z, 1 - 5, 1e-15);  // k's own frame lies below its link
  EXPECT_NEAR(world->bodies.at(1).X_WB.p.z, 0, 1e-15);
  EXPECT_NEAR(robot(text("f")).X_WB.p.x, 1, 1e-15);
  const auto bad = loadWorld(text("none"));
  ASSERT_FALSE(bad);
  expectRemark(bad.diagnostics(), Severity::Error, 1, "placed relative to 'none'");
}

TEST(Sdf, Cassie) {
  const auto shared = sharedFolder();
  if (shared.empty()) GTEST_SKIP() << "ESPALIER_SHARED is not there";
  const auto spec = loadRobot((shared / "models/cassie/robots/cassie_v2.sdf").string());
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  EXPECT_EQ(spec->links.size(), 23u);
  EXPECT_EQ(spec->joints.size(), 22u);
  ASSERT_EQ(spec->loops.size(), 4u);
  int points = 0;
  for (const LoopSpec& loop : spec->loops) {
    EXPECT_TRUE(loop.kind == LoopKind::POINT || loop.kind == LoopKind::REVOLUTE);
    points += loop.kind == LoopKind::POINT;
  }
  EXPECT_EQ(points, 4);
  const auto model = compile(*spec);
  EXPECT_TRUE(model) << model.diagnostics().toString();
}

TEST(BadSdf, IsSaidWithItsLine) {
  expectError("", 2, "no links");
  expectError("<link name=\"a\"><pose>1 2 x</pose></link>", 3, "not 6 numbers");
  expectError(link("a") + link("a"), 4, "'a' is taken");
  expectError(link("a") + joint("j", "revolute", "a", "none"), 4, "'none', which does not exist");
  expectError(link("a") + joint("j", "revolute", "a", "a"), 4, "to itself");
  expectError(link("a") + link("b") + joint("j", "lump", "a", "b"), 5, "'lump'");
  expectError(link("a") + link("b") + joint("j", "revolute", "a", "b", axis("0 0 0")), 5,
              "zero axis");
  expectError("<link name=\"a\"><pose relative_to=\"none\">0 0 0 0 0 0</pose></link>", 3,
              "'none', which does not exist");
  expectError(
      "<frame name=\"f\"><pose relative_to=\"g\"/></frame>\n<frame name=\"g\">"
      "<pose relative_to=\"f\"/></frame><link name=\"a\"><pose relative_to=\"f\"/></link>",
      3, "relative to itself");
  expectError("<link name=\"a\"><collision><geometry><sphere/></geometry></collision></link>", 3,
              "no radius");
  expectError(
      "<link name=\"a\"><collision><geometry><sphere><radius>1</radius></sphere></geometry>"
      "<surface><contact><collide_bitmask>x</collide_bitmask></contact></surface>"
      "</collision></link>",
      3, "collide_bitmask");
  for (const char* text :
       {"<sdf>", "<sdf version=\"1.6\"/>", "<sdf version=\"x\"><model/></sdf>"}) {
    EXPECT_FALSE(loadRobot(text)) << text;
  }
}

TEST(BadSdf, UnreadFeaturesAreReported) {
  const auto spec = loadRobot(
      sdf("<link name=\"a\"><gravity>false</gravity>\n<visual name=\"v\"><geometry><cone/>"
          "</geometry></visual></link>\n<include><uri>model://sun</uri></include>" +
          link("b") + joint("g", "gearbox", "a", "b")));
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  expectRemark(spec.diagnostics(), Severity::Warning, 3, "weighs 1 kg");
  expectRemark(spec.diagnostics(), Severity::Warning, 3, "gravity");
  expectRemark(spec.diagnostics(), Severity::Warning, 4, "'cone'");
  expectRemark(spec.diagnostics(), Severity::Warning, 5, "<include>");
  expectRemark(spec.diagnostics(), Severity::Warning, 6, "gearbox");
}

}  // namespace
}  // namespace espalier::io

// What MuJoCo's files say, found in the Specs. M and h against MuJoCo itself: tests/peers.

#include "espalier/io/mjcf/mjcf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "espalier/io/urdf/urdf.h"
#include "espalier/io/world_xml/world_xml.h"
#include "espalier/model/model.h"
#include "folder.h"
#include "remarks.h"

namespace espalier::io {
namespace {

constexpr double degree = std::numbers::pi / 180;

std::string mujoco(const std::string& inside) { return "<mujoco>\n" + inside + "</mujoco>"; }
std::string worldBody(const std::string& inside) {
  return mujoco("<worldbody>" + inside + "</worldbody>");
}

SystemSpec robot(const std::string& text) {
  auto spec = loadRobot(text);
  EXPECT_TRUE(spec) << spec.diagnostics().toString();
  return spec ? *spec : SystemSpec{};
}
WorldSpec world(const std::string& text) {
  auto spec = loadWorld(text);
  EXPECT_TRUE(spec) << spec.diagnostics().toString();
  return spec ? *spec : WorldSpec{};
}

TEST(Mjcf, AHingeInTheWorld) {
  const SystemSpec spec = robot(worldBody(
      "<body name=\"arm\" pos=\"1 0 0\"><joint name=\"j\" axis=\"0 2 0\" pos=\"0 0 .5\" "
      "range=\"-90 45\" damping=\".1\" frictionloss=\".2\" armature=\".3\" stiffness=\"4\" "
      "springref=\"30\"/><geom size=\".1\" mass=\"2\"/></body>"));
  ASSERT_EQ(spec.joints.size(), 1u);
  const JointSpec& j = spec.joints[0];
  EXPECT_EQ(j.parent, "world");
  EXPECT_EQ(j.child, "arm");
  EXPECT_EQ(j.X_PJ.p.x, 1);
  EXPECT_EQ(j.X_PJ.p.z, 0.5);
  EXPECT_EQ(j.axes[0].y, 1);
  EXPECT_NEAR(j.limits.lower, -90 * degree, 1e-15);
  EXPECT_NEAR(j.limits.upper, 45 * degree, 1e-15);
  EXPECT_EQ(j.dynamics.damping, 0.1);
  EXPECT_EQ(j.dynamics.friction, 0.2);
  EXPECT_EQ(j.dynamics.rotorInertia, 0.3);
  EXPECT_EQ(j.dynamics.stiffness, 4);
  ASSERT_EQ(j.dynamics.springMount.size(), 1u);
  EXPECT_NEAR(j.dynamics.springMount[0], 30 * degree, 1e-15);
  // The link's frame is the joint's: the body lies half a metre below.
  ASSERT_EQ(spec.links.size(), 2u);
  EXPECT_EQ(spec.links[1].inertial->X_LC.p.z, -0.5);
  EXPECT_EQ(spec.links[1].inertial->mass, 2);
  EXPECT_EQ(spec.links[1].collisions[0].X_LG.p.z, -0.5);
}

TEST(Mjcf, SeveralJointsAreAChain) {
  const SystemSpec spec =
      robot(worldBody("<body name=\"a\"><joint name=\"a1\"/><geom size=\".1\"/><body name=\"b\">"
                      "<joint name=\"b1\" axis=\"1 0 0\"/><joint name=\"b2\" axis=\"0 1 0\" "
                      "pos=\"0 0 1\"/><geom size=\".1\"/></body></body>"));
  ASSERT_EQ(spec.joints.size(), 3u);
  EXPECT_EQ(spec.joints[1].child, "b:b1");
  EXPECT_EQ(spec.joints[2].parent, "b:b1");
  EXPECT_EQ(spec.joints[2].child, "b");
  EXPECT_EQ(spec.joints[2].X_PJ.p.z, 1);
  ASSERT_EQ(spec.ignoredPairs.size(), 1u);
  EXPECT_EQ(spec.ignoredPairs[0].first, "a");
  EXPECT_EQ(spec.ignoredPairs[0].second, "b");
  EXPECT_EQ(spec.ignoredPairs[0].reason, "neighbours in the tree");
}

TEST(Mjcf, NoLimitsWhereTheyAreOff) {
  const std::string body = "<body><joint {} range=\"-1 1\"/><geom size=\".1\"/></body>";
  const auto with = [&](const std::string& attributes, const std::string& compiler = "") {
    std::string text = body;
    text.replace(text.find("{}"), 2, attributes);
    return robot(mujoco(compiler + "<worldbody>" + text + "</worldbody>")).joints.at(0).limits;
  };
  EXPECT_NEAR(with("").upper, degree, 1e-15);
  EXPECT_EQ(with("type=\"slide\"").upper, 1);
  EXPECT_EQ(with("limited=\"false\"").upper, unlimited);
  EXPECT_EQ(with("", "<compiler autolimits=\"false\"/>").upper, unlimited);
  EXPECT_EQ(with("limited=\"true\"", "<compiler autolimits=\"false\" angle=\"radian\"/>").upper, 1);
}

/// As jnt_limited, jnt_actfrclimited and tendon_limited of MuJoCo 4.0.
TEST(Mjcf, ARangeThatDoesNotAscendIsNone) {
  const auto read = [](const std::string& range, const std::string& limited = "") {
    const std::string efforts = "actuatorfrcrange=\"" + range + "\"";
    return robot(
        mujoco("<default><joint range=\"-1 1\"/><tendon range=\"-1 1\"/></default><worldbody><body>"
               "<joint name=\"j\" range=\"" +
               range + "\" " + limited + " " + efforts +
               "/><geom size=\".1\"/></body></worldbody><tendon><fixed stiffness=\"1\" range=\"" +
               range + "\"><joint joint=\"j\" coef=\"1\"/></fixed></tendon>"));
  };
  for (const std::string range : {"0 0", "1 -1", "1 1"}) {
    SCOPED_TRACE(range);
    const SystemSpec spec = read(range);
    EXPECT_EQ(spec.joints.at(0).limits.lower, -unlimited);
    EXPECT_EQ(spec.joints[0].limits.upper, unlimited);
    EXPECT_EQ(spec.joints[0].limits.effort, unlimited);
    EXPECT_EQ(spec.tendons.at(0).lower, -unlimited);
    EXPECT_EQ(spec.tendons[0].upper, unlimited);
  }
  const SystemSpec spec = read("2 3");
  EXPECT_NEAR(spec.joints.at(0).limits.lower, 2 * degree, 1e-15);
  EXPECT_EQ(spec.joints[0].limits.effort, 3);
  EXPECT_EQ(spec.tendons.at(0).lower, 2);
}

TEST(Mjcf, ActuatorsLimitEfforts) {
  const SystemSpec spec = robot(
      mujoco("<default><motor ctrlrange=\"-1 .5\"/></default><worldbody><body><joint name=\"a\"/>"
             "<geom size=\".1\"/><body><joint name=\"b\" actuatorfrcrange=\"-3 3\"/>"
             "<geom size=\".1\"/><body><joint name=\"c\"/><geom size=\".1\"/></body></body></body>"
             "</worldbody><actuator><motor name=\"m\" joint=\"a\" gear=\"40\"/>"
             "<position name=\"p\" joint=\"b\" kp=\"7\" ctrllimited=\"false\" forcerange=\"-5 5\"/>"
             "</actuator>"));
  EXPECT_EQ(spec.joints[0].limits.effort, 40);
  EXPECT_EQ(spec.joints[1].limits.effort, 3);
  EXPECT_EQ(spec.joints[2].limits.effort, unlimited);
  ASSERT_EQ(spec.transmissions.size(), 2u);
  EXPECT_EQ(spec.transmissions[0].type, "motor");
  EXPECT_EQ(spec.transmissions[0].reduction, 40);
  EXPECT_EQ(spec.transmissions[1].joint, "b");
}

const std::string two_arms =
    "<worldbody><body name=\"a\"><joint name=\"ja\" axis=\"0 1 0\"/><geom size=\".1\"/>"
    "<site name=\"sa\" pos=\"0 0 1\"/></body>"
    "<body name=\"b\" pos=\"2 0 0\"><joint name=\"jb\" axis=\"0 1 0\" ref=\"10\"/>"
    "<geom size=\".1\"/><site name=\"sb\" pos=\"0 0 2\"/></body></worldbody>";

TEST(Mjcf, DisabledGroupsAndClampsOfActuatorsActAsThere) {
  const auto force = [](const std::string& option) {
    const WorldSpec spec = world(mujoco(
        option +
        "<worldbody><body><joint name=\"j\"/><geom size=\".1\"/></body></worldbody><actuator>"
        "<motor joint=\"j\" ctrlrange=\"-1 1\"/><motor joint=\"j\" group=\"2\"/></actuator>"
        "<keyframe><key ctrl=\"3 5\"/></keyframe>"));
    return spec.systems.at(0).system.joints.at(0).actuator->feedforward;
  };
  EXPECT_EQ(force(""), 6);
  EXPECT_EQ(force("<option><flag clampctrl=\"disable\"/></option>"), 8);
  EXPECT_EQ(force("<option actuatorgroupdisable=\"1 2\"/>"), 1);
}

TEST(Mjcf, WithoutSpringsAndDampersThereAreNoPassiveForces) {
  const auto read = [](const std::string& flags) {
    return robot(mujoco("<option density=\"1\"><flag " + flags +
                        "/></option><worldbody><body gravcomp=\"1\"><joint/>"
                        "<geom size=\".1\"/></body></worldbody>"));
  };
  const SystemSpec one = read("spring=\"disable\""),
                   both = read("spring=\"disable\" damper=\"disable\"");
  EXPECT_EQ(one.links.back().gravityCompensation, 1);
  EXPECT_TRUE(one.medium.acts());
  EXPECT_EQ(both.links.back().gravityCompensation, 0);
  EXPECT_FALSE(both.medium.acts());
}

/// Of two equal principal moments any axes are principal: drag is along the geom's, as in MuJoCo.
TEST(Mjcf, InAMediumTheOnlyGeomGivesThePrincipalAxes) {
  const SystemSpec spec = robot(
      mujoco("<option density=\"1\"/><worldbody><body><joint/><geom type=\"box\" size=\".1 .1 .1\" "
             "euler=\"10 20 30\" pos=\"1 0 0\"/></body></worldbody>"));
  const InertialSpec& inertial = *spec.links.back().inertial;
  const double half = 15 * degree;
  EXPECT_EQ(inertial.X_LC.p.x, 1);
  EXPECT_GT(std::abs(inertial.X_LC.R.r0.y), std::sin(half) / 2);
  for (const double product : {inertial.I.xy, inertial.I.xz, inertial.I.yz}) EXPECT_EQ(product, 0);
}

TEST(Mjcf, EqualitiesAreLoopsAndMimics) {
  const SystemSpec spec = robot(
      mujoco(two_arms + "<equality><connect body1=\"a\" body2=\"b\" anchor=\"1 0 3\"/>"
                        "<connect site1=\"sa\" site2=\"sb\"/>"
                        "<weld name=\"w\" body1=\"b\" relpose=\"1 2 3 1 0 0 0\"/>"
                        "<joint joint1=\"ja\" joint2=\"jb\" polycoef=\".5 2 0 0 0\"/>"
                        "<connect body1=\"a\" anchor=\"0 0 0\" active=\"false\"/></equality>"));
  ASSERT_EQ(spec.loops.size(), 3u);
  EXPECT_EQ(spec.loops[0].kind, LoopKind::POINT);
  EXPECT_EQ(spec.loops[0].predecessor, "a");
  EXPECT_EQ(spec.loops[0].successor, "b");
  EXPECT_NEAR(spec.loops[0].X_SB.p.x, -1, 1e-15);
  EXPECT_NEAR(spec.loops[0].X_SB.p.z, 3, 1e-15);
  EXPECT_EQ(spec.loops[1].X_PA.p.z, 1);
  EXPECT_EQ(spec.loops[1].X_SB.p.z, 2);
  EXPECT_EQ(spec.loops[2].kind, LoopKind::FIXED);
  EXPECT_EQ(spec.loops[2].successor, "world");
  EXPECT_EQ(spec.loops[2].X_PA.p.y, 2);
  ASSERT_TRUE(spec.joints[0].mimic);
  EXPECT_EQ(spec.joints[0].mimic->joint, "jb");
  EXPECT_EQ(spec.joints[0].mimic->multiplier, 2);
  EXPECT_NEAR(spec.joints[0].mimic->offset, 0.5 - 2 * 10 * degree, 1e-15);
}

/// As eq_data of MuJoCo 4.0: the anchor, in body2, is where relpose has it in body1.
TEST(Mjcf, AWeldHoldsTheAnchor) {
  const auto weld = [](const std::string& attributes) {
    const SystemSpec spec =
        robot(mujoco(two_arms + "<equality><weld body1=\"a\" body2=\"b\" anchor=\".1 .2 .3\" " +
                     attributes + "/></equality>"));
    return spec.loops.empty() ? LoopSpec{} : spec.loops[0];
  };
  const LoopSpec given = weld("relpose=\"1 0 0 1 0 0 0\"");
  EXPECT_EQ(given.X_PA.p.x, 1);
  EXPECT_EQ(given.X_SB.p.x, 0.1);
  EXPECT_EQ(given.X_SB.p.z, 0.3);
  for (const LoopSpec& drawn : {weld(""), weld("relpose=\"1 0 0 0 0 0 0\"")}) {
    EXPECT_NEAR(drawn.X_PA.p.x, 2.1, 1e-15);
    EXPECT_NEAR(drawn.X_PA.p.y, 0.2, 1e-15);
    EXPECT_EQ(drawn.X_SB.p.x, 0.1);
  }
  EXPECT_EQ(weld("torquescale=\".1\"").kind, LoopKind::FIXED);
  EXPECT_EQ(weld("torquescale=\"0\"").kind, LoopKind::POINT);
  EXPECT_EQ(weld("torquescale=\"0\"").X_SB.p.y, 0.2);
}

/// As site_xpos and site_xmat of MuJoCo 4.0.
TEST(Mjcf, ASiteLiesInTheMiddleOfItsFromto) {
  const SystemSpec spec =
      robot(mujoco("<default><site type=\"capsule\"/></default><worldbody><site name=\"w\"/><body>"
                   "<joint/><geom size=\".1\"/><site name=\"s\" fromto=\"0 0 0 1 0 0\"/></body>"
                   "</worldbody><equality><weld site1=\"s\" site2=\"w\"/></equality>"));
  const Transformd& X = spec.loops.at(0).X_PA;
  EXPECT_EQ(X.p.x, 0.5);
  EXPECT_NEAR(X.R.r0.z, -1, 1e-15);
  EXPECT_NEAR(X.R.r2.x, 1, 1e-15);
}

/// As MuJoCo 4.0 copies them: q, m0, n0, m1, n1.
TEST(Mjcf, WhatNamesAPartOfAReplicateIsCopied) {
  const WorldSpec spec = world(mujoco(
      "<worldbody><body name=\"P\"><joint name=\"p\"/><geom size=\".1\"/><replicate count=\"2\">"
      "<body name=\"c\"><joint name=\"j\"/><geom size=\".1\"/><body name=\"d\"><joint name=\"k\"/>"
      "<geom size=\".1\"/></body></body></replicate></body></worldbody>"
      "<tendon><fixed name=\"t\" stiffness=\"1\"><joint joint=\"p\" coef=\"1\"/>"
      "<joint joint=\"k\" coef=\"2\"/></fixed></tendon>"
      "<equality><joint joint1=\"j\" joint2=\"k\"/><joint joint1=\"p\" joint2=\"j\"/></equality>"
      "<actuator><motor name=\"m\" joint=\"j\"/><motor name=\"q\" joint=\"p\"/>"
      "<position name=\"n\" tendon=\"t\"/></actuator><contact><exclude body1=\"P\" body2=\"d\"/>"
      "</contact><keyframe><key ctrl=\"1 2 3 4 5\"/></keyframe>"));
  const SystemSpec& system = spec.systems.at(0).system;
  const auto joint = [&](const std::string& name) {
    for (const JointSpec& j : system.joints)
      if (j.name == name) return j;
    ADD_FAILURE() << name;
    return JointSpec{};
  };
  EXPECT_EQ(joint("p").actuator->feedforward, 1);
  EXPECT_EQ(joint("j0").actuator->feedforward, 2);
  EXPECT_EQ(joint("j1").actuator->feedforward, 4);
  EXPECT_EQ(joint("j1").mimic->joint, "k1");
  EXPECT_FALSE(joint("p").mimic);
  ASSERT_EQ(system.tendons.size(), 4u);
  EXPECT_EQ(system.tendons[1].name, "t1");
  EXPECT_EQ(system.tendons[1].terms.at(0).joint, "p");
  EXPECT_EQ(system.tendons[1].terms.at(1).joint, "k1");
  EXPECT_EQ(system.tendons[3].name, "n1");
  EXPECT_EQ(system.tendons[3].actuator->target, 5);
  ASSERT_EQ(system.ignoredPairs.size(), 2u);
  EXPECT_EQ(system.ignoredPairs[1].second, "d1");
}

TEST(Mjcf, ConnectedBodiesAreOneSystem) {
  EXPECT_EQ(world(mujoco(two_arms)).systems.size(), 2u);
  const WorldSpec tied =
      world(mujoco(two_arms + "<equality><connect site1=\"sa\" site2=\"sb\"/></equality>"));
  ASSERT_EQ(tied.systems.size(), 1u);
  EXPECT_TRUE(tied.systems[0].q.empty());  // a triangle, which cannot move
  // A parallelogram begins as it is drawn, where jb is at its ref.
  const WorldSpec moving = world(mujoco(
      "<worldbody><body name=\"a\"><joint name=\"ja\" axis=\"0 1 0\"/><geom size=\".1\"/>"
      "<body name=\"rod\" pos=\"0 0 1\"><joint name=\"jr\" axis=\"0 1 0\"/><geom size=\".1\"/>"
      "<site name=\"sr\" pos=\"2 0 0\"/></body></body><body name=\"b\" pos=\"2 0 0\">"
      "<joint name=\"jb\" axis=\"0 1 0\" ref=\"10\"/><geom size=\".1\"/>"
      "<site name=\"sb\" pos=\"0 0 1\"/></body></worldbody>"
      "<equality><connect site1=\"sr\" site2=\"sb\"/></equality>"));
  ASSERT_EQ(moving.systems.size(), 1u);
  const auto model = compile(moving.systems[0].system);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  // A start has all joints, which says which way the loop is bent.
  ASSERT_EQ(moving.systems[0].q.size(), 3u);
  const BodyTopology& jb = model->topology.bodies[model->joint("jb")];
  EXPECT_NEAR(moving.systems[0].q[model->spanningCoordinate[jb.q]], 10 * degree, 1e-15);
}

TEST(Mjcf, AWorldOfAllKinds) {
  const WorldSpec spec = world(
      mujoco("<option timestep=\".004\" gravity=\"0 0 -1\"/><worldbody>"
             "<geom name=\"floor\" type=\"plane\" size=\"1 1 1\" friction=\".7\"/>"
             "<body name=\"shelf\" pos=\"0 0 1\"><geom type=\"box\" size=\".1 .2 .3\"/></body>"
             "<body name=\"hand\" mocap=\"true\"><geom size=\".1\"/></body>"
             "<body name=\"ball\" pos=\"0 0 3\"><freejoint/><geom size=\".1\" condim=\"6\"/></body>"
             "<body name=\"robot\" pos=\"0 0 5\"><freejoint/><geom size=\".1\"/><body name=\"leg\">"
             "<joint/><geom size=\".1\" pos=\"0 0 1\"/></body></body></worldbody>"));
  EXPECT_EQ(spec.timeStep, 0.004);
  EXPECT_EQ(spec.gravity.z, -1);
  ASSERT_EQ(spec.systems.size(), 1u);
  EXPECT_EQ(spec.systems[0].system.name, "robot");
  EXPECT_EQ(spec.systems[0].system.X_WB.p.z, 5);
  EXPECT_FALSE(spec.systems[0].system.fixedBase);
  const auto find = [&](const std::string& name) -> const BodySpec& {
    for (const BodySpec& body : spec.bodies) {
      if (body.name == name) return body;
    }
    ADD_FAILURE() << name;
    return spec.bodies.at(0);
  };
  EXPECT_EQ(spec.bodies.size(), 4u);
  EXPECT_EQ(find("floor").type, BodyType::STATIC);
  EXPECT_EQ(find("shelf").type, BodyType::STATIC);
  EXPECT_EQ(find("shelf").X_WB.p.z, 1);
  EXPECT_EQ(find("hand").type, BodyType::KINEMATIC);
  EXPECT_EQ(find("ball").type, BodyType::DYNAMIC);
  EXPECT_NEAR(find("ball").inertial.mass, 1000 * 4.0 / 3 * std::numbers::pi * 1e-3, 1e-12);
}

/// Of the pair of materials of two geoms.
MaterialPairSpec pairOf(const WorldSpec& spec, const std::string& a, const std::string& b) {
  for (const MaterialPairSpec& pair : spec.materials) {
    if ((pair.first == a && pair.second == b) || (pair.first == b && pair.second == a)) return pair;
  }
  ADD_FAILURE() << a << ", " << b;
  return {};
}

TEST(Mjcf, FrictionIsTheLargerOrThatOfHigherPriority) {
  const WorldSpec spec = world(
      worldBody("<geom name=\"a\" size=\"1\" friction=\".5\"/><geom name=\"b\" size=\"1\" "
                "friction=\".2 .03\" condim=\"4\"/><geom name=\"c\" size=\"1\" friction=\".1\" "
                "condim=\"1\" priority=\"1\"/><geom name=\"d\" size=\"1\"/>"));
  const auto material = [&](int i) { return spec.bodies.at(i).collisions.at(0).material; };
  EXPECT_EQ(material(3), "default");
  EXPECT_EQ(spec.defaultMaterial.friction, 1);
  EXPECT_EQ(spec.defaultMaterial.spinningFriction, 0);
  const MaterialPairSpec ab = pairOf(spec, material(0), material(1));
  EXPECT_EQ(ab.friction, 0.5);
  EXPECT_EQ(ab.spinningFriction, 0.03);
  EXPECT_EQ(ab.rollingFriction, 0);
  EXPECT_EQ(pairOf(spec, material(0), material(2)).friction, 0);
  EXPECT_EQ(pairOf(spec, material(0), "default").friction, 1);
}

/// Every pair of a set of bits meets here exactly where it meets by MuJoCo's rule.
TEST(Mjcf, GeomsMeetAsByContypeAndConaffinity) {
  std::string geoms;
  std::vector<std::pair<int, int>> bits;
  for (const int contype : {0, 1, 2, 5}) {
    for (const int conaffinity : {0, 1, 2, 6}) {
      if (contype == 0 && conaffinity == 0) continue;
      bits.emplace_back(contype, conaffinity);
      geoms += "<geom size=\"1\" contype=\"" + std::to_string(contype) + "\" conaffinity=\"" +
               std::to_string(conaffinity) + "\"/>";
    }
  }
  const WorldSpec spec = world(worldBody(geoms));
  ASSERT_EQ(spec.bodies.size(), bits.size());
  for (std::size_t i = 0; i < bits.size(); ++i) {
    for (std::size_t k = 0; k < bits.size(); ++k) {
      const CollisionSpec &a = spec.bodies[i].collisions[0], &b = spec.bodies[k].collisions[0];
      const bool theirs =
          (bits[i].first & bits[k].second) != 0 || (bits[k].first & bits[i].second) != 0;
      EXPECT_EQ((a.group & b.mask) != 0 && (b.group & a.mask) != 0, theirs) << i << " " << k;
    }
  }
  const CollisionSpec usual = world(worldBody("<geom size=\"1\"/>")).bodies[0].collisions[0];
  EXPECT_EQ(usual.group, 1u);
  EXPECT_EQ(usual.mask, ~std::uint64_t{0});
}

TEST(Mjcf, GeomsThatDoNotCollideAreVisuals) {
  const SystemSpec spec =
      robot(worldBody("<body><joint/><geom size=\".1\" contype=\"0\" conaffinity=\"0\" "
                      "rgba=\"1 0 0 1\"/><geom size=\".2\" group=\"3\"/></body>"));
  const LinkSpec& link = spec.links.at(1);
  ASSERT_EQ(link.visuals.size(), 1u);
  EXPECT_EQ(link.visuals[0].rgba[1], 0);
  ASSERT_EQ(link.collisions.size(), 1u);
  EXPECT_EQ(std::get<SphereShape>(link.collisions[0].shape).radius, 0.2);
}

TEST(Mjcf, IncludedFilesAndMeshes) {
  const TestFolder folder;
  folder.write("meshes/tetra.obj",
               "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  folder.write("arm.xml",
               "<mujocoinclude>\n<body name=\"arm\"><joint/>\n<geom type=\"mesh\" mesh=\"tetra\"/>"
               "\n<geom type=\"lump\"/></body></mujocoinclude>");
  const std::string main = folder.write(
      "main.xml", mujoco("<compiler meshdir=\"meshes\"/><asset><mesh file=\"tetra.obj\" "
                         "scale=\"2 1 1\"/></asset><worldbody><include file=\"arm.xml\"/>"
                         "</worldbody>"));
  const auto bad = loadRobot(main);
  ASSERT_FALSE(bad);
  expectRemark(bad.diagnostics(), Severity::Error, 4, "'lump'", folder.path("arm.xml"));
  folder.write("arm.xml",
               "<mujocoinclude><body name=\"arm\"><joint/><geom type=\"mesh\" mesh=\"tetra\"/>"
               "</body></mujocoinclude>");
  const auto good = loadRobot(main);
  ASSERT_TRUE(good) << good.diagnostics().toString();
  EXPECT_NEAR(good->links.at(1).inertial->mass, 1000.0 / 3, 1e-9);
  EXPECT_NEAR(good->links[1].inertial->X_LC.p.x, 0.5, 1e-12);
  // Even where shapes are not wanted, masses are.
  UrdfOptions bare;
  bare.loadMeshes = false;
  const auto heavy = loadRobot(main, bare);
  ASSERT_TRUE(heavy) << heavy.diagnostics().toString();
  EXPECT_NEAR(heavy->links[1].inertial->mass, 1000.0 / 3, 1e-9);
  EXPECT_EQ(std::get<MeshShape>(heavy->links[1].collisions.at(0).shape).data, nullptr);
}

/// As MuJoCo 4.0 finds them; an included file's outermost element may be called anything.
TEST(Mjcf, FilesBesideTheOneThatNamesThem) {
  const TestFolder folder;
  const auto tetra = [](const std::string& side) {
    return "v 0 0 0\nv " + side + " 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  };
  const std::string main = folder.write(
      "main.xml", mujoco("<compiler meshdir=\"meshes\"/><include file=\"sub/arm.xml\"/><worldbody>"
                         "<attach model=\"hand\" body=\"hand\" prefix=\"x_\"/></worldbody>"));
  folder.write("sub/arm.xml",
               "<parts><asset><mesh file=\"tetra.obj\"/><model name=\"hand\" file=\"hand.xml\"/>"
               "</asset><include file=\"body.xml\"/></parts>");
  folder.write("sub/tetra.obj", tetra("1"));
  folder.write("sub/hand.xml", worldBody("<body name=\"hand\"><joint/><geom size=\".1\"/></body>"));
  folder.write("sub/body.xml",
               worldBody("<body name=\"arm\"><joint/><geom type=\"mesh\" mesh=\"tetra\"/></body>"));
  const auto massOf = [&](const std::string& name) {
    const auto spec = loadRobot(main);
    EXPECT_TRUE(spec) << spec.diagnostics().toString();
    if (!spec) return -1.0;
    for (const LinkSpec& link : spec->links)
      if (link.name == name && link.inertial) return link.inertial->mass;
    return 0.0;
  };
  EXPECT_NEAR(massOf("arm"), 1000.0 / 6, 1e-9);
  EXPECT_GT(massOf("x_hand"), 0);
  folder.write("meshes/tetra.obj", tetra("3"));
  EXPECT_NEAR(massOf("arm"), 1000.0 / 2, 1e-9);
  folder.write("body.xml", worldBody("<body name=\"main\"><joint/><geom size=\".1\"/></body>"));
  EXPECT_GT(massOf("main"), 0);
}

TEST(Mjcf, IsAWorldForThoseWhoAsk) {
  EXPECT_TRUE(isWorld("<?xml version=\"1.0\"?><!-- <sdf> --><mujoco/>"));
  EXPECT_FALSE(isWorld("<robot name=\"mujoco\"/>"));
}

TEST(Mjcf, TheSharedOnesCompile) {
  const auto shared = sharedFolder();
  if (shared.empty()) GTEST_SKIP() << "ESPALIER_SHARED is not there";
  for (const char* name : {"humanoid", "car", "anymal_scene"}) {
    const std::string file = (shared / "models/mjcf" / (std::string(name) + ".xml")).string();
    const auto spec = loadRobot(file);
    ASSERT_TRUE(spec) << spec.diagnostics().toString();
    const auto model = compile(*spec);
    ASSERT_TRUE(model) << model.diagnostics().toString();
    const auto all = loadWorld(file);
    ASSERT_TRUE(all) << all.diagnostics().toString();
    EXPECT_EQ(all->systems.size(), 1u);
    EXPECT_EQ(all->bodies.size(), 1u);
  }
}

}  // namespace
}  // namespace espalier::io

// Which geoms of a MuJoCo file meet, how they rub there, and what flags take out.

#include <gtest/gtest.h>

#include "espalier/io/mjcf/mjcf.h"
#include "espalier/io/urdf/urdf.h"
#include "espalier/io/world_xml/world_xml.h"
#include "folder.h"
#include "remarks.h"

namespace espalier::io {
namespace {

WorldSpec world(const std::string& inside) {
  auto spec = loadWorld("<mujoco>" + inside + "</mujoco>");
  EXPECT_TRUE(spec) << spec.diagnostics().toString();
  return spec ? *spec : WorldSpec{};
}

const CollisionSpec& geom(const WorldSpec& spec, const std::string& name) {
  for (const BodySpec& body : spec.bodies) {
    for (const CollisionSpec& c : body.collisions) {
      if (c.name == name) return c;
    }
  }
  for (const PlacedSystemSpec& placed : spec.systems) {
    for (const LinkSpec& link : placed.system.links) {
      for (const CollisionSpec& c : link.collisions) {
        if (c.name == name) return c;
      }
    }
  }
  ADD_FAILURE() << name;
  static const CollisionSpec none{};
  return none;
}

bool meet(const WorldSpec& spec, const std::string& first, const std::string& second) {
  const CollisionSpec &a = geom(spec, first), &b = geom(spec, second);
  return (a.group & b.mask) != 0 && (b.group & a.mask) != 0;
}

MaterialPairSpec rub(const WorldSpec& spec, const std::string& first, const std::string& second) {
  const std::string a = geom(spec, first).material, b = geom(spec, second).material;
  for (const MaterialPairSpec& pair : spec.materials) {
    if ((pair.first == a && pair.second == b) || (pair.first == b && pair.second == a)) return pair;
  }
  if (a == "default" && b == "default") return spec.defaultMaterial;
  ADD_FAILURE() << first << ", " << second;
  return {};
}

std::string freeBall(const std::string& name, const std::string& attributes) {
  return "<body name=\"" + name + "\"><freejoint/><geom name=\"" + name + "\" size=\".1\" " +
         attributes + "/></body>";
}

TEST(MjcfContact, APairMeetsAndRubsAsItSays) {
  const std::string off = "contype=\"0\" conaffinity=\"0\"";
  const WorldSpec spec = world(
      "<default><pair condim=\"6\"/></default><worldbody><geom name=\"floor\" type=\"plane\" "
      "size=\"1 1 1\" friction=\".4\"/>" +
      freeBall("a", off) + freeBall("b", off) + freeBall("c", "") + freeBall("d", "") +
      "</worldbody><contact><pair geom1=\"floor\" geom2=\"a\" friction=\".7 .7 .02 .003 .003\"/>"
      "<pair geom1=\"a\" geom2=\"b\" condim=\"1\"/><pair geom1=\"floor\" geom2=\"c\" "
      "friction=\".3\" condim=\"3\"/></contact>");
  EXPECT_TRUE(meet(spec, "floor", "a"));
  EXPECT_TRUE(meet(spec, "a", "b"));
  EXPECT_FALSE(meet(spec, "floor", "b"));
  EXPECT_FALSE(meet(spec, "a", "c"));
  EXPECT_TRUE(meet(spec, "floor", "c"));
  EXPECT_TRUE(meet(spec, "c", "d"));
  EXPECT_EQ(rub(spec, "floor", "a").friction, 0.7);
  EXPECT_EQ(rub(spec, "floor", "a").spinningFriction, 0.02);
  EXPECT_EQ(rub(spec, "floor", "a").rollingFriction, 0.003);
  EXPECT_EQ(rub(spec, "a", "b").friction, 0);
  EXPECT_EQ(rub(spec, "floor", "c").friction, 0.3);
  EXPECT_EQ(rub(spec, "floor", "d").friction, 1);
  EXPECT_EQ(rub(spec, "c", "d").friction, 1);
}

/// As pair_friction and pair_dim of MuJoCo 4.0.
TEST(MjcfContact, WhatAPairDoesNotGiveIsNotThatOfTheGeoms) {
  const auto pair = [](const std::string& defaults, const std::string& attributes) {
    const WorldSpec spec =
        world(defaults + "<worldbody>" + freeBall("a", "friction=\"2 .1 .2\" condim=\"6\"") +
              freeBall("b", "friction=\"3\" condim=\"1\"") +
              "</worldbody><contact><pair geom1=\"a\" geom2=\"b\" " + attributes + "/></contact>");
    const MaterialPairSpec rubs = rub(spec, "a", "b");
    return std::array{rubs.friction, rubs.spinningFriction, rubs.rollingFriction};
  };
  EXPECT_EQ(pair("", ""), (std::array{1.0, 0.0, 0.0}));
  EXPECT_EQ(pair("", "condim=\"6\""), (std::array{1.0, 0.005, 0.0001}));
  const std::string defaults = "<default><pair friction=\".7 .7 .3\" condim=\"4\"/></default>";
  EXPECT_EQ(pair(defaults, "friction=\".4 .4\""), (std::array{0.4, 0.3, 0.0}));
}

/// Four feet with the same pairs: one more kind of friction and one more filter, not four.
TEST(MjcfContact, EqualPairsShareAClass) {
  std::string balls, pairs;
  for (int i = 0; i < 100; ++i) {
    const std::string name = "f" + std::to_string(i);
    balls += freeBall(name, "");
    pairs += "<pair geom1=\"floor\" geom2=\"" + name + "\" friction=\".6\"/>";
  }
  const WorldSpec spec = world("<worldbody><geom name=\"floor\" type=\"plane\" size=\"1 1 1\"/>" +
                               balls + "</worldbody><contact>" + pairs + "</contact>");
  EXPECT_EQ(geom(spec, "f0").material, geom(spec, "f99").material);
  EXPECT_EQ(rub(spec, "floor", "f50").friction, 0.6);
  EXPECT_EQ(rub(spec, "f1", "f50").friction, 1);
  EXPECT_TRUE(meet(spec, "f1", "f2"));
}

TEST(MjcfContact, BodiesOfTwoMechanismsCanBeExcluded) {
  const WorldSpec spec = world("<worldbody><geom name=\"floor\" type=\"plane\" size=\"1 1 1\"/>" +
                               freeBall("a", "") + freeBall("b", "") + freeBall("c", "") +
                               "</worldbody><contact><exclude body1=\"a\" body2=\"b\"/>"
                               "<exclude body1=\"world\" body2=\"c\"/></contact>");
  EXPECT_FALSE(meet(spec, "a", "b"));
  EXPECT_FALSE(meet(spec, "floor", "c"));
  EXPECT_TRUE(meet(spec, "a", "c"));
  EXPECT_TRUE(meet(spec, "floor", "a"));
}

/// As the contacts of MuJoCo 4.0, which knows bodies as they are written.
TEST(MjcfContact, AnExclusionIsOfTheBodiesThemselves) {
  const auto read = [](const std::string& contact) {
    const std::string geom = "<geom size=\".1\" name=";
    return world("<worldbody><body name=\"a\"><joint/>" + geom + "\"a\"/><body name=\"w\">" + geom +
                 "\"w\"/></body><body name=\"b\"><joint/>" + geom +
                 "\"b\"/><body name=\"c\"><joint/>" + geom + "\"c\"/></body></body></body>" +
                 "</worldbody><contact>" + contact + "</contact>");
  };
  const WorldSpec welded = read("<exclude body1=\"a\" body2=\"c\"/>");
  EXPECT_FALSE(meet(welded, "a", "c"));
  EXPECT_TRUE(meet(welded, "w", "c"));
  EXPECT_TRUE(welded.systems.at(0).system.ignoredPairs.empty());
  const WorldSpec paired =
      read("<exclude body1=\"w\" body2=\"c\"/><pair geom1=\"w\" geom2=\"c\"/>");
  EXPECT_TRUE(meet(paired, "w", "c"));
  EXPECT_TRUE(paired.systems.at(0).system.ignoredPairs.empty());
  const WorldSpec whole = read("<exclude body1=\"b\" body2=\"c\"/>");
  EXPECT_EQ(whole.systems.at(0).system.ignoredPairs.size(), 1u);
}

TEST(MjcfContact, MoreExclusionsThanThereAreFiltersKeepLinksApart) {
  constexpr int count = 70;
  std::string bodies, contact, ends;
  for (int i = 0; i < count; ++i) {
    const std::string name = std::to_string(i), before = std::to_string(i - 2);
    bodies +=
        "<body name=\"" + name + "\"><joint/><geom size=\".1\"/><body><geom size=\".1\"/></body>";
    ends += "</body>";
    if (i >= 2) contact += "<exclude body1=\"" + before + "\" body2=\"" + name + "\"/>";
  }
  const auto spec = loadWorld("<mujoco><worldbody>" + bodies + ends + "</worldbody><contact>" +
                              contact + "</contact></mujoco>");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  expectRemark(spec.diagnostics().omissions(), Severity::Warning, 1, "whole links apart");
  EXPECT_EQ(spec->systems.at(0).system.ignoredPairs.size(), count - 2u);
}

TEST(MjcfContact, PairsOfNeighboursAreAnOmission) {
  const auto spec = loadWorld(
      "<mujoco><worldbody><body name=\"a\"><joint/><geom name=\"a\" size=\".1\"/><body><joint/>"
      "<geom name=\"b\" size=\".1\"/></body></body></worldbody><contact>\n"
      "<pair geom1=\"a\" geom2=\"b\"/></contact></mujoco>");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  expectRemark(spec.diagnostics().omissions(), Severity::Warning, 2, "never meets");
}

TEST(MjcfContact, FlagsTakeOut) {
  const auto with = [](const std::string& flags) {
    return world("<option><flag " + flags +
                 "/></option><worldbody><body name=\"a\"><joint name=\"j\" range=\"-1 1\" "
                 "damping=\"2\" stiffness=\"3\" frictionloss=\"4\"/><geom name=\"g\" size=\".1\"/>"
                 "</body></worldbody><equality><connect body1=\"a\" anchor=\"0 0 0\"/></equality>");
  };
  const auto joint = [](const WorldSpec& spec) { return spec.systems.at(0).system.joints.at(0); };
  const WorldSpec all = with("");
  EXPECT_EQ(joint(all).dynamics.damping, 2);
  EXPECT_EQ(all.systems[0].system.loops.size(), 1u);
  EXPECT_EQ(all.systems[0].system.links[1].collisions.size(), 1u);
  EXPECT_EQ(joint(with("damper=\"disable\"")).dynamics.damping, 0);
  EXPECT_EQ(joint(with("damper=\"disable\"")).dynamics.stiffness, 3);
  EXPECT_EQ(joint(with("spring=\"disable\"")).dynamics.stiffness, 0);
  EXPECT_EQ(joint(with("passive=\"disable\"")).dynamics.damping, 0);
  EXPECT_EQ(joint(with("frictionloss=\"disable\"")).dynamics.friction, 0);
  EXPECT_EQ(joint(with("limit=\"disable\"")).limits.upper, unlimited);
  EXPECT_EQ(with("gravity=\"disable\"").gravity.z, 0);
  EXPECT_TRUE(with("equality=\"disable\"").systems[0].system.loops.empty());
  EXPECT_TRUE(with("contact=\"disable\"").systems[0].system.links[1].collisions.empty());
  const WorldSpec none = with("constraint=\"disable\"");
  EXPECT_TRUE(none.systems[0].system.loops.empty());
  EXPECT_EQ(joint(none).dynamics.friction, 0);
  EXPECT_EQ(joint(none).dynamics.damping, 2);
}

TEST(MjcfContact, FlagsTakeOutOfTendons) {
  const auto tendon = [](const std::string& flags) {
    const WorldSpec spec =
        world("<option><flag " + flags +
              "/></option><worldbody><body name=\"a\"><joint name=\"j\"/><geom size=\".1\"/><body>"
              "<joint name=\"k\"/><geom size=\".1\"/></body></body></worldbody><tendon><fixed "
              "range=\"-1 1\" damping=\"2\" stiffness=\"3\" frictionloss=\"4\"><joint "
              "joint=\"j\" coef=\"1\"/><joint joint=\"k\" coef=\"1\"/></fixed></tendon>");
    const auto& all = spec.systems.at(0).system.tendons;
    return all.empty() ? TendonSpec{} : all[0];
  };
  EXPECT_EQ(tendon("").damping, 2);
  EXPECT_EQ(tendon("").upper, 1);
  EXPECT_EQ(tendon("damper=\"disable\"").damping, 0);
  EXPECT_EQ(tendon("damper=\"disable\"").stiffness, 3);
  EXPECT_EQ(tendon("spring=\"disable\"").stiffness, 0);
  EXPECT_EQ(tendon("frictionloss=\"disable\"").friction, 0);
  EXPECT_EQ(tendon("limit=\"disable\"").upper, unlimited);
  EXPECT_EQ(tendon("limit=\"disable\"").friction, 4);
  EXPECT_EQ(tendon("passive=\"disable\"").friction, 4);
  EXPECT_EQ(tendon("passive=\"disable\"").stiffness, 0);
}

const HeightfieldData& field(const WorldSpec& spec) {
  return *std::get<Heightfield>(geom(spec, "h").shape).data;
}

TEST(MjcfContact, HeightFields) {
  const std::string geoms =
      "<worldbody><geom name=\"h\" type=\"hfield\" hfield=\"f\" pos=\"1 2 3\"/></worldbody>";
  const std::vector<double> heights{0.15, 0.2, 0.5, 0, 0.05, 0.1};
  const WorldSpec rows = world(
      "<asset><hfield name=\"f\" size=\"2 1 .5 .3\" nrow=\"2\" ncol=\"3\" "
      "elevation=\"1 2 3 4 5 11\"/></asset>" +
      geoms);
  EXPECT_EQ(field(rows).xSamples, 3);
  EXPECT_EQ(field(rows).ySamples, 2);
  EXPECT_EQ(field(rows).xSize, 4);
  EXPECT_EQ(field(rows).ySize, 2);
  ASSERT_EQ(field(rows).heights.size(), heights.size());
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(field(rows).heights[i], heights[i], 1e-15);
  EXPECT_EQ(rows.bodies.at(0).type, BodyType::STATIC);
  EXPECT_EQ(rows.bodies[0].X_WB.p.z, 3);

  const TestFolder folder;
  std::string bytes;
  for (const std::int32_t n : {2, 3}) bytes.append(reinterpret_cast<const char*>(&n), 4);
  for (const float x : {4.F, 5.F, 11.F, 1.F, 2.F, 3.F}) {
    bytes.append(reinterpret_cast<const char*>(&x), 4);
  }
  folder.write("maps/f.bin", bytes);
  const auto binary =
      loadWorld(folder.write("m.xml",
                             "<mujoco><compiler meshdir=\"maps\"/><asset><hfield file=\"f.bin\" "
                             "size=\"2 1 .5 .3\"/></asset>" +
                                 geoms + "</mujoco>"));
  ASSERT_TRUE(binary) << binary.diagnostics().toString();
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(field(*binary).heights[i], heights[i], 1e-7);
  const WorldSpec flat = world(
      "<asset><hfield name=\"f\" size=\"2 1 .5 .3\" nrow=\"2\" "
      "ncol=\"2\"/></asset>" +
      geoms);
  EXPECT_EQ(field(flat).heights, std::vector<double>(4, 0.0));
}

TEST(MjcfContact, Ellipsoids) {
  const WorldSpec spec = world(
      "<worldbody><body><freejoint/><geom name=\"e\" type=\"ellipsoid\" size=\".1 .2 .3\"/></body>"
      "</worldbody>");
  const Vec3d radii = std::get<EllipsoidShape>(geom(spec, "e").shape).radii;
  EXPECT_EQ(radii.x, 0.1);
  EXPECT_EQ(radii.y, 0.2);
  EXPECT_EQ(radii.z, 0.3);
  const WorldSpec ball = world(
      "<worldbody><body><freejoint/><geom name=\"e\" type=\"ellipsoid\" size=\".2 .2 .2\" "
      "shellinertia=\"true\"/></body></worldbody>");
  EXPECT_EQ(std::get<SphereShape>(geom(ball, "e").shape).radius, 0.2);
}

TEST(Mjcf, GravityOfAFile) {
  EXPECT_EQ(loadGravity("<robot name=\"r\"/>"), std::nullopt);
  EXPECT_EQ(loadGravity("<mujoco/>")->z, -9.81);
  EXPECT_EQ(loadGravity("<mujoco><option gravity=\"1 2 3\"/></mujoco>")->y, 2);
  EXPECT_EQ(loadGravity("<mujoco><option><flag gravity=\"disable\"/></option></mujoco>")->z, 0);
  EXPECT_EQ(parseMjcfGravity("<mujoco><option gravity=\"x\"/></mujoco>", "<text>"), std::nullopt);
  const TestFolder folder;
  folder.write("o.xml", "<mujocoinclude><option gravity=\"0 0 -1\"/></mujocoinclude>");
  EXPECT_EQ(loadGravity(folder.write("m.xml", "<mujoco><include file=\"o.xml\"/></mujoco>"))->z,
            -1);
}

}  // namespace
}  // namespace espalier::io

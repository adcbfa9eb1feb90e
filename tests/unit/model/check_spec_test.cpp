// checkSpec on specs filled by hand: what no file can say, and where the tolerances lie. What
// files can say is in unit/io.

#include "espalier/model/spec/check_spec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "espalier/model/spec/principal_axes.h"

namespace espalier {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

LinkSpec link(const std::string& name, double mass = 0, Sym3<double> inertia = {}) {
  LinkSpec l;
  l.name = name;
  l.line = 7;
  if (mass != 0) l.inertial = InertialSpec{mass, identityTransform<double>(), inertia};
  return l;
}

JointSpec joint(const std::string& name, JointKind kind, const std::string& parent,
                const std::string& child) {
  JointSpec j;
  j.name = name;
  j.kind = kind;
  j.parent = parent;
  j.child = child;
  j.line = 9;
  return j;
}

SystemSpec oneLink(double mass, Sym3<double> inertia) {
  SystemSpec spec;
  spec.file = "r.urdf";
  spec.links = {link("a", mass, inertia)};
  return spec;
}

SystemSpec twoLinks(JointKind kind) {
  SystemSpec spec;
  spec.file = "r.urdf";
  spec.links = {link("a"), link("b")};
  spec.joints = {joint("j", kind, "a", "b")};
  return spec;
}

Diagnostics check(const SystemSpec& spec) {
  Diagnostics all;
  checkSpec(spec, all);
  for (const Diagnostic& d : all.all()) EXPECT_FALSE(d.remedy.empty()) << d.what;
  return all;
}

void expectError(const SystemSpec& spec, const std::string& part) {
  const Diagnostics all = check(spec);
  EXPECT_TRUE(all.hasErrors()) << part;
  EXPECT_NE(all.toString().find(part), std::string::npos) << part << "\n" << all.toString();
}

TEST(CheckSpec, AGoodSpecHasNoRemarks) {
  for (const JointKindInfo& kind : joint_kinds) {
    EXPECT_TRUE(check(twoLinks(kind.kind)).all().empty()) << kind.name;
  }
}

TEST(CheckSpec, RemarksHaveFileAndLine) {
  const Diagnostics all = check(oneLink(-1, {1, 0, 0, 1, 0, 1}));
  ASSERT_EQ(all.all().size(), 1u) << all.toString();
  EXPECT_EQ(all.all()[0].file, "r.urdf");
  EXPECT_EQ(all.all()[0].line, 7);
  EXPECT_NE(all.all()[0].what.find("link 'a'"), std::string::npos);
}

TEST(CheckSpec, MasslessLinksAreLeftToCompile) {
  EXPECT_TRUE(check(twoLinks(JointKind::Revolute)).all().empty());
  EXPECT_TRUE(check(oneLink(1, {0, 0, 0, 0, 0, 0})).all().empty()) << "a point";
}

TEST(CheckSpec, OrientationsAreRotations) {
  SystemSpec spec = twoLinks(JointKind::Revolute);
  spec.joints[0].X_PJ.R.r0.y = 1e-3;
  expectError(spec, "joint 'j' has an origin whose orientation is not a rotation");
  spec = twoLinks(JointKind::Revolute);
  spec.X_WB.R.r2.z = -1;  // a mirror
  expectError(spec, "orientation of the base is not a rotation");
  spec.X_WB.R.r2.z = 1 + 1e-8;  // a figure of eight digits
  EXPECT_FALSE(check(spec).hasErrors());
}

TEST(CheckSpec, NumbersThatAreNotFinite) {
  expectError(oneLink(nan, {1, 0, 0, 1, 0, 1}), "not a finite number");
  expectError(oneLink(INFINITY, {1, 0, 0, 1, 0, 1}), "not a finite number");
  expectError(oneLink(1, {1, nan, 0, 1, 0, 1}), "not finite");
  SystemSpec spec = oneLink(1, {1, 0, 0, 1, 0, 1});
  spec.links[0].inertial->X_LC.p.y = nan;
  expectError(spec, "not finite");
  spec = oneLink(1, {1, 0, 0, 1, 0, 1});
  spec.X_WB.p.x = INFINITY;
  expectError(spec, "pose of the base");
  spec = twoLinks(JointKind::Revolute);
  spec.joints[0].axes[0] = {nan, 0, 0};
  expectError(spec, "axis that is not finite");
  spec = twoLinks(JointKind::Fixed);
  spec.joints[0].X_PJ.R.r0.x = nan;
  expectError(spec, "origin that is not finite");
  spec = twoLinks(JointKind::Revolute);
  spec.joints[0].limits.effort = nan;
  expectError(spec, "limit that is not a number");
  spec = twoLinks(JointKind::Revolute);
  spec.joints[0].dynamics.stiffness = INFINITY;
  expectError(spec, "has a stiffness");
  spec = twoLinks(JointKind::Helical);
  spec.joints[0].pitch = nan;
  expectError(spec, "pitch");
  spec = twoLinks(JointKind::Revolute);
  spec.joints[0].mimic = MimicSpec{"j", nan, 0};
  expectError(spec, "mimics with numbers");
}

TEST(CheckSpec, Shapes) {
  const Shape bad[] = {SphereShape{0},      SphereShape{nan},          BoxShape{{1, -1, 1}},
                       CylinderShape{1, 0}, CapsuleShape{1, -1},       CapsuleShape{0, 1},
                       Heightfield{},       CylinderShape{INFINITY, 1}};
  for (const Shape& shape : bad) {
    SystemSpec spec = oneLink(1, {1, 0, 0, 1, 0, 1});
    spec.links[0].collisions.push_back({});
    spec.links[0].collisions[0].shape = shape;
    expectError(spec, std::string("has a collision ") + shapeName(shape));
  }
  SystemSpec spec = oneLink(1, {1, 0, 0, 1, 0, 1});
  spec.links[0].visuals.push_back({});
  spec.links[0].visuals[0].shape = SphereShape{1};
  EXPECT_TRUE(check(spec).all().empty());
  spec.links[0].visuals[0].X_LG.p.z = nan;
  expectError(spec, "visual sphere whose pose");
}

TEST(CheckSpec, SpringMounts) {
  SystemSpec spec = twoLinks(JointKind::Spherical);
  spec.joints[0].dynamics.springMount = {1, 0, 0, 0};
  EXPECT_TRUE(check(spec).all().empty());
  spec.joints[0].dynamics.springMount = {0, 0, 0};
  expectError(spec, "3 numbers, but 4 coordinates");
  spec.joints[0].dynamics.springMount = {0, 0, 0, 0};
  expectError(spec, "no configuration");
  spec = twoLinks(JointKind::Floating);
  spec.joints[0].dynamics.springMount = {1, 2, 3, 0, 0, 0, 0};
  expectError(spec, "no configuration");
  spec = twoLinks(JointKind::Revolute);
  spec.joints[0].dynamics.springMount = {0};
  EXPECT_TRUE(check(spec).all().empty());
}

TEST(CheckSpec, NamesThatDoNotExist) {
  SystemSpec spec = twoLinks(JointKind::Revolute);
  spec.ignoredPairs = {{"a", "x"}};
  spec.transmissions = {{"t", "", "y", "", 1, 3}};
  spec.jointOrder = {"a", "j"};
  const Diagnostics all = check(spec);
  EXPECT_FALSE(all.hasErrors()) << all.toString();
  EXPECT_EQ(all.count(Severity::Warning), 2) << all.toString();
}

// ---- inertias

TEST(CheckSpec, FlatBodiesAreFine) {
  EXPECT_TRUE(check(oneLink(1, {1, 0, 0, 1, 0, 2})).all().empty());
  EXPECT_TRUE(check(oneLink(1, {1, 0, 0, 1, 0, 2.001})).all().empty()) << "rounded figures";
}

/// The remedy of the one remark, which is a Warning that holds the part.
std::string onlyWarning(const SystemSpec& spec, const std::string& part) {
  const Diagnostics all = check(spec);
  EXPECT_FALSE(all.hasErrors()) << all.toString();
  EXPECT_EQ(all.all().size(), 1u) << all.toString();
  if (all.all().size() != 1) return {};
  EXPECT_NE(all.all()[0].what.find(part), std::string::npos) << all.toString();
  EXPECT_EQ(all.all()[0].line, 7);
  return all.all()[0].remedy;
}

TEST(CheckSpec, TheTriangleInequalityHasATolerance) {
  const Diagnostics little = check(oneLink(1, {1, 0, 0, 1, 0, 2.06}));
  EXPECT_FALSE(little.hasErrors()) << little.toString();
  EXPECT_EQ(little.count(Severity::Warning), 1);
  EXPECT_EQ(onlyWarning(oneLink(1, {1, 0, 0, 1, 0, 2.06}), "by 2.91 %").substr(0, 5), "close");
  EXPECT_EQ(onlyWarning(oneLink(1, {1, 0, 0, 1, 0, 2.12}),
                        "breaks the triangle inequality by 5.66 %: principal moments 1, 1, 2.12")
                .substr(0, 10),
            "no density");
  onlyWarning(oneLink(1, {3, 0, 0, 1, 0, 1}), "breaks the triangle inequality");
  // Hidden in the products: 1, 1 turned by 45 degrees about z is 0.1, 1.9.
  onlyWarning(oneLink(1, {1, 0.9, 0, 1, 0, 1}), "breaks the triangle inequality");
  expectError(oneLink(1, {1, 1.1, 0, 1, 0, 1}), "not positive");
}

TEST(CheckSpec, WeldedLinksAreJudgedByTheBodyTheyMake) {
  SystemSpec spec = twoLinks(JointKind::Fixed);
  spec.links[0] = link("a", 10, {1, 0, 0, 1, 0, 1});
  spec.links[1] = link("b", 0.1, {1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3});
  const Diagnostics welded = check(spec);
  EXPECT_FALSE(welded.hasErrors()) << welded.toString();
  EXPECT_EQ(welded.count(Severity::Warning), 1);
  EXPECT_EQ(onlyWarning(spec, "link 'b' has an inertia that breaks").substr(0, 8), "harmless");
  spec.joints[0].kind = JointKind::Revolute;
  EXPECT_EQ(onlyWarning(spec, "link 'b' has an inertia that breaks").substr(0, 10), "no density");
  // Not even welding helps where the rest is too small; the link at fault is named.
  spec.joints[0].kind = JointKind::Fixed;
  spec.links[0] = link("a", 0.1, {1e-4, 0, 0, 1e-4, 0, 1e-4});
  EXPECT_EQ(onlyWarning(spec, "link 'b' has an inertia that breaks").substr(0, 10), "no density");
}

TEST(CheckSpec, NegativeMomentsOfAWeldedLinkAreJudgedByTheBodyTheyMake) {
  SystemSpec spec = twoLinks(JointKind::Fixed);
  spec.links[0] = link("a", 10, {1, 0, 0, 1, 0, 1});
  spec.links[1] = link("b", 1e-6, {2.4e-8, 6.1e-8, 0, 2.8e-8, 0, 3.8e-8});
  onlyWarning(spec, "link 'b' has an inertia that is not positive");
  spec.joints[0].kind = JointKind::Revolute;
  expectError(spec, "link 'b' has an inertia that is not positive");
  // The same link welded to one that is lighter still.
  spec.joints[0].kind = JointKind::Fixed;
  spec.links[0] = link("a", 1e-7, {1e-9, 0, 0, 1e-9, 0, 1e-9});
  expectError(spec, "link 'b' has an inertia that is not positive");
  // Without a tree no link is welded to another.
  spec.links[0] = link("a", 10, {1, 0, 0, 1, 0, 1});
  spec.joints.clear();
  expectError(spec, "link 'b' has an inertia that is not positive");
}

TEST(CheckSpec, WeldedPointsMakeABody) {
  // Two points 2 m apart have the inertia of a rod, I = (0, 2, 2) about its centre.
  SystemSpec spec = twoLinks(JointKind::Fixed);
  spec.links[0] = link("a", 1, {0, 0, 0, 0, 0, 0});
  spec.links[1] = link("b", 1, {0, 0, 0, 0, 0, 0.1});
  spec.joints[0].X_PJ.p = {2, 0, 0};
  const Diagnostics all = check(spec);
  EXPECT_FALSE(all.hasErrors()) << all.toString();
  EXPECT_EQ(all.count(Severity::Warning), 1) << "an inertia about z alone is no body's";
  spec.links[1].inertial->I.zz = 0.5;
  EXPECT_EQ(onlyWarning(spec, "breaks the triangle inequality").substr(0, 10), "no density");
}

TEST(CheckSpec, PointsAreNotJudged) {
  EXPECT_TRUE(check(oneLink(5, {1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6})).all().empty());
  EXPECT_TRUE(check(oneLink(0.5, {-5e-20, 0, 0, -5e-20, 0, 0})).all().empty()) << "CAD noise";
}

TEST(CheckSpec, PrincipalMomentsAreThoseOfATurnedMatrix) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < 200; ++i) {
    std::array<double, 3> wanted{uniform(random), uniform(random), uniform(random)};
    if (i % 3 == 0) wanted[1] = wanted[0];
    const Mat3d R = rotationFromRpy({3 * uniform(random), 3 * uniform(random), uniform(random)});
    const Sym3<double> turned = congruence(R, {wanted[0], 0, 0, wanted[1], 0, wanted[2]});
    std::sort(wanted.begin(), wanted.end());
    const auto found = principalMoments(turned);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[k], wanted[k], 1e-14);
  }
}

TEST(CheckSpec, ALongChainIsNoTrouble) {
  SystemSpec spec;
  const int n = 200000;
  for (int i = 0; i < n; ++i) spec.links.push_back(link(std::to_string(i)));
  for (int i = n - 1; i > 0; --i) {
    spec.joints.push_back(
        joint(std::to_string(i), JointKind::Fixed, std::to_string(i - 1), std::to_string(i)));
  }
  EXPECT_FALSE(check(spec).hasErrors());
  spec.joints.push_back(joint("last", JointKind::Fixed, std::to_string(n - 1), "0"));
  expectError(spec, "closes a cycle");
}

}  // namespace
}  // namespace espalier

// compile(): what becomes of links, joints, frames, orders and inertias, and what it refuses.

#include <gtest/gtest.h>

#include <set>

#include "espalier/model/joints/dispatch.h"
#include "espalier/model/model.h"
#include "tests/support/compare.h"
#include "tests/support/random_tree.h"

namespace espalier::testing {
namespace {

constexpr double half_pi = 1.57079632679489661923;

/// A Spec in few words.
struct Builder {
  SystemSpec spec;
  int line = 0;

  Builder() {
    spec.name = "test";
    spec.file = "test.urdf";
  }
  Builder& massless(const std::string& name) {
    spec.links.emplace_back().name = name;
    spec.links.back().line = ++line;
    return *this;
  }
  Builder& link(const std::string& name, double mass = 1, Vec3d centre = {0, 0, 0},
                Sym3<double> I = {0.1, 0, 0, 0.2, 0, 0.25}) {
    massless(name);
    spec.links.back().inertial = InertialSpec{mass, {identity3<double>(), centre}, I};
    return *this;
  }
  Builder& joint(const std::string& name, JointKind kind, const std::string& parent,
                 const std::string& child, Vec3d axis = {0, 0, 1}, Vec3d at = {0, 0, 0},
                 Vec3d rpy = {0, 0, 0}) {
    JointSpec& j = spec.joints.emplace_back();
    j.name = name;
    j.kind = kind;
    j.parent = parent;
    j.child = child;
    j.axes[0] = axis;
    j.X_PJ = {rotationFromRpy(rpy), at};
    j.line = ++line;
    return *this;
  }
  Builder& hinge(const std::string& parent, const std::string& child) {
    return joint(parent + "-" + child, JointKind::Revolute, parent, child);
  }
  Model model() const {
    Expected<Model> m = compile(spec);
    if (!m) throw std::runtime_error(m.diagnostics().toString());
    return std::move(m).value();
  }
  std::string refused() const {
    const Expected<Model> m = compile(spec);
    return m ? "compiled" : m.diagnostics().toString();
  }
};

/// Pose of a body in the world, on a fixed base.
Transformd poseOf(const Model& m, int body, const std::vector<double>& q) {
  const LoweredBody<double>& low = m.lowered.bodies[body];
  Mat3d e = low.E;
  Vec3d p = low.p;
  withJoint(m.topology.bodies[body].kind, [&]<class J>() {
    J::pose(low, m.lowered.extra[body], q.data() + m.topology.bodies[body].q, e, p);
  });
  const Transformd X_PC{transpose(e), p};
  return body == 0 ? X_PC : poseOf(m, m.topology.bodies[body].parent, q) * X_PC;
}

std::vector<std::string> names(const Model& m) {
  std::vector<std::string> all;
  for (const BodyInfo& b : m.bodies) all.push_back(b.name);
  return all;
}

TEST(Compile, ARootCalledWorldIsFixedAndAnyOtherFloats) {
  const Model floating = Builder().link("trunk").model();
  EXPECT_TRUE(floating.topology.floating);
  EXPECT_EQ(floating.nq(), 7);
  EXPECT_EQ(floating.nv(), 6);
  const Model fixed = Builder().massless("world").link("arm").hinge("world", "arm").model();
  EXPECT_FALSE(fixed.topology.floating);
  EXPECT_EQ(fixed.nv(), 1);
  EXPECT_EQ(names(fixed), (std::vector<std::string>{"world", "arm"}));
  Builder welded;
  welded.link("trunk").spec.fixedBase = true;
  EXPECT_EQ(welded.model().nv(), 0);
}

TEST(Compile, FixedLinksMergeIntoTheirBody) {
  // trunk -weld- plate -weld- sensor; arm hangs on the plate.
  const Vec3d offset{0.1, 0.2, 0.3};
  const Model m =
      Builder()
          .link("trunk", 2)
          .link("plate", 1)
          .link("sensor", 0.5, {0, 0, 0.1})
          .link("arm")
          .joint("weld", JointKind::Fixed, "trunk", "plate", {}, offset)
          .joint("mount", JointKind::Fixed, "plate", "sensor", {}, {1, 0, 0}, {0, half_pi, 0})
          .joint("shoulder", JointKind::Revolute, "plate", "arm", {0, 0, 1}, {0, 1, 0})
          .model();
  EXPECT_EQ(m.nb(), 2);
  EXPECT_EQ(m.mass, 4.5);
  EXPECT_EQ(m.lowered.bodies[0].I.m, 3.5);
  // First moment: plate at the offset, sensor's centre at offset + x + Ry(90) 0.1 z = offset + 1.1 x.
  const Vec3d h = offset * 1 + (offset + Vec3d{1.1, 0, 0}) * 0.5;
  EXPECT_LT(relativeDifference(m.lowered.bodies[0].I.h, h), 1e-15);
  EXPECT_LT(relativeDifference(m.lowered.bodies[1].p, offset + Vec3d{0, 1, 0}), 1e-15);

  EXPECT_EQ(m.body("trunk"), 0);
  EXPECT_EQ(m.body("sensor"), 0);
  EXPECT_EQ(m.body("arm"), 1);
  EXPECT_EQ(m.body("nobody"), -1);
  // Every joint leaves a frame, the fixed ones too.
  ASSERT_EQ(m.frames.size(), 3u);
  ASSERT_EQ(m.links.size(), 4u);
  const FrameInfo& mount = m.frames[m.frame("mount")];
  EXPECT_EQ(mount.body, 0);
  EXPECT_LT(relativeDifference(mount.X_CF.p, offset + Vec3d{1, 0, 0}), 1e-15);
  EXPECT_LT(relativeDifference(mount.X_CF.R, rotationFromRpy({0, half_pi, 0})), 1e-15);
  EXPECT_EQ(m.frames[m.frame("shoulder")].body, 1);
  EXPECT_EQ(m.joint("shoulder"), 1);
  EXPECT_EQ(m.joint("weld"), -1);
}

TEST(Compile, MergedInertiaIsThatOfTheWhole) {
  // Two halves of a box welded together are the box.
  const double m = 3;
  const RigidInertia<double> half = inertia(BoxShape{{0.2, 0.3, 0.4}}, m),
                             whole = inertia(BoxShape{{0.4, 0.3, 0.4}}, 2 * m);
  const Model model =
      Builder()
          .link("left", m, {0.1, 0, 0}, half.I)
          .link("right", m, {0, 0, 0}, half.I)
          .joint("weld", JointKind::Fixed, "left", "right", {}, {-0.1, 0, 0}, {0, 0, 2 * half_pi})
          .model();
  EXPECT_LT(relativeDifference(model.lowered.bodies[0].I, whole), 1e-15);
}

TEST(Compile, AxesAreTurnedToZAndFramesTurnBack) {
  Random random(3);
  for (const JointKind kind :
       {JointKind::Revolute, JointKind::Prismatic, JointKind::Helical, JointKind::Planar}) {
    const Vec3d axis = random.unit(), at = random.vector(1), rpy = random.vector(1);
    Builder b;
    b.massless("world").link("a").link("b", 1, {0.1, 0.2, 0.3});
    b.joint("first", kind, "world", "a", axis * 3, at, rpy);
    b.joint("second", JointKind::Revolute, "a", "b", random.unit(), at, rpy);
    b.spec.joints[0].pitch = 0.7;
    const Model m = b.model();
    EXPECT_LT(relativeDifference(m.bodies[1].axes[0], axis), 1e-15);  // unit

    // Moving the first joint alone moves link a as the axis says, in the URDF's own frames.
    std::vector<double> q(static_cast<std::size_t>(m.nq()), 0.0);
    const double x = 0.4;
    q[kind == JointKind::Planar ? 2 : 0] = x;
    const FrameInfo& a = m.frames[0];
    const Transformd X_WA = poseOf(m, 1, q) * a.X_CF;
    const Transformd X_WJ{rotationFromRpy(rpy), at};
    const bool turns = kind != JointKind::Prismatic;
    const double slide = kind == JointKind::Prismatic ? x
                         : kind == JointKind::Helical ? 0.7 * x
                                                      : 0;
    const Transformd X_JA{
        turns ? axisRotation(axis, std::sin(x), std::cos(x)) : identity3<double>(), axis * slide};
    const Transformd expected = X_WJ * X_JA;
    EXPECT_LT(relativeDifference(X_WA.R, expected.R), 2e-15) << info(kind).name;
    EXPECT_LT(relativeDifference(X_WA.p, expected.p), 2e-15) << info(kind).name;
    // What hangs on a keeps its place on it, whatever the turn of a's own frame.
    const Transformd X_WB = poseOf(m, 2, q) * m.frames[1].X_CF;
    const Transformd place = X_WA * X_WJ;
    EXPECT_LT(relativeDifference(X_WB.R, place.R), 2e-15);
    EXPECT_LT(relativeDifference(X_WB.p, place.p), 2e-15);
    // and its inertia, seen in its link frame, is what was authored.
    const Mat3d R_LC = m.bodies[2].R_LC;
    const RigidInertia<double> inLink =
        toParent(transpose(R_LC), Vec3d{0, 0, 0}, m.lowered.bodies[2].I);
    const RigidInertia<double> authored = toParent(identity3<double>(), Vec3d{0.1, 0.2, 0.3},
                                                   {1, {0, 0, 0}, {0.1, 0, 0, 0.2, 0, 0.25}});
    EXPECT_LT(relativeDifference(inLink, authored), 2e-15);
  }
}

TEST(Compile, SequencesKeepTheirAxes) {
  Builder b;
  b.massless("world").link("a").joint("j", JointKind::Euler, "world", "a");
  b.spec.joints[0].axes = {{{0, 0, 2}, {0, 3, 0}, {4, 0, 0}}};
  const Model m = b.model();
  EXPECT_EQ(m.nv(), 3);
  EXPECT_EQ(numbers(m.lowered.extra[1].axes[0]), (std::vector<double>{0, 0, 1}));
  EXPECT_EQ(numbers(m.lowered.extra[1].axes[1]), (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(numbers(m.lowered.extra[1].axes[2]), (std::vector<double>{1, 0, 0}));
  EXPECT_EQ(relativeDifference(m.bodies[1].R_LC, identity3<double>()), 0);
}

TEST(Compile, JointsComeInOrderOfAppearance) {
  const Model m = Builder()
                      .link("trunk")
                      .link("a")
                      .link("b")
                      .link("c")
                      .hinge("trunk", "b")
                      .hinge("b", "c")
                      .hinge("trunk", "a")
                      .model();
  EXPECT_EQ(names(m), (std::vector<std::string>{"trunk", "b", "c", "a"}));
  EXPECT_TRUE(m.publicOrderIsInternal);
  for (int i = 0; i < m.nv(); ++i) EXPECT_EQ(m.publicDof[i], i);
  for (int i = 0; i < m.nq(); ++i) EXPECT_EQ(m.publicCoordinate[i], i);
}

TEST(Compile, AChildListedBeforeItsParentIsReorderedInside) {
  // Authored: ball at b (child of a) first, then the hinge of a.
  const Model m = Builder()
                      .link("trunk")
                      .link("a")
                      .link("b")
                      .joint("ball", JointKind::Spherical, "a", "b")
                      .hinge("trunk", "a")
                      .model();
  EXPECT_EQ(names(m), (std::vector<std::string>{"trunk", "a", "b"}));
  EXPECT_EQ(m.topology.bodies[2].parent, 1);
  EXPECT_FALSE(m.publicOrderIsInternal);
  // Inside: base, hinge, ball; in public: base, ball, hinge.
  EXPECT_EQ(m.publicDof, (std::vector<int>{0, 1, 2, 3, 4, 5, 9, 6, 7, 8}));
  EXPECT_EQ(m.publicCoordinate, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 11, 7, 8, 9, 10}));
}

TEST(Compile, JointOrderIsObeyedAndCompletedByAppearance) {
  Builder b;
  b.link("trunk").link("a").link("b").link("c");
  b.hinge("trunk", "a").hinge("trunk", "b").hinge("trunk", "c");
  b.spec.jointOrder = {"trunk-c", "trunk-a"};
  const Model m = b.model();
  EXPECT_EQ(names(m), (std::vector<std::string>{"trunk", "c", "a", "b"}));
  EXPECT_TRUE(m.publicOrderIsInternal);
}

TEST(Compile, CollisionsAreNamedAfterTheirLink) {
  Builder b;
  b.link("trunk").link("foot").link("toe");
  b.hinge("trunk", "foot").joint("weld", JointKind::Fixed, "foot", "toe", {}, {0, 0, -1});
  for (int i = 0; i < 2; ++i) {
    CollisionSpec& c = b.spec.links[2].collisions.emplace_back();
    c.shape = SphereShape{0.1};
    c.X_LG.p = {0.1 * i, 0, 0};
    c.material = "rubber";
  }
  b.spec.ignoredPairs = {{"toe", "trunk"}};
  const Model m = b.model();
  ASSERT_EQ(m.collisions.size(), 2u);
  EXPECT_EQ(m.collisions[0].name, "toe/0");
  EXPECT_EQ(m.collisions[1].name, "toe/1");
  EXPECT_EQ(m.collisions[1].body, 1);
  EXPECT_EQ(m.collisions[1].material, "rubber");
  EXPECT_LT(relativeDifference(m.collisions[1].X_CG.p, Vec3d{0.1, 0, -1}), 1e-15);
  ASSERT_FALSE(m.ignoredBodyPairs.empty());
  for (const IgnoredBodies& pair : m.ignoredBodyPairs) EXPECT_LT(pair.a, pair.b);
}

TEST(Compile, APairThatNamesAnUnknownLinkIsLeftOut) {
  Builder b;
  b.link("trunk").link("foot").hinge("trunk", "foot");
  b.spec.ignoredPairs = {{"foot", "nobody"}};
  EXPECT_EQ(b.model().ignoredBodyPairs.size(), 1u);  // trunk and foot, as ever
}

TEST(Compile, WithoutSelfCollisionEveryPairIsIgnored) {
  Builder b;
  b.link("trunk").link("a").link("b").link("tip");
  b.hinge("trunk", "a").hinge("trunk", "b");
  b.joint("weld", JointKind::Fixed, "a", "tip", {}, {0, 0, 1});
  EXPECT_EQ(b.model().ignoredBodyPairs.size(), 2u);
  b.spec.selfCollides = false;
  const Model m = b.model();
  std::set<std::pair<int, int>> pairs;
  for (const IgnoredBodies& pair : m.ignoredBodyPairs) pairs.emplace(pair.a, pair.b);
  EXPECT_EQ(pairs, (std::set<std::pair<int, int>>{{0, 1}, {0, 2}, {1, 2}}));
}

TEST(Compile, RotorsAddToTheirOwnDofsOnly) {
  Builder b;
  b.link("trunk").link("a").link("b");
  b.hinge("trunk", "a").joint("ball", JointKind::Spherical, "a", "b");
  EXPECT_FALSE(b.model().lowered.hasArmature);
  b.spec.joints[1].dynamics.rotorInertia = 0.3;
  const Model m = b.model();
  EXPECT_TRUE(m.lowered.hasArmature);
  EXPECT_EQ(m.lowered.armature, (std::vector<double>{0, 0, 0, 0, 0, 0, 0, 0.3, 0.3, 0.3}));
}

TEST(Compile, SpringsRestAtNeutralUnlessTold) {
  Builder b;
  b.link("trunk").link("a").joint("ball", JointKind::Spherical, "trunk", "a");
  EXPECT_EQ(b.model().bodies[1].dynamics.springMount, (std::vector<double>{1, 0, 0, 0}));
  b.spec.joints[0].dynamics.springMount = {0, 1, 0, 0};
  EXPECT_EQ(b.model().bodies[1].dynamics.springMount, (std::vector<double>{0, 1, 0, 0}));
}

// ---- inertias that a motion needs

TEST(Compile, AMasslessDummyIsLegalWhereItIsWelded) {
  Builder b;
  b.massless("dummy").link("trunk").joint("weld", JointKind::Fixed, "dummy", "trunk");
  const Expected<Model> m = compile(b.spec);
  ASSERT_TRUE(m) << m.diagnostics().toString();
  EXPECT_EQ(m->nb(), 1);
  EXPECT_TRUE(m.diagnostics().all().empty()) << m.diagnostics().toString();
}

TEST(Compile, MasslessLinksThatCarryOthersAreToldInOneNote) {
  Builder b;
  b.massless("world").massless("yoke").link("arm", 1, {1, 0, 0});
  b.hinge("world", "yoke").joint("pitch", JointKind::Revolute, "yoke", "arm", {0, 1, 0});
  const auto told = [&] {
    const Expected<Model> m = compile(b.spec);
    EXPECT_TRUE(m) << m.diagnostics().toString();
    EXPECT_EQ(m.diagnostics().count(Severity::Warning), 0);
    EXPECT_EQ(m.diagnostics().count(Severity::Note), 1);
    return m.diagnostics().toString();
  };
  EXPECT_NE(told().find("a massless link only carries others: 'yoke'"), std::string::npos);
  std::string before = "arm";
  for (const std::string name : {"1", "2", "3"}) {
    b.massless("yoke" + name).link("arm" + name, 1, {1, 0, 0}).hinge(before, "yoke" + name);
    b.joint("pitch" + name, JointKind::Revolute, "yoke" + name, "arm" + name, {0, 1, 0});
    before = "arm" + name;
  }
  EXPECT_NE(told().find("massless links only carry others: 'yoke', 'yoke1', 'yoke2' and 1 more"),
            std::string::npos)
      << told();
}

TEST(Compile, ASingularMovableBodyIsAnErrorWithLinkAndLine) {
  Builder b;
  b.massless("world").link("arm").massless("ghost").hinge("world", "arm").hinge("arm", "ghost");
  const std::string what = b.refused();
  EXPECT_NE(what.find("'ghost'"), std::string::npos) << what;
  EXPECT_NE(what.find("'arm-ghost'"), std::string::npos) << what;
  EXPECT_NE(what.find("test.urdf:5: error"), std::string::npos) << what;
  // A rotor on the joint is inertia enough.
  b.spec.joints[1].dynamics.rotorInertia = 0.01;
  EXPECT_TRUE(compile(b.spec));
}

const Sym3<double> point{0, 0, 0, 0, 0, 0};
const Sym3<double> rod_x{0, 0, 0, 0.1, 0, 0.1};  // thin, along x

/// One body on one joint from the world.
std::string onOneJoint(JointKind kind, Vec3d centre, const Sym3<double>& I,
                       Vec3d axis = {0, 0, 1}) {
  Builder b;
  b.massless("world").link("body", 1, centre, I);
  b.joint("j", kind, "world", "body", axis);
  if (kind == JointKind::Universal) b.spec.joints[0].axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  if (kind == JointKind::Euler) b.spec.joints[0].axes = {{{0, 0, 1}, {1, 0, 0}, {0, 0, 1}}};
  b.spec.joints[0].pitch = kind == JointKind::Helical ? 0.1 : 0;
  return b.refused();
}

TEST(Compile, OnlyMotionsThatMoveNothingAreRefused) {
  const Vec3d here{0, 0, 0}, down{0, 0, -1}, aside{1, 0, 0};
  const auto legal = [](const std::string& what) { EXPECT_EQ(what, "compiled"); };
  const auto refused = [](const std::string& what) {
    EXPECT_NE(what.find("no inertia along that motion"), std::string::npos) << what;
  };
  // A point swings about any axis that does not meet it.
  legal(onOneJoint(JointKind::Revolute, aside, point));
  refused(onOneJoint(JointKind::Revolute, down, point));
  refused(onOneJoint(JointKind::Revolute, here, point));
  legal(onOneJoint(JointKind::Prismatic, here, point));
  legal(onOneJoint(JointKind::Helical, here, point));
  legal(onOneJoint(JointKind::Translation, here, point));
  // On a cardan it hangs well, though it has no inertia about the line to it.
  legal(onOneJoint(JointKind::Universal, down, point));
  refused(onOneJoint(JointKind::Universal, aside, point));  // about x nothing moves
  refused(onOneJoint(JointKind::Spherical, down, point));
  // A thin rod may not turn about itself, wherever its frame sits.
  refused(onOneJoint(JointKind::Revolute, aside, rod_x, {1, 0, 0}));
  legal(onOneJoint(JointKind::Spherical, {0, 1, 0}, rod_x));
  refused(onOneJoint(JointKind::Floating, {0, 1, 0}, rod_x));
  refused(onOneJoint(JointKind::Planar, {1, 1, 0}, point));
  legal(onOneJoint(JointKind::Planar, {1, 1, 0}, rod_x));
  // Where a sequence's own axes fall together is no matter of mass.
  legal(onOneJoint(JointKind::Euler, here, {0.1, 0, 0, 0.2, 0, 0.25}));
  refused(onOneJoint(JointKind::Euler, down, point));
}

TEST(Compile, AFloatingRodIsRefused) {
  Builder b;
  b.link("rod", 1, {0, 1, 0}, rod_x);
  EXPECT_NE(b.refused().find("'rod'"), std::string::npos);
}

TEST(Compile, SpecsThatCheckSpecRefusesDoNotCompile) {
  Builder b;
  b.link("a").link("b");
  EXPECT_NE(b.refused().find("error"), std::string::npos);  // two roots
  b.joint("j", JointKind::Revolute, "a", "b", {0, 0, 0});
  EXPECT_NE(b.refused().find("zero axis"), std::string::npos) << b.refused();
}

}  // namespace
}  // namespace espalier::testing

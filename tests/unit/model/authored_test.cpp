// Authored parameters: what compile() makes of links, how they are lowered, and which are refused.

#include "espalier/model/compile/authored.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "espalier/model/compile/check_authored.h"
#include "tests/support/compare.h"
#include "tests/support/random_spec.h"

namespace espalier::testing {
namespace {

TEST(Authored, ABodyOfOneLinkKeepsItsParameters) {
  SystemSpec spec = randomSpec(1, {.welds = false});
  for (LinkSpec& link : spec.links) link.inertial->X_LC.R = identity3<double>();
  const Model model = compile(spec).value();
  for (int b = 0; b < model.nb(); ++b) {
    const InertialSpec& in = *spec.links[b].inertial;
    const AuthoredBody& body = model.authored.bodies[b];
    EXPECT_EQ(body.mass, in.mass);
    EXPECT_EQ(relativeDifference(body.com, in.X_LC.p), 0);
    EXPECT_EQ(body.I.xx, in.I.xx);
    EXPECT_EQ(body.I.xz, in.I.xz);
    EXPECT_EQ(body.I.yz, in.I.yz);
  }
}

TEST(Authored, WeldedLinksAreTheSumOfTheirMasses) {
  // Against point masses: three of them on crossed arms, welded from two links.
  const double m = 2;
  SystemSpec spec;
  spec.name = "cross";
  spec.links.resize(2);
  spec.links[0].name = "a";
  spec.links[1].name = "b";
  // Two points at x = +-1: about their centre.
  spec.links[0].inertial = InertialSpec{2 * m, identityTransform<double>(), {0, 0, 0, 4, 0, 4}};
  // One at y = 3 of the welded link's own frame, which stands at (0, 0, 1) and is turned about z.
  spec.links[1].inertial = InertialSpec{m, {identity3<double>(), {0, 3, 0}}, {0, 0, 0, 0, 0, 0}};
  JointSpec& weld = spec.joints.emplace_back();
  weld.name = "weld";
  weld.parent = "a";
  weld.child = "b";
  weld.X_PJ = {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}, {0, 0, 1}};
  const Model model = compile(spec).value();
  const AuthoredBody& body = model.authored.bodies[0];
  const Vec3d points[] = {{1, 0, 0}, {-1, 0, 0}, {-3, 0, 1}};
  Vec3d com{0, 0, 0};
  for (const Vec3d& p : points) com += p * (1.0 / 3);
  double xx = 0, yy = 0, zz = 0, xz = 0;
  for (const Vec3d& p : points) {
    const Vec3d d = p - com;
    xx += m * (d.y * d.y + d.z * d.z);
    yy += m * (d.x * d.x + d.z * d.z);
    zz += m * (d.x * d.x + d.y * d.y);
    xz -= m * d.x * d.z;
  }
  EXPECT_EQ(body.mass, 3 * m);
  EXPECT_LT(relativeDifference(body.com, com), 1e-15);
  EXPECT_NEAR(body.I.xx, xx, 1e-14);
  EXPECT_NEAR(body.I.yy, yy, 1e-14);
  EXPECT_NEAR(body.I.zz, zz, 1e-14);
  EXPECT_NEAR(body.I.xz, xz, 1e-14);
  EXPECT_NEAR(body.I.xy, 0, 1e-14);
}

TEST(Authored, CompileLowersWithTheSameFunction) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Model model = compile(randomSpec(seed)).value();
    Lowered<double> again;
    lower(model.topology, model.authored, again);
    EXPECT_TRUE(sameBits(again, model.lowered));
    // And in place of other numbers.
    Lowered<double> other = compile(randomSpec(seed, {.welds = true})).value().lowered;
    other.bodies[0].p.x += 1;
    lower(model.topology, model.authored, other);
    EXPECT_TRUE(sameBits(other, model.lowered));
  }
}

/// One link for each body, with the body's authored numbers.
SystemSpec lumped(const SystemSpec& spec, const Model& model) {
  SystemSpec out;
  out.name = spec.name;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const AuthoredBody& body = model.authored.bodies[b];
    LinkSpec& link = out.links.emplace_back();
    link.name = model.bodies[b].name;
    link.inertial = InertialSpec{body.mass, {identity3<double>(), body.com}, body.I};
    if (b == 0) continue;
    JointSpec joint = spec.joints[model.bodies[b].specJoint];
    joint.parent = model.bodies[model.topology.bodies[b].parent].name;
    joint.X_PJ = body.X_PJ;
    out.joints.push_back(joint);
  }
  return out;
}

TEST(Authored, WeldedLinksAreOneLinkOfTheirAuthoredNumbers) {
  int welded = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const SystemSpec spec = randomSpec(seed);
    const Model model = compile(spec).value();
    welded += static_cast<int>(spec.links.size()) - model.nb();
    EXPECT_TRUE(sameBits(compile(lumped(spec, model)).value().lowered, model.lowered)) << seed;
  }
  EXPECT_GT(welded, 10);
}

// ---- what is refused

struct BadEdit {
  const char* name;
  AuthoredFault fault;
  std::function<void(AuthoredBody&, double& rotor)> authored;
  std::function<void(LinkSpec&, JointSpec&)> spec;  // the same edit of the file
};

constexpr double infinite = std::numeric_limits<double>::infinity();

const BadEdit bad_edits[] = {
    {"mass", AuthoredFault::NegativeMass, [](AuthoredBody& b, double&) { b.mass = -1; },
     [](LinkSpec& l, JointSpec&) { l.inertial->mass = -1; }},
    {"nan", AuthoredFault::NotFinite, [](AuthoredBody& b, double&) { b.com.y = infinite; },
     [](LinkSpec& l, JointSpec&) { l.inertial->X_LC.p.y = infinite; }},
    {"negativeInertia", AuthoredFault::NegativeInertia,
     [](AuthoredBody& b, double&) { b.I = {1, 0, 0, -1, 0, 1}; },
     [](LinkSpec& l, JointSpec&) { l.inertial->I = {1, 0, 0, -1, 0, 1}; }},
    {"axis", AuthoredFault::ZeroAxis,
     [](AuthoredBody& b, double&) {
       b.axes[0] = {0, 0, 0};
     },
     [](LinkSpec&, JointSpec& j) {
       j.axes[0] = {0, 0, 0};
     }},
    {"rotor", AuthoredFault::NegativeRotor, [](AuthoredBody&, double& rotor) { rotor = -1; },
     [](LinkSpec&, JointSpec& j) { j.dynamics.rotorInertia = -1; }},
    {"nothing", AuthoredFault::MovesNothing,
     [](AuthoredBody& b, double& rotor) {
       b.mass = 0;
       b.I = {0, 0, 0, 0, 0, 0};
       rotor = 0;
     },
     [](LinkSpec& l, JointSpec& j) {
       l.inertial.reset();
       j.dynamics.rotorInertia = 0;
     }}};

TEST(Authored, EditsThatCompileRefusesAreRefused) {
  SystemSpec spec = randomSpec(3, {.links = 4, .welds = false, .kinds = {JointKind::Revolute}});
  for (LinkSpec& link : spec.links) link.inertial->X_LC.R = identity3<double>();
  spec.joints[2].parent = "link2";  // the last one is a leaf
  const Model model = compile(spec).value();
  std::vector<RigidInertia<double>> carried;
  EXPECT_EQ(judge(model.topology, model.authored, model.lowered, model.mechanism, carried).fault,
            AuthoredFault::None);
  for (const BadEdit& edit : bad_edits) {
    Authored authored = model.authored;
    edit.authored(authored.bodies[3], authored.rotorInertia[model.topology.bodies[3].u]);
    Lowered<double> lowered;
    lower(model.topology, authored, lowered);
    const AuthoredVerdict verdict =
        judge(model.topology, authored, lowered, model.mechanism, carried);
    EXPECT_EQ(verdict.fault, edit.fault) << edit.name;
    EXPECT_EQ(verdict.body, 3) << edit.name;
    EXPECT_NE(explain(model, verdict).find("'link3'"), std::string::npos) << edit.name;

    SystemSpec edited = spec;
    edit.spec(edited.links[3], edited.joints[2]);
    EXPECT_FALSE(compile(edited).hasValue()) << edit.name;
  }
}

TEST(Authored, AxesOfOneJointMayNotBeParallelNorItsFrameBeSheared) {
  const Model model =
      compile(randomSpec(5, {.links = 2, .welds = false, .kinds = {JointKind::Universal}})).value();
  std::vector<RigidInertia<double>> carried;
  Authored authored = model.authored;
  authored.bodies[1].axes[1] = authored.bodies[1].axes[0] * -2;
  EXPECT_EQ(judge(model.topology, authored, model.lowered, model.mechanism, carried).fault,
            AuthoredFault::ParallelAxes);
  authored = model.authored;
  authored.bodies[1].X_PJ.R.r0.x += 0.01;
  EXPECT_EQ(judge(model.topology, authored, model.lowered, model.mechanism, carried).fault,
            AuthoredFault::NotARotation);
  authored.bodies[1].X_PJ.R = {{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  // a mirror
  EXPECT_EQ(judge(model.topology, authored, model.lowered, model.mechanism, carried).fault,
            AuthoredFault::NotARotation);
}

}  // namespace
}  // namespace espalier::testing

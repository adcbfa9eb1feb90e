// Loops that are off by the digits of a file, and loops that hold their links still.

#include "espalier/model/loops/rounding.h"

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/model/loops/assembly.h"
#include "espalier/model/loops/weld_joints.h"
#include "tests/support/four_bar.h"

namespace espalier::testing {
namespace {

void expectWarning(const Expected<Model>& model, const std::string& part) {
  ASSERT_TRUE(model) << model.diagnostics().toString();
  for (const Diagnostic& d : model.diagnostics().all())
    if (d.severity == Severity::Warning && d.what.find(part) != std::string::npos) {
      EXPECT_FALSE(d.remedy.empty());
      EXPECT_EQ(d.line, 17);
      return;
    }
  ADD_FAILURE() << "no warning says '" << part << "':\n" << model.diagnostics().toString();
}

SystemSpec withLine(SystemSpec spec) {
  for (LoopSpec& loop : spec.loops) loop.line = 17;
  return spec;
}

Mat3d aboutX(double angle) {
  return axisRotation(Vec3d{1, 0, 0}, std::sin(angle), std::cos(angle));
}

/// Angles of the coupler and rocker of a crank-rocker in the plane, the open branch.
std::array<double, 2> closedForm(double crank) {
  const double a = 0.4, b = 1.0, c = 0.8, d = 1.0;
  const double x = a * std::cos(crank) - d, y = a * std::sin(crank), r = std::hypot(x, y);
  const double rocker = std::atan2(y, x) - std::acos((c * c + r * r - b * b) / (2 * c * r));
  const double coupler = std::atan2(c * std::sin(rocker) - y, c * std::cos(rocker) - x) - crank;
  return {coupler, rocker};
}

/// Sets the crank of a four-bar and returns how far the others are from the exact linkage's.
double offClosedForm(const Model& model, double crank) {
  std::vector<double> q = model.mechanism.assembled;
  q[0] = crank;
  EXPECT_TRUE(assembleDependents(model.topology, model.lowered, model.mechanism, q).isClosed);
  double best = HUGE_VAL;
  for (const double sign : {1.0, -1.0}) {  // either branch
    const auto [coupler, rocker] = closedForm(sign * crank);
    best = std::min(best, std::max(std::abs(std::remainder(q[1] - sign * coupler, 2 * M_PI)),
                                   std::abs(std::remainder(q[2] - sign * rocker, 2 * M_PI))));
  }
  return best;
}

/// All that a plane linkage is told thrice: a hinge whose pin is 0.1 mm and whose axes are a
/// thousandth of a radian out of the plane.
TEST(Rounding, AHingeThatIsOffByDigitsKeepsThePlanesEquations) {
  SystemSpec spec = withLine(fourBar({.kind = LoopKind::REVOLUTE}));
  spec.loops[0].X_SB.p.z = 1e-4;
  spec.loops[0].X_SB.R = aboutX(1e-3);
  spec.joints[1].axes[0] = {1e-3, 0, 1};
  const Expected<Model> model = compile(spec);
  expectWarning(model, "closes only but for rounding: ");
  expectWarning(model, "repeat others but for rounding, and are left out: they hold to ");
  ASSERT_EQ(model->publicNv, 1);
  EXPECT_EQ(model->mechanism.clusters[0].rows.size(), 2u);
  const LoopSystem loops{model->topology, model->lowered, model->mechanism.closures, {}};
  const LoopEquations e = loops.equations(model->mechanism.assembled.data());
  EXPECT_LT(e.largest(), 1e-11);
  for (const double crank : {0.5, 1.0, 1.8, 2.6, -0.7})
    EXPECT_LT(offClosedForm(*model, crank), 5e-3) << crank;
}

TEST(Rounding, AnExactLinkageIsLeftAsItIs) {
  const Expected<Model> model = compile(withLine(fourBar({.kind = LoopKind::REVOLUTE})));
  ASSERT_TRUE(model);
  EXPECT_TRUE(model.diagnostics().all().empty()) << model.diagnostics().toString();
  EXPECT_EQ(model->mechanism.closures[0].loose, 0u);
  EXPECT_LT(offClosedForm(*model, 1.2), 1e-9);
}

/// A bar and a head, as a parallelogram's sides, tied by two rods of 42 mm of which one is longer by
/// `longer`.
SystemSpec twoRods(double longer) {
  SystemSpec s = fourBar({.crank = 0.04, .coupler = 0.02, .rocker = 0.04, .ground = 0.02});
  for (JointSpec& joint : s.joints) joint.independent.reset();
  LinkSpec rod = s.links[1];
  rod.name = "second_rod";
  s.links.push_back(rod);
  JointSpec hinge = s.joints[0];
  hinge.name = "d";
  hinge.child = "second_rod";
  hinge.X_PJ.p = {0.012, 0, 0};
  s.joints.push_back(hinge);
  LoopSpec loop = s.loops[0];
  loop.name = "second";
  loop.predecessor = "coupler";
  loop.successor = "second_rod";
  loop.X_PA.p = {0.012, 0, 0};
  loop.X_SB.p = {0.04 + longer, 0, 0};
  s.loops.push_back(loop);
  // Upright: the rods along y, the bars along x.
  for (const int j : {0, 2, 3}) s.joints[j].X_PJ.R = axisRotation(Vec3d{0, 0, 1}, 1.0, 0.0);
  s.joints[1].X_PJ.R = axisRotation(Vec3d{0, 0, 1}, -1.0, 0.0);
  return withLine(s);
}

TEST(Rounding, TwoRodsOfUnequalDigitsAreAParallelogram) {
  const Expected<Model> exact = compile(twoRods(0));
  ASSERT_TRUE(exact) << exact.diagnostics().toString();
  ASSERT_EQ(exact->publicNv, 1);
  const Expected<Model> model = compile(twoRods(4e-5));
  expectWarning(model, "but for rounding");
  ASSERT_TRUE(model);
  ASSERT_EQ(model->publicNv, 1);
  const std::vector<double>& home = model->mechanism.assembled;
  for (const double angle : {-0.8, -0.3, 0.4, 0.9}) {
    std::vector<double> q = home;
    const int lead = model->mechanism.dofOfY[0];
    q[lead] += angle;
    ASSERT_TRUE(assembleDependents(model->topology, model->lowered, model->mechanism, q).isClosed);
    // All rods turn alike; the bar stays as it is.
    const double turn = q[0] - home[0];
    EXPECT_NEAR(std::abs(turn), std::abs(angle), 0.02);
    EXPECT_NEAR(q[2] - home[2], turn, 0.02);
    EXPECT_NEAR(q[3] - home[3], turn, 0.02);
    EXPECT_NEAR(q[1] - home[1], -turn, 0.02);
  }
}

TEST(Rounding, MisfitsBeyondDigitsAreNoRounding) {
  const Expected<Model> longer = compile(twoRods(2e-3));  // a twentieth
  ASSERT_FALSE(longer);
  EXPECT_NE(longer.diagnostics().toString().find("cannot be closed"), std::string::npos);
  SystemSpec askew = fourBar({.kind = LoopKind::POINT});
  askew.joints[0].independent.reset();
  askew.joints[1].axes[0] = {0.1, 0, 1};
  const Expected<Model> rigid = compile(withLine(askew));
  expectWarning(rigid, "leave nothing to move: 3 independent equations for 3 dofs");
  ASSERT_TRUE(rigid);
  EXPECT_EQ(rigid->publicNv, 0);
}

TEST(Rounding, FramesAreClosedInTheRowsOfEachKind) {
  for (int kind = 0; kind <= static_cast<int>(LoopKind::SCREW); ++kind) {
    LoopSpec spec;
    spec.kind = static_cast<LoopKind>(kind);
    spec.axis = {0.2, 0.3, 1};
    spec.axis2 = {1, 0, -0.2};
    spec.pitch = 0.02;
    spec.X_PA = {aboutX(0.4), {0.3, 0.1, 0.2}};
    spec.X_SB = {aboutX(0.41), {0.3004, 0.1, 0.2003}};
    Closure loop = closureOf(spec);
    const LoopEnds ends{loop.X_LA, loop.X_LB};
    const LoopGap gap = gapOf(loop, ends);
    EXPECT_GT(gap.distance + gap.angle, 1e-5) << kind;
    const LoopEnds closed{ends.A, closedEnd(loop, ends)};
    EXPECT_LT(gapOf(loop, closed).distance, 1e-15) << kind;
    EXPECT_LT(gapOf(loop, closed).angle, 1e-15) << kind;
    EXPECT_LE(norm(closed.B.p - ends.B.p), 6e-4) << kind;
  }
  EXPECT_EQ(printed(LoopGap{1.2e-4, 0}), "0.00012 m");
  EXPECT_EQ(printed(LoopGap{1.2e-4, 2e-3}), "0.00012 m and 0.002 rad");
  EXPECT_EQ(printed(LoopGap{0, 2e-3}), "0.002 rad");
}

/// Against the same robot with the joints written as fixed.
TEST(Welds, ALinkageThatIsHeldIsOneBody) {
  SystemSpec spec = withLine(fourBar({.floats = true, .kind = LoopKind::FIXED, .rocker = 0.3}));
  for (JointSpec& joint : spec.joints) joint.independent.reset();
  const Expected<Model> model = compile(spec);
  expectWarning(model, "leave nothing to move: 3 independent equations for 3 dofs");
  expectWarning(model, "welded to one another");
  ASSERT_TRUE(model);
  EXPECT_EQ(model->nb(), 1);
  EXPECT_TRUE(model->mechanism.isTree());
  EXPECT_EQ(model->publicNq, 7);
  ASSERT_EQ(model->frames.size(), 3u);
  // The triangle 0.4 (+ 1.0 on it) and 0.3: the crank's end and the rocker's, where the loop says.
  SystemSpec fixed = spec;
  fixed.loops.clear();
  double residual = 0;
  for (const FrameInfo& frame : model->frames) EXPECT_EQ(frame.kind, JointKind::Fixed);
  const auto pose = [&](const std::string& link) {
    for (const FrameInfo& f : model->links)
      if (f.name == link) return f.X_LF;
    return identityTransform<double>();
  };
  const Transformd A = pose("coupler") * spec.loops[0].X_PA,
                   B = pose("rocker") * spec.loops[0].X_SB;
  residual = norm(A.p - B.p);
  EXPECT_LT(residual, 1e-11);
  for (std::size_t i = 0; i < 3; ++i) {
    fixed.joints[i].kind = JointKind::Fixed;
    fixed.joints[i].X_PJ = inverse(pose(fixed.joints[i].parent)) * pose(fixed.joints[i].child);
  }
  const Expected<Model> byHand = compile(fixed);
  ASSERT_TRUE(byHand);
  const AuthoredBody &a = model->authored.bodies[0], &b = byHand->authored.bodies[0];
  EXPECT_NEAR(a.mass, 6.7, 1e-12);
  EXPECT_NEAR(norm(a.com - b.com), 0, 1e-12);
  EXPECT_NEAR(a.I.zz, b.I.zz, 1e-12);
  EXPECT_NEAR(a.I.xy, b.I.xy, 1e-12);
}

TEST(Welds, JointsThatTheFileMovesMustMove) {
  const Expected<Model> model =
      compile(withLine(fourBar({.kind = LoopKind::FIXED, .rocker = 0.3})));
  ASSERT_FALSE(model);  // the crank is flagged
  EXPECT_NE(model.diagnostics().toString().find("leave nothing to move"), std::string::npos);
}

/// A follower of a joint that is welded is welded where it is.
TEST(Welds, MimicsAndRotorsGoWithThem) {
  SystemSpec spec = withLine(fourBar({.kind = LoopKind::FIXED, .rocker = 0.3}));
  for (JointSpec& joint : spec.joints) joint.independent.reset();
  LinkSpec rotor = spec.links[1];
  rotor.name = "rotor";
  rotor.inertial->X_LC.p = {0, 0, 0};
  rotor.inertial->I = {0.01, 0, 0, 0.01, 0, 0.01};
  spec.links.push_back(rotor);
  JointSpec follows = spec.joints[0];
  follows.name = "r";
  follows.child = "rotor";
  follows.mimic = MimicSpec{"a", 6, 0.1};
  spec.joints.push_back(follows);
  const Expected<Model> model = compile(spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  EXPECT_EQ(model->nb(), 1);
  EXPECT_EQ(model->rotors.size(), 0u);
  EXPECT_NEAR(model->authored.bodies[0].mass, 7.7, 1e-12);
}

}  // namespace
}  // namespace espalier::testing

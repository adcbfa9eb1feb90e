// What closes loops, in specs filled by hand: what no file can say. What files can say is in
// unit/io/urdf_loop_test.cpp.

#include "espalier/model/spec/checks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "espalier/model/model.h"
#include "espalier/model/spec/check_spec.h"
#include "espalier/spatial/rotation.h"

namespace espalier {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Two branches of hinges, a - b and c, from a root.
SystemSpec branches() {
  SystemSpec spec;
  spec.file = "r.urdf";
  for (const char* name : {"root", "a", "b", "c"}) {
    spec.links.emplace_back();
    spec.links.back().name = name;
  }
  const auto hinge = [&](const std::string& parent, const std::string& child) {
    JointSpec joint;
    joint.name = "j" + child;
    joint.kind = JointKind::Revolute;
    joint.parent = parent;
    joint.child = child;
    spec.joints.push_back(joint);
  };
  hinge("root", "a");
  hinge("a", "b");
  hinge("root", "c");
  return spec;
}

LoopSpec loop(LoopKind kind, const std::string& predecessor, const std::string& successor) {
  LoopSpec l;
  l.name = "l";
  l.kind = kind;
  l.predecessor = predecessor;
  l.successor = successor;
  l.line = 5;
  return l;
}

SystemSpec with(const LoopSpec& l) {
  SystemSpec spec = branches();
  spec.loops.push_back(l);
  return spec;
}

SystemSpec with(const CouplingSpec& c) {
  SystemSpec spec = branches();
  spec.couplings.push_back(c);
  return spec;
}

void expectGood(const SystemSpec& spec) {
  Diagnostics all;
  checkSpec(spec, all);
  EXPECT_TRUE(all.all().empty()) << all.toString();
}

void expectError(const SystemSpec& spec, const std::string& part, int line = 5) {
  Diagnostics all;
  checkSpec(spec, all);
  for (const Diagnostic& d : all.all()) {
    EXPECT_FALSE(d.remedy.empty()) << d.what;
    if (d.severity != Severity::Error || d.what.find(part) == std::string::npos) continue;
    EXPECT_EQ(d.line, line) << d.what;
    EXPECT_EQ(d.file, "r.urdf");
    return;
  }
  ADD_FAILURE() << "nothing says '" << part << "' in:\n" << all.toString();
}

TEST(CheckLoops, AcceptsValidLoops) {
  for (int kind = 0; kind <= static_cast<int>(LoopKind::SCREW); ++kind) {
    expectGood(with(loop(static_cast<LoopKind>(kind), "b", "c")));
    expectGood(with(loop(static_cast<LoopKind>(kind), "world", "c")));
    expectGood(with(loop(static_cast<LoopKind>(kind), "b", "root")));  // its own ancestor
  }
  expectGood(with({"c", "b", "c", -3, 0.5, 5}));
}

/// A loop between links that are one body holds nothing more: it is left out where it is closed, or
/// off by the digits of a file.
TEST(CheckLoops, EndsThatAreWelded) {
  SystemSpec spec = with(loop(LoopKind::FIXED, "a", "b"));
  spec.joints[1].kind = JointKind::Fixed;
  spec.joints[1].X_PJ.p = {0.3, 0, 0};
  expectError(spec, "welded together already, 0.3 m from where it would be closed");
  spec.loops[0].X_PA.p = {0.3, 0.0004, 0};
  Diagnostics said;
  checkSpec(spec, said);
  ASSERT_EQ(said.all().size(), 1u) << said.toString();
  EXPECT_EQ(said.all()[0].severity, Severity::Warning);
  EXPECT_EQ(said.all()[0].line, 5);
  EXPECT_NE(said.all()[0].what.find("is left out; its ends are 0.0004 m apart"), std::string::npos)
      << said.toString();
  for (LinkSpec& link : spec.links) link.inertial = InertialSpec{1, {}, {1, 0, 0, 1, 0, 1}};
  for (LinkSpec& link : spec.links) link.inertial->X_LC = identityTransform<double>();
  const Expected<Model> model = compile(spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  EXPECT_TRUE(model->mechanism.isTree());
  EXPECT_EQ(model.diagnostics().all().size(), 1u) << "said once";
  spec.loops[0].X_PA.R = axisRotation(Vec3d{0, 0, 1}, std::sin(0.1), std::cos(0.1));
  expectError(spec, "0.0004 m and 0.1 rad from where");
}

TEST(CheckLoops, TheGround) {
  SystemSpec spec = with(loop(LoopKind::POINT, "world", "root"));
  expectGood(spec);  // a floating root is not the ground
  spec.fixedBase = true;
  spec.loops[0].X_SB.p = {0, 0, 0.2};
  expectError(spec, "welded together already");
  spec = with(loop(LoopKind::POINT, "world", "world"));
  expectError(spec, "to itself");
}

TEST(CheckLoops, Numbers) {
  LoopSpec l = loop(LoopKind::UNIVERSAL, "b", "c");
  l.axis2 = {0, 0, nan};
  expectError(with(l), "has an axis2 that is not finite");
  l.kind = LoopKind::PRISMATIC;
  expectGood(with(l));  // it does not read axis2
  l.axis = {0, 0, 0};
  expectError(with(l), "has a zero axis");
  l.kind = LoopKind::FIXED;
  expectGood(with(l));
  l.X_PA.p.x = nan;
  expectError(with(l), "an origin on its predecessor that is not finite");
  l = loop(LoopKind::SCREW, "b", "c");
  l.pitch = nan;
  expectError(with(l), "has a pitch that is not finite");
  l.X_SB.R.r0.x = -1;
  expectError(with(l), "an origin on its successor whose orientation is not a rotation");
}

TEST(CheckLoops, Couplings) {
  expectError(with({"c", "b", "c", nan, 0, 5}), "has a ratio or an offset that is not finite");
  expectError(with({"c", "b", "c", 1, nan, 5}), "has a ratio or an offset that is not finite");
  expectError(with({"c", "b", "c", 0, 0, 5}), "has the ratio zero");
  expectError(with({"c", "world", "c", 1, 0, 5}), "names the predecessor 'world'");
}

TEST(CheckLoops, ABrokenTreeIsSaidAndNotWalked) {
  SystemSpec spec = with(loop(LoopKind::POINT, "b", "c"));
  spec.couplings.push_back({"c", "b", "c", 2, 0, 5});
  spec.joints[0].parent = "b";  // a and b in a ring
  Diagnostics all;
  checkSpec(spec, all);
  EXPECT_EQ(all.count(Severity::Error), 1) << all.toString();
}

TEST(CheckLoops, LongRingsOfMimicsAreSaidOnceAndShort) {
  SystemSpec spec;
  spec.file = "r.urdf";
  spec.links.emplace_back();
  spec.links.back().name = "world";
  constexpr int count = 300;
  for (int i = 0; i < count; ++i) {
    spec.links.emplace_back();
    spec.links.back().name = "l" + std::to_string(i);
    JointSpec joint;
    joint.name = "j" + std::to_string(i);
    joint.kind = JointKind::Revolute;
    joint.parent = "world";
    joint.child = spec.links.back().name;
    joint.mimic = MimicSpec{"j" + std::to_string((i + 1) % count), 1, 0};
    spec.joints.push_back(joint);
  }
  Diagnostics all;
  checkSpec(spec, all);
  ASSERT_EQ(all.count(Severity::Error), 1);
  EXPECT_NE(all.all()[0].what.find("'j0' -> 'j1'"), std::string::npos);
  EXPECT_LT(all.all()[0].what.size(), 200u);
}

}  // namespace
}  // namespace espalier

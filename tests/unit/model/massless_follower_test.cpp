// Massless bodies whose joints follow others: M of the spanning tree is singular, that of the motions
// that are left is not.

#include <gtest/gtest.h>

#include "espalier/model/compile/check_authored.h"
#include "espalier/model/model.h"
#include "tests/unit/io/remarks.h"

namespace espalier {
namespace {

LinkSpec link(const std::string& name, double mass) {
  LinkSpec l;
  l.name = name;
  if (mass > 0)
    l.inertial = InertialSpec{mass, identityTransform<double>(), {0.01, 0, 0, 0.01, 0, 0.01}};
  return l;
}

JointSpec hinge(const std::string& name, const std::string& parent, const std::string& child) {
  JointSpec j;
  j.name = name;
  j.kind = JointKind::Revolute;
  j.parent = parent;
  j.child = child;
  j.axes[0] = {0, 0, 1};
  j.line = 7;
  return j;
}

/// Two hinges one behind the other, the second of a massless link that mimics the first.
SystemSpec follower(double leaderMass) {
  SystemSpec spec;
  spec.links = {link("world", 0), link("a", leaderMass), link("b", 0)};
  spec.joints = {hinge("ja", "world", "a"), hinge("jb", "a", "b")};
  spec.joints[1].mimic = MimicSpec{"ja", -1, 0};
  return spec;
}

TEST(MasslessFollower, IsTakenWhereItsLeaderMovesMass) {
  const auto model = compile(follower(1));
  ASSERT_TRUE(model) << model.diagnostics().toString();
  EXPECT_EQ(model->publicNv, 1);
  EXPECT_NE(findRemark(model.diagnostics(), Severity::Warning,
                       "link 'b' is massless and movable; it only follows others"),
            nullptr)
      << model.diagnostics().toString();
}

TEST(MasslessFollower, IsRefusedWhereItsLeaderMovesNone) {
  const auto model = compile(follower(0));
  EXPECT_FALSE(model);
  expectRemark(model.diagnostics(), Severity::Error, 7,
               "link 'b' can move on joint 'jb' but has no inertia along that motion", "");
}

TEST(MasslessFollower, IsRefusedWhereNothingLeadsIt) {
  SystemSpec spec = follower(1);
  spec.joints[1].mimic.reset();
  EXPECT_FALSE(compile(spec));
  // Nor does it help that others follow one another.
  spec.links.push_back(link("c", 1));
  spec.joints.push_back(hinge("jc", "world", "c"));
  spec.joints[2].mimic = MimicSpec{"ja", 1, 0};
  EXPECT_FALSE(compile(spec));
}

// A parallelogram whose coupler and second crank are massless: both loops' dofs follow the first.
TEST(MasslessFollower, LinksOfALoopMayBeMassless) {
  SystemSpec spec;
  spec.links = {link("world", 0), link("a", 1), link("b", 0), link("c", 0)};
  spec.joints = {hinge("ja", "world", "a"), hinge("jb", "a", "b"), hinge("jc", "world", "c")};
  spec.joints[1].X_PJ.p = {0, 1, 0};
  spec.joints[2].X_PJ.p = {2, 0, 0};
  LoopSpec pin;
  pin.name = "pin";
  pin.predecessor = "b";
  pin.successor = "c";
  pin.X_PA.p = {2, 0, 0};
  pin.X_SB.p = {0, 1, 0};
  spec.loops = {pin};
  const auto model = compile(spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  EXPECT_EQ(model->publicNv, 1);
  spec.links[1].inertial.reset();
  EXPECT_FALSE(compile(spec)) << "nothing of it has mass";
}

TEST(MasslessFollower, AnEditIsJudgedAlike) {
  const Model model = compile(follower(1)).value();
  std::vector<RigidInertia<double>> carried;
  EXPECT_EQ(judge(model.topology, model.authored, model.lowered, model.mechanism, carried).fault,
            AuthoredFault::None);
  Authored authored = model.authored;
  authored.bodies[1].mass = 0;
  authored.bodies[1].I = {0, 0, 0, 0, 0, 0};
  Lowered<double> lowered;
  lower(model.topology, authored, lowered);
  EXPECT_EQ(judge(model.topology, authored, lowered, model.mechanism, carried).fault,
            AuthoredFault::MovesNothing);
}

}  // namespace
}  // namespace espalier

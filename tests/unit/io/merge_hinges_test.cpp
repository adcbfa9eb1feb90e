// Three hinges over massless links that make a ball, in a loop.

#include "espalier/io/merge_hinges.h"

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/io/urdf/urdf.h"
#include "espalier/model/loops/assembly.h"
#include "espalier/model/model.h"
#include "remarks.h"

namespace espalier::io {
namespace {

/// A pendulum and a rod that hangs on it by three hinges and ends on a second pendulum. `mid` and
/// `hinge` stand in the inner link and in the second hinge; `more` at the end.
std::string rod(const std::string& mid = "", const std::string& hinge = "",
                const std::string& more = "", const std::string& third = "0 0 1") {
  const auto inertial = [](const std::string& x) {
    return "<inertial><origin xyz='" + x +
           "'/><mass value='1'/><inertia ixx='.01' ixy='0' ixz='0' iyy='.02' iyz='0' izz='.02'/>"
           "</inertial>";
  };
  const auto joint = [](const std::string& name, const std::string& parent,
                        const std::string& child, const std::string& axis,
                        const std::string& inside) {
    return "<joint name='" + name + "' type='continuous'><parent link='" + parent +
           "'/><child link='" + child + "'/><axis xyz='" + axis + "'/>" + inside + "</joint>\n";
  };
  return "<robot name='r'><link name='world'/><link name='p1'>" + inertial("0 0 -.1") +
         "</link><link name='p2'>" + inertial("0 0 -.1") +
         "</link><link name='r0'/><link name='r1'>" + mid + "</link><link name='rod'>" +
         inertial(".1 0 0") + "</link>\n" +
         joint("a", "world", "p1", "0 1 0", "<origin xyz='0 0 1'/>") +
         joint("b", "world", "p2", "0 1 0", "<origin xyz='.25 .02 1'/>") +
         joint("x", "p1", "r0", "1 0 0", "<origin xyz='0 0 -.2' rpy='.1 .2 .3'/>") +
         joint("y", "r0", "r1", "0 1 0", "<origin xyz='0 0 0' rpy='.3 0 .1'/>" + hinge) +
         joint("z", "r1", "rod", third, "<origin xyz='0 0 0' rpy='0 .2 0'/>") +
         "<loop name='end' type='point'><predecessor link='rod'><origin xyz='.2754 0 0'/>"
         "</predecessor><successor link='p2'><origin xyz='0 0 -.3'/></successor></loop>" +
         more + "</robot>";
}

SystemSpec read(const std::string& text, bool keeps = false) {
  UrdfOptions options;
  options.keepsHinges = keeps;
  const auto spec = loadRobot(text, options);
  EXPECT_TRUE(spec) << spec.diagnostics().toString();
  return *spec;
}

TEST(MergeHinges, MakeOneSphericalJoint) {
  const auto spec = loadRobot(rod());
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  expectRemark(spec.diagnostics(), Severity::Note, 4, "they are one spherical joint 'z'");
  ASSERT_EQ(spec->joints.size(), 3u);
  ASSERT_EQ(spec->links.size(), 4u);
  const JointSpec& ball = spec->joints[2];
  EXPECT_EQ(ball.name, "z");
  EXPECT_EQ(ball.kind, JointKind::Spherical);
  EXPECT_EQ(ball.parent, "p1");
  EXPECT_EQ(ball.child, "rod");
}

/// Both have the same places and the same motion: the rod's pose at the assembled configuration, how
/// many dofs there are, and the mass matrix by way of the energy of the first pendulum's motion.
TEST(MergeHinges, IsTheSameRobot) {
  const Expected<Model> balls = compile(read(rod())), hinges = compile(read(rod(), true));
  ASSERT_TRUE(balls && hinges);
  EXPECT_EQ(hinges->nb(), 6);
  EXPECT_EQ(balls->nb(), 4);
  EXPECT_EQ(balls->publicNv, hinges->publicNv);
  EXPECT_NEAR(balls->mass, hinges->mass, 1e-15);
  const auto rodAtNeutral = [](const Model& model) {
    const FrameInfo& f = model.frames[model.frame("z")];
    std::vector<double> q(model.nq(), 0.0);
    for (int b = 1; b < model.nb(); ++b)
      if (model.topology.bodies[b].kind == JointKind::Spherical) q[model.topology.bodies[b].q] = 1;
    // The end of the rod, as the loop's frame A.
    EXPECT_EQ(f.child, "rod");
    return placeOfLoop(model.topology, model.lowered, model.mechanism.closures[0], q.data());
  };
  EXPECT_NEAR(norm(rodAtNeutral(*balls) - rodAtNeutral(*hinges)), 0, 1e-15);
}

TEST(MergeHinges, StayWhereSomethingSpeaksOfThemOrTheyMakeNoBall) {
  EXPECT_EQ(read(rod("<visual><geometry><sphere radius='.1'/></geometry></visual>")).joints.size(),
            5u);
  EXPECT_EQ(read(rod("<inertial><mass value='.1'/><inertia ixx='.1' ixy='0' ixz='0' iyy='.1' "
                     "iyz='0' izz='.1'/></inertial>"))
                .joints.size(),
            5u);
  EXPECT_EQ(read(rod("", "<dynamics damping='.1'/>")).joints.size(), 5u);
  EXPECT_EQ(read(rod("", "<mimic joint='a'/>")).joints.size(), 5u);
  EXPECT_EQ(read(rod("", "<limit lower='-1' upper='1' effort='1' velocity='1'/>")).joints.size(),
            3u)
      << "a continuous joint has no limits of position";
  EXPECT_EQ(read(rod("", "",
                     "<link name='t'/><joint name='tip' type='fixed'><parent link='r1'/>"
                     "<child link='t'/></joint>"))
                .joints.size(),
            6u);
  // In one plane: x, then y, then x again as the first two leave it.
  EXPECT_EQ(read(rod("", "", "", "0.9693 -0.0954 0.2266")).joints.size(), 5u);
  std::string driven = rod();
  driven.replace(driven.find("name='x' type"), 9, "name='x' independent='true' ");
  EXPECT_EQ(read(driven).joints.size(), 5u);
  // Without a loop they are joints that somebody may drive.
  std::string tree = rod();
  tree.erase(tree.find("<loop"), tree.find("</loop>") + 7 - tree.find("<loop"));
  EXPECT_EQ(read(tree).joints.size(), 5u);
}

}  // namespace
}  // namespace espalier::io

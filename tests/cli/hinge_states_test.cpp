// States written for three hinges, of robots whose hinges are one spherical joint; and which joints
// `sim` holds.

#include "apps/cli/hinge_states.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "apps/cli/closing.h"
#include "apps/cli/held_dofs.h"
#include "espalier/world/world.h"
#include "tests/support/source_folder.h"

namespace espalier::cli {
namespace {

std::string link(const std::string& name, const std::string& com) {
  return "<link name='" + name + "'><inertial><origin xyz='" + com +
         "'/><mass value='1'/><inertia ixx='.01' ixy='0' ixz='0' iyy='.02' iyz='0' izz='.02'/>"
         "</inertial></link>\n";
}

std::string joint(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& axis, const std::string& place, const std::string& more = "") {
  return "<joint name='" + name + "' type='continuous' " + more + "><parent link='" + parent +
         "'/><child link='" + child + "'/><axis xyz='" + axis + "'/><origin " + place +
         "/></joint>\n";
}

/// A rod between two pendulums, on a ball of three hinges at the first.
std::string rod(const std::string& flagOfFirst = "", const std::string& more = "") {
  return "<robot name='r'><link name='world'/><link name='r0'/><link name='r1'/>" +
         link("p1", "0 0 -.1") + link("p2", "0 0 -.1") + link("rod", ".1 0 0") +
         joint("a", "world", "p1", "0 1 0", "xyz='0 0 1'", flagOfFirst) +
         joint("b", "world", "p2", "0 1 0", "xyz='.25 .02 1'") +
         joint("x", "p1", "r0", "1 0 0", "xyz='0 0 -.2' rpy='.1 .2 .3'") +
         joint("y", "r0", "r1", "0 1 0", "rpy='.3 0 .1'") +
         joint("z", "r1", "rod", "0 0 1", "rpy='0 .2 0'") +
         "<loop name='end' type='point'><predecessor link='rod'><origin xyz='.2754 0 0'/>"
         "</predecessor><successor link='p2'><origin xyz='0 0 -.3'/></successor></loop>" +
         more + "</robot>";
}

Robot load(const std::string& text, bool keepsHinges = false) {
  RobotOptions options;
  options.urdf.keepsHinges = keepsHinges;
  Robot robot = loadRobot(text, options, Meshes::Skip);
  EXPECT_TRUE(robot.isGood()) << robot.diagnostics.toString();
  return robot;
}

struct Motion {
  Eigen::Vector3d position, velocity, spin;
};

/// Of the rod in a world.
Motion motionOf(const Model& model, const StateInput& state) {
  World world;
  ArticulatedSystem& robot = *world.addArticulatedSystem(std::make_shared<const Model>(model));
  robot.setSpanningCoordinate(vectorInOrder(state.q, model.spanningCoordinate));
  robot.setGeneralizedVelocity(vectorInOrder(state.u, model.publicDof));
  Motion m;
  const auto frame = robot.getFrameIdxByName("z");
  robot.getFramePosition(frame, m.position);
  robot.getFrameVelocity(frame, m.velocity);
  robot.getFrameAngularVelocity(frame, m.spin);
  return m;
}

TEST(HingeStates, AreThoseOfTheBall) {
  const Robot balls = load(rod()), hinges = load(rod(), true);
  ASSERT_EQ(balls.model->publicNv, 2);
  ASSERT_EQ(hinges.model->publicNq, 2);
  const std::string path = ::testing::TempDir() + "hinge_states.json";
  std::ofstream(path) << R"([{"q": [0.1, 0.2], "u": [0.7, -0.4]}, {"q": [-0.1, 0.4]}])";
  const Expected<StateFile> kept = readStates(path, *hinges.model);
  ASSERT_TRUE(kept) << kept.diagnostics().toString();
  const Expected<StateFile> read = readStatesOf(balls, {}, path);
  ASSERT_TRUE(read) << read.diagnostics().toString();
  ASSERT_EQ(read->states.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(read->states[i].warnings.size(), 1u);
    EXPECT_NE(read->states[i].warnings[0].find("were converted"), std::string::npos);
    const Motion a = motionOf(*balls.model, read->states[i]),
                 b = motionOf(*hinges.model, kept->states[i]);
    EXPECT_LT((a.position - b.position).norm(), 1e-10);
    EXPECT_LT((a.velocity - b.velocity).norm(), 1e-10);
    EXPECT_LT((a.spin - b.spin).norm(), 1e-9);
    EXPECT_EQ(b.spin.norm() > 0.1, i == 0);
  }
}

TEST(HingeStates, StatesOfAnotherSizeAreErrorsWithTheNames) {
  const Robot balls = load(rod());
  const std::string path = ::testing::TempDir() + "hinge_states_wrong.json";
  for (const char* text : {R"({"q": [0.1, 0.2, 0.3]})", R"({"u": [1, 2], "q": [0.1, 0.2],
                            "tau": [1, 2]})"}) {
    std::ofstream(path) << text;
    const Expected<StateFile> read = readStatesOf(balls, {}, path);
    ASSERT_FALSE(read);
    EXPECT_NE(read.diagnostics().toString().find("z.qw"), std::string::npos)
        << read.diagnostics().toString();
  }
}

TEST(HeldDofs, PassiveJointsOfAMechanismAreLeftAlone) {
  const auto held = [](const Robot& robot) {
    const std::vector<char> is = heldDofs(*robot.model, *robot.spec);
    std::string names;
    for (int d = 0; d < robot.model->nv(); ++d)
      if (is[d] && robot.model->publicDof[d] >= 0)
        names += robot.model->bodies[robot.model->topology.dofBody[d]].joint + " ";
    return names;
  };
  EXPECT_EQ(held(load(rod("independent='true'"), true)), "a ");
  const std::string motor =
      "<transmission name='t'><joint name='b'/><actuator name='m'/></transmission>";
  const Robot driven = load(rod("", motor), true);
  const bool bLeads =
      driven.model->publicDof[driven.model->topology.bodies[driven.model->joint("b")].u] >= 0;
  EXPECT_EQ(held(driven) == "b ", bLeads);
  const Robot undriven = load(rod(), true);  // whatever leads is held
  EXPECT_EQ(std::ranges::count(held(undriven), ' '), 2);
  // Joints of the tree are held, what floats is not.
  const Robot tree = loadRobot(sourceFolder() + "/models/strider/strider.urdf", {}, Meshes::Skip);
  const std::vector<char> is = heldDofs(*tree.model, *tree.spec);
  EXPECT_EQ(std::ranges::count(is, 0), 6);
  EXPECT_EQ(std::ranges::count(is, 1), 12);
}

}  // namespace
}  // namespace espalier::cli

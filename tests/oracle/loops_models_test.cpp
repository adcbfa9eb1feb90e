// The robots with closed loops that travel with the project, and those beside it, against the dense
// second opinion: where they are assembled, and their dynamics at fifty states.

#include <gtest/gtest.h>

#include <filesystem>

#include "espalier/io/urdf.h"
#include "tests/oracle/loops_engine.h"
#include "tests/support/shared.h"

namespace espalier::testing {
namespace {

using Eigen::VectorXd;

void expectSameAsDense(const std::filesystem::path& file, int states) {
  io::UrdfOptions options;
  options.loadMeshes = false;
  const Expected<SystemSpec> spec = io::loadRobot(file.string(), options);
  ASSERT_TRUE(spec.hasValue()) << spec.diagnostics().toString();
  const Expected<Model> model = compile(*spec);
  ASSERT_TRUE(model.hasValue()) << model.diagnostics().toString();
  ASSERT_TRUE(model->mechanism);
  const MechanismTree tree(*spec);
  ASSERT_EQ(model->nv(), tree.nv);
  LoopsEngine engine(*model, tree);
  const VectorXd q0 = engine.fromEngine(VectorXd::Map(engine.m.assembled.data(), model->nq()));
  EXPECT_LT(closureResidual(tree, q0).cwiseAbs().maxCoeff(), 1e-11);
  const std::vector<MechanismState> walk = randomStates(tree, q0, 1, states, 0.1, 1e-4);
  ASSERT_EQ(static_cast<int>(walk.size()), states);
  Random random(3);
  for (const MechanismState& s : walk) {
    engine.move(s, true);
    expectSameDynamics(engine, tree, s, 1e-9, random);
  }
}

class LoopsModels : public ::testing::TestWithParam<const char*> {};
TEST_P(LoopsModels, AreTheDenseSolution) {
  const std::string name = GetParam();
  expectSameAsDense(std::filesystem::path(ESPALIER_SOURCE_DIR) / "models" / name / (name + ".urdf"),
                    50);
}
INSTANTIATE_TEST_SUITE_P(Own, LoopsModels,
                         ::testing::Values("four_bar", "triple_rocker", "parallelogram",
                                           "slider_crank", "six_bar", "five_bar",
                                           "revolute_with_rotor", "revolute_pair_with_rotor",
                                           "revolute_triple_with_rotor", "differential_leg",
                                           "tello_hip", "tello_leg", "delta", "gripper",
                                           "linkage_arm", "geared_strider", "beest"),
                         [](const auto& p) { return std::string(p.param); });

class LoopsShared : public ::testing::TestWithParam<const char*> {};
TEST_P(LoopsShared, AreTheDenseSolution) {
  const std::filesystem::path file = sharedFolder() / "models" / GetParam();
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file << " under ESPALIER_SHARED";
  expectSameAsDense(file, 50);
}
INSTANTIATE_TEST_SUITE_P(
    Shared, LoopsShared,
    ::testing::Values("urdf_plus/four_bar.urdf", "urdf_plus/revolute_rotor_chain.urdf",
                      "urdf_plus/mit_humanoid.urdf", "urdf_plus/mini_cheetah.urdf",
                      "parallel_5bar_linkage/robot.urdf", "parallel_robot_delta/robot.urdf",
                      "parallel_cassie_like/robot.urdf", "parallel_digit_like/robot.urdf",
                      "cassie/robots/cassie_v2.sdf"),
    [](const auto& p) {
      std::string name = p.param;
      for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
      return name;
    });

}  // namespace
}  // namespace espalier::testing

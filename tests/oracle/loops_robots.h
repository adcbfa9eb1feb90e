#pragma once

// The robots with closed loops that travel with the project, and those beside it, as the oracle
// needs them: description, model, the second opinion's tree, the engine on the model.

#include <cctype>
#include <memory>

#include "espalier/io/urdf/urdf.h"
#include "tests/oracle/loops_engine.h"
#include "tests/support/shared.h"
#include "tests/support/source_folder.h"

namespace espalier::testing {

/// Names of models of our own, or files below the shared models.
inline constexpr const char* loop_robots[] = {
    "four_bar",
    "triple_rocker",
    "parallelogram",
    "slider_crank",
    "six_bar",
    "five_bar",
    "revolute_with_rotor",
    "revolute_pair_with_rotor",
    "revolute_triple_with_rotor",
    "differential_leg",
    "tello_hip",
    "tello_leg",
    "delta",
    "gripper",
    "linkage_arm",
    "geared_strider",
    "geared_biped",
    "beest",
    "urdf_plus/four_bar.urdf",
    "urdf_plus/revolute_rotor_chain.urdf",
    "urdf_plus/mit_humanoid.urdf",
    "urdf_plus/mini_cheetah.urdf",
    "parallel_5bar_linkage/robot.urdf",
    "parallel_robot_delta/robot.urdf",
    "parallel_cassie_like/robot.urdf",
    "parallel_digit_like/robot.urdf",
    "cassie/robots/cassie_v2.sdf",
};

/// As a name of a test: what is neither letter nor digit is _.
inline std::string nameOfRobot(const ::testing::TestParamInfo<const char*>& robot) {
  std::string name = robot.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

/// Throws where there is none, after what was said of it.
template <class T>
T valueOf(Expected<T> x) {
  EXPECT_TRUE(x) << x.diagnostics().toString();
  return std::move(x).value();
}

/// What is told here is told of clusters; gyrostats_models_test.cpp has the other way.
inline SystemSpec withRotorBodies(SystemSpec spec) {
  spec.rotorsAsBodies = true;
  return spec;
}

struct LoopRobot {
  explicit LoopRobot(const SystemSpec& spec)
      : model(valueOf(compile(withRotorBodies(spec)))),
        tree(spec),
        engine(model, tree),
        q0(engine.fromEngine(Eigen::VectorXd::Map(engine.m.assembled.data(), model.nq()))) {
    EXPECT_EQ(model.nv(), tree.nv);
  }
  LoopRobot(const LoopRobot&) = delete;
  LoopRobot& operator=(const LoopRobot&) = delete;

  /// States on a walk through its configurations from q0.
  std::vector<MechanismState> walk(int states) const {
    std::vector<MechanismState> all = randomStates(tree, q0, 1, states, 0.1, 1e-4);
    EXPECT_EQ(static_cast<int>(all.size()), states);
    return all;
  }

  const Model model;
  const MechanismTree tree;
  LoopsEngine engine;
  const Eigen::VectorXd q0;  ///< as compile() assembled it, in the tree's order
};

/// Null where it is a shared one that is not here.
inline std::unique_ptr<LoopRobot> loopRobot(const std::string& name) {
  const bool isOwn = name.find('/') == std::string::npos;
  const std::filesystem::path file =
      isOwn ? std::filesystem::path(sourceFolder()) / "models" / name / (name + ".urdf")
            : sharedFolder() / "models" / name;
  if (!isOwn && !std::filesystem::exists(file)) return nullptr;
  io::UrdfOptions options;
  options.loadMeshes = false;
  return std::make_unique<LoopRobot>(valueOf(io::loadRobot(file.string(), options)));
}

}  // namespace espalier::testing

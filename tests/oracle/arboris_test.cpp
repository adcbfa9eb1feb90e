// Kinematics, mass matrix and nonlinear effects against arboris' own figures ("corrected" where it
// had a bug), through tests/support/arboris_adapter.h.

#include <gtest/gtest.h>

#include "tests/oracle/arboris_mechanisms.h"
#include "tests/support/compare.h"
#include "tests/support/shared.h"

namespace espalier::testing {
namespace {

std::vector<double> list(const Dense& m) { return {m.data(), m.data() + m.size()}; }
std::vector<double> list(const Eigen::VectorXd& v) { return {v.data(), v.data() + v.size()}; }

template <class Ours>
void expectEqual(const Ours& ours, const Json& theirs, double tolerance, const std::string& what) {
  EXPECT_LT(relativeDifference(list(ours), list(denseFrom(theirs))), tolerance) << what;
}

TEST(Arboris, Simplearm) {
  ESPALIER_SHARED_JSON(data, "fixtures/arboris/simplearm.json");
  ArborisRobot robot(arborisSimplearm(data));
  for (const Json& s : data.at("states")) {
    robot.set(s.at("gpos"), s.at("gvel"), {});
    for (const auto& [name, body] : s.at("bodies").items()) {
      expectEqual(robot.pose(name), body.at("pose"), 1e-13, name + " pose");
      expectEqual(robot.twist(name), body.at("twist"), 1e-13, name + " twist");
      expectEqual(robot.jacobian(name), body.at("jacobian"), 1e-13, name + " jacobian");
      expectEqual(robot.djacobian(name), body.at("djacobian"), 1e-13, name + " djacobian");
    }
    expectEqual(robot.M(), s.at("M"), 1e-13, "M");
    expectEqual(robot.Nnu(), s.at("N_gvel"), 1e-13, "N nu");
    expectEqual(robot.weight(), s.at("weight_gforce"), 1e-13, "weight");
  }
}

TEST(Arboris, Chain3d) {
  ESPALIER_SHARED_JSON(data, "fixtures/arboris/chain3d.json");
  ArborisRobot robot(arborisChain3d(data));
  for (const Json& s : data.at("states")) {
    robot.set(s.at("q"), s.at("gvel"), denseFrom(s.at("free_pose")));
    for (const auto& [name, body] : s.at("bodies_corrected").items()) {
      expectEqual(robot.pose(name), body.at("pose"), 1e-13, name + " pose");
      expectEqual(robot.twist(name), body.at("twist"), 1e-13, name + " twist");
      expectEqual(robot.jacobian(name), body.at("jacobian"), 1e-13, name + " jacobian");
      expectEqual(robot.djacobian(name), body.at("djacobian"), 1e-12, name + " djacobian");
    }
    expectEqual(robot.M(), s.at("M"), 1e-13, "M");
    expectEqual(robot.Nnu(), s.at("N_corrected_gvel"), 1e-12, "N nu");
    expectEqual(robot.weight(), s.at("weight_gforce"), 1e-13, "weight");
  }
}

TEST(Arboris, Human36) {
  ESPALIER_SHARED_JSON(data, "fixtures/arboris/human36.json");
  ArborisRobot robot(arborisHuman36(data));
  EXPECT_NEAR(robot.model().mass, data.at("mass").get<double>(), 1e-3);
  for (const Json& s : data.at("states")) {
    // free_pose is H_rn; r sits in the ground at parent_frame_bpose.
    const Dense free = arborisHuman36Base(data) * denseFrom(s.at("free_pose"));
    robot.set(s.at("q36"), s.at("gvel"), free);
    for (const auto& [name, pose] : s.at("body_pose").items()) {
      if (name == "ground") continue;
      expectEqual(robot.pose(name), pose, 1e-13, name + " pose");
      expectEqual(robot.twist(name), s.at("body_twist").at(name), 1e-13, name + " twist");
    }
    expectEqual(robot.jacobian("HandL"), s.at("HandL_jacobian"), 1e-13, "HandL jacobian");
    expectEqual(robot.djacobian("HandL"), s.at("HandL_djacobian_corrected"), 1e-12,
                "HandL djacobian");
    expectEqual(robot.M(), s.at("M"), 1e-13, "M");
    expectEqual(robot.Nnu(), s.at("N_corrected_gvel"), 1e-12, "N nu");
    expectEqual(robot.weight(), s.at("weight_gforce"), 1e-13, "weight");
  }
}

}  // namespace
}  // namespace espalier::testing

// Kinematics, mass matrix and nonlinear effects against arboris' own figures ("corrected" where it
// had a bug), through tests/support/arboris_adapter.h.

#include <gtest/gtest.h>

#include "tests/support/arboris_adapter.h"
#include "tests/support/compare.h"
#include "tests/support/shared.h"

namespace espalier::testing {
namespace {

std::vector<double> list(const Dense& m) { return {m.data(), m.data() + m.size()}; }
std::vector<double> list(const Eigen::VectorXd& v) { return {v.data(), v.data() + v.size()}; }

template <class Ours>
void expectSame(const Ours& ours, const Json& theirs, double tolerance, const std::string& what) {
  EXPECT_LT(relativeDifference(list(ours), list(denseFrom(theirs))), tolerance) << what;
}

// The fixture gives simplearm's bodies but not where its joints sit: that is read off the poses of
// its first state, H_pr = H_gp^-1 H_gc Rz(-q), and has to hold in all others.
std::vector<ArborisBody> simplearm(const Json& state) {
  std::vector<ArborisBody> bodies;
  Dense parent = Dense::Identity(4, 4);
  std::string name = "ground";
  int k = 0;
  for (const char* child : {"Arm", "Forearm", "Hand"}) {
    const Json& body = state.at("bodies").at(child);
    const Dense H = denseFrom(body.at("pose"));
    const double q = state.at("gpos").at(k++).get<double>();
    Dense back = Dense::Identity(4, 4);
    back.topLeftCorner<2, 2>() << std::cos(q), std::sin(q), -std::sin(q), std::cos(q);
    bodies.push_back({child, name, "RzJoint", parent.inverse() * H * back, Dense::Identity(4, 4),
                      denseFrom(body.at("mass"))});
    parent = H;
    name = child;
  }
  return bodies;
}

TEST(Arboris, Simplearm) {
  ESPALIER_SHARED_JSON(data, "fixtures/arboris/simplearm.json");
  ArborisRobot robot(simplearm(data.at("states").at(0)));
  for (const Json& s : data.at("states")) {
    robot.set(s.at("gpos"), s.at("gvel"), {});
    for (const auto& [name, body] : s.at("bodies").items()) {
      expectSame(robot.pose(name), body.at("pose"), 1e-13, name + " pose");
      expectSame(robot.twist(name), body.at("twist"), 1e-13, name + " twist");
      expectSame(robot.jacobian(name), body.at("jacobian"), 1e-13, name + " jacobian");
      expectSame(robot.djacobian(name), body.at("djacobian"), 1e-13, name + " djacobian");
    }
    expectSame(robot.M(), s.at("M"), 1e-13, "M");
    expectSame(robot.Nnu(), s.at("N_gvel"), 1e-13, "N nu");
    expectSame(robot.weight(), s.at("weight_gforce"), 1e-13, "weight");
  }
}

TEST(Arboris, Chain3d) {
  ESPALIER_SHARED_JSON(data, "fixtures/arboris/chain3d.json");
  std::vector<ArborisBody> bodies;
  for (const Json& b : data.at("spec")) {
    const std::string name = "b" + std::to_string(bodies.size());
    bodies.push_back({name, bodies.empty() ? "ground" : bodies.back().name, b.at("joint"),
                      denseFrom(b.at("H_pr")), denseFrom(b.at("H_cn")), denseFrom(b.at("mass"))});
  }
  ArborisRobot robot(bodies);
  for (const Json& s : data.at("states")) {
    robot.set(s.at("q"), s.at("gvel"), denseFrom(s.at("free_pose")));
    for (const auto& [name, body] : s.at("bodies_corrected").items()) {
      expectSame(robot.pose(name), body.at("pose"), 1e-13, name + " pose");
      expectSame(robot.twist(name), body.at("twist"), 1e-13, name + " twist");
      expectSame(robot.jacobian(name), body.at("jacobian"), 1e-13, name + " jacobian");
      expectSame(robot.djacobian(name), body.at("djacobian"), 1e-12, name + " djacobian");
    }
    expectSame(robot.M(), s.at("M"), 1e-13, "M");
    expectSame(robot.Nnu(), s.at("N_corrected_gvel"), 1e-12, "N nu");
    expectSame(robot.weight(), s.at("weight_gforce"), 1e-13, "weight");
  }
}

TEST(Arboris, Human36) {
  ESPALIER_SHARED_JSON(data, "fixtures/arboris/human36.json");
  std::vector<ArborisBody> bodies;
  for (const Json& row : data.at("dof_table")) {
    const std::string child = row.at("child");
    // The free joint's reference is the ground itself: its offset is already in free_pose.
    const bool free = row.at("joint_class") == "FreeJoint";
    const Dense H_pr =
        free ? Dense(Dense::Identity(4, 4)) : denseFrom(row.at("parent_frame_bpose"));
    bodies.push_back({child, row.at("parent"), row.at("joint_class"), H_pr, Dense::Identity(4, 4),
                      denseFrom(data.at("body_mass").at(child))});
  }
  ArborisRobot robot(bodies);
  EXPECT_NEAR(robot.model().mass, data.at("mass").get<double>(), 1e-3);
  for (const Json& s : data.at("states")) {
    // free_pose is H_rn; r sits in the ground at parent_frame_bpose.
    const Dense free = denseFrom(data.at("dof_table").at(0).at("parent_frame_bpose")) *
                       denseFrom(s.at("free_pose"));
    robot.set(s.at("q36"), s.at("gvel"), free);
    for (const auto& [name, pose] : s.at("body_pose").items()) {
      if (name == "ground") continue;
      expectSame(robot.pose(name), pose, 1e-13, name + " pose");
      expectSame(robot.twist(name), s.at("body_twist").at(name), 1e-13, name + " twist");
    }
    expectSame(robot.jacobian("HandL"), s.at("HandL_jacobian"), 1e-13, "HandL jacobian");
    expectSame(robot.djacobian("HandL"), s.at("HandL_djacobian_corrected"), 1e-12,
               "HandL djacobian");
    expectSame(robot.M(), s.at("M"), 1e-13, "M");
    expectSame(robot.Nnu(), s.at("N_corrected_gvel"), 1e-12, "N nu");
    expectSame(robot.weight(), s.at("weight_gforce"), 1e-13, "weight");
  }
}

}  // namespace
}  // namespace espalier::testing

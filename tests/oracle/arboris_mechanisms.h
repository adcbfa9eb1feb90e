#pragma once

// The three mechanisms of arboris' fixtures, as bodies.

#include "tests/support/arboris_adapter.h"

namespace espalier::testing {

/// The fixture gives simplearm's bodies but not where its joints sit: that is read off the poses of
/// its first state, H_pr = H_gp^-1 H_gc Rz(-q), and has to hold in all others.
inline std::vector<ArborisBody> arborisSimplearm(const Json& data) {
  const Json& state = data.at("states").at(0);
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

inline std::vector<ArborisBody> arborisChain3d(const Json& data) {
  std::vector<ArborisBody> bodies;
  for (const Json& b : data.at("spec")) {
    const std::string name = "b" + std::to_string(bodies.size());
    bodies.push_back({name, bodies.empty() ? "ground" : bodies.back().name, b.at("joint"),
                      denseFrom(b.at("H_pr")), denseFrom(b.at("H_cn")), denseFrom(b.at("mass"))});
  }
  return bodies;
}

/// The free joint's reference is the ground itself: where it sits there goes into the free pose.
inline std::vector<ArborisBody> arborisHuman36(const Json& data) {
  std::vector<ArborisBody> bodies;
  for (const Json& row : data.at("dof_table")) {
    const std::string child = row.at("child");
    const bool free = row.at("joint_class") == "FreeJoint";
    const Dense H_pr =
        free ? Dense(Dense::Identity(4, 4)) : denseFrom(row.at("parent_frame_bpose"));
    bodies.push_back({child, row.at("parent"), row.at("joint_class"), H_pr, Dense::Identity(4, 4),
                      denseFrom(data.at("body_mass").at(child))});
  }
  return bodies;
}
inline Dense arborisHuman36Base(const Json& data) {
  return denseFrom(data.at("dof_table").at(0).at("parent_frame_bpose"));
}

}  // namespace espalier::testing

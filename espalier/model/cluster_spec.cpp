#include "espalier/model/cluster_spec.h"

namespace espalier {
namespace {

/// K q = 0 of a constant constraint.
Tape linearTape(const DenseMatrix<double>& K) {
  return trace(K.columns(), [&K](const std::vector<Traced>& q) {
    std::vector<Traced> rows;
    for (int i = 0; i < K.rows(); ++i) {
      Traced sum = 0.0;
      for (int j = 0; j < K.columns(); ++j) sum += K(i, j) * q[j];
      rows.push_back(sum);
    }
    return rows;
  });
}

/// Coordinates that y is; empty where they are others.
std::vector<int> independentOf(const ConstraintData& data) {
  if (data.phi) return data.independent;
  std::vector<int> found;
  for (int y = 0; y < data.ny(); ++y)
    for (int j = 0; j < data.nv; ++j) {
      bool isUnit = true;
      for (int k = 0; k < data.ny(); ++k) isUnit &= data.G(j, k) == (k == y ? 1 : 0);
      if (!isUnit) continue;
      found.push_back(j);
      break;
    }
  return static_cast<int>(found.size()) == data.ny() ? found : std::vector<int>{};
}

}  // namespace

void appendCluster(SystemSpec& system, const std::string& name, const std::string& output,
                   const ClusterJoint::Base& cluster, std::vector<LinkSpec> links) {
  const std::vector<ClusterBody>& bodies = cluster.bodies();
  const ConstraintData& data = cluster.loopConstraint().data();
  ESPALIER_REQUIRE(links.size() == bodies.size(), "a link for each body of the cluster");
  const std::vector<int> independent = independentOf(data);
  ConstraintSpec constraint;
  constraint.name = name;
  int first = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const ClusterBody& body = bodies[b];
    const int nv = info(body.kind).nv;
    ESPALIER_REQUIRE(body.kind != JointKind::Floating,
                     "a floating base is no part of a system's inside: its root floats by itself");
    JointSpec joint;
    joint.name = links[b].name + "_joint";
    joint.kind = body.kind;
    joint.parent = body.parent < 0 ? output : links[body.parent].name;
    joint.child = links[b].name;
    joint.X_PJ = body.X_PJ;
    for (int a = 0; a < info(body.kind).axes; ++a) joint.axes[a] = body.axes[a];
    joint.pitch = body.pitch;
    int leading = 0;
    for (const int j : independent) leading += first <= j && j < first + nv;
    if (data.rows() > 0 && !independent.empty() && (leading == 0 || leading == nv))
      joint.independent = leading > 0;
    constraint.joints.push_back(joint.name);
    system.joints.push_back(std::move(joint));
    first += nv;
  }
  for (LinkSpec& link : links) system.links.push_back(std::move(link));
  if (data.rows() == 0) return;
  constraint.phi = data.phi ? *data.phi : linearTape(data.K);
  system.constraints.push_back(std::move(constraint));
}

}  // namespace espalier

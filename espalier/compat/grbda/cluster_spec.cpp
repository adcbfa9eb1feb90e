#include "espalier/compat/grbda/cluster_spec.h"

#include <algorithm>

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

bool reads(const Tape& tape, int value) {
  for (const int o : tape.outputs)
    if (o == value) return true;
  for (const Tape::Step& s : tape.steps) {
    const int read[] = {s.a, s.b, s.c};
    for (int k = 0; k < operandsOf(s.op); ++k)
      if (read[k] == value) return true;
  }
  return false;
}

/// phi without the coordinates of balls, which it must not read.
Tape withoutBalls(const Tape& phi, const ConstraintData& data) {
  if (data.quaternions.empty()) return phi;
  std::vector<int> kept;
  data.forEachJoint([&](int q, int) { kept.push_back(q); },
                    [&](int q, int) {
                      for (int k = q; k < q + 4; ++k)
                        ESPALIER_REQUIRE(!reads(phi, k),
                                         "a system's constraint ties plain coordinates, and this "
                                         "one reads the quaternion at coordinate " +
                                             std::to_string(q) + ": tie the links by a LoopSpec");
                    });
  return trace(static_cast<int>(kept.size()), [&](const std::vector<Traced>& q) {
    std::vector<Traced> values(static_cast<std::size_t>(phi.values())), rows;
    for (std::size_t i = 0; i < kept.size(); ++i) values[kept[i]] = q[i];
    play(phi, values.data());
    for (const int o : phi.outputs) rows.push_back(values[o]);
    return rows;
  });
}

/// Rates that ydot is; empty where they are others.
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

/// The joint by which a body of a cluster hangs on its parent link.
JointSpec jointOf(const ClusterBody& body, const std::string& parent, const std::string& child) {
  ESPALIER_REQUIRE(body.kind != JointKind::Floating,
                   "a floating base is no part of a system's inside: its root floats by itself");
  JointSpec joint;
  joint.name = child + "_joint";
  joint.kind = body.kind;
  joint.parent = parent;
  joint.child = child;
  joint.X_PJ = body.X_PJ;
  for (int a = 0; a < info(body.kind).axes; ++a) joint.axes[a] = body.axes[a];
  joint.pitch = body.pitch;
  return joint;
}

/// Whether a joint of these rates is independent: all of them are, or none; empty of part of them.
std::optional<bool> isIndependent(const std::vector<int>& independent, int first, int nv) {
  const auto leading = std::count_if(independent.begin(), independent.end(),
                                     [&](int j) { return first <= j && j < first + nv; });
  if (leading == 0) return false;
  return leading == nv ? std::optional(true) : std::nullopt;
}

}  // namespace

void appendCluster(SystemSpec& system, const std::string& name, const std::string& output,
                   const ClusterJoint::Base& cluster, std::vector<LinkSpec> links) {
  const std::vector<ClusterBody>& bodies = cluster.bodies();
  const ConstraintData& data = cluster.loopConstraint().data();
  ESPALIER_REQUIRE(links.size() == bodies.size(), "a link for each body of the cluster");
  const std::vector<int> independent = independentOf(data);
  std::optional<Tape> phi;  // before anything is added
  if (data.phi) phi = withoutBalls(*data.phi, data);
  ConstraintSpec constraint;
  constraint.name = name;
  int first = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const ClusterBody& body = bodies[b];
    const int nv = info(body.kind).nv;
    JointSpec joint =
        jointOf(body, body.parent < 0 ? output : links[body.parent].name, links[b].name);
    const bool isTied = body.kind != JointKind::Spherical;
    if (isTied && data.rows() > 0 && !independent.empty())
      joint.independent = isIndependent(independent, first, nv);
    if (isTied) constraint.joints.push_back(joint.name);
    system.joints.push_back(std::move(joint));
    first += nv;
  }
  for (LinkSpec& link : links) system.links.push_back(std::move(link));
  if (data.rows() == 0) return;
  constraint.phi = data.phi ? *phi : linearTape(data.K);
  system.constraints.push_back(std::move(constraint));
}

}  // namespace espalier

#include "espalier/io/spec_links.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "espalier/model/joints/alone.h"

namespace espalier::io {
namespace {

/// X_JL of a joint at its q.
Transformd jointPose(const JointSpec& joint, const double* q) {
  const JointKindInfo& kind = info(joint.kind);
  std::array<Vec3d, 3> axes = joint.axes;
  for (int k = 0; k < kind.axes; ++k) axes[k] = axes[k] * (1 / norm(axes[k]));
  std::array<double, 7> unit{};
  const std::array<double, 6> none{};
  std::copy_n(q, kind.nq, unit.begin());
  if (double* x = &unit[kind.quaternion < 0 ? 0 : kind.quaternion]; kind.quaternion >= 0) {
    const Quat<double> turn = normalized(Quat<double>{x[0], x[1], x[2], x[3]});
    x[0] = turn.w, x[1] = turn.x, x[2] = turn.y, x[3] = turn.z;
  }
  return jointAlone(joint.kind, axes.data(), joint.pitch, unit.data(), none.data()).X_JL;
}

bool floats(const SystemSpec& spec, const SpecTree& tree) {
  return !spec.fixedBase && spec.links[tree.order.front()].name != "world";
}

/// Movable joints in public order: those of jointOrder, then the others as they appear.
std::vector<int> publicOrder(const SystemSpec& spec) {
  std::map<std::string_view, int> joints;
  for (int j = 0; j < static_cast<int>(spec.joints.size()); ++j)
    joints.emplace(spec.joints[j].name, j);
  std::vector<int> order;
  std::vector<char> taken(spec.joints.size(), 0);
  const auto take = [&](int j) {
    if (!taken[j] && info(spec.joints[j].kind).nq > 0) order.push_back(j);
    taken[j] = 1;
  };
  for (const std::string& name : spec.jointOrder)
    if (const auto found = joints.find(name); found != joints.end()) take(found->second);
  for (int j = 0; j < static_cast<int>(spec.joints.size()); ++j) take(j);
  return order;
}

}  // namespace

int linkIndex(const SystemSpec& spec, const std::string& link) {
  const auto place = std::find_if(spec.links.begin(), spec.links.end(),
                                  [&](const LinkSpec& l) { return l.name == link; });
  return place == spec.links.end() ? -1 : static_cast<int>(place - spec.links.begin());
}

int coordinatesOf(const SystemSpec& spec, const SpecTree& tree) {
  int n = floats(spec, tree) ? 7 : 0;
  for (const JointSpec& joint : spec.joints) n += info(joint.kind).nq;
  return n;
}

std::vector<Transformd> linkPoses(const SystemSpec& spec, const SpecTree& tree,
                                  std::span<const double> q) {
  std::vector<Transformd> own(spec.joints.size(), identityTransform<double>());
  if (!q.empty()) {
    const double* next = q.data() + (floats(spec, tree) ? 7 : 0);
    for (const int j : publicOrder(spec)) {
      own[j] = jointPose(spec.joints[j], next);
      next += info(spec.joints[j].kind).nq;
    }
  }
  std::vector<Transformd> poses(spec.links.size(), identityTransform<double>());
  for (const int link : tree.order) {
    const int j = tree.parentJoint[link];
    if (j < 0) continue;
    poses[link] = poses[tree.parentLink[link]] * spec.joints[j].X_PJ * own[j];
  }
  return poses;
}

double massOf(const SystemSpec& spec) {
  double sum = 0;
  for (const LinkSpec& link : spec.links) sum += link.inertial ? link.inertial->mass : 0;
  return sum;
}

BodySpec bodyOfLinks(const SystemSpec& spec, BodyType type) {
  std::map<std::string, Transformd> X_BL{{spec.links.front().name, identityTransform<double>()}};
  for (const JointSpec& joint : spec.joints) X_BL[joint.child] = X_BL.at(joint.parent) * joint.X_PJ;
  BodySpec body;
  body.name = spec.name;
  body.type = type;
  body.X_WB = spec.X_WB;
  body.line = spec.links.front().line;
  body.file = spec.links.front().file;
  RigidInertia<double> sum{0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
  for (const LinkSpec& link : spec.links) {
    const Transformd& X = X_BL.at(link.name);
    if (link.inertial) sum += toParent(transpose(X.R), X.p, inLink(*link.inertial));
    for (CollisionSpec collision : link.collisions) {
      collision.X_LG = X * collision.X_LG;
      body.collisions.push_back(std::move(collision));
    }
    for (VisualSpec visual : link.visuals) {
      visual.X_LG = X * visual.X_LG;
      body.visuals.push_back(std::move(visual));
    }
  }
  const bool isAsAuthored = spec.links.size() == 1 && spec.links.front().inertial;
  if (isAsAuthored)
    body.inertial = *spec.links.front().inertial;
  else if (sum.m > 0)
    body.inertial = aboutCentre(sum);
  return body;
}

}  // namespace espalier::io

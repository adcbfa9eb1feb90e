#include "espalier/io/spec_pose.h"

#include <cmath>
#include <map>
#include <string_view>

namespace espalier::io {
namespace {

Vec3d unit(const Vec3d& a) { return a * (1 / norm(a)); }

Mat3d turn(const Vec3d& axis, double angle) {
  return axisRotation(unit(axis), std::sin(angle), std::cos(angle));
}

Mat3d turn(const double* wxyz) {
  return rotation(normalized(Quat<double>{wxyz[0], wxyz[1], wxyz[2], wxyz[3]}));
}

/// X_JL of a joint at its q, with q as in model/joint_kind.h.
Transformd jointPose(const JointSpec& joint, const double* q) {
  const Mat3d none = identity3<double>();
  const auto& a = joint.axes;
  switch (joint.kind) {
    case JointKind::Fixed: break;
    case JointKind::Revolute: return {turn(a[0], q[0]), {0, 0, 0}};
    case JointKind::Prismatic: return {none, unit(a[0]) * q[0]};
    case JointKind::Helical: return {turn(a[0], q[0]), unit(a[0]) * (joint.pitch * q[0])};
    case JointKind::Universal: return {mul(turn(a[0], q[0]), turn(a[1], q[1])), {0, 0, 0}};
    case JointKind::Euler:
      return {mul(mul(turn(a[0], q[0]), turn(a[1], q[1])), turn(a[2], q[2])), {0, 0, 0}};
    case JointKind::Planar:
      return {turn(a[0], q[2]), mul(rotationToZ(unit(a[0])), Vec3d{q[0], q[1], 0})};
    case JointKind::Translation: return {none, {q[0], q[1], q[2]}};
    case JointKind::Spherical: return {turn(q), {0, 0, 0}};
    case JointKind::Floating: return {turn(q + 3), {q[0], q[1], q[2]}};
  }
  return {none, {0, 0, 0}};
}

/// Zeros, but for the scalar part of a quaternion.
std::vector<double> neutral(JointKind kind) {
  std::vector<double> q(static_cast<std::size_t>(info(kind).nq), 0.0);
  if (kind == JointKind::Spherical) q[0] = 1;
  if (kind == JointKind::Floating) q[3] = 1;
  return q;
}

bool floats(const SystemSpec& spec, const SpecTree& tree) {
  return !spec.fixedBase && spec.links[tree.order.front()].name != "world";
}

/// Movable joints in public order: those of jointOrder, then the others as they appear.
std::vector<int> publicOrder(const SystemSpec& spec) {
  std::map<std::string_view, int> joints;
  for (int j = 0; j < static_cast<int>(spec.joints.size()); ++j) {
    joints.emplace(spec.joints[j].name, j);
  }
  std::vector<int> order;
  std::vector<char> taken(spec.joints.size(), 0);
  const auto take = [&](int j) {
    if (!taken[j] && info(spec.joints[j].kind).nq > 0) order.push_back(j);
    taken[j] = 1;
  };
  for (const std::string& name : spec.jointOrder) {
    if (const auto found = joints.find(name); found != joints.end()) take(found->second);
  }
  for (int j = 0; j < static_cast<int>(spec.joints.size()); ++j) take(j);
  return order;
}

}  // namespace

int coordinatesOf(const SystemSpec& spec, const SpecTree& tree) {
  int n = floats(spec, tree) ? 7 : 0;
  for (const JointSpec& joint : spec.joints) n += info(joint.kind).nq;
  return n;
}

std::vector<Transformd> linkPoses(const SystemSpec& spec, const SpecTree& tree,
                                  std::span<const double> q) {
  std::vector<std::vector<double>> own(spec.joints.size());
  for (std::size_t j = 0; j < own.size(); ++j) own[j] = neutral(spec.joints[j].kind);
  if (!q.empty()) {
    std::size_t next = floats(spec, tree) ? 7 : 0;
    for (const int j : publicOrder(spec)) {
      for (double& value : own[j]) value = q[next++];
    }
  }
  std::vector<Transformd> poses(spec.links.size(), identityTransform<double>());
  for (const int link : tree.order) {
    const int j = tree.parentJoint[link];
    if (j < 0) continue;
    const JointSpec& joint = spec.joints[j];
    poses[link] = poses[tree.parentLink[link]] * joint.X_PJ * jointPose(joint, own[j].data());
  }
  return poses;
}

}  // namespace espalier::io

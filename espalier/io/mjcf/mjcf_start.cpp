// Where the parts of a MuJoCo model start: joints as drawn or as the keyframe has them, in our
// coordinates. MuJoCo's velocity of a free joint is in world axes, its angular velocity, and that of
// a ball, in the body's.

#include <algorithm>
#include <cmath>

#include "espalier/io/mjcf/mjcf_parts.h"
#include "espalier/io/text/rotation_text.h"
#include "espalier/model/model.h"

namespace espalier::io {
namespace {

/// w x y z; the identity where they have no length.
Mat3d rotationAt(const double* quaternion) {
  const double q[4] = {quaternion[0], quaternion[1], quaternion[2], quaternion[3]};
  Mat3d R = identity3<double>();
  rotationFromQuat(q, R);
  return R;
}

void put(std::vector<double>& to, const Vec3d& v) { to.insert(to.end(), {v.x, v.y, v.z}); }
void put(std::vector<double>& to, const Mat3d& R) {
  const Quat<double> o = quaternion(R);
  to.insert(to.end(), {o.w, o.x, o.y, o.z});
}

Vec3d vectorAt(const double* x) { return {x[0], x[1], x[2]}; }

/// The pose of a free joint's body and its velocities in the frame that X_JW leads to.
void putFree(const MjcfJoint& joint, const Transformd& X_WJ, MjcfStart& to) {
  const Transformd X_JB =
      inverse(X_WJ) * Transformd{rotationAt(&joint.q[3]), vectorAt(joint.q.data())};
  put(to.q, X_JB.p);
  put(to.q, X_JB.R);
  put(to.u, tmul(X_WJ.R, vectorAt(joint.u.data())));
  put(to.u, mul(X_JB.R, vectorAt(&joint.u[3])));
}

/// Coordinates and velocities of one joint behind those before.
void putJoint(const MjcfJoint& joint, const JointSpec& spec, MjcfStart& to) {
  const int nq = info(spec.kind).nq, nv = info(spec.kind).nv;
  if (joint.q.empty()) {
    to.q.resize(to.q.size() + static_cast<std::size_t>(nq), 0.0);
    to.u.resize(to.u.size() + static_cast<std::size_t>(nv), 0.0);
    if (nq == 1) to.q.back() = joint.ref;
    if (nq >= 4) to.q[to.q.size() - 4] = 1;
  } else if (spec.kind == JointKind::Floating) {
    putFree(joint, spec.X_PJ, to);  // its parent is the world
  } else if (spec.kind == JointKind::Spherical) {
    const Mat3d R = rotationAt(joint.q.data());
    put(to.q, R);
    put(to.u, mul(R, vectorAt(joint.u.data())));
  } else {
    to.q.push_back(joint.q[0]);
    to.u.push_back(joint.u[0]);
  }
}

/// From all joints in the file's order to the spanning order, which compile() knows where joints
/// follow others.
///   returns `all` where the spec does not compile; whoever uses it will meet the errors
///   in  floats  whether `all` begins with the base, which loops may weld
MjcfStart inSpanningOrder(const SystemSpec& spec, const MjcfStart& all, bool floats) {
  const Expected<Model> compiled = compile(spec);
  if (!compiled) return all;
  const Topology& t = compiled->topology;
  std::vector<std::size_t> beginQ, beginU;  // of each joint
  std::size_t q = floats ? 7 : 0, u = floats ? 6 : 0;
  for (const JointSpec& joint : spec.joints) {
    beginQ.push_back(q);
    beginU.push_back(u);
    q += static_cast<std::size_t>(info(joint.kind).nq);
    u += static_cast<std::size_t>(info(joint.kind).nv);
  }
  MjcfStart start{std::vector<double>(static_cast<std::size_t>(compiled->nq())),
                  std::vector<double>(static_cast<std::size_t>(compiled->nv()))};
  for (int b = 0; b < compiled->nb(); ++b) {
    const BodyTopology& body = t.bodies[b];
    const auto joint = static_cast<std::size_t>(std::max(compiled->bodies[b].specJoint, 0));
    const std::size_t fromQ = b == 0 ? 0 : beginQ[joint], fromU = b == 0 ? 0 : beginU[joint];
    for (int k = 0; k < body.nq; ++k)
      start.q[compiled->spanningCoordinate[body.q + k]] =
          all.q[fromQ + static_cast<std::size_t>(k)];
    for (int k = 0; k < body.nv; ++k)
      start.u[compiled->spanningDof[body.u + k]] = all.u[fromU + static_cast<std::size_t>(k)];
  }
  return start;
}

bool isTree(const SystemSpec& spec) {
  return spec.loops.empty() && spec.constraints.empty() &&
         std::none_of(spec.joints.begin(), spec.joints.end(),
                      [](const JointSpec& joint) { return joint.mimic.has_value(); });
}

}  // namespace

std::optional<MjcfFreeStart> mjcfFreeStart(const MjcfBody& body) {
  if (body.joints.empty() || body.joints[0].q.empty()) return std::nullopt;
  const MjcfJoint& joint = body.joints[0];
  MjcfFreeStart start;
  start.X_WB = {rotationAt(&joint.q[3]), vectorAt(joint.q.data())};
  start.velocity = vectorAt(joint.u.data());
  start.angularVelocity = mul(start.X_WB.R, vectorAt(&joint.u[3]));
  return start;
}

MjcfStart mjcfStart(const MjcfModel& model, const SystemSpec& spec) {
  MjcfStart start;
  bool isNeutral = true;
  const bool floats = spec.links.front().name != "world";
  if (floats) {
    const MjcfBody& root = model.bodies[model.bodyOf.at(spec.links.front().name)];
    if (root.joints[0].q.empty()) {
      put(start.q, spec.X_WB.p);
      put(start.q, spec.X_WB.R);
      start.u.resize(6, 0.0);
    } else {
      putFree(root.joints[0], identityTransform<double>(), start);
      isNeutral = false;
    }
  }
  for (const JointSpec& spec_joint : spec.joints) {
    const auto place = model.joints.find(spec_joint.name);
    if (place == model.joints.end()) continue;  // a weld
    const MjcfJoint& joint = model.joint(place->second);
    isNeutral = isNeutral && joint.ref == 0 && joint.q.empty();
    putJoint(joint, spec_joint, start);
  }
  if (isNeutral) return {};
  if (!isTree(spec)) start = inSpanningOrder(spec, start, floats);
  const bool isAtRest =
      std::all_of(start.u.begin(), start.u.end(), [](double rate) { return rate == 0; });
  if (isAtRest) start.u.clear();
  return start;
}

}  // namespace espalier::io

#include "espalier/io/mjcf/mjcf_reflected.h"

#include <algorithm>

#include "espalier/io/mjcf/mjcf_parts.h"

namespace espalier::io {
namespace {

RigidInertia<double> aboutWorldOrigin(const MjcfBody& body) {
  if (!body.inertial) return {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
  const InertialSpec& in = *body.inertial;
  const Transformd X_WC = body.X_WB * in.X_LC;
  return toParent(transpose(X_WC.R), X_WC.p, RigidInertia<double>{in.mass, {0, 0, 0}, in.I});
}

/// The joint's motions: those of a ball and a free joint about and along the body's axes.
std::vector<Motion<double>> motionsOf(const MjcfBody& body, const MjcfJoint& joint) {
  const Vec3d at = body.X_WB * joint.pos;
  const auto turn = [&](const Vec3d& axis) { return Motion<double>{axis, cross(at, axis)}; };
  const auto move = [](const Vec3d& axis) { return Motion<double>{{0, 0, 0}, axis}; };
  const Vec3d axis = mul(body.X_WB.R, joint.spec.axes[0]);
  if (joint.spec.kind == JointKind::Revolute) return {turn(axis)};
  if (joint.spec.kind == JointKind::Prismatic) return {move(axis)};
  const Mat3d e = transpose(body.X_WB.R);
  std::vector<Motion<double>> all{turn(e.r0), turn(e.r1), turn(e.r2)};
  if (joint.spec.kind == JointKind::Floating)
    for (const Vec3d& along : {e.r0, e.r1, e.r2}) all.push_back(move(along));
  return all;
}

}  // namespace

MjcfMassMatrix::MjcfMassMatrix(const MjcfModel& model) {
  for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) addDofs(model, b);
  fill(model);
  factor();
}

void MjcfMassMatrix::addDofs(const MjcfModel& model, int b) {
  const MjcfBody& body = model.bodies[b];
  X_WB_.push_back(body.X_WB);
  parentOf_.push_back(body.parent);
  std::vector<int>& first = firstDof_.emplace_back();
  int before = b == 0 ? -1 : lastDof_[body.parent];
  for (const MjcfJoint& joint : body.joints) {
    first.push_back(static_cast<int>(dofs_.size()));
    for (const Motion<double>& S : motionsOf(body, joint)) {
      dofs_.push_back({b, before, S, joint.spec.dynamics.rotorInertia, {}});
      before = static_cast<int>(dofs_.size()) - 1;
    }
  }
  lastDof_.push_back(before);
}

void MjcfMassMatrix::fill(const MjcfModel& model) {
  std::vector<RigidInertia<double>> carried;
  for (const MjcfBody& body : model.bodies) carried.push_back(aboutWorldOrigin(body));
  for (std::size_t b = carried.size() - 1; b > 0; --b) carried[parentOf_[b]] += carried[b];
  for (Dof& dof : dofs_) {
    const Force<double> F = mul(carried[dof.body], dof.S);
    dof.row.push_back(dot(dof.S, F) + dof.armature);
    for (int a = dof.parent; a >= 0; a = dofs_[a].parent) dof.row.push_back(dot(dofs_[a].S, F));
    std::reverse(dof.row.begin(), dof.row.end());
  }
}

void MjcfMassMatrix::factor() {
  for (std::size_t k = dofs_.size(); k-- > 0;) {
    std::vector<double>& row = dofs_[k].row;
    const double d = row.back();
    if (!(d > 0)) continue;  // without mass; whoever compiles the model says so
    int a = dofs_[k].parent;
    for (std::size_t i = row.size() - 1; i-- > 0; a = dofs_[a].parent) {
      const double share = row[i] / d;
      for (std::size_t j = 0; j <= i; ++j) dofs_[a].row[j] -= share * row[j];
      row[i] = share;
    }
  }
}

std::vector<double> MjcfMassMatrix::jacobian(const MjcfActuator& actuator) const {
  std::vector<double> J(dofs_.size(), 0.0);
  for (const MjcfTerm& term : actuator.length) {
    const std::vector<int>& first = firstDof_[term.body];
    J[first[term.joint]] += term.factor;
  }
  if (actuator.ways.empty()) return J;
  // By the wrenches of a unit tension that lengthens it.
  std::vector<Force<double>> pull(X_WB_.size(), zeroForce<double>());
  const auto placeOf = [&](const MjcfWay::Point& point) {
    return X_WB_[point.body] * point.position;
  };
  for (const MjcfWay& way : actuator.ways) {
    for (std::size_t i = 1; i < way.points.size(); ++i) {
      const Vec3d p = placeOf(way.points[i - 1]), q = placeOf(way.points[i]), d = q - p;
      if (!(norm(d) > 0)) continue;
      const Vec3d f = d * (actuator.gear / (way.divisor * norm(d)));
      pull[way.points[i - 1].body] += Force<double>{cross(f, p), -f};
      pull[way.points[i].body] += Force<double>{cross(q, f), f};
    }
  }
  for (std::size_t b = pull.size() - 1; b > 0; --b) pull[parentOf_[b]] += pull[b];
  for (std::size_t i = 0; i < dofs_.size(); ++i) J[i] += dot(dofs_[i].S, pull[dofs_[i].body]);
  return J;
}

double MjcfMassMatrix::mobility(std::vector<double> J) const {
  std::vector<double>& y = J;  // becomes L^-T J'
  double sum = 0;              // y' D^-1 y
  for (std::size_t k = dofs_.size(); k-- > 0;) {
    if (y[k] == 0) continue;
    const std::vector<double>& row = dofs_[k].row;
    int a = dofs_[k].parent;
    for (std::size_t i = row.size() - 1; i-- > 0; a = dofs_[a].parent) y[a] -= row[i] * y[k];
    sum += y[k] * y[k] / row.back();
  }
  return sum;
}

double MjcfMassMatrix::seenBy(const MjcfActuator& actuator) const {
  const double m = mobility(jacobian(actuator));
  return m > 0 ? 1 / m : 0;
}

double MjcfMassMatrix::seenBy(const MjcfTerm& joint, int count) const {
  const auto first = static_cast<std::size_t>(firstDof_[joint.body][joint.joint]);
  double sum = 0;
  for (std::size_t d = first; d < first + static_cast<std::size_t>(count); ++d) {
    std::vector<double> one(dofs_.size(), 0.0);
    one[d] = 1;
    sum += mobility(std::move(one));
  }
  return sum > 0 ? count / sum : 0;
}

}  // namespace espalier::io

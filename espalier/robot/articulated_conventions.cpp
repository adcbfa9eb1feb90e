#include "espalier/robot/articulated_conventions.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "espalier/core/check.h"
#include "espalier/robot/model_coordinates.h"
#include "espalier/step/pose.h"

namespace espalier {
namespace {

void requireSize(const Eigen::VectorXd& v, int size, const char* what) {
  ESPALIER_REQUIRE(v.size() == size, std::string(what) + " has " + std::to_string(v.size()) +
                                         " numbers, not " + std::to_string(size));
}

bool hasQuaternion(JointKind kind) { return info(kind).quaternion >= 0; }
/// X times the pose that q begins with.
void carry(const Transformd& X, double* q) { writePose(X * readPose(q), q); }
/// Where its quaternion and its angular velocity begin.
int turnAt(JointKind kind) { return info(kind).quaternion; }

}  // namespace

PeerConvention::PeerConvention(const Model& model, Peer peer, bool circles)
    : model_(model), peer_(peer) {
  ESPALIER_REQUIRE(model.mechanism.isTree(), "robot '" + model.name +
                                                 "' has closed loops, which the peers "
                                                 "do not describe by independent coordinates");
  for (int b = 0; b < model.nb(); ++b) {
    const BodyTopology& t = model.topology.bodies[b];
    if (t.nv == 0) continue;
    const JointLimits& limits = model.bodies[b].limits;
    const bool isFree = !std::isfinite(limits.lower) && !std::isfinite(limits.upper);
    joints_.push_back(
        {t.kind, model.publicCoordinate[t.q], model.publicDof[t.u], 0,
         circles && isFree && peer == Peer::PINOCCHIO && t.kind == JointKind::Revolute,
         peer == Peer::MUJOCO ? jointInWorld(model, b) : std::nullopt});
  }
  std::sort(joints_.begin(), joints_.end(),
            [](const Joint& a, const Joint& b) { return a.q < b.q; });
  for (Joint& joint : joints_) {
    joint.peerQ = peerDim_;
    peerDim_ += info(joint.kind).nq + joint.isCircle;
  }
}

int PeerConvention::coordinateDim() const { return peerDim_; }

// ---- q

VecDyn PeerConvention::coordinateTo(const Eigen::VectorXd& q) const {
  requireSize(q, model_.nq(), "q");
  VecDyn to(peerDim_);
  for (const Joint& j : joints_) {
    const int n = info(j.kind).nq;
    to.segment(j.peerQ, n) = q.segment(j.q, n);
    if (j.X_WJ) carry(*j.X_WJ, &to[j.peerQ]);
    if (j.isCircle) to.segment<2>(j.peerQ) << std::cos(q[j.q]), std::sin(q[j.q]);
    if (peer_ != Peer::PINOCCHIO || !hasQuaternion(j.kind)) continue;
    const int at = j.q + turnAt(j.kind);
    to.segment<4>(j.peerQ + turnAt(j.kind)) << q[at + 1], q[at + 2], q[at + 3], q[at];
  }
  return to;
}
VecDyn PeerConvention::coordinateFrom(const Eigen::VectorXd& peerQ) const {
  requireSize(peerQ, peerDim_, "the peer's q");
  VecDyn q(model_.nq());
  for (const Joint& j : joints_) {
    const int n = info(j.kind).nq;
    q.segment(j.q, n) = peerQ.segment(j.peerQ, n);
    if (j.X_WJ) carry(inverse(*j.X_WJ), &q[j.q]);
    if (j.isCircle) q[j.q] = std::atan2(peerQ[j.peerQ + 1], peerQ[j.peerQ]);
    if (peer_ != Peer::PINOCCHIO || !hasQuaternion(j.kind)) continue;
    const int at = j.peerQ + turnAt(j.kind);
    q.segment<4>(j.q + turnAt(j.kind)) << peerQ[at + 3], peerQ[at], peerQ[at + 1], peerQ[at + 2];
  }
  return q;
}

// ---- u, tau: T is made of rotations, so that T'^-1 = T

Eigen::Matrix3d PeerConvention::rotationOf(const Joint& j, const Eigen::VectorXd& q) const {
  Eigen::Matrix3d R;
  quatToRotMat(q.segment<4>(j.q + turnAt(j.kind)).normalized(), R);
  return R;
}
/// T u, or T' u.
VecDyn PeerConvention::turned(const Eigen::VectorXd& q, const Eigen::VectorXd& u, bool to) const {
  requireSize(q, model_.nq(), "q");
  requireSize(u, model_.nv(), "the vector");
  VecDyn v = u;
  for (const Joint& j : joints_) {
    if (!hasQuaternion(j.kind)) continue;
    const Eigen::Matrix3d R = to ? rotationOf(j, q).transpose() : rotationOf(j, q);
    const int w = j.u + turnAt(j.kind);
    v.segment<3>(w) = R * u.segment<3>(w);
    if (j.kind == JointKind::Floating && peer_ == Peer::PINOCCHIO)
      v.segment<3>(j.u) = R * u.segment<3>(j.u);
    if (j.X_WJ) {
      const Mat3d& axes = j.X_WJ->R;
      const Vec3d linear = vector3(&u[j.u]);
      put(to ? mul(axes, linear) : tmul(axes, linear), &v[j.u]);
    }
  }
  return v;
}
/// Tdot u: only Pinocchio's floating joints have one, -R' (w x v).
VecDyn PeerConvention::carried(const Eigen::VectorXd& q, const Eigen::VectorXd& u) const {
  VecDyn g(model_.nv());
  if (peer_ != Peer::PINOCCHIO) return g;
  for (const Joint& j : joints_) {
    if (j.kind != JointKind::Floating) continue;
    const Eigen::Vector3d v = u.segment<3>(j.u), w = u.segment<3>(j.u + 3);
    g.segment<3>(j.u) = -rotationOf(j, q).transpose() * w.cross(v);
  }
  return g;
}

VecDyn PeerConvention::velocityTo(const Eigen::VectorXd& q, const Eigen::VectorXd& u) const {
  return turned(q, u, true);
}
VecDyn PeerConvention::velocityFrom(const Eigen::VectorXd& q, const Eigen::VectorXd& u) const {
  return turned(q, u, false);
}
VecDyn PeerConvention::accelerationTo(const Eigen::VectorXd& q, const Eigen::VectorXd& u,
                                      const Eigen::VectorXd& udot) const {
  requireSize(u, model_.nv(), "u");
  return turned(q, udot, true) + carried(q, u);
}
VecDyn PeerConvention::accelerationFrom(const Eigen::VectorXd& q, const Eigen::VectorXd& u,
                                        const Eigen::VectorXd& peerUdot) const {
  requireSize(u, model_.nv(), "u");
  requireSize(peerUdot, model_.nv(), "the acceleration");
  return turned(q, peerUdot - carried(q, u), false);
}
VecDyn PeerConvention::forceTo(const Eigen::VectorXd& q, const Eigen::VectorXd& tau) const {
  return turned(q, tau, true);
}
VecDyn PeerConvention::forceFrom(const Eigen::VectorXd& q, const Eigen::VectorXd& tau) const {
  return turned(q, tau, false);
}

}  // namespace espalier

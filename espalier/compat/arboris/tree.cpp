#include "espalier/compat/arboris/tree.h"

#include <algorithm>

#include "espalier/dynamics/tree/jacobian.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/model/coordinates.h"
#include "espalier/model/joints/dispatch.h"
#include "espalier/spatial/exponential.h"

namespace espalier::sim {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// f(body, its joint) of each free joint.
template <class F>
void forEachFree(const Topology& t, F&& f) {
  for (int b = 0; b < t.nb; ++b)
    if (t.bodies[at(b)].kind == JointKind::Floating) f(b, t.bodies[at(b)]);
}

Vec3d basis(int k) { return {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}; }

}  // namespace

Tree::Tree(const Model& model, int firstDof)
    : model_(&model),
      first_(firstDof),
      ws_(model.topology),
      q_(at(model.nq())),
      u_(at(model.nv())),
      step_(at(model.nv())),
      ahead_(at(model.nq())),
      S_(at(model.nv())),
      dS_(at(model.nv())),
      scratch_(at(model.nv())) {}

/// R_WJ: the columns of a floating joint's translations are the joint frame's axes.
Mat3d Tree::jointRotation(const BodyTopology& joint) const {
  Mat3d transposed;
  transposed.r0 = column(model_->topology, ws_, joint.u).v;
  transposed.r1 = column(model_->topology, ws_, joint.u + 1).v;
  transposed.r2 = column(model_->topology, ws_, joint.u + 2).v;
  return transpose(transposed);
}

void Tree::set(const Lowered<double>& parameters, const Eigen::VectorXd& q,
               const Eigen::VectorXd& u, double ahead) {
  const Topology& t = model_->topology;
  for (int i = 0; i < t.nq; ++i) q_[at(i)] = q[model_->spanningCoordinate[at(i)]];
  for (int i = 0; i < t.nv; ++i) u_[at(i)] = u[model_->spanningDof[at(i)]];
  for (int i = 0; i < t.nv; ++i) step_[at(i)] = ahead * u_[at(i)];
  advance(t, q_.data(), step_.data(), ahead_.data());
  kinematics(t, parameters, ahead_.data(), u_.data(), ws_);
  for (int b = 0; b < t.nb; ++b) {
    const BodyTopology& joint = t.bodies[at(b)];
    if (joint.kind == JointKind::Floating) {
      for (int k = 0; k < 3; ++k) {
        const Vec3d axis = mul(ws_.R[at(b)], basis(k));
        S_[at(joint.u + k)] = {axis, cross(ws_.x[at(b)], axis)};
        S_[at(joint.u + 3 + k)] = {{0, 0, 0}, axis};
      }
      for (int k = joint.u; k < joint.u + 6; ++k) dS_[at(k)] = crossMotion(ws_.V[at(b)], S_[at(k)]);
      continue;
    }
    withJoint(joint.kind, [&]<class J>() {
      const Motion<double>* S = &ws_.S[at(joint.u)];
      for (int k = 0; k < J::nv; ++k) {
        const Motion<double> own = partialTwist(S, &u_[at(joint.u)], J::carriers(k));
        S_[at(joint.u + k)] = S[k];
        dS_[at(joint.u + k)] = crossMotion(ws_.V[at(joint.parent)] + own, S[k]);
      }
    });
  }
}

void Tree::get(Eigen::VectorXd& q, Eigen::VectorXd& u) const {
  q.resize(model_->nq());
  u.resize(model_->nv());
  for (int i = 0; i < model_->nq(); ++i) q[model_->spanningCoordinate[at(i)]] = q_[at(i)];
  for (int i = 0; i < model_->nv(); ++i) u[model_->spanningDof[at(i)]] = u_[at(i)];
}

void Tree::getGvel(Eigen::VectorXd& gvel) const {
  const Topology& t = model_->topology;
  for (int d = 0; d < t.nv; ++d) gvel[place(d)] = u_[at(d)];
  forEachFree(t, [&](int b, const BodyTopology& joint) {
    const double* u = &u_[at(joint.u)];
    const Mat3d R_WJ = jointRotation(joint);
    const Vec3d v = tmul(ws_.R[at(b)], mul(R_WJ, Vec3d{u[0], u[1], u[2]}));
    const Vec3d w = tmul(ws_.R[at(b)], mul(R_WJ, Vec3d{u[3], u[4], u[5]}));
    const double twist[6] = {w.x, w.y, w.z, v.x, v.y, v.z};
    for (int k = 0; k < 6; ++k) gvel[place(joint.u + k)] = twist[k];
  });
}

namespace {

/// u of a free joint whose child has the body twist nu and the rotation R_JL.
void turnTwist(const Mat3d& R_JL, const double* nu, double* u) {
  const Vec3d v = mul(R_JL, Vec3d{nu[3], nu[4], nu[5]}), w = mul(R_JL, Vec3d{nu[0], nu[1], nu[2]});
  const double turned[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
  for (int k = 0; k < 6; ++k) u[k] = turned[k];
}

}  // namespace

void Tree::setGvel(const Eigen::VectorXd& gvel) {
  const Topology& t = model_->topology;
  for (int d = 0; d < t.nv; ++d) u_[at(d)] = gvel[place(d)];
  forEachFree(t, [&](int b, const BodyTopology& joint) {
    double nu[6];
    for (int k = 0; k < 6; ++k) nu[k] = gvel[place(joint.u + k)];
    turnTwist(relativeRotation(b), nu, &u_[at(joint.u)]);
  });
}

/// R_JL of a floating joint.
Mat3d Tree::relativeRotation(int body) const {
  return mul(transpose(jointRotation(model_->topology.bodies[at(body)])), ws_.R[at(body)]);
}

/// u = T nu, so the force of the same power is T^-T = T of a free joint: its blocks are rotations.
void Tree::forceFrom(const Eigen::VectorXd& gforce, const Eigen::MatrixXd& Z,
                     const Eigen::VectorXd& gvel, Eigen::VectorXd& force) const {
  const Topology& t = model_->topology;
  for (int d = 0; d < t.nv; ++d) force[d] = gforce[place(d)] + Z.row(place(d)).dot(gvel);
  forEachFree(t, [&](int b, const BodyTopology& joint) {
    const Eigen::Matrix<double, 6, 1> wrench = force.segment<6>(joint.u);
    turnTwist(relativeRotation(b), wrench.data(), force.data() + joint.u);
  });
}

void Tree::rowFrom(const double* row, Eigen::Ref<Eigen::VectorXd> weighed) const {
  const Topology& t = model_->topology;
  for (int d = 0; d < t.nv; ++d) weighed[place(d)] = row[d];
  forEachFree(t, [&](int b, const BodyTopology& joint) {
    const double* k = row + joint.u;
    const Mat3d R_JL = relativeRotation(b);
    const Vec3d v = tmul(R_JL, Vec3d{k[0], k[1], k[2]}), w = tmul(R_JL, Vec3d{k[3], k[4], k[5]});
    const double turned[6] = {w.x, w.y, w.z, v.x, v.y, v.z};
    for (int i = 0; i < 6; ++i) weighed[place(joint.u + i)] = turned[i];
  });
}

void Tree::blockFrom(const Eigen::MatrixXd& Z, Eigen::MatrixXd& block) const {
  const Topology& t = model_->topology;
  for (int i = 0; i < t.nv; ++i)
    for (int j = 0; j < t.nv; ++j) block(i, j) = Z(place(i), place(j));
  forEachFree(t, [&](int b, const BodyTopology& joint) {
    const Mat3d R_JL = relativeRotation(b);
    double turned[6];
    for (int i = 0; i < t.nv; ++i) {
      const Eigen::Matrix<double, 6, 1> column = block.col(i).segment<6>(joint.u);
      turnTwist(R_JL, column.data(), turned);
      for (int k = 0; k < 6; ++k) block(joint.u + k, i) = turned[k];
    }
    for (int i = 0; i < t.nv; ++i) {
      const Eigen::Matrix<double, 6, 1> row = block.row(i).segment<6>(joint.u);
      turnTwist(R_JL, row.data(), turned);
      for (int k = 0; k < 6; ++k) block(i, joint.u + k) = turned[k];
    }
  });
}

void Tree::integrate(double dt, const Eigen::VectorXd& gvel) {
  const Topology& t = model_->topology;
  for (int d = 0; d < t.nv; ++d) {
    u_[at(d)] = gvel[place(d)];
    step_[at(d)] = dt * u_[at(d)];
  }
  // Free joints stay where they are here and are moved below.
  forEachFree(t, [&](int, const BodyTopology& joint) {
    for (int k = 0; k < 6; ++k) step_[at(joint.u + k)] = 0;
  });
  advance(t, q_.data(), step_.data(), q_.data());
  forEachFree(t, [&](int, const BodyTopology& joint) {
    double nu[6];
    for (int k = 0; k < 6; ++k) nu[k] = gvel[place(joint.u + k)];
    double* q = &q_[at(joint.q)];
    const Quat<double> o{q[3], q[4], q[5], q[6]};
    const Vec3d w = Vec3d{nu[0], nu[1], nu[2]} * dt, v = Vec3d{nu[3], nu[4], nu[5]} * dt;
    const Vec3d moved = mul(rotation(o), exponentialTranslation(w, v));
    const Quat<double> turned = normalized(o * expQuat(w));
    const double next[7] = {q[0] + moved.x, q[1] + moved.y, q[2] + moved.z, turned.w,
                            turned.x,       turned.y,       turned.z};
    for (int k = 0; k < 7; ++k) q[k] = next[k];
    turnTwist(rotation(turned), nu, &u_[at(joint.u)]);
  });
}

void Tree::setCoordinates(int body, const double* q) {
  const BodyTopology& joint = model_->topology.bodies[at(body)];
  std::copy(q, q + joint.nq, q_.begin() + joint.q);
}

int Tree::columns(int body, Column* columns) const {
  const Topology& t = model_->topology;
  const int last = t.lastDof(body), count = last < 0 ? 0 : t.dofDepth[at(last)] + 1;
  int k = count;
  for (int d = last; d >= 0; d = t.dofParent[at(d)]) {
    --k;
    columns[k] = {place(d), S_[at(d)], dS_[at(d)]};
  }
  return count;
}

int Tree::coordinateOf(int dof) const {
  const Topology& t = model_->topology;
  for (const BodyTopology& joint : t.bodies)
    for (int k = 0; k < joint.nv; ++k)
      if (model_->spanningDof[at(joint.u + k)] == dof)
        return joint.nq == joint.nv ? joint.q + k : -1;
  return -1;
}

}  // namespace espalier::sim

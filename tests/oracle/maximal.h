#pragma once

// Forward dynamics by brute force: every body has six unknown accelerations, every joint an unknown
// wrench, and one dense LU solves for all of them and the joint rates together. Written from
// Newton's and Euler's laws and the textbook formula for moving frames, in classical (not spatial)
// accelerations; it shares no dynamics code with the library.
//
// For child C on parent P, d = p_C - p_P, joint rates u with w_r = W u, v_r = V u (in world axes,
// carried by P), and what is left of their rates at constant u, w_b and v_b:
//   alpha_C = alpha_P + W u' + w_P x w_r + w_b
//   a_C     = a_P + alpha_P x d + w_P x (w_P x d) + 2 w_P x v_r + V u' + v_b
// For every body, its wrench (n, f) through its own joint at its origin, r = centre of mass from
// there, c over its children:
//   f - sum f_c + f_ext + m g = m (a + alpha x r + w x (w x r))
//   n - r x f - sum (n_c + (d_c - r) x f_c) + n_ext = I alpha + w x I w
// For every dof: W_k . n + V_k . f = tau_k - armature_k u'_k

#include <Eigen/Dense>
#include <vector>

#include "tests/support/dense.h"
#include "tests/support/random_tree.h"

namespace espalier::testing {

class MaximalCoordinates {
 public:
  using V3 = Eigen::Vector3d;
  using M3 = Eigen::Matrix3d;

  MaximalCoordinates(const RandomTree& tree, const std::vector<double>& q,
                     const std::vector<double>& u)
      : tree_(tree), t_(tree.topology), bodies_(static_cast<std::size_t>(t_.nb)) {
    place(q);
    move(u);
  }

  V3 position(int body) const { return bodies_[body].p; }
  M3 rotation(int body) const { return bodies_[body].R; }

  /// A force at a point of the world and a couple on a body.
  void push(int body, const V3& at, const V3& force, const V3& couple) {
    Body& b = bodies_[body];
    b.force += force;
    b.couple += couple + (at - b.centre()).cross(force);
  }

  double mass(int body) const { return bodies_[body].m; }
  V3 centre(int body) const { return bodies_[body].centre(); }
  M3 inertiaAboutCentre(int body) const { return bodies_[body].I; }

  /// Everything at one moment; of each body (alpha, a) and the wrench (n, f) through its joint, both
  /// at its origin.
  struct Motion {
    Eigen::VectorXd udot;
    Eigen::Matrix<double, 6, Eigen::Dynamic> bodies, wrenches;
  };

  /// udot under gravity and joint forces tau.
  Eigen::VectorXd accelerations(const V3& gravity, const std::vector<double>& tau) const {
    return motion(gravity, tau).udot;
  }

  Motion motion(const V3& gravity, const std::vector<double>& tau) const {
    const int nb = t_.nb, nv = t_.nv, wrench = 6 * nb + nv, n = wrench + 6 * nb;
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(n);
    for (int i = 0; i < nb; ++i) {
      const Body& body = bodies_[i];
      const BodyTopology& joint = t_.bodies[i];
      const int row = 6 * i, law = 6 * nb + 6 * i, f = wrench + 6 * i;
      // Kinematics: alpha, a from the parent's and u'.
      A.block<6, 6>(row, row).setIdentity();
      for (int k = 0; k < joint.nv; ++k) {
        A.block<3, 1>(row, 6 * nb + joint.u + k) = -body.W.col(k);
        A.block<3, 1>(row + 3, 6 * nb + joint.u + k) = -body.V.col(k);
      }
      b.segment<3>(row) = body.wBias;
      b.segment<3>(row + 3) = body.vBias;
      if (joint.parent >= 0) {
        const Body& parent = bodies_[joint.parent];
        const V3 d = body.p - parent.p;
        A.block<6, 6>(row, 6 * joint.parent) -= Eigen::Matrix<double, 6, 6>::Identity();
        A.block<3, 3>(row + 3, 6 * joint.parent) += cross(d);
        b.segment<3>(row) += parent.w.cross(body.wRelative);
        b.segment<3>(row + 3) +=
            parent.w.cross(parent.w.cross(d)) + 2 * parent.w.cross(body.vRelative);
        // The reaction on the parent.
        const int up = 6 * nb + 6 * joint.parent;
        A.block<3, 3>(up, f) -= M3::Identity();
        A.block<3, 3>(up, f + 3) -= cross(body.p - parent.centre());
        A.block<3, 3>(up + 3, f + 3) -= M3::Identity();
      }
      // Euler about the centre of mass, then Newton.
      A.block<3, 3>(law, row) -= body.I;
      A.block<3, 3>(law, f) += M3::Identity();
      A.block<3, 3>(law, f + 3) -= cross(body.r);
      b.segment<3>(law) = body.w.cross(body.I * body.w) - body.couple;
      A.block<3, 3>(law + 3, row) += body.m * cross(body.r);
      A.block<3, 3>(law + 3, row + 3) -= body.m * M3::Identity();
      A.block<3, 3>(law + 3, f + 3) += M3::Identity();
      b.segment<3>(law + 3) = body.m * (body.w.cross(body.w.cross(body.r)) - gravity) - body.force;
      for (int k = 0; k < joint.nv; ++k) {
        const int work = 12 * nb + joint.u + k;
        A.block<1, 3>(work, f) = body.W.col(k).transpose();
        A.block<1, 3>(work, f + 3) = body.V.col(k).transpose();
        A(work, 6 * nb + joint.u + k) = tree_.parameters.armature[joint.u + k];
        b(work) = tau[joint.u + k];
      }
    }
    const Eigen::VectorXd x = solveDense(A, b);
    return {x.segment(6 * nb, nv), x.head(6 * nb).reshaped(6, nb), x.tail(6 * nb).reshaped(6, nb)};
  }

 private:
  struct Body {
    M3 R;                                           ///< axes in the world
    V3 p;                                           ///< origin in the world
    V3 w, v;                                        ///< of the body, at its origin
    Eigen::Matrix<double, 3, Eigen::Dynamic> W, V;  ///< per dof, world axes
    V3 wRelative, vRelative, wBias, vBias;
    double m;
    V3 r;                                        ///< centre of mass from the origin, world axes
    M3 I;                                        ///< about the centre of mass, world axes
    V3 force = V3::Zero(), couple = V3::Zero();  ///< outside, about the centre of mass
    V3 centre() const { return p + r; }
  };

  static V3 eigen(const Vec3d& a) { return {a.x, a.y, a.z}; }
  static M3 eigen(const Mat3d& a) {
    M3 m;
    m << a.r0.x, a.r0.y, a.r0.z, a.r1.x, a.r1.y, a.r1.z, a.r2.x, a.r2.y, a.r2.z;
    return m;
  }
  static M3 cross(const V3& a) {
    M3 m;
    m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
    return m;
  }
  static M3 turn(const V3& axis, double angle) {
    return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
  }
  static M3 ball(const double* q) {
    return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
  }

  /// Joint frame in the world.
  M3 jointAxes(int i) const {
    const M3 R_PJ = eigen(tree_.parameters.bodies[i].E).transpose();
    const int parent = t_.bodies[i].parent;
    return parent < 0 ? R_PJ : bodies_[parent].R * R_PJ;
  }

  void place(const std::vector<double>& coordinates) {
    const V3 x = V3::UnitX(), z = V3::UnitZ();
    for (int i = 0; i < t_.nb; ++i) {
      const BodyTopology& joint = t_.bodies[i];
      const double* q = coordinates.data() + joint.q;
      const JointExtra<double>& extra = tree_.parameters.extra[i];
      M3 R = M3::Identity();  // child in the joint frame
      V3 p = V3::Zero();
      Eigen::Matrix<double, 3, Eigen::Dynamic> W(3, joint.nv), V(3, joint.nv);
      W.setZero();
      V.setZero();
      switch (joint.kind) {
        case JointKind::Fixed: break;
        case JointKind::Revolute: R = turn(z, q[0]), W.col(0) = z; break;
        case JointKind::Prismatic: p = q[0] * z, V.col(0) = z; break;
        case JointKind::Helical:
          R = turn(z, q[0]), p = extra.pitch * q[0] * z;
          W.col(0) = z, V.col(0) = extra.pitch * z;
          break;
        case JointKind::Universal:
        case JointKind::Euler:
          for (int k = 0; k < joint.nv; ++k) {
            W.col(k) = R * eigen(extra.axes[k]);
            R = R * turn(eigen(extra.axes[k]), q[k]);
          }
          break;
        case JointKind::Planar:
          R = turn(z, q[2]), p = V3(q[0], q[1], 0);
          V.col(0) = x, V.col(1) = V3::UnitY(), W.col(2) = z;
          break;
        case JointKind::Cylindrical:
          R = turn(z, q[1]), p = q[0] * z;
          V.col(0) = z, W.col(1) = z;
          break;
        case JointKind::Translation: p = V3(q[0], q[1], q[2]), V.setIdentity(); break;
        case JointKind::Spherical: R = ball(q), W.setIdentity(); break;
        case JointKind::Floating:
          p = V3(q[0], q[1], q[2]), R = ball(q + 3);
          V.leftCols<3>().setIdentity(), W.rightCols<3>().setIdentity();
          break;
      }
      Body& body = bodies_[i];
      const M3 J = jointAxes(i);
      const V3 offset = eigen(tree_.parameters.bodies[i].p);
      const V3 origin = joint.parent < 0
                            ? offset
                            : V3(bodies_[joint.parent].p + bodies_[joint.parent].R * offset);
      body.R = J * R;
      body.p = origin + J * p;
      body.W = J * W;
      body.V = J * V;
      const RigidInertia<double>& I = tree_.parameters.bodies[i].I;
      const V3 c = eigen(I.h) / I.m;
      M3 about;
      about << I.I.xx, I.I.xy, I.I.xz, I.I.xy, I.I.yy, I.I.yz, I.I.xz, I.I.yz, I.I.zz;
      body.m = I.m;
      body.r = body.R * c;
      body.I = body.R * (about + I.m * cross(c) * cross(c)) * body.R.transpose();
    }
  }

  void move(const std::vector<double>& rates) {
    for (int i = 0; i < t_.nb; ++i) {
      const BodyTopology& joint = t_.bodies[i];
      Body& body = bodies_[i];
      const double* u = rates.data() + joint.u;
      body.wRelative = body.vRelative = V3::Zero();
      for (int k = 0; k < joint.nv; ++k) {
        body.wRelative += body.W.col(k) * u[k];
        body.vRelative += body.V.col(k) * u[k];
      }
      body.wBias = body.vBias = V3::Zero();
      // Only in a sequence do the axes move by themselves: each is turned by those before it.
      if (joint.kind == JointKind::Universal || joint.kind == JointKind::Euler) {
        V3 before = V3::Zero();
        for (int k = 0; k < joint.nv; ++k) {
          body.wBias += before.cross(body.W.col(k) * u[k]);
          before += body.W.col(k) * u[k];
        }
      }
      body.w = body.wRelative;
      body.v = body.vRelative;
      if (joint.parent >= 0) {
        const Body& parent = bodies_[joint.parent];
        body.w += parent.w;
        body.v += parent.v + parent.w.cross(body.p - parent.p);
      }
    }
  }

  const RandomTree& tree_;
  const Topology& t_;
  std::vector<Body> bodies_;
};

}  // namespace espalier::testing

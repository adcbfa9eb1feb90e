#pragma once

// A mechanism read straight from its Spec for the oracles of closed loops: bodies with their welded
// links merged, joints, ties, and where all of them are at (q, u). It shares nothing with compile()
// or dynamics/; joint kinds are written here once more, from docs/conventions.md.
//
// Bodies are 0 .. nb-1, body i carried by joint i; -1 is the ground. A floating base is body 0, its
// joint has no name. Joints, q and u stand in the order of the file (or `jointOrder`), base first.
// L = the frame of the link that a body's joint carries, J = the joint's frame on the parent.

#include <Eigen/Dense>
#include <map>
#include <string>
#include <vector>

#include "espalier/model/spec/spec.h"
#include "tests/support/eigen_vectors.h"

namespace espalier::testing {

using V3 = Eigen::Vector3d;
using M3 = Eigen::Matrix3d;
using V6 = Eigen::Matrix<double, 6, 1>;
using Six = Eigen::Matrix<double, 6, Eigen::Dynamic>;

M3 toEigen(const Mat3d& a);
M3 toEigen(const Sym3<double>& a);
Mat3d fromEigen(const M3& a);
/// (angular, linear)
inline V6 six(const V3& angular, const V3& linear) {
  V6 x;
  x.head<3>() = angular;
  x.tail<3>() = linear;
  return x;
}
/// [a] b = a x b
M3 crossMatrix(const V3& a);

/// p_A = R p_B + p
struct Pose {
  M3 R = M3::Identity();
  V3 p = V3::Zero();
  Pose operator*(const Pose& b) const { return {R * b.R, p + R * b.p}; }
  V3 operator*(const V3& b) const { return p + R * b; }
  Pose inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
};
Pose toEigen(const Transformd& X);
Transformd fromEigen(const Pose& X);

/// A frame F fixed to a body.
struct FrameOnBody {
  int body = -1;
  Pose X_BF;
};

/// Pose and velocity of a body's frame L in the world.
struct BodyMotion {
  Pose X;
  V3 w = V3::Zero(), v = V3::Zero();
};

class MechanismTree {
 public:
  struct Body {
    std::string link;
    double mass = 0;
    V3 com = V3::Zero();  ///< in L
    M3 I = M3::Zero();    ///< about com, axes of L
  };
  struct Joint {
    std::string name;
    JointKind kind = JointKind::Fixed;
    int parent = -1;
    Pose X_PJ;
    V3 axes[3];  ///< unit, in J
    double pitch = 0;
    double rotorInertia = 0;
    int q = 0, u = 0, nq = 0, nv = 0;
    int spec = -1;  ///< in SystemSpec::joints; -1 for a floating base
  };
  /// A loop with its two ends found; axes are unit.
  struct Tie {
    LoopKind kind = LoopKind::POINT;
    FrameOnBody a, b;
    V3 axis, axis2;
    double pitch = 0;
  };
  /// sum of weight q + offset = 0, over single dofs.
  struct Gear {
    std::vector<std::pair<int, double>> terms;  ///< dof, weight
    double offset = 0;
  };

  /// A row of a constraint: phi of single dofs, a function as data (model/spec/tape.h).
  struct Law {
    std::vector<int> dofs;
    Tape phi;
    int row = 0;
  };

  explicit MechanismTree(const SystemSpec& spec);

  std::vector<Body> bodies;
  std::vector<Joint> joints;  ///< as many as bodies
  std::vector<int> order;     ///< bodies, parents first
  std::vector<Tie> ties;
  std::vector<Gear> gears;  ///< couplings, then mimics
  std::vector<Law> laws;
  int nq = 0, nv = 0;
  bool floating = false;

  int nb() const { return static_cast<int>(bodies.size()); }
  /// By name; throws where there is none. "world" is the ground unless a link has that name.
  const FrameOnBody& link(const std::string& name) const { return links_.at(name); }
  const Joint& joint(const std::string& name) const;
  /// The coordinate of dof `u` of a joint whose u is the rate of its q.
  int coordinateOf(int dof) const;

  Eigen::VectorXd neutral() const;
  /// q (+) step; quaternions turn from the left.
  Eigen::VectorXd advance(const Eigen::VectorXd& q, const Eigen::VectorXd& step) const;
  /// step with q0 (+) step = q1.
  Eigen::VectorXd difference(const Eigen::VectorXd& q0, const Eigen::VectorXd& q1) const;

  /// Of the child L in J: its pose, the columns of (angular, linear) velocity of L's origin for each
  /// rate, and their rate times u.
  struct JointMotion {
    Pose X_JL;
    Six S;
    V6 Sdot_u;
  };
  JointMotion jointMotion(const Joint& joint, const Eigen::VectorXd& q,
                          const Eigen::VectorXd& u) const;

  /// Of every body at (q, u).
  std::vector<BodyMotion> move(const Eigen::VectorXd& q, const Eigen::VectorXd& u) const;
  std::vector<BodyMotion> place(const Eigen::VectorXd& q) const {
    return move(q, Eigen::VectorXd::Zero(nv));
  }
  Pose pose(const std::vector<BodyMotion>& at, const FrameOnBody& frame) const {
    return (frame.body < 0 ? Pose{} : at[frame.body].X) * frame.X_BF;
  }
  /// Joints passed on the way from `body` up to the ground.
  std::vector<int> way(int body) const;

 private:
  void addJoints(const SystemSpec& spec);
  void addJoint(const SystemSpec& spec, int index);
  void placeLinks(const SystemSpec& spec);
  void addInertias(const SystemSpec& spec);
  void addTies(const SystemSpec& spec);
  void addLaws(const SystemSpec& spec);
  void addGears(const SystemSpec& spec);
  std::map<std::string, FrameOnBody> links_;
};

}  // namespace espalier::testing

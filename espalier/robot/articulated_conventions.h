#pragma once

// A system's coordinates in the conventions of Pinocchio and MuJoCo, and back. The table and the
// equations are in docs/conventions.md, "To and from Pinocchio and MuJoCo".
//
// The order of the joints is ours on both sides: a peer that sorts them otherwise (Pinocchio does,
// by name) needs a permutation on top. Root links that our model welds have no numbers on either
// side.
//
//   PeerConvention pinocchio(robot->model(), Peer::PINOCCHIO);
//   pinocchio.velocityTo(q, u);

#include <optional>

#include "espalier/model/model.h"
#include "espalier/robot/math.h"

namespace espalier {

enum class Peer { PINOCCHIO, MUJOCO };

/// Coordinates of a model, for one peer; holds a reference to the model.
///   circles  Pinocchio reads URDF's continuous joints as (cos, sin): revolute joints without
///            limits take two numbers there. false: they stay angles
///   errors   every call throws std::invalid_argument where a size is wrong
class PeerConvention {
 public:
  PeerConvention(const Model& model, Peer peer, bool circles = true);

  int coordinateDim() const;  ///< of the peer; its velocities have our dimension

  VecDyn coordinateTo(const Eigen::VectorXd& q) const;
  VecDyn coordinateFrom(const Eigen::VectorXd& peerQ) const;  ///< angles in (-pi, pi]

  // v = T(q) u. q is ours on both ways.
  VecDyn velocityTo(const Eigen::VectorXd& q, const Eigen::VectorXd& u) const;
  VecDyn velocityFrom(const Eigen::VectorXd& q, const Eigen::VectorXd& peerU) const;
  // a = T udot + Tdot u
  VecDyn accelerationTo(const Eigen::VectorXd& q, const Eigen::VectorXd& u,
                        const Eigen::VectorXd& udot) const;
  VecDyn accelerationFrom(const Eigen::VectorXd& q, const Eigen::VectorXd& u,
                          const Eigen::VectorXd& peerUdot) const;
  // tau = T' tau_peer, the same power
  VecDyn forceTo(const Eigen::VectorXd& q, const Eigen::VectorXd& tau) const;
  VecDyn forceFrom(const Eigen::VectorXd& q, const Eigen::VectorXd& peerTau) const;

 private:
  struct Joint {
    JointKind kind;
    int q, u, peerQ;  // first place of each, authored order
    bool isCircle;
    std::optional<Transformd> X_WJ;  // from which q counts, where MuJoCo's counts from the world's
  };
  Eigen::Matrix3d rotationOf(const Joint& joint, const Eigen::VectorXd& q) const;
  VecDyn turned(const Eigen::VectorXd& q, const Eigen::VectorXd& u, bool to) const;
  VecDyn carried(const Eigen::VectorXd& q, const Eigen::VectorXd& u) const;

  const Model& model_;
  Peer peer_;
  std::vector<Joint> joints_;
  int peerDim_ = 0;
};

}  // namespace espalier

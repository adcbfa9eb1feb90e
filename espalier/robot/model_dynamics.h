#pragma once

// The dynamics of a model by itself, at one state, without a World: kinematics, Jacobians, M, h,
// forward and inverse dynamics and their derivatives, energies, momentum, loops.
//
//   const ModelDynamics at(model, q, u);
//   const VecDyn tau = at.inverseDynamics(udot);
//   const MatDyn J = at.frameJacobian(findFrame(*model, "tool"));
//
// q, u, tau and the columns of Jacobians are the independent ones in the authored order, frames and
// signs as in docs/conventions.md. All const calls may be made from several threads.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "espalier/robot/dynamics_query.h"
#include "espalier/spatial/motion.h"

namespace espalier {

inline constexpr Vec3d standard_gravity{0, 0, -9.81};

/// The frame of a joint, or, where no joint is called so, of a link.
///   errors  throws std::invalid_argument where there is neither
const FrameInfo& findFrame(const Model& model, const std::string& name);

/// q [nq] and u [nv] of all joints, internal order.
struct SpanningState {
  std::vector<double> q, u;
};
/// Closes the loops for the independent joints' q and u.
///   in  q  of the independent joints: the others start from where compile() has assembled the loops;
///          or of all joints (spanning, authored order): the dependent ones start from there. Zero
///          quaternions become the identity, others unit
///   in  u  of the independent joints
///   errors  throws std::invalid_argument for other sizes, numbers that are not finite, loops that do
///           not close, and where the independent joints are at a dead point and u is not zero
SpanningState closedState(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& u);

/// The embedded loops of a model: phi(q) = 0, K u = 0, K udot = k; u = G y, udot = G ydot + g, y the
/// independent velocities. Rows and columns of all joints in spanning authored order.
struct LoopEquationsAt {
  VecDyn phi;  ///< [rows] m or rad
  MatDyn K;    ///< [rows][spanning nv]
  VecDyn k;    ///< [rows]
  MatDyn G;    ///< [spanning nv][nv]
  VecDyn g;    ///< [spanning nv]
};

/// Derivatives of forces or accelerations, [nv][nv]. A change dq is a step from q as u dt is: of
/// quaternions a rotation vector from the left.
struct DynamicsDerivatives {
  MatDyn byQ;      ///< row i, column j: d result_i / d q_j
  MatDyn byU;      ///< by u
  MatDyn byInput;  ///< by udot, which is M; or by tau, which is its inverse
};

/// A wrench at the origin of a frame, world axes: N m, N.
using FrameWrench = std::pair<const FrameInfo*, Force<double>>;

class ModelDynamics {
 public:
  /// At rest, and at u. As closedState() says.
  ModelDynamics(std::shared_ptr<const Model> model, const Eigen::VectorXd& q);
  ModelDynamics(std::shared_ptr<const Model> model, const Eigen::VectorXd& q,
                const Eigen::VectorXd& u);
  ModelDynamics(const ModelDynamics&) = delete;
  ModelDynamics& operator=(const ModelDynamics&) = delete;

  const Model& model() const { return *model_; }
  std::shared_ptr<const Model> shared() const { return model_; }  ///< the model, kept alive
  VecDyn coordinate() const;                                      ///< [nq] q
  VecDyn velocity() const;                                        ///< [nv] u
  VecDyn spanningCoordinate() const;  ///< of all joints, dependent ones too
  VecDyn spanningVelocity() const;
  /// q of all joints after a step dq [nv] of the independent ones, the dependent ones to first order:
  /// what another ModelDynamics closes from there.
  VecDyn stepped(const Eigen::VectorXd& dq) const;

  // ---- M udot + h = tau + J' external

  MatDyn massMatrix() const;  ///< [nv][nv]
  MatDyn inverseMassMatrix() const;
  VecDyn nonlinearities(const Vec3d& gravity = standard_gravity) const;  ///< h
  /// tau for udot. Bilateral loops carry nothing here.
  VecDyn inverseDynamics(const Eigen::VectorXd& udot, const Vec3d& gravity = standard_gravity,
                         const std::vector<FrameWrench>& external = {}) const;
  /// udot for tau; bilateral loops hold.
  VecDyn forwardDynamics(const Eigen::VectorXd& tau, const Vec3d& gravity = standard_gravity,
                         const std::vector<FrameWrench>& external = {}) const;
  /// J' external, the generalized force of wrenches.
  VecDyn generalizedForce(const std::vector<FrameWrench>& external) const;
  /// Of inverseDynamics(udot, gravity) and forwardDynamics(tau, gravity), exact (dual numbers).
  ///   errors  the latter throws std::invalid_argument where there are bilateral loops
  ///   cost 2 nv inverse dynamics in dual numbers
  DynamicsDerivatives inverseDynamicsDerivatives(const Eigen::VectorXd& udot,
                                                 const Vec3d& gravity = standard_gravity) const;
  DynamicsDerivatives forwardDynamicsDerivatives(const Eigen::VectorXd& tau,
                                                 const Vec3d& gravity = standard_gravity) const;

  // ---- frames; world axes, linear parts of the frame's origin

  Transformd bodyPose(int body) const;                 ///< X_WL of the link that the joint carries
  Transformd framePose(const FrameInfo& frame) const;  ///< X_WF
  Motion<double> frameVelocity(const FrameInfo& frame) const;  ///< rad/s, m/s
  /// rad/s^2, m/s^2 at udot [nv]; at udot = 0 dJ/dt u.
  Motion<double> frameAcceleration(const FrameInfo& frame, const Eigen::VectorXd& udot) const;
  MatDyn frameJacobian(const FrameInfo& frame) const;  ///< [6][nv], angular rows first
  /// dJ/dt along u, [6][nv].
  ///   errors  throws std::invalid_argument for frames of geared rotors
  MatDyn frameJacobianRate(const FrameInfo& frame) const;
  /// J M^-1 J' of several frames, [6 frames][6 frames]; its inverse is the operational-space inertia.
  ///   errors  throws std::invalid_argument for frames of geared rotors
  MatDyn inverseOperationalInertia(const std::vector<const FrameInfo*>& frames) const;

  // ---- energy and momentum

  double kineticEnergy() const;                                           ///< J
  double potentialEnergy(const Vec3d& gravity = standard_gravity) const;  ///< J, 0 at the origin
  Vec3d centreOfMass() const;                                             ///< m, world
  Force<double> momentum() const;  ///< about the centre of mass, N m s and N s
  MatDyn momentumMatrix() const;   ///< [6][nv] centroidal: momentum = A u, angular rows first
  /// dmomentum/dt at udot [nv]; at udot = 0 the bias dA/dt u. N m, N.
  Force<double> momentumRate(const Eigen::VectorXd& udot) const;
  MatDyn centreOfMassJacobian() const;  ///< [3][nv]

  // ---- loops

  LoopEquationsAt loops() const;

 private:
  const Lowered<double>& parameters() const { return model_->lowered; }
  /// Origin of a frame from the common origin O, world axes.
  Vec3d originOf(const FrameInfo& frame) const;

  std::shared_ptr<const Model> model_;
  SpanningState state_;
  DynamicsQuery query_;
};

}  // namespace espalier

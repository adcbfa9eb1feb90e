#pragma once

// The public face of one articulated system in a World, in RaiSim's names. Vectors are in the
// authored joint order; frames and signs as in docs/conventions.md.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "espalier/model/model.h"
#include "espalier/world/system.h"

namespace espalier {

struct WorldData;

class ArticulatedSystem {
 public:
  ArticulatedSystem(WorldData& world, System& system) : world_(world), system_(system) {}

  const std::string& getName() const;
  const Model& model() const;
  int getDOF() const;                       ///< nv
  int getGeneralizedCoordinateDim() const;  ///< nq
  std::vector<std::string> getMovableJointNames() const;

  // ---- state

  void setGeneralizedCoordinate(const Eigen::VectorXd& q);  ///< quaternions are normalised
  void setGeneralizedVelocity(const Eigen::VectorXd& u);
  void setState(const Eigen::VectorXd& q, const Eigen::VectorXd& u);
  /// Into vectors of the caller's, which are resized only where their size is wrong.
  void getState(Eigen::VectorXd& q, Eigen::VectorXd& u) const;
  Eigen::VectorXd getGeneralizedCoordinate() const;
  Eigen::VectorXd getGeneralizedVelocity() const;

  // ---- actuation

  void setControlMode(ControlMode mode);
  void setPdGains(const Eigen::VectorXd& kp, const Eigen::VectorXd& kd);  ///< [nv] each
  void setPdTarget(const Eigen::VectorXd& q, const Eigen::VectorXd& u);   ///< [nq], [nv]
  /// Feedforward; stays until changed. N m or N.
  void setGeneralizedForce(const Eigen::VectorXd& tau);
  /// Motor torque really applied in the last step, its implicit part included.
  Eigen::VectorXd getAppliedGeneralizedForce() const;
  void setActuationLimits(const Eigen::VectorXd& upper, const Eigen::VectorXd& lower);
  /// Force (N) at a point of a body (m, world axes about the body's origin); acts for one step.
  void setExternalForce(int body, const Vec3d& force, const Vec3d& pointFromBody = {0, 0, 0});
  void setExternalTorque(int body, const Vec3d& torque);

  // ---- dynamics at the present state, or, between integrate1 and integrate2, at the step's
  // evaluation point; gravity of the world

  Eigen::MatrixXd getMassMatrix() const;  ///< undamped
  Eigen::MatrixXd getInverseMassMatrix() const;
  Eigen::VectorXd getNonlinearities() const;  ///< h
  /// udot for the given torques, no contacts, springs or dampers: a query, nothing moves.
  Eigen::VectorXd computeForwardDynamics(const Eigen::VectorXd& tau) const;
  double getKineticEnergy() const;
  double getPotentialEnergy() const;
  Eigen::Vector3d getLinearMomentum() const;
  Eigen::Vector3d getCOM() const;
  double getTotalMass() const;

  // ---- frames and bodies, at the same state

  int getFrameIdxByName(const std::string& name) const;  ///< -1 where there is none
  int getBodyIdx(const std::string& link) const;
  Transformd getFramePose(int frame) const;
  Vec3d getFrameVelocity(int frame) const;
  Vec3d getFrameAngularVelocity(int frame) const;
  /// [3][nv] each: of the frame's origin, and of its rotation; world axes.
  Eigen::MatrixXd getDenseFrameJacobian(int frame) const;
  Eigen::MatrixXd getDenseFrameRotationalJacobian(int frame) const;
  Transformd getBodyPose(int body) const;
  /// Lowest z of the collision bodies at the present state; +infinity without any.
  double getLowestCollisionPoint() const;

 private:
  const Workspace<double>& kinematicsNow() const;
  const double* coordinatesNow() const;

  WorldData& world_;
  System& system_;
};

}  // namespace espalier

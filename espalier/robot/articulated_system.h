#pragma once

// The public face of one articulated system in a World, in RaiSim's names. Vectors are in the
// authored joint order; frames and signs as in docs/conventions.md, names side by side in
// docs/coming_from_raisim.md.
//
// Queries refer to the present state, or, between integrate1 and integrate2, to the step's
// evaluation point. Every query of kinematics or dynamics computes the kinematics anew, O(bodies).
// Overloads that fill the caller's object do not allocate where its size fits.

#include <Eigen/Core>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "espalier/model/model.h"
#include "espalier/robot/articulated_refs.h"
#include "espalier/robot/collision_body.h"
#include "espalier/robot/coordinate_frame.h"
#include "espalier/robot/joint_limits.h"
#include "espalier/robot/math.h"
#include "espalier/robot/object.h"
#include "espalier/robot/sparse_jacobian.h"
#include "espalier/robot/vis_object.h"
#include "espalier/step/system.h"

namespace espalier {

class ArticulatedSystem : public Object {
 public:
  /// The frame in which a point or a force is given: the world; the body that carries the body
  /// (the world for body 0); the body itself.
  enum Frame { WORLD_FRAME, PARENT_FRAME, BODY_FRAME };
  using IntegrationScheme = Scheme;
  using JointRef = espalier::JointRef;
  using LinkRef = espalier::LinkRef;
  using SpringElement = espalier::SpringElement;

  ArticulatedSystem(StepData& world, System& system);

  const Model& model() const;
  int getIndexInWorld() const override { return system_.object; }
  ObjectType getObjectType() const override { return ObjectType::ARTICULATED_SYSTEM; }
  BodyType getBodyType() const override { return BodyType::DYNAMIC; }
  BodyType getBodyType(int body) const;  ///< STATIC only for a fixed base

  // ---- names and indices (articulated_names.cpp)

  int getDOF() const;                       ///< nv
  int getGeneralizedVelocityDim() const;    ///< the same
  int getGeneralizedCoordinateDim() const;  ///< nq
  int getNumberOfJoints() const;            ///< the same as that of bodies, the base counted
  /// In the authored order. The first is the base, by its root link's name, also when it is fixed.
  std::vector<std::string> getMovableJointNames() const;
  std::vector<std::string> getBodyNames() const;             ///< [body]: its movable link
  int getBodyIdx(const std::string& link) const;             ///< -1 where there is none
  int getFrameIdxByName(const std::string& joint) const;     ///< -1 where there is none
  int getFrameIdxByLinkName(const std::string& link) const;  ///< of the joint above it, or -1
  /// First place of a joint's numbers in u.   errors  throws where there is none of this name
  int getGeneralizedVelocityIndex(const std::string& joint) const;
  int getGeneralizedCoordinateIndex(const std::string& joint) const;  ///< likewise in q
  /// [body] First place of its joint's numbers in u and in q; -1 for a fixed base.
  const std::vector<int>& getMappingFromBodyIndexToGeneralizedVelocityIndex() const;
  const std::vector<int>& getMappingFromBodyIndexToGeneralizedCoordinateIndex() const;
  /// [nv] and [nq]: the body whose joint has this number.
  std::vector<int> getMappingFromGeneralizedVelocityIndexToBodyIndex() const;
  std::vector<int> getMappingFromGeneralizedCoordinateIndexToBodyIndex() const;
  std::vector<int> getParentVector() const;  ///< [body] its parent; -1 for body 0
  JointKind getJointType(int joint) const;
  // Lists of names on standard output, one a line.
  void printOutBodyNamesInOrder() const;
  void printOutMovableJointNamesInOrder() const;
  void printOutFrameNamesInOrder() const;

  /// Frames to read or to edit; edits show in queries about the frame, never in the motion.
  ///   errors  by name and index: throw std::invalid_argument where there is none
  CoordinateFrame& getFrameByName(const std::string& joint);
  CoordinateFrame& getFrameByLinkName(const std::string& link);
  CoordinateFrame& getFrameByIdx(int frame);
  const CoordinateFrame& getFrameByName(const std::string& joint) const;
  const CoordinateFrame& getFrameByLinkName(const std::string& link) const;
  const CoordinateFrame& getFrameByIdx(int frame) const;
  std::vector<CoordinateFrame>& getFrames() { return frames_; }
  const std::vector<CoordinateFrame>& getFrames() const { return frames_; }

  JointRef getJoint(const std::string& joint);
  LinkRef getLink(const std::string& link);

  // ---- state (articulated_state.cpp); setters between steps only, quaternions are normalised. They
  // empty the robot's getContacts(), and take its contacts from the lists of the others.

  void setGeneralizedCoordinate(const Eigen::VectorXd& q);
  void setGeneralizedCoordinate(std::initializer_list<double> q);
  void setGeneralizedVelocity(const Eigen::VectorXd& u);
  void setGeneralizedVelocity(std::initializer_list<double> u);
  void setState(const Eigen::VectorXd& q, const Eigen::VectorXd& u);
  void getState(Eigen::VectorXd& q, Eigen::VectorXd& u) const;
  VecDyn getGeneralizedCoordinate() const;
  VecDyn getGeneralizedVelocity() const;
  void getGeneralizedCoordinate(Eigen::VectorXd& q) const;
  void getGeneralizedVelocity(Eigen::VectorXd& u) const;
  /// (u+ - u) / dt of the last step; zero before the first.
  VecDyn getGeneralizedAcceleration() const;
  /// Does nothing: queries compute the kinematics they need. For code that comes from RaiSim.
  void updateKinematics() const {}

  /// Of the base link. A fixed base may be moved too: it jumps, nothing is carried along. Where loops tie
  /// a floating base to the world, the other joints follow as from setGeneralizedCoordinate() and
  /// setGeneralizedVelocity(); throw std::invalid_argument where they cannot.
  Vec<3> getBasePosition() const;
  void getBasePosition(Eigen::Vector3d& position) const;
  Mat<3, 3> getBaseOrientation() const;
  void getBaseOrientation(Eigen::Matrix3d& R_WB) const;
  void getBaseOrientation(Eigen::Vector4d& quaternion) const;
  void setBasePos(const Vec<3>& position);
  void setBasePosition(const Vec<3>& position) { setBasePos(position); }
  void setBasePos_e(const Eigen::Vector3d& position) { setBasePos(position); }
  void setBaseOrientation(const Mat<3, 3>& R_WB);
  void setBaseOrientation(const Vec<4>& quaternion);
  void setBaseOrientation_e(const Eigen::Matrix3d& R_WB) { setBaseOrientation(Mat<3, 3>(R_WB)); }
  /// World axes; a floating base only, else throw std::invalid_argument.
  void setBaseVelocity(const Vec<3>& velocity);
  void setBaseAngularVelocity(const Vec<3>& velocity);

  // ---- all joints of a system with closed loops (articulated_spanning.cpp). "Generalized" names
  // refer to the independent joints, in joint order; in a tree both are the same.

  int getSpanningDOF() const;
  /// [spanning] in joint order; always closed.
  VecDyn getSpanningCoordinate() const;
  VecDyn getSpanningVelocity() const;
  /// Sets all joints near q and closes the loops from there.
  ///   errors  throws std::invalid_argument with the residual where they do not close; nothing
  ///           has changed then
  void setSpanningCoordinate(const Eigen::VectorXd& q);
  /// Takes the velocities of the independent joints; the others follow.
  void setSpanningVelocity(const Eigen::VectorXd& u);
  /// Gains, targets and feedforward of all joints, dependent ones too; gains and targets take up
  /// PD_PLUS_FEEDFORWARD_TORQUE, and those of a floating base are not read.
  void setSpanningPdGains(const Eigen::VectorXd& kp, const Eigen::VectorXd& kd);
  void setSpanningPdTarget(const Eigen::VectorXd& q, const Eigen::VectorXd& u);
  void setSpanningForce(const Eigen::VectorXd& tau);
  VecDyn getSpanningAppliedForce() const;
  /// The largest gap of a closed loop now: m, or 1 for directions. 0 in a tree.
  double getClosureResidual() const;

  // ---- geared rotors that are part of their carriers (articulated_rotors.cpp): no joints of the
  // spanning tree, but frames that turn. Their angles are sums of others.

  /// Names of their joints, in order of appearance, which is the order of the following, too.
  std::vector<std::string> getRotorNames() const;
  VecDyn getRotorCoordinate() const;  ///< rad
  VecDyn getRotorVelocity() const;    ///< rad/s, against the carrier

  // ---- tendons (articulated_tendons.cpp), in the order of the Spec; at the state that queries
  // refer to

  std::vector<std::string> getTendonNames() const;
  VecDyn getTendonLength() const;    ///< m, or the unit of its joints' coefficients
  VecDyn getTendonVelocity() const;  ///< d length / dt
  MatDyn getTendonJacobian() const;  ///< [tendon][nv] moment arms: velocity = J u

  // Their actuators: force = kp (length - l) + kd (velocity - dl/dt) + feedforward, within the limits of the file;
  // positive along growing length. [tendons] each; a tendon whose file has no actuator begins without gains. They
  // act in every ControlMode.

  /// errors  as of setPdGains()
  void setTendonGains(const Eigen::VectorXd& kp, const Eigen::VectorXd& kd);
  void getTendonGains(Eigen::VectorXd& kp, Eigen::VectorXd& kd) const;
  void setTendonTarget(const Eigen::VectorXd& length, const Eigen::VectorXd& velocity);
  void setTendonTarget(const Eigen::VectorXd& length);  ///< the velocity's stays
  void getTendonTarget(Eigen::VectorXd& length, Eigen::VectorXd& velocity) const;
  void setTendonForce(const Eigen::VectorXd& feedforward);  ///< stays until changed; N, or N m
  VecDyn getTendonForce() const;

  // ---- actuation (articulated_actuation.cpp)

  void setControlMode(ControlMode mode);
  ControlMode getControlMode() const;
  // Gains, targets and limits of a floating base are not read, whatever they hold: it has no motors.
  // Getters give 0 for its gains and velocity targets, the neutral pose for its target, and its
  // limits as set.

  /// [nv] each, not negative. Takes up PD_PLUS_FEEDFORWARD_TORQUE.
  void setPdGains(const Eigen::VectorXd& kp, const Eigen::VectorXd& kd);
  void setPGains(const Eigen::VectorXd& kp);  ///< the mode stays
  void setDGains(const Eigen::VectorXd& kd);
  void getPdGains(Eigen::VectorXd& kp, Eigen::VectorXd& kd) const;
  /// [nq], [nv]. Each of the three takes up PD_PLUS_FEEDFORWARD_TORQUE.
  void setPdTarget(const Eigen::VectorXd& q, const Eigen::VectorXd& u);
  void setPTarget(const Eigen::VectorXd& q);
  void setDTarget(const Eigen::VectorXd& u);
  void getPdTarget(Eigen::VectorXd& q, Eigen::VectorXd& u) const;
  /// Feedforward; stays until changed. N m or N.
  void setGeneralizedForce(const Eigen::VectorXd& tau);
  void setGeneralizedForce(std::initializer_list<double> tau);
  VecDyn getFeedForwardGeneralizedForce() const;
  /// The command at the state queries speak of: feedforward and PD, within the actuation limits.
  VecDyn getGeneralizedForce() const;
  /// Motor torque really applied in the last step, its implicit part included.
  VecDyn getAppliedGeneralizedForce() const;
  void setActuationLimits(const Eigen::VectorXd& upper, const Eigen::VectorXd& lower);
  VecDyn getActuationUpperLimits() const;
  VecDyn getActuationLowerLimits() const;
  /// COMMAND (RaiSim's way) bounds the command; EXACT the torque really applied.
  void setTorqueLimits(TorqueLimits limits);
  TorqueLimits getTorqueLimits() const;

  // ---- limits, springs and damping of joints (articulated_limits.cpp)

  // Limits of a floating base are not read; dampers, dry friction and springs on it act.

  /// [joint] {lower, upper}, rad or m, of each of its coordinates; +-infinity: free. Of a spherical
  /// joint {0, greatest angle of its rotation}.
  std::vector<Vec<2>> getJointLimits() const;
  /// A spherical joint takes {0, angle} or {-angle, angle}; equal limits of it are none. Its swing
  /// and twist stay.
  ///   errors  throws std::invalid_argument where lower > upper, where a spherical joint's are no
  ///           single angle, where a floating joint gets one
  void setJointLimits(const std::vector<Vec<2>>& limits);
  /// Angle, swing and twist of a spherical joint, rad.
  ///   errors  throw std::invalid_argument where the joint is none, an angle or a swing is not
  ///           positive, the twist's lower limit above its upper
  SphericalLimits getSphericalLimits(int joint) const;
  void setSphericalLimits(int joint, const SphericalLimits& limits);
  /// Joints at or beyond a limit, at the state queries speak of.
  std::vector<JointLimitViolation> getJointLimitViolations() const;
  /// RaiSim's form, where World::getContactProblem() is handed over; impulses are known without it.
  template <class ContactProblems>
  std::vector<JointLimitViolation> getJointLimitViolations(const ContactProblems&) const {
    return getJointLimitViolations();
  }
  /// [nv] rad/s or m/s, > 0; +infinity: free. They act only when enforced.
  VecDyn getJointVelocityLimits() const;
  void setJointVelocityLimits(const Eigen::VectorXd& limits);
  void enforceJointVelocityLimits(bool on);
  void setJointDamping(const Eigen::VectorXd& damping);  ///< [nv] N m s/rad or N s/m
  VecDyn getJointDamping() const;
  void setJointFriction(const Eigen::VectorXd& friction);  ///< [nv] dry; N m or N
  VecDyn getJointFriction() const;
  void setSpringStiffness(const Eigen::VectorXd& stiffness);  ///< [nv] N m/rad or N/m
  VecDyn getSpringStiffness() const;
  void setSpringMount(const Eigen::VectorXd& q);  ///< [nq] where springs rest
  VecDyn getSpringMount() const;
  /// One spring on a joint that has none.
  void addSpring(const SpringElement& spring);
  std::vector<SpringElement> getSprings() const;

  // ---- forces within joints (articulated_joint_forces.cpp); costs about one more pass of inverse
  // dynamics a step while on. All speak of the last step, at the scheme's evaluation point.

  void setComputeInverseDynamics(bool on);
  bool getComputeInverseDynamics() const;
  /// Force and torque of the joint on the body it carries, those of motors, limits and guidance
  /// together; at the joint, world axes. N; N m.
  ///   errors  throw std::invalid_argument where inverse dynamics is off or no step was taken
  Vec<3> getForceAtJointInWorldFrame(int joint) const;
  Vec<3> getTorqueAtJointInWorldFrame(int joint) const;
  /// Of a frame's origin, gravity not subtracted: an accelerometer there shows it minus gravity.
  Vec<3> getFrameAcceleration(const FrameOf& frame) const;
  void getFrameAcceleration(const FrameOf& frame, Eigen::Vector3d& acceleration) const;
  Vec<3> getFrameAngularAcceleration(const FrameOf& frame) const;

  // ---- external forces (articulated_forces.cpp): act for one step, and add up until then. Points
  // and axes are those of the state that queries speak of when the call is made; set between
  // integrate1 and integrate2 they are the step's own, to second order.

  /// At the body's centre of mass, world axes. N.
  void setExternalForce(int body, const Vec<3>& force);
  /// At a point of the body, in its frame; the force in world axes.
  void setExternalForce(int body, const Vec<3>& point_B, const Vec<3>& force);
  void setExternalForce(int body, Frame frameOfForce, const Vec<3>& force, Frame frameOfPoint,
                        const Vec<3>& point);
  /// At a frame's origin, world axes.
  void setExternalForce(const std::string& frame, const Vec<3>& force);
  void setExternalTorque(int body, const Vec<3>& torque);  ///< world axes. N m.
  void setExternalTorqueInBodyFrame(int body, const Vec<3>& torque_B);
  void clearExternalForcesAndTorques();
  void clearExternalForces() { clearExternalForcesAndTorques(); }

  // ---- dynamics (articulated_dynamics.cpp); gravity is the world's where none is given

  MatDyn getMassMatrix() const;         ///< M, undamped
  MatDyn getInverseMassMatrix() const;  ///< its inverse
  /// M + diag w, the matrix that the step solves with, and its inverse. w holds gains, springs and
  /// dampers as the world's scheme and time step take them implicitly.
  MatDyn getDampedMassMatrix() const;
  MatDyn getDampedInverseMassMatrix() const;
  VecDyn getNonlinearities() const;  ///< h
  VecDyn getNonlinearities(const Vec<3>& gravity) const;
  /// udot for the given torques, without contacts, springs, dampers and limits.
  VecDyn computeForwardDynamics(const Eigen::VectorXd& tau) const;
  /// computeForwardDynamics() of the command, getGeneralizedForce().
  VecDyn getUdot() const;
  /// tau that gives udot, likewise: M udot + h.
  VecDyn computeInverseDynamics(const Eigen::VectorXd& udot) const;
  void massMatrixVecMul(const Eigen::VectorXd& u, Eigen::VectorXd& Mu) const;
  double getKineticEnergy() const;
  double getPotentialEnergy() const;  ///< 0 at the world's origin; springs do not count
  double getPotentialEnergy(const Vec<3>& gravity) const;
  double getEnergy() const;  ///< the sum of both
  double getEnergy(const Vec<3>& gravity) const;
  VecDyn getGeneralizedMomentum() const;  ///< M u

  // ---- mass and momentum (articulated_momentum.cpp); world axes

  double getTotalMass() const;
  Vec<3> getCOM() const;
  std::vector<Vec<3>> getBodyCOM_W() const;  ///< [body]
  /// [body] Of each body and all it carries.
  std::vector<double> getCompositeMass() const;
  std::vector<Vec<3>> getCompositeCOM() const;
  std::vector<Mat<3, 3>> getCompositeInertia() const;  ///< about the composite's own centre
  Vec<3> getLinearMomentum() const;
  Vec<3> getAngularMomentum() const;  ///< about the centre of mass
  Vec<3> getAngularMomentum(const Vec<3>& point_W) const;
  void getAngularMomentum(const Vec<3>& point_W, Eigen::Vector3d& momentum) const;

  // ---- frames and bodies (articulated_frames.cpp); world axes

  Transformd getFramePose(const FrameOf& frame) const;  ///< X_WF
  Vec<3> getFramePosition(const FrameOf& frame) const;
  Mat<3, 3> getFrameOrientation(const FrameOf& frame) const;
  Vec<3> getFrameVelocity(const FrameOf& frame) const;
  Vec<3> getFrameAngularVelocity(const FrameOf& frame) const;
  void getFramePosition(const FrameOf& frame, Eigen::Vector3d& point_W) const;
  void getFrameOrientation(const FrameOf& frame, Eigen::Matrix3d& R_WF) const;
  void getFrameVelocity(const FrameOf& frame, Eigen::Vector3d& velocity) const;
  void getFrameAngularVelocity(const FrameOf& frame, Eigen::Vector3d& velocity) const;
  void getPositionInFrame(const FrameOf& frame, const Vec<3>& point_F,
                          Eigen::Vector3d& point_W) const;

  Transformd getBodyPose(int body) const;  ///< X_WB
  void getBodyPose(int body, Eigen::Matrix3d& R_WB, Eigen::Vector3d& position) const;
  void getBodyPosition(int body, Eigen::Vector3d& position) const;
  void getBodyOrientation(int body, Eigen::Matrix3d& R_WB) const;
  void getPosition(int body, Eigen::Vector3d& position) const;
  void getPosition(int body, const Vec<3>& point_B, Eigen::Vector3d& point_W) const;
  void getPositionInBodyCoordinate(int body, const Vec<3>& point_W, Eigen::Vector3d& point_B) const;
  void getOrientation(int body, Eigen::Matrix3d& R_WB) const;
  void getVelocity(int body, Eigen::Vector3d& velocity) const;
  void getVelocity(int body, const Vec<3>& point_B, Eigen::Vector3d& velocity) const;
  void getVelocity(int body, Frame frameOfPoint, const Vec<3>& point, Frame frameOfVelocity,
                   Eigen::Vector3d& velocity) const;
  void getVelocity(const SparseJacobian& J, Eigen::Vector3d& velocity) const;  ///< J u
  void getAngularVelocity(int body, Eigen::Vector3d& velocity) const;
  /// Of this object's side of a contact, by its place in getContacts() as it is without an argument
  /// (near misses not counted), at the present state.
  void getContactPointVel(int contact, Eigen::Vector3d& velocity) const;
  Vec<3> getJointAxis(int joint) const;  ///< unit, world; of its first dof
  /// Lowest z of the collision bodies at the present state; +infinity without any.
  double getLowestCollisionPoint() const;

  // ---- Jacobians (articulated_jacobians.cpp): J u = v, world axes

  void getSparseJacobian(int body, const Vec<3>& point_W, SparseJacobian& J) const;
  void getSparseJacobian(int body, Frame frameOfPoint, const Vec<3>& point,
                         SparseJacobian& J) const;
  void getSparseRotationalJacobian(int body, SparseJacobian& J) const;
  /// Only non-zeros are written: set J to zero [3][nv] once.
  ///   errors  throw std::invalid_argument where J has another size
  void getDenseJacobian(int body, const Vec<3>& point_W, Eigen::MatrixXd& J) const;
  void getDenseJacobian(int body, Frame frameOfPoint, const Vec<3>& point,
                        Eigen::MatrixXd& J) const;
  void getDenseRotationalJacobian(int body, Eigen::MatrixXd& J) const;
  void getDenseFrameJacobian(const FrameOf& frame, Eigen::MatrixXd& J) const;
  void getDenseFrameRotationalJacobian(const FrameOf& frame, Eigen::MatrixXd& J) const;
  void getSparseFrameJacobian(const FrameOf& frame, SparseJacobian& J) const;
  void getSparseFrameRotationalJacobian(const FrameOf& frame, SparseJacobian& J) const;
  MatDyn getDenseFrameJacobian(const FrameOf& frame) const;            ///< whole, [3][nv]
  MatDyn getDenseFrameRotationalJacobian(const FrameOf& frame) const;  ///< whole, [3][nv]
  /// dJ/dt along the present u, of a point fixed to the body: a = dJ u + J udot.
  void getTimeDerivativeOfSparseJacobian(int body, Frame frameOfPoint, const Vec<3>& point,
                                         SparseJacobian& J) const;
  void getTimeDerivativeOfSparseRotationalJacobian(int body, SparseJacobian& J) const;
  void getTimeDerivativeOfSparseFrameJacobian(const FrameOf& frame, SparseJacobian& J) const;
  static void convertSparseJacobianToDense(const SparseJacobian& sparse, Eigen::MatrixXd& dense) {
    sparse.fill(dense);
  }

  // ---- operational space (articulated_operational.cpp), in generalized_rbda's names: the response
  // to wrenches at frames. Limits, gains and contacts do not count. Both hold at dead points of the
  // public joints, too.

  /// Lambda^-1 = J M^-1 J', [6 frames][6 frames]: of each frame's origin angular rows first, then
  /// linear ones; 1/(kg m^2), 1/kg.
  ///   in   axes  WORLD_FRAME, or BODY_FRAME for each frame's own (generalized_rbda's way)
  MatDyn inverseOperationalSpaceInertiaMatrix(const std::vector<FrameOf>& frames,
                                              Frame axes = WORLD_FRAME) const;
  /// By how much a force (N, world axes) at a frame's origin changes udot [nv].
  ///   returns  force . change of the point's acceleration: of a unit force, 1 / the mass it feels
  double applyTestForce(const FrameOf& frame, const Vec<3>& force, Eigen::VectorXd& udot) const;
  /// At any point of a body, and the change of that point's acceleration (m/s^2, world axes).
  double applyTestForce(int body, const Vec<3>& point_B, const Vec<3>& force, Eigen::VectorXd& udot,
                        Eigen::Vector3d& acceleration) const;

  // ---- description (articulated_editing.cpp): authored parameters, by body, to read and to edit.
  //
  // B = a body's frame, its joint's at q = 0; P = that of the body that carries it. Edits take
  // effect when the next step begins, or at once, all of them, at updateMassInfo(); until then
  // every other query uses the old parameters. References handed out for writing are compared
  // before every step (at no cost where there are none). Impossible edits (a negative mass, a zero
  // axis, an inertia no body has) throw std::invalid_argument at updateMassInfo() or integrate1(),
  // which then change nothing.

  std::vector<double>& getMass();                   ///< kg
  std::vector<Vec<3>>& getBodyCOM_B();              ///< m, centre of mass in B
  std::vector<Vec<3>>& getLinkCOM();                ///< the same
  std::vector<Mat<3, 3>>& getInertia();             ///< kg m^2 about the centre of mass, axes of B
  std::vector<Vec<3>>& getJointPos_P();             ///< m, in P; of a fixed base in the world
  std::vector<Mat<3, 3>>& getJointOrientation_P();  ///< R_PB at q = 0
  /// In P, of any length; 0 0 1 and not read where a joint has none.
  std::vector<Vec<3>>& getJointAxis_P();
  const std::vector<double>& getMass() const;
  const std::vector<Vec<3>>& getBodyCOM_B() const;
  const std::vector<Mat<3, 3>>& getInertia() const;
  const std::vector<Vec<3>>& getJointPos_P() const;
  const std::vector<Mat<3, 3>>& getJointOrientation_P() const;
  const std::vector<Vec<3>>& getJointAxis_P() const;
  double getMass(int body) const;
  void setMass(int body, double mass);
  void setCOM(int body, const Vec<3>& com_B);
  void setInertia(int body, const Mat<3, 3>& inertia_B);
  VecDyn getRotorInertia() const;  ///< [nv] kg m^2 or kg, added to the diagonal of M
  /// Those of a floating base are not read.
  void setRotorInertia(const Eigen::VectorXd& inertia);
  /// Lets all edits take effect now.   pre  between steps
  void updateMassInfo();

  /// In the order of the file, LINK/INDEX.
  std::vector<CollisionBody>& getCollisionBodies();
  const std::vector<CollisionBody>& getCollisionBodies() const;
  /// errors  throws std::invalid_argument where there is none
  CollisionBody& getCollisionBody(const std::string& name);
  const CollisionBody& getCollisionBody(const std::string& name) const;
  /// Edits one of getCollisionBodies() by its place there.
  ///   in   lengths  m: sphere {radius}; box {x, y, z}; cylinder and capsule {radius, height}
  ///   errors  throw std::invalid_argument for a shape without lengths, lengths that are not
  ///           positive, and where there is no such body
  void setCollisionObjectShapeParameters(int collision, const Vec<4>& lengths);
  void setCollisionObjectPositionOffset(int collision, const Vec<3>& position_B);  ///< m
  void setCollisionObjectOrientationOffset(int collision, const Mat<3, 3>& R_B);

  // ---- visuals, and where the robot came from (articulated_description.cpp)

  /// Visuals, link by link in the order of the file; empty where it came as a compiled model. Edits
  /// show in viewers and in World::spec(), never in the motion.
  std::vector<VisObject>& getVisOb() { return visuals_; }
  const std::vector<VisObject>& getVisOb() const { return visuals_; }
  /// Collision bodies as something to draw, in their order. Edits change the drawing alone.
  std::vector<VisObject>& getVisColOb() { return drawnCollisions_; }
  const std::vector<VisObject>& getVisColOb() const { return drawnCollisions_; }
  /// Pose in the world of one of them, at the state queries speak of.
  void getVisObPose(int visual, Eigen::Matrix3d& R_W, Eigen::Vector3d& position) const;
  void getVisColObPose(int visual, Eigen::Matrix3d& R_W, Eigen::Vector3d& position) const;

  ArticulatedSystemOption getOptions() const { return system_.options; }
  /// The folder in which meshes were looked for: the one given, else the file's; may be empty.
  std::string getResourceDir() const;
  /// Path, name and folder's name of its file; empty where it came as text or data.
  std::string getRobotDescriptionFullPath() const;
  std::string getRobotDescriptionfFileName() const;
  std::string getRobotDescriptionfTopDirName() const;
  /// As data, with all edits that took effect.
  ///   errors  throws std::invalid_argument where it came as a compiled model
  SystemSpec spec() const;
  /// The same as the text of a URDF (io::exportUrdf), or written to a file whose name ends in .urdf.
  ///   errors  throw std::invalid_argument as spec(), or where the file cannot be written
  std::string getRobotDescription() const;
  void exportRobotDescriptionToURDF(const std::string& file) const;

  // ---- in the world

  /// These two bodies never collide with each other.
  void ignoreCollisionBetween(int bodyA, int bodyB);
  /// A world has one scheme: this sets it for all that is in it; the last call counts.
  void setIntegrationScheme(Scheme scheme);

  // ---- for the modules above

  /// The Model that the step reads, with all edits that took effect.
  const Lowered<double>& parametersInForce() const { return system_.parameters; }
  const System& system() const { return system_; }
  Actuation& actuation() { return system_.actuation; }

 private:
  const Workspace<double>& kinematicsNow() const;
  Workspace<double> workspaceNow() const;
  const double* coordinatesNow() const;
  const double* velocitiesNow() const;
  int bodyAt(int body) const;
  const CoordinateFrame& frameAt(const FrameOf& frame) const;
  Transformd bodyPose(const Workspace<double>& ws, int body) const;
  Vec3d pointFromOrigin(const Workspace<double>& ws, int body, Frame frame,
                        const Vec3d& point) const;
  Mat3d axesOf(const Workspace<double>& ws, int body, Frame frame) const;
  Vec3d originOf(const Workspace<double>& ws, const CoordinateFrame& frame) const;
  Transformd turnOf(int rotor) const;
  Vec3d axisOf(const Workspace<double>& ws, const RotorInfo& rotor) const;
  Vec3d spinOf(const Workspace<double>& ws, int rotor) const;
  const JointForces& jointForces() const;
  Transformd poseOf(const VisObject& visual) const;
  CollisionBody& collisionAt(int collision);
  void addForce(const Workspace<double>& ws, int body, const Vec3d& r, const Vec3d& force);
  void addWrench(int body, const Vec3d& force, const Vec3d& torque);
  void takeAssembled(std::vector<double> q, bool holds = true);
  std::vector<TendonState> tendonsNow() const;

  System& system_;
  std::vector<CoordinateFrame> frames_;
  std::vector<int> firstU_, firstQ_;  ///< [body] authored order
  std::vector<VisObject> visuals_, drawnCollisions_;
};

}  // namespace espalier

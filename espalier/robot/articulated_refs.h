#pragma once

// One joint or one link of an articulated system, held by name. A reference asks its system anew at
// every call, and lives as long as that.

#include <string>
#include <unordered_map>

#include "espalier/model/joints/joint_kind.h"
#include "espalier/robot/math.h"

namespace espalier {

class ArticulatedSystem;
class CollisionBody;
struct VisObject;

/// A joint of the file, movable or fixed. Poses and velocities are those of its frame.
class JointRef {
 public:
  JointRef(ArticulatedSystem& system, int frame);

  const std::string& getName() const;
  JointKind getType() const;
  bool isMovable() const;
  /// Joint index, which is the body's; of a fixed joint that of the body it is part of.
  int getIndex() const;
  /// First place in u and q; -1 where the joint has none.
  int getIdxInGeneralizedVelocity() const;
  int getIdxInGeneralizedCoordinate() const;

  void getPosition(Eigen::Vector3d& position) const;
  Mat<3, 3> getOrientation() const;
  void getPose(Eigen::Vector3d& position, Eigen::Matrix3d& R_WF) const;
  Vec<3> getLinearVelocity() const;
  Vec<3> getAngularVelocity() const;
  Vec<3> getAxis() const;  ///< unit, world; of its first dof
  /// Its place in the frame of the body that carries it (m), and its axis there, as authored.
  Vec<3> getPositionInParentFrame() const;
  Vec<3> getJointAxis() const;

  // Its own coordinates, velocities and forces. Setters change nothing else.
  //   errors  throw std::invalid_argument for a fixed joint or a wrong count
  void getJointCoordinate(Eigen::VectorXd& q) const;
  VecDyn getJointCoordinate() const;
  VecDyn getJointVelocity() const;
  void setJointCoordinate(const Eigen::VectorXd& q);
  void setJointVelocity(const Eigen::VectorXd& u);
  double getJointAngle() const;    ///< the first coordinate
  void setJointAngle(double q);    ///< of a joint with one
  VecDyn getAppliedForce() const;  ///< motor, in the last step
  void setFeedForwardForce(const Eigen::VectorXd& tau);
  Vec<2> getLimits() const;  ///< lower, upper
  void setLimits(double lower, double upper);

 private:
  int movable() const;

  ArticulatedSystem* system_;
  int frame_;
};

/// A link of the file. Poses and velocities are its own, also where it is welded to others.
class LinkRef {
 public:
  LinkRef(ArticulatedSystem& system, int link) : system_(&system), link_(link) {}

  const std::string& getName() const;
  int getBodyIndex() const;  ///< of the body it is part of

  void getPosition(Eigen::Vector3d& position) const;
  void getOrientation(Eigen::Matrix3d& R_WL) const;
  void getPose(Eigen::Vector3d& position, Eigen::Matrix3d& R_WL) const;
  Vec<3> getLinearVelocity() const;
  Vec<3> getAngularVelocity() const;
  /// At the body's centre of mass; at a point of the link, in its frame. World axes, one step.
  void setExternalForce(const Vec<3>& force);
  void setExternalForce(const Vec<3>& point_L, const Vec<3>& force);
  void setExternalTorque(const Vec<3>& torque);

  // Of the whole body that the link is part of; edits take effect as those of getMass() do.
  double getWeight() const;  ///< kg
  void setWeight(double mass);
  Mat<3, 3> getInertia() const;  ///< kg m^2 about the centre of mass, axes of the body
  void setInertia(const Mat<3, 3>& inertia);
  Vec<3> getComPositionInParentFrame() const;  ///< m, in the body's frame, its joint's
  void setComPositionInParentFrame(const Vec<3>& com);

  // Collision bodies and visuals of the whole body, by name; pointers live as long as the system.
  std::unordered_map<std::string, CollisionBody*> getCollisionSet() const;
  std::unordered_map<std::string, VisObject*> getVisualSet() const;
  /// Null where there is none of this name.
  CollisionBody* getCollisionDefinition(const std::string& name) const;
  VisObject* getVisualObject(const std::string& name) const;

 private:
  Vec<3> inBody(const Vec<3>& point_L) const;

  ArticulatedSystem* system_;
  int link_;
};

}  // namespace espalier

#include <algorithm>
#include <limits>

#include "espalier/core/check.h"
#include "espalier/dynamics/tree/jacobian.h"
#include "espalier/geometry/shape.h"
#include "espalier/robot/articulated_system.h"
#include "espalier/robot/model_poses.h"
#include "espalier/step/step_data.h"

namespace espalier {

// ---- from bodies to the world

Transformd ArticulatedSystem::bodyPose(const Workspace<double>& ws, int body) const {
  return linkPose(model(), ws, body);
}
Vec3d ArticulatedSystem::originOf(const Workspace<double>& ws, const CoordinateFrame& f) const {
  return bodyPose(ws, f.parentId) * static_cast<Vec3d>(f.position);
}
/// Rotation to world axes from those of a frame.
Mat3d ArticulatedSystem::axesOf(const Workspace<double>& ws, int body, Frame frame) const {
  if (frame == PARENT_FRAME) {
    body = model().topology.bodies[body].parent;
    if (body >= 0) frame = BODY_FRAME;
  }
  return frame == BODY_FRAME ? bodyPose(ws, body).R : identity3<double>();
}
/// A point given in one of the three frames, from O in world axes.
Vec3d ArticulatedSystem::pointFromOrigin(const Workspace<double>& ws, int body, Frame frame,
                                         const Vec3d& point) const {
  if (frame == PARENT_FRAME) {
    body = model().topology.bodies[body].parent;
    if (body >= 0) frame = BODY_FRAME;
  }
  return frame == BODY_FRAME ? bodyPose(ws, body) * point : point - ws.origin;
}

// ---- frames

Transformd ArticulatedSystem::getFramePose(const FrameOf& which) const {
  const CoordinateFrame& f = frameAt(which);
  const Workspace<double>& ws = kinematicsNow();
  const Transformd X_BF{static_cast<Mat3d>(f.orientation), static_cast<Vec3d>(f.position)};
  const Transformd X_OF = bodyPose(ws, f.parentId) * turnOf(f.rotor) * X_BF;
  return {X_OF.R, ws.origin + X_OF.p};
}

void ArticulatedSystem::getFramePosition(const FrameOf& frame, Eigen::Vector3d& point_W) const {
  point_W = Vec<3>(getFramePose(frame).p);
}
void ArticulatedSystem::getFrameOrientation(const FrameOf& frame, Eigen::Matrix3d& R_WF) const {
  R_WF = Mat<3, 3>(getFramePose(frame).R);
}
void ArticulatedSystem::getFrameVelocity(const FrameOf& which, Eigen::Vector3d& velocity) const {
  const CoordinateFrame& f = frameAt(which);
  const Workspace<double>& ws = kinematicsNow();
  velocity = Vec<3>(velocityAt(ws.V[f.parentId], originOf(ws, f)));
}
void ArticulatedSystem::getFrameAngularVelocity(const FrameOf& which,
                                                Eigen::Vector3d& velocity) const {
  const CoordinateFrame& f = frameAt(which);
  const Workspace<double>& ws = kinematicsNow();
  velocity = Vec<3>(ws.V[f.parentId].w + spinOf(ws, f.rotor));
}
Vec<3> ArticulatedSystem::getFramePosition(const FrameOf& frame) const {
  return getFramePose(frame).p;
}
Mat<3, 3> ArticulatedSystem::getFrameOrientation(const FrameOf& frame) const {
  return getFramePose(frame).R;
}
Vec<3> ArticulatedSystem::getFrameVelocity(const FrameOf& frame) const {
  Vec<3> velocity;
  getFrameVelocity(frame, velocity);
  return velocity;
}
Vec<3> ArticulatedSystem::getFrameAngularVelocity(const FrameOf& frame) const {
  Vec<3> velocity;
  getFrameAngularVelocity(frame, velocity);
  return velocity;
}
void ArticulatedSystem::getPositionInFrame(const FrameOf& frame, const Vec<3>& point_F,
                                           Eigen::Vector3d& point_W) const {
  point_W = Vec<3>(getFramePose(frame) * static_cast<Vec3d>(point_F));
}

// ---- bodies

Transformd ArticulatedSystem::getBodyPose(int body) const {
  bodyAt(body);
  const Workspace<double>& ws = kinematicsNow();
  const Transformd X_OB = bodyPose(ws, body);
  return {X_OB.R, ws.origin + X_OB.p};
}
void ArticulatedSystem::getBodyPose(int body, Eigen::Matrix3d& R_WB,
                                    Eigen::Vector3d& position) const {
  const Transformd X_WB = getBodyPose(body);
  R_WB = Mat<3, 3>(X_WB.R);
  position = Vec<3>(X_WB.p);
}
void ArticulatedSystem::getBodyPosition(int body, Eigen::Vector3d& position) const {
  position = Vec<3>(getBodyPose(body).p);
}
void ArticulatedSystem::getBodyOrientation(int body, Eigen::Matrix3d& R_WB) const {
  R_WB = Mat<3, 3>(getBodyPose(body).R);
}
void ArticulatedSystem::getPosition(int body, Eigen::Vector3d& position) const {
  getBodyPosition(body, position);
}
void ArticulatedSystem::getOrientation(int body, Eigen::Matrix3d& R_WB) const {
  getBodyOrientation(body, R_WB);
}
void ArticulatedSystem::getPosition(int body, const Vec<3>& point_B,
                                    Eigen::Vector3d& point_W) const {
  point_W = Vec<3>(getBodyPose(body) * static_cast<Vec3d>(point_B));
}
void ArticulatedSystem::getPositionInBodyCoordinate(int body, const Vec<3>& point_W,
                                                    Eigen::Vector3d& point_B) const {
  const Transformd X_WB = getBodyPose(body);
  point_B = Vec<3>(tmul(X_WB.R, static_cast<Vec3d>(point_W) - X_WB.p));
}

// ---- velocities

void ArticulatedSystem::getVelocity(int body, Eigen::Vector3d& velocity) const {
  getVelocity(body, Vec<3>(), velocity);
}
void ArticulatedSystem::getVelocity(int body, const Vec<3>& point_B,
                                    Eigen::Vector3d& velocity) const {
  getVelocity(body, BODY_FRAME, point_B, WORLD_FRAME, velocity);
}
void ArticulatedSystem::getVelocity(int body, Frame frameOfPoint, const Vec<3>& point,
                                    Frame frameOfVelocity, Eigen::Vector3d& velocity) const {
  bodyAt(body);
  const Workspace<double>& ws = kinematicsNow();
  const Vec3d v = velocityAt(ws.V[body], pointFromOrigin(ws, body, frameOfPoint, point));
  velocity = Vec<3>(tmul(axesOf(ws, body, frameOfVelocity), v));
}
void ArticulatedSystem::getVelocity(const SparseJacobian& J, Eigen::Vector3d& velocity) const {
  velocity.setZero();
  const double* u = velocitiesNow();
  const auto& place = model().publicDof;
  for (int i = 0; i < J.size; ++i)
    for (std::size_t d = 0; d < place.size(); ++d)
      if (place[d] == J.idx[i]) velocity += J.v.col(i) * u[d];
}
void ArticulatedSystem::getAngularVelocity(int body, Eigen::Vector3d& velocity) const {
  bodyAt(body);
  velocity = Vec<3>(kinematicsNow().V[body].w);
}

void ArticulatedSystem::getContactPointVel(int contact, Eigen::Vector3d& velocity) const {
  const std::vector<ContactView>& contacts = getContacts();
  ESPALIER_REQUIRE(contact >= 0 && contact < static_cast<int>(contacts.size()),
                   "there is no contact " + std::to_string(contact));
  const ContactView& c = contacts[contact];
  getVelocity(c.getlocalBodyIndex(), WORLD_FRAME, c.getPosition(), WORLD_FRAME, velocity);
}

/// Of a hinge its axis, of a slider its direction: whichever its column has.
Vec<3> ArticulatedSystem::getJointAxis(int joint) const {
  const BodyTopology& b = model().topology.bodies[bodyAt(joint)];
  ESPALIER_REQUIRE(b.nv > 0, "joint " + std::to_string(joint) + " does not move");
  const Motion<double> S = column(model().topology, kinematicsNow(), b.u);
  const Vec3d axis = norm(S.w) > 0 ? S.w : S.v;
  return axis * (1 / norm(axis));
}

double ArticulatedSystem::getLowestCollisionPoint() const {
  const Workspace<double>& ws = kinematicsNow();
  double lowest = std::numeric_limits<double>::infinity();
  for (const PlacedGeom& geom : world_.geoms) {
    if (geom.system != &system_) continue;
    const auto b = static_cast<std::size_t>(geom.body);
    const Transformd X_WC{ws.R[b], ws.origin + ws.x[b]};
    lowest = std::min(lowest, lowestPoint(world_.scene.shape(geom.id), X_WC * geom.X_CG));
  }
  return lowest;
}

}  // namespace espalier

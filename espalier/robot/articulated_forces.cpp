#include "espalier/core/check.h"
#include "espalier/robot/articulated_system.h"
#include "espalier/step/step_data.h"

namespace espalier {

/// A force at r from the body's origin, world axes.
void ArticulatedSystem::addForce(const Workspace<double>& ws, int body, const Vec3d& r,
                                 const Vec3d& force) {
  addWrench(body, force, cross(r, force));
  system_.pushes.next.push_back({body, tmul(axesOf(ws, body, BODY_FRAME), r), force});
}

/// A wrench about the body's origin, world axes.
void ArticulatedSystem::addWrench(int body, const Vec3d& force, const Vec3d& torque) {
  ESPALIER_REQUIRE(Vec<3>(force).allFinite() && Vec<3>(torque).allFinite(),
                   "a force and its point must be finite");
  system_.external[body] += Force<double>{torque, force};
  system_.hasExternal = true;
}

void ArticulatedSystem::setExternalForce(int body, const Vec<3>& force) {
  bodyAt(body);
  const Workspace<double>& ws = kinematicsNow();
  const RigidInertia<double>& I = ws.Ib[body];
  const Vec3d fromBody = I.m > 0 ? I.h * (1 / I.m) - ws.x[body] : Vec3d{0, 0, 0};
  addForce(ws, body, fromBody, force);
}
void ArticulatedSystem::setExternalForce(int body, const Vec<3>& point_B, const Vec<3>& force) {
  setExternalForce(body, WORLD_FRAME, force, BODY_FRAME, point_B);
}
void ArticulatedSystem::setExternalForce(int body, Frame frameOfForce, const Vec<3>& force,
                                         Frame frameOfPoint, const Vec<3>& point) {
  bodyAt(body);
  const Workspace<double>& ws = kinematicsNow();
  const Vec3d f = mul(axesOf(ws, body, frameOfForce), static_cast<Vec3d>(force));
  const Vec3d r = pointFromOrigin(ws, body, frameOfPoint, point) - ws.x[body];
  addForce(ws, body, r, f);
}
void ArticulatedSystem::setExternalForce(const std::string& frame, const Vec<3>& force) {
  const CoordinateFrame& f = frameAt(frame);
  setExternalForce(f.parentId, WORLD_FRAME, force, BODY_FRAME, f.position);
}
void ArticulatedSystem::setExternalTorque(int body, const Vec<3>& torque) {
  addWrench(bodyAt(body), {0, 0, 0}, torque);
}
void ArticulatedSystem::setExternalTorqueInBodyFrame(int body, const Vec<3>& torque_B) {
  bodyAt(body);
  addWrench(body, {0, 0, 0},
            mul(axesOf(kinematicsNow(), body, BODY_FRAME), static_cast<Vec3d>(torque_B)));
}

void ArticulatedSystem::clearExternalForcesAndTorques() {
  for (Force<double>& f : system_.external) f = {{0, 0, 0}, {0, 0, 0}};
  for (double& f : system_.externalForce) f = 0;
  system_.hasExternal = false;
  system_.pushes.next.clear();
}

}  // namespace espalier

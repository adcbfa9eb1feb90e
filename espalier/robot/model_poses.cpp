#include "espalier/robot/model_poses.h"

namespace espalier {

Transformd linkPose(const Model& model, const Workspace<double>& ws, int body) {
  return {mul(ws.R[body], transpose(model.bodies[body].R_LC)), ws.x[body]};
}

Transformd rotorTurn(const Model& model, int rotor, const double* q) {
  if (rotor < 0) return identityTransform<double>();
  const RotorInfo& r = model.rotors[rotor];
  const Mat3d turn = rotation(expQuat(r.axis * r.angle(q)));
  return r.X_LJ * Transformd{turn, {0, 0, 0}} * inverse(r.X_LJ);
}

Vec3d rotorAxis(const Model& model, const Workspace<double>& ws, const RotorInfo& rotor) {
  return mul(linkPose(model, ws, rotor.body).R, mul(rotor.X_LJ.R, rotor.axis));
}

}  // namespace espalier

// Geared rotors that are no bodies (model/compile/gyrostats.h), as users see them: by name, angle and rate,
// and as frames that turn.

#include "espalier/robot/articulated_system.h"
#include "espalier/robot/model_poses.h"
#include "espalier/step/step_data.h"

namespace espalier {

std::vector<std::string> ArticulatedSystem::getRotorNames() const {
  std::vector<std::string> names;
  for (const RotorInfo& rotor : model().rotors) names.push_back(rotor.joint);
  return names;
}
VecDyn ArticulatedSystem::getRotorCoordinate() const {
  VecDyn q(static_cast<int>(model().rotors.size()));
  for (std::size_t r = 0; r < model().rotors.size(); ++r)
    q[static_cast<int>(r)] = model().rotors[r].angle(coordinatesNow());
  return q;
}
VecDyn ArticulatedSystem::getRotorVelocity() const {
  VecDyn u(static_cast<int>(model().rotors.size()));
  for (std::size_t r = 0; r < model().rotors.size(); ++r)
    u[static_cast<int>(r)] = model().rotors[r].rate(velocitiesNow());
  return u;
}

Transformd ArticulatedSystem::turnOf(int rotor) const {
  return rotorTurn(model(), rotor, coordinatesNow());
}
Vec3d ArticulatedSystem::axisOf(const Workspace<double>& ws, const RotorInfo& rotor) const {
  return rotorAxis(model(), ws, rotor);
}
/// Its angular velocity against its carrier, world axes.
Vec3d ArticulatedSystem::spinOf(const Workspace<double>& ws, int rotor) const {
  if (rotor < 0) return {0, 0, 0};
  const RotorInfo& r = model().rotors[rotor];
  return axisOf(ws, r) * r.rate(velocitiesNow());
}

}  // namespace espalier

// Energy and work of a step, in the scheme's own terms: what remains between them is the error of
// the integration, not of the book-keeping.

#include "espalier/dynamics/energy.h"

#include "espalier/dynamics/kinematics.h"
#include "espalier/model/coordinates.h"
#include "espalier/world/world_data.h"

namespace espalier {

double mechanicalEnergy(WorldData& world) {
  double energy = 0;
  for (System* sys : world.systems) {
    const Topology& t = sys->topology();
    const double *q = world.qOf(*sys), *u = world.uOf(*sys);
    kinematics(t, sys->parameters, q, u, sys->ws);
    energy +=
        kineticEnergy(t, sys->parameters, u, sys->ws) + potentialEnergy(t, world.gravity, sys->ws);
    if (!sys->hasSprings) continue;
    difference(t, q, sys->actuation.springMount.data(), sys->h.data());
    for (int d = 0; d < t.nv; ++d)
      energy += 0.5 * sys->actuation.stiffness[d] * sys->h[d] * sys->h[d];
  }
  return energy;
}

double workOfStep(WorldData& world) {
  double work = 0;
  const bool mean = world.scheme == Scheme::MIDPOINT;
  for (System* sys : world.systems) {
    const Topology& t = sys->topology();
    const double* u = world.uOf(*sys);
    for (int d = 0; d < t.nv; ++d) {
      const double change = (sys->uNext[d] - u[d]) / world.dt;
      const double motor = sys->command[d] - sys->wMotor[d] * change;
      const double damper = -sys->actuation.damping[d] * u[d] - sys->wDamping[d] * change;
      const double moved = mean ? sys->mean[d] : sys->uNext[d];
      work += world.dt * (motor + damper + sys->externalForce[d]) * moved;
    }
  }
  for (int i = 0; i < world.problem.size(); ++i) {
    const Vec3d after = world.problem.velocity(i, world.lambda.data()) - world.bias[i];
    const Vec3d moved = mean ? (after + world.rate[i]) * 0.5 : after;
    work += dot(world.lambda[i], moved);
  }
  return work;
}

}  // namespace espalier

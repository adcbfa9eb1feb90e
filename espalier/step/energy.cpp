// Energy and work of a step, in the scheme's own terms, so that their difference is the error of
// the integration alone.

#include "espalier/dynamics/tree/energy.h"

#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/model/coordinates.h"
#include "espalier/step/free_bodies.h"
#include "espalier/step/step_data.h"
#include "espalier/step/tendons.h"

namespace espalier {
namespace {

/// Of tendons' springs.
///   pre  kinematics at q and u
///   uses sys.tendons
double energyOfTendons(System& sys, const double* q, const double* u) {
  double energy = 0;
  for (std::size_t i = 0; i < sys.tendons.size(); ++i) {
    const TendonInfo& tendon = sys.model->tendons[i];
    if (tendon.spec.stiffness == 0) continue;
    measureTendon(tendon, sys.ws, q, u, sys.tendons[i]);
    const double stretch = stretchOf(tendon.spec, sys.tendons[i].length);
    energy += 0.5 * tendon.spec.stiffness * stretch * stretch;
  }
  return energy;
}

}  // namespace

double mechanicalEnergy(StepData& world) {
  double energy = 0;
  for (System* sys : world.systems) {
    const Topology& t = sys->topology();
    const double *q = world.qOf(*sys), *u = world.uOf(*sys);
    kinematics(t, sys->parameters, q, u, sys->ws);
    energy +=
        kineticEnergy(t, sys->parameters, u, sys->ws) + potentialEnergy(t, world.gravity, sys->ws);
    energy += energyOfTendons(*sys, q, u);
    if (!sys->hasSprings) continue;
    difference(t, q, sys->actuation.springMount.data(), sys->h.data());
    for (int d = 0; d < t.nv; ++d)
      energy += 0.5 * sys->actuation.stiffness[d] * sys->h[d] * sys->h[d];
  }
  for (const FreeBody* b : world.bodies) {
    if (b->type != BodyType::DYNAMIC) continue;
    const double* q = world.qOf(*b);
    energy += kineticEnergy(*b, q, world.uOf(*b)) + potentialEnergy(*b, world.gravity, q);
  }
  return energy;
}

namespace {

/// With stages the impulses of all rows act at once, before the stages: their work is the kinetic energy
/// that they add.
///   out  sys.stage  [nv] the rates that they leave;  sys.ws
double workOfImpulses(const StepData& world, System& sys) {
  const Topology& t = sys.topology();
  const auto kinetic = [&](const double* u) {
    kinematics(t, sys.parameters, world.state.q.data() + sys.q0, u, sys.ws);
    return kineticEnergy(t, sys.parameters, u, sys.ws);
  };
  const double before = kinetic(sys.rates.data());
  for (int d = 0; d < t.nv; ++d) sys.stage[d] = sys.rates[d] + sys.uNext[d] - sys.free[d];
  return kinetic(sys.stage.data()) - before;
}

/// Of tendons' dampers, and of their actuators that are no rows.
///   in  u  rates of all joints that the step goes on from
double workOfTendons(const StepData& world, const System& sys, const double* u) {
  const SchemeInfo& scheme = info(world.scheme);
  const double share = scheme.nextShare, damped = scheme.hasStages ? share : scheme.damping;
  double work = 0;
  for (int i = 0; i < static_cast<int>(sys.tendons.size()); ++i) {
    const Tension<double>& actuator = sys.tendons[i].actuator;
    const double rate = tendonRate(sys, i, u), change = tendonRate(sys, i, sys.uNext.data()) - rate;
    const double damper = -sys.model->tendons[i].spec.damping * (rate + damped * change);
    const double pull = actuator.weight > 0 ? 0 : actuator.force;
    work += world.dt * (damper + pull) * (rate + share * change);
  }
  return work;
}

/// Whether a group is the spring of a tendon with its damper: what it stores is in the energy.
bool isSpring(const StepData& world, int group) {
  const int row = group - world.contactCount;
  return row >= 0 && row < world.jointRowCount && world.jointRows[row].kind == JointRowKind::SPRING;
}

}  // namespace

double workOfStep(StepData& world) {
  double work = 0;
  const double share = shareOfNext(world.scheme);
  const bool hasStages = info(world.scheme).hasStages;
  for (System* sys : world.systems) {
    const Topology& t = sys->topology();
    if (hasStages) work += workOfImpulses(world, *sys);
    const double* u = hasStages ? sys->stage.data() : sys->rates.data();
    for (int d = 0; d < t.nv; ++d) {
      const double change = sys->uNext[d] - u[d];
      const double motor = sys->softMotor[d] > 0
                               ? 0  // a row of the contact problem
                               : sys->command[d] - sys->wMotor[d] * change / world.dt;
      const double damper =
          -sys->actuation.damping[d] * u[d] - sys->wDamping[d] * change / world.dt;
      const double control = sys->actuation.hasControl ? sys->actuation.controlForce[d] : 0;
      work +=
          world.dt * (motor + damper + control + sys->externalForce[d]) * (u[d] + share * change);
    }
    work += workOfTendons(world, *sys, u);
  }
  for (const FreeBody* b : world.bodies)
    if (b->isDynamic()) work += espalier::work(*b, world.gravity, world.scheme, world.dt);
  if (hasStages) return work;
  for (int i = 0; i < world.slidingCount; ++i) {
    const SlidingJoint& joint = world.sliding[i];
    const System& sys = *joint.system;
    const double u = sys.rates[joint.dof];
    work += joint.impulse * (u + share * (sys.uNext[joint.dof] - u));
  }
  for (int i = 0; i < world.problem.size(); ++i) {
    if (isSpring(world, i)) continue;
    const Vec3d after = world.rows.freeVelocity(i, world.rate[i]);  // z has the impulses by now
    const Vec3d outside =
        world.problem.given(i) - world.bias[i];  // its work is not the bodies' own
    work += dot(world.lambda[i], world.rate[i] + (after - world.rate[i]) * share - outside);
  }
  return work;
}

}  // namespace espalier

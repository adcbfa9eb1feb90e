#include "espalier/step/joint_forces.h"

#include <algorithm>

#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/step/bilateral.h"
#include "espalier/step/step_data.h"
#include "espalier/step/welds.h"

namespace espalier {
namespace {

/// A force and a torque at a point of the world, onto a body.
void push(JointForces& forces, int body, const Vec3d& point, const Vec3d& f, const Vec3d& n) {
  const Vec3d r = point - forces.ws.origin - forces.ws.x[body];
  forces.outside[body] += Force<double>{n + cross(r, f), f};
}

void pushByContacts(const StepData& world, const System& sys, JointForces& forces) {
  for (int i = 0; i < world.contactCount; ++i) {
    const Contact& c = world.contacts[i];
    const Vec3d f = tmul(c.frame, c.impulse) * (1 / world.dt);
    const Vec3d n = tmul(c.frame, c.torque) * (1 / world.dt);
    if (c.objectA == sys.object) push(forces, c.bodyA, c.position, f, n);
    if (c.objectB == sys.object) push(forces, c.bodyB, c.position, -f, -n);
  }
}

void pushByWelds(const StepData& world, const System& sys, JointForces& forces) {
  for (const auto& weld : world.welds) {
    if (weld->objectA != sys.object && weld->objectB != sys.object) continue;
    const Vec3d point = stateOf(world, *weld).point;
    const Vec3d f = weld->impulse * (1 / world.dt), n = weld->torque * (1 / world.dt);
    if (weld->objectA == sys.object) push(forces, weld->a.body, point, f, n);
    if (weld->objectB == sys.object) push(forces, weld->b.body, point, -f, -n);
  }
}

/// The couple that turns a rotor, and its axis with the carrier, is taken from the carrier.
///   n = I (sdot a + s w_P x a)
void pushByRotors(const System& sys, JointForces& forces) {
  for (const RotorInfo& rotor : sys.model->rotors) {
    const auto b = static_cast<std::size_t>(rotor.body);
    const Vec3d a_C = tmul(sys.model->bodies[b].R_LC, mul(rotor.X_LJ.R, rotor.axis));
    const Vec3d a = mul(forces.ws.R[b], a_C) * rotor.inertia;
    const Vec3d couple = a * rotor.rate(forces.udot.data()) +
                         cross(forces.ws.V[b].w, a) * rotor.rate(forces.rates.data());
    forces.outside[b].n -= couple;
  }
}

void pushByLoops(const StepData& world, const System& sys, JointForces& forces) {
  const BilateralLoops& loops = sys.model->bilateral;
  for (std::size_t g = 0; g < loops.groups.size(); ++g) {
    const Closure& c = loops.closures[loops.groups[g].closure];
    const ClosureRows rows = closureRows(loops, loops.groups[g], world.gravity, forces.ws);
    const Vec3d share = sys.loopImpulses[g] * (1 / world.dt);
    const auto& [x, y, z] = rows.W;
    const Vec3d f = x.f * share.x + y.f * share.y + z.f * share.z;
    const Vec3d n = x.n * share.x + y.n * share.y + z.n * share.z;
    if (c.a >= 0) push(forces, c.a, forces.ws.origin, -f, -n);
    if (c.b >= 0) push(forces, c.b, forces.ws.origin, f, n);
  }
}

}  // namespace

void recordJointForces(StepData& world, System& sys) {
  const Topology& t = sys.topology();
  JointForces& forces = *sys.jointForces;
  const double* u = world.uOf(sys);
  for (int d = 0; d < t.nv; ++d) forces.udot[d] = (sys.uNext[d] - u[d]) / world.dt;
  const bool mean = info(world.scheme).solvesTwice;
  std::copy_n(mean ? sys.mean.data() : u, t.nv, forces.rates.data());
  kinematics(t, sys.parameters, sys.qm.data(), forces.rates.data(), forces.ws);
  accelerations(t, forces.ws, forces.udot.data(), forces.A.data());
  for (int b = 0; b < t.nb; ++b)
    forces.outside[b] = ownWrench(sys, b, forces.ws.R[b], world.gravity);
  pushByContacts(world, sys, forces);
  pushByWelds(world, sys, forces);
  pushByRotors(sys, forces);
  pushByLoops(world, sys, forces);
  jointWrenches(t, forces.ws, world.gravity, forces.A.data(), forces.outside.data(),
                forces.wrench.data());
  forces.isKnown = true;
}

}  // namespace espalier

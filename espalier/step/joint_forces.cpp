#include "espalier/step/joint_forces.h"

#include <algorithm>

#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/step/bilateral.h"
#include "espalier/step/row_columns.h"
#include "espalier/step/step_data.h"
#include "espalier/step/system_step.h"
#include "espalier/step/tendons.h"
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

void pushByTendons(const StepData& world, const System& sys, JointForces& forces) {
  const auto pull = [&](int tendon, double tension) {
    forEachPull(sys.model->tendons[tendon], sys.tendons[tendon], tension,
                [&](int body, const Vec3d& r, const Vec3d& f) {
                  push(forces, body, r + forces.ws.origin, f, {0, 0, 0});
                });
  };
  for (std::size_t i = 0; i < sys.tendons.size(); ++i)
    for (const Tension<double>& own : {sys.tendons[i].spring, sys.tendons[i].actuator})
      if (!(own.weight > 0)) pull(static_cast<int>(i), own.force);
  for (int i = 0; i < world.jointRowCount; ++i) {
    const JointRow& row = world.jointRows[i];
    if (row.system == &sys && row.dof >= sys.firstTendon())
      pull(row.dof - sys.firstTendon(),
           row.sign * world.lambda[world.contactCount + i].z / world.dt);
  }
}

/// left -= J' of a wrench about O.
void takeWrench(const Topology& t, const Workspace<double>& ws, int body, const Force<double>& f,
                double* left) {
  addWrench(
      t, body, {-f.n, -f.f}, [&](int d) { return ws.S[d]; }, left);
}

/// Generalized impulses of the rows of joints are taken from what is left.
void takeRows(const StepData& world, const System& sys, JointForces& forces) {
  double* left = forces.left.data();
  for (int i = 0; i < world.jointRowCount; ++i) {
    const JointRow& row = world.jointRows[i];
    if (row.system != &sys) continue;
    const double force = row.sign * world.lambda[world.contactCount + i].z / world.dt;
    if (row.angle != LimitedAngle::COORDINATE) {
      const double along[] = {row.direction.x, row.direction.y, row.direction.z};
      for (int k = 0; k < 3; ++k) left[row.dof + k] -= force * along[k];
      continue;
    }
    RotorInfo::Term own;
    for (const RotorInfo::Term& term : termsOf(*sys.model, row.dof, own))
      left[term.u] -= force * term.factor;
    const int tendon = row.dof - sys.firstTendon();
    if (tendon < 0) continue;
    forEachPull(sys.model->tendons[tendon], sys.tendons[tendon], force,
                [&](int body, const Vec3d& r, const Vec3d& f) {
                  takeWrench(sys.topology(), forces.ws, body, {cross(r, f), f}, left);
                });
  }
}

/// Generalized forces that the motion asks for and that neither joints nor wrenches from outside give.
///   pre  forces.outside has all but those of rotors, tendons and embedded loops
void findLeft(const StepData& world, const System& sys, JointForces& forces) {
  const Topology& t = sys.topology();
  double* left = forces.left.data();
  inverseDynamics(t, sys.parameters, world.gravity, forces.udot.data(), forces.ws, left);
  const bool hasWrenches = sys.hasWrenches();
  for (int d = 0; d < t.nv; ++d) {
    const double own = hasWrenches ? sys.externalForce[d] : 0;  // of sys.force; in outside, too
    left[d] -= sys.force[d] - own - sys.w[d] * (sys.uNext[d] - sys.rates[d]) / world.dt;
  }
  takeRows(world, sys, forces);
  for (int b = 0; b < t.nb; ++b) {
    const Force<double>& f = forces.outside[b];
    takeWrench(t, forces.ws, b, {f.n + cross(forces.ws.x[b], f.f), f.f}, left);
  }
}

void pushByBilateral(const StepData& world, const System& sys, JointForces& forces) {
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

/// K at the poses of the record, and udot += g at its velocity. The system's own may be of other lanes.
///   pre  forces.udot = G (u_y+ - u_y) / dt, by the joints that lead now
void addLoopAccelerations(System& sys, JointForces& forces) {
  const Topology& t = sys.topology();
  const Mechanism& m = sys.mechanism();
  LoopWorkspace<double>& loops = forces.loopWs;
  loops.takeClosures(m);
  std::copy(sys.loopWs.g.begin(), sys.loopWs.g.end(), loops.g.begin());
  loops.plans.swap(sys.loopWs.plans);
  for (const Cluster& c : m.clusters) loops.takePlan(m, c);
  loopRates(t, m, sys.qm.data(), forces.ws, loops);
  loopAccelerations(t, m, forces.rates.data(), forces.ws, loops);
  loops.plans.swap(sys.loopWs.plans);
  for (int d = 0; d < t.nv; ++d) forces.udot[d] += loops.g[d];
}

}  // namespace

void recordJointForces(StepData& world, System& sys) {
  const Topology& t = sys.topology();
  JointForces& forces = *sys.jointForces;
  const double* u = sys.rates.data();
  const bool mean = info(world.scheme).solvesTwice;
  std::copy_n(mean ? sys.mean.data() : u, t.nv, forces.rates.data());
  kinematics(t, sys.parameters, sys.qm.data(), forces.rates.data(), forces.ws);
  for (int d = 0; d < t.nv; ++d) forces.udot[d] = (sys.uNext[d] - u[d]) / world.dt;
  if (sys.hasLoops()) addLoopAccelerations(sys, forces);
  accelerations(t, forces.ws, forces.udot.data(), forces.A.data());
  for (int b = 0; b < t.nb; ++b)
    forces.outside[b] = ownWrench(sys, b, forces.ws.R[b], world.gravity);
  pushByContacts(world, sys, forces);
  pushByWelds(world, sys, forces);
  pushByBilateral(world, sys, forces);
  if (sys.hasLoops()) {
    findLeft(world, sys, forces);
    forces.loops.push(sys.mechanism(), forces.loopWs, forces.ws, forces.left.data(),
                      forces.outside.data());
  }
  pushByTendons(world, sys, forces);
  pushByRotors(sys, forces);
  jointWrenches(t, forces.ws, world.gravity, forces.A.data(), forces.outside.data(),
                forces.wrench.data());
  forces.isKnown = true;
}

}  // namespace espalier

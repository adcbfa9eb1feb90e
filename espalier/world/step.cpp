// The pipeline of a step. Mathematics: docs/architecture.md, "Time steps".
//
//   evaluate      q_m, kinematics, h, M           integrate1
//   findContacts  who touches, at q_m
//   solveStep     (M + diag w)(u+ - u) = dt (tau - h) + J' lambda, the contact law
//                 MIDPOINT: once more with h at the mean velocity, on the same factor
//   finishStep    q+ = q (+) dt u_mean            integrate2

#include <cmath>

#include "espalier/dynamics/factor.h"
#include "espalier/dynamics/inverse_dynamics.h"
#include "espalier/dynamics/kinematics.h"
#include "espalier/dynamics/mass_matrix.h"
#include "espalier/model/coordinates.h"
#include "espalier/world/world_data.h"

namespace espalier {
namespace {

/// M~ = M + diag w, factored. False where a pivot is not positive.
bool factorDamped(System& sys) {
  const Topology& t = sys.topology();
  for (int d = 0; d < t.nv; ++d) sys.ws.H[t.row[d] + t.dofDepth[d]] += sys.w[d];
  factor(t, sys.ws);
  bool regular = true;
  for (int d = 0; d < t.nv; ++d) regular &= sys.ws.Dinv[d] > 0 && std::isfinite(sys.ws.Dinv[d]);
  return regular;
}

/// z = L'^-1 dt (force + J' external - h)
void freeImpulse(System& sys, double dt) {
  const Topology& t = sys.topology();
  for (int d = 0; d < t.nv; ++d) sys.z[d] = dt * (sys.force[d] - sys.h[d]);
  solveTransposed(t, sys.ws, sys.z.data());
}

/// force += J' external, each body's wrench about its origin.
void addExternal(System& sys) {
  if (!sys.hasExternal) return;
  const Topology& t = sys.topology();
  for (int d = 0; d < t.nv; ++d) sys.externalForce[d] = 0;
  for (int b = 0; b < t.nb; ++b) {
    if (sys.branches.isWorthIt()) sys.branches.exportBody(b, sys.ws);
    const Force<double>& f = sys.external[b];
    const Force<double> aboutO{f.n + cross(sys.ws.x[b], f.f), f.f};
    for (int d = sys.chainBegin[b]; d < sys.chainBegin[b + 1]; ++d) {
      const int dof = sys.chain[d];
      if (t.floating && dof < 6) continue;
      sys.externalForce[dof] += dot(sys.ws.S[dof], aboutO);
    }
    if (!t.floating) continue;
    const double base[6] = {aboutO.f.x, aboutO.f.y, aboutO.f.z, aboutO.n.x, aboutO.n.y, aboutO.n.z};
    for (int d = 0; d < 6; ++d) sys.externalForce[d] += base[d];
  }
  for (int d = 0; d < t.nv; ++d) sys.force[d] += sys.externalForce[d];
}

/// u+ = u + L^-1 D^-1 z, z with the contact impulses.
void nextVelocity(System& sys, const double* u) {
  const Topology& t = sys.topology();
  for (int d = 0; d < t.nv; ++d) sys.uNext[d] = sys.z[d];
  solveForward(t, sys.ws, sys.uNext.data());
  for (int d = 0; d < t.nv; ++d) {
    sys.uNext[d] += u[d];
    sys.mean[d] = 0.5 * (u[d] + sys.uNext[d]);
  }
}

}  // namespace

void evaluate(WorldData& world) {
  world.report = StepReport{};
  for (System* sys : world.systems) {
    const Topology& t = sys->topology();
    const double *q = world.qOf(*sys), *u = world.uOf(*sys);
    const double ahead = world.scheme == Scheme::MIDPOINT ? world.dt / 2 : 0;
    for (int d = 0; d < t.nv; ++d) sys->mean[d] = ahead * u[d];
    advance(t, q, sys->mean.data(), sys->qm.data());
    if (sys->branches.isWorthIt()) {
      sys->branches.kinematics(sys->qm.data(), u, sys->ws);
      sys->branches.bias(world.gravity, sys->ws, sys->h.data());
      sys->branches.massMatrix(sys->ws);
      for (int b : sys->geomBodies) sys->branches.exportBody(b, sys->ws);
    } else {
      kinematics(t, sys->parameters, sys->qm.data(), u, sys->ws);
      bias(t, world.gravity, sys->ws, sys->h.data());
      massMatrix(t, sys->parameters, sys->ws);
    }
  }
}

void exportBodies(WorldData& world) {
  for (System* sys : world.systems) {
    if (!sys->branches.isWorthIt()) continue;
    sys->branches.exportColumns(sys->ws);
    Workspace<double>& ws = sys->ws;
    for (int b = 1; b < sys->topology().nb; ++b) {
      sys->branches.exportBody(b, ws);
      ws.Ib[b] = toParent(transpose(ws.R[b]), ws.x[b], sys->parameters.bodies[b].I);
    }
  }
}

void solveStep(WorldData& world) {
  for (System* sys : world.systems) {
    if (sys->branches.isWorthIt() && (world.contactCount > 0 || sys->hasExternal))
      sys->branches.exportColumns(sys->ws);
    actuate(*sys, world.uOf(*sys), world.scheme, world.dt);
    addExternal(*sys);
    if (!factorDamped(*sys)) world.report.raise(StepFlag::SingularMassMatrix);
    freeImpulse(*sys, world.dt);
  }
  assembleContacts(world);
  solveContacts(world, false);
  for (System* sys : world.systems) nextVelocity(*sys, world.uOf(*sys));

  if (world.scheme == Scheme::MIDPOINT) {
    for (System* sys : world.systems) {
      const Topology& t = sys->topology();
      if (sys->branches.isWorthIt()) {
        sys->branches.velocities(sys->mean.data(), sys->ws);
        sys->branches.bias(world.gravity, sys->ws, sys->h.data());
      } else {
        velocities(t, sys->mean.data(), sys->ws);
        bias(t, world.gravity, sys->ws, sys->h.data());
      }
      freeImpulse(*sys, world.dt);
    }
    solveContacts(world, true);
    for (System* sys : world.systems) nextVelocity(*sys, world.uOf(*sys));
  }
  rememberImpulses(world);
}

void finishStep(WorldData& world) {
  world.saved = world.state;  // same sizes: copied in place
  for (System* sys : world.systems) {
    const Topology& t = sys->topology();
    double *q = world.qOf(*sys), *u = world.uOf(*sys);
    const double* moved = world.scheme == Scheme::MIDPOINT ? sys->mean.data() : sys->uNext.data();
    for (int d = 0; d < t.nv; ++d) {
      sys->applied[d] = sys->command[d] - sys->wMotor[d] * (sys->uNext[d] - u[d]) / world.dt;
      sys->h[d] = world.dt * moved[d];
    }
    advance(t, q, sys->h.data(), q);
    for (int d = 0; d < t.nv; ++d) u[d] = sys->uNext[d];
    if (!sys->hasExternal) continue;
    sys->hasExternal = false;
    for (auto& f : sys->external) f = {{0, 0, 0}, {0, 0, 0}};
    for (double& f : sys->externalForce) f = 0;
  }
  bool finite = true;
  for (double x : world.state.q) finite &= std::isfinite(x);
  for (double x : world.state.u) finite &= std::isfinite(x);
  if (!finite) world.report.raise(StepFlag::NotFinite);
  if (!finite || world.report.has(StepFlag::SingularMassMatrix)) {
    world.state = world.saved;
    world.warmCount = 0;
    for (double& x : world.warmLimits) x = 0;
  }
  world.state.time += world.dt;
}

}  // namespace espalier

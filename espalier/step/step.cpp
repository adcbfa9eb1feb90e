// The pipeline of a step. Mathematics: docs/architecture.md, "Time steps".
//
//   evaluate      q_m, kinematics, h, M           integrate1
//   findContacts  who touches, at q_m
//   solveStep     (M + diag w)(u+ - u) = dt (tau - h) + J' lambda, the contact law
//                 MIDPOINT: once more with h at the mean velocity, on the same factor
//   finishStep    q+ = q (+) dt u_mean            integrate2

#include <algorithm>

#include "espalier/dynamics/tree/factor.h"
#include "espalier/model/coordinates.h"
#include "espalier/step/bilateral.h"
#include "espalier/step/candidates.h"
#include "espalier/step/energy_limit.h"
#include "espalier/step/evaluation.h"
#include "espalier/step/free_bodies.h"
#include "espalier/step/joint_forces.h"
#include "espalier/step/limit_rows.h"
#include "espalier/step/momentum.h"
#include "espalier/step/runge_kutta.h"
#include "espalier/step/sliding.h"
#include "espalier/step/stages.h"
#include "espalier/step/step_data.h"

namespace espalier {
namespace {

/// Forces and implicit weights at sys.qm, without those of contacts.
void applyForces(StepData& world, System& sys) {
  sys.evaluation->exportForForces(world, sys);
  actuate(sys, sys.rates.data(), world.scheme, world.dt);
  addExternal(sys, world.gravity, world.dt);
}

/// M~ factored; false where a pivot is not positive and finite.
bool factorDamped(StepData& world, System& sys) {
  return factorDamped(sys, implicitWeights(world.scheme, world.dt).damping);
}

/// Of a stage: M~^-1 (force - h) at sys.qm in z. Returns the rates of all joints there.
const double* accelerate(StepData& world, System& sys, const double* u) {
  sys.evaluation->evaluate(world, sys, u);
  applyForces(world, sys);
  factorDamped(world, sys);
  freeImpulse(sys, 1);
  solveForward(sys.solved(), sys.solver(), sys.z.data());
  return sys.rates.data();
}

void evaluate(StepData& world, System& sys) {
  leaveStart(world, sys);
  predictMidpoint(sys, world.scheme, world.dt, world.qOf(sys), world.uOf(sys), sys.qm.data());
  sys.evaluation->evaluate(world, sys, world.uOf(sys));
}

/// Forces at the evaluation point, the factor, and the motion that they alone would give.
void push(StepData& world, System& sys) {
  applyForces(world, sys);
  setSlidingAside(world, sys);
  if (sys.knowsMomentum) addForces(sys, world.gravity, world.dt);
  sys.isRegular = factorDamped(world, sys);
  freeImpulse(sys, world.dt);
  if (!info(world.scheme).hasStages) return;
  nextVelocity(sys);
  std::copy(sys.uNext.begin(), sys.uNext.end(), sys.free.begin());
}

/// h at the mean velocity of the first solve.
void pushAgain(StepData& world, System& sys) {
  sys.evaluation->evaluateBias(world, sys);
  freeImpulse(sys, world.dt);
}

void finish(StepData& world, System& sys) {
  noteApplied(world, sys);
  integratePosition(world, sys);
  sys.evaluation->arrive(world, sys);
  limitEnergy(world, sys);
  if (sys.knowsMomentum) rememberMomentum(sys, world.qOf(sys), world.uOf(sys));
  forgetExternal(sys);
}

}  // namespace

void abandonStep(StepData& world) {
  world.state = world.saved;
  forget(world);
  world.clearContacts();
  world.report = StepReport{};
}

void leaveStart(StepData& world, System& sys) {
  if (keepsMomentum(sys, world.scheme)) correctMomentum(sys, world.qOf(sys), world.uOf(sys));
  sys.evaluation->leaveStart(world, sys);
}

void noteApplied(StepData& world, System& sys) {
  const int n = sys.topology().nv;
  const double *rates = sys.rates.data(), dt = world.dt;
  double* __restrict applied = sys.applied.data();
  for (int d = 0; d < n; ++d)
    applied[d] = sys.command[d] - sys.wMotor[d] * (sys.uNext[d] - rates[d]) / dt;
  if (sys.actuation.torqueLimits != TorqueLimits::EXACT) return;
  for (int d = 0; d < n; ++d)
    if (sys.softMotor[d] > 0) applied[d] = sys.motorImpulse(d) / dt;
}

void integratePosition(StepData& world, System& sys) {
  double* q = world.qOf(sys);
  if (info(world.scheme).hasStages)
    rungeKutta(sys, world.dt, q, [&](const double* u) { return accelerate(world, sys, u); });
  else
    meanStep(sys, world.scheme, world.dt);
  std::copy(sys.loopWs.g.begin(), sys.loopWs.g.end(), sys.lastG.begin());
  advance(sys.topology(), q, sys.mean.data(), q);
}

void takeNextVelocity(StepData& world, System& sys) {
  double* u = world.uOf(sys);
  for (int d = 0; d < sys.topology().nv; ++d) {
    sys.acceleration[d] = (sys.uNext[d] - u[d]) / world.dt;
    u[d] = sys.uNext[d];
  }
}

void forgetExternal(System& sys) {
  if (!sys.hasExternal) return;
  sys.hasExternal = false;
  for (auto& f : sys.external) f = {{0, 0, 0}, {0, 0, 0}};
  for (double& f : sys.externalForce) f = 0;
}

Force<double> ownWrench(const System& sys, int body, const Mat3d& R_WC, const Vec3d& gravity) {
  Force<double> sum = sys.external[body];
  for (const HeldWeight& held : sys.model->heldWeights) {
    if (held.body != body) continue;
    const Vec3d force = gravity * -held.mass;
    sum += Force<double>{cross(mul(R_WC, held.centre_C), force), force};
  }
  for (std::size_t i = 0; i < sys.drag.size(); ++i)
    if (sys.model->dragBoxes[i].body == body) sum += sys.drag[i];
  return sum;
}

void addExternal(System& sys, const Vec3d& gravity, double dt) {
  if (!sys.hasWrenches()) return;
  const Topology& t = sys.topology();
  const Model& model = *sys.model;
  for (std::size_t i = 0; i < sys.drag.size(); ++i) {
    const DragBox& box = model.dragBoxes[i];
    sys.drag[i] =
        dragOf(model.medium, box, sys.ws.R[box.body], sys.ws.x[box.body], sys.ws.V[box.body], dt);
  }
  for (int d = 0; d < t.nv; ++d) sys.externalForce[d] = 0;
  for (int b = 0; b < t.nb; ++b) {
    const Force<double> f = ownWrench(sys, b, sys.ws.R[b], gravity);
    const Force<double> aboutO{f.n + cross(sys.ws.x[b], f.f), f.f};
    addWrench(
        t, b, aboutO, [&](int d) { return sys.ws.S[d]; }, sys.externalForce.data());
  }
  for (int d = 0; d < t.nv; ++d) sys.force[d] += sys.externalForce[d];
}

void beginEvaluation(StepData& world) {
  world.report = StepReport{};
  world.slidingCount = world.solvesAgain = 0;
  world.saved = world.state;  // same sizes: copied in place
  for (System* sys : world.systems) {
    sys->isRefused = false;
    sys->loops().gap = 0;
    sys->loops().passesChangePoint = false;
  }
  for (FreeBody* b : world.bodies) b->isRefused = false;
}

void evaluate(StepData& world) {
  beginEvaluation(world);
  for (System* sys : world.systems) evaluate(world, *sys);
  for (FreeBody* b : world.bodies)
    evaluate(*b, world.qOf(*b), world.uOf(*b), world.scheme, world.dt);
}

void exportBodies(StepData& world) {
  for (System* sys : world.systems) sys->evaluation->exportAll(*sys);
}

namespace {

void freeImpulses(StepData& world) {
  for (System* sys : world.systems) freeImpulse(*sys, world.dt);
  for (FreeBody* b : world.bodies) freeImpulse(*b, world.gravity, world.dt);
}

/// u+; whether candidates join the contacts, joints that were to slide stop, or limits are broken.
bool othersJoin(StepData& world, bool isLast) {
  const int groups = world.problem.size(), rows = world.jointRowCount;
  if (admitCandidates(world, isLast, groups)) return true;
  bool isAny = false;
  for (System* sys : world.systems) {
    nextVelocity(*sys);
    isAny |= findBrokenLimits(world, *sys, sys->uNext.data(), 1);
    if (world.slidingCount > 0) isAny |= findStopped(world, *sys, sys->uNext.data(), 1);
  }
  if (isAny) admitJointRows(world, groups, rows);
  return isAny;
}

/// Solves again as long as others join; then u+ is known.
void solveWithOthers(StepData& world, double tolerance, bool isLast) {
  while (othersJoin(world, isLast)) {
    freeImpulses(world);
    assembleAgain(world);
    solveAgain(world, tolerance);
  }
}

}  // namespace

void solveStep(StepData& world) {
  for (System* sys : world.systems) push(world, *sys);
  for (FreeBody* b : world.bodies) freeImpulse(*b, world.gravity, world.dt);
  askLaws(world);
  assembleContacts(world);
  const double tolerance = world.settings.tolerance;
  const bool solvesTwice = info(world.scheme).solvesTwice;
  if (solvesTwice) {
    const double coarse = firstTolerance(world);
    solveContacts(world, coarse, false);
    solveWithOthers(world, coarse, false);
    for (System* sys : world.systems) pushAgain(world, *sys);
    for (FreeBody* b : world.bodies) {
      meanVelocity(*b);
      freeImpulse(*b, world.gravity, world.dt);
    }
  }
  solveContacts(world, tolerance, solvesTwice);
  solveWithOthers(world, tolerance, true);
  rememberImpulses(world);
}

void finishStep(StepData& world) {
  for (System* sys : world.systems)
    if (sys->jointForces) recordJointForces(world, *sys);
  addImpulsesToMomentum(world);
  for (System* sys : world.systems) finish(world, *sys);
  for (FreeBody* b : world.bodies)
    finish(*b, world.gravity, world.qOf(*b), world.uOf(*b), world.scheme, world.dt);
  judgeStep(world);
}

void judgeStep(StepData& world) {
  refuseFailures(world);
  reportClosures(world);
  if (world.sleeping.isOn) updateSleep(world);
  for (System* sys : world.systems) sys->pushes.endStep();
  for (FreeBody* b : world.bodies) {
    b->force = b->torque = {0, 0, 0};
    b->pushes.endStep();
  }
  world.rays.endStep();
  world.state.time += world.dt;
}

}  // namespace espalier

// The stages of a step in lanes (LaneSteps) that are no contacts: lanes, and between them what is done world
// by world, all of it at once while a world's numbers are at hand.

#include "espalier/batch/lane_steps.h"
#include "espalier/step/energy_limit.h"
#include "espalier/step/free_bodies.h"
#include "espalier/step/joint_forces.h"
#include "espalier/step/momentum.h"
#include "espalier/step/sliding.h"
#include "espalier/step/stages.h"

namespace espalier {

/// Whether its loops closed, far from any change point.
bool LaneSteps::isClosed(int lane) const {
  return lanes_->at.left[lane] < open_loop && lanes_->at.singularity[lane] <= 1;
}

LaneClosing LaneSteps::closing(int lane) const {
  return {lanes_->at.left[lane], lanes_->at.publicSuffice[lane] == 1, lanes_->at.G + lane,
          lanes_->lanes};
}

/// What joints that follow have ahead.
void LaneSteps::putWays() {
  if (!model_->hasLoops()) return;
  bool isAnyPredicted = false;
  for (int l = 0; l < lanes_->lanes; ++l) lanes_->at.isPredicted[l] = 0;
  forSlots([&](const Slot& slot, int l) {
    lanes_->at.isPredicted[l] = slot.sys->isPredicted;
    isAnyPredicted |= slot.sys->isAnyPredicted();
  });
  put(lanes_->at.lastG, model_->nv(), [](const Slot& slot) { return slot.sys->lastG.data(); });
  if (!isAnyPredicted) return;
  put(lanes_->at.predictedAcceleration, model_->nv(),
      [](const Slot& slot) { return slot.sys->predictedAcceleration.data(); });
}

/// Linkages to where `ways` say.
void LaneSteps::predictDependents(DependentPredictor Loops::*ways) {
  if (model_->mechanism.isTree()) return;
  forSlots([&](const Slot& slot, int l) {
    (slot.sys->loops().*ways).predict(lanes_->at.q + l, lanes_->lanes);
  });
}

/// q_m of every slot, closed. Who cannot close there, or is near a change point, leaves his slot.
void LaneSteps::evaluate() {
  const auto someCloseNot = [&] {
    const std::size_t before = slots_.size();
    for (std::size_t l = before; l-- > 0;) {
      if (isClosed(static_cast<int>(l))) continue;
      alone_.push_back(slots_[l].world);
      slots_.erase(slots_.begin() + static_cast<std::ptrdiff_t>(l));
    }
    return slots_.size() < before;
  };
  do {
    if (slots_.empty()) return;
    put(lanes_->at.gravity, 3, [](const Slot& slot) { return &slot.world->gravity.x; });
    put(lanes_->at.q, model_->nq(), [](const Slot& slot) { return slot.world->qOf(*slot.sys); });
    put(lanes_->at.u, model_->nv(), [](const Slot& slot) { return slot.world->uOf(*slot.sys); });
    putWays();
    lanes_->approach(scheme_, dt_);
    predictDependents(&Loops::endpointHistory);
    lanes_->evaluate(dt_);
  } while (someCloseNot());
}

/// What collision and forces ask for.
void LaneSteps::takeMiddle() {
  take(lanes_->at.origin, 3, [](const Slot& slot) { return &slot.sys->ws.origin.x; });
  take(lanes_->at.geoms, numbersOfGeoms(),
       [](const Slot& slot) { return reinterpret_cast<double*>(slot.geoms); });
  take(lanes_->at.q, model_->nq(), [](const Slot& slot) { return slot.sys->qm.data(); });
  take(lanes_->at.rates, model_->nv(), [](const Slot& slot) { return slot.sys->rates.data(); });
}

void LaneSteps::noteTouched(const Slot& slot) {
  const auto note = [&](GeomId id) {
    const PlacedGeom& geom = slot.world->geom(id);
    if (geom.system) isTouched_[geom.body] = 1;
  };
  for (int i = 0; i < slot.points; ++i) {
    const ContactPoint& p = slot.world->points[i];
    note(p.a);
    note(p.b);
  }
  for (const FastPair& pair : slot.world->scene.fastPairs()) {
    note(pair.a);
    note(pair.b);
  }
}

/// How bodies move that may be in contact, of all worlds where it is so in one.
void LaneSteps::takeTouched() {
  for (std::size_t b = 0; b < isTouched_.size(); ++b) {
    if (!isTouched_[b]) continue;
    isTouched_[b] = 0;
    const LaneSystem::Body& body = lanes_->bodies[b];
    take(body.V, 6, [&](const Slot& slot) { return &slot.sys->ws.V[b].w.x; });
    take(body.A, 6, [&](const Slot& slot) { return &slot.sys->ws.A[b].w.x; });
  }
}

/// What controllers hold against motion, where one of the worlds has some; whether one has.
bool LaneSteps::putImpedance() {
  const auto holds = [](const Slot& slot) { return slot.sys->impedance != nullptr; };
  if (std::none_of(slots_.begin(), slots_.end(), holds)) return false;
  put(lanes_->at.impedance, model_->topology.entries(),
      [&](const Slot& slot) { return holds(slot) ? slot.sys->impedance : noImpedance_.data(); });
  return true;
}

/// Forces of a world at sys.qm.
///   in  u  [nv] rates there
void LaneSteps::applyForces(const Slot& slot, int lane, const double* u) {
  System& sys = *slot.sys;
  if (asksForBodies(*slot.world)) lanes_->takeBodies(lane, sys);
  actuate(sys, u, scheme_, dt_);
  addExternal(sys, slot.world->gravity, dt_);
}

void LaneSteps::putForces() {
  put(lanes_->at.force, model_->nv(), [](const Slot& slot) { return slot.sys->force.data(); });
  put(lanes_->at.w, model_->nv(), [](const Slot& slot) { return slot.sys->w.data(); });
}

/// Forces in a stage of RUNGE_KUTTA_4.
void LaneSteps::applyStageForces() {
  const int n = model_->nv();
  take(lanes_->at.qm, model_->nq(), [](const Slot& slot) { return slot.sys->qm.data(); });
  take(lanes_->at.stageU, n, [&](const Slot& slot) { return &slot.sys->stage[n]; });
  forSlots([&](const Slot& slot, int l) { applyForces(slot, l, &slot.sys->stage[n]); });
  putForces();
}

/// Contacts, forces and laws at q_m; the factor and z.
void LaneSteps::push() {
  takeMiddle();
  forSlots([&](Slot& slot, int l) {
    StepData& world = *slot.world;
    System& sys = *slot.sys;
    evaluatedInLanes(world, sys, closing(l));
    for (FreeBody* b : world.bodies)
      espalier::evaluate(*b, world.qOf(*b), world.uOf(*b), world.scheme, world.dt);
    placeGeoms(world, sys, slot.geoms);
    slot.points = findPoints(world);
    noteTouched(slot);
  });
  takeTouched();
  forSlots([&](const Slot& slot, int l) {
    StepData& world = *slot.world;
    System& sys = *slot.sys;
    makeContacts(world, slot.points);
    applyForces(slot, l, sys.rates.data());
    setSlidingAside(world, sys);
    if (sys.knowsMomentum) {
      lanes_->take(lanes_->at.H, l, sys.solver().H.data(), sys.solved().row[5] + 6);
      addForces(sys, world.gravity, world.dt);
    }
    for (FreeBody* b : world.bodies) freeImpulse(*b, world.gravity, world.dt);
    askLaws(world);
    note(world, patterns_[l]);
  });
  putForces();
  lanes_->push(scheme_, dt_, putImpedance());
  forSlots([&](const Slot& slot, int l) { slot.sys->isRegular = lanes_->at.isRegular[l] == 1; });
}

void LaneSteps::pushAgain() {
  lanes_->pushAgain(dt_);
  for (const Slot& slot : slots_)
    for (FreeBody* b : slot.world->bodies) {
      meanVelocity(*b);
      freeImpulse(*b, slot.world->gravity, dt_);
    }
}

/// The new state.
void LaneSteps::arrive() {
  take(lanes_->at.uNext, model_->nv(), [](const Slot& slot) { return slot.sys->uNext.data(); });
  if (info(scheme_).hasStages)
    take(lanes_->at.free, model_->nv(), [](const Slot& slot) { return slot.sys->free.data(); });
  for (Slot& slot : slots_) {
    StepData& world = *slot.world;
    System& sys = *slot.sys;
    rememberImpulses(slot);
    if (world.monitorsEnergy) slot.work = workOfStep(world);
    noteApplied(world, sys);
    if (!sys.jointForces) continue;
    const double* u = sys.rates.data();
    for (int d = 0; d < model_->nv(); ++d) sys.mean[d] = 0.5 * (u[d] + sys.uNext[d]);
    recordJointForces(world, sys);
  }
  put(lanes_->at.q, model_->nq(), [](const Slot& slot) { return slot.world->qOf(*slot.sys); });
  if (info(scheme_).hasStages) {
    lanes_->rungeKutta(dt_, [this] { applyStageForces(); });
    take(lanes_->at.uNext, model_->nv(), [](const Slot& slot) { return slot.sys->uNext.data(); });
    take(lanes_->at.stageStart, model_->nv(),
         [&](const Slot& slot) { return &slot.sys->stage[6 * model_->nv()]; });
  } else {
    lanes_->leave(scheme_, dt_);
  }
  predictDependents(&Loops::midpointHistory);
  lanes_->arrive();
  take(lanes_->at.q, model_->nq(), [&](const Slot& slot) {
    const auto lane = static_cast<int>(&slot - slots_.data());
    return isClosed(lane) ? slot.world->qOf(*slot.sys) : nobody_.data();
  });
  if (!model_->mechanism.isTree()) {
    take(lanes_->at.u, model_->nv(), [](const Slot& slot) { return slot.sys->mean.data(); });
    take(lanes_->at.g, model_->nv(), [](const Slot& slot) { return slot.sys->lastG.data(); });
  }
  forSlots([&](const Slot& slot, int l) {
    addImpulsesToMomentum(*slot.world);
    finish(slot, l);
  });
}

/// Who cannot close in a lane does so alone.
void LaneSteps::finish(const Slot& slot, int l) {
  StepData& world = *slot.world;
  System& sys = *slot.sys;
  if (!sys.hasLoops()) {
    takeNextVelocity(world, sys);
  } else if (isClosed(l)) {
    arriveInLanes(world, sys, closing(l), sys.mean.data());
  } else {
    lanes_->take(lanes_->at.g, l, sys.loopWs.g.data(), model_->nv());
    lanes_->take(lanes_->at.y, l, sys.y(), sys.solved().nv);
    integratePosition(world, sys);
    arriveLoops(world, sys);
  }
  if (mayGainEnergy(world, sys)) lanes_->takeImpulse(l, sys);
  limitEnergy(world, sys);
  if (sys.knowsMomentum) rememberMomentum(sys, world.qOf(sys), world.uOf(sys));
  forgetExternal(sys);
  for (FreeBody* b : world.bodies)
    espalier::finish(*b, world.gravity, world.qOf(*b), world.uOf(*b), world.scheme, world.dt);
  judgeStep(world);
  endStep(world, slot.work);
}

}  // namespace espalier

// The stages of a LanePack's step that are no contacts: lanes, and between them what is done world
// by world, all of it at once while a world's numbers are at hand.

#include "espalier/batch/lane_steps.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/step/energy_limit.h"
#include "espalier/step/free_bodies.h"
#include "espalier/step/joint_forces.h"
#include "espalier/step/momentum.h"
#include "espalier/step/stages.h"

namespace espalier {

/// Whether its loops closed, far from any change point.
bool LanePack::Steps::isClosed(int lane) const {
  return !model_->mechanism ||
         (lanes_->at.left[lane] < open_loop && lanes_->at.nearness[lane] <= 1);
}

LaneClosing LanePack::Steps::closing(int lane) const {
  return {lanes_->at.left[lane], lanes_->at.publicSuffice[lane] == 1, lanes_->at.G + lane,
          lanes_->lanes};
}

/// What joints that follow have ahead.
void LanePack::Steps::putWays() {
  bool isAnyAhead = false;
  for (int l = 0; l < lanes_->lanes; ++l) lanes_->at.isAhead[l] = lanes_->at.shareOfBend[l] = 0;
  forSeats([&](const Seat& seat, int l) {
    const Loops& loops = *seat.sys->loops;
    lanes_->at.isAhead[l] = loops.isAhead;
    lanes_->at.shareOfBend[l] = loops.shareOfBend();
    isAnyAhead |= loops.isAhead;
  });
  put(lanes_->at.bend, model_->nv(), [](const Seat& seat) { return seat.sys->loops->bend.data(); });
  if (!isAnyAhead) return;
  put(lanes_->at.ahead, model_->nv(),
      [](const Seat& seat) { return seat.sys->loops->ahead.data(); });
}

/// Linkages to where `ways` say.
void LanePack::Steps::foresee(Foresight Loops::*ways) {
  if (!model_->mechanism) return;
  forSeats([&](const Seat& seat, int l) {
    (*seat.sys->loops.*ways).predict(lanes_->at.q + l, lanes_->lanes);
  });
}

/// q_m of every seat, closed. Who cannot close there, or is near a change point, leaves his seat.
void LanePack::Steps::evaluate() {
  const auto someCloseNot = [&] {
    const std::size_t before = seats_.size();
    for (std::size_t l = before; l-- > 0;) {
      if (isClosed(static_cast<int>(l))) continue;
      alone_.push_back(seats_[l].world);
      seats_.erase(seats_.begin() + static_cast<std::ptrdiff_t>(l));
    }
    return seats_.size() < before;
  };
  do {
    if (seats_.empty()) return;
    put(lanes_->at.gravity, 3, [](const Seat& seat) { return &seat.world->gravity.x; });
    put(lanes_->at.q, model_->nq(), [](const Seat& seat) { return seat.world->qOf(*seat.sys); });
    put(lanes_->at.u, model_->nv(), [](const Seat& seat) { return seat.world->uOf(*seat.sys); });
    if (model_->mechanism) putWays();
    lanes_->approach(scheme_, dt_);
    foresee(&Loops::ends);
    lanes_->evaluate(dt_);
  } while (someCloseNot());
}

/// What collision and forces ask for.
void LanePack::Steps::takeMiddle() {
  take(lanes_->at.origin, 3, [](const Seat& seat) { return &seat.sys->ws.origin.x; });
  take(lanes_->at.geoms, numbersOfGeoms(),
       [](const Seat& seat) { return reinterpret_cast<double*>(seat.geoms); });
  take(lanes_->at.q, model_->nq(), [](const Seat& seat) { return seat.sys->qm.data(); });
  if (!model_->mechanism) return;
  take(lanes_->at.rates, model_->nv(),
       [](const Seat& seat) { return seat.sys->loops->rates.data(); });
}

void LanePack::Steps::noteTouched(const Seat& seat) {
  const auto note = [&](GeomId id) {
    const PlacedGeom& geom = seat.world->geom(id);
    if (geom.system) isTouched_[static_cast<std::size_t>(geom.body)] = 1;
  };
  for (int i = 0; i < seat.points; ++i) {
    const ContactPoint& p = seat.world->points[static_cast<std::size_t>(i)];
    note(p.a);
    note(p.b);
  }
  for (const FastPair& pair : seat.world->scene.fastPairs()) {
    note(pair.a);
    note(pair.b);
  }
}

/// How bodies move that may be in contact, of all worlds where it is so in one.
void LanePack::Steps::takeTouched() {
  for (std::size_t b = 0; b < isTouched_.size(); ++b) {
    if (!isTouched_[b]) continue;
    isTouched_[b] = 0;
    const LaneSystem::Body& body = lanes_->bodies[b];
    take(body.V, 6, [&](const Seat& seat) { return &seat.sys->ws.V[b].w.x; });
    take(body.A, 6, [&](const Seat& seat) { return &seat.sys->ws.A[b].w.x; });
  }
}

/// What controllers hold against motion, where one of the worlds has some; whether one has. Loops take its
/// diagonal alone, which is in w.
bool LanePack::Steps::putImpedance() {
  const auto holds = [](const Seat& seat) { return seat.sys->actuation.hasControl; };
  if (model_->mechanism || std::none_of(seats_.begin(), seats_.end(), holds)) return false;
  put(lanes_->at.impedance, model_->topology.entries(), [&](const Seat& seat) {
    return holds(seat) ? seat.sys->actuation.controlImpedance.data() : noImpedance_.data();
  });
  return true;
}

/// Forces of a world at sys.qm; external ones ask for all bodies there.
///   in  u  [nv] rates there
void LanePack::Steps::applyForces(const Seat& seat, const double* u) {
  System& sys = *seat.sys;
  if (sys.hasWrenches()) kinematics(sys.topology(), sys.parameters, sys.qm.data(), u, sys.ws);
  actuate(sys, u, scheme_, dt_);
  addExternal(sys, seat.world->gravity);
}

void LanePack::Steps::putForces() {
  put(lanes_->at.force, model_->nv(), [](const Seat& seat) { return seat.sys->force.data(); });
  put(lanes_->at.w, model_->nv(), [](const Seat& seat) { return seat.sys->w.data(); });
}

/// Forces in a stage of RUNGE_KUTTA_4.
void LanePack::Steps::applyStageForces() {
  const int n = model_->nv();
  take(lanes_->at.stageQ, model_->nq(), [](const Seat& seat) { return seat.sys->qm.data(); });
  take(lanes_->at.stageU, n, [&](const Seat& seat) { return &seat.sys->stage[n]; });
  for (const Seat& seat : seats_) applyForces(seat, &seat.sys->stage[n]);
  putForces();
}

/// Contacts, forces and laws at q_m; the factor and z.
void LanePack::Steps::push() {
  takeMiddle();
  forSeats([&](Seat& seat, int l) {
    StepData& world = *seat.world;
    System& sys = *seat.sys;
    if (sys.loops) evaluatedInLanes(world, sys, closing(l));
    for (FreeBody* b : world.bodies)
      espalier::evaluate(*b, world.qOf(*b), world.uOf(*b), world.scheme, world.dt);
    placeGeoms(world, sys, seat.geoms);
    seat.points = findPoints(world);
    noteTouched(seat);
  });
  takeTouched();
  forSeats([&](const Seat& seat, int l) {
    StepData& world = *seat.world;
    System& sys = *seat.sys;
    makeContacts(world, seat.points);
    applyForces(seat, sys.rates(world.uOf(sys)));
    if (sys.knowsMomentum) {
      lanes_->take(lanes_->at.H, l, sys.solver().H.data(), sys.solved().row[5] + 6);
      addForces(sys, world.gravity, world.dt);
    }
    for (FreeBody* b : world.bodies) freeImpulse(*b, world.gravity, world.dt);
    askLaws(world);
    note(world, touches_[static_cast<std::size_t>(l)]);
  });
  putForces();
  lanes_->push(scheme_, dt_, putImpedance());
  forSeats([&](const Seat& seat, int l) { seat.sys->isRegular = lanes_->at.isRegular[l] == 1; });
}

void LanePack::Steps::pushAgain() {
  lanes_->nextVelocity();
  lanes_->pushAgain(dt_);
  for (const Seat& seat : seats_)
    for (FreeBody* b : seat.world->bodies) {
      meanVelocity(*b);
      freeImpulse(*b, seat.world->gravity, dt_);
    }
}

/// The new state.
void LanePack::Steps::arrive() {
  lanes_->nextVelocity();
  take(lanes_->at.uNext, model_->nv(), [](const Seat& seat) { return seat.sys->uNext.data(); });
  for (Seat& seat : seats_) {
    StepData& world = *seat.world;
    System& sys = *seat.sys;
    rememberImpulses(seat);
    if (world.monitorsEnergy) seat.work = workOfStep(world);
    noteApplied(world, sys);
    if (!sys.jointForces) continue;
    const double* u = sys.rates(world.uOf(sys));
    for (int d = 0; d < model_->nv(); ++d) sys.mean[d] = 0.5 * (u[d] + sys.uNext[d]);
    recordJointForces(world, sys);
  }
  put(lanes_->at.q, model_->nq(), [](const Seat& seat) { return seat.world->qOf(*seat.sys); });
  if (info(scheme_).hasStages) {
    lanes_->rungeKutta(dt_, [this] { applyStageForces(); });
    take(lanes_->at.uNext, model_->nv(), [](const Seat& seat) { return seat.sys->uNext.data(); });
    take(lanes_->at.stageStart, model_->nv(),
         [&](const Seat& seat) { return &seat.sys->stage[6 * model_->nv()]; });
  } else {
    lanes_->leave(scheme_, dt_);
  }
  foresee(&Loops::middles);
  lanes_->arrive();
  take(lanes_->at.q, model_->nq(), [&](const Seat& seat) {
    const auto lane = static_cast<int>(&seat - seats_.data());
    return isClosed(lane) ? seat.world->qOf(*seat.sys) : nobody_.data();
  });
  if (model_->mechanism) {
    take(lanes_->at.u, model_->nv(), [](const Seat& seat) { return seat.sys->mean.data(); });
    take(lanes_->at.g, model_->nv(), [](const Seat& seat) { return seat.sys->loops->bend.data(); });
  }
  forSeats([&](const Seat& seat, int l) {
    addImpulsesToMomentum(*seat.world);
    finish(seat, l);
  });
}

/// Who cannot close in a lane does so alone.
void LanePack::Steps::finish(const Seat& seat, int l) {
  StepData& world = *seat.world;
  System& sys = *seat.sys;
  if (!sys.loops) {
    takeNextVelocity(world, sys);
  } else if (isClosed(l)) {
    arriveInLanes(world, sys, closing(l), sys.mean.data());
  } else {
    lanes_->take(lanes_->at.g, l, sys.loops->at.g.data(), model_->nv());
    lanes_->take(lanes_->at.y, l, sys.loops->yNext.data(), sys.solved().nv);
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
  endStep(world, seat.work);
}

}  // namespace espalier

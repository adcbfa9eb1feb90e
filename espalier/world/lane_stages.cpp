// The stages of a LanePack's step that are no contacts: lanes, and between them what is done world
// by world, all of it at once while a world's numbers are at hand.

#include "espalier/world/free_bodies.h"
#include "espalier/world/lane_steps.h"
#include "espalier/world/momentum.h"
#include "espalier/world/stages.h"

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
    bool isAnyAhead = false;
    for (const Seat& seat : seats_) isAnyAhead |= seat.sys->loops && seat.sys->loops->isAhead;
    put(lanes_->at.gravity, 3, [](const Seat& seat) { return &seat.world->gravity.x; });
    put(lanes_->at.q, model_->nq(), [](const Seat& seat) { return seat.sys->qm.data(); });
    put(lanes_->at.u, model_->nv(), [](const Seat& seat) { return seat.world->uOf(*seat.sys); });
    for (int l = 0; l < lanes_->lanes; ++l) lanes_->at.isAhead[l] = 0;
    forSeats([&](const Seat& seat, int l) {
      lanes_->at.isAhead[l] = seat.sys->loops && seat.sys->loops->isAhead;
    });
    if (isAnyAhead)
      put(lanes_->at.ahead, model_->nv(),
          [](const Seat& seat) { return seat.sys->loops->ahead.data(); });
    lanes_->evaluate(dt_);
  } while (someCloseNot());
}

/// What collision and forces ask for.
void LanePack::Steps::takeMiddle() {
  take(lanes_->at.origin, 3, [](const Seat& seat) { return &seat.sys->ws.origin.x; });
  for (const int b : geomBodies_) {
    const LaneSystem::Body& body = lanes_->bodies[static_cast<std::size_t>(b)];
    take(body.R, 9, [&](const Seat& seat) { return &seat.sys->ws.R[b].r0.x; });
    take(body.x, 3, [&](const Seat& seat) { return &seat.sys->ws.x[b].x; });
    take(body.V, 6, [&](const Seat& seat) { return &seat.sys->ws.V[b].w.x; });
    take(body.A, 6, [&](const Seat& seat) { return &seat.sys->ws.A[b].w.x; });
  }
  if (!model_->mechanism) return;
  take(lanes_->at.q, model_->nq(), [](const Seat& seat) { return seat.sys->qm.data(); });
  take(lanes_->at.rates, model_->nv(),
       [](const Seat& seat) { return seat.sys->loops->rates.data(); });
}

/// Contacts, forces and laws at q_m; the factor and z.
void LanePack::Steps::push() {
  takeMiddle();
  forSeats([&](const Seat& seat, int l) {
    WorldData& world = *seat.world;
    System& sys = *seat.sys;
    if (sys.loops) evaluatedInLanes(world, sys, closing(l));
    for (FreeBody* b : world.bodies)
      espalier::evaluate(*b, world.qOf(*b), world.uOf(*b), world.scheme, world.dt);
    findContacts(world);
    actuate(sys, sys.rates(world.uOf(sys)), world.scheme, world.dt);
    if (sys.knowsMomentum) {
      lanes_->take(lanes_->at.H, l, sys.solver().H.data(), sys.solved().row[5] + 6);
      addForces(sys, world.gravity, world.dt);
    }
    for (FreeBody* b : world.bodies) freeImpulse(*b, world.gravity, world.dt);
    askLaws(world);
    note(world, touches_[static_cast<std::size_t>(l)]);
  });
  put(lanes_->at.force, model_->nv(), [](const Seat& seat) { return seat.sys->force.data(); });
  put(lanes_->at.w, model_->nv(), [](const Seat& seat) { return seat.sys->w.data(); });
  lanes_->push(dt_);
  forSeats([&](const Seat& seat, int l) {
    if (lanes_->at.isRegular[l] != 1) seat.world->report.raise(StepFlag::SingularMassMatrix);
  });
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
  if (model_->mechanism)
    take(lanes_->at.g, model_->nv(), [](const Seat& seat) { return seat.sys->loops->at.g.data(); });
  forSeats([&](const Seat& seat, int) {
    WorldData& world = *seat.world;
    System& sys = *seat.sys;
    rememberImpulses(seat);
    addImpulsesToMomentum(world);
    noteApplied(world, sys);
    leaveMiddle(world, sys);
    if (sys.loops) sys.loops->middles.predict(world.qOf(sys));
  });
  if (model_->mechanism) {
    put(lanes_->at.q, model_->nq(), [](const Seat& seat) { return seat.world->qOf(*seat.sys); });
    lanes_->arrive();
    take(lanes_->at.u, model_->nv(), [](const Seat& seat) { return seat.sys->mean.data(); });
  }
  forSeats([&](const Seat& seat, int l) { finish(seat, l); });
}

/// Who cannot close in a lane does so alone.
void LanePack::Steps::finish(const Seat& seat, int l) {
  WorldData& world = *seat.world;
  System& sys = *seat.sys;
  if (!sys.loops) {
    takeNextVelocity(world, sys);
  } else if (isClosed(l)) {
    lanes_->take(lanes_->at.q, l, world.qOf(sys), model_->nq());
    arriveInLanes(world, sys, closing(l), sys.mean.data());
  } else {
    lanes_->take(lanes_->at.y, l, sys.loops->yNext.data(), sys.solved().nv);
    arriveLoops(world, sys);
  }
  if (sys.knowsMomentum) rememberMomentum(sys, world.qOf(sys), world.uOf(sys));
  for (FreeBody* b : world.bodies)
    espalier::finish(*b, world.gravity, world.qOf(*b), world.uOf(*b), world.scheme, world.dt);
  judgeStep(world);
}

}  // namespace espalier

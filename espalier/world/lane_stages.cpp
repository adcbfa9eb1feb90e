// The stages of a LanePack's step that are no contacts: lanes, and what is done world by world.

#include "espalier/world/free_bodies.h"
#include "espalier/world/lane_steps.h"
#include "espalier/world/momentum.h"
#include "espalier/world/stages.h"

namespace espalier {

/// q_m of every seat, closed. Who cannot close there, or is near a change point, leaves his seat.
void LanePack::Steps::evaluate() {
  for (bool again = true; again && !seats_.empty();) {
    bool isAnyAhead = false;
    for (const Seat& seat : seats_) isAnyAhead |= seat.sys->loops && seat.sys->loops->isAhead;
    fillLanes([&](const Seat& seat, int l) {
      WorldData& world = *seat.world;
      System& sys = *seat.sys;
      const Topology& t = sys.topology();
      if (sys.loops) sys.loops->ends.predict(sys.qm.data());
      lanes_->put(lanes_->at.gravity, l, &world.gravity.x, 3);
      lanes_->put(lanes_->at.q, l, sys.qm.data(), t.nq);
      lanes_->put(lanes_->at.u, l, world.uOf(sys), t.nv);
      lanes_->at.isAhead[l] = sys.loops && sys.loops->isAhead;
      if (isAnyAhead) lanes_->put(lanes_->at.ahead, l, sys.loops->ahead.data(), t.nv);
    });
    lanes_->evaluate(dt_);
    again = false;
    for (std::size_t l = seats_.size(); l-- > 0 && seats_[l].sys->loops;) {
      const bool isClosed = lanes_->at.left[l] < open_loop && lanes_->at.nearness[l] <= 1;
      if (isClosed) continue;
      alone_.push_back(seats_[l].world);
      seats_.erase(seats_.begin() + static_cast<std::ptrdiff_t>(l));
      again = true;
    }
  }
  forSeats([&](const Seat& seat, int l) {
    WorldData& world = *seat.world;
    System& sys = *seat.sys;
    const Topology& t = sys.topology();
    for (const int b : sys.geomBodies) lanes_->takeBody(l, b, sys.ws);
    if (sys.loops) {
      Loops& loops = *sys.loops;
      lanes_->take(lanes_->at.q, l, sys.qm.data(), t.nq);
      lanes_->take(lanes_->at.rates, l, loops.rates.data(), t.nv);
      if (!loops.middles.isEmpty())
        lanes_->take(lanes_->at.G, l, loops.at.G.data(), static_cast<int>(loops.at.G.size()));
      evaluatedInLanes(world, sys, lanes_->at.left[l]);
    }
    for (FreeBody* b : world.bodies)
      espalier::evaluate(*b, world.qOf(*b), world.uOf(*b), world.scheme, world.dt);
    findContacts(world);
  });
}

/// Forces at q_m, the factor, z; and what the laws of contact ask for.
void LanePack::Steps::push() {
  forSeats([&](const Seat& seat, int l) {
    WorldData& world = *seat.world;
    System& sys = *seat.sys;
    const Topology& r = sys.solved();
    actuate(sys, sys.rates(world.uOf(sys)), world.scheme, world.dt);
    if (!sys.knowsMomentum) return;
    lanes_->take(lanes_->at.H, l, sys.solver().H.data(), r.row[5] + 6);
    addForces(sys, world.gravity, world.dt);
  });
  fillLanes([&](const Seat& seat, int l) {
    lanes_->put(lanes_->at.force, l, seat.sys->force.data(), seat.sys->topology().nv);
    lanes_->put(lanes_->at.w, l, seat.sys->w.data(), seat.sys->topology().nv);
  });
  lanes_->push(dt_);
  forSeats([&](const Seat& seat, int l) {
    WorldData& world = *seat.world;
    if (lanes_->at.isRegular[l] != 1) world.report.raise(StepFlag::SingularMassMatrix);
    for (FreeBody* b : world.bodies) freeImpulse(*b, world.gravity, world.dt);
    askLaws(world);
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

/// The new state. Who cannot close there in a lane does so alone.
void LanePack::Steps::arrive() {
  lanes_->nextVelocity();
  forSeats([&](const Seat& seat, int l) {
    WorldData& world = *seat.world;
    System& sys = *seat.sys;
    lanes_->take(lanes_->at.uNext, l, sys.uNext.data(), sys.topology().nv);
    if (sys.loops) lanes_->take(lanes_->at.g, l, sys.loops->at.g.data(), sys.topology().nv);
    addImpulsesToMomentum(world);
    noteApplied(world, sys);
    leaveMiddle(world, sys);
    if (sys.loops) sys.loops->middles.predict(world.qOf(sys));
  });
  if (model_->mechanism)
    fillLanes([&](const Seat& seat, int l) {
      lanes_->put(lanes_->at.q, l, seat.world->qOf(*seat.sys), model_->nq());
    });
  lanes_->arrive();
  forSeats([&](Seat& seat, int l) { finish(seat, l); });
}

void LanePack::Steps::finish(Seat& seat, int l) {
  WorldData& world = *seat.world;
  System& sys = *seat.sys;
  if (!sys.loops) {
    takeNextVelocity(world, sys);
  } else if (Loops& loops = *sys.loops;
             lanes_->at.left[l] < open_loop && lanes_->at.nearness[l] <= 1) {
    lanes_->take(lanes_->at.q, l, q_.data(), model_->nq());
    lanes_->take(lanes_->at.u, l, u_.data(), model_->nv());
    lanes_->take(lanes_->at.G, l, loops.at.G.data(), static_cast<int>(loops.at.G.size()));
    arriveInLanes(world, sys, lanes_->at.left[l], q_.data(), u_.data());
  } else {
    lanes_->take(lanes_->at.y, l, loops.yNext.data(), loops.m.reduced.nv);
    arriveLoops(world, sys);
  }
  if (sys.knowsMomentum) rememberMomentum(sys, world.qOf(sys), world.uOf(sys));
  for (FreeBody* b : world.bodies)
    espalier::finish(*b, world.gravity, world.qOf(*b), world.uOf(*b), world.scheme, world.dt);
  judgeStep(world);
}

}  // namespace espalier

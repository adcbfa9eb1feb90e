#include "espalier/step/state_ranges.h"

#include <algorithm>

#include "espalier/step/pose.h"

namespace espalier {
namespace {

/// Everything behind the ranges [q0, q0 + nq) and [u0, u0 + nv) moves by so many numbers.
void shift(StepData& world, int q0, int u0, int nq, int nv) {
  for (const auto& sys : world.owned)
    if (sys->q0 > q0 || sys->u0 > u0) sys->q0 += nq, sys->u0 += nv;
  for (const auto& body : world.free)
    if (body->q0 > q0) body->q0 += nq, body->u0 += nv;
}

}  // namespace

void eraseState(StepData& world, int q0, int u0, int nq, int nv) {
  auto& s = world.state;
  s.q.erase(s.q.begin() + q0, s.q.begin() + q0 + nq);
  s.u.erase(s.u.begin() + u0, s.u.begin() + u0 + nv);
  shift(world, q0, u0, -nq, -nv);
}

void insertState(StepData& world, FreeBody& body) {
  body.q0 = static_cast<int>(world.state.q.size());
  body.u0 = static_cast<int>(world.state.u.size());
  double q[7];
  writePose(body.X_WB, q);
  world.state.q.insert(world.state.q.end(), q, q + 7);
  world.state.u.insert(world.state.u.end(), 6, 0.0);
}

void eraseState(StepData& world, FreeBody& body) {
  body.X_WB = readPose(world.qOf(body));
  const int q0 = body.q0, u0 = body.u0;
  body.q0 = body.u0 = -1;
  eraseState(world, q0, u0, 7, 6);
}

void resetObject(StepData& world, int index) {
  for (const auto& sys : world.owned) {
    if (sys->object != index) continue;
    std::copy(sys->startQ.begin(), sys->startQ.end(), world.qOf(*sys));
    std::copy(sys->startU.begin(), sys->startU.end(), world.uOf(*sys));
  }
  for (const auto& body : world.free) {
    if (body->object != index || body->q0 < 0) continue;
    writePose(body->spec->X_WB, world.qOf(*body));
    put(body->spec->velocity, world.uOf(*body));
    put(body->spec->angularVelocity, world.uOf(*body) + 3);
  }
}

}  // namespace espalier

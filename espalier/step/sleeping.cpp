// Bodies at rest, when asked for: a body that was slow for some steps, as was all it touches, and
// that bears on something that stands, is held still and takes no part in the solve, until
// something that is not quiet touches it. What stands is static or sleeps: a pile falls asleep from
// below. It wakes between steps, so that every step has one set of bodies that move. What is welded
// does not sleep.

#include "espalier/step/sleeping.h"

#include <algorithm>
#include <cmath>

namespace espalier {
namespace {

bool isSlow(const StepData& world, const double* u) {
  const Vec3d v{u[0], u[1], u[2]}, w{u[3], u[4], u[5]};
  return norm(v) < world.sleeping.linearSpeed && norm(w) < world.sleeping.angularSpeed;
}

bool isQuiet(const StepData& world, const PlacedGeom& end) {
  if (end.bodyType() == BodyType::STATIC) return true;
  if (end.free && end.free->type == BodyType::DYNAMIC)
    return end.free->isAsleep || end.free->quietSteps >= world.sleeping.quietSteps;
  return false;
}

/// Whether a body in contact with a sleeping one moves against it.
bool pushes(const StepData& world, const PlacedGeom& other, const Contact& c, std::size_t i) {
  if (!c.isActive() || other.bodyType() == BodyType::STATIC) return false;
  if (other.free && other.free->type == BodyType::DYNAMIC) return !isQuiet(world, other);
  return norm(world.rate[i]) > world.sleeping.linearSpeed;
}

}  // namespace

void setAsleep(StepData& world, FreeBody& body, bool isAsleep) {
  if (body.isAsleep == isAsleep) return;
  body.isAsleep = isAsleep;
  body.knowsL = false;
  if (!isAsleep) body.quietSteps = 0;
  for (const GeomId id : body.geoms) world.scene.setPassive(id, isAsleep);
  if (!isAsleep) return;
  std::fill_n(world.uOf(body), 6, 0.0);
}

void wakeAll(StepData& world) {
  for (const auto& body : world.free)
    if (body->q0 >= 0) setAsleep(world, *body, false);
}

void wakeBeforeStep(StepData& world) {
  if (world.sleeping.isOn) world.isPrepared = false;  // prepare() wakes
}

namespace {

bool isForced(const FreeBody& b) { return norm(b.force) + norm(b.torque) > 0; }

void countQuiet(StepData& world, FreeBody& b) {
  const bool rests = b.isAsleep || (isSlow(world, world.uOf(b)) && !isForced(b));
  b.quietSteps = rests ? b.quietSteps + 1 : 0;
  b.mayRest = false;
  if (b.isAsleep && isForced(b)) setAsleep(world, b, false);
}

/// What bears on something that stands may rest.
void support(const StepData& world, FreeBody* end, const PlacedGeom& other, const Contact& c) {
  const bool stands = other.bodyType() == BodyType::STATIC || (other.free && other.free->isAsleep);
  if (end && stands && c.isActive())
    end->mayRest = end->quietSteps >= world.sleeping.quietSteps && !isForced(*end);
}

/// But only where all that it touches is quiet.
void keepAwake(const StepData& world, FreeBody* end, const PlacedGeom& other) {
  if (end && !isQuiet(world, other)) end->mayRest = false;
}
void keepAwake(FreeBody* end) {
  if (end) end->mayRest = false;
}
void wakeIfPushed(StepData& world, FreeBody* end, const PlacedGeom& other, std::size_t contact) {
  if (end && end->isAsleep && pushes(world, other, world.contacts[contact], contact))
    setAsleep(world, *end, false);
}

}  // namespace

void updateSleep(StepData& world) {
  for (FreeBody* b : world.bodies)
    if (b->type == BodyType::DYNAMIC) countQuiet(world, *b);
  const auto count = static_cast<std::size_t>(world.contactCount);
  for (std::size_t i = 0; i < count; ++i) {
    const Contact& c = world.contacts[i];
    const PlacedGeom &a = world.geom(c.geomA), &b = world.geom(c.geomB);
    support(world, a.free, b, c);
    support(world, b.free, a, c);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const PlacedGeom &a = world.geom(world.contacts[i].geomA),
                     &b = world.geom(world.contacts[i].geomB);
    keepAwake(world, a.free, b);
    keepAwake(world, b.free, a);
    wakeIfPushed(world, a.free, b, i);
    wakeIfPushed(world, b.free, a, i);
  }
  for (const auto& weld : world.welds) {
    keepAwake(weld->a.free);
    keepAwake(weld->b.free);
  }
  for (FreeBody* b : world.bodies)
    if (b->type == BodyType::DYNAMIC && b->mayRest) setAsleep(world, *b, true);
}

}  // namespace espalier

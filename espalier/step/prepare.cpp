#include <algorithm>

#include "espalier/core/check.h"
#include "espalier/step/room.h"
#include "espalier/step/step_data.h"

namespace espalier {

void prepare(StepData& world) {
  if (world.isPrepared) return;
  wakeAll(world);  // what they lay on may be gone
  world.systems.clear();
  world.bodies.clear();
  int numbers = 0;
  for (const auto& sys : world.owned) {
    world.systems.push_back(sys.get());
    sys->mover = numbers;
    numbers += sys->model->nv();
  }
  for (const auto& body : world.free) {
    if (body->type == BodyType::STATIC) continue;
    world.bodies.push_back(body.get());
    body->mover = numbers;
    numbers += 6;
  }
  reserveRoom(world);
  world.saved = world.state;
  world.scene.build();
  world.isPrepared = true;
}

void forget(System& sys) {
  for (double& x : sys.warm) x = 0;
  for (Vec3d& impulse : sys.loopImpulses) impulse = {0, 0, 0};
  sys.energyLost = 0;
  sys.corrections = {};
  sys.pushes.last.clear();
  sys.knowsMomentum = sys.touchesStatic = false;
  sys.momentum = {};  // values of a step that was not finite go even where they are unused
  for (auto* end : {&sys.endQ, &sys.endU}) std::fill(end->begin(), end->end(), 0.0);
  forgetLoops(sys);
}

void forget(FreeBody& body) {
  body.knowsL = false;
  body.L = {0, 0, 0};
  body.corrections = {};
  body.pushes.last.clear();
}

void forget(StepData& world) {
  world.warmCount = 0;
  for (const auto& sys : world.owned) forget(*sys);
  for (const auto& body : world.free) forget(*body);
  for (const auto& weld : world.welds) weld->impulse = weld->torque = {0, 0, 0};
  world.rays.last.clear();
  wakeAll(world);
  world.knowsEnergy = false;
}

void requireNoCallback(const StepData& world) {
  ESPALIER_REQUIRE(!world.isInCallback,
                   "a contact callback must not change or step its world; do it after the step");
}

void requireBetweenSteps(const StepData& world) {
  requireNoCallback(world);
  ESPALIER_REQUIRE(!world.isBetween, "finish the step with integrate2() first");
}

}  // namespace espalier

#include <algorithm>

#include "espalier/core/check.h"
#include "espalier/step/step_data.h"

namespace espalier {
namespace {

/// Contacts that a step must have room for: many touch many only where there are many shapes.
int contactRoom(const StepData& world) {
  if (world.settings.maxContacts > 0) return world.settings.maxContacts;
  int shapes = 0;
  for (const PlacedGeom& g : world.geoms) shapes += g.object >= 0;
  return 128 + 12 * shapes;
}

template <class T>
void grow(std::vector<T>& v, int count) {
  if (v.size() < static_cast<std::size_t>(count)) v.resize(static_cast<std::size_t>(count));
}

}  // namespace

void prepare(StepData& world) {
  if (world.isPrepared) return;
  wakeAll(world);  // what they lay on may be gone
  world.systems.clear();
  world.bodies.clear();
  int jointRows = 0, dofs = 0, tendonSides = 0, loops = 0, numbers = 0, widest = 6;
  for (const auto& sys : world.owned) {
    world.systems.push_back(sys.get());
    sys->mover = numbers;
    widest = std::max(widest, sys->model->nv());
    numbers += sys->model->nv();
    jointRows += joint_row_kinds * sys->rowDofs();
    dofs += sys->model->nv();
    for (const TendonInfo& tendon : sys->model->tendons)
      tendonSides +=
          joint_row_kinds * static_cast<int>(tendon.terms.size() + 2 * tendon.segments.size());
    loops += static_cast<int>(sys->loopImpulses.size());
  }
  for (const auto& body : world.free) {
    if (body->type == BodyType::STATIC) continue;
    world.bodies.push_back(body.get());
    body->mover = numbers;
    numbers += 6;
  }
  const int welds = static_cast<int>(world.welds.size());
  const int contacts = contactRoom(world);
  const int torsions = world.materials.haveTorsion() || world.onContact ? contacts : 0;
  const int groups = contacts + torsions + jointRows + 2 * welds + loops;
  world.rows.reserve(groups, 2 * groups + tendonSides, widest);
  world.problem.reserve({.groups = groups,
                         .couplings = 8 * groups,  // all that small islands can have
                         .sides = world.rows.maxSides(),
                         .numbers = numbers});
  world.solver.reserve(groups, numbers);
  world.points.resize(static_cast<std::size_t>(contacts));
  world.contacts.resize(static_cast<std::size_t>(contacts));
  world.candidates.resize(static_cast<std::size_t>(contacts));
  grow(world.place, contacts);
  grow(world.torsionStart, contacts);
  grow(world.torsionRelaxed, contacts);
  grow(world.isNew, groups);
  world.warm.resize(static_cast<std::size_t>(contacts));
  world.warmCount = std::min(world.warmCount, contacts);
  grow(world.law, contacts);
  grow(world.torsion, contacts);
  grow(world.correction, contacts);
  grow(world.torsionWarm, contacts);
  grow(world.jointRows, jointRows);
  grow(world.sliding, dofs);
  for (auto* v :
       {&world.lambda, &world.rate, &world.bias, &world.drift, &world.start, &world.relaxed})
    grow(*v, groups);
  world.saved = world.state;
  world.scene.build();
  world.isPrepared = true;
}

void forget(System& sys) {
  for (double& x : sys.warm) x = 0;
  for (Vec3d& impulse : sys.loopImpulses) impulse = {0, 0, 0};
  sys.energyLost = 0;
  sys.pushes.last.clear();
  sys.knowsMomentum = sys.touchesStatic = false;
  sys.momentum = {};  // values of a step that was not finite go even where they are unused
  for (auto* end : {&sys.endQ, &sys.endU}) std::fill(end->begin(), end->end(), 0.0);
  if (sys.loops) forget(*sys.loops);
}

void forget(FreeBody& body) {
  body.knowsL = false;
  body.L = {0, 0, 0};
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

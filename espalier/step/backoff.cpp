#include "espalier/step/backoff.h"

#include "espalier/step/step_data.h"

namespace espalier {
namespace {

template <class Function>
void forMovers(StepData& world, const Function& function) {
  for (System* sys : world.systems) function(sys->mover, sys->corrections);
  for (FreeBody* body : world.bodies) function(body->mover, body->corrections);
}

bool isOn(const StepData& world, int island, int mover) {
  for (const int i : world.problem.island(island))
    for (const auto& side : world.problem.sides(i))
      if (side.mover == mover) return true;
  return false;
}

/// Of contacts and limits: an open gap may close and no further, no more is asked. No motion may be able to
/// follow more than that: links that wedge one another stick fast where they are.
///   returns whether that changes anything
bool leaveOut(StepData& world, int island) {
  const auto isOneSided = [&](int i) {
    const int joint = i - world.contactCount;
    if (joint >= world.jointRowCount) return false;
    return joint < 0 || world.jointRows[joint].isOneSided();
  };
  bool changes = false;
  for (const int i : world.problem.island(island)) {
    if (!isOneSided(i)) continue;
    Vec3d& bias = world.bias[i];
    const Vec3d change = Vec3d{0, 0, std::max(bias.z, 0.0)} - bias;
    changes |= change.x != 0 || change.y != 0 || change.z != 0;
    bias = bias + change;
    world.problem.setFreeVelocity(i, world.problem.freeVelocity(i) + change);
    world.problem.setGiven(i, world.problem.given(i) + change);
  }
  return changes;
}

}  // namespace

void beginBackoff(StepData& world) {
  forMovers(world, [](int, Backoff& corrections) { corrections.beginStep(); });
}

void endBackoff(StepData& world) {
  forMovers(world, [](int, Backoff& corrections) { corrections.endStep(); });
}

int leaveCorrectionsOut(StepData& world) {
  int changed = 0;
  forMovers(world, [&](int mover, const Backoff& corrections) {
    for (int k = 0; corrections.isWithout() && k < world.problem.islands(); ++k)
      if (isOn(world, k, mover)) changed += leaveOut(world, k);
  });
  return changed;
}

int leaveCorrectionsOutOfUnsolved(StepData& world) {
  int changed = 0;
  for (int k = 0; k < world.problem.islands(); ++k) {
    if (!world.solver.isLeft(k) || !leaveOut(world, k)) continue;
    ++changed;
    forMovers(world,
              [&](int mover, Backoff& corrections) { corrections.fails |= isOn(world, k, mover); });
  }
  return changed;
}

void keepCorrections(StepData& world) {
  forMovers(world, [](int, Backoff& corrections) { corrections.fails = false; });
}

}  // namespace espalier

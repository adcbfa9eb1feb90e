#include "espalier/step/contact_law.h"

#include <algorithm>
#include <cmath>

namespace espalier {

double biasOfGap(const StepData& world, double gap, double speed) {
  const double dt = world.dt;
  if (gap <= 0)
    return -std::min(world.settings.erp * std::max(-gap - world.settings.slop, 0.0) / dt,
                     world.settings.maxDepenetrationVelocity);
  const SchemeInfo& scheme = info(world.scheme);
  return std::max(0.0, scheme.openGap * gap / dt + scheme.openSpeed * speed);
}

double biasOfContact(const StepData& world, double gap, double speed, const MaterialPair& pair) {
  const bool bounces = pair.restitution > 0 && (speed < -pair.restitutionThreshold || speed > 0);
  return gap <= 0 && bounces ? pair.restitution * speed : biasOfGap(world, gap, speed);
}

double correctionOf(const StepData& world, double gap, double bias, bool isLoaded) {
  if (shareOfNext(world.scheme) != 1 || !(world.settings.erp > 0)) return 0;
  return gap < 0 || (isLoaded && bias <= norm(world.gravity) * world.dt) ? bias : 0;
}

bool isLetThrough(double gap, double speed, const MaterialPair& pair) {
  return gap > 0 && pair.restitution > 0 && !(std::abs(speed) < pair.restitutionThreshold);
}

}  // namespace espalier

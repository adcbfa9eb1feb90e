#include "espalier/step/contact_law.h"

#include <algorithm>
#include <cmath>

namespace espalier {

namespace {

GapLaw lawOf(const StepData& world) { return {world.settings, world.scheme, world.dt}; }

}  // namespace

double biasOfGap(const StepData& world, double gap, double speed) {
  return lawOf(world).bias(gap, speed);
}

double biasOfContact(const StepData& world, double gap, double speed, const MaterialPair& pair) {
  return lawOf(world).bias(gap, speed, pair);
}

double correctionOf(const StepData& world, double gap, double bias, bool isLoaded) {
  if (shareOfNext(world.scheme) != 1 || !(world.settings.erp > 0)) return 0;
  return gap < 0 || (isLoaded && bias <= norm(world.gravity) * world.dt) ? bias : 0;
}

}  // namespace espalier

#pragma once

#include "espalier/world/materials.h"

namespace espalier {

/// An approach (normal velocity, m/s) fast enough to bounce.
inline bool bounces(const MaterialPair& pair, double speed) {
  return pair.restitution > 0 && speed < -pair.restitutionThreshold;
}

}  // namespace espalier

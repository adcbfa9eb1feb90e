#pragma once

// Four stages without contacts, from the velocity that contact impulses have left.
//   from Munthe-Kaas 1998: each stage lies at q (+) theta, with theta' = dexp^-1(theta) u on the
//        rotations, so that the fourth order holds for quaternions too

#include "espalier/world/system.h"

namespace espalier {

/// When the four stages are, in steps, and what each counts.
struct Stages {
  double at[4] = {0, 0.5, 0.5, 1}, share[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
};
inline constexpr Stages stages;

/// theta' for the rotation vector theta of R = exp(theta) R0 with angular velocity w, up to the
/// terms that a fourth order needs.
inline Vec3d rotationRate(const Vec3d& theta, const Vec3d& w) {
  const Vec3d c = cross(theta, w);
  return w - c * 0.5 + cross(theta, c) * (1.0 / 12.0);
}

/// Four stages of a tree, or of a mechanism whose loops are closed in each: y+ of the step's end, and
/// in sys.mean the step from q to q+.
///   pre  y+ is that with contact impulses, sys.free that without: what they alone changed is the
///        difference
void rungeKutta(WorldData& world, System& sys);

}  // namespace espalier

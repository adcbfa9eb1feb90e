#pragma once

// Four stages without contacts, from the velocity that contact impulses have left.
//   from Munthe-Kaas 1998: each stage lies at q (+) theta, with theta' = dexp^-1(theta) u on the
//        rotations, so that the fourth order holds for quaternions too

#include "espalier/world/system.h"

namespace espalier {

/// q [nq] becomes q+; sys.uNext, on entry u + M^-1 (dt f + J' lambda), becomes u+.
///   pre  sys.free holds u + M^-1 dt f: what the impulses alone changed is the difference
void rungeKutta(System& sys, const Vec3d& gravity, double dt, double* q, const double* u);

}  // namespace espalier

#pragma once

// Links that overlap where a robot starts (espalier/world/overlaps.h): `sim` lets such pairs pass through each
// other and says so; `info --collisions` lists them.

#include <vector>

#include "apps/cli/robot.h"
#include "espalier/world/overlaps.h"

namespace espalier::cli {

/// Overlaps of the robot alone, among the pairs that are tested.
///   in   q   internal order
Overlaps overlapsAt(const Model& model, const std::vector<double>& q);

/// Adds the overlapping pairs of one robot to its spec's ignoredPairs and compiles it again.
///   in   q            the start, internal order
///   out  diagnostics  a Note that counts and names them
void ignoreOverlaps(Robot& robot, const std::vector<double>& q, Diagnostics& diagnostics);

}  // namespace espalier::cli

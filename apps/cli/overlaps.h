#pragma once

// Links that overlap where a robot starts. Many robot files have them: shells that reach into each
// other, meshes around a joint. Contacts cannot part what a joint holds together, so `sim` lets
// such pairs pass through each other and says so; `info --collisions` lists them.

#include <map>
#include <utility>

#include "apps/cli/robot.h"

namespace espalier::cli {

/// Depth in m by pair of bodies a < b; less than 0.1 mm is mere touching, which contacts are for.
using Overlaps = std::map<std::pair<int, int>, double>;

/// Overlaps of the robot alone, among the pairs that are tested.
///   in   q   internal order
Overlaps overlapsAt(const Model& model, const std::vector<double>& q);

/// Adds the overlapping pairs of one robot to its spec's ignoredPairs and compiles it again.
///   in   q            the start, internal order
///   out  diagnostics  a Note that counts and names them
void ignoreOverlaps(Robot& robot, const std::vector<double>& q, Diagnostics& diagnostics);

}  // namespace espalier::cli

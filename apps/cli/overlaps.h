#pragma once

// Links that overlap where a robot starts. Many robot files have them: shells that reach into each
// other, meshes around a joint. Contacts cannot part what a joint holds together, so `sim` lets
// such pairs pass through each other and says so.

#include "apps/cli/robot.h"

namespace espalier::cli {

/// Adds the overlapping pairs of one robot to its spec's ignoredPairs and compiles it again.
///   in   q            the start, internal order
///   out  diagnostics  a Note that counts and names them
void ignoreOverlaps(Robot& robot, const std::vector<double>& q, Diagnostics& diagnostics);

}  // namespace espalier::cli

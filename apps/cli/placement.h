#pragma once

// Where a robot starts: its nominal pose, its place on the ground, a little disorder if asked for.
// Everything in the model's own (internal) order.

#include <cstdint>
#include <string>
#include <vector>

#include "apps/cli/state_file.h"
#include "espalier/model/model.h"

namespace espalier::cli {

/// How far the collision bodies (or, without any, the bodies' origins) reach at q.
struct Extent {
  double lowest, left, right;  ///< m: smallest z, smallest and largest y
  bool hasCollisions;
};
Extent extentAt(const Model& model, const std::vector<double>& q);

/// Neutral q, joints of one dof moved into their limits.
std::vector<double> neutralWithinLimits(const Model& model);

/// The pose in the file nominal.json beside the robot's file: {"q": [...]} in the file's own joint
/// order, base first. Fits a welded base, too: then the base's numbers are left out.
///   in   fallback  taken where there is no such file, or where it does not fit (a Warning)
std::vector<double> nominalPose(const std::string& robotFile, const Model& model,
                                const std::vector<double>& fallback, Diagnostics& diagnostics);

/// Tilts a floating base by at most 0.1 rad and gives it at most 0.3 m/s and 0.5 rad/s; every other
/// dof at most 0.1 rad/s or m/s. Seed 0 changes nothing.
void disturb(const Model& model, std::uint64_t seed, StateInput& state);

}  // namespace espalier::cli

#pragma once

// Poses of the links of a Spec, before anything is compiled: for importers that are given
// points in one configuration.

#include <optional>
#include <span>
#include <vector>

#include "espalier/model/spec/checks.h"
#include "espalier/model/spec/spec.h"

namespace espalier::io {

/// How many coordinates the system has in public order: of a floating base seven, then the joints'.
int coordinatesOf(const SystemSpec& spec, const SpecTree& tree);

/// X_RL of every link, R the root, in the order of spec.links.
///   in   q   public order, coordinatesOf numbers; empty: the neutral configuration
///   pre  tree.isTree; axes and quaternions are not zero
std::vector<Transformd> linkPoses(const SystemSpec& spec, const SpecTree& tree,
                                  std::span<const double> q = {});

}  // namespace espalier::io

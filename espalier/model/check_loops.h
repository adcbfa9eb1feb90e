#pragma once

// What closes the loops of a tree: loops, couplings, and joints that mimic others.

#include "espalier/model/check_report.h"
#include "espalier/model/check_tree.h"

namespace espalier {

/// Ends that exist and can move against each other, axes with a direction, finite numbers, ratios
/// other than zero; mimics that follow a joint of one coordinate and not, in the end, themselves.
/// Whether a loop can close at all, only compile() can say.
void checkLoops(const CheckReport& report, const SpecTree& tree);

}  // namespace espalier

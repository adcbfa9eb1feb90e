#pragma once

// Checks loops, couplings and mimic joints.

#include "espalier/model/loops/loop_gap.h"
#include "espalier/model/spec/check_report.h"
#include "espalier/model/spec/check_tree.h"

namespace espalier {

/// Ends that exist, axes with a direction, finite numbers, ratios other than zero; mimics that
/// follow a joint of one coordinate and not, in the end, themselves.
/// Whether a loop can close at all, only compile() can say.
void checkLoops(const CheckReport& report, const SpecTree& tree);

/// Of a loop whose ends are one body: it holds nothing that is not held. A Warning with the gap where
/// that is rounding (isRounding() with the distance of its frames from the body's), else an Error. Once for
/// each loop.
///   in  ends  in that body
void checkWelded(const CheckReport& report, const LoopSpec& loop, const LoopEnds& ends);

}  // namespace espalier

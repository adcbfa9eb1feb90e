#pragma once

// All loops of a model at once, whether coordinates or rows of the contact problem keep them;
// for queries and setters between steps.

#include "espalier/model/loops/assembly.h"
#include "espalier/model/model.h"

namespace espalier {

/// The largest |phi| at q, of redundant rows too; 0 for a tree.
double closureResidual(const Model& model, const Lowered<double>& par, const double* q);

/// Embedded loops first, then the bilateral ones.
std::vector<Closure> allClosures(const Model& model);

/// Bilateral loops that are closed to this are left as they are.
inline constexpr double left_alone = 1e-6;

/// Closes all loops near q: the embedded ones by their dependent joints; bilateral ones, where they
/// gape by more than `left_alone`, by all joints that do not lead (BilateralLoops::independent).
///   io  q      [nq] as it was where `isClosed` is false
///   in  holds  whether independent joints keep their coordinates; else all joints may move
AssemblyResult closeAllLoops(const Model& model, const Lowered<double>& par, bool holds,
                             std::vector<double>& q);

}  // namespace espalier

#pragma once

#include "bench/kernels/kernels.h"

namespace espalier::bench {

/// One world in double with its branches side by side, as World steps it; null for robots whose
/// branches are not worth it.
std::unique_ptr<Kernels> newBranchKernels(const Robot& robot);

}  // namespace espalier::bench

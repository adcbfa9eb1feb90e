#pragma once

#include "bench/kernels/kernels.h"

namespace espalier::bench {

/// The lanes of x86-64-v4; the caller owns them.
///   pre  hasWideRegisters() of core/processor.h
Kernels* newWideDoubleKernels_v4(const Robot& robot);
Kernels* newWideFloatKernels_v4(const Robot& robot);

}  // namespace espalier::bench

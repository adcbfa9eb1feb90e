#include "bench/kernels/kernels_v4.h"

#include "bench/kernels/kernels_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier::bench {

Kernels* newWideDoubleKernels_v4(const Robot& robot) {
  return new KernelsOf<DoubleLanes>("lanes_double", robot);
}

Kernels* newWideFloatKernels_v4(const Robot& robot) {
  return new KernelsOf<FloatLanes>("lanes_float", robot);
}

}  // namespace espalier::bench

#include "espalier/batch/observation_block.h"

#include "espalier/batch/observation_block_impl.h"
#include "espalier/core/processor.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

template <class S>
std::unique_ptr<ObservationBlock<S>> makeObservationBlock(const ObservationPlan<S>& plan) {
  if (hasWideRegisters()) return std::unique_ptr<ObservationBlock<S>>(newObservationBlock_v4(plan));
  return std::make_unique<ObservationLanes<Lanes<S, register_bytes / sizeof(S)>>>(plan);
}

template std::unique_ptr<ObservationBlock<double>> makeObservationBlock(
    const ObservationPlan<double>&);
template std::unique_ptr<ObservationBlock<float>> makeObservationBlock(
    const ObservationPlan<float>&);

}  // namespace espalier

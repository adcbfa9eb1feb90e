#include "espalier/batch/observation_block.h"
#include "espalier/batch/observation_block_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

ObservationBlock<double>* newObservationBlock_v4(const ObservationPlan<double>& plan) {
  return new ObservationLanes<DoubleLanes>(plan);
}
ObservationBlock<float>* newObservationBlock_v4(const ObservationPlan<float>& plan) {
  return new ObservationLanes<FloatLanes>(plan);
}

}  // namespace espalier

#include "espalier/batch/lane_block.h"
#include "espalier/batch/lane_block_rows_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

BatchStepper<double>* newLaneBlock_v4(const LanePlan& plan, BatchData<double>& data,
                                      int iterations) {
  return new LaneBlock<DoubleLanes>(plan, data, iterations);
}
BatchStepper<float>* newLaneBlock_v4(const LanePlan& plan, BatchData<float>& data, int iterations) {
  return new LaneBlock<FloatLanes>(plan, data, iterations);
}

}  // namespace espalier

#include "espalier/batch/lane_block.h"

#include "espalier/batch/lane_block_rows_impl.h"
#include "espalier/core/processor.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

template <class S>
std::unique_ptr<BatchStepper<S>> makeLaneBlock(const LanePlan& plan, BatchData<S>& data,
                                               int iterations) {
  if (hasWideRegisters())
    return std::unique_ptr<BatchStepper<S>>(newLaneBlock_v4(plan, data, iterations));
  return std::make_unique<LaneBlock<Lanes<S, register_bytes / sizeof(S)>>>(plan, data, iterations);
}

template std::unique_ptr<BatchStepper<double>> makeLaneBlock(const LanePlan&, BatchData<double>&,
                                                             int);
template std::unique_ptr<BatchStepper<float>> makeLaneBlock(const LanePlan&, BatchData<float>&,
                                                            int);

}  // namespace espalier

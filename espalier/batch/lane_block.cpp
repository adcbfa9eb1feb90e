#include "espalier/batch/lane_block.h"

#include "espalier/core/check.h"

namespace espalier {

template <class S>
std::unique_ptr<BatchStepper<S>> makeLaneBlock(const std::function<std::shared_ptr<World>()>&,
                                               BatchData<S>&, int) {
  core::throwInvalidArgument("", "a batch has no throughput mode yet: take mode \"accurate\"");
}
template std::unique_ptr<BatchStepper<double>> makeLaneBlock(
    const std::function<std::shared_ptr<World>()>&, BatchData<double>&, int);
template std::unique_ptr<BatchStepper<float>> makeLaneBlock(
    const std::function<std::shared_ptr<World>()>&, BatchData<float>&, int);

}  // namespace espalier

#include "bench/engine/espalier_forward.h"

#include "espalier/core/processor.h"

namespace bench {

template class ForwardDynamics<double>;

ForwardInLanes::ForwardInLanes(int worldCount) : worlds(worldCount) {}
ForwardInLanes::~ForwardInLanes() = default;

std::unique_ptr<ForwardInLanes> makeForwardInLanes(const espalier::Model& model, double gravity,
                                                   const double* q, const double* u) {
  if (espalier::hasWideRegisters())
    return std::unique_ptr<ForwardInLanes>(newForwardInLanes_v4(model, gravity, q, u));
  return std::make_unique<ForwardInLanesOf<espalier::DoubleLanes>>(model, gravity, q, u);
}

}  // namespace bench

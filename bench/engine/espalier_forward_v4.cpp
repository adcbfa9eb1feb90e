#include "bench/engine/espalier_forward.h"

namespace bench {

ForwardInLanes* newForwardInLanes_v4(const espalier::Model& model, double gravity, const double* q,
                                     const double* u) {
  return new ForwardInLanesOf<espalier::DoubleLanes>(model, gravity, q, u);
}

}  // namespace bench

#include "espalier/batch/lane_system_impl.h"

namespace espalier {

LaneSystem* newLaneSystem_v4(const System& like, const Lowered<double>& parameters) {
  return new LaneSystemOf<DoubleLanes>(like, parameters);
}

}  // namespace espalier

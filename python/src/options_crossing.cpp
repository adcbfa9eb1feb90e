// Crossing for the options of readers and for the parts of cluster joints.

#include "spec_crossing.h"

namespace espalier::python {

template struct Crossing<io::LeastInertia>;
template struct Crossing<io::ReadingLimits>;
template struct Crossing<io::UrdfOptions>;
template struct Crossing<io::MjcfOptions>;
template struct Crossing<io::SdfOptions>;
template struct Crossing<io::WorldOptions>;
template struct Crossing<ClusterBody>;
template struct Crossing<GearedTransmissionModule>;
template struct Crossing<ParallelBeltTransmissionModule<1>>;
template struct Crossing<ParallelBeltTransmissionModule<2>>;
template struct Crossing<ParallelBeltTransmissionModule<3>>;
template struct Crossing<TelloDifferentialModule>;

}  // namespace espalier::python

#pragma once

// THROUGHPUT mode: registers full of worlds go through the whole step together, collision, contacts and
// motors included.

#include <functional>
#include <memory>

#include "espalier/batch/batch_stepper.h"
#include "espalier/world/world.h"

namespace espalier {

/// In the widest registers of this machine.
///   in  make  builds the world that all are like
///   io  data  is given the rows that the steps need
///   in  iterations  of the contact solver in one solve
///   errors  throws std::invalid_argument that names what the world has and this mode has not
template <class S>
std::unique_ptr<BatchStepper<S>> makeLaneBlock(const std::function<std::shared_ptr<World>()>& make,
                                               BatchData<S>& data, int iterations);

}  // namespace espalier

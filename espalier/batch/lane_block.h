#pragma once

// THROUGHPUT mode: registers full of worlds go through the whole step together, collision, contacts and
// motors included.

#include <memory>

#include "espalier/batch/batch_stepper.h"
#include "espalier/batch/lane_plan.h"

namespace espalier {

/// In the widest registers of this machine.
///   in  plan        outlives the stepper
///   io  data        is given the rows that the steps need
///   in  iterations  of the contact solver in one solve
template <class S>
std::unique_ptr<BatchStepper<S>> makeLaneBlock(const LanePlan& plan, BatchData<S>& data,
                                               int iterations);

/// In the lanes of x86-64-v4; the caller owns it.
///   pre  hasWideRegisters()
BatchStepper<double>* newLaneBlock_v4(const LanePlan& plan, BatchData<double>& data,
                                      int iterations);
BatchStepper<float>* newLaneBlock_v4(const LanePlan& plan, BatchData<float>& data, int iterations);

}  // namespace espalier

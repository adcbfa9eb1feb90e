#pragma once

#include <nanobind/nanobind.h>

#include "espalier/model/spec/tape.h"

namespace espalier::python {

namespace nb = nanobind;

/// The tape of a Python function of an array of `inputs` numbers. Needs the GIL.
///   errors  as of trace() (model/spec/trace.h); what the function raises
Tape traceCall(nb::handle function, int inputs);

}  // namespace espalier::python

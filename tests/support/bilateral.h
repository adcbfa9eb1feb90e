#pragma once

#include "espalier/model/spec/spec.h"

namespace espalier::testing {

/// The same mechanism with all its loops kept by rows of the contact problem.
inline SystemSpec bilateral(SystemSpec spec) {
  for (LoopSpec& loop : spec.loops) loop.isBilateral = true;
  return spec;
}

}  // namespace espalier::testing

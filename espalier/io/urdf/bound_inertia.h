#pragma once

// Least masses and moments of inertia, as MuJoCo's boundmass and boundinertia: for robots whose
// fingers or frames are movable and massless.

#include "espalier/core/diagnostic.h"
#include "espalier/model/spec/spec.h"

namespace espalier::io {

struct LeastInertia {
  double mass = 0;    ///< kg, of each movable body
  double moment = 0;  ///< kg m^2, of each of its principal moments about its centre of mass
};

/// Raises the mass and the principal moments of each movable link with all that is welded to it to the
/// least ones; the difference is added to the link, at their common centre of mass. A Note for
/// each. Nothing where the spec is no tree.
void boundInertias(SystemSpec& spec, const LeastInertia& least, Diagnostics& diagnostics);

}  // namespace espalier::io

#pragma once

// Whether an authored system can be built at all: an impossibility is an Error, an oddity only
// a Warning. Importers call it on the Specs they read; call it on a Spec filled by hand, too.

#include "espalier/core/diagnostic.h"
#include "espalier/model/spec/spec.h"

namespace espalier {

/// Every problem of the spec, each with its file and line and naming its link or joint:
///   names     missing or doubled; jointOrder and mimic naming joints that do not exist
///   tree      missing links, two parents, several roots, cycles       (model/spec/checks.h)
///   joints    zero, parallel or NaN axes, limits crossed, negative damping, friction ...
///   inertias  negative, NaN, not positive, beyond the triangle inequality (checks.h)
///   shapes    without extent or not finite
///   sizes     of all: absurd ones, unless spec.unbounded             (check_magnitudes.h)
/// A massless body that moves is not judged here but by compile(), which merges welded links.
///   out  diagnostics   appended to
void checkSpec(const SystemSpec& spec, Diagnostics& diagnostics);

}  // namespace espalier

#pragma once

// Ball joints that a file writes as three hinges over massless links, as URDF has to. Where the three
// axes come to lie in one plane such hinges cannot turn every way (gimbal lock), and their rates grow
// without bound near by; a spherical joint has no such place.

#include "espalier/core/diagnostic.h"
#include "espalier/model/spec/spec.h"

namespace espalier::io {

/// Makes one spherical joint of three hinges in a row that lie in an embedded loop, whose axes meet in
/// one point and are not in one plane, and whose two links between have no mass, shape or other
/// joint, if nothing speaks of the three one by one: no limit of position, damping, friction, spring
/// or rotor, no mimic, coupling, constraint, transmission or `independent="true"`, and no loop's end
/// on the links between. It has the name and the child of the third; limits of effort and speed, which
/// were those of single axes, do not act. A Note for each. Nothing where the spec is no tree.
void mergeHinges(SystemSpec& spec, Diagnostics& diagnostics);

}  // namespace espalier::io

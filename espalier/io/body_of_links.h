#pragma once

// Links welded to one another, as one rigid body of a world.

#include "espalier/model/spec/spec.h"

namespace espalier::io {

double massOf(const SystemSpec& spec);

/// The body in the frame of the system's first link.
///   pre  checked; the first link is the root, parents come before their children, and all joints
///        are fixed; a DYNAMIC body has mass
BodySpec bodyOfLinks(const SystemSpec& spec, BodyType type);

}  // namespace espalier::io

#pragma once

// Inertias of robots that are drawn and never weighed: the collision shapes as solids.

#include "espalier/core/diagnostic.h"
#include "espalier/model/spec/spec.h"

namespace espalier::io {

inline constexpr double density_of_shapes = 1000;  ///< kg/m^3, MuJoCo's default

/// Where something can move and no link has a mass or a joint a rotor's inertia, each link takes the inertia of
/// its collision shapes, of meshes that of their convex hulls; overlaps count twice. A Warning. Such a
/// robot could not move at all: its M would be zero.
void takeInertiasOfShapes(SystemSpec& spec, Diagnostics& diagnostics);

}  // namespace espalier::io

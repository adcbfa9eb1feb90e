#pragma once

// From a Shape to a Geom, and a geom's world box.

#include "espalier/collision/geom.h"

namespace espalier::collision {

/// The numbers of a shape, at the world's origin, without owner, hull or ODE twin.
///   pre  lengths positive and finite, data present and whole; else throws std::invalid_argument
Geom makeGeom(const Shape& shape, bool isStatic);

/// World box of a geom other than a plane, grown by `by` on all sides.
void setBounds(const Geom& geom, double by, Corners& box);

}  // namespace espalier::collision

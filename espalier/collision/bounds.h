#pragma once

// From a Shape to a Geom, and a geom's boxes.

#include "espalier/collision/geom.h"

namespace espalier::collision {

/// The numbers of a shape, at the world's origin, without owner, hull or ODE twin.
///   pre  lengths positive and finite, data present and whole; else throws std::invalid_argument
Geom makeGeom(const Shape& shape, bool isStatic);

/// The box about a solid, in the solid's frame.
struct SolidBox {
  Vec3d half, middle;

  explicit SolidBox(const Geom& solid)
      : half(solid.size), middle(solid.kind == Kind::Hull ? solid.middle : zero3<double>()) {
    if (solid.kind == Kind::Capsule) half.z += solid.size.x;
  }
};

/// World box of a geom other than a plane, grown by `by` on all sides.
void setBounds(const Geom& geom, double by, Corners& box);

}  // namespace espalier::collision

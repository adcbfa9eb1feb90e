#pragma once

// The nearest two points of two shapes, and the frame of a contact between them.

#include "espalier/collision/geom.h"
#include "espalier/geometry/shape.h"

namespace espalier::sim {

/// Where two shapes touch, or would. All in the world.
struct Proximity {
  double distance;  ///< m; negative inside
  Vec3d p0, p1;     ///< on shape 0 and on shape 1: p1 - p0 = distance normal
  Vec3d normal;     ///< unit, from shape 0 to shape 1
};

class ShapePair {
 public:
  /// A sphere of radius 0 is a point.
  ///   errors  throws std::invalid_argument for shapes without a contact function between them, and
  ///           for meshes, whose contacts belong to the World
  ShapePair(const Shape& shape0, const Shape& shape1);

  /// The deepest contact of those nearer than `reach` (m); false where there is none.
  bool find(const Transformd& X_g0, const Transformd& X_g1, double reach, Proximity& found);
  /// Of the smaller shape, from its frame's origin: how far it reaches, and which it is.
  double radius() const;
  bool isSecondSmaller() const { return geoms_[1].radius < geoms_[0].radius; }

 private:
  Shape shapes_[2];  // hold the data that geoms_ point to
  collision::Geom geoms_[2];
};

/// A rotation whose third column is the unit vector n. The first has no part along n's smallest
/// component: arboris' choice, so that forces can be compared.
Mat3d alignedToZ(const Vec3d& n);

}  // namespace espalier::sim

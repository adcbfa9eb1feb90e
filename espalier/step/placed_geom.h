#pragma once

// A collision shape of a world: the body that it belongs to, and what the contact law needs of it.

#include "espalier/collision/scene.h"
#include "espalier/step/endpoint.h"
#include "espalier/step/free_body.h"
#include "espalier/step/materials.h"
#include "espalier/step/system.h"

namespace espalier {

/// A geom, whose it is, and what the contact law must know of it.
struct PlacedGeom : Endpoint {
  GeomId id;
  int object = -1;                                ///< place in StepData::objects; -1: removed
  Transformd X_CG = identityTransform<double>();  ///< in the system's or single body's frame
  MaterialId material;
  double rounding = 0;  ///< m, radius of spheres and capsules: their contact point
                        ///< rolls over the surface

  BodyType bodyType() const {
    if (free) return free->type;
    return system && (system->topology().floating || body > 0) ? BodyType::DYNAMIC
                                                               : BodyType::STATIC;
  }
};

/// m, radius with which a shape's contact points roll: spheres and capsules; 0 for corners and edges.
double roundingOf(const Shape& shape);

/// False of a mesh without data, as where its file is missing: it has no geom.
bool hasGeometry(const Shape& shape);

/// A shape as robots have it: their meshes collide as convex hulls, also on links that stand still.
Shape asRobotShape(Shape shape);

struct StepData;

/// Updates what follows from a geom's shape, after the shape was changed.
void refreshGeom(StepData& world, GeomId id);

}  // namespace espalier

#pragma once

// The narrow phase: one function a pair of kinds, and one table of those pairs that have a function
// of their own. All others are met by their support functions.
//
// A pair function adds to the manifold every point of first against second whose gap is less
// than the margin; normals push the first. It allocates nothing and keeps no state, so that its
// answer depends on the two poses only.

#include "espalier/collision/geom.h"
#include "espalier/collision/manifold.h"

namespace espalier::collision {

using PairFunction = void (*)(const Geom& first, const Geom& second, double margin,
                              Manifold& manifold);

/// The function of a pair and whether it wants its arguments swapped; null where the two cannot
/// collide.
struct PairEntry {
  PairFunction function = nullptr;
  bool swapped = false;
};
PairEntry pairEntry(Kind a, Kind b);

// half space z <= 0 of the second's frame
void spherePlane(const Geom&, const Geom&, double, Manifold&);
void boxPlane(const Geom&, const Geom&, double, Manifold&);
void cylinderPlane(const Geom&, const Geom&, double, Manifold&);
void capsulePlane(const Geom&, const Geom&, double, Manifold&);
void planeHull(const Geom&, const Geom&, double, Manifold&);
/// Any convex solid: its lowest point.
void convexPlane(const Geom&, const Geom&, double, Manifold&);

// points, segments and solids of simple distance
void sphereSphere(const Geom&, const Geom&, double, Manifold&);
void sphereCapsule(const Geom&, const Geom&, double, Manifold&);
void capsuleCapsule(const Geom&, const Geom&, double, Manifold&);
void sphereBox(const Geom&, const Geom&, double, Manifold&);
void sphereCylinder(const Geom&, const Geom&, double, Manifold&);
void boxCapsule(const Geom&, const Geom&, double, Manifold&);
void boxRound(const Geom& box, const Geom& round, double, Manifold&);
void boxBox(const Geom&, const Geom&, double, Manifold&);

// any two convex solids
void convexPair(const Geom&, const Geom&, double, Manifold&);

// terrain
void sphereHeightfield(const Geom&, const Geom&, double, Manifold&);
void convexHeightfield(const Geom&, const Geom&, double, Manifold&);

// convex solids against a static triangle mesh
void convexTrimesh(const Geom&, const Geom&, double, Manifold&);

}  // namespace espalier::collision

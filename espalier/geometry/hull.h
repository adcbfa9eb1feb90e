#pragma once

// The convex hull of a triangle mesh: what a movable mesh collides with.

#include <memory>
#include <vector>

#include "espalier/geometry/shape.h"

namespace espalier {

/// Flat faces, each a convex polygon counter-clockwise seen from outside.
struct Hull {
  struct Face {
    Vec3d normal;    ///< unit, outward
    double offset;   ///< normal . x <= offset inside
    int begin, end;  ///< its corners: corners[begin..end)
  };
  std::vector<Vec3d> vertices;
  std::vector<Face> faces;
  std::vector<int> corners;  ///< vertex indices
  Vec3d centre;              ///< mean of the vertices, inside
};

/// Convex hull by quickhull (Barber, Dobkin, Huhdanpaa 1996), coplanar triangles merged.
///   in   mesh   vertices, of any finite magnitude; triangles are not read
///   out  null where the points are flat to within 1e-7 of their extent, or one is not finite
///        Where points differ by little more than that, rounding may leave some of them out; faces
///        and corners are sound all the same.
///   cost O(n log n) as a rule; at build time only
std::unique_ptr<const Hull> convexHull(const TriangleMesh& mesh);

}  // namespace espalier

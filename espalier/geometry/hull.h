#pragma once

// The convex hull of a triangle mesh: the collision shape of every mesh but static terrain.

#include <limits>
#include <memory>
#include <vector>

#include "espalier/geometry/shape.h"
#include "espalier/geometry/support_map.h"

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
  SupportMap vertexMap;      ///< over vertices
  SupportMap normalMap;      ///< over the faces' normals
  /// Largest height of a point of the mesh over a face, m: what maxVertices left out; 0 where it
  /// did not act.
  double error = 0;
};

/// Convex hull by Qhull (Barber, Dobkin, Huhdanpaa 1996), coplanar triangles merged.
///   in   mesh         vertices, of any finite magnitude; triangles are not read
///   in   maxVertices  >= 4; points are added farthest first until the hull has so many
///   out  null where the points are flat to within 1e-7 of their extent, or one is not finite
///   cost O(n log n) as a rule; at build time only
std::unique_ptr<const Hull> convexHull(const TriangleMesh& mesh,
                                       int maxVertices = std::numeric_limits<int>::max());

/// The faces as triangles, a fan each, counter-clockwise seen from outside.
TriangleMesh hullSurface(const Hull& hull);

}  // namespace espalier

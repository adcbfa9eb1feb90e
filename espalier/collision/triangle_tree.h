#pragma once

// The triangles of a static mesh: found by a tree of boxes, each with its neighbours across its
// sides.

#include <cstdint>
#include <vector>

#include "espalier/collision/geom.h"

namespace espalier::collision {

/// A triangle in the mesh's frame, counter-clockwise about its normal.
struct MeshTriangle {
  /// From corner k to corner k + 1, and the triangle beyond. That one's normal is
  /// cosine normal + sine out: sine > 0 where the edge is convex. Turned as this one is where the
  /// mesh has the two turned against each other.
  struct Side {
    Vec3d out;  ///< unit, in the plane, away from the triangle
    double cosine, sine;
    bool isBorder;  ///< there is no triangle beyond, or more than one
  };
  Vec3d corners[3];
  Vec3d normal;  ///< unit
  Side sides[3];
  int id;  ///< place in the mesh
};

class TriangleTree {
 public:
  /// Triangles without an area are left out.
  ///   pre   every index names a vertex
  ///   cost  O(n log n)
  explicit TriangleTree(const TriangleMesh& mesh);

  /// Whether every side has one triangle beyond it, turned as its neighbour: the mesh has an inside.
  bool isClosed() const { return isClosed_; }
  const std::vector<MeshTriangle>& triangles() const { return triangles_; }

  /// Calls visit(const MeshTriangle&) for those whose boxes meet the box, in a fixed order.
  ///   uses no heap
  template <class Visit>
  void visit(const Aabb& box, Visit visit) const {
    int stack[64];
    int depth = 0;
    if (!nodes_.empty()) stack[depth++] = 0;
    while (depth > 0) {
      const Node& node = nodes_[stack[--depth]];
      if (!meets(node.box, box)) continue;
      if (node.count > 0) {
        for (int i = node.first; i < node.first + node.count; ++i) visit(triangles_[i]);
      } else {
        stack[depth++] = node.second;
        stack[depth++] = node.first;
      }
    }
  }

 private:
  struct Node {
    Aabb box;
    int first, second;  // children; of a leaf the first triangle
    int count;          // of triangles; 0: not a leaf
  };

  static bool meets(const Aabb& a, const Aabb& b) {
    return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y &&
           a.lo.z <= b.hi.z && b.lo.z <= a.hi.z;
  }
  void addTriangles(const TriangleMesh& mesh);
  void joinSides(const TriangleMesh& mesh);
  int addNode(int first, int count);

  std::vector<MeshTriangle> triangles_;  // in the order of the leaves
  std::vector<Node> nodes_;              // the root first
  bool isClosed_ = false;
};

}  // namespace espalier::collision

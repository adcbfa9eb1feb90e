#pragma once

// Collision and visual shapes: plain data. A shape's own frame is its centre, axes along z.

#include <array>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "espalier/spatial/inertia.h"

namespace espalier {

struct SphereShape {
  double radius = 0;  ///< m
};
struct BoxShape {
  Vec3d size{};  ///< m, whole edge lengths
};
struct CylinderShape {
  double radius = 0;  ///< m
  double height = 0;  ///< m, along z
};
/// A cylinder with half spheres at both ends.
struct CapsuleShape {
  double radius = 0;  ///< m
  double height = 0;  ///< m, distance of the two sphere centres, along z
};
/// The half space z <= 0 of its frame.
struct Plane {};

/// Red, green, blue, opacity.
using Rgba8 = std::array<std::uint8_t, 4>;

struct TriangleMesh {
  std::vector<Vec3d> vertices;                ///< m
  std::vector<std::array<int, 3>> triangles;  ///< counter-clockwise seen from outside
  std::vector<Rgba8> colors = {};             ///< of each triangle, to draw it; empty: none
};
/// A closed triangle mesh; data is shared and never changes. It collides as its convex hull;
/// only a static single body, which is terrain, collides by its triangles.
struct MeshShape {
  std::string file;                          ///< where it was read from, resolved
  std::shared_ptr<const TriangleMesh> data;  ///< null where the file was missing
  bool isConvex = false;                     ///< collides as its hull where it is static, too
  int maxHullVertices = 64;                  ///< of the hull, >= 4; vertices left out are reported
  /// 1, 2, ...: this is one of the hulls that `file`, a convex decomposition (io/decomposition.h), has
  /// for a mesh; 0: the whole mesh.
  int part = 0;
};
/// Heights on a regular grid over x and y, centred on its frame; solid below.
struct HeightfieldData {
  int xSamples = 0, ySamples = 0;  ///< >= 2 each
  double xSize = 0, ySize = 0;     ///< m, from the first to the last sample
  std::vector<double> heights;     ///< m, [ySamples][xSamples], x runs fastest
};
struct Heightfield {
  std::shared_ptr<const HeightfieldData> data;
};

/// The table of shapes; every dispatch on a shape is one visitor over it.
using Shape =
    std::variant<SphereShape, BoxShape, CylinderShape, CapsuleShape, Plane, MeshShape, Heightfield>;

/// "sphere", "box", ...
const char* shapeName(const Shape& shape);

/// Volume in m^3; 0 for planes and heightfields, that of the enclosed solid for meshes. A mesh with
/// holes is closed by cones from their edges to its centroid.
double volume(const Shape& shape);

/// Inertia of a homogeneous solid of the given mass about the shape's frame.
///   in   mass   kg
///   pre  the shape has a volume; else throws std::invalid_argument
///   from closed forms; meshes by tetrahedra
RigidInertia<double> inertia(const Shape& shape, double mass);

/// Lowest world z of a placed shape: -infinity for a plane, +infinity for a mesh without data.
double lowestPoint(const Shape& shape, const Transformd& X_WG);

}  // namespace espalier

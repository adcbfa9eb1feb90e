#pragma once

// Collision and visual shapes: plain data. A shape's own frame is its centre, axes along z.
// A solid of simple form is a file of geometry/shapes/ that says all about it, and an alternative of
// Shape below.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "espalier/geometry/shapes/box.h"
#include "espalier/geometry/shapes/capsule.h"
#include "espalier/geometry/shapes/cylinder.h"
#include "espalier/geometry/shapes/ellipsoid.h"
#include "espalier/geometry/shapes/sphere.h"

namespace espalier {

/// The half space z <= 0 of its frame.
struct Plane {
  static constexpr const char *name = "plane", *className = "Plane";
  static constexpr ObjectType objectType = ObjectType::HALFSPACE;
  static constexpr ShapeType shapeType = ShapeType::Ground;
  static constexpr std::tuple<> parameters() { return {}; }
};

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
  /// 1, 2, ...: this is one of the hulls that `file`, a convex decomposition (io/mesh/decomposition.h), has
  /// for a mesh; 0: the whole mesh.
  int part = 0;

  static constexpr const char *name = "mesh", *className = "MeshShape";
  static constexpr ObjectType objectType = ObjectType::MESH;
  static constexpr ShapeType shapeType = ShapeType::Mesh;
};
/// Heights on a regular grid over x and y, centred on its frame; solid below.
struct HeightfieldData {
  int xSamples = 0, ySamples = 0;  ///< >= 2 each
  double xSize = 0, ySize = 0;     ///< m, from the first to the last sample
  std::vector<double> heights;     ///< m, [ySamples][xSamples], x runs fastest
};
struct Heightfield {
  std::shared_ptr<const HeightfieldData> data;

  static constexpr const char *name = "heightfield", *className = "Heightfield";
  static constexpr ObjectType objectType = ObjectType::HEIGHTMAP;
  static constexpr ShapeType shapeType = ShapeType::NotShape;
};

/// The table of shapes: solids of simple form first, collision::Kind in the same order.
using Shape = std::variant<SphereShape, BoxShape, CylinderShape, CapsuleShape, EllipsoidShape,
                           Plane, MeshShape, Heightfield>;

/// What lengths alone tell.
template <class S>
concept ParametricShape = requires {
  S::parameters();
};
/// The same, with a volume: a file of geometry/shapes/.
template <class S>
concept SolidShape = ParametricShape<S> && requires(const S& s) {
  s.half();
};

/// f(p) for each Parameter p of S.
template <ParametricShape S, class F>
void forEachParameter(const F& f) {
  std::apply([&](const auto&... p) { (f(p), ...); }, S::parameters());
}

/// f(name, number) for a parameter's value: itself, or its x, y and z.
template <class V, class F>
void forEachNumber(const char* name, V& value, const F& f) {
  if constexpr (std::is_same_v<std::remove_const_t<V>, double>)
    f(name, value);
  else
    f("x", value.x), f("y", value.y), f("z", value.z);
}
/// f(name, number) for all numbers of a shape.
template <class S, class F>
requires ParametricShape<std::remove_const_t<S>>
void forEachNumber(S& shape, const F& f) {
  forEachParameter<std::remove_const_t<S>>(
      [&](const auto& p) { forEachNumber(p.name, shape.*p.member, f); });
}

/// f(S()) for each solid S of the table.
template <class F>
void forEachSolid(const F& f) {
  [&]<class... S>(std::type_identity<std::variant<S...>>) {
    const auto one = [&]<class T>(std::type_identity<T>) {
      if constexpr (SolidShape<T>) f(T());
    };
    (one(std::type_identity<S>()), ...);
  }(std::type_identity<Shape>());
}

/// The solid of the first type for which is(S()) holds, its parameters filled in by
/// read(parameter, value); none where there is no such type.
template <class Is, class Read>
std::optional<Shape> makeSolid(const Is& is, const Read& read) {
  std::optional<Shape> made;
  forEachSolid([&]<class S>(S solid) {
    if (made || !is(solid)) return;
    forEachParameter<S>([&](const auto& p) { read(p, solid.*p.member); });
    made = solid;
  });
  return made;
}
/// The same by name.
template <class Read>
std::optional<Shape> solidNamed(std::string_view name, const Read& read) {
  return makeSolid([&](const auto& solid) { return name == solid.name; }, read);
}

/// Names of all solids: "sphere, box, ...".
std::string solidNames();
bool isSolidName(std::string_view name);

/// Whether the lengths are finite and above zero, or zero where that is allowed.
template <ParametricShape S>
bool hasExtent(const S& shape) {
  bool good = true;
  forEachParameter<S>([&](const auto& p) {
    forEachNumber(p.name, shape.*p.member, [&](const char*, double x) {
      good = good && x <= std::numeric_limits<double>::max() && (x > 0 || (p.canBeZero && x == 0));
    });
  });
  return good;
}

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

#include "espalier/collision/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "espalier/core/check.h"
#include "espalier/core/overloaded.h"
#include "espalier/spatial/finite.h"

namespace espalier::collision {
namespace {

void requireLength(double length, const char* what) {
  ESPALIER_REQUIRE(std::isfinite(length) && length > 0,
                   std::string(what) + " is " + std::to_string(length));
}

template <class S>
void requireExtent(const S& solid) {
  if (hasExtent(solid)) return;
  std::string all;
  forEachNumber(solid, [&](const char* name, double x) {
    all += std::string(all.empty() ? "" : ", ") + name + " = " + std::to_string(x);
  });
  ESPALIER_REQUIRE(false, std::string("a ") + solid.name + " has " + all);
}

void requireWhole(const HeightfieldData& d) {
  ESPALIER_REQUIRE(d.xSamples >= 2 && d.ySamples >= 2, "a heightfield needs 2 x 2 samples");
  requireLength(d.xSize, "a heightfield's x size");
  requireLength(d.ySize, "a heightfield's y size");
  ESPALIER_REQUIRE(d.heights.size() == static_cast<std::size_t>(d.xSamples) * d.ySamples,
                   "a heightfield of " + std::to_string(d.xSamples) + " x " +
                       std::to_string(d.ySamples) + " samples has " +
                       std::to_string(d.heights.size()) + " heights");
  for (const double h : d.heights) ESPALIER_REQUIRE(std::isfinite(h), "a height is not finite");
}

void requireWhole(const TriangleMesh& d) {
  ESPALIER_REQUIRE(!d.triangles.empty(), "a mesh has no triangles");
  for (const Vec3d& v : d.vertices) ESPALIER_REQUIRE(isFinite(v), "a vertex is not finite");
  const int n = static_cast<int>(d.vertices.size());
  for (const auto& t : d.triangles)
    for (const int v : t) ESPALIER_REQUIRE(v >= 0 && v < n, "a triangle names no vertex");
}

/// The box of the vertices; the radius reaches from the frame's origin.
void setBox(Geom& g, const std::vector<Vec3d>& vertices) {
  Vec3d lo = vertices[0], hi = lo;
  for (const Vec3d& v : vertices) {
    lo = {min(lo.x, v.x), min(lo.y, v.y), min(lo.z, v.z)};
    hi = {max(hi.x, v.x), max(hi.y, v.y), max(hi.z, v.z)};
    g.radius = max(g.radius, norm(v));
  }
  g.middle = (lo + hi) * 0.5;
  g.size = (hi - lo) * 0.5;
}

/// Solid below: the box goes down by the field's own width, so that what has sunk is still seen.
void setBox(Geom& g, const HeightfieldData& d) {
  const auto [low, high] = std::minmax_element(d.heights.begin(), d.heights.end());
  const double bottom = *low - max(d.xSize, d.ySize);
  g.middle = {0, 0, (*high + bottom) / 2};
  g.size = {d.xSize / 2, d.ySize / 2, (*high - bottom) / 2};
  g.radius = norm(g.middle) + norm(g.size);
}

double thinOf(const Geom& g) {
  if (g.kind == Kind::Plane || g.kind == Kind::Heightfield)
    return std::numeric_limits<double>::infinity();
  if (g.kind == Kind::Trimesh) return 0;
  return g.kind == Kind::Capsule ? g.size.x : min(g.size.x, min(g.size.y, g.size.z));
}

}  // namespace

Geom makeGeom(const Shape& shape, bool isStatic) {
  Geom g{};
  g.X_WG = identityTransform<double>();
  g.kind = static_cast<Kind>(shape.index());
  g.isAlive = true;
  g.isEnabled = true;
  g.isStatic = isStatic;
  g.owner = -1;
  std::visit(Overloaded{[&]<SolidShape S>(const S& s) {
                          requireExtent(s);
                          g.size = s.half();
                          g.radius = s.bound();
                        },
                        [&](const Plane&) { g.radius = std::numeric_limits<double>::infinity(); },
                        [&](const MeshShape& m) {
                          ESPALIER_REQUIRE(m.data, "mesh " + m.file + " was not loaded");
                          ESPALIER_REQUIRE(m.maxHullVertices >= 4,
                                           "a hull of " + std::to_string(m.maxHullVertices) +
                                               " vertices has no volume; give at least 4");
                          requireWhole(*m.data);
                          setBox(g, m.data->vertices);
                          g.mesh = m.data.get();
                          if (isStatic && !m.isConvex) g.kind = Kind::Trimesh;
                        },
                        [&](const Heightfield& h) {
                          ESPALIER_REQUIRE(h.data, "a heightfield has no data");
                          requireWhole(*h.data);
                          setBox(g, *h.data);
                        }},
             shape);
  g.thin = thinOf(g);
  return g;
}

void setBounds(const Geom& g, double by, Corners& box) {
  const Mat3d& R = g.X_WG.R;
  const auto four = [](double x, double y, double z) { return Four(Four::Vector{x, y, z, 0}); };
  // The world's axes in the geom's frame.
  const Vec3<Four> axes{four(R.r0.x, R.r1.x, R.r2.x), four(R.r0.y, R.r1.y, R.r2.y),
                        four(R.r0.z, R.r1.z, R.r2.z)};
  Vec3d at = g.X_WG.p;
  Four half{};
  if (g.kind < Kind::Plane) {
    half = withSolid(g.kind, [&]<class S>(S) { return S::reach(axes, g.size, Four(0.0)); });
  } else if (g.kind != Kind::Plane) {
    at = g.X_WG * g.middle;
    half = BoxShape::reach(axes, g.size, Four(0.0));
  }
  const Four centre = four(at.x, at.y, at.z), grown = half + Four(by);
  box.lo = centre - grown;
  box.hi = centre + grown;
}

}  // namespace espalier::collision

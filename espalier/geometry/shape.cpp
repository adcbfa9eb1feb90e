#include "espalier/geometry/shape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "espalier/core/check.h"
#include "espalier/core/overloaded.h"

namespace espalier {
namespace {

/// Whether every edge has a triangle on either side: whether at every vertex the edges that leave it
/// are those that come to it.
bool isClosed(const TriangleMesh& mesh) {
  const std::size_t n = mesh.vertices.size();
  // The other ends of the edges at vertex v, leaving and coming: [begin[v], begin[v + 1]).
  std::vector<int> begin(n + 1, 0), leaving(3 * mesh.triangles.size()), coming(leaving.size());
  for (const auto& t : mesh.triangles)
    for (const int v : t) ++begin[static_cast<std::size_t>(v) + 1];
  for (std::size_t v = 0; v < n; ++v) begin[v + 1] += begin[v];
  // A vertex of a triangle has one edge that leaves it and one that comes to it.
  std::vector<int> next(begin.begin(), begin.end() - 1);
  for (const auto& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      const auto place = static_cast<std::size_t>(next[t[k]]++);
      leaving[place] = t[(k + 1) % 3];
      coming[place] = t[(k + 2) % 3];
    }
  for (std::size_t v = 0; v < n; ++v) {
    std::sort(leaving.begin() + begin[v], leaving.begin() + begin[v + 1]);
    std::sort(coming.begin() + begin[v], coming.begin() + begin[v + 1]);
  }
  return leaving == coming;
}

/// Mean of a mesh's surface, m: sum of A (a+b+c)/3 over sum of A, A a triangle's area. The origin
/// where it has no area.
Vec3d centroidOf(const TriangleMesh& mesh) {
  Vec3d sum{0, 0, 0};
  double area = 0;
  for (const auto& t : mesh.triangles) {
    const Vec3d a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
    const double twice = norm(cross(b - a, c - a));
    area += twice;
    sum += (a + b + c) * (twice / 3);
  }
  return area > 0 ? sum * (1 / area) : Vec3d{0, 0, 0};
}

/// Integrals over a mesh by signed tetrahedra (o, a, b, c), here with o = 0. Where the mesh is closed
/// they do not depend on o; an open one is closed by the cone from its edges to o, its centroid:
///   V = sum d/6,  h = sum d/24 (a+b+c),  C = sum d/120 (sum of aa' + (a+b+c)(a+b+c)')
struct MeshIntegrals {
  double volume = 0;
  Vec3d first{0, 0, 0};
  Sym3<double> second{0, 0, 0, 0, 0, 0};
};

MeshIntegrals integrate(const TriangleMesh& mesh) {
  MeshIntegrals sum;
  const bool closed = isClosed(mesh);
  const Vec3d o = closed ? Vec3d{0, 0, 0} : centroidOf(mesh);
  for (const auto& t : mesh.triangles) {
    const Vec3d a = mesh.vertices[t[0]] - o, b = mesh.vertices[t[1]] - o,
                c = mesh.vertices[t[2]] - o;
    const double d = dot(a, cross(b, c));
    const Vec3d s = a + b + c;
    sum.volume += d / 6;
    sum.first += s * (d / 24);
    for (const Vec3d& v : {a, b, c, s}) {
      const double k = d / 120;
      sum.second += Sym3<double>{k * v.x * v.x, k * v.x * v.y, k * v.x * v.z,
                                 k * v.y * v.y, k * v.y * v.z, k * v.z * v.z};
    }
  }
  if (closed) return sum;
  // From o to the mesh's frame: C += o h' + h o' + V o o',  h += V o.
  const Vec3d h = sum.first, g = h + o * sum.volume;
  sum.first = g;
  sum.second += Sym3<double>{o.x * (h.x + g.x), o.x * g.y + h.x * o.y, o.x * g.z + h.x * o.z,
                             o.y * (h.y + g.y), o.y * g.z + h.y * o.z, o.z * (h.z + g.z)};
  return sum;
}

RigidInertia<double> meshInertia(const TriangleMesh& mesh, double mass) {
  const MeshIntegrals m = integrate(mesh);
  ESPALIER_REQUIRE(m.volume > 0, "the mesh encloses no volume: close it, or turn its triangles");
  const double k = mass / m.volume;
  const Sym3<double>& c = m.second;
  return {
      mass,
      m.first * k,
      {k * (c.yy + c.zz), -k * c.xy, -k * c.xz, k * (c.xx + c.zz), -k * c.yz, k * (c.xx + c.yy)}};
}

[[noreturn]] RigidInertia<double> noVolume(const char* name) {
  core::throwInvalidArgument("shape has a volume", std::string("a ") + name + " has no mass");
}

}  // namespace

std::string solidNames() {
  std::string names;
  forEachSolid([&](const auto& s) { names += (names.empty() ? "" : ", ") + std::string(s.name); });
  return names;
}
bool isSolidName(std::string_view name) {
  return solidNamed(name, [](const auto&, auto&) {}).has_value();
}

const char* shapeName(const Shape& shape) {
  return std::visit([](const auto& s) { return s.name; }, shape);
}

double volume(const Shape& shape) {
  return std::visit(
      Overloaded{[](const SolidShape auto& s) { return s.volume(); },
                 [](const MeshShape& m) { return m.data ? integrate(*m.data).volume : 0.0; },
                 [](const auto&) { return 0.0; }},
      shape);
}

RigidInertia<double> inertia(const Shape& shape, double mass) {
  return std::visit(Overloaded{[&](const SolidShape auto& s) { return s.inertia(mass); },
                               [&](const MeshShape& m) {
                                 ESPALIER_REQUIRE(m.data, "mesh " + m.file + " was not loaded");
                                 return meshInertia(*m.data, mass);
                               },
                               [&](const auto& s) { return noVolume(s.name); }},
                    shape);
}

double lowestPoint(const Shape& shape, const Transformd& X_WG) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Vec3d down = X_WG.R.r2;  // world z in the shape's axes
  const double z = X_WG.p.z;
  return std::visit(
      Overloaded{[&]<SolidShape S>(const S& s) { return z - S::reach(-down, s.half(), 0.0); },
                 [&](const Plane&) { return -infinity; },
                 [&](const MeshShape& m) {
                   double lowest = infinity;
                   if (m.data)
                     for (const Vec3d& v : m.data->vertices)
                       lowest = std::min(lowest, z + dot(down, v));
                   return lowest;
                 },
                 [&](const Heightfield& f) {
                   double lowest = infinity;
                   if (f.data)
                     for (double h : f.data->heights) lowest = std::min(lowest, z + h);
                   return lowest;
                 }},
      shape);
}

}  // namespace espalier

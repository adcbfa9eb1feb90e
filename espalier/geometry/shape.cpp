#include "espalier/geometry/shape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "espalier/core/check.h"
#include "espalier/core/overloaded.h"

namespace espalier {
namespace {

/// Moments of a body symmetric about its three axes, mass centred.
RigidInertia<double> centred(double mass, double xx, double yy, double zz) {
  return {mass, {0, 0, 0}, {xx, 0, 0, yy, 0, zz}};
}

RigidInertia<double> capsule(const CapsuleShape& c, double mass) {
  // Shared out by volume between the cylinder and the two half spheres; a half sphere's centre
  // of mass lies 3r/8 beyond the cylinder's end.
  const double r = c.radius, l = c.height;
  const double cylinderVolume = std::numbers::pi * r * r * l;
  const double sphereVolume = 4.0 / 3.0 * std::numbers::pi * r * r * r;
  const double mc = mass * cylinderVolume / (cylinderVolume + sphereVolume), ms = mass - mc;
  const double zz = mc * r * r / 2 + ms * 2 * r * r / 5;
  const double xx =
      mc * (l * l / 12 + r * r / 4) + ms * (2 * r * r / 5 + l * l / 4 + 3 * l * r / 8);
  return centred(mass, xx, xx, zz);
}

/// Integrals over a closed mesh by signed tetrahedra (origin, a, b, c):
///   V = sum d/6,  h = sum d/24 (a+b+c),  C = sum d/120 (sum of aa' + (a+b+c)(a+b+c)')
struct MeshIntegrals {
  double volume = 0;
  Vec3d first{0, 0, 0};
  Sym3<double> second{0, 0, 0, 0, 0, 0};
};

MeshIntegrals integrate(const TriangleMesh& mesh) {
  MeshIntegrals sum;
  for (const auto& t : mesh.triangles) {
    const Vec3d a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
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

const char* shapeName(const Shape& shape) {
  static constexpr const char* names[] = {"sphere", "box",  "cylinder",   "capsule",
                                          "plane",  "mesh", "heightfield"};
  return names[shape.index()];
}

double volume(const Shape& shape) {
  constexpr double pi = std::numbers::pi;
  return std::visit(
      Overloaded{
          [](const SphereShape& s) { return 4.0 / 3.0 * pi * s.radius * s.radius * s.radius; },
          [](const BoxShape& b) { return b.size.x * b.size.y * b.size.z; },
          [](const CylinderShape& c) { return pi * c.radius * c.radius * c.height; },
          [](const CapsuleShape& c) {
            return pi * c.radius * c.radius * (c.height + 4.0 / 3.0 * c.radius);
          },
          [](const Plane&) { return 0.0; },
          [](const MeshShape& m) { return m.data ? integrate(*m.data).volume : 0.0; },
          [](const Heightfield&) { return 0.0; }},
      shape);
}

RigidInertia<double> inertia(const Shape& shape, double mass) {
  return std::visit(Overloaded{[&](const SphereShape& s) {
                                 const double i = 0.4 * mass * s.radius * s.radius;
                                 return centred(mass, i, i, i);
                               },
                               [&](const BoxShape& b) {
                                 const double x = b.size.x * b.size.x, y = b.size.y * b.size.y,
                                              z = b.size.z * b.size.z, k = mass / 12;
                                 return centred(mass, k * (y + z), k * (x + z), k * (x + y));
                               },
                               [&](const CylinderShape& c) {
                                 const double r2 = c.radius * c.radius;
                                 const double side = mass * (r2 / 4 + c.height * c.height / 12);
                                 return centred(mass, side, side, mass * r2 / 2);
                               },
                               [&](const CapsuleShape& c) { return capsule(c, mass); },
                               [&](const Plane&) { return noVolume("plane"); },
                               [&](const MeshShape& m) {
                                 ESPALIER_REQUIRE(m.data, "mesh " + m.file + " was not loaded");
                                 return meshInertia(*m.data, mass);
                               },
                               [&](const Heightfield&) { return noVolume("heightfield"); }},
                    shape);
}

double lowestPoint(const Shape& shape, const Transformd& X_WG) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Vec3d down = X_WG.R.r2;  // world z in the shape's axes
  const double z = X_WG.p.z;
  return std::visit(
      Overloaded{
          [&](const SphereShape& s) { return z - s.radius; },
          [&](const BoxShape& b) {
            return z - 0.5 * (std::abs(down.x) * b.size.x + std::abs(down.y) * b.size.y +
                              std::abs(down.z) * b.size.z);
          },
          [&](const CylinderShape& c) {
            return z - c.radius * std::hypot(down.x, down.y) - 0.5 * c.height * std::abs(down.z);
          },
          [&](const CapsuleShape& c) { return z - c.radius - 0.5 * c.height * std::abs(down.z); },
          [&](const Plane&) { return -infinity; },
          [&](const MeshShape& m) {
            double lowest = infinity;
            if (m.data)
              for (const Vec3d& v : m.data->vertices) lowest = std::min(lowest, z + dot(down, v));
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

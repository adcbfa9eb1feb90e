#include "espalier/io/mjcf/mjcf_solid.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "espalier/core/overloaded.h"
#include "espalier/io/spec_links.h"
#include "espalier/model/spec/principal_axes.h"

namespace espalier::io {
namespace {

constexpr double least_content = 1e-15;  // m^3 or m^2: below it MuJoCo finds none

/// A face seen from a point o: its corners from o, its area, and d = 6 times the volume of the
/// pyramid from o.
struct Face {
  Vec3d a, b, c;
  double area, d;
};

template <class Visit>
void forEachFace(const TriangleMesh& mesh, const Vec3d& o, const Visit& visit) {
  const auto at = [&](int i) { return mesh.vertices[i] - o; };
  for (const auto& t : mesh.triangles) {
    const Vec3d a = at(t[0]), b = at(t[1]), c = at(t[2]);
    const Vec3d twice = cross(b - a, c - a);
    visit(Face{a, b, c, norm(twice) / 2, dot(a, twice)});
  }
}

/// Volume of the face's pyramid by the rule; of a shell the face's area.
double contentOf(const Face& face, MjcfMeshMass rule) {
  if (rule == MjcfMeshMass::SHELL) return face.area;
  return rule == MjcfMeshMass::LEGACY ? std::abs(face.d) / 6 : face.d / 6;
}

/// Mean of the surface.
Vec3d surfaceCentroid(const TriangleMesh& mesh) {
  Vec3d sum{0, 0, 0};
  double area = 0;
  forEachFace(mesh, {0, 0, 0}, [&](const Face& f) {
    sum += (f.a + f.b + f.c) * (f.area / 3);
    area += f.area;
  });
  return area > least_content ? sum * (1 / area) : Vec3d{0, 0, 0};
}

RigidInertia<double> centred(double xx, double yy, double zz) {
  return {1, {0, 0, 0}, {xx, 0, 0, yy, 0, zz}};
}

}  // namespace

Sym3<double> mjcfMoments(const Sym3<double>& I) {
  constexpr double least_product = 1e-7;  // of the largest moment about the given axes
  constexpr int most_turns = 500;
  const double enough = least_product * std::max({I.xx, I.yy, I.zz});
  Mat3d R = identity3<double>();  // columns: the axes
  Sym3<double> d = I;             // about them
  for (int turn = 0; turn < most_turns; ++turn) {
    const std::array<double, 3> off{std::abs(d.xy), std::abs(d.xz), std::abs(d.yz)};
    // The largest; of equal ones the last.
    const int worst = off[0] > off[1] && off[0] > off[2] ? 0 : off[1] > off[2] ? 1 : 2;
    if (!(off[worst] >= enough && off[worst] > 0)) break;
    // Turns the axes j, k about the third, so that their product vanishes.
    const std::array<double, 3> moments{d.xx, d.yy, d.zz}, products{d.xy, d.xz, d.yz};
    const int j = worst == 2 ? 1 : 0, k = worst == 0 ? 1 : 2;
    const double tau = (moments[k] - moments[j]) / (2 * products[worst]);
    const double tangent = (tau >= 0 ? 1 : -1) / (std::abs(tau) + std::sqrt(1 + tau * tau));
    const double c = 1 / std::sqrt(1 + tangent * tangent), s = c * tangent;
    std::array<std::array<double, 3>, 3> J{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    J[j][j] = J[k][k] = c;
    J[j][k] = s;
    J[k][j] = -s;
    R = mul(R, Mat3d{{J[0][0], J[0][1], J[0][2]},
                     {J[1][0], J[1][1], J[1][2]},
                     {J[2][0], J[2][1], J[2][2]}});
    d = congruence(R, I);
  }
  return congruence(transpose(R), Sym3<double>{d.xx, 0, 0, d.yy, 0, d.zz});
}

std::optional<MjcfSolid> mjcfMeshSolid(const TriangleMesh& mesh, MjcfMeshMass rule) {
  const Vec3d f = surfaceCentroid(mesh);
  const bool isShell = rule == MjcfMeshMass::SHELL;
  double first = 0;
  Vec3d moment{0, 0, 0};  // of the pyramids from f, about f
  forEachFace(mesh, f, [&](const Face& face) {
    const double v = contentOf(face, rule);
    first += v;
    moment += (face.a + face.b + face.c) * (v / (isShell ? 3 : 4));
  });
  if (!(first > least_content) || !std::isfinite(first)) return std::nullopt;
  const Vec3d c = f + moment * (1 / first);

  double content = 0;
  Sym3<double> second{0, 0, 0, 0, 0, 0};  // integral of r r' about c
  forEachFace(mesh, c, [&](const Face& face) {
    const double v = contentOf(face, rule), k = v / (isShell ? 12 : 20);
    content += v;
    for (const Vec3d& r : {face.a, face.b, face.c, face.a + face.b + face.c})
      second += Sym3<double>{k * r.x * r.x, k * r.x * r.y, k * r.x * r.z,
                             k * r.y * r.y, k * r.y * r.z, k * r.z * r.z};
  });
  if (!(content > least_content) || !std::isfinite(content)) return std::nullopt;
  const Sym3<double>& s = second;
  const Sym3<double> I = mjcfMoments({s.yy + s.zz, -s.xy, -s.xz, s.xx + s.zz, -s.yz, s.xx + s.yy});
  const double k = 1 / content;
  const RigidInertia<double> aboutC{
      1, {0, 0, 0}, {k * I.xx, k * I.xy, k * I.xz, k * I.yy, k * I.yz, k * I.zz}};
  return MjcfSolid{content, toParent(identity3<double>(), c, aboutC)};
}

std::optional<MjcfSolid> mjcfShell(const Shape& shape) {
  constexpr double pi = std::numbers::pi;
  using Result = std::optional<MjcfSolid>;
  return std::visit(
      Overloaded{
          [](const SphereShape& s) -> Result {
            const double i = s.radius * s.radius * 2 / 3;
            return MjcfSolid{4 * pi * s.radius * s.radius, centred(i, i, i)};
          },
          [](const BoxShape& b) -> Result {
            // Mean squares of the coordinates over three pairs of faces: L^2/4 on the faces that
            // cut an edge of length L, L^2/12 on the other four.
            const double x = b.size.x, y = b.size.y, z = b.size.z;
            const double ax = y * z, ay = z * x, az = x * y, all = ax + ay + az;
            const auto meanSquare = [&](double l, double own) {
              return l * l * (own / 4 + (all - own) / 12) / all;
            };
            const double xx = meanSquare(x, ax), yy = meanSquare(y, ay), zz = meanSquare(z, az);
            return MjcfSolid{2 * all, centred(yy + zz, xx + zz, xx + yy)};
          },
          [](const CylinderShape& c) -> Result {
            const double r = c.radius, h = c.height, all = h + r;
            const double side = h / all, caps = r / all;  // shares of the area
            const double across = side * (r * r / 2 + h * h / 12) + caps * (r * r / 4 + h * h / 4);
            return MjcfSolid{2 * pi * r * all,
                             centred(across, across, side * r * r + caps * r * r / 2)};
          },
          [](const CapsuleShape& c) -> Result {
            // A half sphere's surface has its centre r/2 beyond the cylinder's end.
            const double r = c.radius, h = c.height, all = h + 2 * r;
            const double side = h / all, caps = 2 * r / all;
            const double across =
                side * (r * r / 2 + h * h / 12) + caps * (r * r * 2 / 3 + h * h / 4 + h * r / 2);
            return MjcfSolid{2 * pi * r * all,
                             centred(across, across, side * r * r + caps * r * r * 2 / 3)};
          },
          [](const auto&) -> Result { return std::nullopt; }},
      shape);
}

MjcfInertiaBox mjcfInertiaBox(const MjcfSolid& solid) {
  MjcfInertiaBox box;
  if (!(solid.unit.m > 0)) return box;
  const InertialSpec centred = aboutCentre(solid.unit);
  const PrincipalAxes axes = principalAxes(centred.I);
  std::array<int, 3> order{0, 1, 2};
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return axes.moments[a] > axes.moments[b]; });
  const double sum = std::accumulate(axes.moments.begin(), axes.moments.end(), 0.0);
  const Mat3d columns = transpose(axes.R);
  const std::array<Vec3d, 3> e{columns.r0, columns.r1, columns.r2};
  for (int i = 0; i < 3; ++i) {
    // I_i = (h_j^2 + h_k^2) / 3
    const double square = 3.0 / 2 * (sum - 2 * axes.moments[order[i]]);
    box.half[i] = std::sqrt(std::max(0.0, square));
  }
  const Vec3d x = e[order[0]], y = e[order[1]];
  box.X_GB = {transpose(Mat3d{x, y, cross(x, y)}), centred.X_LC.p};
  return box;
}

std::array<double, 3> fittedSize(const std::string& type, const std::array<double, 3>& half) {
  const double across = (half[0] + half[1]) / 2;
  if (type == "sphere") return {(half[0] + half[1] + half[2]) / 3, 0, 0};
  if (type == "capsule") return {across, std::max(0.0, half[2] - across / 2), 0};
  if (type == "cylinder") return {across, half[2], 0};
  return half;
}

}  // namespace espalier::io

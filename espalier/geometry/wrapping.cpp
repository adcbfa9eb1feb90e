// In the plane of the circle, with O its centre, r its radius and phi the angle about O:
//
//   outside  the tangents from a and b touch at phi_a + s acos(r / |a|) and phi_b - s acos(r / |b|),
//            s = 1 LEFT, -1 RIGHT; the arc between them is s (phi_b - phi_a) less both angles
//   inside   a string from a to w and on to b, w on the circle, is shortest where both legs make the
//            same angle psi with the normal in w. The angle at O between a and w is
//            psi - asin(sin(psi) r / |a|), so that psi is the root of
//              F(psi) = 2 psi - asin(A sin psi) - asin(B sin psi) - gamma,  A = r / |a|, B = r / |b|,
//            gamma the angle at O between a and b; F increases in psi, and F(pi/2) > 0 where the
//            straight string misses the circle
//
// A sphere's circle lies in the plane of a, b and O; on a cylinder, unrolled, the string climbs evenly:
// its length is the hypotenuse of that in the plane and the height.

#include "espalier/geometry/wrapping.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "espalier/scalar/atan2.h"
#include "espalier/scalar/sincos.h"

namespace espalier {
namespace {

using std::numbers::pi;

struct Vec2d {
  double x = 0, y = 0;
};
double dot(const Vec2d& a, const Vec2d& b) { return a.x * b.x + a.y * b.y; }
double crossOf(const Vec2d& a, const Vec2d& b) { return a.x * b.y - a.y * b.x; }
double norm(const Vec2d& a) { return std::hypot(a.x, a.y); }
Vec2d operator*(double s, const Vec2d& a) { return {s * a.x, s * a.y}; }
Vec2d operator+(const Vec2d& a, const Vec2d& b) { return {a.x + b.x, a.y + b.y}; }
Vec2d operator-(const Vec2d& a, const Vec2d& b) { return {a.x - b.x, a.y - b.y}; }
/// Counter-clockwise, by the angle of this cosine and sine.
Vec2d turned(const Vec2d& a, double c, double s) { return {c * a.x - s * a.y, s * a.x + c * a.y}; }

double asin(double x) { return atan2(x, std::sqrt(1 - x * x)); }

/// The axes of the circle's plane in the surface's frame.
struct Frame {
  Vec3d x{1, 0, 0}, y{0, 1, 0};
  Vec2d operator()(const Vec3d& p) const { return {dot(p, x), dot(p, y)}; }
  Vec3d operator()(const Vec2d& p) const { return x * p.x + y * p.y; }
};

/// Of a sphere: x towards a, b in the upper half plane; where a and b lie on one line with the centre,
/// any plane through it.
Frame frameOf(const Vec3d& a, const Vec3d& b) {
  constexpr double parallel = 1e-12;
  Frame frame;
  frame.x = a * (1 / norm(a));
  Vec3d normal = cross(a, b);
  if (norm(normal) <= parallel * norm(a) * norm(b)) {
    const Vec3d& x = frame.x;
    const bool isAlongX = std::abs(x.x) > std::max(std::abs(x.y), std::abs(x.z));
    normal = cross(x, isAlongX                        ? Vec3d{0, 1, 1}
                      : std::abs(x.y) > std::abs(x.z) ? Vec3d{1, 0, 1}
                                                      : Vec3d{1, 1, 0});
  }
  frame.y = cross(normal, frame.x);
  frame.y = frame.y * (1 / norm(frame.y));
  return frame;
}

/// A string in the circle's plane.
struct Round {
  WrapWay way = WrapWay::STRAIGHT;
  Vec2d first, second;
  double arc = 0;
};

/// Of the straight string, next to the centre.
Vec2d nearestPoint(const Vec2d& a, const Vec2d& b) {
  const Vec2d way = b - a;
  const double square = dot(way, way);
  const double at = square > 0 ? std::clamp(-dot(a, way) / square, 0.0, 1.0) : 0;
  return a + at * way;
}

/// Signed excess of the arc over 0, rad, in (-2 pi, 2 pi).
///   in  turn      from a to b about the centre, in (-pi, pi]
///   in  la2, lb2  squares of the lengths of the tangents
template <class T>
T arcOf(double r, double sign, const T& turn, const T& la2, const T& lb2) {
  return T(sign) * turn - atan2(sqrt(la2), T(r)) - atan2(sqrt(lb2), T(r));
}

/// From a to b about the centre, in (-pi, pi].
double angleFrom(const Vec2d& a, const Vec2d& b) { return atan2(crossOf(a, b), dot(a, b)); }

/// One of the two ways round.
Round goRound(double r, const Vec2d& a, const Vec2d& b, WrapWay way) {
  const double sign = way == WrapWay::LEFT ? 1 : -1;
  const double la2 = dot(a, a) - r * r, lb2 = dot(b, b) - r * r;
  const double arc = arcOf(r, sign, angleFrom(a, b), la2, lb2);
  const auto touch = [&](const Vec2d& p, double l2, double side) {
    const double d2 = dot(p, p);
    return turned(r * r / d2 * p, 1, side * std::sqrt(l2) / r);
  };
  return {way, touch(a, la2, sign), touch(b, lb2, -sign), r * (arc < 0 ? arc + 2 * pi : arc)};
}

/// Led round on a side, the string goes as the way from a by that side to b does, with the same angle
/// about the centre; else the way whose touches are next to each other, where the straight one is barred.
Round goOutside(double r, const Vec2d& a, const Vec2d& b, const std::optional<Vec2d>& side) {
  const bool isClear = norm(nearestPoint(a, b)) > r;
  if (side && norm(*side) > 0) {
    const double turn = angleFrom(a, *side) + angleFrom(*side, b);
    if (isClear && std::abs(turn - angleFrom(a, b)) < pi) return {};
    return goRound(r, a, b, turn > 0 ? WrapWay::LEFT : WrapWay::RIGHT);
  }
  if (isClear) return {};
  const auto apart = [](const Round& round) { return norm(round.first - round.second); };
  const Round right = goRound(r, a, b, WrapWay::RIGHT), left = goRound(r, a, b, WrapWay::LEFT);
  return apart(right) < apart(left) ? right : left;
}

/// psi of the shortest string by way of the circle.
double angleOfIncidence(double A, double B, double gamma) {
  double low = 0, high = pi / 2, psi = std::min(gamma / std::max(2 - A - B, 1e-3), high);
  for (int i = 0; i < 100; ++i) {
    double s, c;
    sincos(psi, s, c);
    const double f = 2 * psi - asin(A * s) - asin(B * s) - gamma;
    const double slope =
        2 - A * c / std::sqrt(1 - A * A * s * s) - B * c / std::sqrt(1 - B * B * s * s);
    const double step = f / slope;
    if (std::abs(step) <= 1e-16) break;
    (f > 0 ? high : low) = psi;
    psi -= step;
    if (!(psi > low && psi < high)) psi = (low + high) / 2;
  }
  return psi;
}

Round goInside(double r, const Vec2d& a, const Vec2d& b) {
  const Vec2d nearest = nearestPoint(a, b);
  if (norm(nearest) <= r) return {};
  const double A = r / norm(a), turn = angleFrom(a, b);
  const double psi = angleOfIncidence(A, r / norm(b), std::abs(turn));
  double s, c;
  sincos(psi, s, c);
  sincos(std::copysign(psi - asin(A * s), turn), s, c);
  const Vec2d w = turned(A * a, c, s);
  return {WrapWay::INSIDE, w, w, 0};
}

using Jet = Jet2<double>;

/// From the point at distance d from the centre to one on the circle, at the angle phi from it.
Jet legOf(double r, const Jet& d, const Jet& phi) {
  Jet s, c;
  sincos(phi, s, c);
  return sqrt(d * d + Jet(r * r) - Jet(2 * r) * d * c);
}

/// The shortest string by way of the circle. With phi the angle from a to w held, its length L moves
/// as seen in legs; letting phi follow takes L_phit^2 / L_phiphi off the second derivative.
Jet lengthInside(double r, const Jet& da, const Jet& db, const Jet& gamma) {
  const double A = r / da.v, psi = angleOfIncidence(A, r / db.v, gamma.v);
  double sine, cosine;
  sincos(psi, sine, cosine);
  const double phi = psi - asin(A * sine);
  Jet length = legOf(r, da, Jet(phi)) + legOf(r, db, gamma - Jet(phi));
  const auto slope = [r](const Jet& d, const Jet& angle) {  // of a leg along its angle
    Jet s, c;
    sincos(angle, s, c);
    return Jet(r) * d * s / legOf(r, d, angle);
  };
  const Jet mixed = slope(da, Jet(phi)) - slope(db, gamma - Jet(phi));
  const double curvature =
      legOf(r, Jet(da.v), Jet(phi, 1, 0)).dd + legOf(r, Jet(db.v), Jet(gamma.v - phi, 1, 0)).dd;
  if (curvature > 0) length.dd -= mixed.d * mixed.d / curvature;
  return length;
}

std::optional<Vec2d> inPlane(const Frame& plane, const std::optional<Vec3d>& p) {
  return p ? std::optional(plane(*p)) : std::nullopt;
}

}  // namespace

Wrapping wrap(const WrapSurface& surface, const Vec3d& a, const Vec3d& b,
              const std::optional<Vec3d>& side) {
  const double r = surface.radius;
  const bool isSphere = !surface.isCylinder;
  Wrapping result;
  result.first = result.second = (a + b) * 0.5;
  if (isSphere && !(norm(a) > 0 && norm(b) > 0)) return result;
  const Frame plane = isSphere ? frameOf(a, b) : Frame{};
  const Vec2d pa = plane(a), pb = plane(b);
  if (!(norm(pa) > r && norm(pb) > r && r > 0)) return result;
  const Round round =
      side && norm(*side) < r ? goInside(r, pa, pb) : goOutside(r, pa, pb, inPlane(plane, side));
  if (round.way == WrapWay::STRAIGHT) return result;
  result.way = round.way;
  result.first = plane(round.first);
  result.second = plane(round.second);
  result.arc = round.arc;
  if (isSphere) return result;
  const double before = norm(round.first - pa), behind = norm(pb - round.second);
  const double whole = before + round.arc + behind, height = b.z - a.z;
  const double climb = whole > 0 ? height / whole : 0;
  result.first.z = a.z + climb * before;
  result.second.z = b.z - climb * behind;
  result.arc = std::hypot(round.arc, climb * round.arc);
  return result;
}

Jet wrappedLength(const WrapSurface& surface, WrapWay way, const Vec3<Jet>& a, const Vec3<Jet>& b) {
  const double r = surface.radius;
  if (way == WrapWay::STRAIGHT) return espalier::norm(b - a);
  const Jet zero(0.0);
  const auto inPlane = [&](const Vec3<Jet>& p) {
    return surface.isCylinder ? Vec3<Jet>{p.x, p.y, zero} : p;
  };
  const Vec3<Jet> pa = inPlane(a), pb = inPlane(b), normal = cross(pa, pb);
  const Jet cosine = espalier::dot(pa, pb);
  // Of a cylinder signed about z; of a sphere about a x b, which is never below zero.
  const Jet sine = surface.isCylinder ? normal.z : espalier::norm(normal);
  const Jet turn = atan2(sine, cosine);
  const Jet da2 = espalier::dot(pa, pa), db2 = espalier::dot(pb, pb);
  Jet length;
  if (way == WrapWay::INSIDE) {
    length = lengthInside(r, sqrt(da2), sqrt(db2), abs(turn));
  } else {
    const Jet la2 = da2 - Jet(r * r), lb2 = db2 - Jet(r * r);
    Jet arc = arcOf(r, way == WrapWay::LEFT ? 1 : -1, turn, la2, lb2);
    if (arc.v < 0) arc += Jet(2 * pi);
    length = sqrt(la2) + Jet(r) * arc + sqrt(lb2);
  }
  if (!surface.isCylinder) return length;
  const Jet height = b.z - a.z;
  return sqrt(length * length + height * height);
}

}  // namespace espalier

#include "espalier/model/spec/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "espalier/model/spec/principal_axes.h"
#include "espalier/spatial/finite.h"

namespace espalier {
namespace {

constexpr double rounding_excess = 1e-3;  // excess that figures of three digits have
constexpr double impossible = 0.05;       // excess that is more than careless rounding
constexpr double point_radius = 1e-5;     // m, of gyration: no figure this small says anything

/// How far I is from that of a body made of mass; 0 for a point.
struct Excess {
  double relative = 0;  ///< (I3 - I1 - I2) over the largest moment
  bool isNegative = false;
};

/// A hundredth of the moment of a ball of osmium, 2/5 m r^2 with m = 22600 kg/m^3 4/3 pi r^3.
/// Smaller moments stand for a point.
double pointMoment(double mass) { return 1.925e-6 * std::pow(mass, 5.0 / 3.0); }

Excess excessOf(const Sym3<double>& inertia, double mass) {
  const auto [i1, i2, i3] = principalMoments(inertia);
  const double largest = std::max(std::abs(i1), std::abs(i3));
  if (largest <= point_radius * point_radius * mass + 1e-18) return {};
  const bool isNegative = i1 < -rounding_excess * largest;
  if (largest <= pointMoment(mass)) return {0, isNegative};
  return {(i3 - i1 - i2) / largest, isNegative};
}

bool isFinite(const Sym3<double>& s) {
  return isFinite(Vec3d{s.xx, s.xy, s.xz}) && isFinite(Vec3d{s.yy, s.yz, s.zz});
}

std::string print(const Sym3<double>& inertia) {
  const auto [i1, i2, i3] = principalMoments(inertia);
  return fmt::format("{:.4g}, {:.4g}, {:.4g}", i1, i2, i3);
}

/// The parts of one link that can be judged alone; true if its numbers can be used further.
bool checkAlone(const CheckReport& report, const LinkSpec& link) {
  const InertialSpec& inertial = *link.inertial;
  const Mat3d& R = inertial.X_LC.R;
  bool good = true;
  if (!std::isfinite(inertial.mass)) {
    report.error(link, "has a mass that is not a finite number", "give its mass in kg");
    good = false;
  } else if (inertial.mass < 0) {
    report.error(link, fmt::format("has the negative mass {:.4g} kg", inertial.mass),
                 "give its mass in kg, zero or more");
    good = false;
  }
  if (!isFinite(inertial.I) || !isFinite(inertial.X_LC.p) || !isFinite(R.r0) || !isFinite(R.r1) ||
      !isFinite(R.r2)) {
    report.error(link, "has an inertia or centre of mass that is not finite",
                 "give finite numbers, in m and kg m^2");
    return false;
  }
  return good;
}

/// Mass, centre and inertia of welded links, in the frame of the uppermost.
struct Body {
  double mass = 0;
  Vec3d moment{0, 0, 0};             ///< sum m c
  Sym3<double> I{0, 0, 0, 0, 0, 0};  ///< about the common centre of mass
  int links = 0;
};

Vec3d centreOf(const Body& body) {
  return body.mass > 0 ? body.moment * (1 / body.mass) : Vec3d{0, 0, 0};
}

/// R I R' + m (d.d 1 - d d'), the parallel axis theorem.
Sym3<double> carried(const Sym3<double>& inertia, const Mat3d& R, double mass, const Vec3d& d) {
  Sym3<double> i = congruence(transpose(R), inertia);
  const double dd = dot(d, d);
  i += Sym3<double>{mass * (dd - d.x * d.x), -mass * d.x * d.y, -mass * d.x * d.z,
                    mass * (dd - d.y * d.y), -mass * d.y * d.z, mass * (dd - d.z * d.z)};
  return i;
}

/// bodyOf[link] = uppermost link it is welded to; X[link] = pose in that link's frame.
void weld(const SystemSpec& spec, const SpecTree& tree, std::vector<int>& bodyOf,
          std::vector<Transformd>& X) {
  for (const int link : tree.order) {
    const int j = tree.parentJoint[link];
    bodyOf[link] = link;
    if (j < 0 || spec.joints[j].kind != JointKind::Fixed) continue;
    bodyOf[link] = bodyOf[tree.parentLink[link]];
    X[link] = X[tree.parentLink[link]] * spec.joints[j].X_PJ;
  }
}

std::vector<Body> compose(const SystemSpec& spec, const std::vector<int>& bodyOf,
                          const std::vector<Transformd>& X) {
  const std::size_t n = spec.links.size();
  std::vector<Body> bodies(n);
  for (std::size_t i = 0; i < n; ++i) {
    Body& body = bodies[bodyOf[i]];
    ++body.links;
    if (!spec.links[i].inertial) continue;
    const InertialSpec& inertial = *spec.links[i].inertial;
    body.mass += inertial.mass;
    body.moment += (X[i] * inertial.X_LC.p) * inertial.mass;
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (!spec.links[i].inertial) continue;
    const InertialSpec& inertial = *spec.links[i].inertial;
    Body& body = bodies[bodyOf[i]];
    const Transformd pose = X[i] * inertial.X_LC;
    body.I += carried(inertial.I, pose.R, inertial.mass, pose.p - centreOf(body));
  }
  return bodies;
}

void reportNegative(const CheckReport& report, const LinkSpec& link, bool isHarmless) {
  const std::string what = "has an inertia that is not positive: principal moments " +
                           print(link.inertial->I) + " kg m^2";
  if (isHarmless) {
    report.warn(link, what,
                "the body it is welded into has a positive one, and it is used as it is; check the "
                "signs of ixy, ixz, iyz");
  } else {
    report.error(link, what,
                 "give the inertia about the centre of mass; check the signs of ixy, ixz, iyz");
  }
}

/// in  body  the welded links that it belongs to
void checkTriangle(const CheckReport& report, const LinkSpec& link, const Body& body) {
  const double excess = excessOf(link.inertial->I, link.inertial->mass).relative;
  if (excess <= rounding_excess) return;
  const char* remedy =
      "no density gives a body such an inertia; it is used as it is, and the motion about its axes "
      "is not that of a real body: compute it again from its shape";
  if (body.links > 1 && excessOf(body.I, body.mass).relative <= impossible)
    remedy = "harmless, because it is welded into a larger body; better compute it again";
  else if (excess <= impossible)
    remedy = "close to a possible one and used as it is; better compute it again";
  report.warn(link,
              fmt::format("has an inertia that breaks the triangle inequality by {:.3g} %: "
                          "principal moments {} kg m^2",
                          100 * excess, print(link.inertial->I)),
              remedy);
}

}  // namespace

bool hasNegativeMoment(const Sym3<double>& inertia, double mass) {
  return excessOf(inertia, mass).isNegative;
}

void checkInertias(const CheckReport& report, const SpecTree& tree) {
  const SystemSpec& spec = report.spec;
  const std::size_t n = spec.links.size();
  bool good = true;
  for (const LinkSpec& link : spec.links)
    if (link.inertial) good = checkAlone(report, link) && good;
  if (!good) return;

  // Where the links are no tree, none is welded to another.
  std::vector<int> bodyOf(n);
  std::iota(bodyOf.begin(), bodyOf.end(), 0);
  std::vector<Transformd> X(n, identityTransform<double>());
  if (tree.isTree) weld(spec, tree, bodyOf, X);
  const std::vector<Body> bodies = compose(spec, bodyOf, X);
  for (std::size_t i = 0; i < n; ++i) {
    const LinkSpec& link = spec.links[i];
    if (!link.inertial) continue;
    const Body& body = bodies[bodyOf[i]];
    if (hasNegativeMoment(link.inertial->I, link.inertial->mass))
      reportNegative(report, link, !hasNegativeMoment(body.I, body.mass));
    else if (tree.isTree)
      checkTriangle(report, link, body);
  }
}

}  // namespace espalier

#include <cmath>

#include "espalier/io/spec_links.h"
#include "espalier/io/text/rotation_text.h"
#include "espalier/io/world_xml/world_parts.h"

namespace espalier::io {
namespace {

/// The mass spread evenly over the shapes; none where they enclose no volume.
std::optional<InertialSpec> spread(const BodySpec& body, double mass) {
  double all = 0;
  for (const CollisionSpec& c : body.collisions) all += std::max(0.0, volume(c.shape));
  if (!(all > 0) || !std::isfinite(all)) return std::nullopt;
  RigidInertia<double> sum{0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
  for (const CollisionSpec& c : body.collisions) {
    const double part = volume(c.shape);
    if (!(part > 0)) continue;
    sum += toParent(transpose(c.X_LG.R), c.X_LG.p, inertia(c.shape, mass * part / all));
  }
  return aboutCentre(sum);
}

}  // namespace

InertialSpec readBodyInertia(const Node& object, const BodySpec& body, bool meshesAreLoaded) {
  InertialSpec result;
  const bool moves = body.type == BodyType::DYNAMIC;
  if (moves || object.has("mass")) result.mass = object.required("mass", 0);
  if (moves && object.has("mass") && result.mass <= 0) {
    object.error("the mass of a body that moves is " + shortest(result.mass) + " kg",
                 "give it more than zero, or body_type=\"static\"");
  }
  const Vec3d com = object.vector("com", {0, 0, 0});
  const auto inertia = object.child("inertia");
  if (inertia) {
    inertia->expect({"xx", "xy", "xz", "yy", "yz", "zz", "quat"}, {});
    result.I = {inertia->required("xx", 0), inertia->number("xy", 0), inertia->number("xz", 0),
                inertia->required("yy", 0), inertia->number("yz", 0), inertia->required("zz", 0)};
    inertia->rotation("quat", result.X_LC.R);
  } else if (result.mass > 0) {
    const double mass = result.mass;
    if (const auto even = spread(body, mass)) {
      result = *even;
    } else if (moves && meshesAreLoaded) {
      object.error("the inertia is not given and cannot be found: its shapes enclose no volume",
                   "add <inertia xx=... yy=... zz=.../>, in kg m^2 about the centre of mass");
    }
  }
  if (object.has("com") || inertia) result.X_LC.p = com;
  return result;
}

}  // namespace espalier::io

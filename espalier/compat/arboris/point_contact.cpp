#include "espalier/compat/arboris/point_contact.h"

#include <limits>

#include "espalier/core/check.h"

namespace espalier::sim {

PointContact::PointContact(const Frame& frame0, const Shape& shape0, const Frame& frame1,
                           const Shape& shape1, double proximity, std::string name)
    : Constraint(std::move(name)),
      frame0_(frame0),
      frame1_(frame1),
      shapes_(shape0, shape1),
      proximity_(proximity) {
  ESPALIER_REQUIRE(!frame0.isOnBodyOf(frame1), "shapes of one body do not touch each other");
  ESPALIER_REQUIRE(proximity >= 0, "the proximity is not negative");
}

void PointContact::update(double dt) {
  force_.setZero();
  active_ = false;
  sdist_ = std::numeric_limits<double>::infinity();
  const Transformd X_g0 = frame0_.pose(), X_g1 = frame1_.pose();
  // As far as the two can come nearer within the step.
  const Vec3d centre = shapes_.isSecondSmaller() ? X_g1.p : X_g0.p;
  const Motion<double> V = frame1_.twistAt(centre) - frame0_.twistAt(centre);
  const double reach = proximity_ + dt * (norm(V.v) + norm(V.w) * shapes_.radius());
  Proximity found;
  if (!shapes_.find(X_g0, X_g1, reach, found)) return;
  sdist_ = found.distance;
  X_gc_ = {alignedToZ(found.normal), found.p0};
  const Vec3d v = frame1_.twistAt(found.p0).v - frame0_.twistAt(found.p0).v;
  active_ = sdist_ + dt * dot(found.normal, v) < proximity_;
}

}  // namespace espalier::sim

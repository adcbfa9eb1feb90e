#include "espalier/model/spec/spherical_limits.h"

#include <cmath>
#include <numbers>

#include "espalier/model/spec/check_report.h"

namespace espalier {

bool SphericalLimits::useAxis() const {
  return std::isfinite(swing) || std::isfinite(twistLower) || std::isfinite(twistUpper);
}

SphericalLimits sphericalLimits(const JointLimits& limits) {
  const double angle = limits.lower == limits.upper ? unlimited : limits.upper;
  return {angle, limits.swing, limits.twistLower, limits.twistUpper};
}

std::string faultOf(const SphericalLimits& limits) {
  if (!(limits.angle > 0)) return "has an angle limit of " + printed(limits.angle);
  if (!(limits.swing > 0)) return "has a swing limit of " + printed(limits.swing);
  if (!(limits.twistLower <= limits.twistUpper))
    return "has limits of twist from " + printed(limits.twistLower) + " to " +
           printed(limits.twistUpper);
  return "";
}

std::string faultOfSpherical(const JointLimits& limits) {
  const bool isAngle =
      limits.lower == 0 || limits.lower == -limits.upper || limits.lower == -unlimited;
  if (limits.lower != limits.upper && !isAngle)
    return "has the limits " + printed(limits.lower) + " and " + printed(limits.upper) +
           ", but its rotation has one angle";
  return faultOf(sphericalLimits(limits));
}

bool isOutOfReach(const SphericalLimits& limits) {
  const auto isBeyond = [](double bound) {
    return std::isfinite(bound) && std::abs(bound) > std::numbers::pi;
  };
  return isBeyond(limits.angle) || isBeyond(limits.swing) || isBeyond(limits.twistLower) ||
         isBeyond(limits.twistUpper);
}

}  // namespace espalier

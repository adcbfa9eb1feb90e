#include "espalier/model/drag.h"

#include <cmath>

#include "espalier/model/spec/principal_axes.h"

namespace espalier {

DragBox makeDragBox(const LinkSpec& link, int body, const Transformd& X_LL) {
  const InertialSpec& inertial = *link.inertial;
  const auto& [moments, R] = principalAxes(inertial.I);
  const auto size = [&](double own, double one, double other) {
    return std::sqrt(std::max(one + other - own, 0.0) * 6 / inertial.mass);
  };
  const auto& [x, y, z] = moments;
  DragBox box;
  box.body = body;
  box.mass = inertial.mass;
  box.moments = {x, y, z};
  box.size = {size(x, y, z), size(y, x, z), size(z, x, y)};
  box.X_LB = X_LL * inertial.X_LC * Transformd{R, {0, 0, 0}};
  return box;
}

}  // namespace espalier

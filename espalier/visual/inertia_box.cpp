#include "espalier/visual/inertia_box.h"

#include <algorithm>
#include <cmath>

#include "espalier/model/spec/principal_axes.h"
#include "espalier/visual/shape_json.h"

namespace espalier {

nlohmann::json inertiaBoxJson(double mass, const Vec3d& com, const Sym3<double>& I) {
  if (!(mass > 0)) return nullptr;
  PrincipalAxes axes = principalAxes(I);
  const auto edge = [&](std::size_t along, std::size_t a, std::size_t b) {
    const double square = 6 * (axes.moments[a] + axes.moments[b] - axes.moments[along]) / mass;
    return std::sqrt(std::max(square, 0.0));
  };
  const Vec3d size{edge(0, 1, 2), edge(1, 2, 0), edge(2, 0, 1)};
  const Mat3d columns = transpose(axes.R);
  if (dot(cross(columns.r0, columns.r1), columns.r2) < 0)  // a reflection is the same box
    axes.R = transpose(Mat3d{columns.r0, columns.r1, -columns.r2});
  return {{"size", vectorJson(size)}, {"pose", poseJson({axes.R, com})}};
}

}  // namespace espalier

#pragma once

// The sole of a foot as mesh files give it: corners that a few micrometres keep out of one plane, and a
// bevelled rim a little higher and farther out.

#include <cmath>
#include <memory>

#include "espalier/geometry/shape.h"

namespace espalier::testing {

inline constexpr int sole_corners = 8;

/// 0.2 m long and 0.12 m wide; its bottom at z = 0, its top at z = 0.03 m. The first eight vertices are
/// the corners of the bottom, from `out` below to `out` above their plane.
inline MeshShape sole(double out) {
  auto data = std::make_shared<TriangleMesh>();
  const double unevenness[sole_corners] = {0.3, -0.8, 0.5, 1, -0.4, -1, 0.9, -0.2};
  const auto ring = [&](double scale, double z, double noise) {
    for (int k = 0; k < sole_corners; ++k) {
      const double angle = 2 * std::acos(-1.0) * (k + 0.5) / sole_corners;
      data->vertices.push_back({scale * 0.1 * std::cos(angle), scale * 0.06 * std::sin(angle),
                                z + noise * unevenness[k]});
    }
  };
  ring(1, 0, out);
  ring(1.04, 0.0015, 0);
  ring(1.04, 0.03, 0);
  data->triangles.push_back({0, 1, 2});  // a hull reads the vertices only
  return {"sole.obj", data};
}

}  // namespace espalier::testing

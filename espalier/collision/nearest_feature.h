#pragma once

// The corner, edge or inside of a triangle that is nearest to a point p (Ericson 2005, 5.1.5).

#include "espalier/spatial/vec3.h"

namespace espalier::collision {

enum class Feature { A, B, C, AB, AC, BC, INSIDE };

struct NearestFeature {
  Feature feature;
  double d1 = 0, d2 = 0;                  ///< ab . (p - a), ac . (p - a)
  double d3 = 0, d4 = 0, d5 = 0, d6 = 0;  ///< the same of b and of c, as far as they were needed
  double va = 0, vb = 0, vc = 0;          ///< weights of the corners, times their sum
};

namespace nearest_feature_detail {

/// Whether p is beyond an edge, between its ends.
inline bool isOnEdge(double outside, double fromFirst, double fromSecond) {
  return outside <= 0 && fromFirst >= 0 && fromSecond >= 0;
}

}  // namespace nearest_feature_detail

/// Of the triangle a, a + ab, a + ac; ap, bp and cp are p - a, p - b and p - c.
inline NearestFeature nearestFeature(const Vec3d& ab, const Vec3d& ac, const Vec3d& ap,
                                     const Vec3d& bp, const Vec3d& cp) {
  using nearest_feature_detail::isOnEdge;
  NearestFeature n{Feature::A, dot(ab, ap), dot(ac, ap)};
  const auto at = [&n](Feature feature) {
    n.feature = feature;
    return n;
  };
  if (n.d1 <= 0 && n.d2 <= 0) return n;
  n.d3 = dot(ab, bp), n.d4 = dot(ac, bp);
  if (n.d3 >= 0 && n.d4 <= n.d3) return at(Feature::B);
  n.vc = fnma(n.d3, n.d2, n.d1 * n.d4);
  if (isOnEdge(n.vc, n.d1, -n.d3)) return at(Feature::AB);
  n.d5 = dot(ab, cp), n.d6 = dot(ac, cp);
  if (n.d6 >= 0 && n.d5 <= n.d6) return at(Feature::C);
  n.vb = fnma(n.d1, n.d6, n.d5 * n.d2);
  if (isOnEdge(n.vb, n.d2, -n.d6)) return at(Feature::AC);
  n.va = fnma(n.d5, n.d4, n.d3 * n.d6);
  return at(isOnEdge(n.va, n.d4 - n.d3, n.d5 - n.d6) ? Feature::BC : Feature::INSIDE);
}

}  // namespace espalier::collision

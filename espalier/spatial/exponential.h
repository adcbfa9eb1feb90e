#pragma once

// The exponential of a body twist, in double: it integrates joints that move by twists.

#include "espalier/spatial/rotation.h"
#include "espalier/spatial/vec3.h"

namespace espalier {

/// Translation of exp(w, v), in the axes at the start: V(w) v with
///   V = 1 + (1 - cos a) / a^2 [w] + (a - sin a) / a^3 [w]^2,  a = |w|
///   in   w  rotation vector, rad;  v  m
///   from Murray, Li, Sastry 1994, 2.3
inline Vec3d exponentialTranslation(const Vec3d& w, const Vec3d& v) {
  const double a2 = dot(w, w);
  double c = 0.5 - a2 / 24, d = 1.0 / 6 - a2 / 120;
  if (a2 > 1e-4) {
    const double a = sqrt(a2);
    double sine, cosine;
    sincos(a, sine, cosine);
    c = (1 - cosine) / a2;
    d = (a - sine) / (a2 * a);
  } else {
    c += a2 * a2 / 720;
    d += a2 * a2 / 5040;
  }
  const Vec3d wv = cross(w, v);
  return madd(cross(w, wv), d, madd(wv, c, v));
}

}  // namespace espalier

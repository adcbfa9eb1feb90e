#pragma once

// Whether numbers that came from outside are finite: neither NaN nor infinite.

#include <cmath>

#include "espalier/spatial/motion.h"

namespace espalier {

inline bool isFinite(const Vec3d& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}
inline bool isFinite(const Mat3d& m) { return isFinite(m.r0) && isFinite(m.r1) && isFinite(m.r2); }
inline bool isFinite(const Transformd& pose) { return isFinite(pose.p) && isFinite(pose.R); }

}  // namespace espalier

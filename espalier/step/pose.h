#pragma once

// A pose as seven coordinates: position, unit quaternion w, x, y, z.

#include "espalier/spatial/motion.h"
#include "espalier/spatial/rotation.h"

namespace espalier {

inline Quat<double> quaternionOf(const double* q) { return {q[3], q[4], q[5], q[6]}; }
inline Vec3d vector3(const double* x) { return {x[0], x[1], x[2]}; }
inline void put(const Vec3d& v, double* x) {
  x[0] = v.x;
  x[1] = v.y;
  x[2] = v.z;
}
inline void putQuaternion(const Quat<double>& r, double* q) {
  q[3] = r.w;
  q[4] = r.x;
  q[5] = r.y;
  q[6] = r.z;
}

inline Transformd readPose(const double* q) { return {rotation(quaternionOf(q)), vector3(q)}; }
inline void writePose(const Transformd& X, double* q) {
  put(X.p, q);
  putQuaternion(quaternion(X.R), q);
}

}  // namespace espalier

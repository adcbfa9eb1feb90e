#include "espalier/batch/ground_heights.h"

#include <algorithm>
#include <limits>

#include "espalier/collision/heightfield.h"

namespace espalier {
namespace {

/// z of the plane with this normal through a point, over (x, y).
double planeHeight(const Vec3d& normal, const Vec3d& point, double x, double y) {
  return point.z - (normal.x * (x - point.x) + normal.y * (y - point.y)) / normal.z;
}

bool isUpright(const Mat3d& R) { return R.r2.z > 1 - 1e-9; }

double heightOf(const collision::Geom& geom, double x, double y) {
  const Mat3d& R = geom.X_WG.R;
  const Vec3d& p = geom.X_WG.p;
  if (!geom.field) return planeHeight({R.r0.z, R.r1.z, R.r2.z}, p, x, y);
  const collision::Field& field = *geom.field;
  const Vec3d inField = tmul(R, Vec3d{x - p.x, y - p.y, 0});
  const double halfX = field.halfX(), halfY = field.halfY();
  const double u = std::clamp(inField.x, -halfX, halfX), v = std::clamp(inField.y, -halfY, halfY);
  const collision::FieldTriangle triangle = field.at(u, v);
  return p.z + planeHeight(triangle.normal(), triangle.a, u, v);
}

}  // namespace

GroundHeights::GroundHeights(const StepData& world) {
  for (int i = 0; i < world.scene.geomCount(); ++i) {
    const collision::Geom& geom = world.scene.geomOf(GeomId(i));
    if (!geom.isAlive || !geom.isStatic) continue;
    const bool isSlope = geom.kind == collision::Kind::Plane && geom.X_WG.R.r2.z > 1e-3;
    const bool isMap = geom.kind == collision::Kind::Heightfield && isUpright(geom.X_WG.R);
    if (isSlope || isMap) geoms_.push_back(geom);
  }
}

double GroundHeights::height(double x, double y) const {
  double height = -std::numeric_limits<double>::infinity();
  for (const collision::Geom& geom : geoms_) height = std::max(height, heightOf(geom, x, y));
  return height;
}

}  // namespace espalier

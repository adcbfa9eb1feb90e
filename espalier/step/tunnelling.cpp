#include "espalier/step/tunnelling.h"

#include <algorithm>
#include <cmath>

#include "espalier/spatial/rotation.h"
#include "espalier/step/motion.h"
#include "espalier/step/welds.h"

namespace espalier {
namespace {

constexpr int most_poses = 64;
/// Of the pair's thickness: poses are half of it apart, and less depth than this is a touch.
constexpr double way_between = 0.5, least_depth = 0.1;

/// A geom's way: the motion that it has at the evaluation point, which it has kept since the last one.
struct Way {
  Transformd X_WG;
  Vec3d v, w;  ///< m/s, of the geom's origin; rad/s

  Way(const StepData& world, GeomId id) : X_WG(world.scene.pose(id)), v{0, 0, 0}, w{0, 0, 0} {
    const PlacedGeom& geom = world.geom(id);
    if (geom.bodyType() == BodyType::STATIC) return;
    v = pointVelocity(geom, X_WG.p);
    w = spinOf(geom);
  }
  /// Where it was.   in  time  s, before now
  Transformd before(double time) const {
    const double angle = norm(w) * time;
    if (!(angle > 0)) return {X_WG.R, X_WG.p - v * time};
    const double s = -std::sin(angle / 2) / norm(w);
    const Quat<double> turn{std::cos(angle / 2), w.x * s, w.y * s, w.z * s};
    return {mul(rotation(turn), X_WG.R), X_WG.p - v * time};
  }
};

/// Whether their contacts push them on the way that they are going.
bool comesOutBehind(const StepData& world, const FastPair& pair) {
  for (int i = 0; i < world.contactCount; ++i) {
    const Contact& c = world.contacts[i];
    if (c.geomA.value != pair.a.value || c.geomB.value != pair.b.value || c.depth < 0) continue;
    if (world.rate[i].z > 0) return true;
  }
  return false;
}

bool wentThrough(StepData& world, const FastPair& pair) {
  const Way a(world, pair.a), b(world, pair.b);
  const auto turning = [&](const Way& way, GeomId id) {
    const double spin = norm(way.w);
    return spin > 0 ? spin * world.scene.radius(id) : 0;  // of a plane 0
  };
  const double length = world.dt * (norm(a.v - b.v) + turning(a, pair.a) + turning(b, pair.b));
  const double count = std::ceil(length / (way_between * pair.thickness));
  if (!(count > 2)) return false;
  const int poses = static_cast<int>(std::min<double>(count, most_poses));
  const auto isInside = [&](int k) {
    const double time = world.dt * k / poses;
    return world.scene.depthAt(pair, a.before(time), b.before(time)) > least_depth * pair.thickness;
  };
  if (isInside(0)) return comesOutBehind(world, pair) && !isInside(poses);
  for (int k = 1; k < poses; ++k)
    if (isInside(k)) return !isInside(poses);
  return false;
}

}  // namespace

void tellTunnelling(StepData& world) {
  for (const FastPair& pair : world.scene.fastPairs()) {
    if (!wentThrough(world, pair)) continue;
    world.report.raise(StepFlag::Tunnelled);
    world.report.tunnelledA = world.geom(pair.a).object;
    world.report.tunnelledB = world.geom(pair.b).object;
    return;
  }
}

}  // namespace espalier

#include "espalier/step/motion.h"

#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/step/free_bodies.h"
#include "espalier/step/point_motion.h"
#include "espalier/step/pose.h"

namespace espalier {

Transformd poseOf(const Endpoint& end) {
  if (end.system) {
    const Workspace<double>& ws = end.system->ws;
    return {byNumbers(ws.R[end.body]), ws.origin + ws.x[end.body]};
  }
  if (!end.free) return identityTransform<double>();
  if (end.free->type == BodyType::STATIC) return end.free->X_WB;
  return {end.free->R, end.free->c - mul(end.free->R, end.free->com)};
}

Vec3d pointVelocity(const Endpoint& end, const Vec3d& p) {
  if (end.system) return velocityAt(end.system->ws.V[end.body], p - end.system->ws.origin);
  if (!end.free || end.free->type == BodyType::STATIC) return {0, 0, 0};
  return end.free->v + cross(end.free->w, p - end.free->c);
}

PointMotion pointMotion(const StepData& world, const Endpoint& end, const Vec3d& p,
                        const Vec3d& toCentre) {
  PointMotion m;
  if (end.free && end.free->type != BodyType::STATIC)
    pointMotion(*end.free, p, toCentre, m.velocity, m.acceleration);
  if (!end.system) return m;
  const System& sys = *end.system;
  const Vec3d r = p - sys.ws.origin, c = r + toCentre;
  const Motion<double>&V = sys.ws.V[end.body], &A = sys.ws.A[end.body];
  const auto [velocity, acceleration] = bodyPointMotion(V, A, world.gravity, r, c);
  return {velocity, acceleration};
}

Transformd poseNow(StepData& world, const Endpoint& end) {
  if (end.free && end.free->q0 >= 0) return readPose(world.qOf(*end.free));
  if (end.system)
    kinematics(end.system->topology(), end.system->parameters, world.qOf(*end.system),
               world.uOf(*end.system), end.system->ws);
  return poseOf(end);
}

void placeGeomsNow(StepData& world) {
  for (const auto& sys : world.owned) {
    poseNow(world, {.system = sys.get()});
    for (const GeomId id : sys->geoms) {
      if (!id.isValid()) continue;
      const PlacedGeom& g = world.geom(id);
      world.scene.setPose(id, poseOf(g) * g.X_CG);
    }
  }
  for (const auto& body : world.free)
    for (const GeomId id : body->geoms) {
      const PlacedGeom& g = world.geom(id);
      world.scene.setPose(id, poseNow(world, g) * g.X_CG);
    }
}

}  // namespace espalier

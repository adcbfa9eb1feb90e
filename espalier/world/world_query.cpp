#include <cmath>

#include "espalier/core/check.h"
#include "espalier/step/motion.h"
#include "espalier/world/objects.h"
#include "espalier/world/world.h"

namespace espalier {
namespace {

RayTestResult resultOf(const WorldData& w, const RayHit& hit) {
  const PlacedGeom& geom = w.geom(hit.geom);
  return {w.objects[geom.object].get(), geom.body, hit.position, hit.normal, hit.distance};
}

}  // namespace

namespace {

void note(WorldData& world, const Vec3d& start, const Vec3d& direction, double length) {
  std::vector<CastRay>& rays = world.rays.next;
  if (rays.size() == most_noted_rays) return;
  world.rays.reserve(most_noted_rays);
  if (const RayHits& hits = world.rayHits) {
    rays.push_back({start, hits->position, hits->object, hits->body});
  } else {
    const double shown = std::min(length, 1000.0);  // m
    rays.push_back({start, start + direction * (shown / norm(direction)), nullptr, 0});
  }
}

}  // namespace

const RayHits& World::castRay(const Vec<3>& from, const Vec<3>& along, double length,
                              bool closestOnly, CollisionGroup mask, const Object* skipped) {
  WorldData& w = *data_;
  const Vec3d start = from, direction = along;
  ESPALIER_REQUIRE(std::isfinite(norm(start)) && std::isfinite(norm(direction)) &&
                       norm(direction) > 0 && length > 0,
                   "a ray needs a finite start, a direction that is not zero and a length");
  takeEdits(w);
  if (!w.isBetween) placeGeomsNow(w);
  RayFilter filter;
  filter.mask = mask;
  if (skipped) {
    const int index = indexOf(w, skipped);
    for (const auto& sys : w.owned)
      if (sys->object == index) {
        filter.firstSkipped = sys->firstOwner;
        filter.lastSkipped = sys->firstOwner + sys->model->nb() - 1;
      }
    for (const auto& body : w.free)
      if (body->object == index) filter.firstSkipped = filter.lastSkipped = body->owner;
  }
  std::vector<RayTestResult>& hits = w.rayHits.hits_;
  hits.clear();
  if (closestOnly) {
    RayHit hit;
    if (w.scene.raycast(start, direction, length, hit, filter)) hits.push_back(resultOf(w, hit));
  } else {
    for (const RayHit& hit : w.scene.raycastAll(start, direction, length, filter))
      hits.push_back(resultOf(w, hit));
  }
  note(w, start, direction, length);
  return w.rayHits;
}

std::span<const CastRay> World::raysOfLastStep() const { return data_->rays.last; }

}  // namespace espalier

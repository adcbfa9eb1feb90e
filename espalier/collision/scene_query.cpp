// The questions asked of a scene: contacts and rays.

#include <algorithm>

#include "espalier/collision/ray.h"
#include "espalier/collision/scene.h"
#include "espalier/core/check.h"

namespace espalier {

using collision::Geom;

namespace {

/// Depths larger than any world come of poses that are NaN.
constexpr double kFar = 1e30;

}  // namespace

/// Contacts of one pair; false where there was no room for all.
bool Scene::add(collision::BroadPhase::Pair& pair, double margin, ContactPoint* out, int capacity,
                int& count) {
  const Geom &a = geom(GeomId(pair.a)), &b = geom(GeomId(pair.b));
  if (switched_ > 0 && !collision::isAwake(a, b)) return true;
  const double thickness = a.thin + b.thin, approach = collision::approachOf(a, b);
  if (approach > 2 * thickness && fast_.size() < fast_.capacity())
    fast_.push_back({GeomId(pair.a), GeomId(pair.b), thickness, pair.function, pair.swapped});
  manifold_.clear();
  manifold_.separation = &pair.separation;
  pair.function(pair.swapped ? b : a, pair.swapped ? a : b, margin + approach, manifold_);
  for (int i = 0; i < manifold_.count; ++i) {
    const collision::PairPoint& p = manifold_.points[i];
    if (!(abs(p.depth) <= kFar)) continue;
    if (count == capacity) return false;
    ContactPoint& c = out[count++];
    c.a = GeomId(pair.a);
    c.b = GeomId(pair.b);
    c.position = byNumbers(p.position);
    c.normal = byNumbers(pair.swapped ? -p.normal : p.normal);
    c.depth = p.depth;
    c.feature = p.feature;
  }
  return true;
}

std::vector<ScenePair> Scene::pairs() const {
  std::vector<ScenePair> all;
  for (int b = 1; b < geomCount(); ++b)
    for (int a = 0; a < b; ++a) {
      const Geom &first = geom(GeomId(a)), &second = geom(GeomId(b));
      if (!broadPhase_.rules.allow(geoms_, a, b) || !collision::isAwake(first, second)) continue;
      const auto [function, swapped] = collision::pairEntry(first.kind, second.kind);
      if (function) all.push_back({GeomId(a), GeomId(b), function, swapped});
    }
  std::sort(all.begin(), all.end(), [](const ScenePair& x, const ScenePair& y) {
    return x.a.value != y.a.value ? x.a < y.a : x.b < y.b;
  });
  return all;
}

double Scene::depthAt(const FastPair& pair, const Transformd& X_Wa, const Transformd& X_Wb) {
  Geom a = geom(pair.a), b = geom(pair.b);
  a.X_WG = X_Wa;
  b.X_WG = X_Wb;
  ++a.poseStamp;
  ++b.poseStamp;
  manifold_.clear();
  manifold_.separation = nullptr;
  pair.function(pair.swapped ? b : a, pair.swapped ? a : b, 0, manifold_);
  double depth = 0;
  for (int i = 0; i < manifold_.count; ++i) depth = max(depth, manifold_.points[i].depth);
  return depth;
}

int Scene::collide(double margin, ContactPoint* out, int capacity, bool& overflow) {
  build();
  int count = 0;
  bool fits = true;
  fast_.clear();
  const bool found = broadPhase_.visit(geoms_, margin, [&](auto& pair) {
    if (!add(pair, margin, out, capacity, count)) fits = false;
  });
  overflow = !found || !fits;
  return count;
}

namespace {

bool looksFor(const RayFilter& filter, const Geom& g) {
  return g.isAlive && g.isEnabled && (g.group & filter.mask) != 0 &&
         (g.owner < filter.firstSkipped || g.owner > filter.lastSkipped);
}

Ray rayOf(const Vec3d& origin, const Vec3d& direction) {
  const double length = norm(direction);
  ESPALIER_REQUIRE(length > 0, "a ray without direction");
  return {origin, direction * (1 / length)};
}

}  // namespace

bool Scene::raycast(const Vec3d& origin, const Vec3d& direction, double maxDistance, RayHit& hit,
                    const RayFilter& filter) const {
  const Ray ray = rayOf(origin, direction);
  double distance = maxDistance;
  bool met = false;
  for (int i = 0; i < geomCount(); ++i) {
    const Geom& g = geom(GeomId(i));
    double reached = distance;
    Vec3d normal;
    if (!looksFor(filter, g) || !collision::meets(ray, g, reached, normal)) continue;
    if (met && reached >= distance) continue;
    distance = reached;
    hit = {GeomId(i), madd(ray.direction, distance, origin), normal, distance};
    met = true;
  }
  return met;
}

bool Scene::surfaceFromAbove(GeomId id, double x, double y, RayHit& hit) const {
  const Geom& g = geom(id);
  const Ray ray{{x, y, g.X_WG.p.z + g.radius + 1}, {0, 0, -1}};
  double distance = 2 * (g.radius + 1);
  Vec3d normal;
  if (!collision::meets(ray, g, distance, normal)) return false;
  hit = {id, madd(ray.direction, distance, ray.origin), normal, distance};
  return true;
}

std::vector<RayHit> Scene::raycastAll(const Vec3d& origin, const Vec3d& direction,
                                      double maxDistance, const RayFilter& filter) const {
  const Ray ray = rayOf(origin, direction);
  std::vector<RayHit> hits;
  for (int i = 0; i < geomCount(); ++i) {
    double distance = maxDistance;
    Vec3d normal;
    if (!looksFor(filter, geom(GeomId(i)))) continue;
    if (!collision::meets(ray, geom(GeomId(i)), distance, normal)) continue;
    hits.push_back({GeomId(i), madd(ray.direction, distance, origin), normal, distance});
  }
  std::stable_sort(hits.begin(), hits.end(),
                   [](const RayHit& x, const RayHit& y) { return x.distance < y.distance; });
  return hits;
}

}  // namespace espalier

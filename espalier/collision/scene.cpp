#include "espalier/collision/scene.h"

#include <algorithm>
#include <string>

#include "espalier/collision/bounds.h"
#include "espalier/collision/hull.h"
#include "espalier/collision/ode_geom.h"
#include "espalier/collision/ode_library.h"
#include "espalier/collision/ray.h"
#include "espalier/core/check.h"

namespace espalier {

using collision::Geom;
using collision::Kind;

namespace {

/// Pairs up to this many are compared box by box; more are found by a sweep.
constexpr std::size_t kMostListed = 400;

/// Too wide for a sweep: its box overlaps everything along any axis.
bool isWide(const Geom& g) {
  return g.kind == Kind::Plane || g.kind == Kind::Heightfield || g.kind == Kind::Trimesh;
}

}  // namespace

std::uint64_t odeAllocations() { return collision::odeAllocations(); }

/// What the geoms point to. ODE outlives its geoms.
struct Scene::Assets {
  collision::OdeLibrary ode;
  std::vector<Shape> shapes;  // keeps mesh and heightfield data alive
  std::vector<std::unique_ptr<const collision::Hull>> hulls;
  std::vector<std::unique_ptr<collision::OdeGeom>> odeGeoms;
};

Scene::Scene() : assets_(std::make_unique<Assets>()) {}
Scene::~Scene() = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene&&) noexcept = default;

GeomId Scene::addGeom(const Shape& shape, const GeomOptions& options) {
  Geom g = collision::makeGeom(shape, options.isStatic);
  g.owner = options.owner;
  g.group = options.group;
  g.mask = options.mask;
  assets_->shapes.push_back(shape);
  if (g.kind == Kind::Hull) {
    assets_->hulls.push_back(collision::convexHull(*std::get<Mesh>(shape).data));
    g.hull = assets_->hulls.back().get();
  } else if (g.kind == Kind::Trimesh) {
    makeOdeTwin(g);  // rays need it, whatever else there is
  }
  geoms_.push_back(g);
  built_ = false;
  return GeomId(geomCount() - 1);
}

void Scene::ignorePair(int ownerA, int ownerB) {
  ignoredOwners_.push_back(std::minmax(ownerA, ownerB));
  built_ = false;
}

void Scene::ignore(GeomId a, GeomId b) {
  const int n = geomCount();
  ESPALIER_REQUIRE(a.isValid() && b.isValid() && a.value < n && b.value < n,
                   "no such geom: " + std::to_string(a.value) + ", " + std::to_string(b.value));
  ignoredGeoms_.push_back(std::minmax(a.value, b.value));
  built_ = false;
}

bool Scene::mayCollide(int a, int b) const {
  const Geom &x = geoms_[a], &y = geoms_[b];
  if ((x.kind == Kind::Hull && !x.hull) || (y.kind == Kind::Hull && !y.hull)) return false;
  if ((x.group & y.mask) == 0 || (y.group & x.mask) == 0) return false;
  if (x.isStatic && y.isStatic) return false;
  if (x.owner >= 0 && x.owner == y.owner) return false;
  const auto listed = [](const auto& list, int i, int j) {
    return std::binary_search(list.begin(), list.end(), std::pair<int, int>(std::minmax(i, j)));
  };
  return !listed(ignoredOwners_, x.owner, y.owner) && !listed(ignoredGeoms_, a, b);
}

void Scene::makeOdeTwin(Geom& g) {
  if (g.ode) return;
  assets_->odeGeoms.push_back(std::make_unique<collision::OdeGeom>(g));
  g.ode = assets_->odeGeoms.back().get();
}

void Scene::refuse(int a, int b) {
  const auto name = [&](int i) {
    return "geom " + std::to_string(i) + " (" + shapeName(assets_->shapes[i]) + ")";
  };
  diagnostics_.add({Severity::Warning, "", 0,
                    name(a) + " and " + name(b) + " cannot collide with each other",
                    "use primitives or a heightfield for one of them, or ignore the pair"});
}

void Scene::refuseFlat() {
  for (int i = 0; i < geomCount(); ++i) {
    if (geoms_[i].kind != Kind::Hull || geoms_[i].hull) continue;
    diagnostics_.add({Severity::Warning, std::get<Mesh>(assets_->shapes[i]).file, 0,
                      "geom " + std::to_string(i) + " is a flat mesh and collides with nothing",
                      "give the mesh a thickness, or use a thin box"});
  }
}

void Scene::listPair(int a, int b) {
  const Kind ka = geoms_[a].kind, kb = geoms_[b].kind;
  const collision::PairEntry entry = collision::pairEntry(ka, kb);
  const bool unbounded = ka == Kind::Plane || kb == Kind::Plane;
  pairs_.push_back({a, b, entry.function, entry.swapped, unbounded});
}

const Diagnostics& Scene::build() {
  if (built_) return diagnostics_;
  std::sort(ignoredOwners_.begin(), ignoredOwners_.end());
  std::sort(ignoredGeoms_.begin(), ignoredGeoms_.end());
  diagnostics_ = {};
  refuseFlat();
  pairs_.clear();
  std::vector<std::pair<int, int>> swept;
  for (int a = 0; a < geomCount(); ++a) {
    for (int b = a + 1; b < geomCount(); ++b) {
      if (!mayCollide(a, b)) continue;
      Geom &x = geoms_[a], &y = geoms_[b];
      if (!collision::pairEntry(x.kind, y.kind).function) {
        refuse(a, b);
        continue;
      }
      if (x.kind == Kind::Trimesh || y.kind == Kind::Trimesh) makeOdeTwin(x), makeOdeTwin(y);
      if (isWide(x) || isWide(y)) {
        listPair(a, b);
      } else {
        swept.emplace_back(a, b);
      }
    }
  }
  sweeps_ = swept.size() > kMostListed;
  std::vector<char> boxed(geoms_.size(), 0), inSweep(geoms_.size(), 0);
  for (const auto& [a, b] : swept) {
    if (!sweeps_) listPair(a, b);
    boxed[a] = boxed[b] = 1;
    inSweep[a] = inSweep[b] = sweeps_;
  }
  std::sort(pairs_.begin(), pairs_.end(),
            [](const Pair& x, const Pair& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
  for (const Pair& p : pairs_) {
    if (!p.unbounded) boxed[p.a] = boxed[p.b] = 1;
  }
  bounded_.clear();
  std::vector<int> members;
  for (int i = 0; i < geomCount(); ++i) {
    if (boxed[i]) bounded_.push_back(i);
    if (inSweep[i]) members.push_back(i);
  }
  sweep_.reset(members, geomCount());
  boxes_.resize(geoms_.size());
  built_ = true;
  return diagnostics_;
}

/// Contacts of one pair; false where there was no room for all.
bool Scene::add(const Pair& pair, double margin, ContactPoint* out, int capacity, int& count) {
  const Geom &a = geoms_[pair.a], &b = geoms_[pair.b];
  manifold_.clear();
  pair.function(pair.swapped ? b : a, pair.swapped ? a : b, margin + a.margin + b.margin,
                manifold_);
  for (int i = 0; i < manifold_.count; ++i) {
    if (count == capacity) return false;
    const collision::PairPoint& p = manifold_.points[i];
    const Vec3d normal = pair.swapped ? -p.normal : p.normal;
    out[count++] = {GeomId(pair.a), GeomId(pair.b), p.position, normal, p.depth, p.feature};
  }
  return true;
}

int Scene::collide(double margin, ContactPoint* out, int capacity, bool& overflow) {
  if (!built_) build();
  overflow = false;
  for (const int i : bounded_) {
    boxes_[i] = collision::bounds(geoms_[i], margin / 2 + geoms_[i].margin);
  }
  int count = 0;
  const auto visit = [&](const Pair& p) {
    if (!p.unbounded && !collision::overlap(boxes_[p.a], boxes_[p.b])) return;
    if (!add(p, margin, out, capacity, count)) overflow = true;
  };
  if (!sweeps_) {
    for (const Pair& p : pairs_) visit(p);
    return count;
  }
  const auto allowed = [&](int a, int b) {
    return collision::pairEntry(geoms_[a].kind, geoms_[b].kind).function && mayCollide(a, b);
  };
  // Both lists are sorted by (a, b) and have no pair in common.
  auto listed = pairs_.begin();
  for (const auto& c : sweep_.find(boxes_, allowed, overflow)) {
    for (; listed != pairs_.end() && std::pair(listed->a, listed->b) < std::pair(c.a, c.b);
         ++listed) {
      visit(*listed);
    }
    const auto entry = collision::pairEntry(geoms_[c.a].kind, geoms_[c.b].kind);
    visit({c.a, c.b, entry.function, entry.swapped, true});
  }
  for (; listed != pairs_.end(); ++listed) visit(*listed);
  return count;
}

bool Scene::raycast(const Vec3d& origin, const Vec3d& direction, double maxDistance, RayHit& hit,
                    std::uint32_t mask) const {
  const double length = norm(direction);
  ESPALIER_REQUIRE(length > 0, "a ray without direction");
  const collision::Ray ray{origin, direction * (1 / length)};
  double distance = maxDistance;
  bool met = false;
  for (int i = 0; i < geomCount(); ++i) {
    double reached = distance;
    Vec3d normal;
    if ((geoms_[i].group & mask) == 0) continue;
    if (!collision::meets(ray, geoms_[i], reached, normal) || (met && reached >= distance)) {
      continue;
    }
    distance = reached;
    hit = {GeomId(i), madd(ray.direction, distance, origin), normal, distance};
    met = true;
  }
  return met;
}

}  // namespace espalier

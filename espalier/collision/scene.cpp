#include "espalier/collision/scene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "espalier/collision/bounds.h"
#include "espalier/collision/ode_geom.h"
#include "espalier/collision/ode_library.h"
#include "espalier/core/check.h"

namespace espalier {

using collision::Geom;
using collision::Kind;

std::uint64_t odeAllocations() { return collision::odeAllocations(); }

/// What the geoms point to. ODE outlives its geoms.
struct Scene::Assets {
  collision::OdeLibrary ode;
  std::vector<Shape> shapes;  // keeps mesh and heightfield data alive
  std::vector<std::unique_ptr<collision::OdeGeom>> odeGeoms;
};

Scene::Scene() : assets_(std::make_unique<Assets>()) {}
Scene::~Scene() = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene&&) noexcept = default;

GeomId Scene::addGeom(const Shape& shape, const GeomOptions& options) {
  Geom g = collision::makeGeom(shape);
  g.owner = options.owner;
  g.group = options.group;
  g.mask = options.mask;
  g.isStatic = options.isStatic;
  assets_->shapes.push_back(shape);
  assets_->odeGeoms.push_back(std::make_unique<collision::OdeGeom>(g));
  g.ode = assets_->odeGeoms.back().get();
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
  if ((x.group & y.mask) == 0 || (y.group & x.mask) == 0) return false;
  if (x.isStatic && y.isStatic) return false;
  if (x.owner >= 0 && x.owner == y.owner) return false;
  const auto listed = [](const auto& list, int i, int j) {
    return std::binary_search(list.begin(), list.end(), std::pair<int, int>(std::minmax(i, j)));
  };
  return !listed(ignoredOwners_, x.owner, y.owner) && !listed(ignoredGeoms_, a, b);
}

const Diagnostics& Scene::build() {
  if (built_) return diagnostics_;
  std::sort(ignoredOwners_.begin(), ignoredOwners_.end());
  std::sort(ignoredGeoms_.begin(), ignoredGeoms_.end());
  diagnostics_ = {};
  pairs_.clear();
  bounded_.clear();
  std::vector<char> needsBox(geoms_.size(), 0);
  for (int a = 0; a < geomCount(); ++a) {
    for (int b = a + 1; b < geomCount(); ++b) {
      if (!mayCollide(a, b)) continue;
      const Kind ka = geoms_[a].kind, kb = geoms_[b].kind;
      const collision::PairEntry entry = collision::pairEntry(ka, kb);
      if (!entry.function) continue;
      const bool unbounded = ka == Kind::Plane || kb == Kind::Plane;
      pairs_.push_back({a, b, entry.function, entry.swapped, unbounded});
      if (!unbounded) needsBox[a] = needsBox[b] = 1;
    }
  }
  for (int i = 0; i < geomCount(); ++i) {
    if (needsBox[i]) bounded_.push_back(i);
  }
  boxes_.resize(geoms_.size());
  built_ = true;
  return diagnostics_;
}

void Scene::updateBoxes(double margin) {
  for (const int i : bounded_) {
    boxes_[i] = collision::bounds(geoms_[i], margin / 2 + geoms_[i].margin);
  }
}

int Scene::collide(double margin, ContactPoint* out, int capacity, bool& overflow) {
  if (!built_) build();
  overflow = false;
  updateBoxes(margin);
  int count = 0;
  for (const Pair& pair : pairs_) {
    if (!pair.unbounded && !collision::overlap(boxes_[pair.a], boxes_[pair.b])) continue;
    const Geom &a = geoms_[pair.a], &b = geoms_[pair.b];
    const double pairMargin = margin + a.margin + b.margin;
    manifold_.clear();
    if (pair.swapped) {
      pair.function(b, a, pairMargin, manifold_);
    } else {
      pair.function(a, b, pairMargin, manifold_);
    }
    for (int i = 0; i < manifold_.count; ++i) {
      if (count == capacity) {
        overflow = true;
        return count;
      }
      const collision::PairPoint& p = manifold_.points[i];
      out[count++] = {GeomId(pair.a), GeomId(pair.b), p.position,
                      pair.swapped ? -p.normal : p.normal, p.depth, p.feature};
    }
  }
  return count;
}

}  // namespace espalier

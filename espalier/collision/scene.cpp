// Geoms and rules of a scene: they come, change and go.

#include "espalier/collision/scene.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>

#include "espalier/collision/bounds.h"
#include "espalier/collision/scene_assets.h"
#include "espalier/core/check.h"

namespace espalier {

using collision::Geom;
using collision::Kind;

namespace {

constexpr int most_fast_pairs = 32;

/// One remark on all hulls that leave something of their mesh out, with the worst of them.
template <class FileOf>
void noteSimplifiedHulls(const std::vector<Geom>& geoms, FileOf fileOf, Diagnostics& diagnostics) {
  std::set<const Hull*> simplified;
  int worst = -1;
  const auto hullAt = [&](int i) { return geoms[i].hull; };
  for (int i = 0; i < static_cast<int>(geoms.size()); ++i) {
    if (!geoms[i].isAlive || !hullAt(i) || hullAt(i)->error <= 0) continue;
    simplified.insert(hullAt(i));
    if (worst < 0 || hullAt(i)->error > hullAt(worst)->error) worst = i;
  }
  if (worst < 0) return;
  char error[32];
  std::snprintf(error, sizeof error, "%.2g", 1e3 * hullAt(worst)->error);
  diagnostics.add(
      {Severity::Note, fileOf(worst), 0,
       std::to_string(simplified.size()) +
           (simplified.size() == 1 ? " mesh collides" : " meshes collide") +
           " as a simplified convex hull; at most " + error +
           " mm of a mesh stick out, here of a hull of " +
           std::to_string(hullAt(worst)->vertices.size()) + " vertices",
       "raise MeshShape::maxHullVertices (MJCF: maxhullvert, espalier: --hull-vertices)"});
}

}  // namespace

std::uint64_t odeAllocations() { return collision::odeAllocations(); }

Scene::Scene() : assets_(std::make_unique<Assets>()) { fast_.reserve(most_fast_pairs); }
Scene::~Scene() = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene&&) noexcept = default;

bool Scene::contains(GeomId id) const {
  return id.isValid() && id.value < geomCount() && geom(id).isAlive;
}

const Shape& Scene::shape(GeomId id) const { return assets_->of[id.value].shape; }

Geom& Scene::edited(GeomId id) {
  ESPALIER_REQUIRE(contains(id), "no geom has the id " + std::to_string(id.value));
  return geoms_[id.value];
}

/// Replaces the shape and everything derived from it; all else stays.
void Scene::setGeom(GeomId id, const Shape& shape, bool isStatic) {
  const auto i = static_cast<std::size_t>(id.value);
  const Geom made = collision::makeGeom(shape, isStatic);
  Geom& g = geoms_[i];
  Assets::Asset& asset = assets_->of[i];
  g.kind = made.kind;
  g.isStatic = made.isStatic;
  g.size = made.size;
  g.middle = made.middle;
  g.radius = made.radius;
  g.thin = made.thin;
  g.mesh = made.mesh;
  asset.forRays.reset();
  g.ode = nullptr;
  asset.shape = shape;
  if (g.kind == Kind::Hull) asset.hull = assets_->hullOf(std::get<MeshShape>(shape));
  if (g.kind == Kind::Heightfield) asset.field = assets_->fieldOf(std::get<Heightfield>(shape));
  if (g.kind == Kind::Trimesh) asset.tree = assets_->treeOf(std::get<MeshShape>(shape));
  g.hull = g.kind == Kind::Hull ? asset.hull.get() : nullptr;
  g.tree = g.kind == Kind::Trimesh ? asset.tree.get() : nullptr;
  g.field = asset.field.get();
  if (g.kind == Kind::Trimesh) makeOdeTwin(g, id.value);  // for rays
  broadPhase_.touch(id.value);
}

GeomId Scene::addGeom(const Shape& shape, const GeomOptions& options) {
  Geom g = collision::makeGeom(shape, options.isStatic);
  g.owner = options.owner;
  g.group = options.group;
  g.mask = options.mask;
  if (free_.empty()) {
    free_.push_back(geomCount());
    geoms_.emplace_back();
    assets_->of.emplace_back();
  }
  const GeomId id(free_.back());
  free_.pop_back();
  geoms_[id.value] = g;
  setGeom(id, shape, options.isStatic);
  return id;
}

void Scene::removeGeom(GeomId id) {
  setEnabled(id, true);
  setPassive(id, false);
  Geom& g = edited(id);
  g = Geom{};
  g.isEnabled = true;
  assets_->remove(id.value);
  broadPhase_.rules.forgetGeom(id.value);
  broadPhase_.touch(id.value);
  free_.insert(std::lower_bound(free_.begin(), free_.end(), id.value, std::greater<>()), id.value);
}

void Scene::touchOwner(int owner) {
  for (int i = 0; i < geomCount(); ++i)
    if (geom(GeomId(i)).isAlive && geom(GeomId(i)).owner == owner) broadPhase_.touch(i);
}

void Scene::ignorePair(int ownerA, int ownerB) {
  broadPhase_.rules.ignoreOwners(ownerA, ownerB);
  touchOwner(ownerA);
}

void Scene::allowPair(int ownerA, int ownerB) {
  broadPhase_.rules.allowOwners(ownerA, ownerB);
  touchOwner(ownerA);
}

void Scene::forgetOwner(int owner) {
  broadPhase_.rules.forgetOwner(owner);
  touchOwner(owner);
}

void Scene::ignore(GeomId a, GeomId b) {
  edited(a), edited(b);
  broadPhase_.rules.ignoreGeoms(a.value, b.value);
  broadPhase_.touch(a.value);
}

void Scene::allow(GeomId a, GeomId b) {
  edited(a), edited(b);
  broadPhase_.rules.allowGeoms(a.value, b.value);
  broadPhase_.touch(a.value);
}

void Scene::setFilter(GeomId id, std::uint64_t group, std::uint64_t mask) {
  Geom& g = edited(id);
  g.group = group;
  g.mask = mask;
  broadPhase_.touch(id.value);
  const auto& twin = assets_->of[id.value].twin;
  if (twin) twin->setFilter(group, mask);
}

void Scene::setShape(GeomId id, const Shape& changed) {
  const bool isStatic = edited(id).isStatic;
  ESPALIER_REQUIRE(
      changed.index() == shape(id).index(),
      std::string("a ") + shapeName(shape(id)) + " cannot become a " + shapeName(changed));
  setGeom(id, changed, isStatic);
  const auto& twin = assets_->of[id.value].twin;
  if (twin) twin->takeBackSize(geom(id));
}

void Scene::setOwner(GeomId id, int owner) {
  edited(id).owner = owner;
  broadPhase_.touch(id.value);
}

void Scene::setStatic(GeomId id, bool isStatic) {
  if (edited(id).isStatic == isStatic) return;
  setGeom(id, Shape(shape(id)), isStatic);
}

void Scene::setSwitch(GeomId id, bool Geom::*which, bool value) {
  Geom& g = edited(id);
  const auto isSwitched = [&] { return g.isPassive || !g.isEnabled ? 1 : 0; };
  switched_ -= isSwitched();
  g.*which = value;
  switched_ += isSwitched();
}

void Scene::setEnabled(GeomId id, bool isEnabled) {
  setSwitch(id, &Geom::isEnabled, isEnabled);
  const auto& twin = assets_->of[id.value].twin;
  if (twin) twin->setEnabled(isEnabled);
}

void Scene::setPassive(GeomId id, bool isPassive) { setSwitch(id, &Geom::isPassive, isPassive); }

void Scene::listDiagnostics() {
  const auto name = [&](int i) {
    return "geom " + std::to_string(i) + " (" + shapeName(shape(GeomId(i))) + ")";
  };
  diagnostics_ = {};
  for (int i = 0; i < geomCount(); ++i) {
    const Geom& g = geom(GeomId(i));
    if (!g.isAlive || g.kind != Kind::Hull || g.hull) continue;
    diagnostics_.add({Severity::Warning, std::get<MeshShape>(shape(GeomId(i))).file, 0,
                      "geom " + std::to_string(i) + " is a flat mesh and collides with nothing",
                      "give the mesh a thickness, or use a thin box"});
  }
  noteSimplifiedHulls(
      geoms_, [&](int i) { return std::get<MeshShape>(shape(GeomId(i))).file; }, diagnostics_);
  for (const auto& [a, b] : broadPhase_.refused()) {
    diagnostics_.add({Severity::Warning, "", 0,
                      name(a) + " and " + name(b) + " cannot collide with each other",
                      "use primitives or a heightfield for one of them, or ignore the pair"});
  }
}

const Diagnostics& Scene::build() {
  if (broadPhase_.isCurrent()) return diagnostics_;
  broadPhase_.update(geoms_);
  listDiagnostics();
  return diagnostics_;
}

}  // namespace espalier

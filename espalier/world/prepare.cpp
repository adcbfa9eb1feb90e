#include <algorithm>
#include <cmath>

#include "espalier/world/world_data.h"

namespace espalier {
namespace {

/// Radius with which a shape's contact points roll: spheres and capsules; 0 for corners and edges.
double roundingOf(const Shape& shape) {
  if (const auto* s = std::get_if<Sphere>(&shape)) return s->radius;
  if (const auto* c = std::get_if<Capsule>(&shape)) return c->radius;
  return 0;
}

/// Distance of the farthest surface point from the shape's origin.
double reachOf(const Shape& shape) {
  if (const auto* s = std::get_if<Sphere>(&shape)) return s->radius;
  if (const auto* b = std::get_if<Box>(&shape)) return norm(b->size) / 2;
  if (const auto* c = std::get_if<Cylinder>(&shape)) return std::hypot(c->radius, c->height / 2);
  if (const auto* c = std::get_if<Capsule>(&shape)) return c->radius + c->height / 2;
  double reach = 0;
  if (const auto* m = std::get_if<Mesh>(&shape); m && m->data)
    for (const Vec3d& v : m->data->vertices) reach = std::max(reach, norm(v));
  return reach;
}

bool hasGeometry(const Shape& shape) {
  const auto* mesh = std::get_if<Mesh>(&shape);
  return !mesh || mesh->data;  // a missing mesh file was remarked on by the importer
}

}  // namespace

/// Geoms of a system, in the order of its collision bodies.
void addGeoms(WorldData& world, int index) {
  System& sys = *world.owned[static_cast<std::size_t>(index)];
  const Model& model = *sys.model;
  int owner = 0;
  for (int i = 0; i < index; ++i) owner += world.owned[static_cast<std::size_t>(i)]->model->nb();
  for (const CollisionInfo& c : model.collisions) {
    if (!hasGeometry(c.shape)) continue;
    PlacedGeom geom;
    geom.id = world.scene.addGeom(c.shape, {.owner = owner + c.body,
                                            .group = c.group,
                                            .mask = c.mask,
                                            .isStatic = c.body == 0 && !model.topology.floating});
    geom.system = index;
    geom.body = c.body;
    geom.X_CG = c.X_CG;
    geom.material = world.materials.id(c.material);
    geom.rounding = roundingOf(c.shape);
    geom.reach = reachOf(c.shape);
    world.geoms.push_back(geom);
    if (std::find(sys.geomBodies.begin(), sys.geomBodies.end(), c.body) == sys.geomBodies.end())
      sys.geomBodies.push_back(c.body);
  }
  for (const auto& [a, b] : model.ignoredBodyPairs) world.scene.ignorePair(owner + a, owner + b);
}

void prepare(WorldData& world) {
  if (world.isPrepared) return;
  world.systems.clear();
  int maxNv = 0, limitRows = 0;
  for (const auto& sys : world.owned) {
    world.systems.push_back(sys.get());
    maxNv = std::max(maxNv, sys->model->nv());
    limitRows += 2 * static_cast<int>(sys->limits.size());
  }
  const int contacts = world.settings.maxContacts, groups = contacts + limitRows;
  const int all = groups / 2 * (groups + 1);
  world.rows = ContactRows(groups, static_cast<int>(world.systems.size()), maxNv);
  world.problem.reserve(groups, std::min(all, std::max(32 * groups, 1 << 16)));
  world.solver.reserve(groups);
  world.points.resize(static_cast<std::size_t>(contacts));
  world.contacts.resize(static_cast<std::size_t>(contacts));
  world.warm.resize(static_cast<std::size_t>(contacts));
  world.warmCount = std::min(world.warmCount, contacts);
  world.limits.resize(static_cast<std::size_t>(limitRows));
  world.warmLimits.assign(static_cast<std::size_t>(limitRows), 0.0);
  for (auto* v : {&world.lambda, &world.rate, &world.bias, &world.drift})
    v->assign(static_cast<std::size_t>(groups), Vec3d{0, 0, 0});
  world.saved = world.state;
  world.scene.build();
  world.isPrepared = true;
}

}  // namespace espalier

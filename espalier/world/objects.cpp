#include "espalier/world/objects.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "espalier/core/check.h"
#include "espalier/core/overloaded.h"
#include "espalier/model/loops/loop_ties.h"
#include "espalier/robot/body_kinds.h"
#include "espalier/step/free_bodies.h"
#include "espalier/step/pose.h"
#include "espalier/step/state_ranges.h"

namespace espalier {
namespace {

/// A finite position and a rotation; false where a number is NaN.
bool isPose(const Transformd& x) {
  const Mat3d& R = x.R;
  const bool isUnit = std::abs(norm(R.r0) - 1) < 1e-6 && std::abs(norm(R.r1) - 1) < 1e-6;
  return std::isfinite(norm(x.p)) && isUnit && std::abs(dot(R.r0, R.r1)) < 1e-6 &&
         norm(cross(R.r0, R.r1) - R.r2) < 1e-6;
}

bool canMove(const Shape& shape) {
  return !std::holds_alternative<Plane>(shape) && !std::holds_alternative<Heightfield>(shape);
}

ObjectType typeOf(const BodySpec& spec) {
  if (spec.collisions.size() != 1) return ObjectType::COMPOUND;
  return std::visit([](const auto& s) { return s.objectType; }, spec.collisions[0].shape);
}

/// The handle of this kind of body.
std::unique_ptr<SingleBodyObject> makeFace(WorldData& world, const BodySpec& spec, FreeBody& body) {
  const ObjectType type = typeOf(spec);
  const auto make = [&]<class Kind>(std::type_identity<Kind>) -> std::unique_ptr<SingleBodyObject> {
    return std::make_unique<Kind>(world, spec.name, type, body);
  };
  switch (type) {
    case ObjectType::SPHERE: return make(std::type_identity<Sphere>());
    case ObjectType::BOX: return make(std::type_identity<Box>());
    case ObjectType::CYLINDER: return make(std::type_identity<Cylinder>());
    case ObjectType::CAPSULE: return make(std::type_identity<Capsule>());
    case ObjectType::MESH: return make(std::type_identity<Mesh>());
    case ObjectType::HALFSPACE: return make(std::type_identity<Ground>());
    case ObjectType::HEIGHTMAP: return make(std::type_identity<HeightMap>());
    case ObjectType::COMPOUND: return make(std::type_identity<Compound>());
    default: return make(std::type_identity<SingleBodyObject>());
  }
}

PlacedGeom& addGeom(WorldData& world, const Shape& shape, const GeomOptions& options,
                    const std::string& material) {
  const GeomId id = world.scene.addGeom(shape, options);
  const auto place = static_cast<std::size_t>(id.value);
  if (world.geoms.size() <= place) world.geoms.resize(place + 1);
  PlacedGeom& geom = world.geoms[place];
  geom = PlacedGeom{};
  geom.id = id;
  geom.object = static_cast<int>(world.objects.size());
  geom.material = world.materials.id(material);
  geom.rounding = roundingOf(shape);
  return geom;
}

void addGeom(WorldData& world, FreeBody& body, const CollisionSpec& c) {
  PlacedGeom& geom = addGeom(world, c.shape,
                             {.owner = body.owner,
                              .group = c.group,
                              .mask = c.mask,
                              .isStatic = body.type == BodyType::STATIC},
                             c.material);
  world.scene.setPassive(geom.id, body.type == BodyType::KINEMATIC);
  geom.free = &body;
  geom.X_CG = c.X_LG;
  body.geoms.push_back(geom.id);
  world.scene.setPose(geom.id, body.X_WB * geom.X_CG);
}

void dropGeom(WorldData& world, GeomId id) {
  if (!id.isValid()) return;
  world.scene.removeGeom(id);
  world.geom(id) = PlacedGeom{};
  const auto end = std::remove_if(world.warm.begin(), world.warm.begin() + world.warmCount,
                                  [&](const WarmImpulse& w) { return w.a == id || w.b == id; });
  world.warmCount = static_cast<int>(end - world.warm.begin());
}

void addGeoms(WorldData& world, System& sys) {
  const Model& model = *sys.model;
  sys.firstOwner = world.nextOwner;
  world.nextOwner += model.nb();
  for (const CollisionInfo& c : model.collisions) {
    if (!hasGeometry(c.shape)) {
      sys.geoms.push_back(GeomId{});
      continue;
    }
    PlacedGeom& geom = addGeom(world, asRobotShape(c.shape),
                               {.owner = sys.firstOwner + c.body,
                                .group = c.group,
                                .mask = c.mask,
                                .isStatic = c.body == 0 && !model.topology.floating},
                               c.material);
    geom.system = &sys;
    geom.body = c.body;
    geom.X_CG = c.X_CG;
    sys.geoms.push_back(geom.id);
    noteBody(sys, c.body);
  }
  // compile() lists each body with its parent first, then what the file ignores.
  const auto& pairs = model.ignoredBodyPairs;
  const auto parents = static_cast<std::ptrdiff_t>(model.nb() - 1);
  const auto first = pairs.begin() + (sys.options.doNotCollideWithParent ? 0 : parents);
  for (auto pair = first; pair != pairs.end(); ++pair)
    world.scene.ignorePair(sys.firstOwner + pair->a, sys.firstOwner + pair->b);
}

void check(const BodySpec& spec) {
  const std::string who = "'" + spec.name + "'";
  ESPALIER_REQUIRE(isPose(spec.X_WB),
                   "the pose of " + who + " must be a finite position and a rotation");
  for (const CollisionSpec& c : spec.collisions)
    ESPALIER_REQUIRE(isPose(c.X_LG), "the pose of a " + std::string(shapeName(c.shape)) + " of " +
                                         who + " must be a finite position and a rotation");
  ESPALIER_REQUIRE(
      isPose(spec.inertial.X_LC),
      "the centre of mass of " + who + " must be finite and the axes of its inertia a rotation");
  ESPALIER_REQUIRE(std::isfinite(norm(spec.velocity)) && std::isfinite(norm(spec.angularVelocity)),
                   "the velocity of " + who + " must be finite");
  if (spec.type == BodyType::STATIC) return;
  for (const CollisionSpec& c : spec.collisions)
    ESPALIER_REQUIRE(canMove(c.shape), "a " + std::string(shapeName(c.shape)) +
                                           " cannot move; make " + who + " STATIC");
  if (spec.type == BodyType::KINEMATIC) return;
  ESPALIER_REQUIRE(
      spec.inertial.mass > 0 && std::isfinite(spec.inertial.mass),
      "the mass of " + who + " must be positive, not " + std::to_string(spec.inertial.mass));
  ESPALIER_REQUIRE(isPositiveDefinite(spec.inertial.I),
                   "the inertia of " + who + " must be positive definite");
}

}  // namespace

ArticulatedSystem* addSystem(WorldData& world, std::shared_ptr<const Model> model,
                             std::shared_ptr<const SystemSpec> spec,
                             const ArticulatedSystemOption& options, std::string resourceDir) {
  ESPALIER_REQUIRE(model != nullptr, "a model is needed");
  requireBetweenSteps(world);
  world.owned.push_back(std::make_unique<System>(model, static_cast<int>(world.state.q.size()),
                                                 static_cast<int>(world.state.u.size())));
  System& sys = *world.owned.back();
  sys.object = static_cast<int>(world.objects.size());
  sys.spec = std::move(spec);
  sys.options = options;
  sys.resourceDir = std::move(resourceDir);
  const State start = neutralState(*model);
  sys.startQ = start.q;
  sys.startU = start.u;
  // A fixed base has its place from compile() and setBasePose(), one that loops tie from compile().
  if (sys.spec && model->topology.floating && !isBaseTied(*model))
    writePose(sys.spec->X_WB, sys.startQ.data());
  world.state.q.insert(world.state.q.end(), sys.startQ.begin(), sys.startQ.end());
  world.state.u.insert(world.state.u.end(), sys.startU.begin(), sys.startU.end());
  addGeoms(world, sys);
  auto handle = std::make_unique<ArticulatedSystem>(world, sys);
  ArticulatedSystem* face = handle.get();
  world.objects.push_back(std::move(handle));
  world.isPrepared = false;
  world.knowsEnergy = false;
  return face;
}

SingleBodyObject* addSingleBody(WorldData& world, const BodySpec& spec) {
  requireBetweenSteps(world);
  check(spec);
  auto owned = std::make_unique<FreeBody>();
  FreeBody& body = *owned;
  body.spec = std::make_shared<const BodySpec>(spec);
  body.type = spec.type;
  body.mass = spec.inertial.mass;
  body.com = spec.inertial.X_LC.p;
  body.I = congruence(transpose(spec.inertial.X_LC.R), spec.inertial.I);
  body.object = static_cast<int>(world.objects.size());
  body.owner = world.nextOwner++;
  body.X_WB = spec.X_WB;
  if (body.type == BodyType::DYNAMIC) lower(body);
  try {
    for (const CollisionSpec& c : spec.collisions)
      if (hasGeometry(c.shape)) addGeom(world, body, c);
  } catch (...) {  // a shape that cannot be: the world stays as it was
    for (const GeomId id : body.geoms) dropGeom(world, id);
    throw;
  }
  world.free.push_back(std::move(owned));
  world.objects.push_back(makeFace(world, spec, body));
  if (body.type != BodyType::STATIC) {
    insertState(world, body);
    resetObject(world, body.object);
  }
  world.isPrepared = false;
  world.knowsEnergy = false;
  return static_cast<SingleBodyObject*>(world.objects.back().get());
}

int indexOf(const WorldData& world, const Object* object) {
  for (std::size_t i = 0; i < world.objects.size(); ++i)
    if (world.objects[i].get() == object) return static_cast<int>(i);
  return -1;
}

Endpoint endpointOf(WorldData& world, const Object* object, int body) {
  Endpoint end;
  const int index = indexOf(world, object);
  for (const auto& sys : world.owned)
    if (sys->object == index) end.system = sys.get();
  for (const auto& single : world.free)
    if (single->object == index) end.free = single.get();
  end.body = body;
  return end;
}

void removeObject(WorldData& world, Object* object) {
  requireBetweenSteps(world);
  const int index = indexOf(world, object);
  ESPALIER_REQUIRE(index >= 0, "the object is not one of this world's");
  std::erase_if(world.welds,
                [&](const auto& w) { return w->objectA == index || w->objectB == index; });
  std::erase_if(world.owned, [&](const auto& sys) {
    if (sys->object != index) return false;
    for (GeomId id : sys->geoms) dropGeom(world, id);
    for (int b = 0; b < sys->model->nb(); ++b) world.scene.forgetOwner(sys->firstOwner + b);
    eraseState(world, sys->q0, sys->u0, sys->model->nq(), sys->model->nv());
    return true;
  });
  std::erase_if(world.free, [&](const auto& body) {
    if (body->object != index) return false;
    for (GeomId id : body->geoms) dropGeom(world, id);
    world.scene.forgetOwner(body->owner);
    if (body->q0 >= 0) eraseState(world, *body);
    return true;
  });
  world.objects.erase(world.objects.begin() + index);
  // Those behind it move up by one.
  const auto moveUp = [&](int& i) { i -= i > index; };
  for (const auto& sys : world.owned) moveUp(sys->object);
  for (const auto& body : world.free) moveUp(body->object);
  for (PlacedGeom& g : world.geoms) moveUp(g.object);
  for (const auto& weld : world.welds) moveUp(weld->objectA), moveUp(weld->objectB);
  world.clearContacts();
  world.isPrepared = false;
  world.knowsEnergy = false;
}

}  // namespace espalier

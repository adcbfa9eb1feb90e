#include "espalier/visual/scene_builder.h"

#include "espalier/visual/scene_json.h"

namespace espalier {
namespace {

using nlohmann::json;

/// Single bodies of a world whose coordinates are channels, at most: a heap of a thousand would
/// fill every frame with them.
constexpr int most_plotted_bodies = 64;

const char* kindOf(const Object& object) {
  switch (object.getObjectType()) {
    case ObjectType::ARTICULATED_SYSTEM: return "system";
    case ObjectType::HALFSPACE: return "ground";
    case ObjectType::HEIGHTMAP: return "heightmap";
    default: return object.getBodyType() == BodyType::STATIC ? "static" : "body";
  }
}

VisualSpec asVisual(const CollisionSpec& c) {
  VisualSpec visual;
  visual.name = c.name;
  visual.shape = c.shape;
  visual.meshScale = c.meshScale;
  visual.X_LG = c.X_LG;
  visual.material = c.material;
  return visual;
}

}  // namespace

void SceneBuilder::addBody(json body, bool collides, const std::string& channel) {
  body["object"] = object_;
  body["visuals"] = json::array();
  body["collisions"] = json::array();
  bodies.push_back(std::move(body));
  layout.contactChannel.push_back(collides ? layout.addChannel(channel, "N", "contact") : -1);
  ++layout.bodyCount;
}

void SceneBuilder::addObject(const std::string& name, const char* kind, int world) {
  object_ = static_cast<int>(objects.size());
  objects.push_back({{"name", name}, {"kind", kind}, {"world", world}});
}

std::string SceneBuilder::uniqueName(const std::string& name) {
  std::string unique = name;
  for (int i = 2; !names_.insert(unique).second; ++i) unique = name + " " + std::to_string(i);
  return unique;
}

void SceneBuilder::addWorld(World& world, int index, const std::string& prefix) {
  ShownWorld shown;
  shown.world = &world;
  names_.clear();
  int moving = 0;
  for (int i = 0; i < world.objectCount(); ++i) {
    const Object* object = world.getObject(i);
    moving += object->getObjectType() != ObjectType::ARTICULATED_SYSTEM &&
              object->getBodyType() != BodyType::STATIC;
  }
  for (int i = 0; i < world.objectCount(); ++i) {
    Object& object = *world.getObject(i);
    const int first = layout.bodyCount;
    addObject(object.getName(), kindOf(object), index);
    const std::string channels = prefix + uniqueName(object.getName());
    if (object.getObjectType() == ObjectType::ARTICULATED_SYSTEM)
      addSystem(world, static_cast<const ArticulatedSystem&>(object), channels + "/");
    else
      addSingleBody(world, static_cast<const SingleBodyObject&>(object), channels,
                    moving <= most_plotted_bodies);
    objects.back()["bodies"] = {first, layout.bodyCount - first};
    shown.objects.push_back({&object, first, layout.bodyCount - first});
  }
  addStepChannels(shown, prefix);
  layout.worlds.push_back(std::move(shown));
  layout.contactForce.resize(static_cast<std::size_t>(layout.bodyCount));
}

void SceneBuilder::addSingleBody(World& world, const SingleBodyObject& object,
                                 const std::string& name, bool hasChannels) {
  const FreeBody& body = object.body();
  BodySpec spec = object.spec();
  json described = bodyJson(object.getName(), -1);
  described["mass"] = body.mass;
  described["com"] = vectorJson(body.com);
  if (body.type == BodyType::DYNAMIC)
    described["inertiaBox"] = inertiaBoxJson(body.mass, body.com, body.I);
  ShownBody shown{&world, &object, body.spec, layout.bodyCount};
  addBody(std::move(described), !spec.collisions.empty(), name + "/contact");
  json& added = bodyAt(shown.body);
  for (const CollisionSpec& c : spec.collisions)
    added["collisions"].push_back(shapeJson(asVisual(c), meshes_));
  if (spec.visuals.empty())
    for (const CollisionSpec& c : spec.collisions) spec.visuals.push_back(asVisual(c));
  for (const VisualSpec& visual : spec.visuals)
    added["visuals"].push_back(shapeJson(visual, meshes_));

  if (hasChannels && body.q0 >= 0) {
    shown.q = static_cast<int>(layout.channels.size());
    for (const char* q : {"x", "y", "z"}) layout.addChannel(name + "/q/" + q, "m", "q");
    for (const char* q : {"qw", "qx", "qy", "qz"}) layout.addChannel(name + "/q/" + q, "", "q");
    shown.u = static_cast<int>(layout.channels.size());
    for (const char* u : {"vx", "vy", "vz"}) layout.addChannel(name + "/u/" + u, "m/s", "u");
    for (const char* u : {"wx", "wy", "wz"}) layout.addChannel(name + "/u/" + u, "rad/s", "u");
  }
  objects.back()["dofs"] = body.type == BodyType::DYNAMIC ? 6 : 0;
  objects.back()["independents"] = json::array();
  layout.bodies.push_back(std::move(shown));
}

void SceneBuilder::addVisuals(const Visuals& visuals) {
  for (const auto& shape : visuals.shapes()) {
    if (shape->kind() == Visual::Kind::ARROW) continue;  // the overlay's
    if (shape->hasVaryingLook()) {
      shapeJson(shape->look(), meshes_);
      continue;
    }
    addObject(shape->name, "visual", 0);
    const int place = layout.bodyCount;
    addBody(bodyJson(shape->name, -1), false, "");
    bodyAt(place)["visuals"].push_back(shapeJson(shape->look(), meshes_));
    layout.shapes.push_back({shape.get(), place});
    objects.back()["bodies"] = {place, 1};
    objects.back()["dofs"] = 0;
    objects.back()["independents"] = json::array();
  }
  for (const auto& set : visuals.instanced()) shapeJson(set->shape(), meshes_);
  for (const auto& ghost : visuals.ghosts()) {
    addObject(ghost->name, "ghost", 0);
    const int first = layout.bodyCount;
    addSystem(ghost->world(), ghost->robot(), "", &ghost->color);
    objects.back()["bodies"] = {first, layout.bodyCount - first};
  }
  layout.contactForce.resize(static_cast<std::size_t>(layout.bodyCount));
}

void SceneBuilder::addStepChannels(ShownWorld& shown, const std::string& prefix) {
  const auto add = [&](const char* name, const char* unit) {
    return layout.addChannel(prefix + "step/" + name, unit, "step");
  };
  shown.step = add("residual", "m/s");
  add("penetration", "m");
  add("contacts", "");
  add("active contacts", "");
  add("iterations", "");
  add("closure", "m");
  add("duration", "s");
  if (!shown.world->getEnergyMonitoring()) return;
  shown.energy = layout.addChannel(prefix + "energy", "J", "energy");
  layout.addChannel(prefix + "energy balance", "J", "energy");
}

}  // namespace espalier

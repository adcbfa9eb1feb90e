#include <array>

#include "espalier/io/world_xml/world_node.h"
#include "espalier/io/world_xml/world_parts.h"

namespace espalier::io {
namespace {

/// RaiSim's group of the ground.
constexpr std::uint64_t ground_group = std::uint64_t{1} << 63;

BodyType readType(const Node& object, BodyType fallback) {
  const std::string type = object.text("body_type");
  if (type.empty()) return fallback;
  if (type == "static") return BodyType::STATIC;
  if (type == "kinematic") return BodyType::KINEMATIC;
  if (type != "dynamic") {
    object.error("the body type " + shown(type) + " is not known",
                 "use dynamic, kinematic or static");
  }
  return BodyType::DYNAMIC;
}

void readState(const Node& object, BodySpec& body) {
  body.X_WB = readPose(object);
  const auto state = object.child("state");
  if (!state) return;
  body.velocity = state->vector("lin_vel", body.velocity);
  body.angularVelocity = state->vector("ang_vel", body.angularVelocity);
}

/// Material, group and mask, where the node has its own.
void readContact(const Node& node, CollisionSpec& collision) {
  if (const std::string material = node.text("material"); !material.empty())
    collision.material = material;
  collision.group = node.bits("collision_group", collision.group);
  collision.mask = node.bits("collision_mask", collision.mask);
}

/// The colour of a node's appearance; none where it has none, or names a texture.
std::optional<std::array<double, 4>> readColour(const Node& node) {
  const std::string text = node.text("appearance");
  if (text.empty() || text == "default") return std::nullopt;
  const auto rgba = parseAppearance(text);
  if (!rgba) {
    node.once(Severity::Note, "the appearance " + shown(text) + " is no colour and is left out",
              "name a colour, or give its red, green and blue, from 0 to 1");
  }
  return rgba;
}

VisualSpec asVisual(const CollisionSpec& collision, const std::array<double, 4>& rgba) {
  VisualSpec visual;
  visual.shape = collision.shape;
  visual.meshScale = collision.meshScale;
  visual.X_LG = collision.X_LG;
  visual.rgba = rgba;
  visual.line = collision.line;
  return visual;
}

bool isShape(const std::string& tag) {
  return isSolidName(tag) || tag == "mesh" || tag == "ground" || tag == "heightmap";
}

void expectShape(const Node& node) {
  node.expect({"name",           "mass",         "material", "appearance", "collision_group",
               "collision_mask", "object_param", "pos",      "quat",       "collision_mode",
               "file_name",      "scale",        "x_sample", "y_sample",   "x_size",
               "y_size",         "height",       "center_x", "center_y",   "center_z"},
              {"dim", "dimension", "state", "vertices", "triangles", "file", "inertia"});
}

Transformd poseOfPart(const Node& part, const std::string& kind) {
  return kind == "heightmap" && !part.child("state") ? readHeightmapPose(part) : readPose(part);
}

/// One shape of a compound.
void readPart(WorldReading& reading, const Node& part, BodySpec& body, bool& isColoured) {
  const std::string kind = part.tag();
  if (!isShape(kind)) {
    part.error("<" + kind + "> cannot be a part of a compound", "use " + solidNames() + " or mesh");
    return;
  }
  expectShape(part);
  CollisionSpec collision = body.collisions.front();  // material and group of the whole compound
  collision.meshScale = {1, 1, 1};
  const auto shape = readWorldShape(reading, part, kind, collision.meshScale);
  if (!shape) return;
  collision.name = part.text("name");
  collision.shape = *shape;
  collision.X_LG = poseOfPart(part, kind);
  collision.line = part.line();
  readContact(part, collision);
  const auto rgba = readColour(part);
  isColoured = isColoured || rgba;
  body.visuals.push_back(asVisual(collision, rgba.value_or(VisualSpec().rgba)));
  body.collisions.push_back(std::move(collision));
}

void readCompound(WorldReading& reading, const Node& object, BodySpec& body) {
  bool isColoured = false;
  if (const auto children = object.child("children"))
    for (const Node& part : children->children()) readPart(reading, part, body, isColoured);
  else
    object.error("<compound> has no <children>", "add <children> with the shapes in it");
  body.collisions.erase(body.collisions.begin());
  if (!isColoured) body.visuals.clear();
}

/// Visuals in place of the collisions.
void readVisuals(WorldReading& reading, const Node& visuals, BodySpec& body) {
  body.visuals.clear();
  for (const Node& node : visuals.children()) {
    const std::string kind = node.tag();
    if (!isShape(kind)) {
      node.error("<" + kind + "> is no shape", "use " + solidNames() + " or mesh");
      continue;
    }
    expectShape(node);
    VisualSpec visual;
    const auto shape = readWorldShape(reading, node, kind, visual.meshScale);
    if (!shape) continue;
    visual.name = node.text("name");
    visual.shape = *shape;
    visual.X_LG = poseOfPart(node, kind);
    visual.rgba = readColour(node).value_or(visual.rgba);
    visual.material = node.text("material");
    visual.line = node.line();
    body.visuals.push_back(std::move(visual));
  }
}

void readOneShape(WorldReading& reading, const Node& object, const std::string& kind,
                  BodySpec& body) {
  CollisionSpec& collision = body.collisions.front();
  if (const auto shape = readWorldShape(reading, object, kind, collision.meshScale))
    collision.shape = *shape;
  else
    body.collisions.clear();
}

}  // namespace

Transformd readPose(const Node& object) {
  Transformd pose = identityTransform<double>();
  // A class's compound has the pose in the part itself.
  const Node from = object.child("state").value_or(object);
  pose.p = from.vector("pos", pose.p);
  from.rotation("quat", pose.R);
  return pose;
}

BodySpec readBody(WorldReading& reading, const Node& object, const std::string& kind) {
  BodySpec body;
  body.name = object.text("name");
  body.line = object.line();
  const bool isTerrain = kind == "ground" || kind == "heightmap";
  body.type = readType(object, isTerrain ? BodyType::STATIC : BodyType::DYNAMIC);
  if (isTerrain && body.type != BodyType::STATIC)
    object.error("<" + kind + "> cannot move", "leave out its body_type, or make it static");
  object.expect({"name",           "type",
                 "mass",           "com",
                 "material",       "collision_group",
                 "collision_mask", "appearance",
                 "body_type",      "exist",
                 "file_name",      "scale",
                 "height",         "x_sample",
                 "y_sample",       "x_size",
                 "y_size",         "z_scale",
                 "z_offset",       "height_scale",
                 "height_offset",  "png",
                 "text",           "center_x",
                 "center_y",       "center_z",
                 "quat",           "collision_mode"},
                {"dim", "dimension", "inertia", "state", "children", "visuals", "file", "scale",
                 "terrain_properties", "vertices", "triangles"},
                {"coacd", "tuning"});

  CollisionSpec& first = body.collisions.emplace_back();
  if (kind == "ground") first.group = ground_group;
  first.line = body.line;
  readContact(object, first);
  readState(object, body);
  if (kind == "compound")
    readCompound(reading, object, body);
  else
    readOneShape(reading, object, kind, body);
  if (kind == "ground") {
    // RaiSim reads the height from the element itself, and writes it into a <dim>.
    const auto dim = object.child("dim");
    body.X_WB.p.z +=
        object.has("height") || !dim ? object.number("height", 0) : dim->number("height", 0);
  } else if (kind == "heightmap" && !object.child("state")) {
    body.X_WB = readHeightmapPose(object);
  }
  if (const auto rgba = readColour(object)) {
    body.visuals.clear();
    for (const CollisionSpec& c : body.collisions) body.visuals.push_back(asVisual(c, *rgba));
  }
  if (const auto visuals = object.child("visuals")) readVisuals(reading, *visuals, body);
  body.inertial = readBodyInertia(object, body, reading.options.loadMeshes);
  return body;
}

}  // namespace espalier::io

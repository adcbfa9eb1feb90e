// Output of `espalier info` for a world file.

#include <fmt/format.h>

#include "apps/cli/json.h"
#include "apps/cli/remarks.h"
#include "apps/cli/table.h"
#include "apps/cli/world_file.h"

namespace espalier::cli {
namespace {

const char* typeName(BodyType type) {
  switch (type) {
    case BodyType::STATIC: return "static";
    case BodyType::KINEMATIC: return "kinematic";
    case BodyType::DYNAMIC: return "dynamic";
  }
  return "";
}

/// "sphere", or for several shapes "compound of 3".
std::string shapeOf(const BodySpec& body) {
  if (body.collisions.size() == 1) return shapeName(body.collisions[0].shape);
  return fmt::format("compound of {}", body.collisions.size());
}

/// The materials of a body, each once.
std::string materialsOf(const BodySpec& body) {
  std::string text;
  for (const CollisionSpec& c : body.collisions)
    if ((", " + text + ", ").find(", " + c.material + ", ") == std::string::npos)
      text += (text.empty() ? "" : ", ") + c.material;
  return text;
}

std::string position(const Vec3d& p) { return fmt::format("{:.4g} {:.4g} {:.4g}", p.x, p.y, p.z); }

/// Where a robot's base starts.
Vec3d startOf(const PlacedSystemSpec& placed, const Model& model) {
  if (model.topology.floating && placed.q.size() >= 3)
    return {placed.q[0], placed.q[1], placed.q[2]};
  return placed.system.X_WB.p;
}

Json pairJson(const MaterialPairSpec& pair) {
  return {{"first", pair.first},
          {"second", pair.second},
          {"friction", pair.friction},
          {"static_friction", pair.staticFriction < 0 ? pair.friction : pair.staticFriction},
          {"restitution", pair.restitution},
          {"restitution_threshold", pair.restitutionThreshold},
          {"rolling_friction", pair.rollingFriction},
          {"spinning_friction", pair.spinningFriction}};
}

std::string drawRobots(const WorldFile& world) {
  if (world.models.empty()) return "";
  Table table({{"robot"},
               {"dof", Align::Right},
               {"mass (kg)", Align::Right},
               {"base"},
               {"at (m)"},
               {"file"}});
  for (std::size_t i = 0; i < world.models.size(); ++i) {
    const PlacedSystemSpec& placed = world.spec->systems[i];
    const Model& model = world.models[i];
    table.add({printable(placed.system.name), fmt::format("{}", model.publicNv),
               fmt::format("{:.6g}", model.mass), model.topology.floating ? "floating" : "fixed",
               position(startOf(placed, model)), printable(placed.system.file)});
  }
  return "\n" + table.draw(out(), 0);
}

std::string drawBodies(const WorldSpec& spec) {
  if (spec.bodies.empty()) return "";
  Table table(
      {{"object"}, {"shape"}, {"type"}, {"mass (kg)", Align::Right}, {"material"}, {"at (m)"}});
  for (const BodySpec& body : spec.bodies)
    table.add({printable(body.name), shapeOf(body), typeName(body.type),
               body.inertial.mass > 0 ? fmt::format("{:.6g}", body.inertial.mass) : "",
               printable(materialsOf(body)), position(body.X_WB.p)});
  return "\n" + table.draw(out(), 0);
}

std::string drawMaterials(const WorldSpec& spec) {
  Table table({{"materials"}, {""}, {"friction", Align::Right}, {"restitution", Align::Right}});
  const auto add = [&](const std::string& first, const std::string& second,
                       const MaterialPairSpec& pair) {
    table.add({printable(first), printable(second), fmt::format("{:.4g}", pair.friction),
               fmt::format("{:.4g}", pair.restitution)});
  };
  for (const MaterialPairSpec& pair : spec.materials) add(pair.first, pair.second, pair);
  add("any", "other", spec.defaultMaterial);
  return "\n" + table.draw(out(), 0);
}

}  // namespace

Json worldJson(const WorldFile& world) {
  Json::array_t robots, bodies, materials;
  for (std::size_t i = 0; i < world.models.size(); ++i) {
    const PlacedSystemSpec& placed = world.spec->systems[i];
    const Model& model = world.models[i];
    robots.push_back({{"name", placed.system.name},
                      {"file", placed.system.file},
                      {"floating", model.topology.floating},
                      {"nq", model.publicNq},
                      {"nv", model.publicNv},
                      {"mass", model.mass},
                      {"position", toJson(startOf(placed, model))}});
  }
  for (const BodySpec& body : world.spec->bodies)
    bodies.push_back({{"name", body.name},
                      {"shape", shapeOf(body)},
                      {"type", typeName(body.type)},
                      {"mass", body.inertial.mass},
                      {"material", materialsOf(body)},
                      {"position", toJson(body.X_WB.p)}});
  for (const MaterialPairSpec& pair : world.spec->materials) materials.push_back(pairJson(pair));
  return {{"file", world.file},
          {"dt", world.spec->timeStep},
          {"gravity", toJson(world.spec->gravity)},
          {"robots", robots},
          {"objects", bodies},
          {"materials", materials},
          {"default_material", pairJson(world.spec->defaultMaterial)}};
}

std::string drawWorld(const WorldFile& world) {
  const WorldSpec& spec = *world.spec;
  Table facts({{""}, {"", Align::Right}, {""}});
  facts.add({"robots", fmt::format("{}", spec.systems.size())});
  facts.add({"objects", fmt::format("{}", spec.bodies.size())});
  facts.add({"time step", fmt::format("{:.6g}", 1e3 * spec.timeStep), "ms"});
  facts.add({"gravity", position(spec.gravity), "m/s^2"});
  facts.add({"warnings", fmt::format("{}", world.diagnostics.count(Severity::Warning))});
  return facts.draw(out(), 0) + drawRobots(world) + drawBodies(spec) + drawMaterials(spec);
}

}  // namespace espalier::cli

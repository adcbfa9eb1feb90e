// Adding robots.

#include <filesystem>

#include "espalier/io/mesh/mesh_file.h"
#include "espalier/model/compile/compile_cache.h"
#include "espalier/model/loops/loop_ties.h"
#include "espalier/robot/editing.h"
#include "espalier/world/added.h"
#include "espalier/world/objects.h"
#include "espalier/world/overlaps.h"
#include "espalier/world/template_parameters.h"
#include "espalier/world/world.h"

namespace espalier {
namespace {

void setGroups(SystemSpec& spec, std::optional<CollisionGroup> group,
               std::optional<CollisionGroup> mask) {
  for (LinkSpec& link : spec.links)
    for (CollisionSpec& c : link.collisions) {
      c.group = group.value_or(c.group);
      c.mask = mask.value_or(c.mask);
    }
}

/// Reads a mesh that has a file's name and no triangles.
void readTriangles(Shape& shape, const Vec3d& scale, const std::string& folder) {
  auto* mesh = std::get_if<MeshShape>(&shape);
  if (!mesh || mesh->data || mesh->file.empty()) return;
  const std::string below = (std::filesystem::path(folder) / mesh->file).string();
  if (!folder.empty() && std::filesystem::exists(below)) mesh->file = below;
  mesh->data = std::make_shared<const TriangleMesh>(valueOrThrow(
      io::readMeshFile(mesh->file, scale), "the mesh '" + mesh->file + "' cannot be read"));
}

ArticulatedSystem* add(WorldData& world, const SystemSpec& spec,
                       const ArticulatedSystemOption& options = {},
                       const std::string& resourceDir = "") {
  ArticulatedSystem* robot = addSystem(
      world, valueOrThrow(CompileCache::ofProcess().compile(spec), "the robot cannot be simulated"),
      std::make_shared<const SystemSpec>(spec), options, resourceDir);
  if (!robot->model().topology.floating && !isBaseTied(spec))
    setBasePose(world, *world.owned.back(), spec.X_WB);
  return robot;
}

}  // namespace

std::map<std::string, std::string> plainNames(const TemplateParameters& parameters) {
  std::map<std::string, std::string> plain;
  for (const auto& [name, value] : parameters) {
    const bool isMarked = name.starts_with("@@");
    const bool isNew = plain.emplace(isMarked ? name.substr(2) : name, value).second;
    ESPALIER_REQUIRE(isNew, "the parameter '" + name + "' is given with and without @@");
  }
  return plain;
}

ArticulatedSystem* World::addArticulatedSystem(const std::string& fileOrText,
                                               const io::UrdfOptions& options) {
  SystemSpec spec = valueOrThrow(io::loadRobot(fileOrText, options), "the robot cannot be read");
  excludeOverlaps(spec);
  return addArticulatedSystem(spec);
}
ArticulatedSystem* World::addArticulatedSystem(const std::string& fileOrText,
                                               const std::string& resDir,
                                               const std::vector<std::string>& jointOrder,
                                               std::optional<CollisionGroup> group,
                                               std::optional<CollisionGroup> mask,
                                               const ArticulatedSystemOption& options) {
  return addArticulatedSystem(fileOrText, TemplateParameters{}, resDir, jointOrder, group, mask,
                              options);
}
ArticulatedSystem* World::addArticulatedSystem(
    const std::string& fileOrText, const TemplateParameters& parameters, const std::string& resDir,
    const std::vector<std::string>& jointOrder, std::optional<CollisionGroup> group,
    std::optional<CollisionGroup> mask, const ArticulatedSystemOption& options) {
  io::UrdfOptions reading;
  reading.parameters = plainNames(parameters);
  reading.jointOrder = jointOrder;
  if (!resDir.empty()) reading.searchPaths = {resDir};
  SystemSpec spec = valueOrThrow(io::loadRobot(fileOrText, reading), "the robot cannot be read");
  setGroups(spec, group, mask);
  excludeOverlaps(spec);
  return add(*data_, spec, options, resDir);
}
ArticulatedSystem* World::addArticulatedSystem(const Child& root, const std::string& resDir,
                                               std::optional<CollisionGroup> group,
                                               std::optional<CollisionGroup> mask,
                                               const ArticulatedSystemOption& options) {
  SystemSpec spec = toSpec(root);
  for (LinkSpec& link : spec.links) {
    for (CollisionSpec& c : link.collisions) readTriangles(c.shape, c.meshScale, resDir);
    for (VisualSpec& v : link.visuals) readTriangles(v.shape, v.meshScale, resDir);
  }
  setGroups(spec, group, mask);
  return add(*data_, spec, options, resDir);
}
ArticulatedSystem* World::addArticulatedSystem(const SystemSpec& spec) { return add(*data_, spec); }
ArticulatedSystem* World::addArticulatedSystem(std::shared_ptr<const Model> model) {
  return addSystem(*data_, std::move(model), nullptr);
}

}  // namespace espalier

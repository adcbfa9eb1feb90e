#include "apps/cli/world_file.h"

#include "apps/cli/closing.h"
#include "apps/cli/placement.h"
#include "apps/cli/remarks.h"
#include "espalier/io/mjcf/mjcf.h"
#include "espalier/io/text/text_file.h"
#include "espalier/io/world_xml/world_xml.h"

namespace espalier::cli {

WorldFile loadWorldFile(const std::string& file, const RobotOptions& options) {
  WorldFile world;
  world.file = file;
  io::WorldOptions read;
  read.parameters = options.urdf.parameters;
  read.searchPaths = options.urdf.searchPaths;
  read.unbounded = options.urdf.unbounded;
  read.hullVertices = options.urdf.hullVertices;
  read.keyframe = options.urdf.keyframe;
  Expected<WorldSpec> spec = io::loadWorld(file, read);
  world.diagnostics = merged({}, spec.diagnostics());
  if (!spec) return world;
  if (!options.urdf.srdf.empty())
    world.diagnostics.add({Severity::Warning, file, 0,
                           "--srdf does nothing: it is for one robot, and this is a world",
                           "put it beside the robot's own file, as ROBOT.srdf"});
  for (PlacedSystemSpec& placed : spec->systems) {
    if (!options.selfCollision) placed.system.selfCollides = false;
    Expected<Model> model = compile(placed.system);
    world.diagnostics = merged(world.diagnostics, model.diagnostics());
    if (model) world.models.push_back(std::move(model).value());
  }
  if (!world.diagnostics.hasErrors()) world.spec = std::move(spec).value();
  return world;
}

std::vector<double> internalStart(const PlacedSystemSpec& placed, const Model& model) {
  std::vector<double> q = restingState(model).q;
  if (placed.q.empty()) return q;
  if (static_cast<int>(placed.q.size()) > model.publicNq) {
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = placed.q[model.spanningCoordinate[i]];
    return q;
  }
  for (std::size_t i = 0; i < q.size(); ++i)
    if (const int at = model.publicCoordinate[i]; at >= 0) q[i] = placed.q[at];
  closeByDependents(model, q);
  return q;
}

std::optional<Robot> loneRobot(const WorldFile& world) {
  if (world.models.size() != 1) return std::nullopt;
  const Expected<std::string> text = io::readTextFile(world.file);
  if (!text || !io::isMjcf(*text)) return std::nullopt;
  return Robot{world.file, world.spec->systems[0].system, world.models[0], world.diagnostics};
}

}  // namespace espalier::cli

#include "apps/cli/world_file.h"

#include "apps/cli/remarks.h"
#include "espalier/io/world_xml.h"

namespace espalier::cli {

WorldFile loadWorldFile(const std::string& file, const RobotOptions& options) {
  WorldFile world;
  world.file = file;
  io::WorldOptions read;
  read.parameters = options.urdf.parameters;
  read.searchPaths = options.urdf.searchPaths;
  read.unbounded = options.urdf.unbounded;
  Expected<WorldSpec> spec = io::loadWorld(file, read);
  world.diagnostics = merged({}, spec.diagnostics());
  if (!spec) return world;
  for (const PlacedSystemSpec& placed : spec->systems) {
    Expected<Model> model = compile(placed.system);
    world.diagnostics = merged(world.diagnostics, model.diagnostics());
    if (model) world.models.push_back(std::move(model).value());
  }
  if (!world.diagnostics.hasErrors()) world.spec = std::move(spec).value();
  return world;
}

}  // namespace espalier::cli

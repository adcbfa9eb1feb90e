// `espalier sim` of a world file: everything as the file has it, its robots held where they start.

#include <set>

#include "apps/cli/closing.h"
#include "apps/cli/overlaps.h"
#include "apps/cli/remarks.h"
#include "apps/cli/simulation.h"
#include "apps/cli/world_file.h"

namespace espalier::cli {
namespace {

void letOverlapsThrough(WorldFile& file, Diagnostics& remarks) {
  for (std::size_t i = 0; i < file.models.size(); ++i) {
    PlacedSystemSpec& placed = file.spec->systems[i];
    Robot robot{placed.system.file, placed.system, file.models[i], {}};
    ignoreOverlaps(robot, internalStart(placed, file.models[i]), remarks);
    placed.system = std::move(*robot.spec);
  }
}

}  // namespace

void setUpWorld(const SimulationOptions& options, Simulation& result) {
  WorldFile file = loadWorldFile(options.files[0], options.robot);
  result.diagnostics = file.diagnostics;
  if (!file.isGood()) return;
  if (!options.keepsOverlaps) letOverlapsThrough(file, result.remarks);
  if (!options.pose.empty() || options.seed != 0)
    result.remarks.add({Severity::Warning, file.file, 0,
                        "--pose and --seed do nothing: a world file says where its robots start",
                        "give them a <state qpos=... qvel=.../>"});

  result.world = std::make_unique<World>(*file.spec);
  World& world = *result.world;
  if (options.dt) world.setTimeStep(*options.dt);
  setUpSteps(options, world);
  std::set<std::string> servoed;  // files: joints without a servo move freely
  for (int i = 0; i < world.systemCount(); ++i)
    if (hasServos(world.system(i)->model())) servoed.insert(file.spec->systems[i].system.file);
  for (int i = 0; i < world.systemCount(); ++i) {
    const SystemSpec& system = file.spec->systems[i].system;
    Participant robot{system.name, system.file, world.system(i), 0, 0};
    robot.hasOwnServos = servoed.count(system.file) > 0;
    hold(robot, system, options, robot.system->getGeneralizedCoordinate());
    result.robots.push_back(std::move(robot));
  }
  result.remarks.append(world.diagnostics());
}

}  // namespace espalier::cli

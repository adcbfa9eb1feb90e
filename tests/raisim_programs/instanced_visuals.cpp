// A terrain is scanned from above by rays; every hit is one of many small boxes, coloured by height.

#include <algorithm>

#include "espalier/raisim.h"

int main(int, char* argv[]) {
  auto binaryPath = raisim::Path::setFromArgv(argv[0]);
  raisim::World::setActivationKey(binaryPath.getDirectory() + "/rsc/activation.raisim");

  raisim::World world;
  world.setTimeStep(0.002);
  raisim::TerrainProperties terrain;
  terrain.xSize = 10.0;
  terrain.ySize = 10.0;
  terrain.xSamples = 40;
  terrain.ySamples = 40;
  terrain.zScale = 2.0;
  world.addHeightMap(0.0, 0.0, terrain);

  raisim::RaisimServer server(&world);
  constexpr int rows = 20, columns = 20;
  auto scans = server.addInstancedVisuals("scan points", raisim::Shape::Box, {0.05, 0.05, 0.05},
                                          {1, 0, 0, 1}, {0, 1, 0, 1});
  scans->resize(rows * columns);
  server.launchServer();

  for (int step = 0; step < 500; ++step) {
    RS_TIMED_LOOP(int(world.getTimeStep() * 1e6))
    server.integrateWorldThreadSafe();
    if (step % 20 != 0) continue;
    const double offset = 0.004 * step;
    server.lockVisualizationServerMutex();
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) {
        const Eigen::Vector3d from(0.2 * (i - 10) + offset, 0.2 * (j - 10), 10);
        auto& hits = world.rayTest(from, {0, 0, -1}, 20.0);
        RSFATAL_IF(hits.size() == 0, "a ray went past the terrain")
        const Eigen::Vector3d hit = hits[0].getPosition();
        scans->setPosition(std::size_t(i * columns + j), hit);
        scans->setColorWeight(std::size_t(i * columns + j),
                              std::clamp(0.5 + 0.5 * hit[2], 0.0, 1.0));
      }
    server.unlockVisualizationServerMutex();
  }
  RSFATAL_IF(scans->count() != rows * columns, "points are missing")
  server.killServer();
  return 0;
}

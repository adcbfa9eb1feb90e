// Balls roll on a terrain made of noise.

#include <vector>

#include "espalier/raisim.h"

int main(int, char* argv[]) {
  auto binaryPath = raisim::Path::setFromArgv(argv[0]);
  raisim::World::setActivationKey(binaryPath.getDirectory() + "/rsc/activation.raisim");

  raisim::World world;
  world.setTimeStep(0.002);

  raisim::TerrainProperties terrain;
  terrain.frequency = 0.2;
  terrain.zScale = 3.0;
  terrain.xSize = 20.0;
  terrain.ySize = 20.0;
  terrain.xSamples = 50;
  terrain.ySamples = 50;
  terrain.fractalOctaves = 3;
  terrain.fractalLacunarity = 2.0;
  terrain.fractalGain = 0.25;
  raisim::HeightMap* hills = world.addHeightMap(0.0, 0.0, terrain);
  hills->setAppearance("0.5 0.6 0.4 1");

  std::vector<raisim::Sphere*> balls;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) {
      const double x = 3.0 * (i - 2), y = 3.0 * (j - 2);
      balls.push_back(world.addSphere(0.2, 1.0));
      balls.back()->setPosition(x, y, hills->getHeight(x, y) + 0.4);
      balls.back()->setAppearance("orange");
    }

  raisim::RaisimServer server(&world);
  server.launchServer();
  server.focusOn(balls.front());
  for (int i = 0; i < 500; ++i) {
    RS_TIMED_LOOP(int(world.getTimeStep() * 1e6));
    server.integrateWorldThreadSafe();
  }
  server.killServer();

  for (auto* ball : balls) {
    const Eigen::Vector3d p = ball->getPosition();
    RSFATAL_IF(p.z() < hills->getHeight(p.x(), p.y()), "a ball sank into the hills")
  }
  return 0;
}

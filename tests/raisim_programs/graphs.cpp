// Curves of a cart-pole's coordinates over time, and bars of its energies.

#include "espalier/raisim.h"

int main(int, char* argv[]) {
  auto binaryPath = raisim::Path::setFromArgv(argv[0]);
  raisim::World::setActivationKey(binaryPath.getDirectory() + "/rsc/activation.raisim");

  raisim::World world;
  world.setTimeStep(0.001);
  world.addGround();
  auto* cartPole =
      world.addArticulatedSystem(binaryPath.getDirectory() + "/rsc/cartpole/cartpole.urdf");
  cartPole->setGeneralizedCoordinate({0, 0.2});

  raisim::RaisimServer server(&world);
  auto* positions = server.addTimeSeriesGraph("coordinates", {"cart", "pole"}, "time", "m, rad");
  auto* energies = server.addBarChart("energy", {"kinetic", "potential"});
  server.launchServer();
  server.focusOn(cartPole);
  const double before = cartPole->getEnergy(world.getGravity());
  for (int i = 0; i < 1000; ++i) {
    RS_TIMED_LOOP(int(world.getTimeStep() * 1e6))
    server.integrateWorldThreadSafe();
    if (i % 10 == 0) {
      positions->addDataPoints(world.getWorldTime(), cartPole->getGeneralizedCoordinate());
      energies->setData({float(cartPole->getKineticEnergy()),
                         float(cartPole->getPotentialEnergy(world.getGravity()))});
    }
  }
  server.killServer();
  RSISNAN_MSG(cartPole->getGeneralizedCoordinate()[1], "the pole is lost")
  RSFATAL_IF(cartPole->getEnergy(world.getGravity()) > before + 1e-3, "energy was made")
  return 0;
}

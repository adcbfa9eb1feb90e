// Balls, boxes, cylinders and capsules of three materials fall onto the ground in a grid.

#include <string>
#include <vector>

#include "espalier/raisim.h"

int main(int, char* argv[]) {
  auto binaryPath = raisim::Path::setFromArgv(argv[0]);
  raisim::World::setActivationKey(binaryPath.getDirectory() + "/rsc/activation.raisim");

  raisim::World world;
  world.setTimeStep(0.001);
  world.setMaterialPairProp("rubber", "rubber", 1, 0.5, 0.001);
  world.setMaterialPairProp("steel", "rubber", 0.6, 0.2, 0.001);
  auto* ground = world.addGround(0, "rubber");
  ground->setName("floor");

  constexpr int side = 4;
  std::vector<raisim::SingleBodyObject*> bodies;
  for (int row = 0; row < side; ++row)
    for (int column = 0; column < side; ++column)
      for (int layer = 0; layer < 2; ++layer) {
        const std::string material = layer == 0 ? "rubber" : "steel";
        raisim::SingleBodyObject* body = nullptr;
        switch ((row + column + layer) % 4) {
          case 0: body = world.addSphere(0.3, 0.8, material); break;
          case 1: body = world.addBox(0.5, 0.4, 0.3, 1.2, material); break;
          case 2: body = world.addCylinder(0.25, 0.4, 0.7, material); break;
          default: body = world.addCapsule(0.2, 0.4, 0.9, material); break;
        }
        body->setAppearance(layer == 0 ? "blue" : "0.8, 0.4, 0.1, 1");
        body->setPosition(row - 1.5 + 0.05 * layer, column - 1.5, 0.6 + 0.9 * layer);
        bodies.push_back(body);
      }

  raisim::RaisimServer server(&world);
  server.launchServer();
  server.focusOn(bodies.front());
  for (int i = 0; i < 1000; ++i) {
    RS_TIMED_LOOP(int(world.getTimeStep() * 1e6))
    server.integrateWorldThreadSafe();
  }
  server.killServer();

  for (auto* body : bodies)
    RSFATAL_IF(body->getPosition().z() < 0.1, body->getName() << " fell through the floor")
  RSFATAL_IF(world.getContactProblem().size() < bodies.size() / 2, "nothing lies on the floor")
  return 0;
}

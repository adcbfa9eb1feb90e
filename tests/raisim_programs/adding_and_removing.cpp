// Balls are shot at a stack of crates, appear and vanish while pages look on.

#include <deque>
#include <string>

#include "espalier/raisim.h"

int main(int, char* argv[]) {
  auto binaryPath = raisim::Path::setFromArgv(argv[0]);
  raisim::World::setActivationKey(binaryPath.getDirectory() + "/rsc/activation.raisim");

  raisim::World world;
  world.setTimeStep(0.002);
  world.addGround();
  raisim::Box* top = nullptr;
  for (int layer = 0; layer < 4; ++layer) {
    top = world.addBox(0.4, 0.4, 0.4, 2);
    top->setPosition(0, 0, 0.2 + 0.4 * layer);
    top->setAppearance("brown");
  }
  raisim::RaisimServer server(&world);
  server.setMap("simple");
  server.launchServer();
  server.focusOn(top);

  std::deque<raisim::Sphere*> balls;
  const double height = top->getPosition()[2];
  for (int i = 0; i < 500; ++i) {
    RS_TIMED_LOOP(int(world.getTimeStep() * 1e6))
    if (i % 60 == 0) {
      server.lockVisualizationServerMutex();
      auto* ball = world.addSphere(0.1, 1);
      ball->setPosition(0, -2, 1.4);
      ball->setVelocity(0, 8, 0, 0, 0, 0);
      balls.push_back(ball);
      if (balls.size() > 3) {
        world.removeObject(balls.front());
        balls.pop_front();
      }
      server.unlockVisualizationServerMutex();
    }
    server.integrateWorldThreadSafe();
  }
  server.killServer();
  RSFATAL_IF(world.getObjList().size() != 1 + 4 + balls.size(), "objects are left over")
  RSFATAL_IF(top->getPosition()[2] > height - 0.1, "no ball hit the stack")
  return 0;
}

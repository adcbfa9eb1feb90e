// A turning ray among four bodies: a line shows it, a red ball where it ends.

#include <cmath>
#include <set>

#include "espalier/raisim.h"

int main(int, char* argv[]) {
  auto binaryPath = raisim::Path::setFromArgv(argv[0]);
  raisim::World::setActivationKey(binaryPath.getDirectory() + "/rsc/activation.raisim");

  raisim::World world;
  world.setTimeStep(0.002);
  world.setGravity({0, 0, 0});
  auto* box = world.addBox(1, 1, 1, 1);
  box->setPosition(3, 0, 1);
  auto* cylinder = world.addCylinder(0.5, 1, 1);
  cylinder->setPosition(0, 3, 1);
  auto* capsule = world.addCapsule(0.5, 1, 1);
  capsule->setPosition(-3, 0, 1);
  auto* sphere = world.addSphere(0.7, 1);
  sphere->setPosition(0, -3, 1);

  raisim::RaisimServer server(&world);
  auto line = server.addVisualPolyLine("ray");
  line->color = {1, 0, 0, 1};
  line->points.push_back({0, 0, 1});
  line->points.push_back({0, 0, 1});
  line->width = 0.03;
  auto* end = server.addVisualSphere("end", 0.1, 1, 0, 0, 1);
  server.launchServer();

  std::set<std::string> seen;
  const Eigen::Vector3d start(0, 0, 1);
  for (int i = 0; i < 500; ++i) {
    RS_TIMED_LOOP(int(world.getTimeStep() * 1e6))
    const double angle = 2 * M_PI * i / 500;
    const Eigen::Vector3d direction(std::cos(angle), std::sin(angle), 0);
    const raisim::RayCollisionList& hits = world.rayTest(start, direction, 10.0);
    server.lockVisualizationServerMutex();
    line->points[1] = start + 10 * direction;
    for (const raisim::RayCollisionItem& hit : hits) {
      line->points[1] = hit.getPosition();
      end->setPosition(hit.getPosition());
      seen.insert(hit.getObject()->getName());
      break;  // the nearest
    }
    server.unlockVisualizationServerMutex();
    server.integrateWorldThreadSafe();
  }
  server.killServer();
  RSFATAL_IF(seen.size() != 4, "the ray met " << seen.size() << " of 4 bodies")
  return 0;
}

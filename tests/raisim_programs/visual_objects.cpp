// All that a program can draw beside its world: shapes whose colours and sizes change, a mesh,
// arrows, lines, a ghost of a robot.

#include <cmath>
#include <fstream>

#include "espalier/raisim.h"

int main(int, char* argv[]) {
  auto binaryPath = raisim::Path::setFromArgv(argv[0]);
  raisim::World::setActivationKey(binaryPath.getDirectory() + "/rsc/activation.raisim");

  raisim::World world;
  world.setTimeStep(0.002);
  world.addGround();

  const std::string wedge = binaryPath.getDirectory() + "/wedge.obj";
  std::ofstream(wedge) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                          "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

  raisim::RaisimServer server(&world);
  raisim::Visuals* sphere = server.addVisualSphere("v_sphere", 0.3, 1, 1, 1, 1);
  raisim::Visuals* box = server.addVisualBox("v_box", 0.4, 0.4, 0.4, 1, 1, 1, 1);
  auto* cylinder = server.addVisualCylinder("v_cylinder", 0.2, 0.8, 0, 1, 0, 1);
  auto* capsule = server.addVisualCapsule("v_capsule", 0.2, 0.5, 0, 0, 1, 0.5);
  auto* mesh = server.addVisualMesh("v_mesh", wedge, 0.5, 0.5, 0.5);
  auto* arrowX = server.addVisualArrow("v_arrow_x", 0.05, 0.8, 1, 0, 0, 1);
  auto* arrowZ = server.addVisualArrow("v_arrow_z", 0.05, 0.8, 0, 0, 1, 1);
  box->setPosition(1, 0, 1);
  cylinder->setPosition(raisim::Vec<3>{2, 0, 1});
  capsule->setPosition(Eigen::Vector3d(3, 0, 1));
  mesh->setPosition(-1, 0, 1);
  arrowX->setOrientation(std::sqrt(0.5), 0, std::sqrt(0.5), 0);

  auto spiral = server.addVisualPolyLine("lines");
  spiral->color = {0, 0, 1, 1};
  for (int i = 0; i < 100; ++i)
    spiral->points.push_back({std::sin(i * 0.1), std::cos(i * 0.1), i * 0.01});

  auto ghost = server.addVisualArticulatedSystem(
      "v_quadruped", binaryPath.getDirectory() + "/rsc/quadruped/quadruped.urdf");
  ghost->color = {0.5, 0.0, 0.0, 0.5};
  Eigen::VectorXd gc(19);
  gc << 0, 2, 0.54, 1.0, 0.0, 0.0, 0.0, 0.03, 0.4, -0.8, -0.03, 0.4, -0.8, 0.03, -0.4, 0.8, -0.03,
      -0.4, 0.8;
  ghost->setGeneralizedCoordinate(gc);

  server.launchServer();
  for (int i = 0; i < 500; ++i) {
    RS_TIMED_LOOP(int(world.getTimeStep() * 1e6))
    const double share = 0.5 + 0.5 * std::sin(0.02 * i);
    server.lockVisualizationServerMutex();
    sphere->color[1] = share;
    sphere->setPosition(0, 0, 1 + share);
    box->setBoxSize(0.2 + share, 0.4, 0.4);
    spiral->color[2] = share;
    arrowZ->setCylinderSize(0.05, 0.2 + share);
    gc[0] = share;
    ghost->setGeneralizedCoordinate(gc);
    if (i == 250) server.removeVisualObject(mesh);
    server.unlockVisualizationServerMutex();
    server.integrateWorldThreadSafe();
  }
  RSFATAL_IF(server.getVisualObject("v_box") != box, "the box is not found by its name")
  RSFATAL_IF(sphere->getPosition()[2] < 1, "the sphere is not where it was put")
  server.killServer();
  return 0;
}

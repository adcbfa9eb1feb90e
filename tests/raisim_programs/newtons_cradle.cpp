// Newton's cradle: five balls on rods, 5 mm apart so that they hit one after another; the first is let
// fall, and the last one flies off.

#include <string>
#include <vector>

#include "espalier/raisim.h"

namespace {

constexpr double rod = 1.0, radius = 0.1;

/// A ball on a rod that swings in the plane of x and z.
std::string pendulum(double x) {
  const std::string at = std::to_string(x);
  return R"(<robot name="pendulum">
  <link name="world"/>
  <link name="rod">
    <inertial>
      <origin xyz="0 0 -1"/><mass value="1"/>
      <inertia ixx="0.004" iyy="0.004" izz="0.004" ixy="0" ixz="0" iyz="0"/>
    </inertial>
    <visual>
      <origin xyz="0 0 -0.5"/>
      <geometry><cylinder radius="0.01" length="1"/></geometry>
    </visual>
    <visual>
      <origin xyz="0 0 -1"/>
      <geometry><sphere radius="0.1"/></geometry>
      <material name="steel"><color rgba="0.7 0.75 0.8 1"/></material>
    </visual>
    <collision>
      <origin xyz="0 0 -1"/>
      <geometry><sphere radius="0.1"/></geometry>
      <material name=""><contact name="steel"/></material>
    </collision>
  </link>
  <joint name="hinge" type="revolute">
    <parent link="world"/><child link="rod"/>
    <origin xyz=")" +
         at + R"( 0 1.5"/>
    <axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" effort="0" velocity="100"/>
  </joint>
</robot>)";
}

}  // namespace

int main(int, char* argv[]) {
  auto binaryPath = raisim::Path::setFromArgv(argv[0]);
  raisim::World::setActivationKey(binaryPath.getDirectory() + "/rsc/activation.raisim");

  raisim::World world;
  world.setTimeStep(0.001);
  world.setERP(0, 0);
  world.addGround();
  world.setMaterialPairProp("steel", "steel", 0.1, 1.0, 0.0001);

  std::vector<raisim::ArticulatedSystem*> balls;
  for (int i = 0; i < 5; ++i) {
    balls.push_back(world.addArticulatedSystem(pendulum((2 * radius + 0.005) * (i - 2))));
    balls.back()->setName("ball " + std::to_string(i));
  }
  balls[0]->setGeneralizedCoordinate({0.6});  // towards -x

  raisim::RaisimServer server(&world);
  server.launchServer();
  server.focusOn(balls[2]);
  auto* graph = server.addTimeSeriesGraph("angles", {"0", "1", "2", "3", "4"}, "time", "angle");
  double farthest = 0;
  for (int i = 0; i < 1000; ++i) {
    RS_TIMED_LOOP(int(world.getTimeStep() * 1e6))
    server.integrateWorldThreadSafe();
    raisim::VecDyn angles(5);
    for (int k = 0; k < 5; ++k) angles[k] = balls[k]->getGeneralizedCoordinate()[0];
    graph->addDataPoints(world.getWorldTime(), angles);
    farthest = std::min(farthest, angles[4]);
  }
  server.killServer();

  RSFATAL_IF(farthest > -0.5, "the last ball swung by " << farthest << " rad only")
  return 0;
}

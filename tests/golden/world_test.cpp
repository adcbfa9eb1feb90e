// Golden hashes: the bits of five scenes after some hundred steps, equal for every compiler and
// optimisation level of the supported ones (x86-64-v3, double).
//
// To renew them: run test_golden, read the new hash in the message, and write it here in the same
// commit as the change of arithmetic that was meant. A change that was not meant is a bug.

#include <gtest/gtest.h>

#include "espalier/geometry/terrain.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

/// A quadruped lands with a sideways push and stands under PD.
void striderLands(World& world) {
  world.addGround();
  ArticulatedSystem* robot = addRobot(world, "strider", 100, 2, {0, 0, 0.1});
  Eigen::VectorXd u = Eigen::VectorXd::Zero(18);
  u.head<6>() << 0.5, 0.25, 0, 0.375, -0.25, 0.125;
  robot->setGeneralizedVelocity(u);
}

/// Boxes, a ball that bounces and a cylinder fall upon each other, SEMI_IMPLICIT.
void bodiesTumble(World& world) {
  world.setIntegrationScheme(Scheme::SEMI_IMPLICIT);
  world.setMaterialPairProp("rubber", "default", 0.6, 0.5, 0.01);
  world.addGround();
  SystemSpec ball = freeBody("ball", SphereShape{0.125}, 1);
  ball.links[0].collisions[0].material = "rubber";
  place(*world.addArticulatedSystem(freeBody("first", BoxShape{{0.5, 0.25, 0.25}}, 2)),
        {0, 0, 0.25}, {0.5, 0, 0}, {0, 0.5, 0.25}, {0.96, 0.28, 0, 0});
  place(*world.addArticulatedSystem(freeBody("second", BoxShape{{0.25, 0.25, 0.25}}, 1)),
        {0.0625, 0.03125, 0.75}, {0, 0, -1}, {1, 0, 0}, {0.8, 0, 0.6, 0});
  place(*world.addArticulatedSystem(ball), {0.03125, 0, 1.25}, {0.25, 0, -1}, {0, 2, 0});
  place(*world.addArticulatedSystem(freeBody("roll", CylinderShape{0.125, 0.25}, 1)),
        {-0.125, 0.0625, 1.75}, {0, 0, -1}, {0, 0, 1}, {0.6, 0.8, 0, 0});
}

/// An arm runs into its limits; a chain of spherical joints with springs swings beside it.
void armAndChain(World& world) {
  ArticulatedSystem* arm = addRobot(world, "arm7", 50, 1);
  arm->setGeneralizedForce(Eigen::VectorXd::Constant(7, 25));
  arm->setPdTarget(Eigen::VectorXd::Constant(7, 3), Eigen::VectorXd::Zero(7));
  ArticulatedSystem* chain = addRobot(world, "chain20", 0, 0, {0, 3, 0});
  Eigen::VectorXd q = nominal("chain20");
  for (int j = 0; j < 20; ++j) q.segment<4>(4 * j) << 0.9984, 0.04, 0, 0.04;
  chain->setGeneralizedCoordinate(q);
}

/// Single bodies of every shape, a belt that moves, rolling and static friction, on a height map.
void cratesOnTerrain(World& world) {
  MaterialPairSpec rough;
  rough.friction = 0.5;
  rough.staticFriction = 0.75;
  rough.rollingFriction = 0.0078125;
  rough.spinningFriction = 0.015625;
  world.setDefaultMaterial(rough);
  TerrainProperties terrain;
  terrain.xSize = terrain.ySize = 8;
  terrain.xSamples = terrain.ySamples = 33;
  terrain.zScale = 0.5;
  world.addHeightMap(makeTerrain(terrain), 0, 0);
  SingleBodyObject* belt = world.addBox(2, 1, 0.125, 1);
  belt->setBodyType(BodyType::KINEMATIC);
  belt->setPosition(0, 0, 1);
  belt->setVelocity(0.25, 0, 0, 0, 0, 0.25);
  world.addSphere(0.125, 1)->setPosition(0, 0, 1.5);
  world.addBox(0.25, 0.25, 0.5, 2)->setPosition(0.5, 0.25, 1.5);
  world.addCapsule(0.125, 0.25, 1)->setPosition(-0.5, -0.25, 1.75);
  SingleBodyObject* drum = world.addCylinder(0.25, 0.25, 3);
  drum->setPosition(-1.5, 1, 1);
  drum->setAngularVelocity({1, 2, 0.5});
}

/// Two robots in flight collide, one of them welded to a ball; TRAPEZOID.
void robotsCollide(World& world) {
  world.setIntegrationScheme(Scheme::TRAPEZOID);
  world.setGravity({0, 0, -0.5});
  ArticulatedSystem* strider = addRobot(world, "strider", 100, 2, {0, 0, 1});
  ArticulatedSystem* biped = addRobot(world, "biped", 100, 2, {1.5, 0, 1});
  Eigen::VectorXd u = Eigen::VectorXd::Zero(biped->getDOF());
  u.head<6>() << -2, 0, 0, 0.5, 0.25, 1;
  biped->setGeneralizedVelocity(u);
  SingleBodyObject* ball = world.addSphere(0.125, 2);
  ball->setPosition(strider->getCOM() + Eigen::Vector3d(0, 0, 0.5));
  world.attach(ball, strider);
}

struct Golden {
  const char* name;
  void (*build)(World&);
  int steps;
  std::uint64_t hash;
};

class GoldenHash : public ::testing::TestWithParam<Golden> {};

TEST_P(GoldenHash, IsTheSameAsEver) {
#if defined(__x86_64__) && defined(__FMA__)
  World world;
  world.setContactSolverParam(1e-10, 1000);
  GetParam().build(world);
  const std::uint64_t start = world.stateHash();
  for (int i = 0; i < GetParam().steps; ++i) world.integrate();
  ASSERT_NE(world.stateHash(), start);
  EXPECT_EQ(world.stateHash(), GetParam().hash)
      << GetParam().name << ": " << std::hex << "0x" << world.stateHash();
#else
  GTEST_SKIP() << "golden hashes are those of x86-64-v3";
#endif
}

INSTANTIATE_TEST_SUITE_P(
    World, GoldenHash,
    ::testing::Values(Golden{"StriderLands", striderLands, 600, 0xe6d4db0fd92f33fe},
                      Golden{"BodiesTumble", bodiesTumble, 600, 0xafc4dab79857bb1d},
                      Golden{"ArmAndChain", armAndChain, 600, 0xba88156b5eaa61ec},
                      Golden{"CratesOnTerrain", cratesOnTerrain, 800, 0x5d75cbb58fbdcc90},
                      Golden{"RobotsCollide", robotsCollide, 800, 0x32acdcf5a8615f99}),
    [](const auto& golden) { return golden.param.name; });

}  // namespace
}  // namespace espalier::testing

// Meshes of robots collide as convex hulls, also on a base that stands still; those of static
// single bodies are terrain.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

MeshShape cube(double edge) {
  auto data = std::make_shared<TriangleMesh>();
  for (int i = 0; i < 8; ++i) {
    const double h = edge / 2;
    data->vertices.push_back({i & 1 ? h : -h, i & 2 ? h : -h, i & 4 ? h : -h});
  }
  data->triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                     {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return {"cube.obj", data};
}

/// A square funnel: its rim 1 m wide at z = 0, its bottom at z = -0.5.
MeshShape funnel() {
  auto data = std::make_shared<TriangleMesh>();
  data->vertices = {{-0.5, -0.5, 0}, {0.5, -0.5, 0}, {0.5, 0.5, 0}, {-0.5, 0.5, 0}, {0, 0, -0.5}};
  data->triangles = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  return {"funnel.obj", data};
}

SystemSpec fixedBase(const Shape& shape) {
  SystemSpec spec;
  spec.name = "pedestal";
  spec.fixedBase = true;
  LinkSpec base;
  base.name = "base";
  base.collisions.push_back({.name = "base", .shape = shape});
  spec.links.push_back(base);
  return spec;
}

TEST(RobotMesh, OfAFixedBaseCarriesAMeshThatMoves) {
  World world;
  world.addArticulatedSystem(fixedBase(cube(1)));
  ArticulatedSystem* block = world.addArticulatedSystem(freeBody("block", cube(0.4), 3));
  place(*block, {0.1, -0.1, 0.705});
  EXPECT_TRUE(world.diagnostics().all().empty()) << world.diagnostics().toString();
  for (int i = 0; i < 500; ++i) world.integrate();
  EXPECT_NEAR(block->getBasePosition().z(), 0.7, 1e-4);
  EXPECT_EQ(world.contacts().size(), 4u);
}

TEST(RobotMesh, IsAHullOnAFixedBaseAndTrianglesAsTerrain) {
  const auto restingHeight = [](bool isRobot) {
    World world;
    if (isRobot) {
      world.addArticulatedSystem(fixedBase(funnel()));
    } else {
      world.addBody(fixedShape("terrain", funnel()));
    }
    Sphere* ball = world.addSphere(0.1, 1);
    ball->setPosition(0, 0, 0.12);
    for (int i = 0; i < 2000; ++i) world.integrate();
    return ball->getPosition().z();
  };
  EXPECT_NEAR(restingHeight(true), 0.1, 1e-4) << "on the hull's lid";
  EXPECT_NEAR(restingHeight(false), -0.5 + 0.1 * std::sqrt(2), 2e-3) << "against the four walls";
}

TEST(RobotMesh, OfAFixedBaseStaysAHullWhenItsShapeIsSet) {
  World world;
  ArticulatedSystem* pedestal = world.addArticulatedSystem(fixedBase(cube(1)));
  ArticulatedSystem* block = world.addArticulatedSystem(freeBody("block", cube(0.4), 3));
  pedestal->getCollisionBodies().at(0).setShape(cube(1.2));
  place(*block, {0, 0, 0.805});
  EXPECT_TRUE(world.diagnostics().all().empty()) << world.diagnostics().toString();
  for (int i = 0; i < 500; ++i) world.integrate();
  EXPECT_NEAR(block->getBasePosition().z(), 0.8, 1e-4);
}

TEST(RobotMesh, AStaticBodyThatAsksForItIsAHull) {
  World world;
  MeshShape shape = cube(1);
  shape.isConvex = true;
  world.addBody(fixedShape("pedestal", shape));
  ArticulatedSystem* block = world.addArticulatedSystem(freeBody("block", cube(0.4), 3));
  place(*block, {0, 0, 0.705});
  EXPECT_TRUE(world.diagnostics().all().empty()) << world.diagnostics().toString();
  for (int i = 0; i < 500; ++i) world.integrate();
  EXPECT_NEAR(block->getBasePosition().z(), 0.7, 1e-4);
}

// A gripper whose base is a mesh welded to the world.
TEST(RobotMesh, OfAPublishedGripperMeetTheirBase) {
  const char* shared = std::getenv("ESPALIER_SHARED");
  const std::string file =
      std::string(shared ? shared : "") + "/models/menagerie/robotiq_2f85/scene.xml";
  if (!shared || !std::filesystem::exists(file)) GTEST_SKIP() << "ESPALIER_SHARED has no gripper";
  World world(file);
  const Diagnostics remarks = world.diagnostics();
  EXPECT_EQ(remarks.count(Severity::Warning), 0) << remarks.toString();
}

}  // namespace
}  // namespace espalier::testing

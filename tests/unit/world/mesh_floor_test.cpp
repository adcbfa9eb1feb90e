// A body that collides as the hull of its mesh, on a floor of triangles: it rests as on a plane and
// slides over the edges inside the floor without a catch.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "espalier/world/world.h"
#include "tests/support/floor_mesh.h"

namespace espalier {
namespace {

using testing::floorMesh;

MeshShape blockMesh(const Vec3d& size) {
  auto data = std::make_shared<TriangleMesh>();
  for (int i = 0; i < 8; ++i)
    data->vertices.push_back({(i & 1 ? 0.5 : -0.5) * size.x, (i & 2 ? 0.5 : -0.5) * size.y,
                              (i & 4 ? 0.5 : -0.5) * size.z});
  data->triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                     {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return {"block.obj", data};
}

struct Slide {
  World world;
  SingleBodyObject* block;

  Slide(bool onMesh, double friction) {
    world.setDefaultMaterial(friction, 0, 0.01);
    if (onMesh) {
      BodySpec floor;
      floor.name = "floor";
      floor.type = BodyType::STATIC;
      floor.collisions.emplace_back().shape = floorMesh(40, 8);
      world.addBody(floor);
    } else {
      world.addGround();
    }
    BodySpec spec;
    spec.name = "block";
    spec.collisions.emplace_back().shape = blockMesh({0.4, 0.3, 0.2});
    spec.inertial = {2, identityTransform<double>(), inertia(BoxShape{{0.4, 0.3, 0.2}}, 2).I};
    block = world.addBody(spec);
    block->setPosition(-2.03, 0.071, 0.1);
    block->setVelocity(2, 0.3, 0, 0, 0, 0.4);
  }
};

TEST(MeshFloor, NothingCatches) {
  Slide slide(true, 0);
  EXPECT_TRUE(slide.world.diagnostics().all().empty());
  for (int i = 0; i < 1500; ++i) slide.world.integrate();
  const auto v = slide.block->getLinearVelocity(), w = slide.block->getAngularVelocity();
  EXPECT_NEAR(v[0], 2, 1e-6);
  EXPECT_NEAR(v[1], 0.3, 1e-6);
  EXPECT_NEAR(v[2], 0, 1e-6);
  EXPECT_NEAR(w[2], 0.4, 1e-6);
  EXPECT_NEAR(slide.block->getPosition()[2], 0.1, 1e-6);
}

TEST(MeshFloor, FrictionIsThatOfAPlane) {
  Slide onMesh(true, 0.3), onPlane(false, 0.3);
  // Without a turn: how the corners share the load would count there.
  for (Slide* slide : {&onMesh, &onPlane}) slide->block->setVelocity(2, 0.3, 0, 0, 0, 0);
  for (int i = 0; i < 400; ++i) {
    onMesh.world.integrate();
    onPlane.world.integrate();
  }
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(onMesh.block->getPosition()[k], onPlane.block->getPosition()[k], 2e-4) << k;
    EXPECT_NEAR(onMesh.block->getLinearVelocity()[k], onPlane.block->getLinearVelocity()[k], 2e-3)
        << k;
  }
  EXPECT_LT(onMesh.block->getLinearVelocity()[0], 1);
}

TEST(MeshFloor, ABlockThatFallsOnItComesToRest) {
  Slide slide(true, 0.8);
  slide.block->setPosition(0.07, 0.03, 0.6);
  slide.block->setVelocity(0, 0, 0, 1, 2, 0.5);
  for (int i = 0; i < 3000; ++i) slide.world.integrate();
  const auto v = slide.block->getLinearVelocity();
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(v[k], 0, 1e-4);
  EXPECT_GT(slide.block->getPosition()[2], 0.0999);
}

/// An open sheet has no inside that could push out: only seeing it in time keeps fast bodies from
/// going through, from above and from below.
TEST(MeshFloor, NothingFastGoesThroughASheet) {
  const Shape shapes[] = {SphereShape{0.02}, BoxShape{{0.04, 0.05, 0.03}}, CapsuleShape{0.02, 0.05},
                          CylinderShape{0.02, 0.05}, blockMesh({0.04, 0.05, 0.03})};
  for (const Shape& shape : shapes) {
    for (const double side : {1.0, -1.0}) {
      for (const double speed : {5.0, 50.0, 200.0, 800.0}) {
        for (int k = 0; k < 4; ++k) {
          World world;
          world.setGravity({0, 0, 0});
          BodySpec floor;
          floor.type = BodyType::STATIC;
          floor.collisions.emplace_back().shape = floorMesh(10, 4);
          world.addBody(floor);
          BodySpec spec;
          spec.collisions.emplace_back().shape = shape;
          spec.inertial = {0.1, identityTransform<double>(), inertia(SphereShape{0.03}, 0.1).I};
          SingleBodyObject* body = world.addBody(spec);
          const double height = 1 + 0.26 * k * speed / 1000;  // another part of a step each
          body->setPosition(0.137, 0.071, side * height);
          body->setVelocity(0.3, 0.2, -side * speed, 1, 2, 3);
          const int steps = static_cast<int>(1000 * (height / speed + 0.03));
          for (int i = 0; i < steps; ++i) world.integrate();
          ASSERT_GT(side * body->getPosition()[2], 0)
              << shapeName(shape) << " at " << speed << " m/s, side " << side;
        }
      }
    }
  }
}

/// What slides over tiles, boxes of 0.5 m, from 0 on in x; their tops are at z = 0, from x = 1 on at `step`.
struct Tiled {
  World world;
  SingleBodyObject* body;

  explicit Tiled(const Shape& shape, double height, double yaw, double step = 0) {
    world.setDefaultMaterial(0, 0, 0.01);
    for (int i = 0; i < 8; ++i) {
      SingleBodyObject* tile = world.addBox(0.5, 2, 0.2, 1);
      tile->setBodyType(BodyType::STATIC);
      tile->setPosition(0.25 + 0.5 * i, 0, -0.1 + (i > 1 ? step : 0));
    }
    BodySpec spec;
    spec.name = "body";
    spec.collisions.emplace_back().shape = shape;
    spec.inertial = {1, identityTransform<double>(), {0.01, 0, 0, 0.01, 0, 0.01}};
    body = world.addBody(spec);
    body->setPose(Eigen::Vector3d(0.2, 0.013, height),
                  Vec<4>{std::cos(yaw / 2), 0, 0, std::sin(yaw / 2)});
  }
};

TEST(TiledFloor, NothingCatchesAtSeams) {
  const std::pair<Shape, double> bodies[] = {{BoxShape{{0.2, 0.2, 0.2}}, 0.1},
                                             {CylinderShape{0.1, 0.2}, 0.1}};
  for (const auto& [shape, height] : bodies)
    for (const double yaw : {0.0, 0.3})
      for (const double speed : {2.0, 0.4371, 1e-2}) {
        Tiled tiled(shape, height, yaw);
        if (speed < 0.1) tiled.body->setPosition(0.399, 0.013, height);
        tiled.body->setVelocity(speed, 0, 0, 0, 0, 0);
        for (int i = 0; i < 1200; ++i) tiled.world.integrate();
        SCOPED_TRACE(std::to_string(shape.index()) + ", yaw " + std::to_string(yaw) + ", " +
                     std::to_string(speed));
        const auto v = tiled.body->getLinearVelocity(), w = tiled.body->getAngularVelocity();
        EXPECT_NEAR(v[0], speed, 1e-6);
        EXPECT_NEAR(v[1], 0, 1e-6);
        EXPECT_NEAR(v[2], 0, 1e-6);
        EXPECT_NEAR(w.norm(), 0, 1e-5);
        EXPECT_NEAR(tiled.body->getPosition()[2], height, 1e-6);
      }
}

// The normal of hulls is found by steps, and may lean a little as one leaves a tile.
TEST(TiledFloor, SeamsDoNotStopHulls) {
  for (const double yaw : {0.0, 0.3})
    for (const double speed : {2.0, 0.4371}) {
      Tiled tiled(blockMesh({0.2, 0.2, 0.2}), 0.1, yaw);
      tiled.body->setVelocity(speed, 0, 0, 0, 0, 0);
      for (int i = 0; i < 1200; ++i) tiled.world.integrate();
      EXPECT_NEAR(tiled.body->getLinearVelocity()[0], speed, 0.05 * speed) << yaw;
    }
}

TEST(TiledFloor, AStepStops) {
  for (const Shape& shape : {Shape(BoxShape{{0.2, 0.2, 0.2}}), Shape(blockMesh({0.2, 0.2, 0.2}))})
    for (const double step : {1e-3, 0.05}) {
      Tiled tiled(shape, 0.1, 0, step);
      tiled.body->setVelocity(0.5, 0, 0, 0, 0, 0);
      for (int i = 0; i < 1500; ++i) {
        tiled.world.integrate();
        ASSERT_LT(tiled.body->getPosition()[0], 0.9 + 0.03) << "it may tilt";
      }
    }
}

}  // namespace
}  // namespace espalier

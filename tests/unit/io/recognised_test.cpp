// Which format a text is of, and which shapes are the same.

#include <gtest/gtest.h>

#include <memory>

#include "espalier/io/mjcf/mjcf.h"
#include "espalier/io/sdf/sdf.h"
#include "espalier/io/spec_difference.h"

namespace espalier::io {
namespace {

TEST(Recognised, ByTheOutermostElement) {
  const std::string model = "<sdf version=\"1.7\"><model name=\"m\"/></sdf>";
  const std::string world = "<sdf version=\"1.7\"><world name=\"w\"/></sdf>";
  const std::string mujoco = "<?xml version=\"1.0\"?>\n<!-- <sdf> -->\n<mujoco/>";
  const std::string urdf = "<robot name=\"sdf\"/>";
  EXPECT_TRUE(isMjcf(mujoco));
  EXPECT_TRUE(isSdf(model));
  EXPECT_TRUE(isSdf(world));
  for (const std::string& other : {model, world, urdf, std::string()}) EXPECT_FALSE(isMjcf(other));
  for (const std::string& other : {mujoco, urdf, std::string()}) EXPECT_FALSE(isSdf(other));
  EXPECT_TRUE(isSdfWorld(world));
  EXPECT_FALSE(isSdfWorld(model));
  EXPECT_FALSE(isSdfWorld("<sdf version=\"1.7\"><world name=\"w\"")) << "cannot be read";
}

TEST(SameShape, BySizesFilesAndTriangles) {
  EXPECT_TRUE(isSameShape(SphereShape{0.1}, SphereShape{0.1}));
  EXPECT_FALSE(isSameShape(SphereShape{0.1}, SphereShape{0.2}));
  EXPECT_FALSE(isSameShape(CapsuleShape{0.1, 1}, CylinderShape{0.1, 1}));
  EXPECT_TRUE(isSameShape(BoxShape{{1, 2, 3}}, BoxShape{{1, 2, 3}}));
  EXPECT_FALSE(isSameShape(BoxShape{{1, 2, 3}}, BoxShape{{1, 2, 4}}));
  EXPECT_TRUE(isSameShape(Plane{}, Plane{}));
  const auto mesh = [](double x) {
    auto data = std::make_shared<TriangleMesh>();
    data->vertices = {{x, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    data->triangles = {{0, 1, 2}};
    return data;
  };
  EXPECT_TRUE(isSameShape(MeshShape{"a.stl", mesh(1)}, MeshShape{"a.stl", mesh(1)}));
  EXPECT_FALSE(isSameShape(MeshShape{"a.stl", mesh(1)}, MeshShape{"b.stl", mesh(1)}));
  EXPECT_FALSE(isSameShape(MeshShape{"a.stl", mesh(1)}, MeshShape{"a.stl", mesh(2)}));
}

}  // namespace
}  // namespace espalier::io

// What files say about how a mesh collides.

#include <gtest/gtest.h>

#include <limits>

#include "espalier/io/export/export.h"
#include "espalier/io/world_xml/world_xml.h"
#include "remarks.h"

namespace espalier::io {
namespace {

const std::string tetrahedron = "vertex=\"0 0 0  1 0 0  0 1 0  0 0 1\"";

/// The mesh of the first body of a world.
MeshShape meshOf(const Expected<WorldSpec>& world) {
  EXPECT_TRUE(world) << world.diagnostics().toString();
  if (!world || world->bodies.empty()) return {};
  return std::get<MeshShape>(world->bodies[0].collisions.at(0).shape);
}

Expected<WorldSpec> mjcf(const std::string& meshAttributes) {
  return loadWorld("<mujoco><asset><mesh name=\"m\" " + tetrahedron + " " + meshAttributes +
                   "/></asset><worldbody><geom type=\"mesh\" mesh=\"m\"/></worldbody></mujoco>");
}

Expected<WorldSpec> raisim(const std::string& attributes) {
  return loadWorld("<raisim><objects>\n<mesh name='m' body_type='static' " + attributes +
                   "><vertices value='0 0 0  1 0 0  0 1 0  0 0 1'/>"
                   "<triangles value='0 2 1  0 1 3  0 3 2  1 2 3'/></mesh></objects></raisim>");
}

TEST(MeshMode, AMeshOfMujocosIsConvexAlsoWhereItStandsStill) {
  EXPECT_TRUE(meshOf(mjcf("")).isConvex);
  EXPECT_EQ(meshOf(mjcf("")).maxHullVertices, 64);
  EXPECT_EQ(meshOf(mjcf("maxhullvert=\"12\"")).maxHullVertices, 12);
  EXPECT_EQ(meshOf(mjcf("maxhullvert=\"-1\"")).maxHullVertices, std::numeric_limits<int>::max());
  EXPECT_EQ(mjcf("maxhullvert=\"12\"").diagnostics().all().size(), 0u);
  EXPECT_FALSE(mjcf("maxhullvert=\"3\""));
}

TEST(MeshMode, AStaticMeshOfAWorldFileIsItsTrianglesUnlessItSaysSo) {
  EXPECT_FALSE(meshOf(raisim("")).isConvex);
  EXPECT_FALSE(meshOf(raisim("collision_mode='original'")).isConvex);
  const auto hull = raisim("collision_mode='CONVEX_HULL'");
  EXPECT_TRUE(meshOf(hull).isConvex);
  EXPECT_TRUE(hull.diagnostics().all().empty()) << hull.diagnostics().toString();
  expectRemark(raisim("collision_mode='lumpy'").diagnostics(), Severity::Warning, 2, "lumpy");
}

TEST(MeshMode, AStaticMeshOfMujocosStaysConvexInAWorldFile) {
  const auto world = mjcf("");
  ASSERT_TRUE(world);
  const auto again = loadWorld(exportWorldXml(*world));
  EXPECT_TRUE(meshOf(again).isConvex);
}

}  // namespace
}  // namespace espalier::io

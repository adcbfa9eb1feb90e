// Convex decompositions beside meshes, in all formats.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <sstream>

#include "espalier/io/export/export.h"
#include "espalier/io/mesh/decomposition.h"
#include "espalier/io/mesh/mesh_file.h"
#include "espalier/io/urdf/urdf.h"
#include "espalier/io/world_xml/world_xml.h"
#include "folder.h"
#include "remarks.h"
#include "tests/support/u_profile.h"

namespace espalier::io {
namespace {

constexpr const char* urdf =
    R"(<robot name="r"><link name="a"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1"/>
    </inertial><visual><geometry><mesh filename="u.obj"/></geometry></visual>
    <collision name="c"><origin xyz="0 0 5"/><geometry><mesh filename="u.obj" scale="2 1 -1"/>
    </geometry></collision></link></robot>)";
constexpr const char* mjcf =
    R"(<mujoco><asset><mesh name="u" file="u.obj" scale="2 1 -1"/></asset><worldbody>
    <body name="a"><freejoint/><geom name="c" type="mesh" mesh="u" pos="0 0 5"/></body>
    <body name="b"><geom type="mesh" mesh="u"/></body></worldbody></mujoco>)";
constexpr const char* sdf =
    R"(<sdf version="1.7"><model name="m"><link name="a"><collision name="c"><pose>0 0 5 0 0 0</pose>
    <geometry><mesh><uri>u.obj</uri><scale>2 1 -1</scale></mesh></geometry></collision></link>
    </model></sdf>)";
constexpr const char* worldXml =
    R"(<raisim><objects><mesh name="free" mass="3" file_name="[THIS_DIR]/u.obj" scale="2 1 -1"/>
    <mesh name="terrain" body_type="static" file_name="[THIS_DIR]/u.obj"/>
    <mesh name="hull" body_type="static" collision_mode="convex_hull"
    file_name="[THIS_DIR]/u.obj"/></objects></raisim>)";

const MeshShape& meshOf(const CollisionSpec& c) { return std::get<MeshShape>(c.shape); }

/// The three boxes, scaled, with the mesh's own place.
void expectHulls(const std::vector<CollisionSpec>& collisions, const Vec3d& scale,
                 const std::string& file) {
  const std::vector<TriangleMesh> hulls = uHulls();
  ASSERT_EQ(collisions.size(), hulls.size());
  for (std::size_t i = 0; i < hulls.size(); ++i) {
    const MeshShape& mesh = meshOf(collisions[i]);
    EXPECT_EQ(mesh.part, static_cast<int>(i) + 1);
    EXPECT_EQ(mesh.file, decompositionPath(file));
    ASSERT_EQ(mesh.data->vertices.size(), 8u);
    for (const Vec3d& was : hulls[i].vertices) {  // the order is that of the faces
      const Vec3d scaled{was.x * scale.x, was.y * scale.y, was.z * scale.z};
      const auto& all = mesh.data->vertices;
      EXPECT_TRUE(std::any_of(all.begin(), all.end(),
                              [&](const Vec3d& is) { return norm(is - scaled) < 1e-6; }));
    }
    const double expected = volume(MeshShape{"", std::make_shared<TriangleMesh>(hulls[i])});
    EXPECT_NEAR(volume(mesh), expected * std::abs(scale.x * scale.y * scale.z), 1e-6)
        << "turned outside";
    EXPECT_EQ(norm(collisions[i].X_LG.p - collisions[0].X_LG.p), 0);
  }
}

class Decomposition : public ::testing::Test {
 protected:
  Decomposition() {
    mesh_ = folder_.write("u.obj", toObj(uProfile()));
    urdf_ = folder_.write("r.urdf", urdf);
    EXPECT_TRUE(writeDecomposition(mesh_, uHulls(), "by hand").all().empty());
  }
  TestFolder folder_;
  std::string mesh_, urdf_;
};

TEST_F(Decomposition, IsUsedInURDFAndMassAndVisualStay) {
  EXPECT_EQ(decomposedMesh(decompositionPath(mesh_)), mesh_);
  const auto robot = loadRobot(urdf_);
  ASSERT_TRUE(robot) << robot.diagnostics().toString();
  const LinkSpec& link = robot->links[0];
  expectHulls(link.collisions, {2, 1, -1}, mesh_);
  EXPECT_EQ(link.collisions[1].name, "c#2");
  EXPECT_EQ(link.inertial->mass, 2);
  EXPECT_EQ(std::get<MeshShape>(link.visuals[0].shape).part, 0);
  expectRemark(robot.diagnostics(), Severity::Note, 0, "collides as 3 convex hulls", mesh_);
  UrdfOptions coarse;
  coarse.hullVertices = 6;
  EXPECT_EQ(meshOf(loadRobot(urdf_, coarse)->links[0].collisions[2]).maxHullVertices, 6);
  UrdfOptions names;
  names.loadMeshes = false;
  EXPECT_EQ(loadRobot(urdf_, names)->links[0].collisions.size(), 1u);
}

TEST_F(Decomposition, IsUsedInMJCF) {
  const auto world = loadWorld(folder_.write("w.xml", mjcf));
  ASSERT_TRUE(world) << world.diagnostics().toString();
  ASSERT_EQ(world->bodies.size(), 2u);
  for (const BodySpec& body : world->bodies) expectHulls(body.collisions, {2, 1, -1}, mesh_);
  EXPECT_EQ(countRemarks(world.diagnostics(), Severity::Note, "convex hulls"), 1);
  std::filesystem::remove(decompositionPath(mesh_));
  const auto whole = loadWorld(folder_.path("w.xml"));
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_EQ(whole->bodies[i].inertial.mass, world->bodies[i].inertial.mass);
}

TEST_F(Decomposition, IsUsedInSDF) {
  const auto robot = loadRobot(folder_.write("m.sdf", sdf));
  ASSERT_TRUE(robot) << robot.diagnostics().toString();
  expectHulls(robot->links[0].collisions, {2, 1, -1}, mesh_);
}

TEST_F(Decomposition, IsUsedInWorldFilesButNotOfTerrain) {
  const auto world = loadWorld(folder_.write("w.xml", worldXml));
  ASSERT_TRUE(world) << world.diagnostics().toString();
  expectHulls(world->bodies[0].collisions, {2, 1, -1}, mesh_);
  EXPECT_NEAR(world->bodies[0].inertial.mass, 3, 1e-12);
  ASSERT_EQ(world->bodies[0].visuals.size(), 1u) << "the mesh is drawn";
  EXPECT_EQ(std::get<MeshShape>(world->bodies[0].visuals[0].shape).file, mesh_);
  ASSERT_EQ(world->bodies[1].collisions.size(), 1u);
  EXPECT_EQ(meshOf(world->bodies[1].collisions[0]).part, 0);
  expectHulls(world->bodies[2].collisions, {1, 1, 1}, mesh_);
  // Written as triangles, it needs no file to be read back.
  const auto again = loadWorld(folder_.write("copy.xml", exportWorldXml(*world, folder_.path())));
  ASSERT_TRUE(again) << again.diagnostics().toString();
  EXPECT_EQ(again->bodies[0].collisions.size(), 3u);
  EXPECT_EQ(again->bodies[1].collisions.size(), 1u);
}

TEST_F(Decomposition, OfOtherContentIsNotUsed) {
  TriangleMesh changed = uProfile();
  for (Vec3d& v : changed.vertices) v.z += 0.01;
  folder_.write("u.obj", toObj(changed));
  const auto robot = loadRobot(urdf_);
  ASSERT_TRUE(robot);
  ASSERT_EQ(robot->links[0].collisions.size(), 1u);
  EXPECT_EQ(meshOf(robot->links[0].collisions[0]).part, 0);
  expectRemark(robot.diagnostics(), Severity::Warning, 0, "not those of u.obj as it is now",
               decompositionPath(mesh_));
  EXPECT_EQ(countRemarks(robot.diagnostics(), Severity::Note, "convex hulls"), 0);
}

TEST_F(Decomposition, ThatIsDamagedIsNotUsed) {
  std::ifstream file(decompositionPath(mesh_));
  std::stringstream whole;
  whole << file.rdbuf();
  const std::string text = whole.str();
  const std::string head = text.substr(0, text.find("\no ") + 1);
  for (const std::string& damaged :
       {std::string(), head, head + "o a\nv 0 0\n",
        head + "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf -1 -2 -4\n", text.substr(text.find("o hull1"))}) {
    folder_.write("u.obj.hulls.obj", damaged);
    const auto robot = loadRobot(urdf_);
    ASSERT_TRUE(robot);
    EXPECT_EQ(robot->links[0].collisions.size(), 1u) << damaged;
    EXPECT_EQ(countRemarks(robot.diagnostics(), Severity::Warning, "collides as one hull"), 1);
  }
}

TEST_F(Decomposition, ThatCannotBeWrittenIsAnError) {
  std::filesystem::create_directories(folder_.path("x.obj.hulls.obj"));
  const std::string mesh = folder_.write("x.obj", toObj(uProfile()));
  EXPECT_TRUE(writeDecomposition(mesh, uHulls(), "").hasErrors());
  EXPECT_TRUE(writeDecomposition(folder_.path("none.obj"), uHulls(), "").hasErrors());
}

TEST(Hulls, OfAnObjAreItsObjects) {
  const auto hulls = readHulls(
      "# c\no a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\no b\nv 0 0 1\nv 1 0 1\n"
      "v 0 1 1\nv 5 5 5\nf -4 -3 -2\n",
      "x", {1, 1, 2});
  ASSERT_TRUE(hulls);
  ASSERT_EQ(hulls->size(), 2u);
  EXPECT_EQ((*hulls)[1].vertices[0].z, 2);
  EXPECT_FALSE(readHulls("v 0 0 0\n", "x"));
}

}  // namespace
}  // namespace espalier::io

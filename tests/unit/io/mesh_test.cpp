#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "espalier/io/mesh/mesh_file.h"
#include "espalier/io/urdf/urdf.h"
#include "folder.h"
#include "meshes.h"
#include "remarks.h"

namespace espalier::io {
namespace {

TriangleMesh read(const std::string& path, const Vec3d& scale = {1, 1, 1}) {
  auto mesh = readMeshFile(path, scale);
  EXPECT_TRUE(mesh) << mesh.diagnostics().toString();
  return mesh ? std::move(mesh).value() : TriangleMesh{};
}

double volumeOf(const TriangleMesh& mesh) {
  return volume(MeshShape{"", std::make_shared<const TriangleMesh>(mesh)});
}

Vec3d largest(const TriangleMesh& mesh) {
  Vec3d m{-1e9, -1e9, -1e9};
  for (const Vec3d& v : mesh.vertices) {
    m = {std::max(m.x, v.x), std::max(m.y, v.y), std::max(m.z, v.z)};
  }
  return m;
}

void expectTetrahedron(const TriangleMesh& mesh) {
  EXPECT_EQ(mesh.vertices.size(), 4u) << "vertices at one place are one";
  EXPECT_EQ(mesh.triangles.size(), 4u);
  EXPECT_NEAR(volumeOf(mesh), 1, 1e-6) << "outside stays outside";
}

TEST(MeshFile, ObjAndStl) {
  const TestFolder folder;
  expectTetrahedron(read(folder.write("t.obj", tetrahedron_obj)));
  expectTetrahedron(read(folder.write("t.STL", tetrahedronStl())));
}

TEST(MeshFile, PolygonsBecomeTriangles) {
  const TestFolder folder;
  const std::string cube =
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
      "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
  const TriangleMesh mesh = read(folder.write("c.obj", cube));
  EXPECT_EQ(mesh.vertices.size(), 8u);
  EXPECT_EQ(mesh.triangles.size(), 12u);
  EXPECT_NEAR(volumeOf(mesh), 1, 1e-6);
}

TEST(MeshFile, ScaleAndMirror) {
  const TestFolder folder;
  const std::string path = folder.write("t.obj", tetrahedron_obj);
  const TriangleMesh scaled = read(path, {2, 0.5, 0.001});
  EXPECT_NEAR(largest(scaled).x, 2, 1e-6);
  EXPECT_NEAR(largest(scaled).y, 1, 1e-6);
  EXPECT_NEAR(largest(scaled).z, 0.003, 1e-9);
  EXPECT_NEAR(volumeOf(read(path, {-1, 1, 1})), 1, 1e-6) << "a mirrored mesh is turned back";
  EXPECT_NEAR(volumeOf(read(path, {-1, -1, 1})), 1, 1e-6);
}

TEST(MeshFile, ColladaUnitIsHonouredUpAxisIgnored) {
  const TestFolder folder;
  for (const char* up : {"Z_UP", "Y_UP", "X_UP"}) {
    const TriangleMesh metres = read(folder.write("m.dae", tetrahedronDae("1", up)));
    expectTetrahedron(metres);
    EXPECT_NEAR(largest(metres).x, 11, 1e-5) << up << ": the node's pose is applied";
    EXPECT_NEAR(largest(metres).y, 2, 1e-6) << up;
    EXPECT_NEAR(largest(metres).z, 3, 1e-6) << up;
    const TriangleMesh centimetres = read(folder.write("c.dae", tetrahedronDae("0.01", up)));
    EXPECT_NEAR(largest(centimetres).x, 0.11, 1e-6) << up;
    EXPECT_NEAR(largest(centimetres).z, 0.03, 1e-7) << up;
  }
}

TEST(MeshFile, GltfAndPly) {
  const TestFolder folder;
  const TriangleMesh glb = read(folder.write("t.glb", tetrahedronGlb()));
  expectTetrahedron(glb);
  EXPECT_NEAR(largest(glb).x, 11, 1e-5) << "the node's pose is applied";
  EXPECT_NEAR(largest(glb).z, 3, 1e-6) << "the up axis is ignored";
  const TriangleMesh ply = read(folder.write("t.ply", tetrahedronPly()));
  expectTetrahedron(ply);
  EXPECT_NEAR(largest(ply).x, 1, 1e-6);
}

TEST(MeshFile, BadOnesAreRefused) {
  const TestFolder folder;
  struct Bad {
    const char* name;
    std::string text;
    int line = 0;
  };
  const Bad bad[] = {
      {"empty.stl", ""},
      {"empty.obj", ""},
      {"empty.dae", ""},
      {"garbage.stl", "solid what is this"},
      {"garbage.obj", std::string(1000, '\xff')},
      {"garbage.dae", "<COLLADA><nothing/>"},
      {"garbage.glb", "glTF but no more"},
      {"short.glb", tetrahedronGlb().substr(0, 200)},
      {"garbage.gltf", "{"},
      {"garbage.ply", "ply\nformat ascii 1.0\nelement vertex 4\nend_header\n"},
      {"points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n"},
      {"lies.obj", "v 0 0 0\nv 1 0 0\nf 1 2 99\n", 3},
      {"nan.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", 1},
      {"short.stl", std::string(80, 'x') + std::string("\xff\xff\xff\x7f", 4)},
      {"mesh.xyz", "1 2 3"},
  };
  for (const auto& [name, text, line] : bad) {
    const std::string path = folder.write(name, text);
    const auto mesh = readMeshFile(path);
    ASSERT_FALSE(mesh) << name;
    expectRemark(mesh.diagnostics(), Severity::Error, line, "mesh", path);
  }
  EXPECT_FALSE(readMeshFile(folder.path("missing.stl")));
  EXPECT_FALSE(readMeshFile(folder.path()));
}

// ---- meshes in robots

std::string robot(const std::string& uri, const std::string& use = "collision",
                  const std::string& scale = "") {
  return "<robot name=\"r\"><link name=\"a\">\n<" + use + "><geometry><mesh filename=\"" + uri +
         "\"" + scale + "/></geometry></" + use + "></link></robot>";
}

const MeshShape& collisionMesh(const SystemSpec& spec, std::size_t i = 0) {
  return std::get<MeshShape>(spec.links.at(0).collisions.at(i).shape);
}

TEST(UrdfMesh, FoundBesideTheFileInParentsPackagesAndSearchPaths) {
  const TestFolder folder;
  folder.write("pkg/meshes/t.obj", tetrahedron_obj);
  const std::string far = folder.write("else/where/meshes/u.obj", tetrahedron_obj);
  const char* uris[] = {"../meshes/t.obj", "meshes/t.obj", "package://pkg/meshes/t.obj",
                        "model://pkg/meshes/t.obj"};
  for (const char* uri : uris) {
    const auto spec = loadUrdf(folder.write("pkg/urdf/r.urdf", robot(uri)));
    ASSERT_TRUE(spec) << spec.diagnostics().toString();
    EXPECT_TRUE(spec.diagnostics().all().empty()) << uri << spec.diagnostics().toString();
    ASSERT_NE(collisionMesh(*spec).data, nullptr) << uri;
    EXPECT_EQ(collisionMesh(*spec).file, folder.path("pkg/meshes/t.obj"));
  }
  const auto absolute = parseUrdf(robot("file://" + far));
  EXPECT_NE(collisionMesh(*absolute).data, nullptr);
  UrdfOptions options;
  options.searchPaths = {folder.path("else")};
  const auto searched = parseUrdf(robot("package://where/meshes/u.obj"), "<text>", options);
  EXPECT_NE(collisionMesh(*searched).data, nullptr);
  options.searchPaths = {folder.path("else/where")};
  const auto itself = parseUrdf(robot("package://where/meshes/u.obj"), "<text>", options);
  EXPECT_NE(collisionMesh(*itself).data, nullptr);
}

TEST(UrdfMesh, FoundByTheEnvironment) {
  const TestFolder folder;
  folder.write("ws/pkg/m/t.obj", tetrahedron_obj);
  folder.write("ament/share/other/m/t.obj", tetrahedron_obj);
  setenv("ROS_PACKAGE_PATH", ("/nowhere:" + folder.path("ws")).c_str(), 1);
  setenv("AMENT_PREFIX_PATH", folder.path("ament").c_str(), 1);
  const auto ros = parseUrdf(robot("package://pkg/m/t.obj"));
  const auto ament = parseUrdf(robot("package://other/m/t.obj"));
  unsetenv("ROS_PACKAGE_PATH");
  unsetenv("AMENT_PREFIX_PATH");
  EXPECT_NE(collisionMesh(*ros).data, nullptr);
  EXPECT_NE(collisionMesh(*ament).data, nullptr);
}

TEST(UrdfMesh, FoundByTheTailOfItsNameWithANote) {
  const TestFolder folder;
  folder.write("robots/meshes/leg/t.obj", tetrahedron_obj);
  const auto spec =
      loadUrdf(folder.write("robots/urdf/r.urdf", robot("package://gone/away/meshes/leg/t.obj")));
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  EXPECT_NE(collisionMesh(*spec).data, nullptr);
  EXPECT_NE(findRemark(spec.diagnostics(), Severity::Note, "was found as"), nullptr);
}

TEST(UrdfMesh, EachMissingFileIsOneWarning) {
  const std::string one =
      "<collision><geometry><mesh filename=\"package://p/x.stl\"/></geometry></collision>\n";
  const std::string other = "<visual><geometry><mesh filename=\"y.stl\"/></geometry></visual>\n";
  const auto spec = parseUrdf("<robot name=\"r\"><link name=\"a\">\n" + one + one + other + other +
                              "</link></robot>");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  EXPECT_EQ(spec.diagnostics().count(Severity::Warning), 2);
  expectRemark(spec.diagnostics(), Severity::Warning, 2, "link 'a': the mesh 'package://p/x.stl'");
  expectRemark(spec.diagnostics(), Severity::Warning, 4, "'y.stl' was not found");
  ASSERT_EQ(spec->links[0].collisions.size(), 2u) << "the shape stays, without triangles";
  EXPECT_EQ(collisionMesh(*spec).data, nullptr);
  EXPECT_EQ(collisionMesh(*spec).file, "package://p/x.stl");
}

TEST(UrdfMesh, ReadOnceForEachScale) {
  const TestFolder folder;
  const std::string path = folder.write("t.obj", tetrahedron_obj);
  const auto use = [&](const std::string& scale) {
    return "<collision><geometry><mesh filename=\"" + path + "\"" + scale +
           "/></geometry></collision>";
  };
  const auto spec = parseUrdf("<robot name=\"r\"><link name=\"a\">" + use("") + use("") +
                              use(" scale=\"2 2 2\"") + "</link></robot>");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  EXPECT_EQ(collisionMesh(*spec, 0).data, collisionMesh(*spec, 1).data);
  EXPECT_NE(collisionMesh(*spec, 0).data, collisionMesh(*spec, 2).data);
  EXPECT_NEAR(volume(collisionMesh(*spec, 2)), 8, 1e-5);
}

TEST(UrdfMesh, ABadCollisionIsAnErrorABadVisualAWarning) {
  const TestFolder folder;
  const std::string path = folder.write("bad.stl", "solid nothing");
  const auto collision = parseUrdf(robot(path));
  ASSERT_FALSE(collision);
  expectRemark(collision.diagnostics(), Severity::Error, 2, "link 'a': the mesh");
  const auto visual = parseUrdf(robot(path, "visual", " scale=\"1 2 3\""));
  ASSERT_TRUE(visual) << visual.diagnostics().toString();
  expectRemark(visual.diagnostics(), Severity::Warning, 2, "link 'a': the mesh");
  EXPECT_EQ(visual->links[0].visuals.at(0).meshScale.z, 3);
  // Used as both: the Error is not hidden behind the Warning.
  const auto both = parseUrdf(
      "<robot name=\"r\"><link name=\"a\"><visual><geometry><mesh filename=\"" + path +
      "\"/></geometry></visual>\n<collision><geometry><mesh filename=\"" + path +
      "\"/></geometry></collision></link>\n<link name=\"b\"/><joint name=\"j\" type=\"fixed\">"
      "<parent link=\"a\"/><child link=\"b\"/></joint></robot>");
  EXPECT_FALSE(both);
  const auto unnamed = parseUrdf(robot(""));
  ASSERT_FALSE(unnamed);
  expectRemark(unnamed.diagnostics(), Severity::Error, 2, "names no file");
}

TEST(UrdfMesh, NotLoadedWhereNotAskedFor) {
  UrdfOptions options;
  options.loadMeshes = false;
  const auto spec = parseUrdf(robot("package://p/x.stl"), "<text>", options);
  ASSERT_TRUE(spec);
  EXPECT_TRUE(spec.diagnostics().all().empty());
  EXPECT_EQ(collisionMesh(*spec).file, "package://p/x.stl");
}

}  // namespace
}  // namespace espalier::io

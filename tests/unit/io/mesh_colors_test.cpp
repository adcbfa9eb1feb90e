// Colours of meshes: OBJ's materials, with assimp as second opinion, and Collada's.

#include <gtest/gtest.h>

#include "espalier/io/mesh/mesh_file.h"
#include "espalier/io/mesh/mesh_formats.h"
#include "folder.h"
#include "meshes.h"

namespace espalier::io {
namespace {

constexpr Rgba8 red{255, 0, 0, 255}, blue{0, 0, 128, 255};

const std::string materials =
    "# two\nnewmtl red\nKa 1 1 1\nKd 1 0 0\n\nnewmtl dark blue\r\nKd 0 0 0.5\r\nd 1.0\n"
    "newmtl none\nNs 3\n";

/// The tetrahedron: two faces red, one dark blue, one of a material without a colour.
std::string colored(const std::string& library) {
  return "mtllib " + library +
         "\nv 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nusemtl red\nf 1 3 2\nf 1 2 4\n"
         "usemtl dark blue\nf 1 4 3\nusemtl none\nf 2 3 4\n";
}

TEST(MeshColors, MaterialsOfAnObjFile) {
  const TestFolder folder;
  folder.write("the materials.mtl", materials);
  const Expected<TriangleMesh> mesh =
      readMeshFile(folder.write("a.obj", colored("the materials.mtl")));
  ASSERT_TRUE(mesh);
  ASSERT_EQ(mesh->colors.size(), 4u);
  EXPECT_EQ(mesh->colors[0], red);
  EXPECT_EQ(mesh->colors[1], red);
  EXPECT_EQ(mesh->colors[2], blue);
  EXPECT_EQ(mesh->colors[3], (Rgba8{179, 179, 179, 255}));
  EXPECT_EQ(mesh->vertices.size(), 4u) << "colours split no vertex";
}

TEST(MeshColors, AssimpReadsTheSame) {
  const TestFolder folder;
  folder.write("a.mtl", "newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 0.5\n");
  const std::string file = folder.write(
      "a.obj", "mtllib a.mtl\n" + tetrahedron_obj.substr(0, tetrahedron_obj.find('f')) +
                   "usemtl red\nf 1 3 2\nf 1 2 4\nusemtl blue\nf 1 4 3\nf 2 3 4\n");
  const auto ours = readMeshFile(file), theirs = readByAssimp(file);
  ASSERT_TRUE(ours && theirs);
  EXPECT_EQ(ours->colors, (std::vector<Rgba8>{red, red, blue, blue}));
  EXPECT_EQ(theirs->colors, ours->colors);
}

TEST(MeshColors, WithoutALibraryThereAreNone) {
  const TestFolder folder;
  for (const char* library : {"missing.mtl", "/", "."}) {
    const auto mesh = readMeshFile(folder.write("a.obj", colored(library)));
    ASSERT_TRUE(mesh) << library;
    EXPECT_TRUE(mesh->colors.empty()) << library;
  }
  EXPECT_TRUE(readMeshFile(folder.write("b.obj", tetrahedron_obj))->colors.empty());
  EXPECT_TRUE(readMeshFile(folder.write("c.stl", tetrahedronStl()))->colors.empty());
}

TEST(MeshColors, BadNumbersAreNoColor) {
  const auto found = parseMtl(
      "newmtl a\nKd 1 x 0\nnewmtl b\nKd 2 -1 nan\nnewmtl c\nKd 1 0 0\nd 0.5\n"
      "Kd\nnewmtl d\nKd 0 0 0\nTr 1\n");
  EXPECT_EQ(found, (std::map<std::string, Rgba8>{{"d", {0, 0, 0, 0}}}));
  EXPECT_EQ(parseMtl("newmtl b\nKd 2 -1 0.5").at("b"), (Rgba8{255, 0, 128, 255}));
}

TEST(MeshColors, MaterialOfACollada) {
  std::string dae = tetrahedronDae("1", "Z_UP");
  dae.replace(dae.find("<library_geometries>"), 0,
              R"(<library_materials><material id="m"><instance_effect url="#e"/></material>
</library_materials><library_effects><effect id="e"><profile_COMMON><technique sid="t"><lambert>
<diffuse><color>1 0 0 1</color></diffuse></lambert></technique></profile_COMMON></effect>
</library_effects>)");
  dae.replace(dae.find("<triangles count"), 10, R"(<triangles material="s")");
  dae.replace(dae.find(R"(<instance_geometry url="#g"/>)"), 29,
              R"(<instance_geometry url="#g"><bind_material><technique_common>
<instance_material symbol="s" target="#m"/></technique_common></bind_material></instance_geometry>)");
  const TestFolder folder;
  const auto mesh = readMeshFile(folder.write("a.dae", dae));
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->colors, std::vector<Rgba8>(4, red));
  EXPECT_TRUE(readMeshFile(folder.write("b.dae", tetrahedronDae("1", "Z_UP")))->colors.empty());
}

}  // namespace
}  // namespace espalier::io

// The readers of STL and OBJ, with assimp as second opinion.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "espalier/io/mesh/mesh_file.h"
#include "espalier/io/mesh/mesh_formats.h"
#include "folder.h"
#include "meshes.h"
#include "remarks.h"

namespace espalier::io {
namespace {

double volumeOf(const TriangleMesh& mesh) {
  return volume(MeshShape{"", std::make_shared<const TriangleMesh>(mesh)});
}

void append(std::string& bytes, float x) {
  char four[4];
  std::memcpy(four, &x, 4);
  bytes.append(four, 4);
}

/// Binary STL of triangles with corners as given, nine numbers each.
std::string binaryStl(const std::vector<float>& corners, const std::string& title = "") {
  std::string bytes = title + std::string(80 - title.size(), '\0');
  const auto count = static_cast<std::uint32_t>(corners.size() / 9);
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(count >> 8 * i & 0xff);
  for (std::size_t t = 0; t < count; ++t) {
    for (int k = 0; k < 3; ++k) append(bytes, 0);
    for (std::size_t k = 0; k < 9; ++k) append(bytes, corners[9 * t + k]);
    bytes += std::string(2, '\0');
  }
  return bytes;
}

std::vector<float> randomCorners(int triangles) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> number(-1, 1);
  std::vector<float> corners(static_cast<std::size_t>(9 * triangles));
  for (float& x : corners) x = number(random);
  return corners;
}

void expectSame(const TriangleMesh& a, const TriangleMesh& b) {
  ASSERT_EQ(a.vertices.size(), b.vertices.size());
  for (std::size_t i = 0; i < a.vertices.size(); ++i) {
    EXPECT_EQ(a.vertices[i].x, b.vertices[i].x) << i;
    EXPECT_EQ(a.vertices[i].y, b.vertices[i].y) << i;
    EXPECT_EQ(a.vertices[i].z, b.vertices[i].z) << i;
  }
  EXPECT_EQ(a.triangles, b.triangles);
}

void expectAsAssimp(const std::string& path, const Vec3d& scale = {1, 1, 1}) {
  const auto own = readMeshFile(path, scale), theirs = readByAssimpHere(path, scale);
  ASSERT_TRUE(own) << own.diagnostics().toString();
  ASSERT_TRUE(theirs) << theirs.diagnostics().toString();
  expectSame(*own, *theirs);
}

void append(std::string& bytes, std::uint32_t x) {
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(x >> 8 * i & 0xff);
}

/// MSH of a tetrahedron, with normals and texture coordinates.
std::string tetrahedronMsh(std::uint32_t lastIndex = 3) {
  std::string bytes;
  for (const std::uint32_t count : {4u, 4u, 4u, 4u}) append(bytes, count);
  for (const float x : {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}) append(bytes, x);
  for (int k = 0; k < 3 * 4 + 2 * 4; ++k) append(bytes, 9.0f);
  for (const std::uint32_t i : {0u, 2u, 1u, 0u, 1u, 3u, 0u, 3u, 2u, 1u, 2u, lastIndex})
    append(bytes, i);
  return bytes;
}

TEST(MeshFiles, AreToldByTheirExtension) {
  for (const std::string name :
       {"a.stl", "b.OBJ", "c.dae", "d.msh", "f.glb", "g.gltf", "h.PLY", "x.urdf/e.Stl"})
    EXPECT_TRUE(hasMeshExtension(name)) << name;
  for (const std::string name : {"a.urdf", "stl", "a.stl.txt", ""})
    EXPECT_FALSE(hasMeshExtension(name)) << name;
}

TEST(Msh, ATetrahedron) {
  const auto mesh = readMsh(tetrahedronMsh(), "t.msh", {1, 2, 3});
  ASSERT_TRUE(mesh) << mesh.diagnostics().toString();
  EXPECT_EQ(mesh->vertices.size(), 4u);
  EXPECT_EQ(mesh->triangles.size(), 4u);
  EXPECT_NEAR(volumeOf(*mesh), 1, 1e-15);
  const TestFolder folder;
  const auto fromFile = readMeshFile(folder.write("t.MSH", tetrahedronMsh()));
  ASSERT_TRUE(fromFile) << fromFile.diagnostics().toString();
  EXPECT_NEAR(volumeOf(*fromFile), 1.0 / 6, 1e-15);
}

TEST(Msh, RefusesOtherFiles) {
  const auto refused = [](const std::string& bytes, const std::string& part) {
    const auto mesh = readMsh(bytes, "t.msh");
    ASSERT_FALSE(mesh);
    const Diagnostic* found = findRemark(mesh.diagnostics(), Severity::Error, part);
    ASSERT_NE(found, nullptr) << mesh.diagnostics().toString();
    EXPECT_FALSE(found->remedy.empty());
  };
  refused("$MeshFormat", "it has no counts");
  refused("$MeshFormat\n4.1 0 8\n", "instead of the");
  refused(tetrahedronMsh() + "x", "instead of the");
  refused(tetrahedronMsh(4), "a vertex that is not there, at byte");
  std::string huge = tetrahedronMsh();
  for (std::size_t i = 0; i < 16; ++i) huge[i] = '\xff';
  refused(huge, "instead of the");
}

TEST(Stl, BinaryIsAsAssimpReadsItBitForBit) {
  const TestFolder folder;
  const std::string path = folder.write("r.stl", binaryStl(randomCorners(50)));
  expectAsAssimp(path);
  expectAsAssimp(path, {0.001, -2, 3});
}

TEST(Stl, ABinaryOneMayBeginWithSolid) {
  const TestFolder folder;
  expectAsAssimp(folder.write("r.stl", binaryStl(randomCorners(3), "solid by some CAD program")));
}

TEST(Stl, AsciiIsAsAssimpReadsIt) {
  const TestFolder folder;
  expectAsAssimp(folder.write("t.stl", tetrahedronStl()));
  expectAsAssimp(folder.write("t.stl", tetrahedronStl()), {-1, 2, 3});
}

TEST(Stl, SeveralSolidsAreOneMesh) {
  const auto mesh = readStl(tetrahedronStl() + "\n" + tetrahedronStl(), "two.stl");
  ASSERT_TRUE(mesh) << mesh.diagnostics().toString();
  EXPECT_EQ(mesh->vertices.size(), 4u);
  EXPECT_EQ(mesh->triangles.size(), 8u);
}

TEST(Stl, ANotFiniteVertexIsToldByItsByte) {
  std::vector<float> corners = randomCorners(3);
  corners[9 + 4] = std::nanf("");
  const auto mesh = readStl(binaryStl(corners), "n.stl");
  ASSERT_FALSE(mesh);
  // 84 bytes of header, one triangle, a normal, one vertex.
  expectRemark(mesh.diagnostics(), Severity::Error, 0, "at byte 158", "n.stl");
}

TEST(Stl, AWrongLengthIsToldInNumbers) {
  const std::string whole = binaryStl(randomCorners(3));
  for (const std::string& bytes : {whole.substr(0, 200), whole + "more"}) {
    const auto mesh = readStl(bytes, "s.stl");
    ASSERT_FALSE(mesh);
    expectRemark(mesh.diagnostics(), Severity::Error, 0,
                 std::to_string(bytes.size()) + " bytes instead of the 234", "s.stl");
  }
}

TEST(Stl, BrokenAsciiIsToldByItsLine) {
  const std::string begin = "solid a\nfacet normal 0 0 1\nouter loop\n";
  const std::pair<std::string, int> bad[] = {
      {begin + "vertex 0 0 0\nvertex 1 x 0\n", 5},
      {begin + "vertex 0 0 0\nvertex 1 0 0\nendloop\nendfacet\n", 7},
      {begin + "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 1 1\nendloop\nendfacet\n", 7},
      {begin + "vertex 0 0 0\nfacet normal 0 0 1\n", 5},
      {begin + "vertex 0 0 1e39\n", 4},
      {begin, 4}};
  for (const auto& [text, line] : bad) {
    const auto mesh = readStl(text, "a.stl");
    ASSERT_FALSE(mesh) << text;
    expectRemark(mesh.diagnostics(), Severity::Error, line, "the mesh", "a.stl");
  }
}

// ---- OBJ

constexpr const char* cube =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "o lower\nf 4 3 2 1\nf 1 2 6 5\nf 2 3 7 6\no upper\nusemtl steel\n"
    "f 5/1 6/2 7/3 8/4\nf 3//1 4//1 8//1 7//1\nf 4/1/1 1/1/1 5/1/1 8/1/1\n";

TEST(Obj, ObjectsQuadsAndIndicesAreAsAssimpReadsThem) {
  const TestFolder folder;
  const std::string texture = "vt 0 0\nvt 0 1\nvt 1 0\nvt 1 1\nvn 0 0 1\n";
  const std::string path = folder.write("c.obj", "mtllib no.mtl\n" + texture + cube);
  expectAsAssimp(path);
  expectAsAssimp(path, {2, -1, 0.5});
  const auto mesh = readMeshFile(path);
  EXPECT_EQ(mesh->vertices.size(), 8u);
  EXPECT_EQ(mesh->triangles.size(), 12u);
  EXPECT_NEAR(volumeOf(*mesh), 1, 1e-12);
}

TEST(Obj, NegativeIndicesCountFromTheLastVertexSoFar) {
  const TestFolder folder;
  const std::string text =
      "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf -4 -2 -3\nf -4 -3 -1\nf -4 -1 -2\nf -3 -2 -1\n"
      "v 9 9 9\n";
  const std::string path = folder.write("n.obj", text);
  expectAsAssimp(path);
  EXPECT_NEAR(volumeOf(*readMeshFile(path)), 1, 1e-12);
}

TEST(Obj, VerticesWithoutFacesAreThoseOfAConvexBody) {
  const TestFolder folder;
  std::string points = "v 0.1 0.2 0.3\n";  // inside
  for (const char* corner :
       {"0 0 0", "1 0 0", "0 2 0", "1 2 0", "0 0 3", "1 0 3", "0 2 3", "1 2 3"})
    points += "v " + std::string(corner) + "\n";
  const auto mesh = readMeshFile(folder.write("points.obj", points), {2, 1, -1});
  ASSERT_TRUE(mesh) << mesh.diagnostics().toString();
  EXPECT_EQ(mesh->vertices.size(), 8u);
  EXPECT_EQ(mesh->triangles.size(), 12u);
  EXPECT_NEAR(volumeOf(*mesh), 12, 1e-12);

  const std::string path = folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n");
  const auto flat = readMeshFile(path);
  ASSERT_FALSE(flat);
  expectRemark(flat.diagnostics(), Severity::Error, 0, "no faces, and its vertices are flat", path);
}

TEST(Obj, AConcaveQuadIsTakenApartAtItsConcaveCorner) {
  const TestFolder folder;
  const std::string path =
      folder.write("q.obj", "v 0 0 0\nv 2 1 0\nv 0 2 0\nv 0.5 1 0\nf 1 2 3 4\n");
  const auto own = readMeshFile(path), theirs = readByAssimpHere(path);
  ASSERT_TRUE(own && theirs);
  const auto sorted = [](const TriangleMesh& mesh) {
    std::set<std::set<int>> all;
    for (const auto& t : mesh.triangles) all.insert({t[0], t[1], t[2]});
    return all;
  };
  EXPECT_EQ(sorted(*own), sorted(*theirs));
  EXPECT_EQ(sorted(*own), (std::set<std::set<int>>{{0, 1, 3}, {1, 2, 3}}));
}

TEST(Obj, LinesGoOnAndColoursWeightsAndCommentsAreUnderstood) {
  const auto mesh = readObj(
      "# a comment\r\nv 0 0 0 0.5 0.5 0.5\r\nv 2 0 0 2 # halved\nv 0 \\\n 1 0\ng x\ns off\n"
      "f 1 2 \\\n3 # the one\nl 1 2\np 1\nvp 0 0\n",
      "l.obj");
  ASSERT_TRUE(mesh) << mesh.diagnostics().toString();
  ASSERT_EQ(mesh->vertices.size(), 3u);
  EXPECT_EQ(mesh->vertices[1].x, 1) << "divided by its weight";
  EXPECT_EQ(mesh->vertices[2].y, 1);
  EXPECT_EQ(mesh->triangles.size(), 1u);
}

TEST(Obj, BrokenOnesAreToldByTheirLine) {
  const std::string corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  const std::pair<std::string, int> bad[] = {{corners + "f 1 2 4\n", 4},
                                             {corners + "f 1 2 -4\n", 4},
                                             {corners + "f 0 1 2\n", 4},
                                             {corners + "\nf 1 2 three\n", 5},
                                             {"v 1 2\n", 1},
                                             {"v 1 2 inf\n", 1},
                                             {corners + "v 1 1 0 0\nf 1 2 4\n", 5},
                                             {"v 1e39 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n", 4},
                                             {corners + "f 1 2 99999999999999999999\n", 4}};
  for (const auto& [text, line] : bad) {
    const auto mesh = readObj(text, "b.obj");
    ASSERT_FALSE(mesh) << text;
    expectRemark(mesh.diagnostics(), Severity::Error, line, "the mesh has", "b.obj");
  }
}

// ---- polygons

double areaOf(const std::vector<Vec3d>& p, const std::vector<std::array<int, 3>>& triangles) {
  double area = 0;
  for (const auto& t : triangles) {
    const Vec3d a = p[t[0]];
    area += norm(cross(p[t[1]] - a, p[t[2]] - a)) / 2;
  }
  return area;
}

/// A star of 2 n corners in a plane across the axis, seen counter-clockwise.
std::vector<Vec3d> star(int n, const Mat3d& R) {
  std::vector<Vec3d> p;
  for (int i = 0; i < 2 * n; ++i) {
    const double r = i % 2 == 0 ? 1 : 0.4, t = M_PI * i / n;
    p.push_back(mul(R, Vec3d{r * std::cos(t), r * std::sin(t), 0.3}));
  }
  return p;
}

TEST(Polygon, AStarIsCoveredOnceInAnyPlane) {
  const Mat3d about_x{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}, about_y{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}};
  const Mat3d over{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  for (const Mat3d& R : {identity3<double>(), about_x, about_y, over}) {
    for (const int n : {3, 5, 40}) {
      const std::vector<Vec3d> corners = star(n, R);
      std::vector<std::array<int, 3>> triangles;
      ASSERT_TRUE(triangulate(corners, triangles));
      EXPECT_EQ(triangles.size(), corners.size() - 2);
      // Sum over pairs of neighbouring corners of half the product of radii and sine.
      const double area = n * 0.4 * std::sin(M_PI / n);
      EXPECT_NEAR(areaOf(corners, triangles), area, 1e-12);
      const Vec3d normal = mul(R, Vec3d{0, 0, 1});
      for (const auto& t : triangles) {
        const Vec3d a = corners[t[0]];
        EXPECT_GT(dot(normal, cross(corners[t[1]] - a, corners[t[2]] - a)), 0)
            << "the sense of rotation is kept";
      }
    }
  }
}

TEST(Polygon, ConvexOnesAreFansHoweverManyCorners) {
  std::vector<Vec3d> corners;
  for (int i = 0; i < 1000; ++i) {
    const double t = 2 * M_PI * i / 1000;
    corners.push_back({std::cos(t), std::sin(t), 0});
  }
  std::vector<std::array<int, 3>> triangles;
  ASSERT_TRUE(triangulate(corners, triangles));
  ASSERT_EQ(triangles.size(), 998u);
  EXPECT_EQ(triangles[0], (std::array<int, 3>{0, 1, 2}));
  EXPECT_EQ(triangles[997], (std::array<int, 3>{0, 998, 999}));
  corners[500] = {0, 0, 0};
  EXPECT_FALSE(triangulate(corners, triangles)) << "too many corners for ear clipping";
}

TEST(Polygon, WithoutAreaOrCrossingItselfItStillEnds) {
  std::vector<std::array<int, 3>> triangles;
  EXPECT_TRUE(triangulate(std::vector<Vec3d>(6, Vec3d{1, 1, 1}), triangles));
  EXPECT_EQ(triangles.size(), 4u);
  const std::vector<Vec3d> bow{{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 3, 0}};
  EXPECT_TRUE(triangulate(bow, triangles));
  EXPECT_EQ(triangles.size(), 7u);
}

// ---- real ones

/// Largest distance between places of equal index, for meshes of equal topology.
double distance(const TriangleMesh& a, const TriangleMesh& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.vertices.size(); ++i) {
    most = std::max(most, norm(a.vertices[i] - b.vertices[i]));
  }
  return most;
}
double sizeOf(const TriangleMesh& mesh) {
  double most = 0;
  for (const Vec3d& v : mesh.vertices) most = std::max(most, norm(v));
  return most;
}
double surfaceOf(const TriangleMesh& mesh) { return areaOf(mesh.vertices, mesh.triangles); }

TEST(MeshReaders, AgreeWithAssimpOnAllSharedModels) {
  const auto shared = sharedFolder();
  if (shared.empty()) GTEST_SKIP() << "ESPALIER_SHARED is not there";
  int binary = 0, same = 0, alike = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shared / "models")) {
    std::string extension = entry.path().extension().string();
    for (char& c : extension) c = static_cast<char>(std::tolower(c));
    if (extension != ".stl" && extension != ".obj") continue;
    const std::string path = entry.path().string();
    SCOPED_TRACE(path);
    const auto own = readMeshFile(path), theirs = readByAssimpHere(path);
    ASSERT_EQ(own.hasValue(), theirs.hasValue()) << own.diagnostics().toString();
    if (!own) continue;
    const bool isEqual = own->vertices.size() == theirs->vertices.size() &&
                         own->triangles == theirs->triangles && distance(*own, *theirs) == 0;
    if (isEqual) {
      ++same;
    } else {
      // Text: assimp adds whole and broken part in single precision, which may round twice, so that
      // places that are one here may be two there.
      ++alike;
      EXPECT_NEAR(surfaceOf(*own), surfaceOf(*theirs), 1e-5 * surfaceOf(*theirs));
      EXPECT_NEAR(volumeOf(*own), volumeOf(*theirs), 1e-5 * surfaceOf(*theirs) * sizeOf(*theirs));
      EXPECT_NEAR(sizeOf(*own), sizeOf(*theirs), 2e-7 * sizeOf(*theirs));
    }
    if (extension == ".stl") {
      std::ifstream file(path, std::ios::binary);
      std::string begin(84, '\0');
      file.read(begin.data(), 84);
      std::uint32_t count = 0;
      std::memcpy(&count, begin.data() + 80, 4);
      if (entry.file_size() == 84 + 50 * std::uintmax_t{count}) {
        ++binary;
        EXPECT_TRUE(isEqual) << "binary STL is read bit for bit";
      }
    }
  }
  EXPECT_GT(binary, 0);
  EXPECT_GT(same, 0);
  RecordProperty("same", same);
  RecordProperty("alike", alike);
}

}  // namespace
}  // namespace espalier::io

// What a mesh collides as: its hull, simplified or whole, or its triangles.

#include <cmath>

#include "espalier/geometry/hull.h"
#include "scene_fixture.h"

namespace espalier {
namespace {

MeshShape convex(MeshShape mesh) {
  mesh.isConvex = true;
  return mesh;
}

/// Points on an ellipsoid, as a mesh; triangles are not read by hulls.
MeshShape ellipsoid(int n, const Vec3d& half, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> g;
  auto data = std::make_shared<TriangleMesh>();
  for (int i = 0; i < n; ++i) {
    const Vec3d p{g(random), g(random), g(random)};
    const Vec3d u = p * (1 / norm(p));
    data->vertices.push_back({half.x * u.x, half.y * u.y, half.z * u.z});
  }
  data->triangles.push_back({0, 1, 2});
  return {"ellipsoid.obj", data};
}

double heightOver(const Hull& hull, const std::vector<Vec3d>& points) {
  double most = 0;
  for (const Hull::Face& f : hull.faces) {
    for (const Vec3d& p : points) most = std::max(most, dot(f.normal, p) - f.offset);
  }
  return most;
}

TEST(MeshHull, AStaticConvexMeshMeetsHullsAndSpheresAsAMovableOneDoes) {
  for (const bool isStatic : {false, true}) {
    Scene scene;
    scene.addGeom(convex(boxMesh({1, 1, 1})), {.owner = 0, .isStatic = isStatic});
    const GeomId block = scene.addGeom(boxMesh({0.4, 0.4, 0.4}), {.owner = 1});
    const GeomId ball = scene.addGeom(SphereShape{0.1}, {.owner = 2});
    scene.setPose(block, at(0.25, 0.25, 0.69));
    scene.setPose(ball, at(-0.3, -0.3, 0.599));
    EXPECT_TRUE(scene.build().all().empty()) << scene.build().toString();
    EXPECT_EQ(contacts(scene).size(), 5u);
  }
}

TEST(MeshHull, AConvexMeshStaysAHullWhenItBecomesStatic) {
  Scene scene;
  const GeomId mesh = scene.addGeom(convex(boxMesh({1, 1, 1})), {.owner = 0});
  const GeomId other = scene.addGeom(boxMesh({1, 1, 1}), {.owner = 1});
  scene.setPose(other, at(0.1, 0.2, 0.99));
  const auto before = contacts(scene);
  ASSERT_EQ(before.size(), 4u);
  scene.setStatic(mesh, true);
  EXPECT_EQ(contacts(scene).size(), 4u);
  EXPECT_TRUE(scene.build().all().empty());
}

TEST(MeshHull, AnotherMeshOfTheSameGeomIsAnotherHull) {
  Scene scene;
  scene.addGeom(Plane{}, {.isStatic = true});
  const GeomId mesh = scene.addGeom(boxMesh({1, 1, 1}), {.owner = 0});
  scene.setPose(mesh, at(0, 0, 1));
  EXPECT_TRUE(contacts(scene).empty());
  scene.setShape(mesh, boxMesh({1, 1, 2.01}));
  EXPECT_EQ(contacts(scene).size(), 4u);
}

TEST(MeshHull, HasAtMostSoManyVerticesAndTellsItsError) {
  const MeshShape mesh = ellipsoid(2000, {0.3, 0.2, 0.1}, 1);
  double last = 1;
  for (const int most : {4, 5, 8, 16, 64, 200}) {
    const auto hull = convexHull(*mesh.data, most);
    ASSERT_TRUE(hull);
    EXPECT_LE(hull->vertices.size(), static_cast<std::size_t>(most));
    EXPECT_GE(hull->vertices.size(), std::min<std::size_t>(static_cast<std::size_t>(most), 60));
    EXPECT_NEAR(hull->error, heightOver(*hull, mesh.data->vertices), 1e-12);
    EXPECT_LT(hull->error, last) << most;
    last = hull->error;
  }
  EXPECT_LT(convexHull(*mesh.data, 64)->error, 0.02);
  EXPECT_EQ(convexHull(*mesh.data)->error, 0);
  EXPECT_EQ(convexHull(*mesh.data)->vertices.size(), 2000u);
}

TEST(MeshHull, OfPointsOfOneMeshIsTheSameEachTime) {
  const MeshShape mesh = ellipsoid(500, {0.3, 0.2, 0.1}, 2);
  const auto one = convexHull(*mesh.data, 64), two = convexHull(*mesh.data, 64);
  EXPECT_EQ(one->corners, two->corners);
  ASSERT_EQ(one->faces.size(), two->faces.size());
  for (std::size_t i = 0; i < one->faces.size(); ++i) {
    EXPECT_EQ(one->faces[i].offset, two->faces[i].offset);
    EXPECT_EQ(norm(one->faces[i].normal - two->faces[i].normal), 0);
  }
}

// A vertex of the hull is one of the mesh, to the last digit.
TEST(MeshHull, VerticesAreThoseOfTheMesh) {
  TriangleMesh far = *ellipsoid(100, {0.3, 0.2, 0.1}, 3).data;
  for (Vec3d& p : far.vertices) p += Vec3d{10.1, -3.3, 0.7};
  const auto hull = convexHull(far, 32);
  ASSERT_TRUE(hull);
  for (const Vec3d& v : hull->vertices) {
    EXPECT_TRUE(std::any_of(far.vertices.begin(), far.vertices.end(), [&](const Vec3d& p) {
      return p.x == v.x && p.y == v.y && p.z == v.z;
    }));
  }
}

TEST(MeshHull, TheSceneTellsOfSimplifiedHullsOnce) {
  Scene scene;
  const MeshShape mesh = ellipsoid(500, {0.3, 0.2, 0.1}, 4);
  scene.addGeom(mesh, {.owner = 0});
  scene.addGeom(mesh, {.owner = 1});
  scene.addGeom(boxMesh({1, 1, 1}), {.owner = 2});
  const Diagnostics& remarks = scene.build();
  ASSERT_EQ(remarks.all().size(), 1u) << remarks.toString();
  EXPECT_EQ(remarks.all()[0].severity, Severity::Note);
  EXPECT_EQ(remarks.all()[0].file, "ellipsoid.obj");
  EXPECT_NE(remarks.all()[0].what.find("1 mesh collides as a simplified convex hull"),
            std::string::npos);
  EXPECT_NE(remarks.all()[0].what.find("64 vertices"), std::string::npos);

  Scene whole;
  MeshShape all = mesh;
  all.maxHullVertices = 500;
  whole.addGeom(all, {.owner = 0});
  EXPECT_TRUE(whole.build().all().empty());
}

TEST(MeshHull, OfFewerThanFourVerticesIsRefused) {
  Scene scene;
  MeshShape mesh = boxMesh({1, 1, 1});
  mesh.maxHullVertices = 3;
  EXPECT_THROW(scene.addGeom(mesh), std::invalid_argument);
  EXPECT_EQ(scene.geomCount(), 0);
}

}  // namespace
}  // namespace espalier

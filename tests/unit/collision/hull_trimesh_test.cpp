// Hulls of moving meshes against the triangles of static ones: as on a plane and as against a solid
// where the triangles make one, without catches at inner edges; gaps against brute force.

#include "espalier/collision/triangle_tree.h"
#include "scene_fixture.h"
#include "tests/support/floor_mesh.h"

namespace espalier {
namespace {

using testing::floorMesh;

struct OnMesh {
  Scene scene;
  GeomId ground, body;

  OnMesh(const MeshShape& mesh, const Shape& shape)
      : ground(scene.addGeom(mesh, {.isStatic = true})), body(scene.addGeom(shape, {.owner = 0})) {}
  std::vector<ContactPoint> at(const Transformd& X, double margin = 0) {
    scene.setPose(body, X);
    return contacts(scene, margin);
  }
};

TEST(HullOnTriangles, IsNotRefused) {
  OnMesh all(floorMesh(4, 4), boxMesh({1, 1, 1}));
  EXPECT_TRUE(all.scene.build().all().empty()) << all.scene.build().toString();
}

TEST(HullOnTriangles, AFloorIsAPlane) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> u(-1, 1);
  const MeshShape block = boxMesh({0.4, 0.6, 0.5});
  OnMesh onFloor(floorMesh(9, 6), block);
  Scene onPlane;
  onPlane.addGeom(Plane{}, {.isStatic = true});
  const GeomId box = onPlane.addGeom(block, {.owner = 0});
  for (int i = 0; i < 300; ++i) {
    // Flat, on an edge and on a corner; the third coordinate has the lowest point near the floor.
    const double tilt = i % 3 == 0 ? 0 : 0.4, roll = i % 3 == 2 ? 0.3 : 0;
    Transformd X = at(2 * u(random), 2 * u(random), 0, {tilt * u(random), roll * u(random), 0});
    X.R = mul(rotation(expQuat(Vec3d{0, 0, 3 * u(random)})), X.R);
    double lowest = 1e9;
    for (const Vec3d& v : block.data->vertices) lowest = std::min(lowest, (X * v).z);
    X.p.z = 0.01 * u(random) - lowest;
    onPlane.setPose(box, X);
    const auto expected = contacts(onPlane, 0.02), found = onFloor.at(X, 0.02);
    ASSERT_FALSE(found.empty());
    EXPECT_NEAR(deepest(found), deepest(expected), 1e-9) << i;
    for (const ContactPoint& p : found) {
      const Vec3d n = p.b == onFloor.body ? -p.normal : p.normal;
      // A is pushed along the normal: the body up, whatever edge lies under it.
      EXPECT_NEAR(n.z, 1, 1e-12) << i;
    }
    if (tilt == 0) EXPECT_EQ(found.size(), 4u);
  }
}

/// Squared distance from p to the triangle abc, over its face, edges and corners.
double distance2(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d n = cross(b - a, c - a);
  const auto inside = [&](const Vec3d& x, const Vec3d& y) {
    return dot(cross(y - x, p - x), n) >= 0;
  };
  if (inside(a, b) && inside(b, c) && inside(c, a)) {
    const double h = dot(n, p - a);
    return h * h / dot(n, n);
  }
  const auto toEdge = [&](const Vec3d& x, const Vec3d& y) {
    const double t = std::clamp(dot(p - x, y - x) / dot(y - x, y - x), 0.0, 1.0);
    const Vec3d d = p - x - (y - x) * t;
    return dot(d, d);
  };
  return std::min({toEdge(a, b), toEdge(b, c), toEdge(c, a)});
}

/// Squared distance of two segments, by the nearest points of their lines and of their ends.
double distance2(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d, int) {
  const Vec3d u = b - a, v = d - c, w = a - c;
  const auto toSegment = [](const Vec3d& p, const Vec3d& x, const Vec3d& y) {
    const double t = std::clamp(dot(p - x, y - x) / dot(y - x, y - x), 0.0, 1.0);
    const Vec3d e = p - x - (y - x) * t;
    return dot(e, e);
  };
  double least =
      std::min({toSegment(a, c, d), toSegment(b, c, d), toSegment(c, a, b), toSegment(d, a, b)});
  const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), det = uu * vv - uv * uv;
  if (det > 1e-12 * uu * vv) {
    const double s = (uv * dot(v, w) - vv * dot(u, w)) / det,
                 t = (uu * dot(v, w) - uv * dot(u, w)) / det;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) {
      const Vec3d e = w + u * s - v * t;
      least = std::min(least, dot(e, e));
    }
  }
  return least;
}

/// Distance of two sets of triangles that do not meet.
double distanceOf(const TriangleMesh& a, const Transformd& X, const TriangleMesh& b) {
  double least = 1e9;
  const auto corner = [](const TriangleMesh& m, const std::array<int, 3>& t, int k) {
    return m.vertices[t[k % 3]];
  };
  for (const auto& s : a.triangles) {
    Vec3d p[3];
    for (int k = 0; k < 3; ++k) p[k] = X * corner(a, s, k);
    for (const auto& t : b.triangles) {
      Vec3d q[3];
      for (int k = 0; k < 3; ++k) q[k] = corner(b, t, k);
      for (int i = 0; i < 3; ++i) {
        least =
            std::min({least, distance2(p[i], q[0], q[1], q[2]), distance2(q[i], p[0], p[1], p[2])});
        for (int j = 0; j < 3; ++j)
          least = std::min(least, distance2(p[i], p[(i + 1) % 3], q[j], q[(j + 1) % 3], 0));
      }
    }
  }
  return std::sqrt(least);
}

TEST(HullOnTriangles, GapsAreThoseOfBruteForce) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> u(-1, 1);
  const MeshShape hills =
      floorMesh(8, 4, [](double x, double y) { return 0.3 * std::sin(3 * x) * std::cos(2 * y); });
  const MeshShape block = boxMesh({0.5, 0.3, 0.4});
  OnMesh on(hills, block);
  int seen = 0;
  for (int i = 0; i < 200; ++i) {
    const Transformd X = at(1.2 * u(random), 1.2 * u(random), 0.45 + 0.3 * u(random),
                            {2 * u(random), 2 * u(random), 2 * u(random)});
    double below = 1e9;  // apart for sure: all corners well above the ground beneath
    for (const Vec3d& v : block.data->vertices) {
      const Vec3d p = X * v;
      below = std::min(below, p.z - 0.3 * std::sin(3 * p.x) * std::cos(2 * p.y));
    }
    if (below < 0.12) continue;
    const double expected = distanceOf(*block.data, X, *hills.data);
    if (expected > 0.49) continue;
    const auto found = on.at(X, 0.5);
    ASSERT_FALSE(found.empty());
    EXPECT_NEAR(-deepest(found), expected, 1e-6) << i;
    ++seen;
  }
  EXPECT_GT(seen, 40);
}

TEST(HullOnTriangles, AClosedMeshOfABoxIsASolidBox) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> u(-1, 1);
  OnMesh on(boxMesh({2, 1.5, 1}), boxMesh({0.4, 0.3, 0.5}));
  Scene solids;
  solids.addGeom(BoxShape{{2, 1.5, 1}}, {.isStatic = true});
  const GeomId block = solids.addGeom(boxMesh({0.4, 0.3, 0.5}), {.owner = 0});
  int touching = 0;
  for (int i = 0; i < 6000; ++i) {
    const Transformd X =
        at(1.4 * u(random), 1.1 * u(random), 0.8 * u(random), {u(random), u(random), u(random)});
    solids.setPose(block, X);
    const auto expected = contacts(solids, 0.02);
    // Deeper ones need not agree: triangles are hollow.
    if (!expected.empty() && deepest(expected) > 0.001) continue;
    const auto found = on.at(X, 0.02);
    ASSERT_EQ(found.empty(), expected.empty()) << i;
    if (expected.empty()) continue;
    ++touching;
    if (deepest(expected) > 0) {  // every face is hollow and pushes by itself
      EXPECT_GT(deepest(found), deepest(expected) - 1e-6) << i;
      EXPECT_LT(deepest(found), 2 * deepest(expected) + 1e-6) << i;
      continue;
    }
    EXPECT_NEAR(deepest(found), deepest(expected), 1e-6) << i;
    for (const ContactPoint& p : found) {
      if (p.depth < deepest(found) - 1e-9) continue;
      double best = -1;
      for (const ContactPoint& q : expected) best = std::max(best, dot(p.normal, q.normal));
      EXPECT_GT(best, 1 - 1e-4) << i;
    }
  }
  EXPECT_GT(touching, 40);
}

TEST(HullOnTriangles, InAHollowEdgeBothFacesPush) {
  const MeshShape valley = floorMesh(2, 4, [](double x, double) { return std::abs(x); });
  OnMesh on(valley, boxMesh({1, 1, 1}));
  // On its edge along y, its two lower faces on the slopes.
  const double z = std::sqrt(0.5) - 0.001;
  const auto found = on.at(at(0, 0.2, z, {0, std::numbers::pi / 4, 0}));
  bool left = false, right = false;
  for (const ContactPoint& p : found) {
    const Vec3d n = p.b == on.body ? -p.normal : p.normal;
    EXPECT_NEAR(std::abs(n.x), std::sqrt(0.5), 1e-9);
    EXPECT_NEAR(n.z, std::sqrt(0.5), 1e-9);
    left |= n.x > 0;
    right |= n.x < 0;
  }
  EXPECT_TRUE(left && right);
}

TEST(HullOnTriangles, ASheetIsMetFromBothSides) {
  OnMesh on(floorMesh(6, 4), boxMesh({0.4, 0.4, 0.4}));
  for (const double side : {1.0, -1.0}) {
    const auto found = on.at(at(0.13, 0.21, side * 0.199));
    ASSERT_EQ(found.size(), 4u);
    for (const ContactPoint& p : found) {
      const Vec3d n = p.b == on.body ? -p.normal : p.normal;
      EXPECT_NEAR(n.z, side, 1e-12);
      EXPECT_NEAR(p.depth, 0.001, 1e-12);
    }
  }
}

TEST(HullOnTriangles, ACornerDeepInTheGroundIsPushedTheShortestWay) {
  OnMesh on(boxMesh({4, 4, 4}), boxMesh({0.4, 0.4, 0.4}));
  for (const double depth : {0.03, 0.1, 0.19}) {
    const auto found = on.at(at(0.3, 0.1, 2.2 - depth));
    ASSERT_FALSE(found.empty());
    EXPECT_NEAR(deepest(found), depth, 1e-9);
    for (const ContactPoint& p : found) EXPECT_NEAR(std::abs(p.normal.z), 1, 1e-12);
  }
}

TEST(TriangleTree, AgreesWithBruteForce) {
  using collision::Aabb;
  using collision::MeshTriangle;
  using collision::TriangleTree;
  const MeshShape hills =
      floorMesh(13, 4, [](double x, double y) { return std::sin(3 * x) * std::cos(2 * y); });
  const TriangleTree tree(*hills.data);
  EXPECT_EQ(tree.triangles().size(), hills.data->triangles.size());
  EXPECT_FALSE(tree.isClosed());
  EXPECT_TRUE(TriangleTree(*boxMesh({1, 2, 3}).data).isClosed());
  std::mt19937 random(4);
  std::uniform_real_distribution<double> u(-2, 2);
  for (int i = 0; i < 100; ++i) {
    const Vec3d p{u(random), u(random), u(random)}, r{0.3, 0.2, 0.4};
    const Aabb box{p - r, p + r};
    std::vector<int> found, expected;
    tree.visit(box, [&](const MeshTriangle& t) { found.push_back(t.id); });
    for (std::size_t k = 0; k < hills.data->triangles.size(); ++k) {
      Vec3d lo{1e9, 1e9, 1e9}, hi{-1e9, -1e9, -1e9};
      for (const int v : hills.data->triangles[k]) {
        const Vec3d& x = hills.data->vertices[v];
        lo = {std::min(lo.x, x.x), std::min(lo.y, x.y), std::min(lo.z, x.z)};
        hi = {std::max(hi.x, x.x), std::max(hi.y, x.y), std::max(hi.z, x.z)};
      }
      if (lo.x <= box.hi.x && box.lo.x <= hi.x && lo.y <= box.hi.y && box.lo.y <= hi.y &&
          lo.z <= box.hi.z && box.lo.z <= hi.z)
        expected.push_back(static_cast<int>(k));
    }
    for (const int k : expected)
      EXPECT_NE(std::find(found.begin(), found.end(), k), found.end()) << k;
  }
}

}  // namespace
}  // namespace espalier

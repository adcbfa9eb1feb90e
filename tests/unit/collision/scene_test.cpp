#include <stdexcept>

#include "scene_fixture.h"

namespace espalier {
namespace {

TEST(Scene, SphereOnPlane) {
  Scene scene;
  const GeomId ground = scene.addGeom(Plane{}, {.isStatic = true});
  const GeomId ball = scene.addGeom(SphereShape{0.5}, {.owner = 0});
  scene.setPose(ball, at(1, 2, 0.4));
  const auto c = contacts(scene);
  ASSERT_EQ(c.size(), 1u);
  EXPECT_EQ(c[0].a, ground);
  EXPECT_EQ(c[0].b, ball);
  EXPECT_DOUBLE_EQ(c[0].normal.z, -1);
  EXPECT_DOUBLE_EQ(c[0].depth, 0.1);
  EXPECT_DOUBLE_EQ(c[0].position.z, -0.1);  // on the sphere
}

TEST(Scene, BoxOnBox) {
  Scene scene;
  const GeomId lower = scene.addGeom(BoxShape{{1, 1, 1}}, {.owner = 0});
  const GeomId upper = scene.addGeom(BoxShape{{1, 1, 1}}, {.owner = 1});
  scene.setPose(upper, at(0.1, 0, 1.01));
  EXPECT_TRUE(contacts(scene, 0.005).empty());
  const auto c = contacts(scene, 0.02);
  ASSERT_EQ(c.size(), 4u);
  for (const ContactPoint& p : c) {
    EXPECT_EQ(p.a, lower);
    EXPECT_NEAR(p.depth, -0.01, 1e-14);
    EXPECT_NEAR(p.normal.z, -1, 1e-14);
    EXPECT_NEAR(p.position.z, 0.505, 1e-14);  // midway
  }
}

TEST(Scene, Filters) {
  const auto touches = [](GeomOptions x, GeomOptions y, auto rule) {
    Scene scene;
    scene.addGeom(SphereShape{1}, x);
    scene.addGeom(SphereShape{1}, y);
    scene.setPose(GeomId(1), at(1, 0, 0));
    rule(scene);
    return !contacts(scene).empty();
  };
  const auto nothing = [](Scene&) {};
  EXPECT_TRUE(touches({}, {}, nothing));
  EXPECT_TRUE(touches({.owner = 0}, {.owner = 1}, nothing));
  EXPECT_FALSE(touches({.owner = 3}, {.owner = 3}, nothing));
  EXPECT_FALSE(touches({.isStatic = true}, {.isStatic = true}, nothing));
  EXPECT_TRUE(touches({.isStatic = true}, {}, nothing));
  EXPECT_TRUE(touches({.group = 1, .mask = 2}, {.group = 2, .mask = 1}, nothing));
  EXPECT_FALSE(touches({.group = 1, .mask = 2}, {.group = 2, .mask = 2}, nothing));
  EXPECT_FALSE(touches({.group = 1, .mask = 1}, {.group = 2, .mask = 1}, nothing));
  EXPECT_FALSE(touches({.owner = 7}, {.owner = 4}, [](Scene& s) { s.ignorePair(4, 7); }));
  EXPECT_FALSE(touches({.owner = 7}, {.owner = 4}, [](Scene& s) { s.ignorePair(7, 4); }));
  EXPECT_FALSE(touches({}, {}, [](Scene& s) { s.ignore(GeomId(1), GeomId(0)); }));
}

TEST(Scene, MarginGrowsByWhatSurfacesMayApproach) {
  Scene scene;
  const GeomId a = scene.addGeom(SphereShape{1}), b = scene.addGeom(SphereShape{1});
  scene.setPose(b, at(2.05, 0, 0));
  EXPECT_TRUE(contacts(scene, 0.04).empty());
  scene.setMotion(a, {0.005, 0, 0}, 0);
  EXPECT_TRUE(contacts(scene, 0.04).empty());
  scene.setMotion(b, {-0.0051, 0, 0}, 0);
  const auto c = contacts(scene, 0.04);
  ASSERT_EQ(c.size(), 1u);
  EXPECT_NEAR(c[0].depth, -0.05, 1e-15);
  scene.setMotion(b, {0, 0, 0}, 0.0051);
  EXPECT_EQ(contacts(scene, 0.04).size(), 1u);
  scene.setMotion(a, {10, 20, 30}, 0.0051);  // together, whatever their speed
  scene.setMotion(b, {10, 20, 30}, 0.0048);
  EXPECT_TRUE(contacts(scene, 0.04).empty());
  scene.setMotion(b, {10, 20, 30}, 0.005);
  EXPECT_EQ(contacts(scene, 0.04).size(), 1u);
}

TEST(Scene, OverflowIsSaid) {
  Scene scene;
  scene.addGeom(Plane{}, {.isStatic = true});
  for (int i = 0; i < 5; ++i) scene.setPose(scene.addGeom(SphereShape{0.1}), at(i, 0, 0));
  ContactPoint out[5];
  bool overflow = false;
  EXPECT_EQ(scene.collide(0, out, 4, overflow), 4);
  EXPECT_TRUE(overflow);
  EXPECT_EQ(scene.collide(0, out, 5, overflow), 5);
  EXPECT_FALSE(overflow);
}

TEST(Scene, RefusesBadShapes) {
  Scene scene;
  EXPECT_THROW(scene.addGeom(SphereShape{0}), std::invalid_argument);
  EXPECT_THROW(scene.addGeom(BoxShape{{1, -1, 1}}), std::invalid_argument);
  EXPECT_THROW(scene.addGeom(CylinderShape{1, NAN}), std::invalid_argument);
  EXPECT_THROW(scene.addGeom(CapsuleShape{INFINITY, 1}), std::invalid_argument);
  EXPECT_THROW(scene.addGeom(MeshShape{"missing.obj", nullptr}), std::invalid_argument);
  EXPECT_THROW(scene.addGeom(Heightfield{}), std::invalid_argument);
  MeshShape wild = boxMesh({1, 1, 1});
  auto data = std::make_shared<TriangleMesh>(*wild.data);
  data->triangles.push_back({0, 1, 8});
  EXPECT_THROW(scene.addGeom(MeshShape{"wild.obj", data}), std::invalid_argument);
  EXPECT_EQ(scene.geomCount(), 0);
  EXPECT_THROW(scene.ignore(GeomId(0), GeomId(1)), std::invalid_argument);
}

TEST(Scene, ReportsPairsThatCannotCollide) {
  Scene scene;
  scene.addGeom(Plane{}, {.isStatic = true});
  scene.addGeom(terrain(2, 2, 1, 1, [](double, double) { return 0.0; }), {.owner = 0});
  MeshShape flat = boxMesh({1, 1, 1});
  auto data = std::make_shared<TriangleMesh>(*flat.data);
  for (Vec3d& v : data->vertices) v.z = 0;
  scene.addGeom(MeshShape{"flat.obj", data}, {.owner = 1});
  const Diagnostics& d = scene.build();
  EXPECT_EQ(d.count(Severity::Warning), 2) << d.toString();
  EXPECT_TRUE(contacts(scene, 1).empty());
}

TEST(Scene, GeomsMayBeAddedLater) {
  Scene scene;
  scene.addGeom(Plane{}, {.isStatic = true});
  EXPECT_TRUE(contacts(scene).empty());
  scene.addGeom(SphereShape{1});
  EXPECT_EQ(contacts(scene).size(), 1u);
}

TEST(Scene, ManyGeomsSweepToTheSameAnswerAsFew) {
  // 100 bodies in one scene, above the size at which the broad phase changes, against every pair
  // in a scene of its own.
  std::mt19937 random(5);
  std::uniform_real_distribution<double> u(0, 0.9);
  std::vector<Transformd> poses;
  for (int i = 0; i < 100; ++i) poses.push_back(at(u(random), u(random), u(random)));
  Scene scene;
  scene.addGeom(Plane{}, {.isStatic = true});
  for (int i = 0; i < 100; ++i) {
    scene.addGeom(i % 2 == 0 ? Shape(SphereShape{0.08}) : Shape(BoxShape{{0.12, 0.1, 0.14}}),
                  {.owner = i});
  }
  for (int pass = 0; pass < 3; ++pass) {  // with a sorted, a nearly sorted and a shuffled axis
    for (int i = 0; i < 100; ++i) {
      Transformd& X = poses[i];
      X.p = pass == 2 ? Vec3d{X.p.z, 0.9 - X.p.x, X.p.y} : X.p + Vec3d{0.01 * u(random), 0, 0};
      scene.setPose(GeomId(i + 1), X);
    }
    const auto all = contacts(scene, 0.01);
    std::size_t next = 0;
    while (next < all.size() && all[next].a.value == 0) ++next;  // the plane's
    int pairs = 0;
    for (int i = 0; i < 100; ++i) {
      for (int j = i + 1; j < 100; ++j) {
        Scene two;
        for (const int k : {i, j}) {
          two.setPose(two.addGeom(k % 2 == 0 ? Shape(SphereShape{0.08})
                                             : Shape(BoxShape{{0.12, 0.1, 0.14}})),
                      poses[k]);
        }
        for (const ContactPoint& p : contacts(two, 0.01)) {
          ASSERT_LT(next, all.size());
          EXPECT_EQ(all[next].a.value, i + 1);
          EXPECT_EQ(all[next].b.value, j + 1);
          EXPECT_EQ(all[next].depth, p.depth);
          EXPECT_EQ(all[next].feature, p.feature);
          ++next;
          ++pairs;
        }
      }
    }
    EXPECT_EQ(next, all.size());
    EXPECT_GT(pairs, 50);
  }
}

}  // namespace
}  // namespace espalier

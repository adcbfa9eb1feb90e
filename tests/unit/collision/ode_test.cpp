// A scene's geoms through ODE's own functions.

#include <ode/ode.h>

#include <cmath>

#include "scene_fixture.h"

namespace espalier {
namespace {

TEST(Ode, ResizedThroughOde) {
  Scene scene;
  const GeomId ground = scene.addGeom(Plane{}, {.isStatic = true});
  const GeomId ball = scene.addGeom(SphereShape{0.1}, {.owner = 0});
  const GeomId box = scene.addGeom(BoxShape{{0.2, 0.2, 0.2}}, {.owner = 1});
  const GeomId capsule = scene.addGeom(CapsuleShape{0.1, 0.2}, {.owner = 2});
  const GeomId cylinder = scene.addGeom(CylinderShape{0.1, 0.2}, {.owner = 3});
  for (int i = 1; i < 5; ++i) scene.setPose(GeomId(i), at(2 * i, 0, 0.5));
  EXPECT_TRUE(scene.syncFromOde().empty());
  EXPECT_TRUE(contacts(scene).empty());

  const dGeomID odeBall = scene.odeGeom(ball);
  EXPECT_EQ(scene.odeGeom(ball), odeBall);
  EXPECT_EQ(dGeomGetClass(odeBall), dSphereClass);
  EXPECT_DOUBLE_EQ(dGeomGetPosition(odeBall)[2], 0.5);
  dGeomSphereSetRadius(odeBall, 0.6);
  dGeomBoxSetLengths(scene.odeGeom(box), 0.2, 0.4, 1.1);
  dGeomCapsuleSetParams(scene.odeGeom(capsule), 0.3, 0.5);
  dGeomCylinderSetParams(scene.odeGeom(cylinder), 0.3, 1.2);
  EXPECT_TRUE(contacts(scene).empty());  // not yet
  const std::vector<GeomId> changed = scene.syncFromOde();
  EXPECT_EQ(changed, (std::vector<GeomId>{ball, box, capsule, cylinder}));
  EXPECT_TRUE(scene.syncFromOde().empty());
  EXPECT_DOUBLE_EQ(std::get<BoxShape>(scene.shape(box)).size.y, 0.4);
  EXPECT_DOUBLE_EQ(std::get<CapsuleShape>(scene.shape(capsule)).height, 0.5);

  const auto c = contacts(scene);
  ASSERT_EQ(c.size(), 1u + 4u + 1u + 4u);
  for (const ContactPoint& p : c) {
    EXPECT_EQ(p.a, ground);
    EXPECT_NEAR(p.depth,
                p.b == ball      ? 0.1
                : p.b == box     ? 0.05
                : p.b == capsule ? 0.05
                                 : 0.1,
                1e-14);
  }
}

TEST(Ode, PosesComeFromTheScene) {
  Scene scene;
  const GeomId ball = scene.addGeom(SphereShape{0.1});
  const dGeomID ode = scene.odeGeom(ball);
  scene.setPose(ball, at(1, 2, 3, {0, 0, 0.5}));
  EXPECT_TRUE(scene.syncFromOde().empty());
  EXPECT_DOUBLE_EQ(dGeomGetPosition(ode)[1], 2);
  EXPECT_DOUBLE_EQ(dGeomGetRotation(ode)[4], std::sin(0.5));
  dGeomSetPosition(ode, 9, 9, 9);
  EXPECT_THROW(scene.syncFromOde(), std::invalid_argument);
  EXPECT_DOUBLE_EQ(dGeomGetPosition(ode)[1], 2);
  EXPECT_TRUE(scene.syncFromOde().empty());
  const GeomId ground = scene.addGeom(Plane{}, {.isStatic = true});
  dGeomPlaneSetParams(scene.odeGeom(ground), 0, 0, 1, 5);
  EXPECT_THROW(scene.syncFromOde(), std::invalid_argument);
  EXPECT_TRUE(scene.syncFromOde().empty());
}

TEST(Ode, BitsAreGroupAndMask) {
  Scene scene;
  const GeomId ground = scene.addGeom(Plane{}, {.group = 4, .isStatic = true});
  const GeomId ball = scene.addGeom(SphereShape{0.1}, {.group = 2, .mask = 4});
  const dGeomID ode = scene.odeGeom(ball);
  EXPECT_EQ(dGeomGetCategoryBits(ode), 2u);
  EXPECT_EQ(dGeomGetCollideBits(ode), 4u);
  EXPECT_EQ(contacts(scene).size(), 1u);
  dGeomSetCollideBits(ode, 8);
  ASSERT_EQ(scene.syncFromOde().size(), 1u);
  EXPECT_TRUE(scene.syncFromOde().empty());
  EXPECT_TRUE(contacts(scene).empty());
  EXPECT_EQ(scene.mask(ball), 8u);
  scene.setFilter(ball, 1, ~std::uint64_t{0});
  EXPECT_EQ(dGeomGetCollideBits(ode), ~0ul);
  EXPECT_TRUE(scene.syncFromOde().empty());
  EXPECT_EQ(contacts(scene).size(), 1u);
  EXPECT_EQ(scene.group(ground), 4u);
}

TEST(Ode, ASetShapeIsThatOfTheTwin) {
  Scene scene;
  const GeomId ball = scene.addGeom(SphereShape{0.1});
  const dGeomID ode = scene.odeGeom(ball);
  scene.setShape(ball, SphereShape{0.3});
  EXPECT_EQ(dGeomSphereGetRadius(ode), 0.3);
  EXPECT_TRUE(scene.syncFromOde().empty());
  EXPECT_THROW(scene.setShape(ball, SphereShape{0}), std::invalid_argument);
  EXPECT_THROW(scene.setShape(ball, BoxShape{{1, 1, 1}}), std::invalid_argument);
  EXPECT_EQ(std::get<SphereShape>(scene.shape(ball)).radius, 0.3);
}

TEST(Ode, ImpossibleChangesAreUndone) {
  Scene scene;
  const GeomId ball = scene.addGeom(SphereShape{0.1});
  dGeomSphereSetRadius(scene.odeGeom(ball), 0);
  EXPECT_TRUE(scene.syncFromOde().empty());
  EXPECT_DOUBLE_EQ(dGeomSphereGetRadius(scene.odeGeom(ball)), 0.1);
}

TEST(Ode, SwitchedOffAndOn) {
  Scene scene;
  scene.addGeom(Plane{}, {.isStatic = true});
  const GeomId ball = scene.addGeom(SphereShape{0.1});
  dGeomDisable(scene.odeGeom(ball));
  EXPECT_EQ(scene.syncFromOde().size(), 1u);
  EXPECT_TRUE(contacts(scene).empty());
  scene.setEnabled(ball, true);
  EXPECT_TRUE(dGeomIsEnabled(scene.odeGeom(ball)));
  EXPECT_EQ(contacts(scene).size(), 1u);
}

TEST(Ode, AResizedPrimitiveStillMeetsAStaticMesh) {
  Scene scene;
  scene.addGeom(boxMesh({2, 2, 1}), {.isStatic = true});
  const GeomId ball = scene.addGeom(SphereShape{0.1});
  scene.setPose(ball, at(0.2, 0.3, 0.75));
  EXPECT_TRUE(contacts(scene, 0.01).empty());
  dGeomSphereSetRadius(scene.odeGeom(ball), 0.3);
  scene.syncFromOde();
  const auto c = contacts(scene, 0.01);
  ASSERT_EQ(c.size(), 1u);
  EXPECT_NEAR(c[0].depth, 0.05, 1e-6);
  EXPECT_DOUBLE_EQ(dGeomSphereGetRadius(scene.odeGeom(ball)), 0.3);  // no margin in sight
}

TEST(Ode, EveryTwinIsWhereRaysMeetTheGeom) {
  // ODE's ray against the twin and ours against the geom: heightfields and meshes included.
  const std::vector<std::pair<Shape, bool>> shapes = {
      {SphereShape{0.5}, false},
      {BoxShape{{0.5, 0.7, 0.9}}, false},
      {CylinderShape{0.4, 0.7}, false},
      {CapsuleShape{0.3, 0.5}, false},
      {Plane{}, true},
      {boxMesh({0.5, 0.7, 0.9}), false},
      {boxMesh({0.5, 0.7, 0.9}), true},
      {terrain(7, 5, 2, 1.5, [](double x, double y) { return 0.1 * x + 0.2 * x * y; }), true}};
  std::mt19937 random(4);
  std::uniform_real_distribution<double> u(-1, 1);
  for (const auto& [shape, isStatic] : shapes) {
    SCOPED_TRACE(shapeName(shape));
    Scene scene;
    const GeomId id = scene.addGeom(shape, {.isStatic = isStatic});
    const dGeomID ray = dCreateRay(nullptr, 10);
    dGeomRaySetClosestHit(ray, 1);
    const bool rough = std::holds_alternative<Heightfield>(shape);
    int met = 0;
    for (int trial = 0; trial < 40; ++trial) {
      const Transformd X = at(0.2 * u(random), 0.2 * u(random), 0.2 * u(random),
                              {0.3 * u(random), 0.3 * u(random), 3 * u(random)});
      scene.setPose(id, X);
      const Vec3d origin{u(random), u(random), 3};
      const Vec3d to{0.4 * u(random), 0.4 * u(random), 0};
      const Vec3d d = (to - origin) * (1 / norm(to - origin));
      dGeomRaySet(ray, origin.x, origin.y, origin.z, d.x, d.y, d.z);
      dContactGeom contact;
      const int n = dCollide(ray, scene.odeGeom(id), 1, &contact, sizeof contact);
      RayHit hit;
      const bool ours = scene.raycast(origin, d, 10, hit);
      EXPECT_EQ(ours, n > 0);
      if (!ours || n == 0) continue;
      ++met;
      // ODE splits the cells of a heightfield along the other diagonal.
      EXPECT_NEAR(hit.distance, contact.depth, rough ? 0.02 : 1e-5);
    }
    dGeomDestroy(ray);
    EXPECT_GT(met, 12);
  }
}

}  // namespace
}  // namespace espalier

// Once built, a query takes nothing from the heap, neither ours nor ODE's.

#include "scene_fixture.h"
#include "tests/support/counted_heap.h"

namespace espalier {
namespace {

TEST(Allocation, CollideTakesNothing) {
  Scene scene;
  scene.addGeom(Plane{}, {.isStatic = true});
  scene.addGeom(terrain(20, 20, 4, 4, [](double x, double y) { return 0.2 * x * y; }),
                {.isStatic = true});
  scene.addGeom(BoxShape{{10, 10, 0.1}}, {.isStatic = true});
  std::mt19937 random(2);
  std::uniform_real_distribution<double> u(-1, 1);
  const std::vector<Shape> shapes = {
      SphereShape{0.1},       BoxShape{{0.2, 0.2, 0.2}},        CylinderShape{0.1, 0.2},
      CapsuleShape{0.1, 0.2}, EllipsoidShape{{0.1, 0.2, 0.05}}, boxMesh({0.2, 0.2, 0.2})};
  for (int i = 0; i < 60; ++i) {
    scene.addGeom(shapes[static_cast<std::size_t>(i) % shapes.size()], {.owner = i});
  }
  scene.build();
  std::vector<ContactPoint> out(4096);
  for (int pass = 0; pass < 5; ++pass) {
    for (int i = 0; i < 60; ++i) {
      scene.setPose(GeomId(i + 3),
                    at(u(random), u(random), 0.3 * u(random), {u(random), u(random), u(random)}));
    }
    const long ours = allocations;
    const std::uint64_t odes = odeAllocations();
    bool overflow = true;
    const int n = scene.collide(0.01, out.data(), 4096, overflow);
    EXPECT_EQ(allocations, ours);
    EXPECT_EQ(odeAllocations(), odes);
    EXPECT_GT(n, 100);
    EXPECT_FALSE(overflow);
  }
}

TEST(Allocation, OdeIsCounted) {
  const std::uint64_t before = odeAllocations();
  Scene scene;
  scene.addGeom(boxMesh({1, 1, 1}), {.isStatic = true});
  EXPECT_GT(odeAllocations(), before);
}

}  // namespace
}  // namespace espalier

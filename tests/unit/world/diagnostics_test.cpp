// What a world cannot simulate as asked it says, instead of leaving it out in silence.

#include <gtest/gtest.h>

#include <memory>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

MeshShape tetrahedron() {
  auto data = std::make_shared<TriangleMesh>();
  data->vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  data->triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return {"tetrahedron", data};
}

SystemSpec floatingMesh() {
  LinkSpec link;
  link.name = "rock";
  link.inertial = InertialSpec{1, identityTransform<double>(), {0.1, 0, 0, 0.1, 0, 0.1}};
  link.collisions.push_back({.name = "", .shape = tetrahedron()});
  SystemSpec spec;
  spec.name = "rock";
  spec.links.push_back(link);
  return spec;
}

TEST(WorldDiagnostics, AMovableMeshOnAStaticMeshIsFine) {
  World world;
  world.addBody(fixedShape("terrain", tetrahedron()));
  world.addArticulatedSystem(floatingMesh());
  EXPECT_TRUE(world.diagnostics().all().empty()) << world.diagnostics().toString();
}

TEST(WorldDiagnostics, AMovableMeshOnThePlaneIsFine) {
  World world;
  world.addGround();
  world.addArticulatedSystem(floatingMesh());
  EXPECT_TRUE(world.diagnostics().all().empty()) << world.diagnostics().toString();
}

}  // namespace
}  // namespace espalier::testing

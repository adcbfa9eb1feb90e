// Equal robots are one Model, different ones are not, and nothing is kept that nobody holds.

#include "espalier/model/compile/compile_cache.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/support/random_spec.h"

namespace espalier::testing {
namespace {

TEST(CompileCache, EqualRobotsShareOneModel) {
  CompileCache cache;
  const SystemSpec spec = randomSpec(1);
  const auto first = cache.compile(spec).value();
  SystemSpec other = spec;
  other.file = "elsewhere.urdf";
  other.links[1].line = 77;
  other.X_WB.p = {1, 2, 3};
  EXPECT_EQ(cache.compile(other).value(), first);
  EXPECT_EQ(cache.size(), 1);
  EXPECT_TRUE(sameBits(compile(spec).value().lowered, first->lowered));
}

TEST(CompileCache, AFixedBaseStandsAtTheOriginUntilItIsPlaced) {
  CompileCache cache;
  SystemSpec spec = randomSpec(2, {.fixedBase = true});
  spec.X_WB.p = {1, 2, 3};
  EXPECT_EQ(norm(cache.compile(spec).value()->lowered.bodies[0].p), 0);
}

TEST(CompileCache, ABaseOfNoPoseIsRefusedKnownOrNot) {
  CompileCache cache;
  SystemSpec spec = randomSpec(2, {.fixedBase = true});
  const auto held = cache.compile(spec).value();
  spec.X_WB.R.r0.x = 2;
  EXPECT_FALSE(cache.compile(spec).hasValue());
  spec.X_WB.R.r0.x = 1;
  spec.X_WB.p.z = INFINITY;
  EXPECT_FALSE(cache.compile(spec).hasValue());
}

TEST(CompileCache, EveryAuthoredNumberCounts) {
  SystemSpec spec = randomSpec(4, {.links = 3, .welds = false});
  spec.transmissions.push_back({.name = "t", .type = "s", .joint = "joint1", .actuator = "m"});
  spec.joints[0].mimic = MimicSpec{"joint2", 2, 0};
  auto mesh = std::make_shared<TriangleMesh>();
  mesh->vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh->triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  spec.links[0].collisions.push_back({.name = "m", .shape = MeshShape{"m.stl", mesh}});
  const std::string content = contentOf(spec);
  const std::function<void(SystemSpec&)> edits[] = {
      [](SystemSpec& s) { s.name += "x"; },
      [](SystemSpec& s) { s.fixedBase = true; },
      [](SystemSpec& s) {
        s.jointOrder = {"joint2", "joint1"};
      },
      [](SystemSpec& s) { s.ignoredPairs.emplace_back("link0", "link2"); },
      [](SystemSpec& s) { s.selfCollides = false; },
      [](SystemSpec& s) { s.links[1].name += "x"; },
      [](SystemSpec& s) { s.links[1].inertial->mass *= 1 + 1e-15; },
      [](SystemSpec& s) { s.links[1].inertial->X_LC.p.z += 1e-9; },
      [](SystemSpec& s) { s.links[1].inertial->I.yz += 1e-9; },
      [](SystemSpec& s) { s.links[1].inertial.reset(); },
      [](SystemSpec& s) {
        s.links[1].collisions[0].shape = BoxShape{{1, 1, 1}};
      },
      [](SystemSpec& s) { s.links[1].collisions[0].material = "rubber"; },
      [](SystemSpec& s) { s.links[1].collisions[0].mask = 3; },
      [](SystemSpec& s) { s.links[1].collisions[0].X_LG.p.x += 1; },
      [](SystemSpec& s) { s.links[1].collisions.clear(); },
      [](SystemSpec& s) {
        auto moved = std::make_shared<TriangleMesh>(
            *std::get<MeshShape>(s.links[0].collisions[1].shape).data);
        moved->vertices[3].z = 2;
        s.links[0].collisions[1].shape = MeshShape{"m.stl", moved};
      },
      [](SystemSpec& s) {
        auto turned = std::make_shared<TriangleMesh>(
            *std::get<MeshShape>(s.links[0].collisions[1].shape).data);
        std::swap(turned->triangles[0], turned->triangles[1]);
        s.links[0].collisions[1].shape = MeshShape{"m.stl", turned};
      },
      [](SystemSpec& s) { std::get<MeshShape>(s.links[0].collisions[1].shape).isConvex = true; },
      [](SystemSpec& s) {
        std::get<MeshShape>(s.links[0].collisions[1].shape).maxHullVertices = 32;
      },
      [](SystemSpec& s) { s.joints[1].kind = JointKind::Fixed; },
      [](SystemSpec& s) {
        s.joints[1].parent = "link1";
        s.joints[1].child = "link0";
      },
      [](SystemSpec& s) { s.joints[1].X_PJ.p.y += 1; },
      [](SystemSpec& s) { s.joints[1].axes[2].x += 1; },
      [](SystemSpec& s) { s.joints[1].pitch += 1; },
      [](SystemSpec& s) { s.joints[1].limits.upper = 1; },
      [](SystemSpec& s) { s.joints[1].limits.velocity = 1; },
      [](SystemSpec& s) { s.joints[1].dynamics.damping = 1; },
      [](SystemSpec& s) { s.joints[1].dynamics.springMount = {0.5}; },
      [](SystemSpec& s) { s.joints[1].dynamics.rotorInertia += 1; },
      [](SystemSpec& s) { s.joints[0].mimic->offset = 1; },
      [](SystemSpec& s) { s.transmissions[0].reduction = 2; },
  };
  int number = 0;
  for (const auto& edit : edits) {
    SystemSpec edited = spec;
    edit(edited);
    EXPECT_NE(contentOf(edited), content) << "edit " << number;
    ++number;
  }
  // The same triangles in another place in memory are the same.
  SystemSpec copied = spec;
  copied.links[0].collisions[1].shape = MeshShape{"m.stl", std::make_shared<TriangleMesh>(*mesh)};
  EXPECT_EQ(contentOf(copied), content);
}

TEST(CompileCache, TextCannotBeReadTwoWays) {
  SystemSpec a, b;
  a.ignoredPairs = {{"ab", "c"}};
  b.ignoredPairs = {{"a", "bc"}};
  EXPECT_NE(contentOf(a), contentOf(b));
}

TEST(CompileCache, DropsModelsWithoutOwners) {
  CompileCache cache;
  std::weak_ptr<const Model> seen;
  {
    const auto model = cache.compile(randomSpec(1)).value();
    seen = model;
  }
  EXPECT_TRUE(seen.expired());
  EXPECT_EQ(cache.size(), 0);
  EXPECT_TRUE(cache.compile(randomSpec(1)).hasValue());
}

TEST(CompileCache, RemarksComeEveryTime) {
  CompileCache cache;
  SystemSpec spec = randomSpec(6, {.links = 3, .welds = false, .kinds = {JointKind::Revolute}});
  spec.joints[0].dynamics.friction = 1;  // to have something to remark upon
  spec.ignoredPairs.emplace_back("link0", "nobody");
  const auto first = cache.compile(spec), second = cache.compile(spec);
  EXPECT_FALSE(first.diagnostics().all().empty());
  EXPECT_EQ(first.diagnostics().toString(), second.diagnostics().toString());
  spec.links[0].inertial->mass = -1;
  EXPECT_FALSE(cache.compile(spec).hasValue());
  EXPECT_TRUE(cache.compile(spec).diagnostics().hasErrors());
}

}  // namespace
}  // namespace espalier::testing

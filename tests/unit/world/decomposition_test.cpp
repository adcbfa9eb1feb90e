// What a mesh that has been taken apart into hulls does in a world.

#include <gtest/gtest.h>

#include <filesystem>

#include "espalier/io/mesh/decomposition.h"
#include "tests/support/u_profile.h"
#include "tests/support/world_scenes.h"
#include "tests/unit/io/folder.h"

namespace espalier::testing {
namespace {

constexpr const char* scene =
    R"(<raisim><objects><ground name="g"/>
    <mesh name="u" mass="5" file_name="[THIS_DIR]/u.obj"><state pos="0 0 0.001"/></mesh>
    <sphere name="ball" mass="0.2"><dim radius="0.08"/><state pos="0.05 0 0.6"/></sphere>
    </objects></raisim>)";

TEST(Decomposition, ABallFallsIntoAU) {
  const TestFolder folder;
  const std::string mesh = folder.write("u.obj", toObj(uProfile()));
  const std::string file = folder.write("scene.xml", scene);
  const auto ballRestsAt = [&] {
    World world(file);
    for (int i = 0; i < 2000; ++i) EXPECT_EQ(world.integrate().flags, 0u);
    return static_cast<SingleBodyObject*>(world.getObject("ball"))->getPosition().z();
  };
  EXPECT_NEAR(ballRestsAt(), 0.4 + 0.08, 1e-3) << "on the hull";
  ASSERT_TRUE(io::writeDecomposition(mesh, uHulls(), "by hand").all().empty());
  EXPECT_NEAR(ballRestsAt(), 0.1 + 0.08, 1e-3) << "on the bottom";
}

}  // namespace
}  // namespace espalier::testing

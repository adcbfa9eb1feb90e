// Where a MuJoCo model with closed loops starts.

#include <gtest/gtest.h>

#include <numbers>

#include "espalier/io/world_xml.h"
#include "espalier/model/model.h"

namespace espalier::io {
namespace {

constexpr double degree = std::numbers::pi / 180;

/// A joint, a link half a metre long along x.
std::string bar(const std::string& name, const std::string& inside, double ref, double angle) {
  return "<body name=\"" + name + "\" pos=\"0.5 0 0\" euler=\"0 " + std::to_string(angle) +
         " 0\"><joint name=\"j_" + name + "\" axis=\"0 1 0\" ref=\"" + std::to_string(ref) +
         "\"/><geom type=\"capsule\" size=\"0.02\" fromto=\"0 0 0 0.5 0 0\" mass=\"1\"/>" + inside +
         "</body>";
}

TEST(MjcfStart, OfALinkageHasTheIndependentCoordinatesOnly) {
  // A rhombus of 0.5 m: bars a, b, c in a row, the tip of c pinned back to the ground.
  const std::string text =
      "<mujoco><worldbody>" + bar("a", bar("b", bar("c", "", 120, 120), 60, 60), -30, -30) +
      "</worldbody><equality><connect body1=\"c\" anchor=\"0.5 0 0\"/></equality></mujoco>";
  const Expected<WorldSpec> world = loadWorld(text);
  ASSERT_TRUE(world) << world.diagnostics().toString();
  ASSERT_EQ(world->systems.size(), 1u);
  const PlacedSystemSpec& placed = world->systems[0];
  const Expected<Model> model = compile(placed.system);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  ASSERT_LT(model->publicNq, model->nq());
  ASSERT_EQ(placed.q.size(), static_cast<std::size_t>(model->publicNq));
  const double refs[] = {-30 * degree, 60 * degree, 120 * degree};
  for (int b = 1; b < model->nb(); ++b)
    if (const int at = model->publicCoordinate[model->topology.bodies[b].q]; at >= 0)
      EXPECT_NEAR(placed.q[static_cast<std::size_t>(at)], refs[model->bodies[b].specJoint], 1e-12);
}

}  // namespace
}  // namespace espalier::io

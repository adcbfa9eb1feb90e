#include "espalier/model/change_points.h"

#include <gtest/gtest.h>

#include "tests/support/four_bar.h"

namespace espalier::testing {
namespace {

std::optional<double> excessOf(const FourBarOptions& sides, std::string* said = nullptr) {
  const Expected<Model> model = compile(fourBar(sides));
  EXPECT_TRUE(model) << model.diagnostics().toString();
  if (said) *said = model.diagnostics().toString();
  const Mechanism& m = *model->mechanism;
  return changePointExcess(*model, m.closures[0], m.assembled.data());
}

TEST(ChangePoints, TheSumsOfSidesDecide) {
  EXPECT_NEAR(*excessOf({}), 0.4 / 3.2, 1e-12);  // 0.4 + 1.0 against 1.0 + 0.8
  EXPECT_NEAR(*excessOf({.kind = LoopKind::POINT}), 0.4 / 3.2, 1e-12);
  EXPECT_NEAR(*excessOf({.floats = true}), 0.4 / 3.2, 1e-12);
}

TEST(ChangePoints, AreSaidWithARemedy) {
  const FourBarOptions forked[] = {
      {.crank = 1, .coupler = 2, .rocker = 1, .ground = 2},         // a parallelogram
      {.crank = 1, .coupler = 2, .rocker = 1 + 1e-6, .ground = 2},  // all but one
      {.crank = 1, .coupler = 2.5, .rocker = 2, .ground = 1.5}};
  for (const FourBarOptions& sides : forked) {
    std::string said;
    EXPECT_LT(*excessOf(sides, &said), 1e-6);
    EXPECT_NE(said.find("loop 'pin' closes a four-bar with a change point"), std::string::npos)
        << said;
    EXPECT_NE(said.find("give it a limit"), std::string::npos);
  }
  std::string said;
  excessOf({}, &said);
  EXPECT_EQ(said.find("change point"), std::string::npos) << said;
}

TEST(ChangePoints, OtherLoopsHaveNoSides) {
  SystemSpec spec = fourBar({});
  spec.joints[1].kind = JointKind::Spherical;
  spec.loops[0].kind = LoopKind::POINT;
  const Expected<Model> model = compile(spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  const Mechanism& m = *model->mechanism;
  EXPECT_FALSE(changePointExcess(*model, m.closures[0], m.assembled.data()));
}

}  // namespace
}  // namespace espalier::testing

#include "espalier/model/loops/change_points.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/four_bar.h"

namespace espalier::testing {
namespace {

std::optional<double> excessOf(const FourBarOptions& sides, std::string* said = nullptr) {
  const Expected<Model> model = compile(fourBar(sides));
  EXPECT_TRUE(model) << model.diagnostics().toString();
  if (said) *said = model.diagnostics().toString();
  const Mechanism& m = model->mechanism;
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
  const Mechanism& m = model->mechanism;
  EXPECT_FALSE(changePointExcess(*model, m.closures[0], m.assembled.data()));
}

/// A flat parallelogram goes on as one, or crossed: with the crank at a, the rocker at a or at
/// -2 atan(3 tan(a / 2)), its sides being 1 and 2.
TEST(ChangePoints, AreLeftAlongOneOfTheTwoWays) {
  SystemSpec spec = fourBar({.crank = 1, .coupler = 2, .rocker = 1, .ground = 2});
  for (const bool isLimited : {false, true}) {
    if (isLimited) spec.joints[0].limits = {-1, 0.01};  // forwards is closed
    const Expected<Model> model = compile(spec);
    ASSERT_TRUE(model) << model.diagnostics().toString();
    std::vector<double> q(3, 0.0), again = q;
    EXPECT_TRUE(isAtChangePoint(*model, q.data()));
    const std::vector<JointShift> shifts = leaveChangePoints(*model, q);
    ASSERT_EQ(shifts.size(), 3u);
    EXPECT_NEAR(q[0], isLimited ? -0.02 : 0.02, 1e-15);
    EXPECT_FALSE(isAtChangePoint(*model, q.data()));
    const double crossed = -2 * std::atan(3 * std::tan(q[0] / 2));
    EXPECT_LT(std::min(std::abs(q[2] - q[0]), std::abs(q[2] - crossed)), 1e-9);
    for (const JointShift& shift : shifts)
      EXPECT_EQ(shift.by, q[model->topology.bodies[shift.body].q]);
    leaveChangePoints(*model, again);
    EXPECT_EQ(q, again) << "every time the same";
    EXPECT_TRUE(leaveChangePoints(*model, again).empty());
    EXPECT_EQ(q, again);
  }
}

TEST(ChangePoints, ALinkageWithoutOneIsNotMoved) {
  const Expected<Model> model = compile(fourBar({}));
  ASSERT_TRUE(model);
  std::vector<double> q = model->mechanism.assembled;
  EXPECT_FALSE(isAtChangePoint(*model, q.data()));
  EXPECT_TRUE(leaveChangePoints(*model, q).empty());
  EXPECT_EQ(q, model->mechanism.assembled);
}

}  // namespace
}  // namespace espalier::testing

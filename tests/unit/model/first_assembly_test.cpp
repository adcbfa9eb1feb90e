// Where mechanisms begin that are drawn outside their limits, and what is said of one that binds.

#include "espalier/model/first_assembly.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/four_bar.h"

namespace espalier::testing {
namespace {

/// Drawn stretched out: at its change point.
SystemSpec parallelogram() {
  return fourBar({.kind = LoopKind::POINT, .crank = 0.5, .coupler = 1, .rocker = 0.5, .ground = 1});
}

TEST(FirstAssembly, WithoutLimitsItIsAsDrawn) {
  const Expected<Model> model = compile(parallelogram());
  ASSERT_TRUE(model) << model.diagnostics().toString();
  for (const double q : model->mechanism->assembled) EXPECT_NEAR(q, 0, 1e-12);
}

TEST(FirstAssembly, LimitsLeadAwayFromTheChangePoint) {
  SystemSpec spec = parallelogram();
  for (const int j : {0, 2}) {
    spec.joints[j].limits.lower = -2.4;
    spec.joints[j].limits.upper = -0.6;
  }
  const Expected<Model> model = compile(spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  const std::vector<double>& q = model->mechanism->assembled;
  EXPECT_LE(q[0], -0.6);
  EXPECT_GE(q[0], -1);            // near where it was drawn
  EXPECT_NEAR(q[2], q[0], 1e-9);  // as a parallelogram, not crossed
  EXPECT_NEAR(q[1], -q[0], 1e-9);
}

TEST(FirstAssembly, LimitsThatNothingReachesAreLeftAlone) {
  SystemSpec spec = parallelogram();
  spec.joints[0].limits = {-2.4, -0.6};
  spec.joints[2].limits = {0.6, 2.4};
  spec.joints[1].limits = {-0.1, 0.1};
  const Expected<Model> model = compile(spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  for (const double q : model->mechanism->assembled) EXPECT_NEAR(q, 0, 1e-12);
}

TEST(FirstAssembly, AnAxisThatIsOffTheOthersIsNamed) {
  SystemSpec spec = parallelogram();
  spec.joints[1].axes[0] = {std::sin(0.1), 0, std::cos(0.1)};
  spec.loops[0].X_PA.p.z = 0.02;
  spec.loops[0].X_SB.p.z = 0.02;
  const Expected<Model> model = compile(spec);
  ASSERT_FALSE(model);
  const std::string said = model.diagnostics().toString();
  EXPECT_NE(said.find("3 independent equations for 3 dofs: joint 'b' turns 5.7 degrees off"),
            std::string::npos)
      << said;
}

}  // namespace
}  // namespace espalier::testing

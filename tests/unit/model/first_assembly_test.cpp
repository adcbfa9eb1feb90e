// Where mechanisms begin that are drawn outside their limits, and what is said of one that binds.

#include "espalier/model/loops/first_assembly.h"

#include <gtest/gtest.h>

#include <algorithm>
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
  for (const double q : model->mechanism.assembled) EXPECT_NEAR(q, 0, 1e-12);
}

TEST(FirstAssembly, LimitsLeadAwayFromTheChangePoint) {
  SystemSpec spec = parallelogram();
  for (const int j : {0, 2}) {
    spec.joints[j].limits.lower = -2.4;
    spec.joints[j].limits.upper = -0.6;
  }
  const Expected<Model> model = compile(spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  const std::vector<double>& q = model->mechanism.assembled;
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
  for (const double q : model->mechanism.assembled) EXPECT_NEAR(q, 0, 1e-12);
}

/// A crank-rocker drawn with its crank along the ground has two branches: its neutral pose closes with
/// the rocker up, the limits of the rocker want it down.
TEST(FirstAssembly, AnotherBranchIsFoundWithinTheLimits) {
  SystemSpec spec = fourBar({.kind = LoopKind::POINT});
  const Expected<Model> free = compile(spec);
  ASSERT_TRUE(free);
  const double drawn = free->mechanism.assembled[2];
  spec.joints[2].limits = drawn > 0 ? JointLimits{-3, -0.2} : JointLimits{0.2, 3};
  spec.joints[1].limits = {-1.8, 1.8};
  const Expected<Model> model = compile(spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  const std::vector<double>& q = model->mechanism.assembled;
  EXPECT_LE(q[2], spec.joints[2].limits.upper);
  EXPECT_GE(q[2], spec.joints[2].limits.lower);
  EXPECT_LE(std::abs(q[1]), 1.8);
  EXPECT_TRUE(outsideLimits(*model, {{1, 2, 3}}, q).empty());
  EXPECT_EQ(model.diagnostics().toString().find("within the limits"), std::string::npos)
      << model.diagnostics().toString();
}

TEST(FirstAssembly, LimitsThatAreNotKeptAreTold) {
  SystemSpec spec = fourBar({.kind = LoopKind::POINT});
  spec.joints[2].limits = {-0.1, 0.1};  // its end would be 1.8 from the crank, out of reach
  spec.joints[2].line = 23;
  const Expected<Model> model = compile(spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  const auto& said = model.diagnostics().all();
  const auto found = std::find_if(said.begin(), said.end(), [](const Diagnostic& d) {
    return d.what.find("within the limits of all joints: they are assembled with 'c' at ") !=
           std::string::npos;
  });
  ASSERT_NE(found, said.end()) << model.diagnostics().toString();
  EXPECT_EQ(found->severity, Severity::Warning);
  EXPECT_EQ(found->line, 23);
  EXPECT_EQ(outsideLimits(*model, {{1, 2, 3}}, model->mechanism.assembled), (std::vector<int>{3}));
}

TEST(FirstAssembly, AnAxisThatIsOffTheOthersIsNamed) {
  SystemSpec spec = parallelogram();
  spec.joints[1].axes[0] = {std::sin(0.1), 0, std::cos(0.1)};
  spec.loops[0].X_PA.p.z = 0.02;
  spec.loops[0].X_SB.p.z = 0.02;
  SystemSpec straight = parallelogram();
  const Expected<Model> tree = compile(straight);
  ASSERT_TRUE(tree);
  EXPECT_EQ(askewAxis(*tree, {0, 1, 2}, tree->mechanism.assembled).dof, -1);
  const Expected<Model> model = compile(spec);
  ASSERT_FALSE(model);
  const std::string said = model.diagnostics().toString();
  EXPECT_NE(said.find("3 independent equations for 3 dofs: joint 'b' turns 5.7 degrees off"),
            std::string::npos)
      << said;
}

}  // namespace
}  // namespace espalier::testing

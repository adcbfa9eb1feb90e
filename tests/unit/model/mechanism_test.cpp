// What compile() makes of loops, and what it says of those that cannot be.

#include "espalier/model/loops/mechanism.h"

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/model/loops/assembly.h"
#include "espalier/model/loops/clusters.h"
#include "espalier/model/loops/elimination.h"
#include "espalier/model/loops/loop_plan.h"
#include "espalier/model/model.h"
#include "tests/support/four_bar.h"

namespace espalier::testing {
namespace {

void expectRefused(const SystemSpec& spec, const std::string& what) {
  const Expected<Model> model = compile(spec);
  ASSERT_FALSE(model);
  const std::string said = model.diagnostics().toString();
  EXPECT_NE(said.find(what), std::string::npos) << said;
  for (const Diagnostic& d : model.diagnostics().all()) {
    EXPECT_FALSE(d.remedy.empty());
    EXPECT_EQ(d.line, 17) << d.what;
  }
}

SystemSpec withLine(SystemSpec spec) {
  for (LoopSpec& loop : spec.loops) loop.line = 17;
  return spec;
}

TEST(Mechanism, AHingeThatClosesAPlanarLinkageSaysTwoThings) {
  const Expected<Model> model = compile(fourBar({}));
  ASSERT_TRUE(model) << model.diagnostics().toString();
  const Mechanism& m = model->mechanism;
  ASSERT_EQ(m.clusters.size(), 1u);
  const Cluster& c = m.clusters[0];
  EXPECT_EQ(c.bodies, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(c.carrier, 0);
  EXPECT_EQ(c.rows.size(), 2u);
  EXPECT_EQ(c.dropped, 3);
  EXPECT_EQ(c.plan.independent, (std::vector<int>{0}));
  EXPECT_EQ(m.dofOfY, (std::vector<int>{0}));
  EXPECT_EQ(model->publicNv, 1);
  EXPECT_EQ(model->publicDof, (std::vector<int>{0, -1, -1}));
  const LoopEquations now =
      loopsOf(model->topology, model->lowered, m).equations(m.assembled.data());
  EXPECT_LT(now.largest(), 1e-11);
  EXPECT_FALSE(now.hasFlipped);
}

TEST(Mechanism, WithAFloatingBaseItsSixComeFirst) {
  const Expected<Model> model = compile(fourBar({.floats = true}));
  ASSERT_TRUE(model);
  const Mechanism& m = model->mechanism;
  EXPECT_EQ(m.dofOfY, (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(m.reduced.dofParent, (std::vector<int>{-1, 0, 1, 2, 3, 4, 5}));
  for (int body = 1; body < 4; ++body) {
    const int begin = m.firstColumn[body], end = m.firstColumn[body + 1];
    EXPECT_EQ(std::vector<int>(m.columnY.begin() + begin, m.columnY.begin() + end), m.dofOfY);
  }
}

TEST(Mechanism, TheGroundIsTheBaseWhereThatIsFixed) {
  SystemSpec spec = fourBar({});
  spec.joints[2].parent = "coupler";
  spec.joints[2].X_PJ.p = {1.0, 0, 0};
  spec.loops[0].predecessor = "world";
  const Expected<Model> model = compile(spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  EXPECT_EQ(model->mechanism.closures[0].a, 0);
}

TEST(Mechanism, ALoopThatCannotCloseIsRefusedWithItsResidual) {
  expectRefused(withLine(fourBar({.crank = 0.1, .coupler = 0.2, .rocker = 0.3, .ground = 2})),
                "loop 'pin' cannot be closed: 1.4 is left of it");
}

TEST(Mechanism, FlagsThatDoNotDetermineTheRestAreRefusedWithTheRank) {
  SystemSpec both = withLine(fourBar({}));
  both.joints[1].independent = true;
  expectRefused(both, "leave 1 dofs of 3 (rank 2), 2 are flagged independent");
  SystemSpec none = withLine(fourBar({}));
  for (JointSpec& joint : none.joints) joint.independent = false;
  expectRefused(none, "0 are flagged independent");
}

TEST(Mechanism, ALoopThatLeavesNothingToMoveIsRefused) {
  expectRefused(withLine(fourBar({.kind = LoopKind::FIXED, .rocker = 0.3})),
                "leave nothing to move: 3 independent equations for 3 dofs");
}

// ---- its parts

TEST(Clusters, WaysThatShareABodyAreOne) {
  // 0 <- 1 <- 2, 0 <- 3, 3 <- 4, 3 <- 5
  const auto hinge = [](int parent) { return BodyTopology{parent, JointKind::Revolute}; };
  const Topology t =
      makeTopology({{.kind = JointKind::Fixed}, hinge(0), hinge(1), hinge(0), hinge(3), hinge(3)});
  const LoopPath path = pathBetween(t, 2, 4);
  EXPECT_EQ(path.first, (std::vector<int>{1, 2}));
  EXPECT_EQ(path.second, (std::vector<int>{3, 4}));
  EXPECT_EQ(pathBetween(t, 0, 2).second, (std::vector<int>{1, 2}));
  EXPECT_EQ(pathBetween(t, 4, 5).first, (std::vector<int>{4}));
  const std::vector<std::vector<int>> apart = {{1, 2}, {4, 5}};
  EXPECT_EQ(findClusters(t, {{1, 2}, {4, 5}}), apart);
  const std::vector<std::vector<int>> one = {{1, 2, 3, 4, 5}};
  EXPECT_EQ(findClusters(t, {{1, 2, 3}, {4, 5}, {3, 4}}), one);
}

LoopRow row(std::vector<int> columns) {
  LoopRow r;
  r.columns = std::move(columns);
  return r;
}

TEST(LoopPlan, BlocksDependOnEarlierOnesOnly) {
  // Dofs 1 and 2 follow from 0 together, 3 from 2; 0 leads.
  const LoopPlan plan = makePlan({row({2, 3}), row({0, 1, 2}), row({1, 2})}, 4, {1, 2, 3});
  EXPECT_EQ(plan.independent, (std::vector<int>{0}));
  ASSERT_EQ(plan.blocks.size(), 2u);
  EXPECT_EQ(plan.blocks[0].size, 2);
  EXPECT_EQ(plan.blocks[1].size, 1);
  EXPECT_EQ(plan.rows.back(), 0);
  EXPECT_EQ(plan.dependent.back(), 3);
}

TEST(LoopPlan, WithoutAMatchingAllIsOneBlock) {
  const LoopPlan plan = makePlan({row({1}), row({1})}, 3, {1, 2});
  ASSERT_EQ(plan.blocks.size(), 1u);
  EXPECT_EQ(plan.blocks[0].size, 2);
}

TEST(Elimination, FindsTheRankAndPrefersGivenColumns) {
  const std::vector<double> a = {1, 2, 3, 2, 4, 6, 1, 0, 1};  // the second row twice the first
  EXPECT_EQ(choosePivots(a, 3, 3, {}, 1e-12).rank(), 2);
  const Pivots p = choosePivots(a, 3, 3, {100, 1, 1}, 1e-12);
  EXPECT_EQ(p.columns[0], 0);
}

TEST(Elimination, TheDampedSolutionIsTheLeastOne) {
  const std::vector<double> x = dampedSolve({1, 2}, 1, 2, {5}, 1e-14);
  EXPECT_NEAR(x[0], 1, 1e-12);
  EXPECT_NEAR(x[1], 2, 1e-12);
}

TEST(Elimination, TheLargestSolution) {
  EXPECT_NEAR(largestSolution({0, 2, 1, 1}, {4, 3}, 2, 1), 2, 1e-15);
  EXPECT_TRUE(std::isinf(largestSolution({1, 1, 1, 1}, {4, 3}, 2, 1)));
}

}  // namespace
}  // namespace espalier::testing

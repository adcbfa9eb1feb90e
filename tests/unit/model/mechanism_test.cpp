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

SystemSpec heldBase(LoopKind kind) {
  SystemSpec spec;
  spec.name = "held";
  spec.X_WB.p = {0, 0, 1};
  for (const char* name : {"base", "arm"}) {
    LinkSpec& link = spec.links.emplace_back();
    link.name = name;
    link.inertial = InertialSpec{1, identityTransform<double>(), {1, 0, 0, 1, 0, 1}};
  }
  JointSpec& hinge = spec.joints.emplace_back();
  hinge.name = "hinge";
  hinge.parent = "base";
  hinge.child = "arm";
  hinge.kind = JointKind::Revolute;
  hinge.axes[0] = {0, 1, 0};
  hinge.X_PJ.p = {0, 0, 0.3};
  LoopSpec& loop = spec.loops.emplace_back();
  loop.name = "hold";
  loop.kind = kind;
  loop.predecessor = "world";
  loop.successor = "base";
  loop.X_PA.p = {0.1, 0, 2};
  return spec;
}

TEST(Mechanism, AFloatingBaseThatLoopsWeldToTheWorldIsFixedThere) {
  SystemSpec fixed = heldBase(LoopKind::FIXED), pinned = heldBase(LoopKind::POINT);
  for (const Vec3d side : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}}) {
    LoopSpec& pin = pinned.loops.emplace_back(pinned.loops[0]);
    pin.name += std::to_string(pinned.loops.size());
    pin.X_PA.p += side;
    pin.X_SB.p += side;
  }
  for (SystemSpec* spec : {&fixed, &pinned}) {
    LoopSpec& rows = spec->loops.emplace_back(spec->loops[0]);
    rows.name = "rows";
    rows.kind = LoopKind::POINT;
    rows.isBilateral = true;
    rows.successor = "arm";
    rows.X_PA.p = {0.1, 0, 2.8};
    rows.X_SB.p = {0, 0, 0.5};
    const Expected<Model> model = compile(*spec);
    const std::string said = model.diagnostics().toString();
    ASSERT_TRUE(model) << said;
    EXPECT_NE(said.find("leave nothing to move: 6 independent equations for 6 dofs"),
              std::string::npos)
        << said;
    EXPECT_FALSE(model->topology.floating);
    EXPECT_EQ(model->nv(), 1);
    EXPECT_EQ(model->bodies[0].name, "base");
    EXPECT_LT(norm(model->authored.bodies[0].X_PJ.p - Vec3d{0.1, 0, 2}), 1e-11);
    ASSERT_EQ(model->bilateral.closures.size(), 1u);  // still to the world's own frame
    EXPECT_NEAR(model->bilateral.assembled.at(0), 0, 1e-11);
  }
}

TEST(Mechanism, AFloatingBaseThatLoopsTieIsAssembledFromWhereItIsPlaced) {
  SystemSpec spec = heldBase(LoopKind::POINT);
  spec.X_WB.p = {0.4, -0.3, 2};
  spec.loops[0].X_SB.p = {-0.3, 0.3, 0};  // closed there
  const Expected<Model> model = compile(spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  EXPECT_EQ(model->mechanism.assembled, (std::vector<double>{0.4, -0.3, 2, 1, 0, 0, 0, 0}));
}

/// Drawn flat, where its cranks can turn at once: close to there rows that imply one another are
/// independent by rounding.
TEST(Mechanism, ThreeParallelCranksDrawnFlatAreNotWelded) {
  SystemSpec spec;
  spec.name = "three cranks";
  const auto link = [&](const char* name) {
    spec.links.emplace_back().name = name;
    spec.links.back().inertial = InertialSpec{1, identityTransform<double>(), {1, 0, 0, 1, 0, 1}};
  };
  const auto hinge = [&](const char* name, const char* parent, const char* child, double x) {
    JointSpec& joint = spec.joints.emplace_back();
    joint.name = name;
    joint.parent = parent;
    joint.child = child;
    joint.kind = JointKind::Revolute;
    joint.axes[0] = {0, 1, 0};
    joint.X_PJ.p = {x, 0, 0};
  };
  for (const char* name : {"world", "c1", "c2", "coupler", "c3"}) link(name);
  hinge("j1", "world", "c1", 0);
  hinge("j2", "world", "c2", 0.4);
  hinge("j3", "c1", "coupler", 0.2);
  hinge("j4", "world", "c3", 0.2);
  for (const auto& [crank, x] : {std::pair{"c2", 0.4}, std::pair{"c3", 0.2}}) {
    LoopSpec& loop = spec.loops.emplace_back();
    loop.name = std::string("to ") + crank;
    loop.kind = LoopKind::REVOLUTE;
    loop.axis = {0, 1, 0};
    loop.predecessor = "coupler";
    loop.successor = crank;
    loop.X_PA.p = {x, 0, 0};
    loop.X_SB.p = {0.2, 0, 0};
  }
  const Expected<Model> model = compile(spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  EXPECT_EQ(model->nv(), 4);
  EXPECT_EQ(model->publicNv, 1);
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

TEST(Elimination, PivotsOfAPatternLeaveNoFillInWhereNoneIsNeeded) {
  constexpr int n = 6;  // an arrow: its first row and column, and the diagonal
  std::vector<double> a(n * n);
  std::vector<char> isFilled(n * n);
  for (int i = 0; i < n; ++i)
    for (const int place : {i, n * i, n * i + i}) {
      a[place] = place % (n + 1) == 0 ? 1.5 : 1.6;
      isFilled[place] = 1;
    }
  EXPECT_EQ(choosePivots(a, n, n, {}, 0).rows[0], 0) << "the largest would fill all";
  const Pivots p = choosePivotsOfPattern(a, isFilled, n);
  ASSERT_EQ(p.rank(), n);
  for (int k = 0; k < n - 2; ++k) {  // of the last two either may come first
    EXPECT_NE(p.rows[k], 0);
    EXPECT_EQ(p.rows[k], p.columns[k]);
    EXPECT_EQ(p.size[k], 1.5);
  }
}

/// None below a quarter of what complete pivoting would take next.
TEST(Elimination, PivotsOfAPatternAreNotSmall) {
  const Pivots p =
      choosePivotsOfPattern({1e-3, 1, 0, 1, 1, 1, 0, 1, 0.1}, {1, 1, 0, 1, 1, 1, 0, 1, 1}, 3);
  ASSERT_EQ(p.rank(), 3);
  EXPECT_EQ(p.size[0], 1);
  EXPECT_EQ(choosePivotsOfPattern({1, 2, 2, 4}, {1, 1, 1, 1}, 2).rank(), 1);
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

// What compile() makes of loops that rows of the contact problem keep.

#include "espalier/model/loops/bilateral.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "espalier/model/loops/all_loops.h"
#include "espalier/model/state.h"
#include "tests/support/four_bar.h"

namespace espalier::testing {
namespace {

Model compiled(const SystemSpec& spec) {
  const Expected<Model> model = compile(spec);
  EXPECT_TRUE(model) << model.diagnostics().toString();
  return model ? *model : Model{};
}

TEST(Bilateral, AHingeThatClosesAPlanarLinkageSaysTwoThings) {
  for (const bool floats : {false, true}) {
    const Model model = compiled(fourBar({.floats = floats, .isBilateral = true}));
    EXPECT_TRUE(model.mechanism.isTree());
    EXPECT_TRUE(model.hasLoops());
    ASSERT_EQ(model.bilateral.closures.size(), 1u);
    ASSERT_EQ(model.bilateral.groups.size(), 1u);
    const RowGroup& group = model.bilateral.groups[0];
    EXPECT_EQ(group.count, 2);
    EXPECT_EQ(group.rows, (std::array{0, 1, 0}));
    EXPECT_FALSE(model.bilateral.reachesGround());
    EXPECT_EQ(model.publicNv, model.nv());
    EXPECT_TRUE(model.publicOrderIsInternal);
  }
}

TEST(Bilateral, ItsEndsDoNotCollideAndItBeginsClosed) {
  const Model model = compiled(fourBar({.isBilateral = true}));
  EXPECT_EQ(std::count_if(model.ignoredBodyPairs.begin(), model.ignoredBodyPairs.end(),
                          [&](const IgnoredBodies& pair) {
                            return pair.a == model.body("coupler") &&
                                   pair.b == model.body("rocker");
                          }),
            1);
  const State start = neutralState(model);
  EXPECT_EQ(start.q, model.bilateral.assembled);
  EXPECT_LT(closureResidual(model, model.lowered, start.q.data()), 1e-11);
}

/// The crank drives a second rocker; each of the two loops in each of the two ways.
SystemSpec twoRockers(bool firstIsBilateral, bool secondIsBilateral) {
  SystemSpec s = fourBar({.isBilateral = firstIsBilateral});
  for (const char* name : {"coupler", "rocker"}) {
    LinkSpec link = *std::find_if(s.links.begin(), s.links.end(),
                                  [&](const LinkSpec& l) { return l.name == name; });
    link.name += "2";
    s.links.push_back(link);
  }
  for (const int j : {1, 2}) {
    JointSpec joint = s.joints[j];
    joint.name += "2";
    joint.child += "2";
    if (j == 2) joint.X_PJ.p.x = -joint.X_PJ.p.x;
    s.joints.push_back(joint);
  }
  LoopSpec loop = s.loops[0];
  loop.name += "2";
  loop.predecessor += "2";
  loop.successor += "2";
  loop.isBilateral = secondIsBilateral;
  s.loops.push_back(loop);
  return s;
}

TEST(Bilateral, EmbeddedLoopsStandBesideThem) {
  const Model model = compiled(twoRockers(false, true));
  ASSERT_FALSE(model.mechanism.isTree());
  EXPECT_EQ(model.mechanism.closures.size(), 1u);
  ASSERT_EQ(model.mechanism.clusters.size(), 1u);
  EXPECT_EQ(model.mechanism.clusters[0].bodies,
            (std::vector<int>{model.body("crank"), model.body("coupler"), model.body("rocker")}));
  EXPECT_EQ(model.bilateral.rowsOf(0), 2);
  EXPECT_EQ(model.publicNv, 3);  // the crank and the two joints that no loop embeds
  EXPECT_EQ(model.mechanism.assembled, model.bilateral.assembled);
  EXPECT_LT(closureResidual(model, model.lowered, model.bilateral.assembled.data()), 1e-11);
  const Model both = compiled(twoRockers(true, true));
  EXPECT_EQ(both.bilateral.rowsOf(0), 2);
  EXPECT_EQ(both.bilateral.rowsOf(1), 2);
}

TEST(Bilateral, RowsImpliedByAnEmbeddedLoopAreDropped) {
  SystemSpec twice = fourBar({});
  twice.loops.push_back(twice.loops[0]);
  twice.loops[1].name = "again";
  twice.loops[1].isBilateral = true;
  const Model model = compiled(twice);
  EXPECT_EQ(model.bilateral.closures.size(), 1u);
  EXPECT_TRUE(model.bilateral.groups.empty());
  twice.loops[0].isBilateral = true;
  const Model rows = compiled(twice);
  EXPECT_EQ(rows.bilateral.rowsOf(0) + rows.bilateral.rowsOf(1), 2);
}

TEST(Bilateral, ALoopToTheGroundReachesItWhereTheBaseFloats) {
  for (const bool floats : {false, true}) {
    SystemSpec spec = fourBar({.floats = floats, .isBilateral = true});
    spec.loops[0].predecessor = "world";
    spec.loops[0].X_PA.p = {0.9, 0.6, 0};
    spec.loops[0].successor = "coupler";
    spec.loops[0].X_SB.p = {1, 0, 0};
    spec.loops[0].kind = LoopKind::POINT;
    const Model model = compiled(spec);
    EXPECT_EQ(model.bilateral.reachesGround(), floats);
    EXPECT_EQ(model.bilateral.rowsOf(0), floats ? 3 : 2);
  }
}

TEST(Bilateral, ALoopThatCannotCloseIsRefusedWithItsResidual) {
  SystemSpec spec =
      fourBar({.isBilateral = true, .crank = 0.1, .coupler = 0.2, .rocker = 0.3, .ground = 2});
  spec.loops[0].line = 17;
  const Expected<Model> model = compile(spec);
  ASSERT_FALSE(model);
  ASSERT_EQ(model.diagnostics().all().size(), 1u) << model.diagnostics().toString();
  const Diagnostic& said = model.diagnostics().all()[0];
  EXPECT_EQ(said.line, 17);
  EXPECT_EQ(said.what, "loop 'pin' cannot be closed: 1.4 is left of it");
  EXPECT_FALSE(said.remedy.empty());
}

TEST(Bilateral, FlaggedJointsLeadWhenLoopsAreClosed) {
  SystemSpec spec = fourBar({.isBilateral = true});
  const Model model = compiled(spec);
  EXPECT_EQ(model.bilateral.independent, (std::vector<char>{1, 0, 0}));  // the crank has the flag
  std::vector<double> q = model.bilateral.assembled;
  q[0] += 0.3;
  EXPECT_TRUE(closeAllLoops(model, model.lowered, true, q).isClosed);
  EXPECT_EQ(q[0], model.bilateral.assembled[0] + 0.3);
  EXPECT_LT(closureResidual(model, model.lowered, q.data()), 1e-11);
  const std::vector<double> closed = q;
  q[1] += 1e-7;
  EXPECT_TRUE(closeAllLoops(model, model.lowered, true, q).isClosed);
  EXPECT_EQ(q[1], closed[1] + 1e-7);  // closed well enough to be left alone
}

}  // namespace
}  // namespace espalier::testing

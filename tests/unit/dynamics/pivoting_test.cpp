// Pivots of K in the step against those that compile finds, and determinants.

#include "espalier/dynamics/loops/pivoting.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "espalier/dynamics/loops/closure_blocks.h"
#include "espalier/model/loops/elimination.h"
#include "espalier/model/loops/loop_plan.h"
#include "espalier/model/loops/mechanism_layout.h"
#include "espalier/model/model.h"
#include "tests/support/four_bar.h"

namespace espalier::testing {
namespace {

struct Bar {
  Bar() : model(compile(fourBar({})).value()), loops(model.topology, m()) {}
  const Mechanism& m() const { return model.mechanism; }
  const Cluster& c() const { return m().clusters[0]; }
  int rows() const { return static_cast<int>(c().rows.size()); }
  int dofs() const { return static_cast<int>(c().dofs.size()); }

  /// Any K will do.
  std::vector<double> fill(unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> number;
    std::vector<double> K(static_cast<std::size_t>(rows() * dofs()));
    for (double& x : K) x = number(random);
    std::copy(K.begin(), K.end(), &loops.K[c().firstK]);
    return K;
  }

  Model model;
  LoopWorkspace<double> loops;
};

TEST(Pivoting, ChoosesAsCompileDoes) {
  Bar bar;
  ASSERT_EQ(bar.rows(), 2);
  ASSERT_EQ(bar.dofs(), 3);
  for (unsigned seed = 0; seed < 100; ++seed) {
    const Pivots wanted = choosePivots(bar.fill(seed), bar.rows(), bar.dofs(), {}, 0);
    std::vector<double> isFree(3, 1.0);
    std::vector<int> rows(2), columns(2);
    ASSERT_EQ(pivotCluster(bar.c(), bar.loops, 0, isFree.data(), rows, columns), 2);
    EXPECT_EQ(rows, wanted.rows);
    EXPECT_EQ(columns, wanted.columns);
    // It stops at the first that is too small.
    isFree.assign(3, 1.0);
    const double between = (wanted.size[0] + wanted.size[1]) / 2;
    const int counts = wanted.size[0] > wanted.size[1] ? 1 : 0;
    EXPECT_EQ(pivotCluster(bar.c(), bar.loops, between, isFree.data(), rows, columns), counts);
    EXPECT_EQ(std::count(isFree.begin(), isFree.end(), 0.0), counts);
  }
}

TEST(Pivoting, ThoseOfABlockMakeItsDeterminant) {
  Bar bar;
  LoopPlan plan = bar.c().plan;
  plan.blocks = {{0, 2}};
  for (unsigned seed = 0; seed < 100; ++seed) {
    const std::vector<double> K = bar.fill(seed);
    Eigen::Matrix2d own;
    for (int r = 0; r < 2; ++r)
      for (int d = 0; d < 2; ++d) own(r, d) = K[plan.rows[r] * bar.dofs() + plan.dependent[d]];
    const std::vector<double> sizes = pivotsOf(plan, K, bar.dofs());
    EXPECT_EQ(sizes[0], std::abs(own(0, 0)));
    EXPECT_NEAR(sizes[0] * sizes[1], std::abs(own.determinant()), 1e-12 * own.squaredNorm());
  }
}

TEST(Pivoting, CompileKnowsHowLargePivotsAre) {
  const Bar bar;
  EXPECT_GT(bar.c().leastPivot, 1e-3);
  EXPECT_LT(bar.c().leastPivot, 1e-2);
  for (const double least : bar.c().plan.leastPivots) EXPECT_GT(least, 1e-3);
}

/// A step may take another plan, whose one block has more numbers, and allocates nothing.
TEST(Pivoting, AWorkspaceKeepsRoomForOtherPlansWhereItIsMoved) {
  const Bar bar;
  LoopWorkspace<double> loops = bar.loops;
  loops = LoopWorkspace<double>(bar.model.topology, bar.model.mechanism);
  const std::size_t rows = bar.c().rows.size();
  ASSERT_GT(rows, 1U);
  EXPECT_GE(loops.plans[0].lower.capacity(), rows * (rows - 1) / 2);
  EXPECT_GE(loops.plans[0].upper.capacity(), rows * (rows - 1) / 2);
  EXPECT_GE(loops.plans[0].outside.capacity(), bar.c().columns.size());
}

/// The columns of G of three rows of four dofs by an inverted block of three, or by L U.
std::vector<double> ratesOfThree(const Eigen::Matrix<double, 3, 4>& K, bool isInverted,
                                 double& singularity) {
  Cluster c;
  c.dofs = {0, 1, 2, 3};
  c.rows.assign(3, {.columns = {0, 1, 2, 3}});
  c.plan.independent = {3};
  c.plan.dependent = c.plan.rows = {0, 1, 2};
  c.plan.blocks = {{0, 3, isInverted}};
  c.plan.leastPivots = {1e-2, 0, 0};
  layOutBlocks(c, c.plan);
  Bar bar;
  bar.loops.K = AlignedArray<double>(12);
  bar.loops.lu = AlignedArray<double>(12);
  for (int r = 0; r < 3; ++r)
    for (int d = 0; d < 4; ++d) bar.loops.K[4 * r + d] = K(r, d);
  bar.loops.singularity = 0;
  closure_detail::factorBlocks(c, c.plan, bar.loops);
  singularity = bar.loops.singularity;
  std::vector<double> x{0, 0, 0, 1};
  closure_detail::solveColumns<1>(c, c.plan, bar.loops, x.data(), 1, [](int) { return 0.0; });
  return x;
}

TEST(Pivoting, AnInvertedBlockIsSolvedWhereItsFirstPivotIsZero) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    std::mt19937 random(seed);
    std::normal_distribution<double> number;
    Eigen::Matrix<double, 3, 4> K;
    for (int r = 0; r < 3; ++r)
      for (int d = 0; d < 4; ++d) K(r, d) = number(random);
    double inverted = 0, factored = 0;
    const auto check = [&](const std::vector<double>& x) {
      const Eigen::Vector3d wanted = -K.leftCols<3>().fullPivLu().solve(K.col(3));
      for (int d = 0; d < 3; ++d) EXPECT_NEAR(x[d], wanted[d], 1e-12 * (1 + wanted.norm()));
    };
    check(ratesOfThree(K, true, inverted));
    check(ratesOfThree(K, false, factored));
    EXPECT_NEAR(inverted, 1e-2 / std::abs(K.leftCols<3>().determinant()), 1e-12 * inverted);
    K(0, 0) = 0;
    check(ratesOfThree(K, true, inverted));
    EXPECT_LT(inverted, 1) << "the block is regular";
    EXPECT_FALSE(std::isfinite(ratesOfThree(K, false, factored)[0]));
    EXPECT_FALSE(factored < 1);
  }
}

}  // namespace
}  // namespace espalier::testing

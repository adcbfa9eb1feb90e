// Blocks of K_d in all positions of a walker's crank: inverted ones against a dense solution, and that none of
// them is taken for a change point where one of its own pivots would be small.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <string>

#include "espalier/dynamics/loops/closure.h"
#include "espalier/io/urdf/urdf.h"
#include "espalier/model/model.h"
#include "tests/support/source_folder.h"

namespace espalier {
namespace {

Model load(const std::string& name) {
  auto spec = io::loadRobot(sourceFolder() + "/models/" + name + "/" + name + ".urdf");
  EXPECT_TRUE(spec) << spec.diagnostics().toString();
  return compile(*spec).value();
}

/// -K_d^-1 K_i of a cluster.
Eigen::MatrixXd ratesByDenseSolve(const Cluster& c, const LoopWorkspace<double>& loops) {
  const int rows = static_cast<int>(c.rows.size()), dofs = static_cast<int>(c.dofs.size());
  Eigen::MatrixXd dependent(rows, rows), independent(rows, c.ny());
  for (int r = 0; r < rows; ++r) {
    const double* K = &loops.K[c.firstK + r * dofs];
    for (int j = 0; j < rows; ++j) dependent(r, j) = K[c.plan.dependent[j]];
    for (int j = 0; j < c.ny(); ++j) independent(r, j) = K[c.plan.independent[j]];
  }
  return -dependent.fullPivLu().solve(independent);
}

/// The smallest first pivot that L U of an inverted block would have, beside its largest number.
double leastFirstPivot(const Cluster& c, const LoopWorkspace<double>& loops) {
  const int dofs = static_cast<int>(c.dofs.size());
  double least = HUGE_VAL;
  for (const LoopBlock& block : c.plan.blocks) {
    double most = 0;
    const auto at = [&](int i, int j) {
      return std::abs(loops.K[c.firstK + c.plan.rows[block.first + i] * dofs +
                              c.plan.dependent[block.first + j]]);
    };
    for (int i = 0; i < block.size; ++i)
      for (int j = 0; j < block.size; ++j) most = std::max(most, at(i, j));
    if (block.isInverted) least = std::min(least, at(0, 0) / most);
  }
  return least;
}

TEST(LoopBlocks, AreSolvedInAllPositionsOfACrank) {
  const Model model = load("beest");
  const Mechanism& m = model.mechanism;
  ASSERT_EQ(m.clusters.size(), 1U);
  const Cluster& c = m.clusters[0];
  int inverted = 0;
  for (const LoopBlock& block : c.plan.blocks) {
    if (!block.isInverted) continue;
    ++inverted;
    EXPECT_EQ(block.size, 2);
    EXPECT_GT(c.plan.leastPivots[block.first], 0) << "of the determinant";
    EXPECT_EQ(c.plan.leastPivots[block.first + 1], 0);
  }
  EXPECT_EQ(inverted, 36) << "three of each leg";

  ASSERT_EQ(c.ny(), 1);
  const int crank = c.dofs[c.plan.independent[0]];
  const int place = model.topology.bodies[model.topology.dofBody[crank]].q;
  Workspace<double> ws(model.topology);
  LoopWorkspace<double> loops(model.topology, m);
  std::vector<double> q = m.assembled;
  double least = HUGE_VAL;
  constexpr int positions = 720;
  for (int i = 0; i < positions; ++i) {
    q[place] += 2 * M_PI / positions;
    loops.singularity = 0;
    placeBodies(model.topology, model.lowered, q.data(), ws);
    const double left =
        closePlacedLoops(model.topology, model.lowered, m, q.data(), 1e-13, 20, ws, loops);
    ASSERT_LT(left, 1e-12) << i;
    solveRates(m, loops);
    EXPECT_LT(loops.singularity, 1) << i;
    const Eigen::MatrixXd wanted = ratesByDenseSolve(c, loops);
    for (std::size_t j = 0; j < c.plan.dependent.size(); ++j)
      EXPECT_NEAR(loops.G[c.firstG + c.plan.dependent[j]], wanted(static_cast<int>(j), 0), 1e-11)
          << i;
    least = std::min(least, leastFirstPivot(c, loops));
  }
  EXPECT_LT(least, 1e-2) << "or the test says nothing of small pivots";
}

/// The platform ties fourteen dofs together, of which a rod's meet few others.
TEST(LoopBlocks, OfAPlatformAreFactoredWhereTheirPatternIs) {
  const Model model = load("delta");
  const Topology& t = model.topology;
  const Mechanism& m = model.mechanism;
  ASSERT_EQ(m.clusters.size(), 1U);
  const Cluster& c = m.clusters[0];
  const LoopPlan& plan = c.plan;
  int largest = 0;
  for (const LoopBlock& block : plan.blocks) largest = std::max(largest, block.size);
  ASSERT_EQ(largest, 14);
  EXPECT_LT(plan.lower.size() + plan.upper.size(), 91U) << "of 182";

  Workspace<double> ws(t);
  LoopWorkspace<double> loops(t, m);
  std::vector<double> q = m.assembled;
  for (int i = 0; i < 200; ++i) {
    for (const int j : plan.independent) {
      const int place = t.bodies[t.dofBody[c.dofs[j]]].q;
      q[place] = m.assembled[place] + 0.3 * std::sin(0.04 * (1 + j) * i);
    }
    placeBodies(t, model.lowered, q.data(), ws);
    const double left = closePlacedLoops(t, model.lowered, m, q.data(), 1e-13, 30, ws, loops);
    ASSERT_LT(left, 1e-12) << i;
    solveRates(m, loops);
    const Eigen::MatrixXd wanted = ratesByDenseSolve(c, loops);
    for (std::size_t j = 0; j < plan.dependent.size(); ++j)
      for (int y = 0; y < c.ny(); ++y)
        EXPECT_NEAR(loops.G[c.firstG + plan.dependent[j] * c.ny() + y],
                    wanted(static_cast<int>(j), y), 1e-11 * (1 + wanted.norm()))
            << i;
  }
}

}  // namespace
}  // namespace espalier

// Groups by their sides: the same problem as dense blocks written apart from the library.
#include "espalier/contact/side.h"

#include <gtest/gtest.h>

#include <cstring>
#include <tuple>

#include "espalier/contact/gauss_seidel.h"
#include "tests/unit/contact/scenes.h"

namespace espalier::contact {
namespace {

using test::Dense;
using test::Rng;
using test::Scene;
using test::uniform;

/// The largest difference between the blocks the problem wrote and the dense product.
double distance(const Problem<double>& problem, const Dense& d) {
  std::vector<double> g(d.g.size(), 0.0);
  const auto put = [&](int i, int j, const Mat3d& m) {
    for (int e = 0; e < 9; ++e) g[(3 * i + e / 3) * d.rows() + 3 * j + e % 3] = (&m.r0.x)[e];
  };
  for (int i = 0; i < d.size(); ++i) {
    const Sym3<double>& s = problem.diagonal(i);
    put(i, i, {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}});
    for (const Coupling& c : problem.lower(i)) {
      put(i, c.group, problem.block(c.block));
      put(c.group, i, transpose(problem.block(c.block)));
    }
  }
  double worst = 0;
  for (std::size_t k = 0; k < g.size(); ++k) worst = std::max(worst, std::abs(g[k] - d.g[k]));
  return worst;
}

TEST(Sides, BlocksOfSmallIslandsAreTheProducts) {
  Rng rng(1);
  for (int trial = 0; trial < 100; ++trial) {
    const Scene scene = trial % 2 ? test::leaning(rng, 0) : test::randomBodies(rng, 3, 12, 10);
    Problem<double> problem(scene.capacity());
    scene.fill(problem);
    ASSERT_TRUE(problem.complete());
    for (int k = 0; k < problem.islands(); ++k) ASSERT_TRUE(problem.hasBlocks(problem.island(k)));
    ASSERT_LE(distance(problem, scene.dense()), 1e-12);
  }
}

TEST(Sides, TwoSidesOfOneMoverAddUp) {
  // A robot that touches itself, and another point of it on the ground.
  Rng rng(2);
  for (int trial = 0; trial < 20; ++trial) {
    Scene scene = test::leaning(rng, 0);
    Scene::Group own = scene.groups[0];
    Scene::Rows other = scene.groups[1].sides[0];
    for (double& x : other.y) x = -x;
    for (double& x : other.yd) x = -x;
    own.sides.push_back(other);
    scene.groups = {own, scene.groups[2]};
    Problem<double> problem(scene.capacity());
    scene.fill(problem);
    ASSERT_LE(distance(problem, scene.dense()), 1e-12);
  }
}

TEST(Sides, IslandsShareMovers) {
  // Two stacks and a box between them that touches nothing but the ground.
  Scene scene = test::stack({1, 1}, 0.2, 0.5, 0);
  const int lone = scene.addBody({1, {1, 1, 1}, {5, 0, 0.1}, {0, 0, -0.01}, {}});
  scene.addContact(lone, -1, {5, 0, 0}, {0, 0, 1}, 0.5);
  const int first = scene.addBody({1, {1, 1, 1}, {9, 0, 0.1}, {0, 0, -0.01}, {}});
  const int second = scene.addBody({1, {1, 1, 1}, {9, 0, 0.3}, {0, 0, -0.01}, {}});
  scene.addContact(second, first, {9, 0, 0.2}, {0, 0, 1}, 0.5);
  scene.addContact(first, -1, {9, 0, 0}, {0, 0, 1}, 0.5);
  Problem<double> problem(scene.capacity());
  scene.fill(problem);
  ASSERT_EQ(problem.islands(), 3);
  EXPECT_EQ(problem.island(0).size(), 8);
  EXPECT_EQ(problem.island(1).size(), 1);
  EXPECT_EQ(problem.island(2).size(), 2);
  EXPECT_EQ(problem.island(2)[0], 9);
}

/// One robot of 18 dofs on its feet.
Scene standing(Rng& rng, int feet) {
  Scene scene = test::leaning(rng, 0);
  scene.groups.resize(4);
  for (int k = 4; k < feet; ++k) scene.groups.push_back(scene.groups[k % 4]);
  return scene;
}

TEST(Sides, OnOneMoverOnlyFewGroupsGetBlocks) {
  Rng rng(5);
  for (const auto [feet, few, hasBlocks] :
       {std::tuple{8, few_groups, true}, {9, few_groups, false}, {9, small_island, true}}) {
    const Scene scene = standing(rng, feet);
    Problem<double> problem(scene.capacity());
    scene.fill(problem, few);
    ASSERT_EQ(problem.islands(), 1);
    EXPECT_TRUE(problem.actsOnOneMover(problem.island(0)));
    EXPECT_EQ(problem.hasBlocks(0), hasBlocks) << feet;
  }
}

TEST(Sides, LargeIslandsStayAnOperatorWithTheSameLaw) {
  Rng rng(3);
  for (int trial = 0; trial < 5; ++trial) {
    const Scene scene = test::heap(rng, 2, 2 + trial);
    Problem<double> problem(scene.capacity());
    scene.fill(problem);
    ASSERT_EQ(problem.islands(), 1);
    EXPECT_FALSE(problem.hasBlocks(problem.island(0)));
    EXPECT_EQ(problem.couplings(), 0);

    GaussSeidel<double> solver(scene.capacity());
    std::vector<Vec3d> lambda(scene.size(), zero3<double>());
    SolveOptions<double> options;
    options.maxSweeps = 20;
    options.primalSteps = 0;
    const auto early = solver.solve(problem, lambda.data(), options);
    const Dense dense = scene.dense();
    EXPECT_EQ(early.sweeps, 20);
    EXPECT_FALSE(early.converged);
    EXPECT_EQ(early.unsolved, 1);
    EXPECT_NEAR(early.residual, test::lawResidual(dense, lambda), 1e-13);
    EXPECT_EQ(early.residual, solver.largestResidual(problem, lambda.data()));

    options.maxSweeps = 2000;
    options.tolerance = 1e-4;
    const auto late = solver.solve(problem, lambda.data(), options);
    EXPECT_LT(late.residual, early.residual);
    EXPECT_NEAR(late.residual, test::lawResidual(dense, lambda), 1e-13);
    for (int i = 0; i < scene.size(); ++i) {
      const Vec3d v = solver.velocity(problem, i, lambda.data());
      double x = dense.b[3 * i];
      for (int j = 0; j < scene.size(); ++j)
        for (int c = 0; c < 3; ++c) x += dense.at(3 * i, 3 * j + c) * (&lambda[j].x)[c];
      EXPECT_NEAR(v.x, x, 1e-12);
    }
  }
}

TEST(Sides, OperatorAndBlocksSweepToTheSameVelocities) {
  // A heap without redundant rows: three legs a body, so that the answer is one.
  Rng rng(4);
  Scene scene;
  for (int k = 0; k < 8; ++k) {
    scene.addBody({1, {0.01, 0.01, 0.01}, {0, 0, 0.2 * k + 0.1}, {0.01, 0, -0.01}, {}});
    for (int leg = 0; leg < 3; ++leg)
      scene.addContact(k, k - 1, {0.1 * std::cos(2.1 * leg), 0.1 * std::sin(2.1 * leg), 0.2 * k},
                       {0.1 * uniform(rng, -1, 1), 0, 1}, 0.7);
  }
  Problem<double> bySides(scene.capacity());
  scene.fill(bySides);
  ASSERT_FALSE(bySides.hasBlocks(0));
  const Dense dense = scene.dense();
  const Problem<double> byBlocks = test::toProblem(dense);
  GaussSeidel<double> a(scene.capacity()), b(scene.capacity());
  std::vector<Vec3d> la(scene.size(), zero3<double>()), lb = la;
  SolveOptions<double> options;
  options.maxSweeps = 100000;
  options.primalSteps = 0;
  ASSERT_TRUE(a.solve(bySides, la.data(), options).converged);
  ASSERT_TRUE(b.solve(byBlocks, lb.data(), options).converged);
  for (int i = 0; i < scene.size(); ++i)
    EXPECT_LE(norm(a.velocity(bySides, i, la.data()) - byBlocks.velocity(i, lb.data())), 1e-7) << i;
}

TEST(Sides, SoftnessGivesWay) {
  // One body on one soft row: lambda = -b / (1/m + softness).
  Column3<double> y[6], yd[6];
  y[2] = Vec3d{0, 0, 1};
  yd[2] = Vec3d{0, 0, 0.5};
  const Side<double> side{0, nullptr, 6, y, yd};
  Problem<double> problem({1, 0, 1, 6});
  problem.addBounded({&side, 1}, {0, 0, -3}, {0, 0, 0}, {0, 0, 100}, {0, 0, 0.25});
  problem.finish();
  EXPECT_EQ(problem.diagonal(0).zz, 0.75);
  GaussSeidel<double> solver({1, 0, 1, 6});
  Vec3d lambda[1] = {};
  EXPECT_TRUE(solver.solve(problem, lambda).converged);
  EXPECT_NEAR(lambda[0].z, 4, 1e-10);
}

TEST(Sides, SoftRowsOfALargeIsland) {
  Rng rng(5);
  const Scene scene = test::randomBodies(rng, 6, 20, 3);
  Problem<double> problem(scene.capacity());
  for (const auto& g : scene.groups) {
    Side<double> sides[2];
    std::size_t n = 0;
    for (const auto& r : g.sides) sides[n++] = r.side();
    problem.addGroup({sides, n}, g.b, g.mu, {0.1, 0.1, 0.1});
  }
  problem.finish();
  ASSERT_FALSE(problem.hasBlocks(0));
  Dense dense = scene.dense();
  for (int r = 0; r < dense.rows(); ++r) dense.at(r, r) += 0.1;
  for (const int primalSteps : {0, 300}) {
    GaussSeidel<double> solver(scene.capacity());
    std::vector<Vec3d> lambda(scene.size(), zero3<double>());
    SolveOptions<double> options;
    options.primalSteps = primalSteps;
    options.maxSweeps = 20000;
    const auto report = solver.solve(problem, lambda.data(), options);
    EXPECT_TRUE(report.converged) << report.residual;
    EXPECT_LE(test::lawResidual(dense, lambda), 1.01e-10);
  }
}

TEST(Sides, SaysWhenItIsFull) {
  const Scene scene = test::stack({1}, 0.2, 0.5, 0);
  Capacity capacity = scene.capacity();
  capacity.sides = 3;
  Problem<double> problem(capacity);
  scene.fill(problem);
  EXPECT_FALSE(problem.complete());
  EXPECT_EQ(problem.size(), 3);
  // No room for blocks: the island stays an operator, and nothing is missing.
  capacity = scene.capacity();
  capacity.couplings = 2;
  problem.reserve(capacity);
  scene.fill(problem);
  EXPECT_TRUE(problem.complete());
  EXPECT_FALSE(problem.hasBlocks(0));
  GaussSeidel<double> solver(scene.capacity());
  std::vector<Vec3d> lambda(4, zero3<double>());
  EXPECT_TRUE(solver.solve(problem, lambda.data()).converged);
  EXPECT_LE(test::lawResidual(scene.dense(), lambda), 1.01e-10);
  GaussSeidel<double> small({4, 0, 0, 3});
  EXPECT_THROW(small.solve(problem, lambda.data()), std::invalid_argument);
}

}  // namespace
}  // namespace espalier::contact

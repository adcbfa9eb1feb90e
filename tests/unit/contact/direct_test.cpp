// Solver 2 and its dense systems; and that contacts which are not determined keep still.
#include "espalier/contact/direct.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cstring>

#include "espalier/contact/gauss_seidel.h"
#include "tests/support/dense.h"
#include "tests/unit/contact/scenes.h"

namespace espalier::contact {
namespace {

using test::Rng;
using test::Scene;
using test::uniform;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

RowMajor random(Rng& rng, int n) {
  return RowMajor::NullaryExpr(n, n, [&] { return uniform(rng, -1, 1); });
}
Eigen::VectorXd randomVector(Rng& rng, int n) {
  return Eigen::VectorXd::NullaryExpr(n, [&] { return uniform(rng, -1, 1); });
}
DenseView<double> view(RowMajor& a) {
  return {a.data(), static_cast<std::size_t>(a.cols()), static_cast<int>(a.rows())};
}

TEST(Dense, SymmetricSystems) {
  Rng rng(1);
  for (int n = 1; n < 40; ++n) {
    const RowMajor r = random(rng, n);
    const RowMajor a = r * r.transpose() + 0.1 * RowMajor::Identity(n, n);
    const Eigen::VectorXd right = randomVector(rng, n);
    RowMajor u = a;
    ASSERT_TRUE(factorSymmetric(view(u)));
    Eigen::VectorXd x = right, product = Eigen::VectorXd::Ones(n);
    solveSymmetric(view(u), x.data());
    EXPECT_LE((a * x - right).norm(), 1e-10 * x.norm());
    RowMajor whole = a;
    addProduct(view(whole), x.data(), product.data());
    EXPECT_LE((product - a * x - Eigen::VectorXd::Ones(n)).norm(), 1e-12 * x.norm() * n);
  }
  RowMajor indefinite = -RowMajor::Identity(5, 5);
  EXPECT_FALSE(factorSymmetric(view(indefinite)));
}

TEST(Dense, GeneralSystemsWithPivoting) {
  Rng rng(2);
  for (int n = 1; n < 40; ++n) {
    RowMajor a = random(rng, n);
    if (n > 1) a.diagonal().setZero();  // without exchanges there would be no pivot
    const Eigen::VectorXd right = randomVector(rng, n);
    const Eigen::VectorXd expected = espalier::testing::solveDense(a, right);
    RowMajor lu = a;
    std::vector<int> pivot(n);
    ASSERT_TRUE(factorGeneral(view(lu), pivot.data()));
    Eigen::VectorXd x = right;
    solveGeneral(view(lu), pivot.data(), x.data());
    EXPECT_LE((x - expected).norm(), 1e-9 * (1 + expected.norm()) * expected.norm()) << n;
  }
  RowMajor zero = RowMajor::Zero(3, 3);
  int pivot[3];
  EXPECT_FALSE(factorGeneral(view(zero), pivot));
}

struct Solved {
  std::vector<Vec3d> lambda;
  SolveReport<double> report;
};

Solved solve(const Scene& scene, std::vector<Vec3d> warm = {}) {
  Problem<double> problem(scene.capacity());
  scene.fill(problem);
  GaussSeidel<double> solver(scene.capacity());
  if (warm.empty()) warm.assign(scene.size(), zero3<double>());
  Solved s{std::move(warm), {}};
  SolveOptions<double> options;
  options.primalSteps = 0;
  s.report = solver.solve(problem, s.lambda.data(), options);
  EXPECT_NEAR(s.report.residual, test::lawResidual(scene.dense(), s.lambda),
              1e-12 + 1e-3 * s.report.residual);
  return s;
}

TEST(Direct, TakesOverWhereSweepsStall) {
  std::vector<double> mass(5, 1.0);
  mass.push_back(1e4);  // the heavy one on top
  for (const double push : {0.0, 0.002}) {
    for (const auto& scene : {test::stack(mass, 0.2, 0.6, push),
                              test::stack(std::vector<double>(10, 1.0), 0.2, 0.6, push)}) {
      const Solved s = solve(scene);
      EXPECT_TRUE(s.report.converged) << s.report.residual;
      EXPECT_EQ(s.report.handedOver, 1);
      EXPECT_EQ(s.report.unsolved, 0);
      double load = 0, weight = 0;
      for (int i = 0; i < 4; ++i) load += s.lambda[i].z;
      for (const test::Body& b : scene.bodies) weight += b.mass * 0.00981;
      EXPECT_NEAR(load, weight, push == 0 ? 1e-9 * weight : 0.02 * weight);  // pushed, it may tilt
    }
  }
}

TEST(Direct, AloneAgreesOnVelocitiesWithSweeps) {
  // Regular problems have one solution of velocities where friction is small.
  Rng rng(3);
  for (int trial = 0; trial < 50; ++trial) {
    test::Dense d = test::randomMechanism(rng, 5, 20);
    for (double& mu : d.mu) mu *= 0.2;
    const Problem<double> problem = test::toProblem(d);
    GaussSeidel<double> sweeps(5);
    Direct<double> direct;
    direct.reserve(5);
    std::vector<Vec3d> a(5, zero3<double>()), b = a;
    SolveOptions<double> options;
    options.newtonSteps = 0;
    options.handsOver = false;
    options.maxSweeps = 20000;
    ASSERT_TRUE(sweeps.solve(problem, a.data(), options).converged);
    const auto report = direct.solve(problem, problem.island(0), b.data(), 1e-10);
    ASSERT_LE(report.residual, 1e-10);
    ASSERT_LE(test::lawResidual(d, b), 1.01e-10);
    for (int i = 0; i < 5; ++i)
      ASSERT_LE(norm(problem.velocity(i, a.data()) - problem.velocity(i, b.data())), 1e-7);
  }
}

TEST(Direct, WhatCannotBeIsReported) {
  // Walls that close from both sides at 0.01 m/s: no velocity obeys both.
  Rng rng(4);
  const Scene scene = test::jammed(rng, 8, 0.01);
  const Solved s = solve(scene);
  EXPECT_FALSE(s.report.converged);
  EXPECT_EQ(s.report.unsolved, 1);
  EXPECT_EQ(s.report.handedOver, 1);
  EXPECT_GT(s.report.residual, 0.005);
  EXPECT_LT(s.report.residual, 0.02);  // and what is handed back is no worse than it must be
  for (const Vec3d& l : s.lambda) EXPECT_TRUE(std::isfinite(l.x + l.y + l.z));
}

TEST(Direct, JammedAndLeaning) {
  Rng rng(5);
  for (int trial = 0; trial < 30; ++trial) {
    EXPECT_TRUE(solve(test::jammed(rng, 6 + trial, 0)).report.converged) << trial;
    EXPECT_TRUE(solve(test::leaning(rng, 0.002 * trial)).report.converged) << trial;
  }
}

TEST(Direct, FloatMeetsItsTolerance) {
  Rng rng(6);
  for (int trial = 0; trial < 20; ++trial) {
    const test::Dense d = test::randomMechanism(rng, 6, 24);
    const Problem<float> problem = test::toProblem<float>({d});
    Direct<float> direct;
    direct.reserve(6);
    std::vector<Vec3<float>> lambda(6, zero3<float>());
    EXPECT_LE(direct.solve(problem, problem.island(0), lambda.data(), 1e-5f).residual, 1e-5f);
  }
}

// ---- contacts that are not determined

/// Share of a change of impulses that moves nothing.
double idle(const Scene& scene, const std::vector<Vec3d>& from, const std::vector<Vec3d>& to) {
  const test::Dense d = scene.dense();
  const int n = d.rows();
  const Eigen::Map<const RowMajor> g(d.g.data(), n, n);
  Eigen::VectorXd change(n);
  for (int i = 0; i < d.size(); ++i) {
    const Vec3d step = to[i] - from[i];
    change.segment<3>(3 * i) << step.x, step.y, step.z;
  }
  const auto [values, vectors] = espalier::testing::spectrumOf(g);
  double share = 0;
  for (int k = 0; k < n; ++k)
    if (values[k] < 1e-9 * values[n - 1]) share += std::pow(vectors.col(k).dot(change), 2);
  return std::sqrt(share) / change.norm();
}

TEST(Redundant, ASolutionStaysToTheBit) {
  for (const auto& scene : {test::stack({2}, 0.2, 0.6, 0.001),
                            test::stack(std::vector<double>(10, 1.0), 0.2, 0.6, 0.001)}) {
    const Solved first = solve(scene), again = solve(scene, first.lambda);
    ASSERT_TRUE(first.report.converged);
    EXPECT_EQ(again.report.newtonSteps + again.report.sweeps, 0);
    EXPECT_EQ(
        std::memcmp(first.lambda.data(), again.lambda.data(), first.lambda.size() * sizeof(Vec3d)),
        0);
  }
}

TEST(Redundant, AChangeTakesTheNearestSolution) {
  // A box on four corners whose load is shared unevenly: a little more weight is a small change
  // without a part that moves nothing; the uneven share stays.
  Scene scene = test::stack({2}, 0.2, 0.6, 0);
  const double quarter = 2 * 0.00981 / 4;
  std::vector<Vec3d> warm(4, Vec3d{0, 0, quarter});
  for (int i = 0; i < 4; ++i) warm[i].z += (i == 0 || i == 3 ? 0.3 : -0.3) * quarter;
  EXPECT_LE(test::lawResidual(scene.dense(), warm), 1e-12);
  for (auto& g : scene.groups) g.b.z *= 1.01;
  const Solved s = solve(scene, warm);
  ASSERT_TRUE(s.report.converged);
  EXPECT_LE(idle(scene, warm, s.lambda), 1e-3);
  EXPECT_GT(s.lambda[0].z, 1.2 * s.lambda[1].z);
}

TEST(Redundant, SolverTwoTakesTheNearestSolutionToo) {
  Scene scene = test::stack(std::vector<double>(5, 1.0), 0.2, 0.6, 0);
  Problem<double> problem(scene.capacity());
  scene.fill(problem);
  Direct<double> direct;
  direct.reserve(scene.size());
  std::vector<Vec3d> warm(scene.size(), zero3<double>());
  ASSERT_LE(direct.solve(problem, problem.island(0), warm.data(), 1e-12).residual, 1e-12);
  for (auto& g : scene.groups) g.b.z *= 1.01;
  scene.fill(problem);
  std::vector<Vec3d> lambda = warm;
  ASSERT_LE(direct.solve(problem, problem.island(0), lambda.data(), 1e-12).residual, 1e-12);
  EXPECT_LE(idle(scene, warm, lambda), 2e-3);
}

// Bodies at rest on more contacts than they need, asked for velocities that do not quite fit one
// another, as rounded gaps do. In the solution contacts open or slip at nanometres a second, and
// impulses must go far from the warm start to get there.
int missed(int bodies, int contacts, double misfit) {
  Rng rng(5);
  int count = 0;
  for (int trial = 0; trial < 200; ++trial) {
    test::Dense d = test::randomBodies(rng, bodies, contacts, 3).dense();
    std::vector<Vec3d> lambda(d.size(), zero3<double>());
    GaussSeidel<double> solver(d.size());
    EXPECT_TRUE(solver.solve(test::toProblem(d), lambda.data()).converged);
    for (double& b : d.b) b += misfit * uniform(rng, -1, 1);
    const auto report = solver.solve(test::toProblem(d), lambda.data());
    EXPECT_NEAR(report.residual, test::lawResidual(d, lambda), 1e-12 + 1e-3 * report.residual);
    EXPECT_LE(report.residual, 10 * misfit);
    count += !report.converged;
  }
  return count;
}

TEST(Redundant, VelocitiesThatDoNotFitOneAnother) {
  for (const double misfit : {3e-10, 1e-9, 5e-9, 5e-8}) {
    EXPECT_EQ(missed(2, 6, misfit), 0) << misfit;
    EXPECT_LE(missed(3, 10, misfit), 1) << misfit;
    EXPECT_LE(missed(1, 4, misfit), 3) << misfit;
    EXPECT_LE(missed(1, 6, misfit), 6) << misfit;
  }
}

}  // namespace
}  // namespace espalier::contact

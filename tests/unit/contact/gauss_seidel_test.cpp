// Many contacts: the law is judged on the dense problem, written apart from the library.
#include "espalier/contact/gauss_seidel.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/unit/contact/random_problem.h"

namespace espalier::contact {
namespace {

using test::Dense;
using test::Rng;

std::vector<Vec3d> cold(int groups) { return std::vector<Vec3d>(groups, zero3<double>()); }

SolveOptions<double> sweepsOnly(int maxSweeps) {
  SolveOptions<double> options;
  options.maxSweeps = maxSweeps;
  options.newtonSteps = 0;
  return options;
}

double distance(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, norm(a[i] - b[i]));
  return worst;
}

class RandomMechanisms : public ::testing::TestWithParam<bool> {};

TEST_P(RandomMechanisms, ReachTheTolerance) {
  Rng rng(3);
  int short_cuts = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int groups = 1 + trial % 8;
    const Dense d = test::randomMechanism(rng, groups, 3 * groups + 4);
    const Problem<double> problem = test::toProblem(d);
    GaussSeidel<double> solver(groups);
    auto lambda = cold(groups);
    SolveOptions<double> options = sweepsOnly(20000);
    if (GetParam()) options.newtonSteps = SolveOptions<double>().newtonSteps;
    const auto report = solver.solve(problem, lambda.data(), options);
    ASSERT_TRUE(report.converged) << trial << ": " << report.residual;
    EXPECT_LE(report.residual, options.tolerance);
    EXPECT_NEAR(report.residual, test::lawResidual(d, lambda), 1e-13);
    EXPECT_EQ(report.residual, solver.largestResidual(problem, lambda.data()));
    short_cuts += report.sweeps == 0;
  }
  EXPECT_GE(short_cuts, GetParam() ? 290 : 0);
}

INSTANTIATE_TEST_SUITE_P(GaussSeidel, RandomMechanisms, ::testing::Bool(), [](const auto& newton) {
  return newton.param ? "WithNewton" : "BySweepsAlone";
});

TEST(GaussSeidel, StandingRobotTakesOneStep) {
  Rng rng(4);
  GaussSeidel<double> solver(4);
  for (int trial = 0; trial < 20; ++trial) {
    const Dense d = test::quadruped(rng, 0);
    const Problem<double> problem = test::toProblem(d);
    auto lambda = cold(4);
    EXPECT_TRUE(solver.solve(problem, lambda.data()).converged);  // the warm start
    for (Vec3d& l : lambda) l = l * 1.05;
    const auto report = solver.solve(problem, lambda.data());
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report.sweeps, 0);
    EXPECT_EQ(report.newtonSteps, 1);
    EXPECT_LE(test::lawResidual(d, lambda), 1e-13);
    const auto again = solver.solve(problem, lambda.data());  // nothing left to do
    EXPECT_EQ(again.newtonSteps, 0);
  }
}

TEST(GaussSeidel, ResolveWithAnotherFreeVelocityIsASolve) {
  Rng rng(5);
  for (const int newtonSteps : {0, 10}) {
    for (int trial = 0; trial < 20; ++trial) {
      const Dense first = test::quadruped(rng, 0), second = test::quadruped(rng, 0.002 * trial);
      Problem<double> problem = test::toProblem(first);
      SolveOptions<double> options;
      options.newtonSteps = newtonSteps;
      GaussSeidel<double> kept(4), fresh(4);
      auto a = cold(4);
      ASSERT_TRUE(kept.solve(problem, a.data(), options).converged);
      auto b = a;
      for (int i = 0; i < 4; ++i)
        problem.setFreeVelocity(i, {second.b[3 * i], second.b[3 * i + 1], second.b[3 * i + 2]});
      const auto reportA = kept.resolve(problem, a.data(), options);
      const auto reportB = fresh.solve(problem, b.data(), options);
      EXPECT_TRUE(reportA.converged);
      EXPECT_EQ(reportA.sweeps, reportB.sweeps);
      EXPECT_EQ(distance(a, b), 0);
      EXPECT_LE(test::lawResidual(second, a), 1.01e-10);
    }
  }
}

TEST(GaussSeidel, WithoutFrictionSolvesTheComplementarityProblem) {
  Rng rng(6);
  for (int trial = 0; trial < 100; ++trial) {
    Dense d = test::randomMechanism(rng, 5, 19);
    for (double& mu : d.mu) mu = 0;
    const Problem<double> problem = test::toProblem(d);
    GaussSeidel<double> solver(5);
    auto lambda = cold(5);
    ASSERT_TRUE(solver.solve(problem, lambda.data()).converged);
    for (int i = 0; i < 5; ++i) {
      const Vec3d v = problem.velocity(i, lambda.data());
      EXPECT_EQ(lambda[i].x, 0);
      EXPECT_EQ(lambda[i].y, 0);
      EXPECT_GE(lambda[i].z, -1e-10);
      EXPECT_GE(v.z, -1e-10);
      EXPECT_NEAR(lambda[i].z * v.z, 0, 1e-9);
    }
  }
}

TEST(GaussSeidel, JointLimitsStandBesideContacts) {
  // Two of the groups are limits: one row each, tangential rows and columns zero.
  Rng rng(7);
  for (const int newtonSteps : {0, 10}) {
    for (int trial = 0; trial < 100; ++trial) {
      Dense d = test::randomMechanism(rng, 4, 16);
      for (const int i : {1, 3}) {
        d.mu[i] = 0;
        for (int t = 3 * i; t < 3 * i + 2; ++t) {
          d.b[t] = 0;
          for (int c = 0; c < d.rows(); ++c) d.at(t, c) = d.at(c, t) = 0;
        }
      }
      const Problem<double> problem = test::toProblem(d);
      GaussSeidel<double> solver(4);
      auto lambda = cold(4);
      SolveOptions<double> options = sweepsOnly(20000);
      options.newtonSteps = newtonSteps;
      ASSERT_TRUE(solver.solve(problem, lambda.data(), options).converged);
      EXPECT_LE(test::lawResidual(d, lambda), 1.01e-10);
      EXPECT_EQ(lambda[1].x, 0);
      EXPECT_EQ(lambda[3].y, 0);
    }
  }
}

TEST(GaussSeidel, RedundantContactsOfABox) {
  // Twelve rows on six degrees of freedom: impulses are not unique, velocities are.
  for (const double speed : {0.0, 0.003, 0.2}) {
    for (const double spin : {0.0, 1.0}) {
      const Dense d = test::box(speed, spin);
      const Problem<double> problem = test::toProblem(d);
      GaussSeidel<double> solver(4);
      auto lambda = cold(4);
      const auto report = solver.solve(problem, lambda.data());
      EXPECT_TRUE(report.converged) << speed << ' ' << spin << ": " << report.residual;
      EXPECT_LE(test::lawResidual(d, lambda), 1.01e-10);
      double load = 0;
      for (const Vec3d& l : lambda) load += l.z;
      if (speed < 0.005 && spin == 0) {
        EXPECT_NEAR(load, 2 * 0.0098, 1e-9);
      }
    }
  }
}

TEST(GaussSeidel, IslandsDoNotDisturbEachOther) {
  Rng rng(8);
  const Dense a = test::quadruped(rng, 0), b = test::quadruped(rng, 0.05);
  Dense both(8);
  for (int i = 0; i < 8; ++i) both.mu[i] = i % 2 ? b.mu[i / 2] : a.mu[i / 2];
  for (int r = 0; r < 24; ++r) {  // interleaved: a, b, a, b, ...
    const Dense& d = (r / 3) % 2 ? b : a;
    const int row = r / 6 * 3 + r % 3;
    both.b[r] = d.b[row];
    for (int c = 0; c < 24; ++c)
      if ((c / 3) % 2 == (r / 3) % 2) both.at(r, c) = d.at(row, c / 6 * 3 + c % 3);
  }
  GaussSeidel<double> solver(8);
  auto la = cold(4), lb = cold(4), together = cold(8);
  ASSERT_TRUE(solver.solve(test::toProblem(a), la.data()).converged);
  ASSERT_TRUE(solver.solve(test::toProblem(b), lb.data()).converged);
  ASSERT_TRUE(solver.solve(test::toProblem(both), together.data()).converged);
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(std::memcmp(&together[i], i % 2 ? &lb[i / 2] : &la[i / 2], sizeof(Vec3d)), 0) << i;
  }
}

/// `d` with the first group only as a contact that does not touch, or without it.
Dense firstIsFar(const Dense& d, bool isThere) {
  const int from = isThere ? 0 : 1, rows = d.rows() - 3 * from;
  Dense r(d.size() - from);
  for (int i = 0; i < rows; ++i) {
    r.b[i] = d.b[3 * from + i];
    for (int k = 0; k < rows; ++k) r.at(i, k) = d.at(3 * from + i, 3 * from + k);
  }
  for (int i = 0; i < r.size(); ++i) r.mu[i] = d.mu[from + i];
  if (isThere) r.b[2] = 100;
  return r;
}

TEST(GaussSeidel, AContactThatDoesNotTouchChangesNoBit) {
  Rng rng(21);
  int steps = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const Dense d = test::randomMechanism(rng, 5, 19);
    GaussSeidel<double> solver(5);
    auto with = cold(5), without = cold(4);
    const auto there = solver.solve(test::toProblem(firstIsFar(d, true)), with.data());
    const auto gone = solver.solve(test::toProblem(firstIsFar(d, false)), without.data());
    ASSERT_TRUE(there.converged);
    EXPECT_EQ(there.newtonSteps, gone.newtonSteps);
    EXPECT_EQ(std::memcmp(with.data() + 1, without.data(), 4 * sizeof(Vec3d)), 0) << trial;
    steps += there.newtonSteps;
  }
  EXPECT_GE(steps, 200);
}

TEST(GaussSeidel, SaysSoWhenTheBudgetIsSpent) {
  Rng rng(9);
  const Dense d = test::quadruped(rng, 0.05);
  const Problem<double> problem = test::toProblem(d);
  GaussSeidel<double> solver(4);
  auto lambda = cold(4);
  const auto report = solver.solve(problem, lambda.data(), sweepsOnly(2));
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.sweeps, 2);
  EXPECT_NEAR(report.residual, test::lawResidual(d, lambda), 1e-14);
  EXPECT_GT(report.residual, 1e-10);
}

TEST(GaussSeidel, EmptyAndOversizedProblems) {
  Problem<double> problem(2, 1);
  problem.finish();
  GaussSeidel<double> solver(1);
  const auto report = solver.solve(problem, nullptr);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.residual, 0);
  problem.addGroup({1, 0, 0, 1, 0, 1}, {0, 0, -1}, 0.5);
  problem.addGroup({1, 0, 0, 1, 0, 1}, {0, 0, -1}, 0.5);
  problem.finish();
  auto lambda = cold(2);
  EXPECT_THROW(solver.solve(problem, lambda.data()), std::invalid_argument);
}

TEST(GaussSeidel, FloatReachesItsTolerance) {
  Rng rng(10);
  for (int trial = 0; trial < 100; ++trial) {
    const Dense d =
        trial % 2 ? test::quadruped(rng, 0.001 * trial) : test::randomMechanism(rng, 3, 15);
    const Problem<float> problem = test::toProblem<float>({d});
    GaussSeidel<float> solver(4);
    Vec3<float> lambda[4] = {};
    const auto report = solver.solve(problem, lambda);
    EXPECT_TRUE(report.converged) << trial << ": " << report.residual;
    std::vector<Vec3d> wide;
    for (int i = 0; i < d.size(); ++i) wide.push_back({lambda[i].x, lambda[i].y, lambda[i].z});
    EXPECT_LE(test::lawResidual(d, wide), 2e-5);
  }
}

// ---- lanes

template <class L>
void lanesEqualScalar(int newtonSteps) {
  using S = value_t<L>;
  Rng rng(11);
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<Dense> worlds;
    for (int l = 0; l < lanes_v<L>; ++l) {
      worlds.push_back(trial % 2 ? test::quadruped(rng, l == 1 ? 0.05 : 0.0)
                                 : test::randomMechanism(rng, 4, 17));
      // In one lane the third slot is not in contact.
      Dense& d = worlds.back();
      if (l == 2) {
        for (int r = 6; r < 9; ++r)
          for (int c = 0; c < 12; ++c) d.at(r, c) = d.at(c, r) = r == c;
        d.b[6] = d.b[7] = 0;
        d.b[8] = Problem<S>::inactive();
      }
    }
    SolveOptions<L> options;
    options.newtonSteps = newtonSteps;
    options.maxSweeps = 300;
    SolveOptions<S> scalarOptions;
    scalarOptions.newtonSteps = newtonSteps;
    scalarOptions.maxSweeps = 300;

    const Problem<L> problem = test::toProblem<L>(worlds);
    GaussSeidel<L> solver(4);
    std::vector<Vec3<L>> lambda(4, zero3<L>());
    const auto report = solver.solve(problem, lambda.data(), options);
    for (int l = 0; l < lanes_v<L>; ++l) {
      const Problem<S> alone = test::toProblem<S>({worlds[l]});
      GaussSeidel<S> scalarSolver(4);
      std::vector<Vec3<S>> expected(4, zero3<S>());
      const auto scalarReport = scalarSolver.solve(alone, expected.data(), scalarOptions);
      EXPECT_EQ(lane(report.residual, l), scalarReport.residual);
      EXPECT_GE(report.sweeps, scalarReport.sweeps);
      for (int i = 0; i < 4; ++i) {
        const Vec3<S> one = {lane(lambda[i].x, l), lane(lambda[i].y, l), lane(lambda[i].z, l)};
        ASSERT_EQ(std::memcmp(&one, &expected[i], sizeof one), 0)
            << "trial " << trial << ", lane " << l << ", contact " << i << ": " << one.z
            << " alone " << expected[i].z;
      }
    }
  }
}

TEST(GaussSeidelLanes, SweepsGiveTheBitsOfTheScalar) {
  lanesEqualScalar<DoubleLanes>(0);
  lanesEqualScalar<FloatLanes>(0);
}
TEST(GaussSeidelLanes, NewtonGivesTheBitsOfTheScalar) {
  lanesEqualScalar<DoubleLanes>(10);
  lanesEqualScalar<FloatLanes>(10);
}

/// Contacts of bodies with one degree of freedom, along d = (c, 0, s): impulses across d move nothing,
/// and lie in the cone. No impulse satisfies the law where d's line does not reach it.
TEST(GaussSeidel, LeavesUnsolvedIslandsToRetry) {
  const double s = 0.2, c = std::sqrt(1 - s * s);
  const Column3<double> y[] = {Vec3d{c, 0, s}};
  Problem<double> problem(Capacity{2, 16, 2, 2});
  for (int body = 0; body < 2; ++body) {
    const Side<double> side{body, nullptr, 1, y, y};
    // The first is pressed down its line, the second asked to leave where it cannot.
    const Vec3d b = body == 0 ? Vec3d{-c, 0, -s} : Vec3d{0, 0, -0.1};
    problem.addGroup({&side, 1}, b, 0.8);
  }
  problem.finish();
  ASSERT_EQ(problem.islands(), 2);
  GaussSeidel<double> solver(Capacity{2, 16, 2, 2});
  SolveOptions<double> options;
  options.fallsBack = false;
  auto lambda = cold(2);
  const auto first = solver.solve(problem, lambda.data(), options);
  EXPECT_EQ(first.left, 1);
  EXPECT_FALSE(solver.isLeft(0));
  EXPECT_TRUE(solver.isLeft(1));
  EXPECT_FALSE(first.converged);
  EXPECT_EQ(first.sweeps, 0);
  const Vec3d solved = lambda[0];
  EXPECT_NEAR(c * solved.x + s * solved.z, 1, 1e-10);

  problem.setFreeVelocity(1, {0, 0, 0});
  options.fallsBack = true;
  const auto second = solver.retry(problem, lambda.data(), options);
  EXPECT_TRUE(second.converged);
  EXPECT_EQ(second.left, 0);
  EXPECT_GE(second.newtonSteps, first.newtonSteps);
  EXPECT_EQ(std::memcmp(&lambda[0], &solved, sizeof solved), 0);
  EXPECT_NEAR(c * lambda[1].x + s * lambda[1].z, 0, 1e-9);
}

}  // namespace
}  // namespace espalier::contact

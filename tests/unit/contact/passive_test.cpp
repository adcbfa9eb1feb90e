// What is handed back of a solve that ends early puts no energy in, and impulses against what cannot
// be satisfied stay bounded. Energies are computed from the scenes' dense numbers, apart from the
// library.

#include "espalier/contact/passive.h"

#include <gtest/gtest.h>

#include "espalier/contact/gauss_seidel.h"
#include "tests/unit/contact/scenes.h"

namespace espalier::contact::test {
namespace {

/// x . (G lambda) and x . b of all groups.
struct Work {
  double onB = 0, square = 0, size = 0;  // size: of the sums' terms, for rounding
};

Work workOf(const Dense& d, const std::vector<Vec3d>& lambda) {
  std::vector<double> x;
  for (const Vec3d& l : lambda) x.insert(x.end(), {l.x, l.y, l.z});
  Work work;
  for (int r = 0; r < d.rows(); ++r) {
    work.onB += x[r] * d.b[r];
    work.size += std::abs(x[r] * d.b[r]);
    for (int c = 0; c < d.rows(); ++c) {
      work.square += x[r] * d.at(r, c) * x[c];
      work.size += std::abs(x[r] * d.at(r, c) * x[c]);
    }
  }
  return work;
}

bool isInCones(const Dense& d, const std::vector<Vec3d>& lambda) {
  for (int i = 0; i < d.size(); ++i) {
    const Vec3d& l = lambda[i];
    if (std::hypot(l.x, l.y) > d.mu[i] * l.z * (1 + 1e-12) + 1e-300) return false;
  }
  return true;
}

std::vector<Vec3d> wildImpulses(Rng& rng, int groups, double size) {
  std::vector<Vec3d> lambda(static_cast<std::size_t>(groups));
  for (Vec3d& l : lambda)
    l = {uniform(rng, -size, size), uniform(rng, -size, size), uniform(rng, 0, size)};
  return lambda;
}

Scene anyScene(Rng& rng, int i) {
  switch (i % 4) {
    case 0: return randomBodies(rng, 3 + i % 5, 12, 100, true);
    case 1: return jammed(rng, 6 + i % 7, 1);
    case 2: return leaning(rng, 1);
    default: return heap(rng, 2, 3);
  }
}

void expectPassive(const Dense& dense, const std::vector<Vec3d>& lambda, double tolerance, int i) {
  const Work work = workOf(dense, lambda);
  EXPECT_LE(work.onB + work.square, tolerance * work.size) << i;
  EXPECT_TRUE(isInCones(dense, lambda)) << i;
}

/// Impulses as wild as one likes, on islands with blocks and without.
TEST(Passive, TakesEnergyOrLeavesIt) {
  Rng rng(3);
  int reduced = 0;
  for (int i = 0; i < 200; ++i) {
    const Scene scene = anyScene(rng, i);
    const Dense dense = scene.dense();
    Problem<double> problem(scene.capacity());
    scene.fill(problem);
    Passive<double> passive;
    passive.reserve(scene.size(), scene.numbers);
    std::vector<Vec3d> lambda = wildImpulses(rng, scene.size(), std::pow(10, uniform(rng, -3, 9)));
    for (int k = 0; k < scene.size(); ++k) lambda[k] = problem.admissible(k, lambda.data());
    for (int k = 0; k < problem.islands(); ++k)
      reduced += passive.limit(problem, problem.island(k), lambda.data(), 1e9, false).isReduced;
    expectPassive(dense, lambda, 1e-10, i);
  }
  EXPECT_GT(reduced, 100);
}

/// A solver that is stopped after a sweep or two.
TEST(Passive, IsTheSolversResult) {
  Rng rng(4);
  int unsolved = 0;
  for (int i = 0; i < 200; ++i) {
    const Scene scene = anyScene(rng, i);
    const Dense dense = scene.dense();
    Problem<double> problem(scene.capacity());
    scene.fill(problem);
    GaussSeidel<double> solver(scene.capacity());
    SolveOptions<double> options;
    options.maxSweeps = 1 + i % 2;
    options.newtonSteps = options.primalSteps = 0;
    std::vector<Vec3d> lambda = wildImpulses(rng, scene.size(), 100);
    const auto report = solver.solve(problem, lambda.data(), options);
    unsolved += report.unsolved > 0;
    EXPECT_NEAR(report.residual, solver.largestResidual(problem, lambda.data()),
                1e-9 * report.residual);
    expectPassive(dense, lambda, 1e-9, i);
  }
  EXPECT_GT(unsolved, 100);
}

/// What has no solution: a body between two walls that come together. The impulses of a long solve
/// grow with its length; those of any that are handed back bring in no more than the walls' speed.
TEST(Passive, ImpulsesAgainstTheInfeasibleSaturate) {
  Rng rng(5);
  for (int i = 0; i < 100; ++i) {
    const double speed = std::pow(10, uniform(rng, -2, 1));
    const int contacts = 2 + i % 30;
    Scene scene = jammed(rng, contacts, 0);
    Problem<double> problem(scene.capacity());
    for (Scene::Group& group : scene.groups) group.b.z -= speed;
    scene.fill(problem);
    for (int k = 0; k < scene.size(); ++k) problem.setGiven(k, {0, 0, -speed});
    GaussSeidel<double> solver(scene.capacity());
    SolveOptions<double> options;
    options.maxSweeps = 200;
    std::vector<Vec3d> lambda(static_cast<std::size_t>(scene.size()));
    const auto report = solver.solve(problem, lambda.data(), options);
    if (report.unsolved == 0) continue;
    const Work work = workOf(scene.dense(), lambda);
    double onGiven = 0, allowed = 0;
    for (int k = 0; k < scene.size(); ++k) {
      onGiven -= lambda[k].z * speed;
      allowed += 0.5 * speed * speed / problem.diagonal(k).zz;
    }
    EXPECT_LE(work.onB - onGiven + 0.5 * work.square, allowed + 1e-12 * work.size) << i;
    EXPECT_LE(work.onB + work.square, 1e-9 * work.size) << i;
  }
}

/// Impulses that are no numbers are dropped.
TEST(Passive, NaNImpulsesBecomeZero) {
  Rng rng(6);
  const Scene scene = stack({1, 1}, 0.2, 0.5, 0);
  Problem<double> problem(scene.capacity());
  scene.fill(problem);
  Passive<double> passive;
  passive.reserve(scene.size(), scene.numbers);
  std::vector<Vec3d> lambda = wildImpulses(rng, scene.size(), 1);
  lambda[3].x = HUGE_VAL - HUGE_VAL;
  const auto report = passive.limit(problem, problem.island(0), lambda.data(), HUGE_VAL, false);
  EXPECT_TRUE(report.isReduced);
  for (const Vec3d& l : lambda) EXPECT_TRUE(std::isfinite(l.x + l.y + l.z));
  EXPECT_TRUE(std::isfinite(report.residual));
}

/// What is a solution is handed back as it is.
TEST(Passive, LeavesASolutionAlone) {
  Rng rng(7);
  for (int i = 0; i < 20; ++i) {
    const Scene scene = randomBodies(rng, 3, 8, 10);
    Problem<double> problem(scene.capacity());
    scene.fill(problem);
    GaussSeidel<double> solver(scene.capacity());
    std::vector<Vec3d> lambda(static_cast<std::size_t>(scene.size()));
    const auto report = solver.solve(problem, lambda.data(), {.tolerance = 1e-12});
    if (!report.converged) continue;
    Passive<double> passive;
    passive.reserve(scene.size(), scene.numbers);
    for (int k = 0; k < problem.islands(); ++k) {
      const std::vector<Vec3d> before = lambda;
      EXPECT_FALSE(passive.limit(problem, problem.island(k), lambda.data(), 0, true).isReduced);
      for (int g = 0; g < scene.size(); ++g) EXPECT_EQ(norm(lambda[g] - before[g]), 0);
    }
  }
}

}  // namespace
}  // namespace espalier::contact::test

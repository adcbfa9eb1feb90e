// Newton's method on velocities: the law's own residual, computed apart from the library, is the
// judge; lanes against scalars; the groups that it must leave to others.
#include <gtest/gtest.h>

#include "espalier/contact/gauss_seidel.h"
#include "espalier/contact/island_rows.h"
#include "espalier/contact/primal_dual_impl.h"
#include "tests/unit/contact/scenes.h"

namespace espalier::contact {
namespace {

using test::Rng;
using test::Scene;
using test::uniform;

/// Newton alone, without sweeps.
SolveOptions<double> alone(int steps) {
  SolveOptions<double> options;
  options.newtonSteps = 0;
  options.primalSteps = steps;
  options.maxSweeps = 17;  // those that may come before it, and one
  return options;
}

struct Solved {
  std::vector<Vec3d> lambda;
  SolveReport<double> report;
};

Solved solve(const Scene& scene, const SolveOptions<double>& options) {
  Problem<double> problem(scene.capacity());
  scene.fill(problem);
  GaussSeidel<double> solver(scene.capacity());
  Solved s{std::vector<Vec3d>(scene.size(), zero3<double>()), {}};
  s.report = solver.solve(problem, s.lambda.data(), options);
  EXPECT_NEAR(s.report.residual, test::lawResidual(scene.dense(), s.lambda),
              1e-12 + 1e-3 * s.report.residual);
  return s;
}

TEST(PrimalNewton, StacksAndLeaningRobotsObeyTheLaw) {
  Rng rng(1);
  std::vector<Scene> scenes = {test::stack(std::vector<double>(6, 1.0), 0.2, 0.6, 0.001),
                               test::stack({1, 1, 1, 1, 1e3}, 0.2, 0.6, 0)};
  for (int k = 0; k < 20; ++k) scenes.push_back(test::leaning(rng, 0.05 * k));
  for (std::size_t k = 0; k < scenes.size(); ++k) {
    const Solved s = solve(scenes[k], alone(200));
    EXPECT_TRUE(s.report.converged) << "scene " << k << ": " << s.report.residual;
    EXPECT_GT(s.report.newtonSteps, 0);
  }
}

TEST(PrimalNewton, TheConesDerivativeIsFiniteOnItsAxis) {
  for (const double normal : {-1e9, 0.0, 1.0, 1e9}) {
    Vec3d p;
    Mat3d j;
    primal_detail::coneDerivative<double>({0, 0, normal}, 0.8, p, j);
    const double own = normal > 0 ? 1 : 0;
    EXPECT_EQ(p.z, own * normal);
    for (int row = 0; row < 3; ++row)
      for (int col = 0; col < 3; ++col)
        EXPECT_EQ((&(&j.r0)[row].x)[col], row == col ? own : 0) << normal;
  }
}

TEST(PrimalNewton, ColumnsAreFilledUpRunByRun) {
  constexpr int numbers[] = {0, 1, 2, 3, 4, 8, 10, 11};
  const int filled[] = {0, 4, 4, 4, 4, 8, 12, 16, 16};
  for (int n = 0; n <= 8; ++n) EXPECT_EQ(filledColumns(numbers, n), filled[n]) << n;
}

// With the columns counted every island fits, and the result is that of more room.
TEST(PrimalNewton, CountedColumnsAreRoomEnough) {
  Rng rng(8);
  for (int k = 0; k < 20; ++k) {
    const Scene scene =
        k < 10 ? test::leaning(rng, 0.05 * k) : test::randomBodies(rng, 2 + k % 4, 20 + k, 10);
    Problem<double> problem(scene.capacity());
    scene.fill(problem);
    Capacity counted = scene.capacity();
    for (int i = 0; i < problem.size(); ++i)
      for (const Side<double>& s : problem.sides(i)) {
        std::vector<int> number(static_cast<std::size_t>(s.count));
        for (int c = 0; c < s.count; ++c) number[c] = s.dof ? s.dof[c] : c;
        counted.columns += filledColumns(number.data(), s.count);
      }
    const Solved roomy = solve(scene, alone(200));
    GaussSeidel<double> solver(counted);
    std::vector<Vec3d> lambda(scene.size(), zero3<double>());
    const SolveReport<double> report = solver.solve(problem, lambda.data(), alone(200));
    EXPECT_EQ(report.newtonSteps, roomy.report.newtonSteps) << "scene " << k;
    EXPECT_EQ(report.residual, roomy.report.residual) << "scene " << k;
  }
}

TEST(PrimalNewton, RedundantContactsOfRandomBodies) {
  Rng rng(2);
  int converged = 0;
  constexpr int trials = 100;
  for (int k = 0; k < trials; ++k) {
    const Scene scene = test::randomBodies(rng, 2 + k % 4, 20 + k % 20, 10);
    converged += solve(scene, alone(200)).report.converged;
  }
  // What is missed goes to sweeps.
  EXPECT_GE(converged, trials * 9 / 10);
}

TEST(PrimalNewton, AgreesOnVelocitiesWithSweeps) {
  // Regular problems have one solution of velocities where friction is small.
  Rng rng(3);
  int compared = 0;
  for (int k = 0; k < 60; ++k) {
    Scene scene = test::randomBodies(rng, 4, 5, 10);
    for (auto& group : scene.groups) group.mu *= 0.1;
    const Solved byNewton = solve(scene, alone(300));
    SolveOptions<double> options;
    options.newtonSteps = options.primalSteps = 0;
    options.maxSweeps = 20000;
    const Solved bySweeps = solve(scene, options);
    ASSERT_TRUE(byNewton.report.converged);
    if (!bySweeps.report.converged) continue;
    ++compared;
    const test::Dense d = scene.dense();
    for (int r = 0; r < d.rows(); ++r) {
      double difference = 0;
      for (int c = 0; c < d.rows(); ++c)
        difference +=
            d.at(r, c) * ((&byNewton.lambda[c / 3].x)[c % 3] - (&bySweeps.lambda[c / 3].x)[c % 3]);
      ASSERT_NEAR(difference, 0, 1e-7) << k;
    }
  }
  EXPECT_GT(compared, 50);
}

TEST(PrimalNewton, AnEffortBoundsItsSteps) {
  Rng rng(9);
  long steps = 0, stepsOfAll = 0;
  for (int k = 0; k < 40; ++k) {
    const Scene scene = test::randomBodies(rng, 4, 40, 100);
    SolveOptions<double> options = alone(300);
    stepsOfAll += solve(scene, options).report.newtonSteps;
    options.effort = 1;
    const Solved s = solve(scene, options);
    steps += s.report.newtonSteps;
    EXPECT_LE(s.report.newtonSteps, 60);  // a step of it costs a fifth of all else
    for (const Vec3d& l : s.lambda) EXPECT_TRUE(std::isfinite(l.x + l.y + l.z));
  }
  EXPECT_LT(steps, stepsOfAll);
}

TEST(PrimalNewton, ASolutionIsLeftAsItIs) {
  const Scene scene = test::stack(std::vector<double>(5, 1.0), 0.2, 0.6, 0.002);
  Problem<double> problem(scene.capacity());
  scene.fill(problem);
  GaussSeidel<double> solver(scene.capacity());
  std::vector<Vec3d> lambda(scene.size(), zero3<double>());
  ASSERT_TRUE(solver.solve(problem, lambda.data(), alone(200)).converged);
  const std::vector<Vec3d> before = lambda;
  const auto again = solver.solve(problem, lambda.data(), alone(200));
  EXPECT_EQ(again.newtonSteps, 0);
  for (int i = 0; i < scene.size(); ++i) EXPECT_EQ(norm(lambda[i] - before[i]), 0) << i;
}

/// A robot of 12 joints with dry friction on four redundant feet, standing: random levers.
struct Standing {
  static constexpr int joints = 12, feet = 8, numbers = 12;
  std::vector<Column3<double>> y;
  std::vector<Vec3d> b;
  Problem<double> problem{Capacity{joints + feet, 0, joints + feet, numbers}};

  explicit Standing(Rng& rng) {
    for (int k = 0; k < (joints + feet) * numbers; ++k)
      y.emplace_back(Vec3d{uniform(rng, -1, 1), uniform(rng, -1, 1), uniform(rng, -1, 1)});
    for (int k = 0; k < joints * numbers; ++k) y[k] = Vec3d{0, 0, y[k].z()};
    for (int i = 0; i < joints; ++i) b.push_back({0, 0, uniform(rng, -1, 1)});
    for (int i = 0; i < feet; ++i) b.push_back({uniform(rng, -1, 1), uniform(rng, -1, 1), -1});
    assemble();
  }
  void assemble() {
    problem.clear();
    for (int i = 0; i < joints + feet; ++i) {
      const Column3<double>* own = &y[i * numbers];
      const Side<double> side{0, nullptr, numbers, own, own};
      const Vec3d& rate = b[i];
      if (i < joints)
        problem.addBounded(std::span(&side, 1), rate, {0, 0, -0.05}, {0, 0, 0.05});
      else
        problem.addGroup(std::span(&side, 1), rate, 0.8);
    }
    problem.finish(0);
  }
};

// Contacts that change their status raise the residual for a step or two, and those at the edge between two
// need impulses near the last ones. Without both, 403 are solved, with them 421.
TEST(PrimalNewton, StepsFindChangesOfStatus) {
  Rng rng(11);
  int solved = 0;
  for (int k = 0; k < 600; ++k) {
    Standing robot(rng);
    const Capacity capacity{robot.problem.size(), 0, robot.problem.size(), Standing::numbers};
    std::vector<Vec3d> lambda(static_cast<std::size_t>(robot.problem.size()), zero3<double>());
    GaussSeidel<double> solver(capacity);
    if (!solver.solve(robot.problem, lambda.data(), alone(300)).converged) continue;
    const double change = k < 200 ? 0.03 : k < 400 ? 0.1 : 0.3;
    for (Vec3d& b : robot.b) b.z += uniform(rng, -1, 1) * change;
    robot.assemble();
    PrimalNewton<double> newton;
    newton.reserve(capacity.groups, capacity.numbers, 0);
    const auto island = robot.problem.island(0);
    ASSERT_TRUE(newton.load(robot.problem, island));
    const double residual = newton.residual(robot.problem, island, lambda.data());
    const auto report = newton.trySteps(robot.problem, island, lambda.data(), residual, 1e-8, true);
    if (report.residual > 1e-8) continue;
    ++solved;
    for (int i = 0; i < robot.problem.size(); ++i) {
      const Vec3d allowed = robot.problem.admissible(i, lambda.data());
      EXPECT_LE(norm(allowed - lambda[i]), 1e-14 * (1 + norm(allowed)));
    }
    EXPECT_NEAR(newton.residual(robot.problem, island, lambda.data()), report.residual, 1e-10);
  }
  EXPECT_GE(solved, 415);
}

TEST(PrimalNewton, RowsOfJointsAreBlocksOfOneRow) {
  // A point mass on three orthogonal sliders with dry friction f, pressed on the ground and pushed:
  // v_x stays zero below the sum of both frictions, and takes the rest above it.
  for (const double push : {0.5, 2.0}) {
    const double f = 0.4, mu = 0.5, weight = 1;
    const Column3<double> x = Vec3d{1, 0, 0}, up = Vec3d{0, 0, 1}, side = Vec3d{0, 1, 0};
    const std::vector<Column3<double>> contact = {x, side, up}, slider = {Vec3d{0, 0, 1}};
    Problem<double> problem(Capacity{2, 8, 2, 3});
    problem.clear();
    const Side<double> ofContact{0, nullptr, 3, contact.data(), contact.data()};
    const Side<double> ofSlider{0, nullptr, 1, slider.data(), slider.data()};
    problem.addGroup(std::span(&ofContact, 1), {push, 0, -weight}, mu);
    problem.addBounded(std::span(&ofSlider, 1), {0, 0, push}, {0, 0, -f}, {0, 0, f});
    problem.finish();
    GaussSeidel<double> solver(Capacity{2, 8, 2, 3});
    std::vector<Vec3d> lambda(2, zero3<double>());
    const auto report = solver.solve(problem, lambda.data(), alone(50));
    ASSERT_TRUE(report.converged) << report.residual;
    EXPECT_NEAR(lambda[0].z, weight, 1e-9);
    const double v = push + lambda[0].x + lambda[1].z;
    EXPECT_NEAR(v, std::max(push - f - mu * weight, 0.0), 1e-9);
    EXPECT_LE(std::abs(lambda[1].z), f * (1 + 1e-12));
  }
}

TEST(PrimalNewton, SoftRowsAreClampedInClosedForm) {
  // v = b + lambda + softness lambda, lambda within +-most.
  const std::vector<Column3<double>> one = {Vec3d{0, 0, 1}};
  const Side<double> side{0, nullptr, 1, one.data(), one.data()};
  for (const double b : {-3.0, -0.5, 0.2, 4.0}) {
    const double softness = 0.5, most = 1;
    Problem<double> problem(Capacity{1, 8, 1, 1});
    problem.clear();
    problem.addBounded(std::span(&side, 1), {0, 0, b}, {0, 0, -most}, {0, 0, most},
                       {0, 0, softness});
    problem.finish();
    GaussSeidel<double> solver(Capacity{1, 8, 1, 1});
    std::vector<Vec3d> lambda(1, zero3<double>());
    ASSERT_TRUE(solver.solve(problem, lambda.data(), alone(50)).converged);
    EXPECT_NEAR(lambda[0].z, std::clamp(-b / (1 + softness), -most, most), 1e-9) << b;
  }
}

/// Two groups of one row each that act against each other on one number, solved from nothing.
///   in   add  add(problem, side, i) adds group i
///   out  lambda  [2]
template <class Add>
PrimalReport<double> solveOpposed(const Add& add, double residual, int steps,
                                  std::vector<Vec3d>& lambda) {
  const std::vector<Column3<double>> there = {Vec3d{0, 0, 1}}, back = {Vec3d{0, 0, -1}};
  Problem<double> problem(Capacity{2, 8, 2, 2});
  problem.clear();
  int i = 0;
  for (const auto* y : {&there, &back}) {
    const Side<double> side{0, nullptr, 1, y->data(), y->data()};
    add(problem, std::span(&side, 1), i++);
  }
  problem.finish();
  PrimalNewton<double> newton;
  newton.reserve(2, 8, 0);
  EXPECT_TRUE(newton.load(problem, problem.island(0)));
  lambda.assign(2, zero3<double>());
  return newton.solve(problem, problem.island(0), lambda.data(), residual, 1e-9, {steps}, true);
}

TEST(PrimalNewton, IsGivenUpWhereLimitsExcludeOneAnother) {
  // Limits of two joints that a loop ties together: where there is less room than push, one leads beyond
  // the other.
  const double push = 0.95;
  for (const double room : {1.0, 0.9}) {
    std::vector<Vec3d> lambda;
    const auto report = solveOpposed(
        [&](auto& problem, auto sides, int i) {
          problem.addGroup(sides, {0, 0, i == 0 ? -push : room}, 0);
        },
        push, 200, lambda);
    EXPECT_EQ(report.residual <= 1e-9, room > push) << room;
    EXPECT_LT(report.steps, 10) << room;
  }
}

TEST(PrimalNewton, MultipliersMoveOnWhereFIsZero) {
  // Two rows with dry friction f on one number, pulled apart: each slips at its bound, and on the way there
  // their impulses cancel.
  const double f = 0.5, pull = 1e-6;
  std::vector<Vec3d> lambda;
  const auto report = solveOpposed(
      [&](auto& problem, auto sides, int) {
        problem.addBounded(sides, {0, 0, -pull}, {0, 0, -f}, {0, 0, f});
      },
      pull, 30, lambda);
  EXPECT_LE(report.residual, 1e-9);
  EXPECT_LT(report.steps, 15);
  for (const Vec3d& impulse : lambda) EXPECT_NEAR(impulse.z, f, 1e-12);
}

/// A ball on the ground that turns at w: the couple is at most `rolling` times the load.
class RollingBall {
 public:
  static constexpr double mass = 2, inertia = 0.1, rolling = 0.02, load = 0.5;

  explicit RollingBall(double w) : w_(w) {
    for (int k = 0; k < 6; ++k) {
      const Vec3d axis{double(k % 3 == 0), double(k % 3 == 1), double(k % 3 == 2)};
      const double m = k < 3 ? 1 / mass : 1 / inertia;
      linear_.push_back(k < 3 ? axis : zero3<double>());
      angular_.push_back(k < 3 ? zero3<double>() : axis);
      linearD_.push_back(linear_.back() * m);
      angularD_.push_back(angular_.back() * m);
    }
    const Side<double> point{0, nullptr, 6, linear_.data(), linearD_.data()};
    const Side<double> spin{0, nullptr, 6, angular_.data(), angularD_.data()};
    problem.clear();
    problem.addGroup(std::span(&point, 1), {0, 0, -load / mass}, 0.8);
    problem.addTorsion(std::span(&spin, 1), {w, 0, 0}, 0, rolling, rolling, rolling);
    problem.finish();
  }

  void expectSolved(const std::vector<Vec3d>& lambda) const {
    EXPECT_NEAR(lambda[0].z, load, 1e-8);
    EXPECT_NEAR(lambda[1].x, -std::min(w_ * inertia, rolling * load), 1e-8);
  }

  static constexpr Capacity capacity{2, 8, 2, 6};
  Problem<double> problem{capacity};

 private:
  double w_;
  std::vector<Column3<double>> linear_, linearD_, angular_, angularD_;
};

TEST(PrimalNewton, RollingFrictionHangsOnItsContact) {
  for (const double w : {0.01, 3.0}) {
    const RollingBall ball(w);
    GaussSeidel<double> solver(RollingBall::capacity);
    std::vector<Vec3d> lambda(2, zero3<double>());
    const auto report = solver.solve(ball.problem, lambda.data(), alone(100));
    ASSERT_TRUE(report.converged) << report.residual;
    ball.expectSolved(lambda);
  }
}

TEST(PrimalNewton, PrimalDualStepsMoveTheBoundOfRollingFriction) {
  // From a load that was a tenth smaller, so that the bound grows. While nothing changes its status the equations are
  // linear: one step is exact but for the 1e-4 by which the steps are regularised.
  for (const double w : {0.01, 3.0}) {
    const RollingBall ball(w);
    PrimalNewton<double> newton;
    newton.reserve(2, 8, 0);
    const auto island = ball.problem.island(0);
    ASSERT_TRUE(newton.load(ball.problem, island));
    const double couple =
        std::min(w * RollingBall::inertia, RollingBall::rolling * RollingBall::load);
    std::vector<Vec3d> lambda = {{0, 0, 0.9 * RollingBall::load}, {-0.9 * couple, 0, 0}};
    const double before = newton.residual(ball.problem, island, lambda.data());
    ASSERT_GT(before, 1e-4);
    const auto first =
        newton.trySteps(ball.problem, island, lambda.data(), before, 1e-3 * before, true);
    EXPECT_EQ(first.steps, 1) << w;
    EXPECT_LE(first.residual, 1e-3 * before) << w;
    const double left = newton.residual(ball.problem, island, lambda.data());
    const auto rest = newton.trySteps(ball.problem, island, lambda.data(), left, 1e-9, true);
    EXPECT_LE(rest.residual, 1e-9) << w;
    ball.expectSolved(lambda);
  }
}

TEST(PrimalNewton, ProblemsGivenByBlocksAreLeftToSweeps) {
  Rng rng(5);
  const test::Dense d = test::quadruped(rng, 0.3);
  Problem<double> problem = test::toProblem(d);
  EXPECT_FALSE(problem.isBySides());
  GaussSeidel<double> solver(d.size());
  std::vector<Vec3d> lambda(d.size(), zero3<double>());
  SolveOptions<double> options;
  options.newtonSteps = 0;
  const auto report = solver.solve(problem, lambda.data(), options);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.newtonSteps, 0);
}

/// A scene with the same numbers in every lane but for b, which lane l has l % of.
template <class T>
void fillLanes(const Scene& scene, std::vector<std::vector<Column3<T>>>& numbers,
               Problem<T>& problem) {
  problem.clear();
  numbers.clear();
  numbers.reserve(static_cast<std::size_t>(2 * scene.sides()));
  for (const Scene::Group& group : scene.groups) {
    std::vector<Side<T>> sides;
    for (const Scene::Rows& rows : group.sides) {
      const Side<double> side = rows.side();
      Side<T> wide{side.mover, side.dof, side.count};
      for (const Column3<double>* from : {side.y, side.yd}) {
        std::vector<Column3<T>> to;
        for (int k = 0; k < side.count; ++k) {
          const Vec3d v = from[k].vec3();
          to.push_back(Vec3<T>{bc<T>(v.x), bc<T>(v.y), bc<T>(v.z)});
        }
        numbers.push_back(std::move(to));
      }
      wide.y = numbers[numbers.size() - 2].data();
      wide.yd = numbers.back().data();
      sides.push_back(wide);
    }
    Vec3<T> b;
    for (int l = 0; l < lanes_v<T>; ++l) {
      setLane(b.x, l, group.b.x * (1 + 0.3 * l));
      setLane(b.y, l, group.b.y * (1 + 0.3 * l));
      setLane(b.z, l, group.b.z * (1 + 0.3 * l));
    }
    problem.addGroup(std::span<const Side<T>>(sides), b, bc<T>(group.mu));
  }
  problem.finish();
}

TEST(PrimalNewton, LanesHaveTheBitsOfTheScalar) {
  Rng rng(6);
  int steps = 0;
  for (int trial = 0; trial < 40; ++trial) {
    Scene scene = trial % 2 ? test::leaning(rng, 0.2)
                            : test::stack(std::vector<double>(5, 1.0), 0.2, 0.6, 0.0005 * trial);
    std::vector<std::vector<Column3<DoubleLanes>>> numbers;
    Problem<DoubleLanes> wide(scene.capacity());
    fillLanes(scene, numbers, wide);
    GaussSeidel<DoubleLanes> lanes(scene.capacity());
    std::vector<Vec3<DoubleLanes>> all(static_cast<std::size_t>(scene.size()),
                                       zero3<DoubleLanes>());
    SolveOptions<DoubleLanes> options;
    options.newtonSteps = 0;
    options.primalSteps = 60;
    options.maxSweeps = 20;
    lanes.solve(wide, all.data(), options);
    const std::vector<Scene::Group> groups = scene.groups;
    for (int l = 0; l < lanes_v<DoubleLanes>; ++l) {
      for (std::size_t i = 0; i < groups.size(); ++i)
        scene.groups[i].b = groups[i].b * (1 + 0.3 * l);
      SolveOptions<double> same = alone(60);
      same.maxSweeps = 20;
      const Solved s = solve(scene, same);
      steps += s.report.newtonSteps;
      for (int i = 0; i < scene.size(); ++i) {
        ASSERT_EQ(lane(all[i].x, l), s.lambda[i].x) << trial << ", lane " << l;
        ASSERT_EQ(lane(all[i].y, l), s.lambda[i].y);
        ASSERT_EQ(lane(all[i].z, l), s.lambda[i].z);
      }
    }
  }
  EXPECT_GT(steps, 0);
}

/// Rows of an island that are read where others were before are those that a new object has.
class ReadRows {
 public:
  explicit ReadRows(const Scene& largest) : capacity_(largest.capacity()) { reserve(known_); }

  void expectAsNew(const Scene& scene, Rng& rng) {
    Problem<double> problem(scene.capacity());
    scene.fill(problem);
    IslandRows<double> fresh;
    reserve(fresh);
    for (int island = 0; island < problem.islands(); ++island) {
      ASSERT_TRUE(known_.load(problem, problem.island(island)));
      ASSERT_TRUE(fresh.load(problem, problem.island(island)));
      ASSERT_EQ(known_.numbers(), fresh.numbers());
      ASSERT_EQ(known_.groups(), fresh.groups());
      std::vector<double> a(static_cast<std::size_t>(fresh.numbers()) + 3), pushed = a, wanted = a;
      for (int k = 0; k < fresh.numbers(); ++k) a[k] = uniform(rng, -1, 1);
      for (int k = 0; k < fresh.groups(); ++k) {
        const Vec3d lambda{uniform(rng, -1, 1), uniform(rng, -1, 1), uniform(rng, -1, 1)};
        const Vec3d v = known_.velocity(k, lambda, a.data()),
                    w = fresh.velocity(k, lambda, a.data());
        EXPECT_TRUE(v.x == w.x && v.y == w.y && v.z == w.z) << "group " << k;
        known_.push(k, lambda, pushed.data());
        fresh.push(k, lambda, wanted.data());
      }
      EXPECT_EQ(pushed, wanted);
    }
  }

 private:
  void reserve(IslandRows<double>& rows) const {
    rows.reserve(capacity_.groups, capacity_.numbers, capacity_.numbers);
  }
  Capacity capacity_;
  IslandRows<double> known_;
};

TEST(IslandRows, ReadAgainInTheirPlacesAreThoseOfANewObject) {
  Rng rng(5);
  const auto draw = [&] {
    Scene scene = test::leaning(rng, 0.3);
    Scene::Group twoLegs = scene.groups[0];  // of one robot: both sides have its base
    twoLegs.sides.push_back(scene.groups[1].sides[0]);
    scene.groups.push_back(twoLegs);
    return scene;
  };
  ReadRows rows(draw());
  for (int trial = 0; trial < 20; ++trial) {
    rows.expectAsNew(draw(), rng);
    rows.expectAsNew(draw(), rng);
    Scene fewer = draw();
    fewer.groups.erase(fewer.groups.begin() + trial % fewer.size());
    rows.expectAsNew(fewer, rng);
    Scene other = draw();  // the same counts, other dofs
    std::swap(other.groups[trial % 3].sides, other.groups[3].sides);
    rows.expectAsNew(other, rng);
  }
}

}  // namespace
}  // namespace espalier::contact

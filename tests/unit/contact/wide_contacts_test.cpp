// Contacts four at a time against the same contacts one after the other.
#include "espalier/contact/wide_contacts_impl.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "espalier/contact/gauss_seidel.h"
#include "tests/unit/contact/scenes.h"

namespace espalier::contact {
namespace {

using test::Rng;
using test::Scene;
using test::uniform;

/// The same scene in numbers in which every body's mass is one: y = yd = J M^-1/2.
Scene inRootNumbers(Scene scene) {
  for (Scene::Group& g : scene.groups)
    for (Scene::Rows& s : g.sides) {
      for (std::size_t k = 0; k < s.y.size(); ++k)
        s.y[k] = std::copysign(std::sqrt(s.y[k] * s.yd[k]), s.y[k]);
      s.yd = s.y;
    }
  return scene;
}

/// As Scene::fill, with sides whose y and yd are one array.
void fill(const Scene& scene, Problem<double>& problem) {
  problem.clear();
  for (const Scene::Group& g : scene.groups) {
    Side<double> sides[2];
    std::size_t n = 0;
    for (const Scene::Rows& r : g.sides) sides[n++] = r.side(true);
    problem.addGroup({sides, n}, g.b, g.mu);
  }
  problem.finish();
}

struct Dealt {
  explicit Dealt(const Scene& scene) : problem(scene.capacity()), a(scene.numbers + 6, 0.0) {
    fill(scene, problem);
    batches.reserve(scene.size(), scene.numbers, scene.size());
    deal = batches.deal(problem, problem.island(0));
    Rng rng(7);
    for (int i = 0; i < scene.size(); ++i)
      lambda.push_back({uniform(rng, -0.1, 0.1), uniform(rng, -0.1, 0.1), uniform(rng, 0, 0.3)});
  }
  Problem<double> problem;
  WideContacts<double> batches;
  WideContacts<double>::Deal deal;
  std::vector<double> a;
  std::vector<Vec3d> lambda;
};

TEST(WideContacts, EveryGroupIsDealtOnce) {
  Rng rng(1);
  const Scene scene = inRootNumbers(test::heap(rng, 3, 4));
  Dealt d(scene);
  ASSERT_EQ(d.problem.islands(), 1);
  const auto left = d.batches.left(d.deal);
  EXPECT_GT(d.deal.batches, scene.size() / 8);
  EXPECT_EQ(d.deal.movers, static_cast<int>(scene.bodies.size()));
  // What is loaded and stored are the others.
  std::vector<Vec3d> out(d.lambda.size(), Vec3d{-1, -1, -1});
  d.batches.load(d.problem, d.deal, d.lambda.data());
  d.batches.store(d.deal, out.data());
  const std::set<int> rest(left.begin(), left.end());
  for (int i = 0; i < scene.size(); ++i) {
    const bool isStored = out[i].x == d.lambda[i].x && out[i].z == d.lambda[i].z;
    EXPECT_NE(isStored, rest.count(i) > 0) << i;
  }
}

TEST(WideContacts, ContactsThatShareABodyAreLeft) {
  // One plate on many: no two contacts are independent.
  Scene scene;
  scene.addBody({5, {1, 1, 1}, {0, 0, 1}, {0, 0, -0.01}, {}});
  for (int k = 0; k < 20; ++k) scene.addContact(0, -1, {0.1 * k, 0, 0.9}, {0, 0, 1}, 0.5);
  Dealt d(inRootNumbers(scene));
  EXPECT_EQ(d.deal.batches, 0);
  EXPECT_EQ(d.deal.lefts, 20);
}

TEST(WideContacts, ResidualIsThatOfTheLaw) {
  Rng rng(2);
  for (int trial = 0; trial < 5; ++trial) {
    const Scene scene = inRootNumbers(test::heap(rng, 2 + trial % 2, 3));
    Dealt d(scene);
    // Groups that are left lie still.
    for (const int i : d.batches.left(d.deal)) d.lambda[i] = {0, 0, 0};
    d.batches.load(d.problem, d.deal, d.lambda.data());
    d.batches.zero(d.deal, d.a.data());
    d.batches.push(d.deal, d.a.data());
    const test::Dense dense = scene.dense();
    double worst = 0;
    const auto left = d.batches.left(d.deal);
    for (int i = 0; i < scene.size(); ++i) {
      if (std::count(left.begin(), left.end(), i) > 0) continue;
      double v[3];
      for (int r = 0; r < 3; ++r) {
        v[r] = dense.b[3 * i + r];
        for (int j = 0; j < scene.size(); ++j)
          for (int c = 0; c < 3; ++c) v[r] += dense.at(3 * i + r, 3 * j + c) * (&d.lambda[j].x)[c];
      }
      const Sym3<double>& g = d.problem.diagonal(i);
      const double scale = (g.xx + g.yy + g.zz) / 3;
      worst = std::max(
          worst, residual(d.lambda[i], {v[0], v[1], v[2]}, scene.groups[i].mu, scale, 1 / scale));
    }
    EXPECT_NEAR(d.batches.residual(d.deal, d.a.data()), worst, 1e-12);
  }
}

TEST(WideContacts, ASweepVisitsOneAfterTheOther) {
  // Each batch of a sweep against four single solves in its order.
  Rng rng(3);
  for (int trial = 0; trial < 3; ++trial) {
    const Scene scene = inRootNumbers(test::heap(rng, 3, 2 + trial));
    Dealt d(scene);
    for (const int i : d.batches.left(d.deal)) d.lambda[i] = {0, 0, 0};
    d.batches.load(d.problem, d.deal, d.lambda.data());
    d.batches.zero(d.deal, d.a.data());
    d.batches.push(d.deal, d.a.data());
    std::vector<double> a = d.a;
    std::vector<Vec3d> lambda = d.lambda;
    double worst = 0;
    std::vector<int> order;
    for (int k = 0; k < d.deal.batches; ++k)
      for (int lane = 0; lane < 4; ++lane)
        if (const int i = d.batches.groups(d.deal, k)[lane]; i >= 0) order.push_back(i);
    ASSERT_EQ(order.size() + d.batches.left(d.deal).size(), lambda.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
      const int i = order[k];
      const Vec3d old = lambda[i], v = d.problem.velocity(i, lambda.data(), a.data());
      const auto f = factorSingle(d.problem.diagonal(i), d.problem.mu(i));
      const Vec3d c = nmadd(old, f.shift, v - mul(d.problem.diagonal(i), old));
      lambda[i] = solveSingle(f, d.problem.mu(i), old, v, c, 1);
      const Vec3d change = lambda[i] - old;
      for (const Side<double>& s : d.problem.sides(i)) push(s, change, a.data());
      worst = std::max(worst, d.problem.scale(i) * norm(change));
    }
    const double seen = d.batches.sweep(d.deal, false, d.a.data());
    EXPECT_NEAR(std::sqrt(seen), worst, 1e-10);
    d.batches.store(d.deal, d.lambda.data());
    for (int i = 0; i < scene.size(); ++i) EXPECT_NEAR(norm(d.lambda[i] - lambda[i]), 0, 1e-10);
    for (int k = 0; k < scene.numbers; ++k) EXPECT_NEAR(d.a[k], a[k], 1e-10);
    for (int k = 0; k < 6; ++k) EXPECT_EQ(d.a[scene.numbers + k], 0);  // what is held stays
  }
}

TEST(WideContacts, TheSolverConvergesToTheLaw) {
  Rng rng(4);
  for (int trial = 0; trial < 4; ++trial) {
    const Scene scene = inRootNumbers(test::heap(rng, 2, 3 + trial));
    Problem<double> problem(scene.capacity());
    fill(scene, problem);
    Capacity capacity = scene.capacity();
    GaussSeidel<double> solver(capacity);
    SolveOptions<double> options;
    options.maxSweeps = 20000;
    options.primalSteps = 0;
    options.tolerance = 1e-5;
    std::vector<Vec3d> lambda(scene.size(), zero3<double>());
    const auto report = solver.solve(problem, lambda.data(), options);
    EXPECT_TRUE(report.converged);
    EXPECT_NEAR(report.residual, test::lawResidual(scene.dense(), lambda), 1e-12);
    EXPECT_EQ(report.residual, solver.largestResidual(problem, lambda.data()));
    EXPECT_EQ(solver.resolve(problem, lambda.data(), options).sweeps, 0);
  }
}

TEST(WideContacts, SweepsGoFromTheHighestToTheLowest) {
  Rng rng(5);
  const Scene scene = inRootNumbers(test::heap(rng, 3, 4));
  Problem<double> problem(scene.capacity());
  fill(scene, problem);
  // 36 contacts a layer, entered from the lowest on.
  for (int i = 0; i < scene.size(); ++i) problem.setHeight(i, i / 36);
  WideContacts<double> batches;
  batches.reserve(scene.size(), scene.numbers, scene.size());
  const auto deal = batches.deal(problem, problem.island(0));
  double first = 0, last = 0;
  for (int c = 0; c < 4; ++c) {
    first += problem.height(batches.groups(deal, 0)[c]) / 4;
    const int i = batches.groups(deal, deal.batches - 1)[c];
    last = std::max(last, i < 0 ? 0 : problem.height(i));
  }
  EXPECT_EQ(first, 3);
  EXPECT_LE(last, 1);
}

TEST(WideContacts, CorrectionsAreSolvedForAndNotRemembered) {
  // A stack whose boxes are to part by 20 mm/s each: at once it gets the impulses for that, but hands on those
  // that merely carry it.
  for (const bool corrects : {false, true}) {
    Scene scene = test::stack(std::vector<double>(5, 1.0), 0.2, 0.5, 0);
    for (Scene::Group& g : scene.groups) g.b.z -= 0.02;
    scene = inRootNumbers(scene);
    Problem<double> problem(scene.capacity());
    fill(scene, problem);
    if (corrects)
      for (int i = 0; i < scene.size(); ++i) problem.setCorrection(i, -0.02);
    GaussSeidel<double> solver(scene.capacity());
    std::vector<Vec3d> lambda(scene.size(), zero3<double>());
    SolveOptions<double> options;
    options.tolerance = 1e-9;
    EXPECT_TRUE(solver.solve(problem, lambda.data(), options).converged);
    EXPECT_LE(test::lawResidual(scene.dense(), lambda), 1.1e-9);
    double onGround = 0, handedOn = 0;
    for (int i = 0; i < 4; ++i) {
      onGround += lambda[i].z;
      handedOn += solver.relaxed()[i].z;
    }
    // Box k leaves the ground with 0.02 (k + 1) m/s, less what b had.
    EXPECT_NEAR(onGround, 5 * 0.00981 + 0.02 * 15, 1e-6);
    if (corrects)
      EXPECT_LT(handedOn, 5 * 0.00981 * 1.01);
    else
      EXPECT_EQ(handedOn, onGround);
  }
}

}  // namespace
}  // namespace espalier::contact

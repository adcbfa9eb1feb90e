// Contact problems at random: every one is solved to its bar, by the law as the tests write it.
// bench/contact_problems.cpp draws more of them and prints who solved what.
#include <gtest/gtest.h>

#include "espalier/contact/gauss_seidel.h"
#include "tests/unit/contact/scenes.h"

namespace espalier::contact {
namespace {

using test::Rng;
using test::Scene;

void expectSolved(const Scene& scene, const std::string& name) {
  Problem<double> problem(scene.capacity());
  scene.fill(problem);
  GaussSeidel<double> solver(scene.capacity());
  std::vector<Vec3d> lambda(scene.size(), zero3<double>());
  const auto report = solver.solve(problem, lambda.data());
  EXPECT_LE(report.residual, 1e-8) << name;
  EXPECT_EQ(report.unsolved, report.converged ? 0 : 1);
  EXPECT_LE(test::lawResidual(scene.dense(), lambda), 1e-8) << name;
}

TEST(ContactProblems, OneContactOfAnyCondition) {
  Rng rng(1);
  int slips = 0, shifts = 0, noisy = 0;
  for (int trial = 0; trial < 100000; ++trial) {
    const test::SingleCase k = test::singleCase(rng, 12, trial % 10 == 0);
    const auto r = test::solveToTheEnd(k);
    // On the rim of the cone a singular G leaves the noise of its regularisation.
    ASSERT_LE(r.residual, r.isSingular ? 1e-10 : 1e-12) << trial;
    noisy += r.residual > 1e-12;
    ASSERT_LE(r.misalignment, 1e-6) << trial;
    slips += r.slips;
    shifts += r.isSingular;
  }
  EXPECT_GT(slips, 20000);
  EXPECT_GT(shifts, 5000);
  EXPECT_LE(noisy, 5);
}

TEST(ContactProblems, RandomBodies) {
  Rng rng(2);
  for (int trial = 0; trial < 150; ++trial)
    expectSolved(test::randomBodies(rng, 2 + trial % 5, 4 + trial % 37, 10),
                 "random " + std::to_string(trial));
}

TEST(ContactProblems, MassRatioOfTenThousand) {
  Rng rng(3);
  for (int trial = 0; trial < 60; ++trial)
    expectSolved(test::randomBodies(rng, 3 + trial % 6, 4 + trial % 41, 1e4),
                 "ratio " + std::to_string(trial));
}

TEST(ContactProblems, BodiesThatWedge) {
  Rng rng(4);
  for (int trial = 0; trial < 40; ++trial)
    expectSolved(test::randomBodies(rng, 3 + trial % 6, 4 + trial % 41, 10, true),
                 "wedge " + std::to_string(trial));
}

TEST(ContactProblems, ManyContacts) {
  Rng rng(5);
  expectSolved(test::randomBodies(rng, 20, 100, 10), "100 contacts");
  expectSolved(test::randomBodies(rng, 40, 200, 10), "200 contacts");
  expectSolved(test::heap(rng, 2, 4), "heap");
}

TEST(ContactProblems, Stacks) {
  for (const double push : {0.0, 0.001, 0.01}) {
    expectSolved(test::stack({2}, 0.2, 0.6, push), "box");
    expectSolved(test::stack(std::vector<double>(10, 1.0), 0.2, 0.6, push), "ten boxes");
    expectSolved(test::stack({1, 1e4}, 0.2, 0.6, push), "heavy on light");
    expectSolved(test::stack({1, 1, 1, 1, 1e4}, 0.2, 0.6, push), "heavy on four");
  }
}

TEST(ContactProblems, JammedAndLeaning) {
  Rng rng(6);
  for (int trial = 0; trial < 40; ++trial) {
    expectSolved(test::jammed(rng, 6 + trial, 0), "jammed " + std::to_string(trial));
    expectSolved(test::leaning(rng, 0.0005 * trial), "leaning " + std::to_string(trial));
  }
}

}  // namespace
}  // namespace espalier::contact

// Assembling and solving allocate nothing: every operator new of this executable is counted.
#include <gtest/gtest.h>

#include "espalier/contact/gauss_seidel.h"
#include "tests/support/counted_heap.h"
#include "tests/unit/contact/scenes.h"

namespace espalier::contact {
namespace {

template <class T>
void expectNoAllocation(int newtonSteps) {
  test::Rng rng(1);
  const std::vector<test::Dense> worlds(lanes_v<T>, test::quadruped(rng, 0.05));
  Problem<T> problem(4, 6);
  GaussSeidel<T> solver(4);
  std::vector<Vec3<T>> lambda(4, zero3<T>());
  SolveOptions<T> options;
  options.newtonSteps = newtonSteps;

  const long before = allocations;
  ASSERT_GT(before, 0);  // the counter counts
  test::fill(problem, worlds);
  solver.solve(problem, lambda.data(), options);
  solver.resolve(problem, lambda.data(), options);
  EXPECT_EQ(allocations, before);
}

TEST(ContactAllocation, NoneAfterReserve) {
  for (const int newtonSteps : {0, 10}) {
    expectNoAllocation<double>(newtonSteps);
    expectNoAllocation<float>(newtonSteps);
    expectNoAllocation<DoubleLanes>(newtonSteps);
    expectNoAllocation<FloatLanes>(newtonSteps);
  }
}

TEST(ContactAllocation, NoneWhereAnOperatorIsSolvedByNewton) {
  const test::Scene scene = test::stack(std::vector<double>(6, 1.0), 0.2, 0.6, 0.001);
  Problem<double> problem(scene.capacity());
  GaussSeidel<double> solver(scene.capacity());
  std::vector<Vec3d> lambda(scene.size(), zero3<double>());
  scene.fill(problem);  // the scene's own numbers are packed once
  SolveOptions<double> options;
  const long before = allocations;
  scene.fill(problem);
  const auto report = solver.solve(problem, lambda.data(), options);
  EXPECT_EQ(allocations, before);
  EXPECT_FALSE(problem.hasBlocks(0));
  EXPECT_GT(report.newtonSteps, 0);
}

}  // namespace
}  // namespace espalier::contact

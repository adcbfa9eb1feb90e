// Assembling and solving allocate nothing: every operator new of this executable is counted.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "espalier/contact/gauss_seidel.h"
#include "tests/unit/contact/random_problem.h"

namespace {
long allocations = 0;
}

[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  ++allocations;
  const auto a = static_cast<std::size_t>(alignment);
  if (void* p = std::aligned_alloc(a, (bytes + a - 1) / a * a)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  return operator new (bytes, std::align_val_t{__STDCPP_DEFAULT_NEW_ALIGNMENT__});
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
}

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

}  // namespace
}  // namespace espalier::contact

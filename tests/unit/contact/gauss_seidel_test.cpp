// Many contacts: the law is judged on the dense problem, written apart from the library.
#include "espalier/contact/gauss_seidel.h"

#include <gtest/gtest.h>

#include "tests/unit/contact/random_problem.h"

namespace espalier::contact {
namespace {

using test::Dense;
using test::Rng;

TEST(GaussSeidel, SolvesRandomMechanisms) {
  Rng rng(3);
  for (int trial = 0; trial < 200; ++trial) {
    const int groups = 1 + trial % 6;
    const Dense d = test::randomMechanism(rng, groups, 3 * groups + 4);
    const Problem<double> problem = test::toProblem(d);
    GaussSeidel<double> solver(groups);
    std::vector<Vec3d> lambda(groups, zero3<double>());
    const auto report = solver.solve(problem, lambda.data(), {1e-10, 20000});
    const double law = test::lawResidual(d, lambda);
    ASSERT_TRUE(report.converged) << trial << ": " << report.residual;
    EXPECT_LE(law, 1e-10 * (1 + 1e-4));
    EXPECT_NEAR(report.residual, law, 1e-13);
  }
}

}  // namespace
}  // namespace espalier::contact

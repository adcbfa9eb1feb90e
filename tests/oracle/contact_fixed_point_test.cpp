// Second opinions on the contact solver that share nothing with it: a projected extragradient
// iteration in long double, which knows no stick, no slip and no local solution, and closed forms.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "espalier/contact/gauss_seidel.h"
#include "tests/unit/contact/random_problem.h"

namespace espalier::contact {
namespace {

using test::Dense;
using test::Rng;
using Real = long double;
using Vector = std::vector<Real>;

Vector projected(const Dense& d, Vector x) {
  for (int i = 0; i < d.size(); ++i) {
    const Real t = std::hypot(x[3 * i], x[3 * i + 1]), n = x[3 * i + 2], mu = d.mu[i];
    if (mu * t + n <= 0) {
      x[3 * i] = x[3 * i + 1] = x[3 * i + 2] = 0;
    } else if (t > mu * n) {
      const Real onto = (mu * t + n) / (1 + mu * mu);
      x[3 * i] *= mu * onto / t;
      x[3 * i + 1] *= mu * onto / t;
      x[3 * i + 2] = onto;
    }
  }
  return x;
}

/// lambda - rho w(base), w = G base + b + mu |v_T| n.
Vector descended(const Dense& d, const Vector& lambda, const Vector& base, Real rho) {
  Vector x = lambda;
  for (int i = 0; i < d.size(); ++i) {
    std::array<Real, 3> v;
    for (int r = 0; r < 3; ++r) {
      v[r] = d.b[3 * i + r];
      for (int c = 0; c < d.rows(); ++c) v[r] += Real(d.at(3 * i + r, c)) * base[c];
    }
    v[2] += Real(d.mu[i]) * std::hypot(v[0], v[1]);
    for (int r = 0; r < 3; ++r) x[3 * i + r] -= rho * v[r];
  }
  return x;
}

/// The impulses that a step of extragradient leaves where they are (Korpelevich 1976).
Vector extragradient(const Dense& d) {
  Real trace = 0;
  for (int r = 0; r < d.rows(); ++r) trace += d.at(r, r);
  Vector lambda(d.rows(), 0);
  const Real rho = 1 / trace;
  for (int step = 0; step < 300000; ++step) {
    const Vector ahead = projected(d, descended(d, lambda, lambda, rho));
    Real change = 0;
    for (int r = 0; r < d.rows(); ++r) change = std::max(change, std::abs(ahead[r] - lambda[r]));
    if (change <= 1e-16L * rho) break;
    lambda = projected(d, descended(d, lambda, ahead, rho));
  }
  return lambda;
}

TEST(ContactOracle, ExtragradientFindsTheSameImpulses) {
  Rng rng(31);
  int sticks = 0, slips = 0, opens = 0;
  for (int trial = 0; trial < 60; ++trial) {
    // Regular G and moderate friction, so that the solution is unique.
    const int groups = 2 + trial % 4;
    Dense d = test::randomMechanism(rng, groups, 6 * groups + 8);
    for (double& mu : d.mu) mu *= 0.5;
    if (trial % 2)
      for (int r = 0; r < d.rows(); ++r) d.b[r] *= r % 3 == 2 ? 1 : 0.2;
    const Vector oracle = extragradient(d);
    std::vector<Vec3d> lambda(groups, zero3<double>());
    for (int i = 0; i < groups; ++i)
      lambda[i] = {double(oracle[3 * i]), double(oracle[3 * i + 1]), double(oracle[3 * i + 2])};
    ASSERT_LE(test::lawResidual(d, lambda), 1e-11) << "the oracle has not converged, " << trial;

    for (const int newtonSteps : {0, 10}) {
      GaussSeidel<double> solver(groups);
      std::vector<Vec3d> ours(groups, zero3<double>());
      SolveOptions<double> options;
      options.newtonSteps = newtonSteps;
      ASSERT_TRUE(solver.solve(test::toProblem(d), ours.data(), options).converged);
      for (int i = 0; i < groups; ++i)
        EXPECT_LE(norm(ours[i] - lambda[i]), 1e-8) << "trial " << trial << ", contact " << i;
    }
    for (int i = 0; i < groups; ++i) {
      const double pull = std::hypot(lambda[i].x, lambda[i].y);
      const bool open = lambda[i].z < 1e-9;
      const bool slip = pull > d.mu[i] * lambda[i].z * (1 - 1e-9);
      ++(open ? opens : slip ? slips : sticks);
    }
  }
  EXPECT_GT(opens, 20);
  EXPECT_GT(sticks, 10);
  EXPECT_GT(slips, 50);
}

TEST(ContactOracle, PointMassOnASlope) {
  // m = 3 kg on a slope of angle a: it stays while tan a <= mu, else it gains
  // (sin a - mu cos a) g dt, whatever the direction of the slope in the contact's axes.
  const double m = 3, g = 9.81, dt = 1e-3, mu = 0.6;
  for (const double heading : {0.0, 1.0, 2.5, 4.0}) {
    for (const double angle : {0.1, 0.5, 0.5404, 0.5405, 0.9, 1.5}) {  // atan 0.6 = 0.54042
      Dense d(1);
      for (int r = 0; r < 3; ++r) d.at(r, r) = 1 / m;
      const double down = g * dt * std::sin(angle), into = g * dt * std::cos(angle);
      d.b = {down * std::cos(heading), down * std::sin(heading), -into};
      d.mu = {mu};
      GaussSeidel<double> solver(1);
      std::vector<Vec3d> lambda(1, zero3<double>());
      const Problem<double> problem = test::toProblem(d);
      ASSERT_TRUE(solver.solve(problem, lambda.data()).converged);
      const Vec3d v = problem.velocity(0, lambda.data());
      EXPECT_NEAR(lambda[0].z, m * into, 1e-12);
      EXPECT_NEAR(std::hypot(v.x, v.y), std::max(down - mu * into, 0.0), 1e-12) << angle;
      EXPECT_NEAR(v.z, 0, 1e-13);
    }
  }
}

TEST(ContactOracle, RodThatSlidesAgainstItsWeight) {
  // A rod pushed along the ground at a slant (half of Painleve's paradox): one contact, planar.
  //   G_tt = (1 + 3 s^2) / m, G_tn = -3 s c / m, G_nn = (1 + 3 c^2) / m, s and c of the slant.
  // While it slides in +t: v_N = 0, friction -mu lambda_N, so
  //   lambda_N = -b_N / (G_nn - mu G_tn).
  const double m = 2, slant = 0.7, mu = 0.4, s = std::sin(slant), c = std::cos(slant);
  Dense d(1);
  d.at(0, 0) = (1 + 3 * s * s) / m;
  d.at(1, 1) = 4 / m;
  d.at(2, 2) = (1 + 3 * c * c) / m;
  d.at(0, 2) = d.at(2, 0) = -3 * s * c / m;
  d.b = {1.5, 0, -0.00981};
  d.mu = {mu};
  GaussSeidel<double> solver(1);
  std::vector<Vec3d> lambda(1, zero3<double>());
  const Problem<double> problem = test::toProblem(d);
  ASSERT_TRUE(solver.solve(problem, lambda.data()).converged);
  const double push = 0.00981 / (d.at(2, 2) - mu * d.at(0, 2));
  EXPECT_NEAR(lambda[0].z, push, 1e-12);
  EXPECT_NEAR(lambda[0].x, -mu * push, 1e-12);
  EXPECT_NEAR(problem.velocity(0, lambda.data()).x,
              1.5 + d.at(0, 0) * lambda[0].x + d.at(0, 2) * lambda[0].z, 1e-12);
}

}  // namespace
}  // namespace espalier::contact

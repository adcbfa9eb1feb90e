// Problems in which contacts, bounded rows, rolling and spinning friction stand together: judged on
// the dense problem, and where a ball gives a closed form.
#include <gtest/gtest.h>

#include <limits>

#include "espalier/contact/gauss_seidel.h"
#include "tests/unit/contact/scenes.h"

namespace espalier::contact {
namespace {

using test::Dense;
using test::Rng;
using test::uniform;
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

struct GroupLaw {
  Kind kind = Kind::Coulomb;
  double mu = 0, rolling = 0, spinning = 0;
  Vec3d lower{}, upper{};
  int normal = -1;
};

/// Random mechanism: contacts, a torsion group on every second one, joints at the end.
struct Mixed {
  Dense dense;
  std::vector<GroupLaw> law;

  explicit Mixed(Rng& rng) : dense(test::randomMechanism(rng, 8, 30)), law(8) {
    for (int i = 0; i < 4; ++i) law[i].mu = dense.mu[i];
    for (int i = 4; i < 6; ++i) {
      law[i].kind = Kind::Torsion;
      law[i].normal = 2 * (i - 4);
      law[i].rolling = i == 4 ? 0.1 : 0;
      law[i].spinning = 0.2;
    }
    for (int i = 6; i < 8; ++i) {
      law[i].kind = Kind::Bounded;
      for (int r = 0; r < 3; ++r) {
        const double most = uniform(rng, 0, 0.2);
        (&law[i].lower.x)[r] = r == 0 ? -kUnbounded : -most;
        (&law[i].upper.x)[r] = r == 2 ? most : kUnbounded;
      }
    }
  }

  void fill(Problem<double>& problem) const {
    problem.reserve(8, 28);
    for (int i = 0; i < 8; ++i) {
      const auto at = [&](int r, int c) { return dense.at(3 * i + r, 3 * i + c); };
      const Sym3<double> g{at(0, 0), at(0, 1), at(0, 2), at(1, 1), at(1, 2), at(2, 2)};
      const Vec3d b{dense.b[3 * i], dense.b[3 * i + 1], dense.b[3 * i + 2]};
      const GroupLaw& l = law[i];
      if (l.kind == Kind::Coulomb) problem.addGroup(g, b, l.mu);
      if (l.kind == Kind::Bounded) problem.addBounded(g, b, l.lower, l.upper);
      if (l.kind == Kind::Torsion) problem.addTorsion(g, b, l.normal, l.rolling, l.spinning, 0.25);
    }
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < i; ++j) {
        const auto row = [&](int r) {
          return Vec3d{dense.at(3 * i + r, 3 * j), dense.at(3 * i + r, 3 * j + 1),
                       dense.at(3 * i + r, 3 * j + 2)};
        };
        problem.addCoupling(i, j, {row(0), row(1), row(2)});
      }
    problem.finish();
  }

  Vec3d velocity(int i, const std::vector<Vec3d>& lambda) const {
    Vec3d v;
    for (int r = 0; r < 3; ++r) {
      double sum = dense.b[3 * i + r];
      for (int j = 0; j < 8; ++j)
        for (int c = 0; c < 3; ++c) sum += dense.at(3 * i + r, 3 * j + c) * (&lambda[j].x)[c];
      (&v.x)[r] = sum;
    }
    return v;
  }

  /// Each law said in its own words, to within `tolerance`.
  void expectLaw(const std::vector<Vec3d>& lambda, double tolerance) const {
    for (int i = 0; i < 8; ++i) {
      const GroupLaw& l = law[i];
      const Vec3d& f = lambda[i];
      const Vec3d v = velocity(i, lambda);
      if (l.kind == Kind::Coulomb) {
        EXPECT_GE(f.z, -tolerance);
        EXPECT_GE(v.z, -tolerance);
        EXPECT_NEAR(f.z * v.z, 0, tolerance);
        const double pull = std::hypot(f.x, f.y), speed = std::hypot(v.x, v.y);
        EXPECT_LE(pull, l.mu * f.z + tolerance);
        EXPECT_NEAR(f.x * v.x + f.y * v.y, -l.mu * f.z * speed, 10 * tolerance);
      } else if (l.kind == Kind::Bounded) {
        for (int r = 0; r < 3; ++r) {
          const double x = (&f.x)[r], low = (&l.lower.x)[r], high = (&l.upper.x)[r];
          EXPECT_GE(x, low - tolerance);
          EXPECT_LE(x, high + tolerance);
          EXPECT_TRUE(x <= low + tolerance || (&v.x)[r] <= tolerance);
          EXPECT_TRUE(x >= high - tolerance || (&v.x)[r] >= -tolerance);
        }
      } else {
        // |(f_t / rolling, f_n / spinning)| <= lambda_N and f . v = -lambda_N |(rolling v_t, ...)|
        const double press = std::max(lambda[l.normal].z, 0.0);
        EXPECT_TRUE(l.rolling > 0 || std::hypot(f.x, f.y) <= tolerance);
        const double size = l.rolling > 0
                                ? std::hypot(f.x / l.rolling, f.y / l.rolling, f.z / l.spinning)
                                : std::abs(f.z) / l.spinning;
        EXPECT_LE(size, press + 10 * tolerance);
        EXPECT_NEAR(dot(f, v),
                    -press * std::hypot(l.rolling * v.x, l.rolling * v.y, l.spinning * v.z),
                    10 * tolerance);
      }
    }
  }
};

class MixedKinds : public ::testing::TestWithParam<int> {};

TEST_P(MixedKinds, ObeyEveryLaw) {
  Rng rng(1);
  for (int trial = 0; trial < 100; ++trial) {
    const Mixed mixed(rng);
    Problem<double> problem;
    mixed.fill(problem);
    std::vector<Vec3d> lambda(8, zero3<double>());
    GaussSeidel<double> solver(8);
    SolveOptions<double> options;
    options.tolerance = 1e-11;
    options.maxSweeps = 50000;
    if (GetParam() == 0) options.newtonSteps = 0;
    const auto report = solver.solve(problem, lambda.data(), options);
    EXPECT_EQ(report.residual, solver.largestResidual(problem, lambda.data()));
    ASSERT_LE(report.residual, 1e-11) << trial;
    mixed.expectLaw(lambda, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(By, MixedKinds, ::testing::Values(0, 1), [](const auto& way) {
  return way.param == 0 ? "Sweeps" : "SweepsAndNewton";
});

/// A ball of radius 0.1 m and 2 kg pressed to the ground by a step of gravity.
struct Ball {
  static constexpr double radius = 0.1, mass = 2, dt = 0.001, press = mass * 9.81 * dt;
  static constexpr double inertia = 0.4 * mass * radius * radius;
  test::Scene scene;

  Ball(const Vec3d& v, const Vec3d& w, double mu) {
    scene.addBody({mass, {inertia, inertia, inertia}, {0, 0, radius}, {v.x, v.y, -9.81 * dt}, w});
    scene.addContact(0, -1, zero3<double>(), {0, 0, 1}, mu);
  }

  /// Impulse and couple, world axes.
  std::pair<Vec3d, Vec3d> solve(double rolling, double spinning) {
    Problem<double> problem({2, 16, 2, 6});
    const test::Scene::Rows& point = scene.groups[0].sides[0];
    // The frame that the scene chose: rows of y.
    Vec3d axes[3];
    test::Scene::Rows turn = point;
    for (int r = 0; r < 3; ++r) {
      axes[r] = {point.y[6 * r], point.y[6 * r + 1], point.y[6 * r + 2]};
      for (int k = 0; k < 3; ++k) {
        turn.y[6 * r + k] = turn.yd[6 * r + k] = 0;
        turn.y[6 * r + 3 + k] = (&axes[r].x)[k];
        turn.yd[6 * r + 3 + k] = (&axes[r].x)[k] / inertia;
      }
    }
    const Side<double> a = point.side(), b = turn.side();
    problem.addGroup({&a, 1}, scene.groups[0].b, scene.groups[0].mu);
    const Vec3d& w = scene.bodies[0].w;
    problem.addTorsion({&b, 1}, {dot(axes[0], w), dot(axes[1], w), dot(axes[2], w)}, 0, rolling,
                       spinning, radius);
    problem.finish();
    EXPECT_EQ(problem.islands(), 1);
    GaussSeidel<double> solver({2, 16, 2, 6});
    Vec3d lambda[2] = {};
    EXPECT_TRUE(solver.solve(problem, lambda).converged);
    const auto world = [&](const Vec3d& l) {
      return axes[0] * l.x + axes[1] * l.y + axes[2] * l.z;
    };
    return {world(lambda[0]), world(lambda[1])};
  }
};

TEST(TorsionOfABall, SpinsDownAtTheRateOfItsCouple) {
  Ball ball({0, 0, 0}, {0, 0, 5}, 0.5);
  const auto [impulse, couple] = ball.solve(0.002, 0.005);
  EXPECT_NEAR(impulse.z, Ball::press, 1e-12);
  EXPECT_NEAR(couple.z, -0.005 * Ball::press, 1e-12);
  EXPECT_NEAR(std::hypot(impulse.x, impulse.y), 0, 1e-12);
  EXPECT_NEAR(std::hypot(couple.x, couple.y), 0, 1e-12);
}

TEST(TorsionOfABall, SlowSpinStops) {
  const double slow = 0.5 * 0.005 * Ball::press / Ball::inertia;
  Ball ball({0, 0, 0}, {0, 0, slow}, 0.5);
  const auto [impulse, couple] = ball.solve(0.002, 0.005);
  EXPECT_NEAR(couple.z, -slow * Ball::inertia, 1e-11);
}

TEST(TorsionOfABall, RollingSlowsDownAsTheFormulaSays) {
  // Rolling along x: the couple c = rolling N about -y takes dw = c / (I + m r^2) and the point
  // still holds.
  const double w = 3;
  Ball ball({w * Ball::radius, 0, 0}, {0, w, 0}, 0.5);
  const auto [impulse, couple] = ball.solve(0.004, 0);
  EXPECT_NEAR(couple.y, -0.004 * Ball::press, 1e-12);
  const double dw = couple.y / (Ball::inertia + Ball::mass * Ball::radius * Ball::radius);
  EXPECT_NEAR(impulse.x, Ball::mass * Ball::radius * dw, 1e-11);
  EXPECT_EQ(couple.z, 0);
}

TEST(Bilateral, RowsWeldTwoBodies) {
  // All six relative velocities of two bodies vanish, whatever else happens to them.
  Rng rng(2);
  for (int trial = 0; trial < 20; ++trial) {
    test::Scene scene = test::randomBodies(rng, 2, 3, 100);
    const test::Body &a = scene.bodies[0], &b = scene.bodies[1];
    const Vec3d p{0.1, 0.2, 0.3};
    std::vector<test::Scene::Rows> numbers;
    numbers.reserve(4);
    Problem<double> problem({8, 64, 16, 12});
    const auto add = [&](const test::Body& body, bool turns, double sign) {
      std::vector<double> y(18), yd(18);
      for (int r = 0; r < 3; ++r) {
        const Vec3d e{r == 0 ? sign : 0, r == 1 ? sign : 0, r == 2 ? sign : 0};
        const Vec3d j = turns ? zero3<double>() : e, t = turns ? e : cross(p - body.c, e);
        for (int k = 0; k < 3; ++k) {
          y[6 * r + k] = (&j.x)[k];
          yd[6 * r + k] = (&j.x)[k] / body.mass;
          y[6 * r + 3 + k] = (&t.x)[k];
          yd[6 * r + 3 + k] = (&t.x)[k] / (&body.inertia.x)[k];
        }
      }
      numbers.push_back({body.mover, {}, y, yd, {}});
      return numbers.back().side();
    };
    for (const auto& g : scene.groups) {
      Side<double> sides[2];
      int n = 0;
      for (const auto& r : g.sides) sides[n++] = r.side();
      problem.addGroup({sides, static_cast<std::size_t>(n)}, g.b, g.mu);
    }
    const Vec3d all{kUnbounded, kUnbounded, kUnbounded};
    const Side<double> points[2] = {add(a, false, 1), add(b, false, -1)};
    const Side<double> turns[2] = {add(a, true, 1), add(b, true, -1)};
    problem.addBounded(points, a.v + cross(a.w, p - a.c) - b.v - cross(b.w, p - b.c), -all, all);
    problem.addBounded(turns, a.w - b.w, -all, all);
    problem.finish();
    GaussSeidel<double> solver({8, 64, 16, 12});
    std::vector<Vec3d> lambda(problem.size(), zero3<double>());
    ASSERT_TRUE(solver.solve(problem, lambda.data()).converged) << trial;
    for (int i = problem.size() - 2; i < problem.size(); ++i)
      EXPECT_LE(norm(solver.velocity(problem, i, lambda.data())), 1e-9);
  }
}

}  // namespace
}  // namespace espalier::contact

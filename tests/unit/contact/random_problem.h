#pragma once

// Random contact problems with the structure of mechanisms, as small dense matrices: what the tests
// know of a problem without asking the library.

#include <cmath>
#include <random>
#include <vector>

#include "espalier/contact/problem.h"

namespace espalier::contact::test {

using Rng = std::mt19937_64;

inline double uniform(Rng& rng, double a, double b) {
  return std::uniform_real_distribution<double>(a, b)(rng);
}

/// A problem as dense numbers, rows t1, t2, n of each group.
struct Dense {
  explicit Dense(int groups) : g(9 * groups * groups), b(3 * groups), mu(groups, 0.8) {}
  int size() const { return static_cast<int>(mu.size()); }
  int rows() const { return static_cast<int>(b.size()); }
  double& at(int r, int c) { return g[r * rows() + c]; }
  double at(int r, int c) const { return g[r * rows() + c]; }

  std::vector<double> g, b, mu;
};

/// G += Y W Y', Y with `cols` columns, W diagonal.
void addSquare(Dense& d, const std::vector<double>& y, const std::vector<double>& w);

/// `groups` contacts of one mechanism of `dof` coordinates: G = J M^-1 J', M^-1 = Y' Y.
Dense randomMechanism(Rng& rng, int groups, int dof);

/// The four corners of a box of 2 kg on the ground: twelve rows on six degrees of freedom.
/// The free velocity is one that the box can have, `speed` sideways and `spin` about the vertical.
Dense box(double speed, double spin);

/// A quadruped's feet on the ground: a body of 30 kg on four points, each foot with the compliance
/// of its own leg, so that G is regular. `push` is the sideways speed that friction has to stop.
Dense quadruped(Rng& rng, double push);

/// Lane l of `problem` is lanes[l].
template <class T>
void fill(Problem<T>& problem, const std::vector<Dense>& lanes) {
  using S = value_t<T>;
  const auto pack = [&](auto&& entry) {
    T x{};
    for (int l = 0; l < lanes_v<T>; ++l) setLane(x, l, static_cast<S>(entry(lanes[l])));
    return x;
  };
  const auto g = [&](int r, int c) { return pack([=](const Dense& d) { return d.at(r, c); }); };
  const int n = lanes[0].size();
  problem.clear();
  for (int i = 0; i < n; ++i) {
    const int k = 3 * i;
    const auto b = [&](int r) { return pack([=](const Dense& d) { return d.b[r]; }); };
    problem.addGroup(
        {g(k, k), g(k, k + 1), g(k, k + 2), g(k + 1, k + 1), g(k + 1, k + 2), g(k + 2, k + 2)},
        {b(k), b(k + 1), b(k + 2)}, pack([=](const Dense& d) { return d.mu[i]; }));
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      bool coupled = false;
      for (const Dense& d : lanes)
        for (int k = 0; k < 9; ++k) coupled |= d.at(3 * i + k / 3, 3 * j + k % 3) != 0;
      if (!coupled) continue;
      const auto row = [&](int r) {
        return Vec3<T>{g(3 * i + r, 3 * j), g(3 * i + r, 3 * j + 1), g(3 * i + r, 3 * j + 2)};
      };
      problem.addCoupling(i, j, {row(0), row(1), row(2)});
    }
  }
  problem.finish();
}

template <class T>
Problem<T> toProblem(const std::vector<Dense>& lanes) {
  const int n = lanes[0].size();
  Problem<T> problem(n, n * (n - 1) / 2);
  fill(problem, lanes);
  return problem;
}
Problem<double> toProblem(const Dense& d);

/// The largest residual of the law, written apart from the library.
double lawResidual(const Dense& d, const std::vector<Vec3d>& lambda);

}  // namespace espalier::contact::test

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
inline void addSquare(Dense& d, const std::vector<double>& y, const std::vector<double>& w) {
  const int cols = static_cast<int>(w.size());
  for (int r = 0; r < d.rows(); ++r)
    for (int c = 0; c < d.rows(); ++c)
      for (int k = 0; k < cols; ++k) d.at(r, c) += y[r * cols + k] * w[k] * y[c * cols + k];
}

/// `groups` contacts of one mechanism of `dof` coordinates: G = J M^-1 J', M^-1 = Y' Y.
inline Dense randomMechanism(Rng& rng, int groups, int dof) {
  Dense d(groups);
  std::vector<double> y(3 * groups * dof);
  for (double& x : y) x = uniform(rng, -1, 1);
  addSquare(d, y, std::vector<double>(dof, 1.0));
  for (int i = 0; i < groups; ++i) {
    d.b[3 * i] = uniform(rng, -1, 1);
    d.b[3 * i + 1] = uniform(rng, -1, 1);
    d.b[3 * i + 2] = uniform(rng, -1, 0.3);
    d.mu[i] = uniform(rng, 0.1, 1.0);
  }
  return d;
}

/// The four corners of a box of 2 kg on the ground: twelve rows on six degrees of freedom.
/// The free velocity is one that the box can have, `speed` sideways and `spin` about the vertical.
inline Dense box(double speed, double spin) {
  Dense d(4);
  std::vector<double> y(12 * 6);
  for (int i = 0; i < 4; ++i) {
    const double rx = i & 1 ? 0.2 : -0.2, ry = i & 2 ? 0.15 : -0.15, rz = -0.1;
    const double lever[3][3] = {{0, rz, -ry}, {-rz, 0, rx}, {ry, -rx, 0}};
    for (int r = 0; r < 3; ++r) {
      y[(3 * i + r) * 6 + r] = 1;
      for (int c = 0; c < 3; ++c) y[(3 * i + r) * 6 + 3 + c] = lever[r][c];
    }
    d.b[3 * i] = speed - spin * ry;
    d.b[3 * i + 1] = spin * rx;
    d.b[3 * i + 2] = -0.0098;
  }
  addSquare(d, y, {0.5, 0.5, 0.5, 1 / 0.022, 1 / 0.033, 1 / 0.042});
  return d;
}

/// A quadruped's feet on the ground: a body of 30 kg on four points, each foot with the compliance
/// of its own leg, so that G is regular. `push` is the sideways speed that friction has to stop.
inline Dense quadruped(Rng& rng, double push) {
  Dense d(4);
  std::vector<double> y(12 * 6);
  const double leg[3][3] = {{0.9, 0.1, 0.2}, {0.1, 0.8, -0.15}, {0.2, -0.15, 0.4}};
  for (int i = 0; i < 4; ++i) {
    const double rx = i & 1 ? 0.35 : -0.35, ry = i & 2 ? 0.2 : -0.2, rz = -0.45;
    const double lever[3][3] = {{0, rz, -ry}, {-rz, 0, rx}, {ry, -rx, 0}};  // v = w x r
    for (int r = 0; r < 3; ++r) {
      y[(3 * i + r) * 6 + r] = 1;
      for (int c = 0; c < 3; ++c) {
        y[(3 * i + r) * 6 + 3 + c] = lever[r][c];
        d.at(3 * i + r, 3 * i + c) = leg[r][c];
      }
    }
    d.b[3 * i] = push + uniform(rng, -0.003, 0.003);
    d.b[3 * i + 1] = uniform(rng, -0.003, 0.003);
    d.b[3 * i + 2] = -0.0098 * uniform(rng, 0.8, 1.2);
  }
  addSquare(d, y, {1 / 30., 1 / 30., 1 / 30., 1 / 0.9, 1 / 2.0, 1 / 2.4});
  return d;
}

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
inline Problem<double> toProblem(const Dense& d) { return toProblem<double>({d}); }

/// The largest residual of the law, written apart from the library.
inline double lawResidual(const Dense& d, const std::vector<Vec3d>& lambda) {
  double worst = 0;
  for (int i = 0; i < d.size(); ++i) {
    double v[3], scale = 0;
    for (int r = 0; r < 3; ++r) {
      v[r] = d.b[3 * i + r];
      scale += d.at(3 * i + r, 3 * i + r) / 3;
      for (int j = 0; j < d.size(); ++j) {
        v[r] += d.at(3 * i + r, 3 * j) * lambda[j].x + d.at(3 * i + r, 3 * j + 1) * lambda[j].y +
                d.at(3 * i + r, 3 * j + 2) * lambda[j].z;
      }
    }
    const Vec3d& l = lambda[i];
    const double mu = d.mu[i];
    const double x = l.x - v[0] / scale, y = l.y - v[1] / scale;
    const double z = l.z - (v[2] + mu * std::hypot(v[0], v[1])) / scale;
    const double t = std::hypot(x, y);
    double px = x, py = y, pz = z;
    if (mu * t + z <= 0) {
      px = py = pz = 0;
    } else if (t > mu * z) {
      pz = (mu * t + z) / (1 + mu * mu);
      px = mu * pz * x / t;
      py = mu * pz * y / t;
    }
    worst = std::max(worst, scale * std::hypot(l.x - px, l.y - py, l.z - pz));
  }
  return worst;
}

}  // namespace espalier::contact::test

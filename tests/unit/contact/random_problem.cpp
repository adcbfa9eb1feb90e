#include "tests/unit/contact/random_problem.h"

#include <algorithm>
#include <cmath>

namespace espalier::contact::test {

void addSquare(Dense& d, const std::vector<double>& y, const std::vector<double>& w) {
  const int cols = static_cast<int>(w.size());
  for (int r = 0; r < d.rows(); ++r)
    for (int c = 0; c < d.rows(); ++c)
      for (int k = 0; k < cols; ++k) d.at(r, c) += y[r * cols + k] * w[k] * y[c * cols + k];
}

Dense randomMechanism(Rng& rng, int groups, int dof) {
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

Dense box(double speed, double spin) {
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

Dense quadruped(Rng& rng, double push) {
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

Problem<double> toProblem(const Dense& d) { return toProblem<double>({d}); }

double lawResidual(const Dense& d, const std::vector<Vec3d>& lambda) {
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

#include "espalier/model/spec/principal_axes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace espalier {

PrincipalAxes principalAxes(const Sym3<double>& s) {
  double a[3][3] = {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
  double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int sweep = 0; sweep < 12; ++sweep) {
    for (const auto& pair : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) {
      const int p = pair.first, q = pair.second;
      if (a[p][q] == 0) continue;
      // The smaller root of t^2 + 2 theta t - 1 = 0 turns a_pq to zero.
      const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
      const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
      const double c = 1 / std::hypot(t, 1.0), sine = t * c;
      const auto turnColumns = [&](double(&m)[3][3]) {
        for (auto& row : m) {
          const double kp = row[p], kq = row[q];
          row[p] = c * kp - sine * kq;
          row[q] = sine * kp + c * kq;
        }
      };
      turnColumns(a);
      turnColumns(v);
      for (int k = 0; k < 3; ++k) {
        const double pk = a[p][k], qk = a[q][k];
        a[p][k] = c * pk - sine * qk;
        a[q][k] = sine * pk + c * qk;
      }
    }
  }
  return {{a[0][0], a[1][1], a[2][2]},
          {{v[0][0], v[0][1], v[0][2]}, {v[1][0], v[1][1], v[1][2]}, {v[2][0], v[2][1], v[2][2]}}};
}

std::array<double, 3> principalMoments(const Sym3<double>& inertia) {
  std::array<double, 3> moments = principalAxes(inertia).moments;
  std::sort(moments.begin(), moments.end());
  return moments;
}

}  // namespace espalier

// With x = f_t / e, the tangential rows scaled by e, and f_n eliminated by the last row:
//   f_n = -(alpha_n + r . x) / y_n,   r = e Y_nt
//   (A - s 1) x = -b,                 A = e (Y_tt - Y_tn Y_nt / y_n) e
//                                     b = e (alpha_t - Y_tn alpha_n / y_n)
//   F(s) = |x|^2 - mu^2 f_n^2 = 0
// The symmetric part of A is positive semidefinite as Y's is, so |x| <= |b| / |s|, and there is no
// root below
//   s = -|b| (y_n + mu |r|) / (mu |alpha_n|),
// where |x| < mu f_n already holds. From there upwards s is halved until F changes its sign.

#include "espalier/compat/arboris/slip_force.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace espalier::sim {
namespace {

struct Slip {
  Eigen::Matrix3d A;
  Eigen::Vector3d b, r;
  double yn, alphaN, mu;

  Eigen::Vector3d tangential(double s) const {
    Eigen::Matrix3d shifted = A;
    shifted.diagonal().array() -= s;
    return -shifted.inverse() * b;
  }
  double normal(const Eigen::Vector3d& x) const { return -(alphaN + r.dot(x)) / yn; }
  double F(double s) const {
    const Eigen::Vector3d x = tangential(s);
    const double limit = mu * normal(x);
    return x.squaredNorm() - limit * limit;
  }
};

/// Where F, negative at lo and not at hi, is zero: the chord's root, with the Illinois halving.
double rootBetween(const Slip& slip, double lo, double hi) {
  double Flo = slip.F(lo), Fhi = slip.F(hi);
  int side = 0;
  double s = lo;
  for (int i = 0; i < 100 && hi - lo > 1e-16 * std::abs(lo); ++i) {
    s = (lo * Fhi - hi * Flo) / (Fhi - Flo);
    if (!(s > lo && s < hi)) s = 0.5 * (lo + hi);
    if (!(s > lo && s < hi)) break;
    const double F = slip.F(s);
    if (F == 0) break;
    if (F < 0) {
      lo = s;
      Flo = F;
      if (side == -1) Fhi *= 0.5;
      side = -1;
    } else {
      hi = s;
      Fhi = F;
      if (side == 1) Flo *= 0.5;
      side = 1;
    }
  }
  return s;
}

}  // namespace

Eigen::Vector4d slipForce(const Eigen::Matrix4d& Y, const Eigen::Vector4d& alpha, double mu,
                          const Eigen::Vector3d& e) {
  Slip slip;
  slip.yn = Y(3, 3);
  slip.alphaN = alpha[3];
  slip.mu = mu;
  Eigen::Vector4d f(0, 0, 0, 0);
  if (!(slip.yn > 0)) return f;
  f[3] = std::max(0.0, -alpha[3] / slip.yn);
  if (!(mu > 0) || f[3] == 0) return f;

  const Eigen::Vector3d coupling = Y.block<3, 1>(0, 3);
  slip.r = e.cwiseProduct(Y.block<1, 3>(3, 0).transpose());
  slip.A = Y.topLeftCorner<3, 3>() - coupling * Y.block<1, 3>(3, 0) / slip.yn;
  slip.A = e.asDiagonal() * slip.A * e.asDiagonal();
  slip.b = e.cwiseProduct(alpha.head<3>() - coupling * (alpha[3] / slip.yn));

  // Twice the bound: F < 0 there also after rounding.
  double lo = -2 * slip.b.norm() * (slip.yn + mu * slip.r.norm()) / (mu * -alpha[3]);
  if (!(lo < 0) || !std::isfinite(lo)) return f;
  double hi = lo;
  for (int halvings = 0; halvings < 200 && slip.F(hi) < 0; ++halvings) {
    lo = hi;
    hi = 0.5 * hi;
  }
  const Eigen::Vector3d x = slip.tangential(rootBetween(slip, lo, hi));
  f.head<3>() = e.cwiseProduct(x);
  f[3] = std::max(0.0, slip.normal(x));
  return f;
}

}  // namespace espalier::sim

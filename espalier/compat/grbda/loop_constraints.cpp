#include "espalier/compat/grbda/loop_constraints.h"

#include <algorithm>
#include <cmath>

#include "espalier/model/joints/spherical.h"
#include "espalier/model/loops/elimination.h"

namespace espalier::LoopConstraint {
namespace {

void requireSize(const std::vector<double>& x, int size, const char* what) {
  ESPALIER_REQUIRE(static_cast<int>(x.size()) == size, std::string(what) + " has " +
                                                           std::to_string(x.size()) +
                                                           " numbers, not " + std::to_string(size));
}

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double value : x)
    most = std::isfinite(value) ? std::max(most, std::abs(value)) : HUGE_VAL;
  return most;
}

}  // namespace

Base::Base(ConstraintData data) : data_(std::move(data)) {}

std::vector<double> Base::gamma(const std::vector<double>&) const {
  core::throwInvalidArgument("isExplicit()",
                             "an implicit constraint has no gamma of y alone: give all positions, "
                             "or a place to start from, gamma(y, near)");
}

std::vector<double> Base::gamma(const std::vector<double>& y,
                                const std::vector<double>& near) const {
  if (isExplicit()) return gamma(y);
  requireSize(y, data_.nyPositions(), "y");
  requireSize(near, data_.nq, "near");
  std::vector<double> q = near;
  int next = 0;
  data_.forEachJoint(
      [&](int i, int u) {
        if (data_.isIndependent(u)) q[i] = data_.scale * y[next++];
      },
      [&](int i, int u) {
        if (data_.isIndependent(u))
          for (int k = 0; k < 4; ++k) q[i + k] = y[next++];
        const double none[3] = {0, 0, 0};
        SphericalJoint::advance(&q[i], none, &q[i]);  // unit
      });
  ConstraintValues<double> now;
  double left = HUGE_VAL;
  for (int iteration = 0; iteration < 60; ++iteration) {
    constraintRates(data_, q.data(), now);
    left = largest(now.phi);
    if (left < 1e-16 || !std::isfinite(left)) break;
    DenseMatrix<double> step(data_.rows(), 1);
    for (int i = 0; i < data_.rows(); ++i) step(i, 0) = -now.phi[i];
    cluster_detail::solveInPlace(cluster_detail::dependentColumns(data_, now.K), step);
    double length = 0;
    for (int i = 0; i < data_.rows(); ++i) length = std::max(length, std::abs(step(i, 0)));
    if (!(length > 1e-15)) break;
    const double share = std::min(1.0, 0.5 / length);
    int d = 0;
    data_.forEachJoint(
        [&](int i, int u) {
          if (!data_.isIndependent(u)) q[i] += step(d++, 0) * share;
        },
        [&](int i, int u) {
          if (data_.isIndependent(u)) return;
          const double turn[3] = {step(d, 0) * share, step(d + 1, 0) * share,
                                  step(d + 2, 0) * share};
          d += 3;
          SphericalJoint::advance(&q[i], turn, &q[i]);
        });
  }
  ESPALIER_REQUIRE(left < 1e-13, "the constraint cannot be closed from there: " +
                                     std::to_string(left) + " is left of it");
  return q;
}

std::vector<double> Base::independentOf(const std::vector<double>& q) const {
  requireSize(q, data_.nq, "q");
  std::vector<double> y;
  if (data_.phi) {
    data_.forEachJoint(
        [&](int i, int u) {
          if (data_.isIndependent(u)) y.push_back(q[i] / data_.scale);
        },
        [&](int i, int u) {
          if (data_.isIndependent(u)) y.insert(y.end(), q.begin() + i, q.begin() + i + 4);
        });
    return y;
  }
  if (data_.nq != data_.nv) return q;
  // The rows of G that determine y best.
  std::vector<double> G;
  for (int i = 0; i < data_.nv; ++i) G.insert(G.end(), data_.G.row(i), data_.G.row(i) + data_.ny());
  const Pivots p = choosePivots(G, data_.nv, data_.ny(), {}, 1e-12);
  DenseMatrix<double> A(data_.ny(), data_.ny()), right(data_.ny(), 1);
  for (int i = 0; i < data_.ny(); ++i) {
    right(i, 0) = q[p.rows[i]];
    for (int j = 0; j < data_.ny(); ++j) A(i, j) = data_.G(p.rows[i], j);
  }
  cluster_detail::solveInPlace(A, right);
  for (int i = 0; i < data_.ny(); ++i) y.push_back(right(i, 0));
  return y;
}

ConstraintValues<double> Base::at(const std::vector<double>& q) const {
  requireSize(q, data_.nq, "q");
  ConstraintValues<double> now;
  constraintRates(data_, q.data(), now);
  return now;
}
std::vector<double> Base::phi(const std::vector<double>& q) const { return at(q).phi; }
DenseMatrix<double> Base::K(const std::vector<double>& q) const { return at(q).K; }
DenseMatrix<double> Base::G(const std::vector<double>& q) const { return at(q).G; }
std::vector<double> Base::k(const std::vector<double>& q, const std::vector<double>& u) const {
  return at(q, u).k;
}
std::vector<double> Base::g(const std::vector<double>& q, const std::vector<double>& u) const {
  return at(q, u).g;
}
ConstraintValues<double> Base::at(const std::vector<double>& q,
                                  const std::vector<double>& u) const {
  requireSize(q, data_.nq, "q");
  requireSize(u, data_.nv, "u");
  ConstraintValues<double> now;
  constraintRates(data_, q.data(), now);
  constraintBiases(data_, q.data(), u.data(), now);
  return now;
}

// ---- Static, Free

namespace {

int rankOf(const DenseMatrix<double>& m) {
  std::vector<double> values;
  for (int i = 0; i < m.rows(); ++i) values.insert(values.end(), m.row(i), m.row(i) + m.columns());
  return choosePivots(values, m.rows(), m.columns(), {}, 1e-12).rank();
}

ConstraintData constantData(const DenseMatrix<double>& G, const DenseMatrix<double>& K) {
  const int n = G.rows();
  ESPALIER_REQUIRE(n > 0 && G.columns() > 0,
                   "G has a row for each coordinate, a column for each y");
  ESPALIER_REQUIRE(K.rows() + G.columns() == n && (K.rows() == 0 || K.columns() == n),
                   "K has as many columns as G has rows, and as many rows as coordinates depend");
  ESPALIER_REQUIRE(rankOf(G) == G.columns() && (K.rows() == 0 || rankOf(K) == K.rows()),
                   "the columns of G and the rows of K are linearly independent");
  for (int i = 0; i < K.rows(); ++i)
    for (int j = 0; j < G.columns(); ++j) {
      double sum = 0, size = 0;
      for (int l = 0; l < n; ++l) {
        sum += K(i, l) * G(l, j);
        size += std::abs(K(i, l) * G(l, j));
      }
      ESPALIER_REQUIRE(std::abs(sum) <= 1e-12 * size, "K G is zero");
    }
  ConstraintData data;
  data.nq = data.nv = n;
  data.G = G;
  data.K = K;
  return data;
}

}  // namespace

Static::Static(const DenseMatrix<double>& G, const DenseMatrix<double>& K)
    : Base(constantData(G, K)) {}
std::vector<double> Static::gamma(const std::vector<double>& y) const {
  requireSize(y, data().ny(), "y");
  return data().G * y;
}

Free::Free()
    : Base([] {
        ConstraintData data = constantData(unitMatrix<double>(6), DenseMatrix<double>(0, 6));
        data.nq = 7;
        return data;
      }()) {}

// ---- by a tape

namespace {

/// Each within the coordinates, behind the one before, and all of it independent or none.
void requireQuaternions(const std::vector<bool>& isIndependent, const std::vector<int>& first) {
  int end = 0;
  for (const int i : first) {
    ESPALIER_REQUIRE(i >= end && i + 4 <= static_cast<int>(isIndependent.size()),
                     "a quaternion's four coordinates stand behind those of the one before; "
                     "coordinate " +
                         std::to_string(i) + " cannot begin one");
    end = i + 4;
    for (int k = i; k < end; ++k)
      ESPALIER_REQUIRE(isIndependent[k] == isIndependent[i],
                       "the four coordinates of the quaternion at " + std::to_string(i) +
                           " are all independent or all dependent");
  }
}

ConstraintData tapeData(const std::vector<bool>& isIndependent, const Tape& phi, double scale,
                        const std::vector<int>& quaternions = {}) {
  const std::string fault = phi.fault();
  ESPALIER_REQUIRE(fault.empty(), "the tape has " + fault);
  ConstraintData data;
  data.phi = phi;
  requireQuaternions(isIndependent, quaternions);
  data.nq = static_cast<int>(isIndependent.size());
  data.nv = data.nq - static_cast<int>(quaternions.size());
  data.quaternions = quaternions;
  data.forEachJoint(
      [&](int i, int u) {
        if (isIndependent[i]) data.independent.push_back(u);
      },
      [&](int i, int u) {
        if (isIndependent[i]) data.independent.insert(data.independent.end(), {u, u + 1, u + 2});
      });
  ESPALIER_REQUIRE(phi.inputs == data.nq, "phi is of all coordinates");
  ESPALIER_REQUIRE(phi.rows() + data.ny() == data.nv,
                   "phi has " + std::to_string(phi.rows()) + " equations for " +
                       std::to_string(data.nv - data.ny()) + " dependent coordinates");
  ESPALIER_REQUIRE(data.ny() > 0, "at least one coordinate is independent");
  data.scale = scale;
  return data;
}

std::vector<bool> mask(int n, std::initializer_list<int> independent) {
  std::vector<bool> m(n, false);
  for (const int j : independent) m[j] = true;
  return m;
}

}  // namespace

Generic::Generic(const std::vector<bool>& isIndependent, const Tape& phi,
                 const std::vector<int>& quaternions)
    : Base(tapeData(isIndependent, phi, 1, quaternions)) {}

Generic Generic::fromGamma(const Tape& gamma) {
  const std::string fault = gamma.fault();
  ESPALIER_REQUIRE(fault.empty(), "the tape has " + fault);
  // A coordinate that is y_i itself; the others follow: phi = q_d - gamma_d(y).
  std::vector<int> place(gamma.inputs, -1);
  for (int j = gamma.rows() - 1; j >= 0; --j)
    if (gamma.outputs[j] < gamma.inputs) place[gamma.outputs[j]] = j;
  std::vector<bool> isIndependent(gamma.rows(), false);
  for (int i = 0; i < gamma.inputs; ++i) {
    ESPALIER_REQUIRE(place[i] >= 0 && (i == 0 || place[i] > place[i - 1]),
                     "gamma's y are some of the coordinates themselves, in their order");
    isIndependent[place[i]] = true;
  }
  const Tape phi = trace(gamma.rows(), [&](const std::vector<Traced>& q) {
    std::vector<Traced> values(gamma.values()), rows;
    for (int i = 0; i < gamma.inputs; ++i) values[i] = q[place[i]];
    play(gamma, values.data());
    for (int j = 0; j < gamma.rows(); ++j)
      if (!isIndependent[j]) rows.push_back(q[j] - values[gamma.outputs[j]]);
    return rows;
  });
  Generic constraint(tapeData(isIndependent, phi, 1));
  constraint.gamma_ = gamma;
  return constraint;
}

std::vector<double> Generic::gamma(const std::vector<double>& y) const {
  if (!gamma_) return Base::gamma(y);
  requireSize(y, gamma_->inputs, "y");
  std::vector<double> values(gamma_->values()), q(gamma_->rows());
  playValues(*gamma_, y.data(), values.data(), q.data());
  return q;
}

FourBar::FourBar(const std::array<double, 2>& path1, double path2,
                 const std::array<double, 2>& offset, int independent)
    : Base([&] {
        ESPALIER_REQUIRE(independent >= 0 && independent < 3, "the independent joint is 0, 1 or 2");
        ESPALIER_REQUIRE(path1[0] > 0 && path1[1] > 0 && path2 > 0, "links have a length");
        return tapeData(
            mask(3, {independent}),
            trace(3,
                  [&](const auto& q) {
                    const auto sum = q[0] + q[2];
                    return std::array{
                        path1[0] * cos(q[0]) + path1[1] * cos(sum) - offset[0] - path2 * cos(q[1]),
                        path1[0] * sin(q[0]) + path1[1] * sin(sum) - offset[1] - path2 * sin(q[1])};
                  }),
            1);
      }()) {}

}  // namespace espalier::LoopConstraint

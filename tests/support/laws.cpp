#include "tests/support/laws.h"

#include <cmath>
#include <unsupported/Eigen/AutoDiff>

namespace espalier::testing {
namespace {

double angleOf(double y, double x) { return std::atan2(y, x); }
/// By what its gradient is: (x dy - y dx) / (x^2 + y^2).
template <class Derivatives>
Eigen::AutoDiffScalar<Derivatives> angleOf(const Eigen::AutoDiffScalar<Derivatives>& y,
                                           const Eigen::AutoDiffScalar<Derivatives>& x) {
  const auto r2 = x.value() * x.value() + y.value() * y.value();
  Derivatives d = y.derivatives();
  for (Eigen::Index i = 0; i < d.size(); ++i)
    d[i] = (x.value() * y.derivatives()[i] - y.value() * x.derivatives()[i]) / r2;
  return {angleOf(y.value(), x.value()), d};
}

/// One row of a tape for numbers of the standard library's or Eigen's kind.
template <class T>
T played(const MechanismTree::Law& law, std::vector<T> values) {
  using std::cos, std::sin, std::sqrt;
  const Tape& tape = law.phi;
  for (const double x : tape.constants) {
    values.push_back(values[0] * 0.0);  // with derivatives, all zero
    values.back() += x;
  }
  for (const Tape::Step& s : tape.steps) {
    const T &a = values[s.a], &b = values[s.b], &c = values[s.c];
    T found = a;
    switch (s.op) {
      case TapeOp::ADD: found = a + b; break;
      case TapeOp::SUBTRACT: found = a - b; break;
      case TapeOp::MULTIPLY: found = a * b; break;
      case TapeOp::DIVIDE: found = a / b; break;
      case TapeOp::NEGATE: found = a * -1.0; break;
      case TapeOp::FUSED: found = a * b + c; break;
      case TapeOp::SQRT: found = sqrt(a); break;
      case TapeOp::SINE: found = sin(a); break;
      case TapeOp::COSINE: found = cos(a); break;
      case TapeOp::ATAN2: found = angleOf(a, b); break;
    }
    values.push_back(found);
  }
  return values[tape.outputs[law.row]];
}

}  // namespace

double valueOf(const MechanismTree& tree, const MechanismTree::Law& law, const Eigen::VectorXd& q) {
  std::vector<double> inputs;
  for (const int d : law.dofs) inputs.push_back(q[tree.coordinateOf(d)]);
  return played(law, inputs);
}

LawRates ratesOf(const MechanismTree& tree, const MechanismTree::Law& law, const Eigen::VectorXd& q,
                 const Eigen::VectorXd& u) {
  using Inner = Eigen::AutoDiffScalar<Eigen::VectorXd>;
  using Outer = Eigen::AutoDiffScalar<Eigen::Matrix<Inner, Eigen::Dynamic, 1>>;
  const auto n = static_cast<Eigen::Index>(law.dofs.size());
  std::vector<Outer> inputs;
  for (Eigen::Index i = 0; i < n; ++i) {
    Outer x;
    x.value() = Inner(q[tree.coordinateOf(law.dofs[i])], Eigen::VectorXd::Unit(n, i));
    x.derivatives().resize(n);
    for (Eigen::Index j = 0; j < n; ++j)
      x.derivatives()[j] = Inner(i == j ? 1 : 0, Eigen::VectorXd::Zero(n));
    inputs.push_back(x);
  }
  const Outer phi = played(law, inputs);
  LawRates rates;
  for (Eigen::Index i = 0; i < n; ++i) {
    rates.K.push_back(phi.derivatives()[i].value());
    for (Eigen::Index j = 0; j < n; ++j)
      rates.bias += phi.derivatives()[i].derivatives()[j] * u[law.dofs[i]] * u[law.dofs[j]];
  }
  return rates;
}

}  // namespace espalier::testing

// The equations of motion from energies alone. Dual<double> carries one derivative through the
// library's kinetic and potential energy along coordinate directions, mapped through advance().
//   p_k = dT/du_k                                        = (M u)_k
//   h_k = p'_k - dT/dq_k + dV/dq_k - (w x p_w)_k         at udot = 0
// The last term stands only for balls and free bodies, whose u is the angular velocity w in the
// joint frame and no coordinate's rate (Poincare 1901): a virtual turn e changes w by e' + e x w.

#include <gtest/gtest.h>

#include "espalier/dynamics/tree/energy.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"
#include "espalier/model/coordinates.h"
#include "tests/support/compare.h"
#include "tests/support/joint_kinds.h"

namespace espalier::testing {
namespace {

using D = Dual<double>;
const Vec3d gravity{0.3, -0.2, -9.81};

class Lagrange : public ::testing::TestWithParam<KindCase> {
 protected:
  Lagrange()
      : tree_(GetParam().tree(11)), t_(tree_.topology), s_(randomState(t_, 17)), nv_(s_.u.size()) {
    Random random(4);
    // One rotor figure for all dofs of a joint, as compile() gives: no gyroscopic couple of its own.
    for (int i = 1; i < t_.nb; ++i) {
      const double rotor = random.uniform(0, 1);
      for (int k = 0; k < t_.bodies[i].nv; ++k)
        tree_.parameters.armature[t_.bodies[i].u + k] = rotor;
    }
    tree_.parameters.hasArmature = true;
  }
  /// q (+) e step and u + e rate, e the dual unit.
  Workspace<D> along(const std::vector<double>& step, const std::vector<double>& rate) {
    std::vector<D> q, e, out(s_.q.size());
    for (double x : s_.q) q.emplace_back(x);
    for (double x : step) e.emplace_back(0.0, x);
    advance(t_, q.data(), e.data(), out.data());
    u_.clear();
    for (std::size_t d = 0; d < nv_; ++d) u_.emplace_back(s_.u[d], rate[d]);
    Workspace<D> ws(t_);
    kinematics(t_, tree_.parameters, out.data(), u_.data(), ws);
    return ws;
  }
  double kinetic(const std::vector<double>& step, const std::vector<double>& rate) {
    const Workspace<D> ws = along(step, rate);
    return kineticEnergy(t_, tree_.parameters, u_.data(), ws).d;
  }
  double potential(const std::vector<double>& step) {
    const Workspace<D> ws = along(step, std::vector<double>(nv_, 0.0));
    return potentialEnergy(t_, Vec3<D>{D(gravity.x), D(gravity.y), D(gravity.z)}, ws).d;
  }
  std::vector<double> unit(std::size_t k) const {
    std::vector<double> e(nv_, 0.0);
    e[k] = 1;
    return e;
  }
  std::vector<double> momenta() {
    Workspace<double> ws(t_);
    kinematics(t_, tree_.parameters, s_.q.data(), s_.u.data(), ws);
    massMatrix(t_, tree_.parameters, ws);
    std::vector<double> p(nv_);
    multiply(t_, ws.H.data(), s_.u.data(), p.data());
    return p;
  }
  /// d/dt (M u) along u, udot = 0.
  std::vector<double> momentumRates() {
    Workspace<D> ws = along(s_.u, std::vector<double>(nv_, 0.0));
    massMatrix(t_, tree_.parameters, ws);
    std::vector<D> p(nv_, D(0.0));
    multiply(t_, ws.H.data(), u_.data(), p.data());
    std::vector<double> rates;
    for (const D& x : p) rates.push_back(x.d);
    return rates;
  }
  /// First dof of the angular velocity of body i's joint, or -1.
  int turning(int i) const {
    const BodyTopology& b = t_.bodies[i];
    return b.kind == JointKind::Spherical ? b.u : b.kind == JointKind::Floating ? b.u + 3 : -1;
  }

  RandomTree tree_;
  const Topology& t_;
  RandomState s_;
  std::size_t nv_;
  std::vector<D> u_;
};

TEST_P(Lagrange, MomentaAreDerivativesOfKineticEnergy) {
  const std::vector<double> nothing(nv_, 0.0);
  std::vector<double> p;
  for (std::size_t k = 0; k < nv_; ++k) p.push_back(kinetic(nothing, unit(k)));
  EXPECT_LT(relativeDifference(momenta(), p), 1e-13);
}

TEST_P(Lagrange, BiasFollowsFromEnergies) {
  const std::vector<double> nothing(nv_, 0.0), p = momenta();
  std::vector<double> expected = momentumRates();
  for (std::size_t k = 0; k < nv_; ++k)
    expected[k] += potential(unit(k)) - kinetic(unit(k), nothing);
  for (int i = 0; i < t_.nb; ++i) {
    const int k = turning(i);
    if (k < 0) continue;
    const Vec3d couple =
        cross(Vec3d{s_.u[k], s_.u[k + 1], s_.u[k + 2]}, {p[k], p[k + 1], p[k + 2]});
    expected[k] -= couple.x;
    expected[k + 1] -= couple.y;
    expected[k + 2] -= couple.z;
  }
  Workspace<double> ws(t_);
  kinematics(t_, tree_.parameters, s_.q.data(), s_.u.data(), ws);
  std::vector<double> h(nv_);
  bias(t_, tree_.parameters, gravity, ws, h.data());
  EXPECT_LT(relativeDifference(h, expected), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Lagrange, ::testing::ValuesIn(everyKind()), kindName);

}  // namespace
}  // namespace espalier::testing

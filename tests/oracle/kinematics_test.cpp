// Poses against themselves: every twist, column, bias and Jacobian is the rate of something that
// kinematics() states more simply, so central differences along advance() judge them all.
//   f'(0) = (f(h) - f(-h)) / 2h + O(h^2),  h = 1e-5: about 1e-10 of truncation and rounding

#include <gtest/gtest.h>

#include <functional>

#include "espalier/dynamics/tree/accelerations.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/jacobian.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/model/coordinates.h"
#include "tests/support/compare.h"
#include "tests/support/joint_kinds.h"

namespace espalier::testing {
namespace {

constexpr double h = 1e-5, tolerance = 1e-8;

class EveryKind : public ::testing::TestWithParam<KindCase> {
 protected:
  EveryKind() : tree_(GetParam().tree(7)), t_(tree_.topology), state_(randomState(t_, 3)), ws_(t_) {
    run(state_.q, state_.u, ws_);
  }
  void run(const std::vector<double>& q, const std::vector<double>& u, Workspace<double>& ws) {
    kinematics(t_, tree_.parameters, q.data(), u.data(), ws);
  }
  std::vector<double> moved(const std::vector<double>& step) {
    std::vector<double> q(state_.q.size());
    advance(t_, state_.q.data(), step.data(), q.data());
    return q;
  }
  /// The motion with velocity u and acceleration udot at time 0: its kinematics at time s.
  Workspace<double> at(double s) {
    std::vector<double> step(state_.u.size()), u(state_.u.size());
    for (std::size_t d = 0; d < step.size(); ++d) {
      step[d] = s * state_.u[d] + s * s / 2 * state_.udot[d];
      u[d] = state_.u[d] + s * state_.udot[d];
    }
    Workspace<double> ws(t_);
    run(moved(step), u, ws);
    return ws;
  }
  /// Twist of every body about the origin O of ws_, from the poses h before and h after.
  std::vector<Motion<double>> twistsBetween(const Workspace<double>& before,
                                            const Workspace<double>& after) {
    std::vector<Motion<double>> twists;
    for (int i = 0; i < t_.nb; ++i) {
      const Mat3d turn = mul(after.R[i], transpose(before.R[i]));
      const Vec3d w = logQuat(quaternion(turn)) * (1 / (2 * h));
      const Vec3d v = (after.origin + after.x[i] - before.origin - before.x[i]) * (1 / (2 * h));
      twists.push_back({w, v - cross(w, ws_.x[i])});
    }
    return twists;
  }
  bool carries(int dof, int body) const {
    for (int d = t_.lastDof(body); d >= 0; d = t_.dofParent[d])
      if (d == dof) return true;
    return false;
  }
  /// Twist of a body about O of ws_, which stays where it is while the base moves on.
  Motion<double> twistAboutFixed(const Workspace<double>& ws, int i) {
    return {ws.V[i].w, velocityAt(ws.V[i], ws_.origin - ws.origin)};
  }

  RandomTree tree_;
  const Topology& t_;
  RandomState state_;
  Workspace<double> ws_;
};

TEST_P(EveryKind, ColumnsAreTwistsPerUnitOfVelocity) {
  for (int d = 0; d < t_.nv; ++d) {
    std::vector<double> step(static_cast<std::size_t>(t_.nv), 0.0);
    Workspace<double> before(t_), after(t_);
    step[d] = -h;
    run(moved(step), state_.u, before);
    step[d] = h;
    run(moved(step), state_.u, after);
    const auto twists = twistsBetween(before, after);
    for (int i = 0; i < t_.nb; ++i) {
      const Motion<double> S = carries(d, i) ? column(t_, ws_, d) : zeroMotion<double>();
      EXPECT_LT(relativeDifference(S, twists[i]), tolerance) << "dof " << d << ", body " << i;
    }
  }
}

TEST_P(EveryKind, TwistsAreRatesOfPoses) {
  const auto twists = twistsBetween(at(-h), at(h));
  for (int i = 0; i < t_.nb; ++i)
    EXPECT_LT(relativeDifference(ws_.V[i], twists[i]), tolerance) << "body " << i;
}

TEST_P(EveryKind, BiasIsTheAccelerationWithoutUdot) {
  std::fill(state_.udot.begin(), state_.udot.end(), 0.0);
  const Workspace<double> before = at(-h), after = at(h);
  for (int i = 0; i < t_.nb; ++i) {
    Motion<double> c = zeroMotion<double>();
    for (int b = i; b >= 0; b = t_.bodies[b].parent) c += ws_.c[b];
    const Motion<double> rate =
        (twistAboutFixed(after, i) - twistAboutFixed(before, i)) * (0.5 / h);
    EXPECT_LT(relativeDifference(c, rate), tolerance) << "body " << i;
  }
}

TEST_P(EveryKind, AccelerationsAreRatesOfTwists) {
  const Vec3d gravity{0.3, -0.2, -9.81};
  std::vector<double> tau(state_.u.size());
  inverseDynamics(t_, tree_.parameters, gravity, state_.udot.data(), ws_, tau.data());
  const Workspace<double> before = at(-h), after = at(h);
  for (int i = 0; i < t_.nb; ++i) {
    const Motion<double> a{ws_.A[i].w, ws_.A[i].v + gravity};
    const Motion<double> rate =
        (twistAboutFixed(after, i) - twistAboutFixed(before, i)) * (0.5 / h);
    EXPECT_LT(relativeDifference(a, rate), tolerance) << "body " << i;
  }
}

/// Jacobian of a point fixed to a body, dense; the rotational one below it: [6][nv].
std::vector<double> jacobian(const Topology& t, const Workspace<double>& ws, int body,
                             const Vec3d& p_C) {
  std::vector<double> J(static_cast<std::size_t>(6 * t.nv), 0.0);
  pointJacobian(t, ws, body, ws.x[body] + mul(ws.R[body], p_C), J.data());
  rotationalJacobian(t, ws, body, J.data() + 3 * t.nv);
  return J;
}

const Vec3d point{0.2, -0.3, 0.4};

TEST_P(EveryKind, JacobianTimesVelocityIsVelocity) {
  for (int i = 0; i < t_.nb; ++i) {
    const std::vector<double> J = jacobian(t_, ws_, i, point);
    std::vector<double> velocity(6, 0.0);
    for (int r = 0; r < 6; ++r)
      for (int d = 0; d < t_.nv; ++d) velocity[r] += J[r * t_.nv + d] * state_.u[d];
    const Vec3d v = velocityAt(ws_.V[i], ws_.x[i] + mul(ws_.R[i], point)), w = ws_.V[i].w;
    EXPECT_LT(relativeDifference(velocity, std::vector<double>{v.x, v.y, v.z, w.x, w.y, w.z}),
              1e-13);
  }
}

TEST_P(EveryKind, JacobianRatesAreRatesOfJacobians) {
  const Workspace<double> before = at(-h), after = at(h);
  for (int i = 0; i < t_.nb; ++i) {
    std::vector<double> rate(static_cast<std::size_t>(6 * t_.nv), 0.0);
    pointJacobianRate(t_, ws_, state_.u.data(), i, ws_.x[i] + mul(ws_.R[i], point), rate.data());
    rotationalJacobianRate(t_, ws_, state_.u.data(), i, rate.data() + 3 * t_.nv);
    const std::vector<double> a = jacobian(t_, before, i, point), b = jacobian(t_, after, i, point);
    std::vector<double> expected(rate.size());
    for (std::size_t k = 0; k < rate.size(); ++k) expected[k] = (b[k] - a[k]) / (2 * h);
    EXPECT_LT(relativeDifference(rate, expected), tolerance) << "body " << i;
  }
}

TEST_P(EveryKind, PointAccelerationsAreRatesOfPointVelocities) {
  std::vector<Motion<double>> A(static_cast<std::size_t>(t_.nb));
  accelerations(t_, ws_, state_.udot.data(), A.data());
  const Workspace<double> before = at(-h), after = at(h);
  const auto velocity = [&](const Workspace<double>& ws, int i) {
    return velocityAt(ws.V[i], ws.x[i] + mul(ws.R[i], point));
  };
  for (int i = 0; i < t_.nb; ++i) {
    const Vec3d r = ws_.x[i] + mul(ws_.R[i], point), a = accelerationAt(ws_.V[i], A[i], r);
    const Vec3d rate = (velocity(after, i) - velocity(before, i)) * (0.5 / h);
    EXPECT_LT(relativeDifference(a, rate), tolerance) << "body " << i;
    // J udot + (dJ/dt) u
    const auto nv = static_cast<std::size_t>(t_.nv);
    std::vector<double> J(3 * nv, 0.0), Jdot(3 * nv, 0.0), sum(3, 0.0);
    pointJacobian(t_, ws_, i, r, J.data());
    pointJacobianRate(t_, ws_, state_.u.data(), i, r, Jdot.data());
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t d = 0; d < nv; ++d)
        sum[k] += J[k * nv + d] * state_.udot[d] + Jdot[k * nv + d] * state_.u[d];
    EXPECT_LT(relativeDifference(std::vector<double>{a.x, a.y, a.z}, sum), 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryKind, ::testing::ValuesIn(everyKind()), kindName);

}  // namespace
}  // namespace espalier::testing

// What physics keeps whatever the mechanism: power in is the rate of energy, and a free system's
// momentum changes by outside forces alone. Rates are exact, by Dual<double> along the motion.

#include <gtest/gtest.h>

#include "espalier/dynamics/tree/energy.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/model/coordinates.h"
#include "tests/support/aba.h"
#include "tests/support/compare.h"
#include "tests/support/random_tree.h"

namespace espalier::testing {
namespace {

using D = Dual<double>;
const Vec3d gravity{0.3, -0.2, -9.81};

class Balance : public ::testing::TestWithParam<int> {
 protected:
  /// The motion of a random tree under random joint forces, as functions of e around now.
  void start(bool floating, bool armature, const std::vector<double>& base) {
    const auto seed = static_cast<std::uint64_t>(GetParam());
    tree_ = randomTree(seed,
                       {.bodies = 3 + GetParam() % 8, .floating = floating, .armature = armature});
    const Topology& t = tree_.topology;
    const RandomState s = randomState(t, seed + 77);
    Random random(seed + 5);
    tau_.resize(s.u.size());
    for (double& x : tau_) x = random.uniform(-10, 10);
    for (std::size_t d = 0; d < base.size(); ++d) tau_[d] = base[d];
    std::vector<double> udot(s.u.size());
    AbaWorkspace<double> aws(t);
    aba(t, tree_.parameters, gravity, s.q.data(), s.u.data(), tau_.data(), aws, udot.data());

    std::vector<D> q, step, moved(s.q.size());
    for (double x : s.q) q.emplace_back(x);
    for (double x : s.u) step.emplace_back(0.0, x);
    advance(t, q.data(), step.data(), moved.data());
    for (std::size_t d = 0; d < s.u.size(); ++d) u_.emplace_back(s.u[d], udot[d]);
    ws_ = std::make_unique<Workspace<D>>(t);
    kinematics(t, tree_.parameters, moved.data(), u_.data(), *ws_);
  }

  RandomTree tree_;
  std::vector<double> tau_;
  std::vector<D> u_;
  std::unique_ptr<Workspace<D>> ws_;
};

TEST_P(Balance, PowerOfTheJointsIsTheRateOfEnergy) {
  start(GetParam() % 2 == 0, GetParam() % 3 == 0, {});
  const Topology& t = tree_.topology;
  const D energy = kineticEnergy(t, tree_.parameters, u_.data(), *ws_) +
                   potentialEnergy(t, Vec3<D>{D(gravity.x), D(gravity.y), D(gravity.z)}, *ws_);
  double power = 0, size = 1;
  for (std::size_t d = 0; d < tau_.size(); ++d) {
    power += tau_[d] * u_[d].v;
    size += std::abs(tau_[d] * u_[d].v);
  }
  EXPECT_NEAR(energy.d / size, power / size, 1e-10);
}

TEST_P(Balance, OutsideForcesAreTheRateOfMomentum) {
  const Vec3d force{5, -3, 2}, couple{1, 2, -3};
  start(true, false, {force.x, force.y, force.z, couple.x, couple.y, couple.z});
  const Topology& t = tree_.topology;
  const Force<D> about = momentum(t, tree_.parameters, u_.data(), *ws_);
  // About the world's origin, which stays; the common origin moves with the base.
  const Vec3<D> angular = about.n + cross(ws_->origin, about.f);
  const RigidInertia<D> all = totalInertia(t, *ws_);
  const Vec3<D> com = centreOfMass(t, *ws_);
  const Vec3d c{com.x.v, com.y.v, com.z.v}, o{ws_->origin.x.v, ws_->origin.y.v, ws_->origin.z.v};

  const Vec3d weight = gravity * all.m.v;
  const Vec3d outside = weight + force, moment = cross(c, weight) + cross(o, force) + couple;
  EXPECT_LT(relativeDifference(Vec3d{about.f.x.d, about.f.y.d, about.f.z.d}, outside), 1e-9);
  EXPECT_LT(relativeDifference(Vec3d{angular.x.d, angular.y.d, angular.z.d}, moment), 1e-9);
  // The centre of mass moves with f / m.
  const Vec3d expected = Vec3d{about.f.x.v, about.f.y.v, about.f.z.v} * (1 / all.m.v);
  EXPECT_LT(relativeDifference(Vec3d{com.x.d, com.y.d, com.z.d}, expected), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Random, Balance, ::testing::Range(0, 24));

}  // namespace
}  // namespace espalier::testing

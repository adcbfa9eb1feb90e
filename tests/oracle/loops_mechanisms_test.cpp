// The random mechanisms with loops that other tests rely on: that they are what they are said to be,
// and that there are enough of every sort. And the second opinion on them, against differences.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/support/compare.h"
#include "tests/support/random_mechanism.h"

namespace espalier::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int seeds = 100;

/// Rank that a loop adds to the tree alone, at q.
int rankOf(const SystemSpec& spec, const LoopSpec& loop, const VectorXd& q) {
  SystemSpec alone = spec;
  alone.loops = {loop};
  alone.couplings.clear();
  for (JointSpec& j : alone.joints) j.mimic.reset();
  const MechanismTree tree(alone);
  return tree.nv - Maximal(tree, q, VectorXd::Zero(tree.nv)).dofs();
}

TEST(LoopsMechanisms, EverySortOccursAtLeastFiveTimes) {
  std::map<std::string, int> times;
  for (int seed = 0; seed < seeds; ++seed) {
    const auto [spec, q0] = randomMechanism(static_cast<std::uint64_t>(seed));
    const MechanismTree tree(spec);
    std::map<std::string, int> here;
    (tree.floating ? here["floating base"] : here["fixed base"]) = 1;
    if (!spec.couplings.empty()) here["coupling"] = 1;
    for (const JointSpec& j : spec.joints)
      if (j.mimic) here["mimic"] = 1;
    std::vector<int> taken;
    for (std::size_t k = 0; k < tree.ties.size(); ++k) {
      const MechanismTree::Tie& tie = tree.ties[k];
      here["kind " + std::to_string(static_cast<int>(tie.kind))] = 1;
      (isPlanar(tree, tie, q0) ? here["planar"] : here["spatial"]) = 1;
      const std::vector<int> joints = jointsOfLoop(tree, tie);
      if (std::find_first_of(joints.begin(), joints.end(), taken.begin(), taken.end()) !=
          joints.end())
        here["overlapping"] = 1;
      taken.insert(taken.end(), joints.begin(), joints.end());
      if (rankOf(spec, spec.loops[k], q0) < nominalRows(tie.kind)) here["redundant"] = 1;
      if (tie.a.body < 0 || tie.b.body < 0) {
        here["to ground"] = 1;
      } else {
        const std::vector<int> a = tree.way(tie.a.body), b = tree.way(tie.b.body);
        const auto carries = [](int body, const std::vector<int>& way) {
          return std::find(way.begin(), way.end(), body) != way.end();
        };
        if (carries(tie.a.body, b) || carries(tie.b.body, a))
          here["to an ancestor"] = 1;
        else
          here["between branches"] = 1;
      }
    }
    for (const auto& [sort, count] : here) times[sort] += count;
  }
  for (const char* sort :
       {"kind 0", "kind 1", "kind 2", "kind 3", "kind 4", "kind 5", "kind 6", "kind 7", "planar",
        "spatial", "overlapping", "redundant", "to ground", "to an ancestor", "between branches",
        "fixed base", "floating base", "coupling", "mimic"}) {
    EXPECT_GE(times[sort], 5) << sort;
    RecordProperty(sort, times[sort]);
  }
}

class LoopsMechanismsSeeds : public ::testing::TestWithParam<int> {
 protected:
  RandomMechanism mechanism_ = randomMechanism(static_cast<std::uint64_t>(GetParam()));
  MechanismTree tree_{mechanism_.spec};
};

TEST_P(LoopsMechanismsSeeds, AreClosedAndMove) {
  EXPECT_LT(closureResidual(tree_, mechanism_.q0).cwiseAbs().maxCoeff(), 1e-14);
  const std::vector<MechanismState> states = randomStates(tree_, mechanism_.q0, 3, 5);
  ASSERT_EQ(states.size(), 5u);
  for (const MechanismState& s : states) {
    EXPECT_LT(closureResidual(tree_, s.q).cwiseAbs().maxCoeff(), 1e-13);
    const Maximal m(tree_, s.q, s.u);
    EXPECT_GT(m.dofs(), 0);
    EXPECT_LT(m.velocityError(), 1e-11);
    EXPECT_LT(m.dropped(), 1e-12);
  }
}

/// f'(0) by the six values next to it, exact to h^6.
template <class F>
auto derivative(const F& f, double h) {
  using Value = decltype(f(h));
  return Value((45 * (f(h) - f(-h)) - 9 * (f(2 * h) - f(-2 * h)) + (f(3 * h) - f(-3 * h))) /
               (60 * h));
}

/// G, g and udot are rates of a motion that stays closed; the power of tau is the rate of energy.
TEST_P(LoopsMechanismsSeeds, RatesAreThoseOfAMotion) {
  const V3 gravity(0.3, -0.2, -9.81);
  const MechanismState s = randomStates(tree_, mechanism_.q0, 4, 1).at(0);
  Random random(5);
  VectorXd tau(tree_.nv);
  for (double& x : tau) x = random.uniform(-5, 5);
  Maximal m(tree_, s.q, s.u);
  m.addGravity(gravity);
  const std::vector<int> y = m.independentDofs();
  const Maximal::Reduced r = m.reduced(y);
  const auto at = [&](const VectorXd& dy) {  // independent coordinates moved, the others follow
    VectorXd step = r.G * dy;
    step(y) = dy;
    const Closed closed = close(tree_, tree_.advance(s.q, step), y);
    EXPECT_TRUE(closed.converged()) << closed.residual;
    return closed.q;
  };
  const double h = 5e-4;
  for (int k = 0; k < m.dofs(); ++k) {
    const VectorXd e = VectorXd::Unit(m.dofs(), k);
    const VectorXd column =
        derivative([&](double x) { return tree_.difference(s.q, at(x * e)); }, h);
    EXPECT_LT(relativeDifference(column, VectorXd(r.G.col(k))), 1e-9) << k;
  }
  // g is the rate of G u_y along the motion of steady u_y.
  const VectorXd uy = s.u(y);
  const auto ratesAt = [&](double t) {
    return VectorXd(Maximal(tree_, at(t * uy), VectorXd::Zero(tree_.nv)).reduced(y).G * uy);
  };
  const VectorXd g = derivative(ratesAt, h / 2);
  EXPECT_LT(relativeDifference(g, r.g), 2e-9);

  const VectorXd udot = m.accelerations(tau);
  EXPECT_LT(relativeDifference(VectorXd(r.G * udot(y) + r.g), udot), 1e-10);
  EXPECT_LT(relativeDifference(VectorXd(r.M * udot(y) + r.h), VectorXd(r.G.transpose() * tau)),
            1e-10);
  // d/dt (T + V) = tau u
  const auto energy = [&](double dt) {
    const VectorXd q = tree_.advance(s.q, dt * s.u + dt * dt / 2 * udot);
    const Maximal there(tree_, q, s.u + dt * udot);
    return there.kineticEnergy() + there.potentialEnergy(gravity);
  };
  // Near a singularity rates change fast: their own time sets the step.
  const double fast = std::max({1.0, s.u.cwiseAbs().maxCoeff(), udot.cwiseAbs().maxCoeff()});
  const double dt = 1e-3 / fast;
  const double rate = derivative(energy, dt);
  EXPECT_NEAR(rate, tau.dot(s.u), 1e-9 * fast * std::max(1.0, m.kineticEnergy()));

  // What floats freely gains momentum from gravity and the forces on its base alone.
  const bool isGrounded =
      std::any_of(tree_.ties.begin(), tree_.ties.end(),
                  [](const MechanismTree::Tie& tie) { return tie.a.body < 0 || tie.b.body < 0; });
  if (!tree_.floating || isGrounded) return;
  const auto momentum = [&](double x) {
    const VectorXd q = tree_.advance(s.q, x * s.u + x * x / 2 * udot);
    return V6(Maximal(tree_, q, s.u + x * udot).momentum());
  };
  const V3 base = s.q.head<3>(), force = tau.head<3>(), moment = tau.segment<3>(3);
  V6 pull = six(moment + base.cross(force), force);
  for (int i = 0; i < tree_.nb(); ++i) {
    const V3 weight = tree_.bodies[i].mass * gravity;
    pull += six(m.centre(i).cross(weight), weight);
  }
  EXPECT_LT((derivative(momentum, dt) - pull).norm(), 1e-9 * fast * std::max(1.0, pull.norm()));
}
INSTANTIATE_TEST_SUITE_P(Seeds, LoopsMechanismsSeeds, ::testing::Range(0, seeds));

}  // namespace
}  // namespace espalier::testing

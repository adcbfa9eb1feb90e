// The second opinion on closed loops, itself against closed forms and against what must hold.

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/model/coordinates.h"
#include "espalier/model/model.h"
#include "tests/support/aba.h"
#include "tests/support/closure.h"
#include "tests/support/compare.h"
#include "tests/support/random_spec.h"

namespace espalier::testing {
namespace {

using Eigen::VectorXd;

const V3 gravityE(0.3, -0.2, -9.81);

LinkSpec link(const std::string& name, double mass, const Vec3d& com, const Sym3<double>& I) {
  LinkSpec l;
  l.name = name;
  l.inertial = InertialSpec{mass, {identity3<double>(), com}, I};
  return l;
}

/// A rod from its origin along x, a little thick.
LinkSpec rod(const std::string& name, double mass, double length) {
  const double I = mass * length * length / 12;
  return link(name, mass, {length / 2, 0, 0}, {1e-3, 0, 0, I + 1e-3, 0, I});
}

JointSpec joint(JointKind kind, const std::string& parent, const std::string& child, const Vec3d& p,
                const Vec3d& axis = {0, 0, 1}) {
  JointSpec j;
  j.name = parent + "_" + child;
  j.kind = kind;
  j.parent = parent;
  j.child = child;
  j.X_PJ = {identity3<double>(), p};
  j.axes[0] = axis;
  return j;
}

LoopSpec loop(LoopKind kind, const std::string& predecessor, const Vec3d& p,
              const std::string& successor, const Vec3d& s, const Vec3d& axis = {0, 0, 1}) {
  LoopSpec l;
  l.name = "loop";
  l.kind = kind;
  l.predecessor = predecessor;
  l.successor = successor;
  l.X_PA.p = p;
  l.X_SB.p = s;
  l.axis = axis;
  return l;
}

SystemSpec fixedSystem(std::vector<LinkSpec> links) {
  SystemSpec spec;
  spec.fixedBase = true;
  spec.links = std::move(links);
  spec.links.emplace_back().name = "ground";
  return spec;
}

// ---- the four-bar: ground g, crank a at the origin, coupler b, rocker c at (g, 0), gravity along -y

struct FourBar {
  double g = 1.1, a = 0.3, b = 0.9, c = 0.7;
  double ma = 0.4, mb = 1.3, mc = 0.8;

  SystemSpec spec(LoopKind kind) const {
    SystemSpec s = fixedSystem({rod("crank", ma, a), rod("coupler", mb, b), rod("rocker", mc, c)});
    s.joints = {joint(JointKind::Revolute, "ground", "crank", {0, 0, 0}),
                joint(JointKind::Revolute, "crank", "coupler", {a, 0, 0}),
                joint(JointKind::Revolute, "ground", "rocker", {g, 0, 0})};
    s.loops = {loop(kind, "coupler", {b, 0, 0}, "rocker", {c, 0, 0})};
    return s;
  }

  /// Everything by a chain of scalar functions of the crank's angle x and its rates, and the
  /// equation of motion of one dof, M x'' + M'/2 x'^2 + V' = tau, by Lagrange.
  struct Angles {
    double coupler, rocker;  ///< in the world
  };
  Angles angles(double x) const {
    // The diagonal from the crank's pin to the rocker's foot, then the law of cosines.
    const double dx = g - a * std::cos(x), dy = -a * std::sin(x), d = std::hypot(dx, dy);
    const double towards = std::atan2(dy, dx);
    const double beta = towards + std::acos((b * b + d * d - c * c) / (2 * b * d));
    const double px = a * std::cos(x) + b * std::cos(beta),
                 py = a * std::sin(x) + b * std::sin(beta);
    return {beta, std::atan2(py, px - g)};
  }
  /// d(coupler)/dx and d(rocker)/dx: a sin(x - r) + b sin(beta - r) beta' = 0, and so on.
  Angles slopes(double x) const {
    const auto [beta, r] = angles(x);
    return {-a * std::sin(x - r) / (b * std::sin(beta - r)),
            a * std::sin(x - beta) / (c * std::sin(r - beta))};
  }
  /// Their derivatives, from the velocity loop differentiated once more:
  ///   a e(x) + b e(beta) - c e(r) = (g, 0),  e' = i e
  ///   i b e(beta) beta'' - i c e(r) r'' = a e(x) + b e(beta) beta'^2 - c e(r) r'^2
  Angles curvatures(double x) const {
    const auto [beta, r] = angles(x);
    const auto [s, t] = slopes(x);
    // Times e(-r), its real part, and times e(-beta), its real part.
    return {-(a * std::cos(x - r) + b * std::cos(beta - r) * s * s - c * t * t) /
                (b * std::sin(beta - r)),
            (a * std::cos(x - beta) + b * s * s - c * std::cos(r - beta) * t * t) /
                (c * std::sin(r - beta))};
  }
  /// Kinetic energy at unit crank rate, times two.
  double mass(double x) const {
    const auto [beta, r] = angles(x);
    const auto [s, t] = slopes(x);
    const double vx = -a * std::sin(x) - b / 2 * std::sin(beta) * s,
                 vy = a * std::cos(x) + b / 2 * std::cos(beta) * s;
    return ma * a * a / 3 + mb * (vx * vx + vy * vy) + mb * b * b / 12 * s * s +
           mc * c * c / 3 * t * t;
  }
  double massSlope(double x) const {
    const auto [beta, r] = angles(x);
    const auto [s, t] = slopes(x);
    const auto [ds, dt] = curvatures(x);
    const double vx = -a * std::sin(x) - b / 2 * std::sin(beta) * s,
                 vy = a * std::cos(x) + b / 2 * std::cos(beta) * s;
    const double ax = -a * std::cos(x) - b / 2 * (std::cos(beta) * s * s + std::sin(beta) * ds),
                 ay = -a * std::sin(x) - b / 2 * (std::sin(beta) * s * s - std::cos(beta) * ds);
    return 2 * (mb * (vx * ax + vy * ay) + mb * b * b / 12 * s * ds + mc * c * c / 3 * t * dt);
  }
  /// d/dx of the height of all that weighs, times m g.
  double weightSlope(double x, double g0) const {
    const auto [beta, r] = angles(x);
    const auto [s, t] = slopes(x);
    return g0 * (ma * a / 2 * std::cos(x) + mb * (a * std::cos(x) + b / 2 * std::cos(beta) * s) +
                 mc * c / 2 * std::cos(r) * t);
  }
};

class FourBarForms : public ::testing::TestWithParam<LoopKind> {};

TEST_P(FourBarForms, ClosedForm) {
  const FourBar bar;
  const MechanismTree tree(bar.spec(GetParam()));
  for (double x = -3; x <= 3; x += 0.37) {
    const auto [beta, r] = bar.angles(x);
    const auto [s, t] = bar.slopes(x);
    const auto [ds, dt] = bar.curvatures(x);
    const double rate = 1.7, tau = 0.9;
    const Eigen::Vector3d q(x, beta - x, r);
    EXPECT_LT(closureResidual(tree, q).cwiseAbs().maxCoeff(), 1e-14);
    const Eigen::Vector3d G(1, s - 1, t), g = Eigen::Vector3d(0, ds, dt) * rate * rate;

    Maximal m(tree, q, G * rate);
    m.addGravity({0, -9.81, 0});
    ASSERT_EQ(m.dofs(), 1);
    EXPECT_LT(m.velocityError(), 1e-13);
    const Maximal::Reduced reduced = m.reduced({0});
    EXPECT_LT(relativeDifference(reduced.G.col(0), G), 1e-12);
    EXPECT_LT(relativeDifference(reduced.g, g), 1e-12);
    EXPECT_NEAR(reduced.M(0, 0), bar.mass(x), 1e-12);
    const double h = bar.massSlope(x) / 2 * rate * rate + bar.weightSlope(x, 9.81);
    EXPECT_NEAR(reduced.h[0], h, 1e-11);

    const double crank = (tau - h) / bar.mass(x);
    EXPECT_LT(relativeDifference(m.accelerations(Eigen::Vector3d(tau, 0, 0)), G * crank + g),
              1e-12);
    // The same torque, by virtual work, at the rocker.
    EXPECT_LT(relativeDifference(m.accelerations(Eigen::Vector3d(0, 0, tau / t)), G * crank + g),
              1e-12);
  }
}
// All but the point have redundant rows, in the plane.
INSTANTIATE_TEST_SUITE_P(Loops, FourBarForms,
                         ::testing::Values(LoopKind::POINT, LoopKind::REVOLUTE,
                                           LoopKind::CYLINDRICAL));

TEST(LoopsOracle, ClosureFindsTheFourBar) {
  const FourBar bar;
  const MechanismTree tree(bar.spec(LoopKind::REVOLUTE));
  const double x = 0.8;
  const auto [beta, r] = bar.angles(x);
  const Closed found = close(tree, Eigen::Vector3d(x, beta - x + 0.2, r - 0.3), {0});
  EXPECT_TRUE(found.converged()) << found.residual;
  EXPECT_EQ(found.q[0], x);
  EXPECT_LT(relativeDifference(found.q, Eigen::Vector3d(x, beta - x, r)), 1e-12);
}

// ---- the slider-crank: crank a, rod b, slider along x at height e

TEST(LoopsOracle, SliderCrankClosedForm) {
  const double a = 0.25, b = 0.8, e = 0.1, ma = 0.3, mb = 0.7, ms = 1.2;
  SystemSpec spec = fixedSystem(
      {rod("crank", ma, a), rod("rod", mb, b), link("slider", ms, {0, 0, 0}, {1, 0, 0, 1, 0, 1})});
  spec.joints = {joint(JointKind::Revolute, "ground", "crank", {0, 0, 0}),
                 joint(JointKind::Revolute, "crank", "rod", {a, 0, 0}),
                 joint(JointKind::Prismatic, "ground", "slider", {0, e, 0}, {1, 0, 0})};
  spec.loops = {loop(LoopKind::REVOLUTE, "rod", {b, 0, 0}, "slider", {0, 0, 0})};
  const MechanismTree tree(spec);
  for (double x = -3; x <= 3; x += 0.41) {
    // b sin beta = e - a sin x;  slider at a cos x + b cos beta.
    const double beta = std::asin((e - a * std::sin(x)) / b), sx = std::sin(x), cx = std::cos(x),
                 sb = std::sin(beta), cb = std::cos(beta), s = -a * cx / (b * cb),
                 ds = (a * sx + b * sb * s * s) / (b * cb), rate = -2.2, tau = 0.6, push = 3;
    const double slope = -a * sx - b * sb * s, dslope = -a * cx - b * cb * s * s - b * sb * ds;
    const Eigen::Vector3d q(x, beta - x, a * cx + b * cb), G(1, s - 1, slope),
        g = Eigen::Vector3d(0, ds, dslope) * rate * rate;
    EXPECT_LT(closureResidual(tree, q).cwiseAbs().maxCoeff(), 1e-14);
    // Without gravity: M = ma a^2/3 + mb (|v|^2 + b^2/12 s^2) + ms slope^2
    const double vx = -a * sx - b / 2 * sb * s, vy = a * cx + b / 2 * cb * s;
    const double ax = -a * cx - b / 2 * (cb * s * s + sb * ds),
                 ay = -a * sx - b / 2 * (sb * s * s - cb * ds);
    const double M =
        ma * a * a / 3 + mb * (vx * vx + vy * vy + b * b / 12 * s * s) + ms * slope * slope;
    const double dM = 2 * (mb * (vx * ax + vy * ay + b * b / 12 * s * ds) + ms * slope * dslope);
    const double crank = (tau + push * slope - dM / 2 * rate * rate) / M;

    Maximal m(tree, q, G * rate);
    ASSERT_EQ(m.dofs(), 1);
    EXPECT_LT(relativeDifference(m.accelerations(Eigen::Vector3d(tau, 0, push)), G * crank + g),
              1e-12);
    m.push("slider", {0, e, 0}, {1, 0.5, 0}, {0, 0, 3});  // only its x part moves anything
    const double pushed = crank + slope / M;
    EXPECT_LT(relativeDifference(m.accelerations(Eigen::Vector3d(tau, 0, push)), G * pushed + g),
              1e-12);
  }
}

// ---- gears

TEST(LoopsOracle, GearedChainHasTheGoldValue) {
  // H = I + m c^2 + N^2 Irot with I = m = 1, c = 0.5, Irot = 1e-4, N = 2.
  SystemSpec spec = fixedSystem({link("arm", 1, {0.5, 0, 0}, {1, 0, 0, 1, 0, 1}),
                                 link("rotor", 0.1, {0, 0, 0}, {1e-4, 0, 0, 1e-4, 0, 1e-4})});
  spec.joints = {joint(JointKind::Revolute, "ground", "arm", {0, 0, 0}),
                 joint(JointKind::Revolute, "ground", "rotor", {0, 0.2, 0})};
  CouplingSpec gear;
  gear.predecessor = "arm";
  gear.successor = "rotor";
  gear.ratio = 2;
  gear.offset = 0.3;
  spec.couplings = {gear};
  const MechanismTree tree(spec);
  const Eigen::Vector2d q(0.4, 2 * 0.4 + 0.3), u(1.5, 3);
  EXPECT_LT(closureResidual(tree, q).norm(), 1e-15);
  const Maximal m(tree, q, u);
  EXPECT_NEAR(m.reduced({0}).M(0, 0), 1.2504, 1e-14);
  EXPECT_NEAR(m.accelerations(Eigen::Vector2d(0, 1))[0], 2 / 1.2504, 1e-13);
  // As a mimic with the rotor's inertia on the joint instead.
  spec.couplings.clear();
  spec.joints[1].mimic = MimicSpec{"ground_arm", 2, 0.3};
  spec.joints[0].dynamics.rotorInertia = 1;
  const MechanismTree mimic(spec);
  EXPECT_NEAR(Maximal(mimic, q, u).reduced({0}).M(0, 0), 2.2504, 1e-14);
}

TEST(LoopsOracle, BeltCouplesTheSumOfTwoJoints) {
  SystemSpec spec = fixedSystem({rod("thigh", 1, 0.4), rod("shank", 1, 0.4),
                                 link("rotor", 0.2, {0, 0, 0}, {1e-3, 0, 0, 1e-3, 0, 2e-3})});
  spec.joints = {joint(JointKind::Revolute, "ground", "thigh", {0, 0, 0}),
                 joint(JointKind::Revolute, "thigh", "shank", {0.4, 0, 0}),
                 joint(JointKind::Revolute, "ground", "rotor", {0, 0, 0})};
  CouplingSpec belt;
  belt.predecessor = "shank";
  belt.successor = "rotor";
  belt.ratio = -3;
  spec.couplings = {belt};
  const MechanismTree tree(spec);
  const Eigen::Vector3d q(0.2, 0.5, -2.1), u(1, 2, -9);
  const Maximal::Reduced r = Maximal(tree, q, u).reduced({0, 1});
  EXPECT_LT(relativeDifference(r.G.row(2), Eigen::RowVector2d(-3, -3)), 1e-14);
  EXPECT_LT(r.g.norm(), 1e-13);
  spec.couplings.clear();
  const MechanismTree without(spec);
  const Maximal::Reduced open = Maximal(without, q, u).reduced({0, 1, 2});
  EXPECT_LT((r.M - r.G.transpose() * open.M * r.G).norm(), 1e-14);
}

// ---- without loops

TEST(LoopsOracle, Pendulum) {
  SystemSpec spec = fixedSystem({rod("rod", 2, 0.6)});
  spec.joints = {joint(JointKind::Revolute, "ground", "rod", {0, 0, 0.3}, {0, -3, 0})};
  const MechanismTree tree(spec);
  const double x = 0.7, I = 2 * 0.36 / 3 + 1e-3;  // angle above the horizontal
  Maximal m(tree, VectorXd::Constant(1, x), VectorXd::Constant(1, 1.3));
  m.addGravity({0, 0, -9.81});
  EXPECT_NEAR(m.accelerations(VectorXd::Constant(1, 0.5))[0],
              (0.5 - 2 * 9.81 * 0.3 * std::cos(x)) / I, 1e-12);
  EXPECT_NEAR(m.kineticEnergy(), I / 2 * 1.3 * 1.3, 1e-14);
  EXPECT_NEAR(m.potentialEnergy({0, 0, -9.81}), 2 * 9.81 * (0.3 + 0.3 * std::sin(x)), 1e-13);
}

class LoopsOracleTrees : public ::testing::TestWithParam<int> {};

TEST_P(LoopsOracleTrees, AreThoseOfTheEngine) {
  const int seed = GetParam();
  const SystemSpec spec = randomSpec(static_cast<std::uint64_t>(seed) + 40,
                                     {.links = 4 + seed % 5, .fixedBase = seed % 2 == 0});
  const MechanismTree tree(spec);
  const Expected<Model> compiled = compile(spec);
  ASSERT_TRUE(compiled.hasValue());
  const Model& model = *compiled;
  ASSERT_EQ(model.nv(), tree.nv);
  std::vector<double> q(tree.nq), u(tree.nv), tau(tree.nv), udot(tree.nv);
  randomConfiguration(model.topology, static_cast<std::uint64_t>(seed), 1, q.data());
  Random random(static_cast<std::uint64_t>(seed) + 3);
  for (double& x : u) x = random.uniform(-2, 2);
  for (double& x : tau) x = random.uniform(-5, 5);
  AbaWorkspace<double> ws(model.topology);
  aba(model.topology, model.lowered, fromEigen(gravityE), q.data(), u.data(), tau.data(), ws,
      udot.data());
  ASSERT_TRUE(model.publicOrderIsInternal);
  Maximal m(tree, VectorXd::Map(q.data(), tree.nq), VectorXd::Map(u.data(), tree.nv));
  m.addGravity(gravityE);
  EXPECT_EQ(m.dofs(), tree.nv);
  EXPECT_LT(relativeDifference(udot, m.accelerations(VectorXd::Map(tau.data(), tree.nv))), 1e-9);
}
INSTANTIATE_TEST_SUITE_P(Seeds, LoopsOracleTrees, ::testing::Range(0, 24));

}  // namespace
}  // namespace espalier::testing

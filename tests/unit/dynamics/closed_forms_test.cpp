// Mechanisms small enough to be written out by hand.

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/dynamics/tree/energy.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/jacobian.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"
#include "espalier/spatial/rotation.h"
#include "tests/support/aba.h"
#include "tests/support/compare.h"
#include "tests/support/forward_dynamics.h"

namespace espalier::testing {
namespace {

constexpr double g = 9.81;
const Vec3d gravity{0, 0, -g};
using Numbers = std::vector<double>;

struct TreeByHand {
  Topology topology;
  Lowered<double> parameters;

  void add(int parent, JointKind kind, const Mat3d& R_PJ, const Vec3d& p, RigidInertia<double> I) {
    bodies_.push_back({.parent = parent, .kind = kind});
    parameters.bodies.push_back({transpose(R_PJ), p, I});
    parameters.extra.push_back({});
    topology = makeTopology(bodies_);
    parameters.armature.assign(static_cast<std::size_t>(topology.nv), 0.0);
  }

 private:
  std::vector<BodyTopology> bodies_;
};

const RigidInertia<double> nothing{0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};

RigidInertia<double> pointAt(double m, const Vec3d& c) {
  return toParent(identity3<double>(), c, {m, {0, 0, 0}, {0, 0, 0, 0, 0, 0}});
}

/// Hinges about the world's y; q = 0 hangs straight down, q > 0 swings towards -x.
TreeByHand pendulum(const Numbers& lengths, const Numbers& masses) {
  TreeByHand m;
  m.add(-1, JointKind::Fixed, identity3<double>(), {0, 0, 0}, nothing);
  const Mat3d toY = rotationToZ({0, 1, 0});
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    // In the body's own frame (z along the hinge) down is R' (0, 0, -l).
    const Vec3d bob = tmul(toY, Vec3d{0, 0, -lengths[k]});
    const Vec3d p = k == 0 ? Vec3d{0, 0, 0} : tmul(toY, Vec3d{0, 0, -lengths[k - 1]});
    m.add(static_cast<int>(k), JointKind::Revolute, k == 0 ? toY : identity3<double>(), p,
          pointAt(masses[k], bob));
  }
  return m;
}

TEST(ClosedForms, Pendulum) {
  const double l = 0.7, m = 1.3, q = 0.4, u = -1.1, tau = 0.2;
  const TreeByHand p = pendulum({l}, {m});
  Workspace<double> ws(p.topology);
  AbaWorkspace<double> aws(p.topology);
  double udot, h;
  aba(p.topology, p.parameters, gravity, &q, &u, &tau, aws, &udot);
  EXPECT_NEAR(udot, (tau - m * g * l * std::sin(q)) / (m * l * l), 1e-14);
  kinematics(p.topology, p.parameters, &q, &u, ws);
  bias(p.topology, p.parameters, gravity, ws, &h);
  EXPECT_NEAR(h, m * g * l * std::sin(q), 1e-14);
  massMatrix(p.topology, p.parameters, ws);
  EXPECT_NEAR(ws.H[0], m * l * l, 1e-15);
  EXPECT_NEAR(kineticEnergy(p.topology, p.parameters, &u, ws), m * l * l * u * u / 2, 1e-15);
  EXPECT_NEAR(potentialEnergy(p.topology, gravity, ws), -m * g * l * std::cos(q), 1e-14);
  const Vec3d com = centreOfMass(p.topology, ws);
  EXPECT_LT(relativeDifference(com, Vec3d{-l * std::sin(q), 0, -l * std::cos(q)}), 1e-15);
}

TEST(ClosedForms, DoublePendulum) {
  const double l1 = 0.7, l2 = 0.4, m1 = 1.3, m2 = 0.6;
  const TreeByHand p = pendulum({l1, l2}, {m1, m2});
  const double q[2] = {0.4, -0.9}, u[2] = {-1.1, 2.3};
  Workspace<double> ws(p.topology);
  kinematics(p.topology, p.parameters, q, u, ws);
  massMatrix(p.topology, p.parameters, ws);
  const double c = std::cos(q[1]), s = std::sin(q[1]);
  const double M22 = m2 * l2 * l2, M21 = M22 + m2 * l1 * l2 * c,
               M11 = (m1 + m2) * l1 * l1 + M22 + 2 * m2 * l1 * l2 * c;
  EXPECT_NEAR(ws.H[0], M11, 1e-15);
  EXPECT_NEAR(ws.H[1], M21, 1e-15);
  EXPECT_NEAR(ws.H[2], M22, 1e-15);
  double h[2];
  bias(p.topology, p.parameters, gravity, ws, h);
  const double k = m2 * l1 * l2 * s, lower = m2 * g * l2 * std::sin(q[0] + q[1]);
  EXPECT_NEAR(h[0],
              -k * (2 * u[0] * u[1] + u[1] * u[1]) + (m1 + m2) * g * l1 * std::sin(q[0]) + lower,
              1e-14);
  EXPECT_NEAR(h[1], k * u[0] * u[0] + lower, 1e-14);
}

TEST(ClosedForms, CartPole) {
  // A slider along x, a pole hinged on it about y.
  const double M = 2, m = 0.3, l = 0.6;
  TreeByHand p;
  p.add(-1, JointKind::Fixed, identity3<double>(), {0, 0, 0}, nothing);
  const Mat3d toX = rotationToZ({1, 0, 0}), toY = rotationToZ({0, 1, 0});
  p.add(0, JointKind::Prismatic, toX, {0, 0, 0}, pointAt(M, {0, 0, 0}));
  p.add(1, JointKind::Revolute, mul(transpose(toX), toY), {0, 0, 0},
        pointAt(m, tmul(toY, Vec3d{0, 0, -l})));
  const double q[2] = {0.5, 0.8}, u[2] = {1.2, -0.7}, tau[2] = {3, 0};
  const double s = std::sin(q[1]), c = std::cos(q[1]);
  // x_pole = x - l sin q:  (M+m) x" - m l (q" c - q'^2 s) = F,  m l^2 q" - m l x" c + m g l s = 0
  const double a = M + m, b = -m * l * c, d = m * l * l;
  const double r0 = tau[0] - m * l * u[1] * u[1] * s, r1 = -m * g * l * s;
  const double det = a * d - b * b;
  Workspace<double> ws(p.topology);
  double udot[2];
  forwardDynamics(p.topology, p.parameters, gravity, q, u, tau, ws, udot);
  EXPECT_NEAR(udot[0], (d * r0 - b * r1) / det, 1e-13);
  EXPECT_NEAR(udot[1], (a * r1 - b * r0) / det, 1e-13);
}

TEST(ClosedForms, AFreeBodyFallsAndTumblesAfterEuler) {
  const double I1 = 0.1, I2 = 0.25, I3 = 0.3;
  TreeByHand p;
  p.add(-1, JointKind::Floating, identity3<double>(), {0, 0, 0},
        {2, {0, 0, 0}, {I1, 0, 0, I2, 0, I3}});
  const Vec3d w{0.3, -2, 1};  // body axes = world axes: the neutral quaternion
  const double q[7] = {1, 2, 3, 1, 0, 0, 0}, u[6] = {4, 5, 6, w.x, w.y, w.z};
  const double tau[6] = {2, 0, 0, 0, 0, 0.3};
  AbaWorkspace<double> ws(p.topology);
  double udot[6];
  aba(p.topology, p.parameters, gravity, q, u, tau, ws, udot);
  const Numbers expected{1,
                         0,
                         -g,
                         (I2 - I3) * w.y * w.z / I1,
                         (I3 - I1) * w.z * w.x / I2,
                         ((I1 - I2) * w.x * w.y + 0.3) / I3};
  EXPECT_LT(relativeDifference(Numbers(udot, udot + 6), expected), 1e-14);
}

TEST(ClosedForms, ARotorAddsToItsHingeAlone) {
  const double l = 0.7, m = 1.3, a = 0.4, q = 0.4, u = 2;
  TreeByHand p = pendulum({l}, {m});
  p.parameters.armature[0] = a;
  p.parameters.hasArmature = true;
  AbaWorkspace<double> aws(p.topology);
  double udot;
  const double tau = 1;
  aba(p.topology, p.parameters, gravity, &q, &u, &tau, aws, &udot);
  EXPECT_NEAR(udot, (tau - m * g * l * std::sin(q)) / (m * l * l + a), 1e-14);
}

TEST(ClosedForms, CompositeInertiaAndMomentum) {
  const double l1 = 0.7, l2 = 0.4, m1 = 1.3, m2 = 0.6;
  const TreeByHand p = pendulum({l1, l2}, {m1, m2});
  const double q[2] = {0, 0}, u[2] = {1, 0};  // straight down, turning as one
  Workspace<double> ws(p.topology);
  kinematics(p.topology, p.parameters, q, u, ws);
  const RigidInertia<double> all = compositeInertia(p.topology, 1, ws);
  EXPECT_NEAR(all.m, m1 + m2, 1e-15);
  EXPECT_NEAR(all.I.yy, m1 * l1 * l1 + m2 * (l1 + l2) * (l1 + l2), 1e-15);
  EXPECT_NEAR(compositeInertia(p.topology, 2, ws).m, m2, 1e-15);
  const Force<double> momenta = momentum(p.topology, p.parameters, u, ws);
  EXPECT_NEAR(momenta.n.y, all.I.yy, 1e-15);
  EXPECT_NEAR(momenta.f.x, -(m1 * l1 + m2 * (l1 + l2)), 1e-15);
}

TEST(ClosedForms, JacobiansWriteOnlyTheirOwnColumns) {
  // Two arms on one base: the columns of the other arm are left alone.
  TreeByHand p;
  p.add(-1, JointKind::Fixed, identity3<double>(), {0, 0, 0}, nothing);
  p.add(0, JointKind::Revolute, identity3<double>(), {1, 0, 0}, pointAt(1, {1, 0, 0}));
  p.add(0, JointKind::Revolute, identity3<double>(), {-1, 0, 0}, pointAt(1, {1, 0, 0}));
  const double q[2] = {0, 0}, u[2] = {1, 1};
  Workspace<double> ws(p.topology);
  kinematics(p.topology, p.parameters, q, u, ws);
  Numbers J(6, 7.0), W(6, 7.0);
  pointJacobian(p.topology, ws, 1, Vec3d{2, 0, 0}, J.data());
  rotationalJacobian(p.topology, ws, 1, W.data());
  EXPECT_EQ(J, (Numbers{0, 7, 1, 7, 0, 7}));
  EXPECT_EQ(W, (Numbers{0, 7, 0, 7, 1, 7}));
}

}  // namespace
}  // namespace espalier::testing

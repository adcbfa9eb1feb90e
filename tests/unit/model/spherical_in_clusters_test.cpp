// Spherical joints in Generic clusters: four coordinates, three rates. Against finite differences of
// poses, of velocities and of the constraint along the motion; against Euler joints; in lanes.

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/compat/grbda/cluster_joints.h"
#include "espalier/compat/grbda/cluster_spec.h"
#include "espalier/model/joints/spherical.h"
#include "espalier/model/model.h"
#include "espalier/scalar/instantiate.h"
#include "tests/support/cluster_bodies.h"

namespace espalier::testing {
namespace {

using Numbers = std::vector<double>;

ClusterBody ball(const Vec3d& p, int parent, const Vec3d& rpy = {0, 0, 0}) {
  ClusterBody b = hinge(p, {0, 0, 1}, rpy);
  b.kind = JointKind::Spherical;
  b.parent = parent;
  return b;
}

/// Elements (0, 2) and (1, 0) of a quaternion's rotation matrix, smooth functions of it.
template <class T>
auto zOnX(const T* q) {
  return 2.0 * (q[0] * q[2] + q[1] * q[3]);
}
template <class T>
auto xOnY(const T* q) {
  return 2.0 * (q[1] * q[2] + q[0] * q[3]);
}

/// A hinge, an independent spherical joint on it, and a slide whose coordinate is a function of both.
ClusterJoint::Generic independentBall() {
  ClusterBody slide = hinge({0, 0, 0.3}, {0, 1, 1}, {0.1, 0.2, 0.3});
  slide.kind = JointKind::Prismatic;
  slide.parent = 1;
  const LoopConstraint::Generic constraint(
      {true, true, true, true, true, false},
      [](const auto& q) { return q[5] - 0.4 * zOnX(&q[1]) - 0.2 * sin(q[0]) * xOnY(&q[1]); }, {1});
  ClusterBody first = link_1;
  return {{first, ball({0.1, -0.2, 0.3}, 0, {0.3, -0.1, 0.2}), slide}, constraint};
}

/// Three independent hinges and a dependent spherical joint of orientation Rz(q0) Ry(q1) Rx(q2).
ClusterJoint::Generic dependentBall() {
  ClusterBody second = link_2, third = link_3;
  second.parent = 0;
  third.parent = 1;
  const LoopConstraint::Generic constraint(
      {true, true, true, false, false, false, false},
      [](const auto& q) {
        // Vector part of conj(wanted) * q is zero.
        const auto ca = cos(0.5 * q[0]), sa = sin(0.5 * q[0]), cb = cos(0.5 * q[1]),
                   sb = sin(0.5 * q[1]), cc = cos(0.5 * q[2]), sc = sin(0.5 * q[2]);
        const auto w = ca * cb * cc + sa * sb * sc, x = ca * cb * sc - sa * sb * cc,
                   y = ca * sb * cc + sa * cb * sc, z = sa * cb * cc - ca * sb * sc;
        return std::array{w * q[4] - x * q[3] - y * q[6] + z * q[5],
                          w * q[5] - y * q[3] - z * q[4] + x * q[6],
                          w * q[6] - z * q[3] - x * q[5] + y * q[4]};
      },
      {3});
  return {{link_1, second, third, ball({0.2, 0.1, -0.1}, 1, {-0.2, 0.4, 0.1})}, constraint};
}

/// q after dt with these rates.
Numbers after(const ConstraintData& data, const Numbers& q, const Numbers& u, double dt) {
  Numbers next = q;
  data.forEachJoint([&](int i, int d) { next[i] += dt * u[d]; },
                    [&](int i, int d) {
                      const double turn[3] = {dt * u[d], dt * u[d + 1], dt * u[d + 2]};
                      SphericalJoint::advance(&q[i], turn, &next[i]);
                    });
  return next;
}
Numbers independentPositions(const ClusterJoint::Base& joint, const Numbers& q) {
  return joint.loopConstraint().independentOf(q);
}

/// What the object says at (q, ydot) against central differences along the motion that keeps ydot.
void expectDifferences(ClusterJoint::Base& joint, const Numbers& q, const Numbers& ydot) {
  const double e = 1e-5;
  const ConstraintData& data = joint.loopConstraint().data();
  joint.updateKinematics(q, ydot);
  const Numbers u = joint.spanningVelocity(), vJ = joint.vJ(), cJ = joint.cJ(), g = joint.g(),
                k = joint.k();
  const DenseMatrix<double> S = joint.S(), K = joint.K(), G = joint.G();
  const Numbers product = S * ydot;
  std::vector<Transformd> X;
  for (int b = 0; b < joint.numBodies(); ++b) X.push_back(joint.pose(b));
  for (std::size_t i = 0; i < vJ.size(); ++i) EXPECT_NEAR(product[i], vJ[i], 1e-12);

  // phi along spanning rates: K, and k with udot = g.
  for (int d = 0; d < data.nv; ++d) {
    Numbers rate(static_cast<std::size_t>(data.nv), 0.0);
    rate[d] = 1;
    const Numbers lower = joint.loopConstraint().phi(after(data, q, rate, -e)),
                  upper = joint.loopConstraint().phi(after(data, q, rate, e));
    for (std::size_t r = 0; r < lower.size(); ++r)
      EXPECT_NEAR(K(static_cast<int>(r), d), (upper[r] - lower[r]) / (2 * e), 1e-9);
  }
  const DenseMatrix<double> KG = K * G;
  for (int r = 0; r < KG.rows(); ++r) {
    for (int y = 0; y < KG.columns(); ++y) EXPECT_NEAR(KG(r, y), 0, 1e-12);
    double Kg = 0;
    for (int d = 0; d < data.nv; ++d) Kg += K(r, d) * g[d];
    EXPECT_NEAR(Kg, k[r], 1e-11);
  }

  // The motion itself: the independent joints go on, the others close.
  struct Moved {
    std::vector<Transformd> X;
    Numbers vJ, u;
  } at[2];
  for (const int side : {0, 1}) {
    const Numbers near = after(data, q, u, side ? e : -e);
    const Numbers closed = joint.loopConstraint().gamma(independentPositions(joint, near), near);
    joint.updateKinematics(closed, ydot);
    for (int b = 0; b < joint.numBodies(); ++b) at[side].X.push_back(joint.pose(b));
    at[side].vJ = joint.vJ();
    at[side].u = joint.spanningVelocity();
  }
  for (int b = 0; b < joint.numBodies(); ++b) {
    const Transformd change = inverse(at[0].X[b]) * at[1].X[b];
    const Vec3d turn = logQuat(quaternion(change.R)) * (1 / (2 * e));
    const Vec3d way = tmul(X[b].R, at[1].X[b].p - at[0].X[b].p) * (1 / (2 * e));
    const double twist[] = {turn.x, turn.y, turn.z, way.x, way.y, way.z};
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(vJ[6 * b + i], twist[i], 1e-7) << b << " " << i;
  }
  for (std::size_t i = 0; i < cJ.size(); ++i)
    EXPECT_NEAR(cJ[i], (at[1].vJ[i] - at[0].vJ[i]) / (2 * e), 1e-7) << i;
  for (std::size_t d = 0; d < g.size(); ++d)
    EXPECT_NEAR(g[d], (at[1].u[d] - at[0].u[d]) / (2 * e), 1e-7) << d;
}

TEST(SphericalInClusters, IndependentAgainstFiniteDifferences) {
  ClusterJoint::Generic joint = independentBall();
  EXPECT_EQ(joint.numPositions(), 5);
  EXPECT_EQ(joint.numVelocities(), 4);
  EXPECT_EQ(joint.loopConstraint().numSpanningPos(), 6);
  EXPECT_EQ(joint.loopConstraint().numSpanningVel(), 5);
  std::mt19937 draw(3);
  for (int i = 0; i < 20; ++i) {
    const Quat<double> r =
        normalized(Quat<double>{random(draw), random(draw), random(draw), random(draw)});
    const Numbers y = {random(draw), r.w, r.x, r.y, r.z};
    const Numbers q = joint.loopConstraint().gamma(y, {0, 1, 0, 0, 0, 0});
    const Numbers back = independentPositions(joint, q);
    for (std::size_t k = 0; k < y.size(); ++k) EXPECT_NEAR(back[k], y[k], 1e-15);
    expectDifferences(joint, q, {random(draw), random(draw), random(draw), random(draw)});
  }
}

TEST(SphericalInClusters, DependentAgainstFiniteDifferences) {
  ClusterJoint::Generic joint = dependentBall();
  EXPECT_EQ(joint.numPositions(), 3);
  EXPECT_EQ(joint.numVelocities(), 3);
  std::mt19937 draw(4);
  for (int i = 0; i < 20; ++i) {
    const Numbers y = {random(draw), random(draw), random(draw)};
    const Numbers q = joint.loopConstraint().gamma(y, {0, 0, 0, 1, 0, 0, 0});
    // Turned as it is told to.
    const Mat3d wanted = rotationFromRpy({y[2], y[1], y[0]});
    const Mat3d R = rotation(Quat<double>{q[3], q[4], q[5], q[6]});
    EXPECT_LT(norm(R.r0 - wanted.r0) + norm(R.r1 - wanted.r1), 1e-12);
    expectDifferences(joint, q, {random(draw), random(draw), random(draw)});
  }
}

/// A spherical joint, or an Euler joint of the same orientation, carries a hinge and a slide that the
/// hinge determines: the bodies have the same poses and twists.
TEST(SphericalInClusters, SameMotionAsAnEulerJoint) {
  const auto tie = [](const auto& hinge, const auto& slide) { return slide - 0.3 * sin(hinge); };
  ClusterBody euler = ball({0.1, 0.2, 0.3}, -1, {0.4, -0.2, 0.1}), hinged = link_2,
              slide = hinge({0, 0, 0.3}, {0, 1, 1});
  euler.kind = JointKind::Euler;  // about z, y, x
  hinged.parent = 0;
  slide.parent = 1;
  slide.kind = JointKind::Prismatic;
  ClusterBody round = euler;
  round.kind = JointKind::Spherical;
  ClusterJoint::Generic one(
      {euler, hinged, slide},
      LoopConstraint::Generic({true, true, true, true, false},
                              [&](const auto& q) { return tie(q[3], q[4]); }));
  ClusterJoint::Generic other(
      {round, hinged, slide},
      LoopConstraint::Generic({true, true, true, true, true, false},
                              [&](const auto& q) { return tie(q[4], q[5]); }, {0}));
  std::mt19937 draw(8);
  for (int i = 0; i < 20; ++i) {
    const double z = random(draw), y = random(draw), x = random(draw), h = random(draw);
    const Numbers rates = {random(draw), random(draw), random(draw), random(draw)};
    one.updateKinematics({z, y, x, h, 0.3 * std::sin(h)}, rates);
    const Mat3d R = rotationFromRpy({x, y, z});
    const Quat<double> r = quaternion(R);
    // Angular velocity in the joint frame, and the ball's rates: those of body 0 in that frame.
    const Vec3d w = mul(R, Vec3d{one.vJ()[0], one.vJ()[1], one.vJ()[2]});
    other.updateKinematics({r.w, r.x, r.y, r.z, h, 0.3 * std::sin(h)}, {w.x, w.y, w.z, rates[3]});
    for (int k = 0; k < 18; ++k) EXPECT_NEAR(one.vJ()[k], other.vJ()[k], 1e-13);
    for (int b = 0; b < 3; ++b) {
      EXPECT_LT(norm(one.pose(b).p - other.pose(b).p), 1e-14);
      EXPECT_LT(norm(one.pose(b).R.r1 - other.pose(b).R.r1), 1e-14);
    }
    // cJ is not compared: steady Euler rates are no steady angular velocity.
    const Numbers product = other.S() * Numbers{w.x, w.y, w.z, rates[3]};
    for (int k = 0; k < 18; ++k) EXPECT_NEAR(product[k], one.vJ()[k], 1e-13);
  }
}

TEST(SphericalInClusters, EveryLaneIsAClusterAlone) {
  using Lanes = DoubleLanes;
  const ClusterJoint::Generic joint = independentBall();
  const ConstraintData& data = joint.loopConstraint().data();
  const auto evaluate = [&]<class T>(const std::vector<T>& q, const std::vector<T>& ydot) {
    ConstraintValues<T> c;
    ClusterKinematics<T> k;
    constraintRates(data, q.data(), c);
    const std::vector<T> u = c.G * ydot;
    constraintBiases(data, q.data(), u.data(), c);
    clusterKinematics(joint.bodies(), c, q.data(), u.data(), k);
    return k;
  };
  std::mt19937 draw(5);
  std::vector<Numbers> q, ydot;
  std::vector<Lanes> wideQ(6), wideY(4);
  for (int l = 0; l < lanes_v<Lanes>; ++l) {
    const Quat<double> r =
        normalized(Quat<double>{random(draw), random(draw), random(draw), random(draw)});
    q.push_back(
        joint.loopConstraint().gamma({random(draw), r.w, r.x, r.y, r.z}, {0, 1, 0, 0, 0, 0}));
    ydot.push_back({random(draw), random(draw), random(draw), random(draw)});
    for (int i = 0; i < 6; ++i) setLane(wideQ[i], l, q[l][i]);
    for (int i = 0; i < 4; ++i) setLane(wideY[i], l, ydot[l][i]);
  }
  const ClusterKinematics<Lanes> wide = evaluate(wideQ, wideY);
  for (int l = 0; l < lanes_v<Lanes>; ++l) {
    const ClusterKinematics<double> alone = evaluate(q[l], ydot[l]);
    for (int i = 0; i < 18; ++i) {
      EXPECT_EQ(lane(wide.cJ[i], l), alone.cJ[i]);
      EXPECT_EQ(lane(wide.S(i, 2), l), alone.S(i, 2));
    }
  }
}

TEST(SphericalInClusters, WrongOnesAreRefused) {
  using LoopConstraint::Generic;
  const auto one = [](const auto& q) { return q[4] - q[1]; };
  EXPECT_NO_THROW(Generic({true, true, true, true, false}, one, {0}));
  EXPECT_THROW(Generic({true, true, true, false, true}, one, {0}), std::invalid_argument);
  EXPECT_THROW(Generic({true, true, true, true, false}, one, {2}), std::invalid_argument);
  EXPECT_THROW(Generic({true, true, true, true, false}, one, {-1}), std::invalid_argument);
  EXPECT_THROW(Generic({true, true, true, true, false}, one, {0, 1}), std::invalid_argument);
  EXPECT_THROW(Generic({false, false, false, false, true}, one, {0}), std::invalid_argument);
  // The bodies and the constraint agree about what is a ball.
  ClusterBody hinged = link_1;
  hinged.parent = 0;
  const Generic plain({true, true, true, true, false}, one);
  const Generic round({true, true, true, true, false}, one, {0});
  EXPECT_THROW((ClusterJoint::Generic{{ball({0, 0, 0}, -1), hinged}, plain}),
               std::invalid_argument);
  ClusterJoint::Generic joint({ball({0, 0, 0}, -1), hinged}, round);
  EXPECT_NO_THROW(joint.updateKinematics({1, 0, 0, 0, 0}, {0, 0, 0}));
  EXPECT_THROW(joint.updateKinematics({1.1, 0, 0, 0, 0}, {0, 0, 0}), std::invalid_argument);
}

LinkSpec linkOf(const std::string& name) {
  LinkSpec link;
  link.name = name;
  link.inertial =
      InertialSpec{1, {identity3<double>(), {0.05, 0.02, -0.1}}, {0.01, 0, 0, 0.02, 0, 0.015}};
  return link;
}

/// appendCluster() takes a spherical joint that no equation reads; it refuses one that is read, and
/// leaves the system as it was.
TEST(SphericalInClusters, AppendedToASystem) {
  SystemSpec spec;
  spec.name = "robot";
  spec.fixedBase = true;
  spec.links = {linkOf("torso")};
  ClusterBody second = link_2, slide = hinge({0, 0, 0.3}, {0, 1, 1});
  second.parent = 1;
  slide.parent = 2;
  slide.kind = JointKind::Prismatic;
  ClusterJoint::Generic free(
      {link_1, ball({0.1, 0, 0.2}, 0), second, slide},
      LoopConstraint::Generic({true, true, true, true, true, true, false},
                              [](const auto& q) { return q[6] - 0.3 * sin(q[5]); }, {1}));
  appendCluster(spec, "tie", "torso", free, {linkOf("a"), linkOf("b"), linkOf("c"), linkOf("d")});
  const auto model = compile(spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  EXPECT_EQ(model->publicNv, 5);
  EXPECT_EQ(model->publicNq, 6);
  SystemSpec before = spec;
  EXPECT_THROW(appendCluster(spec, "more", "torso", independentBall(),
                             {linkOf("e"), linkOf("f"), linkOf("g")}),
               std::invalid_argument);
  EXPECT_EQ(spec.links.size(), before.links.size());
  EXPECT_EQ(spec.joints.size(), before.joints.size());
}

}  // namespace
}  // namespace espalier::testing

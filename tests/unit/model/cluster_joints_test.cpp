// Cluster joints and loop constraints of generalized_rbda by name, each against derivatives of what
// it says of positions: twists from Duals of poses, biases from Duals of velocities.

#include "espalier/compat/grbda/cluster_joints.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "espalier/scalar/instantiate.h"
#include "tests/support/cluster_bodies.h"

namespace espalier::testing {
namespace {

using Numbers = std::vector<double>;

/// X, vJ and everything else at q and ydot for a scalar.
template <class T>
struct At {
  ConstraintValues<T> c;
  ClusterKinematics<T> k;
  std::vector<T> u;
};
template <class T>
At<T> evaluate(const ClusterJoint::Base& joint, const std::vector<T>& q,
               const std::vector<T>& ydot) {
  At<T> at;
  const ConstraintData& data = joint.loopConstraint().data();
  constraintRates(data, q.data(), at.c);
  at.u = at.c.G * ydot;
  constraintBiases(data, q.data(), at.u.data(), at.c);
  clusterKinematics(joint.bodies(), at.c, q.data(), at.u.data(), at.k);
  return at;
}

/// qdot of the spanning coordinates.
Numbers rateOf(const ClusterJoint::Base& joint, const Numbers& q, const Numbers& u) {
  if (q.size() == u.size()) return u;
  const Quat<double> r{q[3], q[4], q[5], q[6]};
  const Quat<double> turn = r * Quat<double>{0, u[0] / 2, u[1] / 2, u[2] / 2};
  const Vec3d v = mul(rotation(r), Vec3d{u[3], u[4], u[5]});
  EXPECT_EQ(joint.numBodies(), 1);
  return {v.x, v.y, v.z, turn.w, turn.x, turn.y, turn.z};
}

void check(ClusterJoint::Base& joint, const Numbers& q, const Numbers& ydot) {
  joint.updateKinematics(q, ydot);
  const int n = joint.numBodies(), ny = joint.numVelocities();
  ASSERT_EQ(joint.S().rows(), 6 * n);
  ASSERT_EQ(joint.S().columns(), ny);

  std::vector<Dual<double>> moving, steady;
  const Numbers qdot = rateOf(joint, q, joint.spanningVelocity());
  for (std::size_t i = 0; i < q.size(); ++i) moving.push_back({q[i], qdot[i]});
  for (const double y : ydot) steady.push_back({y, 0});
  const At<Dual<double>> dual = evaluate(joint, moving, steady);

  for (int b = 0; b < n; ++b) {  // V = X^-1 Xdot
    const Transform<Dual<double>>& X = dual.k.X[b];
    const auto part = [](const Vec3<Dual<double>>& v, bool rate) {
      return rate ? Vec3d{v.x.d, v.y.d, v.z.d} : Vec3d{v.x.v, v.y.v, v.z.v};
    };
    const Mat3d R{part(X.R.r0, false), part(X.R.r1, false), part(X.R.r2, false)};
    const Mat3d W =
        mul(transpose(R), Mat3d{part(X.R.r0, true), part(X.R.r1, true), part(X.R.r2, true)});
    const Vec3d v = tmul(R, part(X.p, true));
    const double twist[] = {W.r2.y, W.r0.z, W.r1.x, v.x, v.y, v.z};
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(joint.vJ()[6 * b + i], twist[i], 1e-10);
  }
  const Numbers product = joint.S() * ydot;
  for (int i = 0; i < 6 * n; ++i) {
    EXPECT_NEAR(joint.vJ()[i], product[i], 1e-12);
    EXPECT_NEAR(joint.cJ()[i], dual.k.vJ[i].d, 1e-10) << i;
  }
  for (std::size_t j = 0; j < dual.u.size(); ++j) EXPECT_NEAR(joint.g()[j], dual.u[j].d, 1e-10);
  for (int r = 0; r < joint.K().rows(); ++r) {
    EXPECT_NEAR(dual.c.phi[r].v, 0, 1e-12);
    double rate = 0, Kg = 0;
    for (int j = 0; j < joint.K().columns(); ++j) {
      rate -= dual.c.K(r, j).d * joint.spanningVelocity()[j];
      Kg += joint.K()(r, j) * joint.g()[j];
    }
    EXPECT_NEAR(joint.k()[r], rate, 1e-10);
    EXPECT_NEAR(Kg, joint.k()[r], 1e-12);
    EXPECT_NEAR(dual.c.phi[r].d, 0, 1e-10);  // K u = 0
  }
  const DenseMatrix<double> KG = joint.K() * joint.G();
  for (int r = 0; r < KG.rows(); ++r)
    for (int y = 0; y < ny; ++y) EXPECT_NEAR(KG(r, y), 0, 1e-12);
}

/// Where gamma is explicit.
void checkOften(ClusterJoint::Base& joint) {
  std::mt19937 draw(7);
  for (int i = 0; i < 50; ++i) {
    Numbers y, ydot;
    for (int d = 0; d < joint.numPositions(); ++d) y.push_back(2 * random(draw));
    for (int d = 0; d < joint.numVelocities(); ++d) ydot.push_back(3 * random(draw));
    check(joint, joint.loopConstraint().gamma(y), ydot);
    const Numbers q = joint.spanningPosition(), cJ = joint.cJ();
    joint.updateKinematics(y, ydot);  // the same from y alone
    EXPECT_EQ(joint.spanningPosition(), q);
    EXPECT_EQ(joint.cJ(), cJ);
    const Numbers back = joint.loopConstraint().independentOf(q);
    for (std::size_t d = 0; d < y.size(); ++d) EXPECT_NEAR(back[d], y[d], 1e-12);
  }
}

TEST(ClusterJoints, FreeTurnsAndMovesAsItsTwistSays) {
  ClusterJoint::Free joint;
  std::mt19937 draw(3);
  for (int i = 0; i < 20; ++i) {
    const Quat<double> r =
        normalized(Quat<double>{random(draw), random(draw), random(draw), random(draw)});
    Numbers u;
    for (int d = 0; d < 6; ++d) u.push_back(random(draw));
    check(joint, {random(draw), random(draw), random(draw), r.w, r.x, r.y, r.z}, u);
    EXPECT_EQ(joint.vJ(), u);
  }
  EXPECT_EQ(joint.numPositions(), 7);
  EXPECT_EQ(joint.numVelocities(), 6);
}

TEST(ClusterJoints, Revolute) {
  ClusterJoint::Revolute joint(link_2);
  checkOften(joint);
  joint.updateKinematics({0.4}, {2});
  for (int i = 0; i < 3; ++i) {
    const double axis[] = {link_2.axes[0].x, link_2.axes[0].y, link_2.axes[0].z};
    EXPECT_NEAR(joint.S()(i, 0), axis[i], 1e-15);
    EXPECT_NEAR(joint.S()(3 + i, 0), 0, 1e-15);
    EXPECT_NEAR(joint.cJ()[i], 0, 1e-15);
  }
}

TEST(ClusterJoints, RevolutePair) {
  ClusterJoint::RevolutePair joint(link_1, link_2);
  checkOften(joint);
  EXPECT_EQ(joint.numVelocities(), 2);
  EXPECT_EQ(joint.K().rows(), 0);
}

TEST(ClusterJoints, RevoluteWithRotor) {
  ClusterJoint::RevoluteWithRotor joint({link_1, rotor_1, 6});
  checkOften(joint);
  joint.updateKinematics({0.3}, {1.2});
  EXPECT_DOUBLE_EQ(joint.spanningPosition()[1], 1.8);
  EXPECT_DOUBLE_EQ(joint.vJ()[6 + 1], 7.2);  // the rotor about its y
}

TEST(ClusterJoints, RevolutePairWithRotor) {
  ClusterJoint::RevolutePairWithRotor joint({link_1, rotor_1, 6, {2}},
                                            {link_2, rotor_2, 3, {-1.5, 0.5}});
  checkOften(joint);
  joint.updateKinematics({0.1, 0.2}, {1, 10});
  const Numbers q = joint.spanningPosition();
  EXPECT_DOUBLE_EQ(q[0], 0.1);
  EXPECT_DOUBLE_EQ(q[1], 6 * 2 * 0.1);
  EXPECT_DOUBLE_EQ(q[2], 3 * (-1.5 * 0.1 + -1.5 * 0.5 * 0.2));
  EXPECT_DOUBLE_EQ(q[3], 0.2);
}

TEST(ClusterJoints, RevoluteTripleWithRotor) {
  ClusterJoint::RevoluteTripleWithRotor joint(
      {link_1, rotor_1, 6, {1}}, {link_2, rotor_2, 5, {2, 1}}, {link_3, rotor_3, 4, {-1, 1, -1}});
  checkOften(joint);
  joint.updateKinematics({1, 10, 100}, {0, 0, 0});
  EXPECT_EQ(joint.spanningPosition(), (Numbers{1, 10, 100, 6, 5 * (2 + 20), 4 * (-1 - 10 + 100)}));
}

TEST(ClusterJoints, FourBarByEachOfItsJoints) {
  for (int independent = 0; independent < 3; ++independent) {
    ClusterJoint::FourBar joint({0.4, 1.0}, 0.8, {1.0, 0.1}, independent,
                                {rotationFromRpy({0.3, -0.4, 0.5}), {0.1, 0.2, 0.3}});
    const LoopConstraint::FourBar crank({0.4, 1.0}, 0.8, {1.0, 0.1}, 0);
    Numbers q = {0.3, 1.5, 0.6};
    for (double a = 0.3; a < 6; a += 0.37) {
      q = crank.gamma({a}, q);  // round the crank, so that every joint is met
      const Numbers G = {crank.G(q)(0, 0), crank.G(q)(1, 0), crank.G(q)(2, 0)};
      if (std::abs(G[independent]) < 0.1) continue;  // its dead points
      check(joint, q, {1.7});
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(joint.G()(j, 0), G[j] / G[independent], 1e-12);
      // The pin is where both ways lead.
      const Vec3d along1 = joint.pose(2) * Vec3d{1.0, 0, 0},
                  along2 = joint.pose(1) * Vec3d{0.8, 0, 0};
      EXPECT_LT(norm(along1 - along2), 1e-12);
    }
  }
}

TEST(ClusterJoints, TheTelloDifferentials) {
  using Kind = ClusterJoint::TelloDifferential::Kind;
  const TelloDifferentialModule module{rotor_1, rotor_2, link_1, link_2, 6};
  for (const Kind kind : {Kind::HIP, Kind::KNEE_ANKLE}) {
    ClusterJoint::TelloDifferential joint(kind, module);
    std::mt19937 draw(11);
    for (int i = 0; i < 50; ++i) {
      const double a = 0.5 * random(draw), b = 0.3 * random(draw);
      const auto rotors = joint.differential().rotorsAt({a, b});
      const Numbers q = {rotors[0], rotors[1], a, b};
      check(joint, q, {2 * random(draw), 2 * random(draw)});
      EXPECT_DOUBLE_EQ(joint.G()(0, 0), 6);
      EXPECT_DOUBLE_EQ(joint.G()(1, 0), 0);
      // From the rotors back to the joints.
      const Numbers found =
          joint.loopConstraint().gamma({rotors[0] / 6, rotors[1] / 6}, {0, 0, a + 0.02, b - 0.02});
      for (int j = 0; j < 4; ++j) EXPECT_NEAR(found[j], q[j], 1e-9);
    }
  }
}

TEST(ClusterJoints, TelloAsTheRobotIsBuilt) {
  // With the constants that C++ takes for zero the hip's rotors stand at 0.896 rad (gear 6).
  const LoopConstraint::TelloDifferential hip(LoopConstraint::TelloDifferential::Kind::HIP);
  const auto neutral = hip.rotorsAt({0, 0});
  EXPECT_NEAR(neutral[0] / 6, 0.157, 5e-4);
  EXPECT_DOUBLE_EQ(neutral[0], neutral[1]);
  // Both together pitch, one against the other rolls; left and right are mirrors.
  const auto rolled = hip.rotorsAt({0.2, 0.1}), mirrored = hip.rotorsAt({-0.2, 0.1});
  EXPECT_NEAR(rolled[0], mirrored[1], 1e-14);
  EXPECT_NEAR(rolled[1], mirrored[0], 1e-14);
  EXPECT_GT(std::abs(rolled[0] - rolled[1]), 0.5);

  const LoopConstraint::TelloDifferential knee(LoopConstraint::TelloDifferential::Kind::KNEE_ANKLE);
  const Numbers atZero = knee.phi({0, 0, 0, 0});
  EXPECT_NEAR(atZero[0], -6.5209209e-7, 1e-13);  // as the published numbers, rounded, have it
  EXPECT_EQ(atZero[1], 0);
  const auto bent = knee.rotorsAt({0.7, 0});
  EXPECT_NEAR((bent[0] + bent[1]) / 12, 0.7, 1e-14);
  EXPECT_NEAR(bent[0] - bent[1], knee.rotorsAt({0, 0})[0] - knee.rotorsAt({0, 0})[1], 1e-13);
  EXPECT_THROW(knee.rotorsAt({0, 0.8}), std::invalid_argument);
}

/// Universal and helical joints, a prismatic one on them, by an equation of one's own.
ClusterJoint::Generic odd() {
  ClusterBody universal = hinge({0.1, 0, 0}, {0, 0, 1}), screw = hinge({0, 0.2, 0}, {1, 1, 0}),
              slide = hinge({0, 0, 0.3}, {0, 1, 1}, {0.1, 0.2, 0.3});
  universal.kind = JointKind::Universal;
  screw.kind = JointKind::Helical;
  screw.pitch = 0.07;
  screw.parent = 0;
  slide.kind = JointKind::Prismatic;
  slide.parent = 0;
  const LoopConstraint::Generic constraint({true, false, true, false}, [](const auto& q) {
    return std::array{2.0 * q[1] + sin(q[1]) - q[0] * q[0], q[3] * cos(q[2]) - 0.3 * sin(q[0])};
  });
  return {{universal, screw, slide}, constraint};
}

TEST(ClusterJoints, GenericTakesAnyJointsAndAnyEquation) {
  ClusterJoint::Generic joint = odd();
  std::mt19937 draw(5);
  for (int i = 0; i < 50; ++i) {
    const Numbers y = {random(draw), random(draw)};
    check(joint, joint.loopConstraint().gamma(y, {0, 0, 0, 0}), {random(draw), random(draw)});
  }
}

TEST(ClusterJoints, GenericByGammaAloneKnowsItsPhi) {
  const auto gamma = [](const auto& y) {
    return std::array{y[0] * y[1], y[0], y[1], sin(y[0]) + y[1]};
  };
  const auto constraint = LoopConstraint::Generic::fromGamma(2, gamma);
  EXPECT_TRUE(constraint.isExplicit());
  ClusterBody second = link_2, third = link_3, fourth = link_1;
  second.parent = 0;
  third.parent = 1;
  fourth.parent = 0;
  ClusterJoint::Generic joint({link_1, second, third, fourth}, constraint);
  checkOften(joint);
  joint.updateKinematics({0.5, 0.25}, {1, 2});
  EXPECT_DOUBLE_EQ(joint.G()(0, 0), 0.25);
  EXPECT_DOUBLE_EQ(joint.G()(3, 0), std::cos(0.5));
  EXPECT_DOUBLE_EQ(joint.g()[0], 2 * 1 * 2);
  EXPECT_DOUBLE_EQ(joint.g()[3], -std::sin(0.5));
}

TEST(ClusterJoints, AreTheSpecialisedOnesAsGenericOnesToo) {
  ClusterJoint::RevolutePairWithRotor special({link_1, rotor_1, 6, {1}},
                                              {link_2, rotor_2, 3, {2, 1}});
  const auto gamma = [](const auto& y) {
    return std::array{y[0], 6.0 * y[0], 6.0 * y[0] + 6.0 * y[1], y[1]};
  };
  ClusterJoint::Generic generic(special.bodies(), LoopConstraint::Generic::fromGamma(2, gamma));
  special.updateKinematics({0.3, -0.8}, {1, 2});
  generic.updateKinematics({0.3, -0.8}, {1, 2});
  for (int i = 0; i < 24; ++i) {
    EXPECT_NEAR(special.cJ()[i], generic.cJ()[i], 1e-13);
    for (int y = 0; y < 2; ++y) EXPECT_NEAR(special.S()(i, y), generic.S()(i, y), 1e-13);
  }
}

TEST(ClusterJoints, EveryLaneIsAClusterAlone) {
  using Lanes = DoubleLanes;
  const ClusterJoint::Generic joint = odd();
  std::mt19937 draw(5);
  std::vector<Numbers> q, ydot;
  std::vector<Lanes> wideQ(4), wideY(2);
  for (int l = 0; l < lanes_v<Lanes>; ++l) {
    q.push_back(joint.loopConstraint().gamma({random(draw), random(draw)}, {0, 0, 0, 0}));
    ydot.push_back({random(draw), random(draw)});
    for (int i = 0; i < 4; ++i) setLane(wideQ[i], l, q[l][i]);
    for (int i = 0; i < 2; ++i) setLane(wideY[i], l, ydot[l][i]);
  }
  const At<Lanes> wide = evaluate(joint, wideQ, wideY);
  for (int l = 0; l < lanes_v<Lanes>; ++l) {
    const At<double> alone = evaluate(joint, q[l], ydot[l]);
    for (int i = 0; i < 18; ++i) {
      EXPECT_EQ(lane(wide.k.cJ[i], l), alone.k.cJ[i]);
      EXPECT_EQ(lane(wide.k.S(i, 1), l), alone.k.S(i, 1));
    }
  }
  const At<float> coarse = evaluate(joint, std::vector<float>(q[0].begin(), q[0].end()),
                                    std::vector<float>(ydot[0].begin(), ydot[0].end()));
  const At<double> fine = evaluate(joint, q[0], ydot[0]);
  for (int i = 0; i < 18; ++i) EXPECT_NEAR(coarse.k.cJ[i], fine.k.cJ[i], 1e-4);
}

TEST(ClusterJoints, StatesOffTheConstraintAreRefusedAndChangeNothing) {
  ClusterJoint::RevoluteWithRotor gear({link_1, rotor_1, 6});
  gear.updateKinematics({0.3}, {1.2});
  const Numbers before = gear.vJ();
  EXPECT_THROW(gear.updateKinematics({0.3, 1.9}, {1.2}), std::invalid_argument);
  EXPECT_THROW(gear.updateKinematics({0.3, 1.8}, {1.2, 7}), std::invalid_argument);
  EXPECT_THROW(gear.updateKinematics({0.3, 1.8, 0}, {1.2}), std::invalid_argument);
  EXPECT_THROW(gear.updateKinematics({0.3}, {}), std::invalid_argument);
  EXPECT_THROW(gear.updateKinematics({std::nan("")}, {1}), std::invalid_argument);
  EXPECT_EQ(gear.vJ(), before);
  ClusterJoint::FourBar bar({0.4, 1.0}, 0.8, {1.0, 0.0}, 0);
  EXPECT_THROW(bar.updateKinematics({0.3}, {1}), std::invalid_argument);  // implicit
  EXPECT_THROW(bar.loopConstraint().gamma({0.3}), std::invalid_argument);
  const LoopConstraint::FourBar apart({0.1, 0.2}, 0.3, {2, 0}, 0);
  EXPECT_THROW(apart.gamma({0.3}, {0, 0, 0}), std::invalid_argument);
}

TEST(LoopConstraints, WrongOnesAreRefused) {
  using LoopConstraint::Generic, LoopConstraint::Static;
  EXPECT_THROW(Static({{1}, {6}}, {{6, 1}}), std::invalid_argument);  // K G is not zero
  EXPECT_THROW(Static({{1}, {6}}, {{6, -1}, {12, -2}}), std::invalid_argument);
  EXPECT_THROW(Static({{0}, {0}}, {{6, -1}}), std::invalid_argument);  // G has no rank
  EXPECT_THROW(Static({{1}, {6}}, {{0, 0}}), std::invalid_argument);
  const auto one = [](const auto& q) { return q[0] - q[1]; };
  EXPECT_NO_THROW(Generic({true, false}, one));
  EXPECT_THROW(Generic({true, true}, one), std::invalid_argument);
  EXPECT_THROW(Generic({false, false, true}, one), std::invalid_argument);
  EXPECT_THROW(Generic({true, false}, [](const auto& q) { return q[0] < q[1] ? q[0] : q[1]; }),
               std::invalid_argument);
  EXPECT_THROW(Generic::fromGamma(1,
                                  [](const auto& y) {
                                    return std::array{2.0 * y[0], sin(y[0])};
                                  }),
               std::invalid_argument);
  EXPECT_THROW(ClusterJoint::Generic({link_1}, Generic({true, false}, one)), std::invalid_argument);
  ClusterBody late = link_1;
  late.parent = 1;
  EXPECT_THROW(ClusterJoint::Generic({late, link_2}, Generic({true, false}, one)),
               std::invalid_argument);
  EXPECT_THROW(ClusterJoint::RevoluteWithRotor({link_1, rotor_1, 0}), std::invalid_argument);
}

TEST(LoopConstraints, StaticTakesAnyY) {
  // y is neither of the coordinates, but their mean.
  const LoopConstraint::Static half({{0.5}, {1.5}}, {{3, -1}});
  EXPECT_EQ(half.gamma({2}), (Numbers{1, 3}));
  EXPECT_NEAR(half.independentOf({1, 3})[0], 2, 1e-15);
  EXPECT_EQ(half.k({1, 3}, {5, 15}), (Numbers{0}));
}

}  // namespace
}  // namespace espalier::testing

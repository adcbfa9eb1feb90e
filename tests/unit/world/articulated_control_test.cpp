// What drives a system, what its joints have of their own, what pushes it from outside, references
// to single joints and links, and the peers' conventions.

#include <gtest/gtest.h>

#include "espalier/world/articulated_conventions.h"
#include "tests/unit/world/articulated_fixture.h"

namespace espalier::testing {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// A ball of 2 kg and inertia I = 0.008 on a hinge about x through its middle; no gravity.
struct Hinge {
  World world;
  ArticulatedSystem* ball;
  const double I = 0.4 * 2 * 0.01;
  Hinge() {
    world.setGravity({0, 0, 0});
    ball = world.addArticulatedSystem(jointedBody(JointKind::Revolute, Sphere{0.1}, 2, {1, 0, 0}));
  }
  double rate() const { return ball->getGeneralizedVelocity()[0]; }
  double angle() const { return ball->getGeneralizedCoordinate()[0]; }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) world.integrate();
  }
};

// ---- actuation

TEST(Actuation, GainsTakeUpTheMode) {
  Hinge h;
  EXPECT_EQ(h.ball->getControlMode(), ControlMode::FORCE_AND_TORQUE);
  h.ball->setPGains(VecDyn{10});
  h.ball->setDGains(VecDyn{1});
  EXPECT_EQ(h.ball->getControlMode(), ControlMode::FORCE_AND_TORQUE);
  h.ball->setPdGains(VecDyn{20}, VecDyn{2});
  EXPECT_EQ(h.ball->getControlMode(), ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
  Eigen::VectorXd kp, kd, q, u;
  h.ball->getPdGains(kp, kd);
  EXPECT_EQ(kp[0], 20);
  EXPECT_EQ(kd[0], 2);
  h.ball->setPdTarget(VecDyn{0.5}, VecDyn{0.25});
  h.ball->getPdTarget(q, u);
  EXPECT_EQ(q[0], 0.5);
  EXPECT_EQ(u[0], 0.25);
  EXPECT_THROW(h.ball->setPdGains(VecDyn{1}, VecDyn{-1}), std::invalid_argument);
  h.ball->getPdGains(kp, kd);
  EXPECT_EQ(kp[0], 20) << "nothing of a refused call stays";
}

TEST(Actuation, CommandIsFeedforwardAndPdWithinLimits) {
  Hinge h;
  h.ball->setState(VecDyn{0.1}, VecDyn{-0.2});
  h.ball->setPdGains(VecDyn{20}, VecDyn{2});
  h.ball->setPdTarget(VecDyn{0.5}, VecDyn{0.25});
  h.ball->setGeneralizedForce({3});
  EXPECT_NEAR(h.ball->getGeneralizedForce()[0], 3 + 20 * 0.4 + 2 * 0.45, 1e-13);
  EXPECT_EQ(h.ball->getFeedForwardGeneralizedForce()[0], 3);
  h.ball->setActuationLimits(VecDyn{7}, VecDyn{-1});
  EXPECT_EQ(h.ball->getActuationUpperLimits()[0], 7);
  EXPECT_EQ(h.ball->getActuationLowerLimits()[0], -1);
  EXPECT_EQ(h.ball->getGeneralizedForce()[0], 7);
  h.ball->setControlMode(ControlMode::FORCE_AND_TORQUE);
  EXPECT_EQ(h.ball->getGeneralizedForce()[0], 3);
  h.ball->setGeneralizedForce({-3});
  EXPECT_EQ(h.ball->getGeneralizedForce()[0], -1);
}

TEST(Actuation, AFloatingBasesGainsRest) {
  World world;
  ArticulatedSystem* ball = world.addArticulatedSystem(freeBody("ball", Sphere{0.1}, 2));
  ball->setPdGains(VecDyn::Constant(6, 50), VecDyn::Constant(6, 5));
  EXPECT_EQ(ball->getGeneralizedForce().norm(), 0);
  EXPECT_EQ(ball->getDampedMassMatrix(), ball->getMassMatrix());
}

TEST(Actuation, SchemeIsTheWorlds) {
  Hinge h;
  h.ball->setIntegrationScheme(ArticulatedSystem::IntegrationScheme::SEMI_IMPLICIT);
  EXPECT_EQ(h.world.getIntegrationScheme(), Scheme::SEMI_IMPLICIT);
}

// ---- limits

TEST(JointLimits, AreSetReadAndKept) {
  Hinge h;
  EXPECT_EQ(h.ball->getJointLimits()[1], Vec<2>(-infinite, infinite));
  h.ball->setJointLimits({Vec<2>(-infinite, infinite), Vec<2>(-0.3, 0.2)});
  EXPECT_EQ(h.ball->getJointLimits()[1], Vec<2>(-0.3, 0.2));
  EXPECT_TRUE(h.ball->getJointLimitViolations().empty());
  h.ball->setGeneralizedForce({0.5});
  h.run(3000);
  EXPECT_NEAR(h.angle(), 0.2, 1e-6);
  const auto violations = h.ball->getJointLimitViolations();
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].jointId, 1);
  EXPECT_EQ(violations[0].dof, 0);
  EXPECT_TRUE(violations[0].isUpper);
  EXPECT_NEAR(violations[0].impulse, 0.5 * h.world.getTimeStep(), 1e-9) << "holds the torque";
  h.ball->setGeneralizedForce({-0.5});
  h.run(3000);
  EXPECT_NEAR(h.angle(), -0.3, 1e-6);
  EXPECT_FALSE(h.ball->getJointLimitViolations().at(0).isUpper);
  h.ball->setGeneralizedCoordinate({0.5});
  EXPECT_NEAR(h.ball->getJointLimitViolations().at(0).depth, 0.3, 1e-12);
  EXPECT_THROW(h.ball->setJointLimits({Vec<2>(0, 0), Vec<2>(1, -1)}), std::invalid_argument);
  EXPECT_THROW(h.ball->setJointLimits({}), std::invalid_argument);
}

TEST(JointLimits, AQuaternionHasNone) {
  World world;
  ArticulatedSystem* ball =
      world.addArticulatedSystem(jointedBody(JointKind::Spherical, Sphere{0.1}, 2));
  EXPECT_THROW(ball->setJointLimits({Vec<2>(-infinite, infinite), Vec<2>(-1, 1)}),
               std::invalid_argument);
}

TEST(JointLimits, OfVelocityActWhenEnforced) {
  for (const bool enforced : {false, true}) {
    Hinge h;
    h.ball->setJointVelocityLimits(VecDyn{2});
    EXPECT_EQ(h.ball->getJointVelocityLimits()[0], 2);
    if (enforced) h.ball->enforceJointVelocityLimits(true);
    h.ball->setGeneralizedForce({0.08});
    h.run(1000);
    EXPECT_NEAR(h.rate(), enforced ? 2 : 0.08 / h.I, 1e-6);
  }
}

// ---- dampers, friction, springs

TEST(JointDamping, IsTheRateAtWhichATorqueIsHeld) {
  Hinge h;
  h.ball->setJointDamping(VecDyn{0.04});
  EXPECT_EQ(h.ball->getJointDamping()[0], 0.04);
  h.ball->setGeneralizedForce({0.1});
  h.run(5000);
  EXPECT_NEAR(h.rate(), 0.1 / 0.04, 1e-8);
  EXPECT_THROW(h.ball->setJointDamping(VecDyn{-1}), std::invalid_argument);
}

TEST(JointFriction, HoldsUntilItIsExceeded) {
  Hinge h;
  h.ball->setJointFriction(VecDyn{0.05});
  EXPECT_EQ(h.ball->getJointFriction()[0], 0.05);
  h.ball->setGeneralizedForce({0.049});
  h.run(100);
  EXPECT_NEAR(h.rate(), 0, 1e-9);
  h.ball->setGeneralizedForce({0.07});
  h.run(1000);
  EXPECT_NEAR(h.rate(), (0.07 - 0.05) / h.I, 1e-6);
}

TEST(Springs, HoldATorqueAtTheirDeflection) {
  Hinge h;
  h.ball->setSpringStiffness(VecDyn{2});
  h.ball->setSpringMount(VecDyn{0.3});
  h.ball->setJointDamping(VecDyn{0.05});
  EXPECT_EQ(h.ball->getSpringStiffness()[0], 2);
  EXPECT_EQ(h.ball->getSpringMount()[0], 0.3);
  h.ball->setGeneralizedForce({0.1});
  h.run(10000);
  EXPECT_NEAR(h.angle(), 0.3 + 0.1 / 2, 1e-8);
}

TEST(Springs, OneIsAddedToAJoint) {
  World world;
  world.setGravity({0, 0, 0});
  ArticulatedSystem* ball =
      world.addArticulatedSystem(jointedBody(JointKind::Spherical, Sphere{0.1}, 2));
  EXPECT_TRUE(ball->getSprings().empty());
  SpringElement spring;
  spring.childBodyId = 1;
  spring.stiffness = 3;
  spring.setSpringMount({0.8, 0.6, 0, 0});
  ball->addSpring(spring);
  ASSERT_EQ(ball->getSprings().size(), 1u);
  EXPECT_EQ(ball->getSprings()[0].getSpringMount(), Eigen::Vector4d(0.8, 0.6, 0, 0));
  EXPECT_EQ(ball->getSpringStiffness(), VecDyn({3, 3, 3}));
  EXPECT_THROW(ball->addSpring(spring), std::invalid_argument) << "it has one";
  ball->setJointDamping(VecDyn::Constant(3, 0.1));
  for (int i = 0; i < 3000; ++i) world.integrate();
  EXPECT_LT((ball->getGeneralizedCoordinate() - VecDyn({0.8, 0.6, 0, 0})).norm(), 1e-8);
}

// ---- external forces: u+ - u = dt M^-1 (J' f - h), SEMI_IMPLICIT

struct Forces : EveryKind {
  int body = 0;
  Vec<3> force{3, -5, 20};
  void SetUp() override {
    EveryKind::SetUp();
    world.setIntegrationScheme(Scheme::SEMI_IMPLICIT);
    body = robot->getBodyIdx("universal_link");
  }
  /// What the next step makes of all that was set.
  Eigen::VectorXd effect() {
    const Eigen::MatrixXd M = robot->getMassMatrix();
    const Eigen::VectorXd h = robot->getNonlinearities();
    world.integrate();
    const Eigen::VectorXd tau = M * (robot->getGeneralizedVelocity() - u) / world.getTimeStep() + h;
    robot->setState(q, u);
    return tau;
  }
  Eigen::VectorXd transposed(const Vec<3>& point_W, const Eigen::Vector3d& f) {
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(3, u.size());
    robot->getDenseJacobian(body, point_W, J);
    return J.transpose() * f;
  }
};
INSTANTIATE_TEST_SUITE_P(Bases, Forces, ::testing::Bool(), baseName);

TEST_P(Forces, InEveryForm) {
  using S = ArticulatedSystem;
  const Vec<3> point_B{0.1, -0.2, 0.3};
  Vec<3> point_W;
  robot->getPosition(body, point_B, point_W);
  Mat<3, 3> R, Rp;
  robot->getOrientation(body, R);
  const int parent = robot->getParentVector()[body];
  robot->getOrientation(parent, Rp);
  const Eigen::VectorXd expected = transposed(point_W, force);
  const double size = expected.norm();

  robot->setExternalForce(body, point_B, force);
  EXPECT_LT((effect() - expected).norm(), 1e-9 * size);
  EXPECT_LT(effect().norm(), 1e-9 * size) << "one step only";
  robot->setExternalForce(body, S::BODY_FRAME, Vec<3>(R.transpose() * force), S::WORLD_FRAME,
                          point_W);
  EXPECT_LT((effect() - expected).norm(), 1e-9 * size);
  Vec<3> fromParent;
  robot->getPositionInBodyCoordinate(parent, point_W, fromParent);
  robot->setExternalForce(body, S::PARENT_FRAME, Vec<3>(Rp.transpose() * force), S::PARENT_FRAME,
                          fromParent);
  EXPECT_LT((effect() - expected).norm(), 1e-9 * size);

  robot->setExternalForce(body, force);
  EXPECT_LT((effect() - transposed(robot->getBodyCOM_W()[body], force)).norm(), 1e-9 * size)
      << "at the centre of mass";
  robot->setExternalForce("universal", force);
  EXPECT_LT((effect() - transposed(robot->getFramePosition("universal"), force)).norm(),
            1e-9 * size);

  Eigen::MatrixXd turn = Eigen::MatrixXd::Zero(3, u.size());
  robot->getDenseRotationalJacobian(body, turn);
  robot->setExternalTorque(body, force);
  EXPECT_LT((effect() - turn.transpose() * force).norm(), 1e-9 * size);
  robot->setExternalTorqueInBodyFrame(body, Vec<3>(R.transpose() * force));
  EXPECT_LT((effect() - turn.transpose() * force).norm(), 1e-9 * size);

  robot->setExternalForce(body, force);
  robot->setExternalTorque(body, force);
  robot->clearExternalForcesAndTorques();
  EXPECT_LT(effect().norm(), 1e-9 * size);
  EXPECT_THROW(robot->setExternalForce("nobody", force), std::invalid_argument);
}

// ---- references

TEST_P(Forces, ReferencesSpeakForOneJointOrLink) {
  JointRef joint = robot->getJoint("universal");
  EXPECT_EQ(joint.getName(), "universal");
  EXPECT_EQ(joint.getType(), JointKind::Universal);
  EXPECT_TRUE(joint.isMovable());
  EXPECT_EQ(joint.getIndex(), body);
  const int at = joint.getIdxInGeneralizedCoordinate(), d = joint.getIdxInGeneralizedVelocity();
  EXPECT_EQ(joint.getJointCoordinate(), q.segment(at, 2));
  EXPECT_EQ(joint.getJointVelocity(), u.segment(d, 2));
  EXPECT_EQ(joint.getJointAngle(), q[at]);
  Vec<3> p;
  Mat<3, 3> R;
  joint.getPose(p, R);
  EXPECT_EQ(p, robot->getFramePosition("universal"));
  EXPECT_EQ(R, robot->getFrameOrientation("universal"));
  EXPECT_EQ(joint.getLinearVelocity(), robot->getFrameVelocity("universal"));
  joint.setJointCoordinate(VecDyn{0.1, 0.2});
  Eigen::VectorXd expected = q;
  expected.segment(at, 2) << 0.1, 0.2;
  EXPECT_LT((robot->getGeneralizedCoordinate() - expected).norm(), 1e-15);
  joint.setFeedForwardForce(VecDyn{4, 5});
  EXPECT_EQ(robot->getFeedForwardGeneralizedForce()[d + 1], 5);
  joint.setLimits(-1, 2);
  EXPECT_EQ(joint.getLimits(), Vec<2>(-1, 2));
  EXPECT_THROW(joint.setJointAngle(1), std::invalid_argument) << "it has two";
  EXPECT_EQ(joint.getPositionInParentFrame(), std::as_const(*robot).getJointPos_P()[body]);
  // A hinge keeps its axis while it turns: carried by the parent's axes it is the one in the world.
  JointRef hinge = robot->getJoint("revolute");
  Mat<3, 3> Rp;
  robot->getOrientation(robot->getParentVector()[hinge.getIndex()], Rp);
  EXPECT_LT((Rp * hinge.getJointAxis().normalized() - hinge.getAxis()).norm(), 1e-13);
  EXPECT_FALSE(robot->getJoint("tool_mount").isMovable());
  EXPECT_THROW(robot->getJoint("tool_mount").getJointAngle(), std::invalid_argument);
  EXPECT_THROW(robot->getJoint("nobody"), std::invalid_argument);

  LinkRef tool = robot->getLink("tool");
  tool.getPose(p, R);
  EXPECT_LT((p - robot->getFramePosition("tool_mount")).norm(), 1e-14);
  EXPECT_LT((R - robot->getFrameOrientation("tool_mount")).norm(), 1e-14);
  EXPECT_LT((tool.getLinearVelocity() - robot->getFrameVelocity("tool_mount")).norm(), 1e-14);
  EXPECT_EQ(tool.getBodyIndex(), robot->getFrameByName("tool_mount").parentId);
  EXPECT_THROW(robot->getLink("nobody"), std::invalid_argument);
  const double total = robot->getTotalMass(), weight = tool.getWeight();
  tool.setWeight(weight + 1);
  robot->updateMassInfo();
  EXPECT_NEAR(robot->getTotalMass(), total + 1, 1e-13);
  EXPECT_EQ(tool.getWeight(), weight + 1);
  const Vec<3> com{0.1, 0.2, 0.3};
  tool.setComPositionInParentFrame(com);
  tool.setInertia(Mat<3, 3>(2 * tool.getInertia()));
  robot->updateMassInfo();
  Vec<3> centre;
  robot->getPosition(tool.getBodyIndex(), com, centre);
  EXPECT_LT((robot->getBodyCOM_W()[tool.getBodyIndex()] - centre).norm(), 1e-13);
  EXPECT_EQ(tool.getComPositionInParentFrame(), com);
}

// ---- collisions

// A box that slides: the contact points move with it; views are this object's own.
TEST(Contacts, AreReadInRaiSimsNames) {
  World world;
  world.addGround();
  ArticulatedSystem* box = world.addArticulatedSystem(freeBody("box", Box{{0.4, 0.4, 0.2}}, 3));
  place(*box, {0, 0, 0.1}, {1, 0, 0});
  world.integrate();
  const auto contacts = box->getContacts();
  ASSERT_EQ(contacts.size(), 4u);
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (int i = 0; i < 4; ++i) {
    const ContactView& c = contacts[i];
    EXPECT_FALSE(c.skip());
    EXPECT_EQ(c.getlocalBodyIndex(), 0);
    Vec<3> v;
    box->getContactPointVel(i, v);
    Vec<3> base, w;
    box->getVelocity(0, base);
    box->getAngularVelocity(0, w);
    EXPECT_LT((v - (base + w.cross(c.getPosition() - box->getBasePosition()))).norm(), 1e-13);
    const double sign = c.isObjectA() ? 1 : -1;
    sum += sign * c.getContactFrame().e().transpose() * c.getImpulse().e();
    EXPECT_LT(
        (c.getImpulseOnThis() - sign * c.getContactFrame().e().transpose() * c.getImpulse().e())
            .norm(),
        1e-15);
  }
  EXPECT_NEAR(sum.z(), 3 * gravity * world.getTimeStep(), 1e-9);
  EXPECT_NEAR(sum.x(), -0.8 * sum.z(), 1e-9) << "friction against the motion";
  Vec<3> v;
  EXPECT_THROW(box->getContactPointVel(4, v), std::invalid_argument);
}

TEST(IgnoreCollision, BetweenTwoBodies) {
  SystemSpec spec = jointedBody(JointKind::Prismatic, Sphere{0.1}, 1);
  LinkSpec other = spec.links[1];
  other.name = "other";
  spec.links.push_back(other);
  JointSpec joint = spec.joints[0];
  joint.name = "second";
  joint.child = "other";
  spec.joints.push_back(joint);
  World world;
  world.setGravity({0, 0, 0});
  ArticulatedSystem* pair = world.addArticulatedSystem(spec);
  world.integrate();
  EXPECT_EQ(world.contacts().size(), 1u) << "two balls in one place";
  pair->ignoreCollisionBetween(1, 2);
  world.integrate();
  EXPECT_EQ(world.contacts().size(), 0u);
  EXPECT_THROW(pair->ignoreCollisionBetween(1, 3), std::invalid_argument);
}

// ---- peers

// A quarter turn about z: x of the body is y of the world.
TEST(Peers, AFloatingBodyInClosedForm) {
  const Model m = compile(freeBody("ball", Sphere{0.1}, 2)).value();
  const double s = std::sqrt(0.5);
  const VecDyn q{1, 2, 3, s, 0, 0, s}, u{10, 20, 30, 1, 2, 3};
  const PeerConvention pinocchio(m, Peer::PINOCCHIO), mujoco(m, Peer::MUJOCO);
  const auto near = [](const Eigen::VectorXd& a, const VecDyn& b) {
    return a.size() == b.size() && (a - b).norm() < 1e-13;
  };
  EXPECT_TRUE(near(pinocchio.coordinateTo(q), {1, 2, 3, 0, 0, s, s}));
  EXPECT_TRUE(near(mujoco.coordinateTo(q), q));
  EXPECT_TRUE(near(pinocchio.velocityTo(q, u), {20, -10, 30, 2, -1, 3}));
  EXPECT_TRUE(near(mujoco.velocityTo(q, u), {10, 20, 30, 2, -1, 3}));
  EXPECT_TRUE(near(pinocchio.forceTo(q, u), {20, -10, 30, 2, -1, 3}));
  EXPECT_TRUE(near(mujoco.forceTo(q, u), {10, 20, 30, 2, -1, 3}));
  // Uniform motion: w x v = (0, 0, 0) + (2*30 - 3*20, 3*10 - 1*30, 1*20 - 2*10) = 0 here, so turn v.
  const VecDyn v{1, 0, 0, 0, 0, 2}, none(6);
  EXPECT_TRUE(near(pinocchio.accelerationTo(q, v, none), {-2, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(near(mujoco.accelerationTo(q, v, none), none));
}

TEST_P(Forces, PeersAndBack) {
  const Model& m = robot->model();
  for (const Peer peer : {Peer::PINOCCHIO, Peer::MUJOCO}) {
    const PeerConvention c(m, peer);
    // The hinge has no limits: (cos, sin) for Pinocchio.
    EXPECT_EQ(c.coordinateDim(), m.nq() + (peer == Peer::PINOCCHIO));
    EXPECT_LT((c.coordinateFrom(c.coordinateTo(q)) - q).norm(), 1e-14);
    EXPECT_LT((c.velocityFrom(q, c.velocityTo(q, u)) - u).norm(), 1e-14);
    const Eigen::VectorXd udot = Eigen::VectorXd::LinSpaced(u.size(), -1, 2);
    EXPECT_LT((c.accelerationFrom(q, u, c.accelerationTo(q, u, udot)) - udot).norm(), 1e-13);
    const Eigen::VectorXd tau = Eigen::VectorXd::LinSpaced(u.size(), 3, -2);
    EXPECT_LT((c.forceFrom(q, c.forceTo(q, tau)) - tau).norm(), 1e-13);
    EXPECT_NEAR(c.forceTo(q, tau).dot(c.velocityTo(q, u)), tau.dot(u), 1e-12) << "power";
    // With udot = 0 the peer's acceleration is the rate of its velocity.
    const double t = 1e-5;
    const Eigen::VectorXd rate =
        (c.velocityTo(moved(u, t), u) - c.velocityTo(moved(u, -t), u)) / (2 * t);
    EXPECT_LT((c.accelerationTo(q, u, 0 * u) - rate).norm(), 1e-8);
    EXPECT_THROW(c.coordinateTo(u), std::invalid_argument);
  }
  EXPECT_EQ(PeerConvention(m, Peer::PINOCCHIO, false).coordinateDim(), m.nq());
}

}  // namespace
}  // namespace espalier::testing

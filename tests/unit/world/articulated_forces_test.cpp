// What pushes a system from outside, references to single joints and links, and what it touches.

#include <gtest/gtest.h>

#include "tests/unit/world/articulated_fixture.h"

namespace espalier::testing {
namespace {

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
  ArticulatedSystem* box =
      world.addArticulatedSystem(freeBody("box", BoxShape{{0.4, 0.4, 0.2}}, 3));
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
  SystemSpec spec = jointedBody(JointKind::Prismatic, SphereShape{0.1}, 1);
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

}  // namespace
}  // namespace espalier::testing

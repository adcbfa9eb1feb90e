// One-line idioms of RaiSim's users, written against the namespace that espalier/raisim.h gives
// them. The larger calls have tests of their own: raisim_worlds_test, raisim_bodies_test,
// raisim_robots_test.

#include "espalier/raisim.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <set>
#include <type_traits>

#include "tests/support/world_scenes.h"

namespace {

using espalier::testing::modelFile;

TEST(RaiSimIdioms, TypesOfBodiesHaveRaiSimsNames) {
  raisim::World world;
  std::vector<raisim::Sphere*> balls;
  balls.push_back(world.addSphere(0.5, 1));
  balls.back()->setPosition(raisim::Vec<3>{1, 2, 3});
  raisim::Box* box = world.addBox(1, 1, 1, 1);
  raisim::Cylinder* cylinder = world.addCylinder(0.1, 1, 1);
  raisim::Capsule* capsule = world.addCapsule(0.1, 1, 1);
  raisim::Ground* ground = world.addGround();
  EXPECT_EQ(balls[0]->getPosition(), Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(box->getObjectType(), raisim::BOX);
  EXPECT_EQ(cylinder->getObjectType(), raisim::ObjectType::CYLINDER);
  EXPECT_EQ(capsule->getObjectType(), raisim::CAPSULE);
  EXPECT_EQ(ground->getBodyType(), raisim::BodyType::STATIC);
  EXPECT_EQ(world.getObjList().size(), 5u);
  static_assert(std::is_same_v<raisim::Mesh, espalier::Mesh>);
  static_assert(std::is_base_of_v<raisim::SingleBodyObject, raisim::HeightMap>);
  static_assert(raisim::Shape::Type::Box == raisim::Shape::Box);
  static_assert(raisim::ControlMode::PD_PLUS_FEEDFORWARD_TORQUE ==
                espalier::ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
}

TEST(RaiSimIdioms, AListOfRayHitsIsAskedForItsSize) {
  raisim::World world;
  world.addGround();
  auto& hits = world.rayTest({0, 0, 5}, Eigen::Vector3d(0, 0, -1), 50., true);
  ASSERT_GT(hits.size(), 0u);
  EXPECT_EQ(hits[0].getPosition().e(), Eigen::Vector3d::Zero());
}

TEST(RaiSimIdioms, KindsOfJointsAreCompared) {
  raisim::World world;
  const auto* robot = world.addArticulatedSystem(modelFile("strider"));
  EXPECT_TRUE(robot->getJointType(0) == raisim::Joint::Type::FLOATING);
  EXPECT_TRUE(robot->getJointType(1) == raisim::Joint::REVOLUTE);
  EXPECT_TRUE(raisim::Joint::REVOLUTE == robot->getJointType(1));
  EXPECT_TRUE(robot->getJointType(1) != raisim::Joint::Type::PRISMATIC);
}

TEST(RaiSimIdioms, AJacobianIsReadAsAMatrix) {
  raisim::World world;
  auto* robot = world.addArticulatedSystem(modelFile("arm7"));
  raisim::SparseJacobian J;
  raisim::Vec<3> point;
  robot->getPosition(7, point);
  robot->getSparseJacobian(7, point, J);
  const Eigen::MatrixXd dense = J.e();
  EXPECT_EQ(dense, J.v.e());
  EXPECT_EQ(dense.cols(), J.size);
  EXPECT_EQ(J.e().col(2), J.v.col(2));
}

TEST(RaiSimIdioms, StatesGoAsVectorsOfBothKinds) {
  raisim::World world;
  auto* robot = world.addArticulatedSystem(modelFile("strider"));
  robot->updateKinematics();
  raisim::VecDyn gc, gv;
  robot->getState(gc, gv);
  gv[0] = 0.5;
  robot->setState(gc.e(), gv.e());
  EXPECT_EQ(robot->getGeneralizedVelocity().e()[0], 0.5);
  EXPECT_EQ(robot->getGeneralizedCoordinate().e().tail(12), gc.tail(12));
  const Eigen::MatrixXd M = robot->getMassMatrix().e();
  EXPECT_EQ(M.rows(), static_cast<Eigen::Index>(robot->getDOF()));
  const double before = robot->getRotorInertia()[7];
  raisim::VecDyn rotors(robot->getDOF());
  rotors[7] = 0.25;
  robot->setRotorInertia(rotors);
  robot->updateMassInfo();
  EXPECT_NEAR(robot->getMassMatrix()(7, 7) - M(7, 7), 0.25 - before, 1e-12);
  EXPECT_EQ(robot->getRotorInertia()[7], 0.25);
  EXPECT_EQ(robot->getFrameIdxByName("no such frame"), -1);
}

TEST(RaiSimIdioms, TheFreeAccelerationIsThatOfTheCommand) {
  raisim::World world;
  auto* robot = world.addArticulatedSystem(modelFile("arm7"));
  robot->setGeneralizedForce({1, 2, 3, 4, 5, 6, 7});
  const Eigen::VectorXd expected = robot->getMassMatrix().ldlt().solve(
      robot->getGeneralizedForce() - robot->getNonlinearities(world.getGravity()));
  EXPECT_LT((robot->getUdot() - expected).norm(), 1e-9 * expected.norm());
}

TEST(RaiSimIdioms, LimitsAreAskedForWithTheWorldsProblems) {
  raisim::World world;
  auto* robot = world.addArticulatedSystem(modelFile("arm7"));
  auto limits = robot->getJointLimits();
  limits[2] = {0.2, 0.3};
  robot->setJointLimits(limits);
  const auto violations = robot->getJointLimitViolations(world.getContactProblem());
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].jointId, 2);
  EXPECT_NEAR(violations[0].depth, 0.2, 1e-15);
}

TEST(RaiSimIdioms, ForcesAreWrittenInBraces) {
  raisim::World world;
  auto* robot = world.addArticulatedSystem(modelFile("strider"));
  auto* ball = world.addSphere(0.1, 2);
  ball->setPosition(9, 0, 0);
  robot->setIntegrationScheme(raisim::ArticulatedSystem::IntegrationScheme::SEMI_IMPLICIT);
  world.setGravity({0, 0, 0});
  const std::string foot = robot->getFrames().back().name;
  robot->setExternalForce(3, {0, 0, -0.1}, {1.5, 0, 0});
  robot->setExternalForce(0, {0, 0, 1});
  robot->setExternalForce(foot, {0, 0, 1});
  ball->setExternalForce({4, 0, 0});
  world.integrate();
  const raisim::Vec<3> momentum = robot->getLinearMomentum();
  const double dt = world.getTimeStep();
  EXPECT_LT((momentum.e() - dt * Eigen::Vector3d(1.5, 0, 2)).norm(), 1e-7)
      << "but for the turning of the legs in a step of first order";
  EXPECT_NEAR(ball->getLinearVelocity()[0], 4 * dt / 2, 1e-15);
  ball->setLinearVelocity({0, 0, 1});
  EXPECT_EQ(ball->getLinearVelocity()[2], 1);
}

TEST(RaiSimIdioms, ContactsAreLookedThroughAsInTheGym) {
  raisim::World world;
  world.addGround();
  auto* ball = world.addSphere(0.1, 2);
  ball->setPosition(0, 0, 0.1);
  auto* robot = world.addArticulatedSystem(modelFile("strider"));
  robot->setBasePos({5, 0, 0.2});
  ball->setExternalForce(0, {0, 0, -5});
  ball->setExternalTorque(0, {0, 0, 0});
  world.integrate();
  auto& contacts = ball->getContacts();
  ASSERT_EQ(contacts.size(), 1u);
  for (auto& contact : contacts) {
    EXPECT_TRUE(contact.isActive());
    EXPECT_EQ(contact.getPairObjectBodyType(), raisim::BodyType::STATIC);
    EXPECT_NEAR(contact.getImpulse()->e()[2], (2 * 9.81 + 5) * world.getTimeStep(), 1e-9);
    EXPECT_EQ(contact.getImpulse().e(), contact.getImpulse()->e());
    EXPECT_EQ(contact.getPairContactIndexInPairObject(), 0);
  }
  const std::set<int> feet;
  bool isOver = false;
  for (auto& contact : robot->getContacts())
    if (feet.find(contact.getlocalBodyIndex()) == feet.end()) isOver = true;
  EXPECT_TRUE(isOver) << "the trunk lies on the ground";
  raisim::Vec<3> position;
  ball->getPosition(0, position);
  EXPECT_EQ(position.e(), ball->getPosition());
}

TEST(RaiSimIdioms, GainsAndTargetsAreSetApart) {
  raisim::World world;
  auto* robot = world.addArticulatedSystem(modelFile("arm7"));
  const Eigen::VectorXd kp = Eigen::VectorXd::Constant(7, 50), kd = kp / 25;
  const Eigen::VectorXd target = Eigen::VectorXd::Constant(7, 0.25);
  robot->setControlMode(raisim::ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
  robot->setPGains(kp);
  robot->setDGains(kd);
  robot->setPTarget(target);
  robot->setDTarget(Eigen::VectorXd::Zero(7));
  Eigen::VectorXd p, d, q, u;
  robot->getPdGains(p, d);
  robot->getPdTarget(q, u);
  EXPECT_EQ(p, kp);
  EXPECT_EQ(d, kd);
  EXPECT_EQ(q, target);
  EXPECT_EQ(u, Eigen::VectorXd::Zero(7));
  EXPECT_NEAR(robot->getGeneralizedForce()[6], 50 * 0.25, 1e-12);
}

TEST(RaiSimIdioms, AJointsTorqueAboutItsAxisIsTheMotors) {
  raisim::World world;
  auto* robot = world.addArticulatedSystem(modelFile("double_pendulum"));
  robot->setComputeInverseDynamics(true);
  robot->setGeneralizedForce({0.5, 0});
  world.integrate1();
  world.integrate2();
  const Eigen::Vector3d axis = robot->getJointAxis(1).e();
  EXPECT_NEAR(robot->getTorqueAtJointInWorldFrame(1).dot(axis), 0.5, 1e-9);
  const Eigen::Vector3d force = robot->getForceAtJointInWorldFrame(1).e();
  EXPECT_GT(force.norm(), 1);
}

TEST(RaiSimIdioms, BasesAreMovedByVectorsAndQuaternions) {
  raisim::World world;
  auto* robot = world.addArticulatedSystem(modelFile("strider"));
  robot->setBasePosition({0, 0, 1});
  robot->setBaseOrientation(raisim::Vec<4>(0.6, 0, 0, 0.8));
  EXPECT_EQ(robot->getBasePosition(), raisim::Vec<3>(0, 0, 1));
  raisim::Vec<4> q;
  robot->getBaseOrientation(q);
  EXPECT_LT((q - raisim::Vec<4>(0.6, 0, 0, 0.8)).norm(), 1e-15);
  robot->setBasePos({0, 0, 0.4});
  const raisim::VecDyn& gc = robot->getGeneralizedCoordinate();
  EXPECT_EQ(gc[2], 0.4);
}

TEST(RaiSimIdioms, AWorldsClockErpAndObjectsAreReached) {
  raisim::World world;
  auto* ball = world.addSphere(0.1, 1);
  ball->setName("ball");
  EXPECT_EQ(world.getObject("ball"), ball);
  EXPECT_EQ(world.getObject(0), ball);
  world.setERP(0.3, 0.0005);
  EXPECT_EQ(world.spec().erp, 0.3);
  EXPECT_EQ(world.spec().slop, 0.0005);
  world.setWorldTime(world.getWorldTime() + 2);
  world.integrate1();
  world.integrate2();
  EXPECT_NEAR(world.getWorldTime(), 2 + world.getTimeStep(), 1e-15);
}

TEST(RaiSimIdioms, SmallVectorsCount) {
  raisim::Vec<3> a{1, 2, 3}, b;
  EXPECT_EQ(b.e(), Eigen::Vector3d::Zero());
  b = a * 2.0;
  b += a;
  EXPECT_NEAR(b.norm(), 3 * a.norm(), 1e-14);
  a.setZero();
  EXPECT_EQ(a.norm(), 0);
  a = {1, 2, 3};
  EXPECT_EQ(a[2], 3);
  raisim::Mat<3, 3> R;
  R.setIdentity();
  R(0, 1) = 5;
  const raisim::Mat<3, 3> transposed = R.transpose();
  EXPECT_EQ(transposed(1, 0), 5);
  EXPECT_EQ(R.e().row(0)[1], 5);
}

TEST(RaiSimIdioms, MatrixFunctionsFillTheirLastArgument) {
  raisim::Mat<3, 3> R, S, product;
  raisim::quatToRotMat({0.6, 0, 0, 0.8}, R);
  raisim::quatToRotMat({0.6, 0.8, 0, 0}, S);
  raisim::Vec<3> a{1, 2, 3}, b{-1, 0.5, 2}, out;
  raisim::matvecmul(R, a, out);
  EXPECT_EQ(out.e(), R.e() * a.e());
  raisim::matvecmul(R, out, out);
  EXPECT_LT((out.e() - R.e() * (R.e() * a.e())).norm(), 1e-15) << "in place";
  raisim::matTransposevecmul(R, a, out);
  EXPECT_EQ(out.e(), R.e().transpose() * a.e());
  raisim::matvecmulThenAdd(R, a, out);
  raisim::matvecmulThenSub(R, a, out);
  EXPECT_LT((out.e() - R.e().transpose() * a.e()).norm(), 1e-15);
  raisim::matmul(R, S, product);
  EXPECT_EQ(product.e(), R.e() * S.e());
  raisim::transposedMatMul(R, S, product);
  EXPECT_EQ(product.e(), R.e().transpose() * S.e());
  raisim::transposed2MatMul(R, S, product);
  EXPECT_EQ(product.e(), R.e() * S.e().transpose());
  raisim::similarityTransform(R, S, product);
  EXPECT_LT((product.e() - R.e() * S.e() * R.e().transpose()).norm(), 1e-15);
  raisim::cross(a, b, out);
  EXPECT_EQ(out.e(), a.e().cross(b.e()));
  raisim::crossThenAdd(b, a, out);
  EXPECT_EQ(out.e(), Eigen::Vector3d::Zero());
  raisim::vecadd(a, b, out);
  EXPECT_EQ(out.e(), a.e() + b.e());
  raisim::vecsub(a, b, out);
  raisim::vecadd(b, out);
  EXPECT_EQ(out.e(), a.e());
  raisim::vecScalarMul(2, a, out);
  EXPECT_EQ(out.e(), 2 * a.e());
  EXPECT_EQ(raisim::vecDot(a, b), a.dot(b));
  raisim::Vec<4> q;
  raisim::rotMatToQuat(R, q);
  q /= q.norm();
  EXPECT_LT((q - raisim::Vec<4>(0.6, 0, 0, 0.8)).norm(), 1e-15);
  static_assert(raisim::COLLISION(0) == 1 && raisim::COLLISION(63) == 1ull << 63);
}

}  // namespace

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
  static_assert(std::is_same_v<raisim::Mesh, espalier::MeshObject>);
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

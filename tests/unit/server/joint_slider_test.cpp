#include "espalier/server/joint_slider.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "espalier/world/world.h"
#include "tests/support/four_bar.h"
#include "tests/support/source_folder.h"

namespace espalier {
namespace {

const std::string models = sourceFolder() + "/models/";

double coordinate(const ArticulatedSystem& robot, int body) {
  const Model& model = robot.model();
  const auto at = static_cast<std::size_t>(model.topology.bodies[body].q);
  return robot.getSpanningCoordinate()[model.spanningCoordinate[at]];
}

TEST(JointSlider, MovesOneJointOfATreeAndBringsItToRest) {
  World world;
  ArticulatedSystem* robot =
      world.addArticulatedSystem(models + "double_pendulum/double_pendulum.urdf");
  robot->setGeneralizedVelocity(Eigen::VectorXd::Ones(robot->getDOF()));
  const VecDyn before = robot->getGeneralizedCoordinate();
  slideJoint(*robot, 2, 0.7);
  EXPECT_EQ(coordinate(*robot, 2), 0.7);
  EXPECT_EQ(coordinate(*robot, 1), before[0]);
  EXPECT_EQ(robot->getGeneralizedVelocity().norm(), 0);
  EXPECT_THROW(slideJoint(*robot, 0, 0), std::invalid_argument);
}

TEST(JointSlider, DependentsOfAFourBarFollow) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(testing::fourBar({}));
  ASSERT_EQ(robot->getDOF(), 1);
  const auto crank = Eigen::VectorXd::Constant(1, 1.2);  // away from where others turn back
  robot->setGeneralizedCoordinate(crank);
  const auto chord = [&](int a, int b) {
    Eigen::Vector3d p, q;
    robot->getPosition(a, p);
    robot->getPosition(b, q);
    return (p - q).norm();
  };
  for (int body = 1; body < robot->model().nb(); ++body)
    for (const double by : {0.1, -0.1}) {
      const double before = coordinate(*robot, body);
      const Eigen::VectorXd all = robot->getSpanningCoordinate();
      const double link = chord(1, 2);
      slideJoint(*robot, body, before + by);
      EXPECT_NEAR(coordinate(*robot, body), before + by, 1e-9) << body;
      EXPECT_LT(robot->getClosureResidual(), 1e-9);
      EXPECT_NEAR(chord(1, 2), link, 1e-9);
      const Eigen::VectorXd moved = robot->getSpanningCoordinate() - all;
      EXPECT_GT(moved.cwiseAbs().minCoeff(), 1e-3) << "joint " << body << ": " << moved.transpose();
    }
}

TEST(JointSlider, StopsWhereTheLoopsDoNotClose) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(testing::fourBar({}));
  // The crank turns all the way; the rocker only to and fro.
  int refused = 0;
  for (int b = 1; b < robot->model().nb(); ++b) try {
      slideJoint(*robot, b, coordinate(*robot, b) + 2.5);
    } catch (const std::invalid_argument& refusal) {
      ++refused;
      EXPECT_NE(std::string(refusal.what()).find("do not close beyond"), std::string::npos);
    }
  EXPECT_GE(refused, 1);
  EXPECT_LT(robot->getClosureResidual(), 1e-9);
}

TEST(JointSlider, TargetOfThePdFollows) {
  World world;
  ArticulatedSystem* robot =
      world.addArticulatedSystem(models + "double_pendulum/double_pendulum.urdf");
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(robot->getDOF());
  robot->setPdGains(100 * ones, 10 * ones);
  slideJoint(*robot, 1, 0.4);
  Eigen::VectorXd q, u;
  robot->getPdTarget(q, u);
  EXPECT_EQ(q[0], 0.4);
}

}  // namespace
}  // namespace espalier

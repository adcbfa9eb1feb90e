// Live editing: what is refused.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/unit/world/editing_scene.h"

namespace espalier::testing {
namespace {

TEST(Editing, ImpossibleEditsAreRefusedBeforeAnythingChanges) {
  const std::function<void(ArticulatedSystem&)> mistakes[] = {
      [](ArticulatedSystem& r) { r.getMass()[1] = -1; },
      [](ArticulatedSystem& r) { r.getMass()[1] = std::nan(""); },
      [](ArticulatedSystem& r) { r.getMass().pop_back(); },
      [](ArticulatedSystem& r) { r.getBodyCOM_B()[2][0] = INFINITY; },
      [](ArticulatedSystem& r) { r.getInertia()[1](2, 2) = -100; },
      [](ArticulatedSystem& r) { r.getInertia()[1](0, 1) += 1e-3; },  // its twin forgotten
      [](ArticulatedSystem& r) { r.getJointAxis_P()[1] = Vec<3>(); },
      [](ArticulatedSystem& r) { r.getJointOrientation_P()[1](0, 0) = 2; },
      [](ArticulatedSystem& r) { r.getJointPos_P().clear(); },
      [](ArticulatedSystem& r) { r.getCollisionBody("link1/0").rotOffset = Mat<3, 3>(); },
      [](ArticulatedSystem& r) { r.getCollisionBodies().pop_back(); },
      [](ArticulatedSystem& r) { r.setRotorInertia(Eigen::VectorXd::Constant(r.getDOF(), -1)); },
  };
  int number = 0;
  for (const auto& mistake : mistakes) {
    World world;
    ArticulatedSystem* robot = world.addArticulatedSystem(hopper());
    start(*robot);
    world.integrate();
    const std::uint64_t hash = world.stateHash();
    const Lowered<double> before = robot->model().lowered;
    mistake(*robot);
    EXPECT_THROW(world.integrate1(), std::invalid_argument) << number;
    EXPECT_THROW(world.integrate(), std::invalid_argument) << number;
    EXPECT_THROW(robot->updateMassInfo(), std::invalid_argument) << number;
    EXPECT_EQ(world.stateHash(), hash) << number;
    EXPECT_TRUE(sameBits(robot->model().lowered, before)) << number;
    ++number;
  }
}

TEST(Editing, AMistakeTakenBackIsForgotten) {
  World world, untouched;
  ArticulatedSystem* robot = world.addArticulatedSystem(hopper());
  start(*robot);
  start(*untouched.addArticulatedSystem(hopper()));
  const double mass = robot->getMass()[1];
  robot->getMass()[1] = -1;
  EXPECT_THROW(world.integrate(), std::invalid_argument);
  robot->getMass()[1] = mass;
  world.integrate();
  untouched.integrate();
  EXPECT_EQ(world.stateHash(), untouched.stateHash());
}

TEST(Editing, IndicesAndNamesAreChecked) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(hopper());
  EXPECT_THROW(robot->setMass(3, 1), std::invalid_argument);
  EXPECT_THROW(robot->setMass(-1, 1), std::invalid_argument);
  for (const double mass : {-1.0, std::nan("")}) {
    try {
      robot->setMass(1, mass);
      FAIL() << mass;
    } catch (const std::invalid_argument& error) {
      const std::string said = error.what(), link = robot->model().bodies[1].name;
      EXPECT_NE(said.find("'" + link + "' is " + std::to_string(mass)), std::string::npos) << said;
    }
  }
  EXPECT_THROW(robot->getMass(3), std::invalid_argument);
  EXPECT_THROW(robot->getCollisionBody("link1/1"), std::invalid_argument);
  EXPECT_THROW(robot->setRotorInertia(Eigen::VectorXd::Zero(2)), std::invalid_argument);
  world.integrate1();
  EXPECT_THROW(robot->updateMassInfo(), std::invalid_argument);
  world.integrate2();
}

}  // namespace
}  // namespace espalier::testing

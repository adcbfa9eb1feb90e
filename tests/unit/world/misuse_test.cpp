// Every setter refuses what makes no sense, says why, and leaves things as they were.

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

/// The message of the std::invalid_argument that the call throws; empty where it throws none.
std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

#define EXPECT_REFUSED(call, word)                                                     \
  do {                                                                                 \
    const std::string why = refusal([&] { call; });                                    \
    EXPECT_NE(why.find(word), std::string::npos) << #call << " said: '" << why << "'"; \
  } while (false)

struct Misuse : ::testing::Test {
  World world;
  ArticulatedSystem* robot = addRobot(world, "strider", 100, 2);
  const Eigen::VectorXd q = nominal("strider"), u = Eigen::VectorXd::Zero(18);

  static Eigen::VectorXd spoilt(Eigen::VectorXd v, double with, Eigen::Index at = 3) {
    v[at] = with;
    return v;
  }
};

TEST_F(Misuse, StateOfTheWrongSizeOrNotFinite) {
  const std::uint64_t before = world.stateHash();
  EXPECT_REFUSED(robot->setGeneralizedCoordinate(u), "18 numbers, not 19");
  EXPECT_REFUSED(robot->setGeneralizedVelocity(q), "19 numbers, not 18");
  EXPECT_REFUSED(robot->setGeneralizedCoordinate(spoilt(q, nan)), "coordinate must be finite");
  EXPECT_REFUSED(robot->setGeneralizedVelocity(spoilt(u, infinite)), "velocity must be finite");
  const Eigen::VectorXd moved = q * 1.1;
  EXPECT_REFUSED(robot->setState(moved, q), "19 numbers, not 18");
  EXPECT_REFUSED(robot->setState(moved, spoilt(u, nan)), "finite");
  EXPECT_REFUSED(robot->setState(u, u), "18 numbers, not 19");
  EXPECT_EQ(world.stateHash(), before);
}

TEST_F(Misuse, ActuationOfTheWrongSizeOrNotFinite) {
  const Eigen::VectorXd none, k = Eigen::VectorXd::Constant(18, 1e4);
  World other;
  addRobot(other, "strider", 100, 2);
  EXPECT_REFUSED(robot->setPdGains(none, none), "kp has 0 numbers, not 18");
  EXPECT_REFUSED(robot->setPdGains(k, none), "kd has 0 numbers, not 18");
  EXPECT_REFUSED(robot->setPdGains(k, spoilt(k, nan, 9)), "kd must be finite");
  EXPECT_REFUSED(robot->setPdGains(spoilt(k, nan, 9), k), "kp must be finite");
  EXPECT_REFUSED(robot->setPdGains(k, spoilt(k, -1, 9)), "negative");
  EXPECT_REFUSED(robot->setPdTarget(u, u), "position target has 18 numbers, not 19");
  EXPECT_REFUSED(robot->setPdTarget(q * 2, q), "velocity target has 19 numbers, not 18");
  EXPECT_REFUSED(robot->setPdTarget(spoilt(q, nan, 9), u), "finite");
  EXPECT_REFUSED(robot->setGeneralizedForce(q), "19 numbers, not 18");
  EXPECT_REFUSED(robot->setGeneralizedForce(spoilt(u, nan)), "force must be finite");
  EXPECT_REFUSED(robot->setGeneralizedForce(spoilt(u, -infinite)), "force must be finite");
  EXPECT_REFUSED(robot->setActuationLimits(k, q), "one number for each dof");
  EXPECT_REFUSED(robot->setActuationLimits(k * 0, k), "dof 6");
  EXPECT_REFUSED(robot->setActuationLimits(spoilt(k, nan, 9), -k), "dof 9");
  EXPECT_REFUSED(robot->setExternalForce(-1, {0, 0, 1}), "no body -1");
  EXPECT_REFUSED(robot->setExternalForce(99, {0, 0, 1}), "no body 99");
  EXPECT_REFUSED(robot->setExternalForce(0, {0, nan, 1}), "finite");
  EXPECT_REFUSED(robot->setExternalForce(0, {infinite, 0, 0}, {0, 0, 1}), "finite");
  EXPECT_REFUSED(robot->setExternalTorque(13, {0, 0, 1}), "no body 13");
  EXPECT_REFUSED(robot->setExternalTorque(0, {nan, 0, 1}), "finite");
  EXPECT_REFUSED(robot->computeForwardDynamics(q), "19 numbers, not 18");
  for (int i = 0; i < 10; ++i) {
    world.integrate();
    other.integrate();
  }
  EXPECT_EQ(world.stateHash(), other.stateHash()) << "something refused had an effect";
}

TEST_F(Misuse, Frames) {
  EXPECT_EQ(robot->getFrameIdxByName("no such joint"), -1);
  EXPECT_EQ(robot->getBodyIdx("no such link"), -1);
  EXPECT_REFUSED(robot->getFramePose(-1), "no frame -1");
  EXPECT_REFUSED(robot->getFrameVelocity(1000), "no frame 1000");
  EXPECT_REFUSED(robot->getFrameAngularVelocity(-1), "no frame");
  EXPECT_REFUSED(robot->getDenseFrameJacobian(-1), "no frame");
  EXPECT_REFUSED(robot->getDenseFrameRotationalJacobian(-1), "no frame");
  EXPECT_REFUSED(robot->getBodyPose(13), "no body 13");
  EXPECT_REFUSED(world.system(1), "no system 1");
  EXPECT_REFUSED(world.system(-1), "no system -1");
}

TEST_F(Misuse, WorldSettings) {
  for (const double bad : {nan, infinite, -infinite, 0.0, -0.001})
    EXPECT_REFUSED(world.setTimeStep(bad), "time step must be positive");
  EXPECT_REFUSED(world.setGravity({0, 0, nan}), "gravity must be finite");
  for (const double bad : {nan, -0.1, 1.1}) EXPECT_REFUSED(world.setERP(bad), "erp");
  for (const double bad : {nan, -0.1}) EXPECT_REFUSED(world.setERP(0.2, bad), "slop");
  for (const double bad : {nan, 0.0, -1.0})
    EXPECT_REFUSED(world.setContactSolverParam(bad, 10), "tolerance");
  EXPECT_REFUSED(world.setContactSolverParam(1e-10, 0), "maxSweeps");
  for (const double bad : {nan, infinite, -1.0})
    EXPECT_REFUSED(world.setContactMargin(bad), "margin");
  for (const int bad : {0, -1, 1000001}) EXPECT_REFUSED(world.setMaxContacts(bad), "maxContacts");
  for (const double bad : {nan, -0.1, infinite}) {
    EXPECT_REFUSED(world.setDefaultMaterial(bad, 0, 0), "friction");
    EXPECT_REFUSED(world.setMaterialPairProp("a", "b", bad, 0, 0), "friction");
  }
  for (const double bad : {nan, -0.1, 1.1})
    EXPECT_REFUSED(world.setDefaultMaterial(0.5, bad, 0), "restitution");
  for (const double bad : {nan, -0.1})
    EXPECT_REFUSED(world.setDefaultMaterial(0.5, 0, bad), "threshold");
  EXPECT_EQ(world.getTimeStep(), 0.001);
  EXPECT_EQ(world.getGravity().z(), -gravity);
}

TEST_F(Misuse, VisualsOfAnotherRobotsSpec) {
  SystemSpec longer = modelSpec("arm7");
  longer.links.resize(longer.links.size() + 1);
  EXPECT_REFUSED(visualsOf(longer, compile(modelSpec("arm7")).value()), "links");
}

TEST_F(Misuse, RefusesImpossibleObjects) {
  EXPECT_REFUSED(world.addArticulatedSystem(std::shared_ptr<const Model>()), "model");
  EXPECT_REFUSED(world.addArticulatedSystem(std::string("no/such/file.urdf")), "no/such/file.urdf");
  EXPECT_REFUSED(world.addArticulatedSystem(std::string("<robot name='r'><link")),
                 "cannot be read");
  EXPECT_REFUSED(world.addArticulatedSystem(freeBody("ball", SphereShape{0.1}, -1)), "mass");
  EXPECT_REFUSED(world.addGround(nan), "finite");
  EXPECT_NE(refusal([&] { world.addBody(fixedShape("ball", SphereShape{-1})); }), "");
  EXPECT_EQ(world.systemCount(), 1);
  // The world still works.
  EXPECT_EQ(world.integrate().flags, 0u);
}

}  // namespace
}  // namespace espalier::testing

// What a Simulation and its parts tell of themselves, and gains that are changed on the way.

#include <gtest/gtest.h>

#include "espalier/compat/arboris/ball_and_socket.h"
#include "espalier/compat/arboris/joint_limits.h"
#include "espalier/compat/arboris/monitors.h"
#include "espalier/compat/arboris/pd_controller.h"
#include "espalier/compat/arboris/soft_finger.h"
#include "espalier/compat/arboris/weight_controller.h"
#include "tests/unit/arboris/scenes.h"

namespace espalier::testing {
namespace {

using sim::Simulation;
using sim::Stepping;
using sim::SubFrame;

TEST(SimulationCalls, SteppingGravityAndLookAhead) {
  World world;
  world.addArticulatedSystem(hangingArm(2));
  const Simulation arboris(world), own(world, Stepping::WORLD);
  EXPECT_EQ(arboris.stepping(), Stepping::ARBORIS);
  EXPECT_EQ(own.stepping(), Stepping::WORLD);
  // arboris' step has no gravity of its own, and takes the coordinates on with nu+.
  EXPECT_EQ(norm(arboris.gravityOfStep()), 0);
  EXPECT_EQ(own.gravityOfStep().z, -9.81);
  EXPECT_EQ(arboris.lookAhead(0.01), 0.01);
  world.setIntegrationScheme(Scheme::MIDPOINT);
  EXPECT_EQ(own.lookAhead(0.01), 0.005);
}

TEST(SimulationCalls, DofsOfJoints) {
  World world;
  SystemSpec spec = hangingArm(2);
  spec.joints[1].kind = JointKind::Spherical;
  world.addArticulatedSystem(spec);
  const Simulation simulation(world);
  EXPECT_EQ(simulation.linearDofs({"joint0"}), std::vector<int>{0});
  EXPECT_EQ(simulation.dofs({"joint1", "joint0"}), (std::vector<int>{1, 2, 3, 0}));
  EXPECT_THROW(simulation.linearDofs({"joint1"}), std::invalid_argument) << "a quaternion";
  EXPECT_THROW(simulation.linearDofs({"none"}), std::invalid_argument);
}

TEST(SimulationCalls, ListsAddedObjects) {
  World world;
  world.addArticulatedSystem(hangingArm(2));
  Simulation simulation(world);
  EXPECT_TRUE(simulation.controllers().empty());
  auto& weight = simulation.add<sim::WeightController>();
  const Transformd X_BF{axisRotation<double>({0, 0, 1}, 1, 0), {0.1, 0, -0.5}};
  auto& hand = simulation.add<SubFrame>(simulation.body("link1"), X_BF);
  auto& wrist = simulation.add<SubFrame>(simulation.body("link1"), identityTransform<double>());
  auto& ball = simulation.add<sim::BallAndSocket>(simulation.ground(), hand);
  auto& limits = simulation.add<sim::JointLimits>(std::vector<std::string>{"joint0", "joint1"},
                                                  Eigen::Vector2d(-1, -1), Eigen::Vector2d(1, 1));
  auto& finger =
      simulation.add<sim::SoftFinger>(simulation.ground(), Plane{}, hand, SphereShape{0.1}, 0.5);
  ASSERT_EQ(simulation.controllers().size(), 1u);
  EXPECT_EQ(simulation.controllers()[0].get(), &weight);
  EXPECT_EQ(simulation.constraints().size(), 3u);
  EXPECT_EQ(hand.bpose().p.z, -0.5);
  EXPECT_EQ(hand.bpose().R.r0.y, X_BF.R.r0.y);
  EXPECT_TRUE(hand.isOnBodyOf(wrist));
  EXPECT_FALSE(hand.isOnBodyOf(simulation.body("link0")));
  simulation.init();
  EXPECT_EQ(ball.ndol(), 3);
  EXPECT_EQ(limits.ndol(), 2);
  EXPECT_EQ(finger.ndol(), 4);
  for (sim::Constraint* constraint :
       {static_cast<sim::Constraint*>(&ball), static_cast<sim::Constraint*>(&limits)}) {
    EXPECT_TRUE(constraint->isEnabled());
    constraint->disable();
    EXPECT_FALSE(constraint->isEnabled());
    constraint->enable();
    EXPECT_TRUE(constraint->isEnabled());
  }
}

TEST(SimulationCalls, ViscousBodies) {
  World world;
  world.addArticulatedSystem(hangingArm(1));
  Simulation simulation(world);
  sim::Body& link = simulation.body("link0");
  EXPECT_FALSE(link.isViscous());
  link.setViscosity(0.1 * sim::Matrix6x6::Identity());
  EXPECT_TRUE(link.isViscous());
  link.setViscosity(sim::Matrix6x6::Zero());
  EXPECT_FALSE(link.isViscous());
}

// A free ball just above the floor: the contact stands on the floor, its z up.
TEST(SimulationCalls, WhereAContactIs) {
  World world;
  SystemSpec spec = lopsidedBody("ball");
  world.addArticulatedSystem(spec)->setBasePosition({0.3, -0.2, 0.105});
  Simulation simulation(world);
  auto& finger = simulation.add<sim::SoftFinger>(simulation.ground(), Plane{},
                                                 simulation.body("ball"), SphereShape{0.1}, 0.5);
  simulation.init();
  simulation.updateDynamic();
  simulation.updateControllers(1e-3);
  simulation.updateConstraints(1e-3);
  EXPECT_NEAR(finger.sdist(), 0.005, 1e-12);
  const Transformd& X_gc = finger.contactPose();
  EXPECT_LT(norm(X_gc.p - Vec3d{0.3, -0.2, 0}), 1e-12);
  EXPECT_NEAR(columnZ(X_gc.R).z, 1, 1e-12);
}

// The sweeps over two pins go on until nothing changes: the last change says how near they are.
TEST(SimulationCalls, LastChangeOfTheSweeps) {
  World world;
  ArticulatedSystem* arm = world.addArticulatedSystem(hangingArm(4));
  arm->setGeneralizedCoordinate({0.4, -0.8, 0.5, -0.6});
  const auto pinned = [](const Transformd& X) { return Transformd{identity3<double>(), X.p}; };
  const Transformd X_LF{identity3<double>(), {0, 0, -0.5}};
  Transformd X_1 = pinned(arm->getBodyPose(2) * X_LF), X_2 = pinned(arm->getBodyPose(4) * X_LF);
  X_1.p.x += 1e-3;
  X_2.p.z += 1e-3;
  const auto lastChange = [&](int sweeps) {
    Simulation simulation(world);
    simulation.setConstraintSweeps(sweeps);
    auto& first = simulation.add<SubFrame>(simulation.body("link1"), X_LF);
    auto& second = simulation.add<SubFrame>(simulation.body("link3"), X_LF);
    auto& at1 = simulation.add<SubFrame>(simulation.ground(), X_1);
    auto& at2 = simulation.add<SubFrame>(simulation.ground(), X_2);
    simulation.add<sim::BallAndSocket>(at1, first);
    simulation.add<sim::BallAndSocket>(at2, second);
    simulation.init();
    simulation.updateDynamic();
    simulation.updateControllers(1e-3);
    simulation.updateConstraints(1e-3);
    return simulation.constraintSolver().lastChange();
  };
  const double few = lastChange(1), many = lastChange(60);
  EXPECT_GT(few, 0.1) << "1 mm in 1 ms";
  EXPECT_LT(many, 0.01 * few);
}

// Gains that are set anew act from the next step on.
TEST(SimulationCalls, GainsAreChanged) {
  World world;
  world.setGravity({0, 0, 0});
  world.addArticulatedSystem(hangingArm(1));
  Simulation simulation(world);
  const auto one = [](double x) { return Eigen::MatrixXd::Constant(1, 1, x); };
  auto& pd = simulation.add<sim::ProportionalDerivativeController>(
      std::vector<std::string>{"joint0"}, one(0), one(0));
  pd.setTarget(Eigen::VectorXd::Constant(1, 0.5), Eigen::VectorXd::Zero(1));
  simulation.init();
  step(simulation, 1e-3);
  EXPECT_EQ(simulation.gvel()[0], 0);
  pd.setGains(one(2), one(0.1));
  simulation.updateDynamic();
  simulation.updateControllers(1e-3);
  EXPECT_NEAR(simulation.gforce()[0], 2 * 0.5, 1e-14);
  EXPECT_NEAR(simulation.controllerImpedance()(0, 0), -(1e-3 * 2 + 0.1), 1e-15);
  EXPECT_THROW(pd.setGains(Eigen::MatrixXd::Zero(2, 2), one(0)), std::invalid_argument);
}

TEST(SimulationCalls, TotalIsTheSumOfDurations) {
  World world;
  world.addArticulatedSystem(hangingArm(1));
  Simulation simulation(world);
  sim::PerfMonitor perf;
  sim::simulate(simulation, timeline(1e-3, 5), {&perf});
  double sum = 0;
  for (const double duration : perf.durations()) sum += duration;
  EXPECT_EQ(perf.durations().size(), 5u);
  EXPECT_DOUBLE_EQ(perf.total(), sum);
}

}  // namespace
}  // namespace espalier::testing

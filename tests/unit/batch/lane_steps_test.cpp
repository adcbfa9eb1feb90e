// Which worlds go side by side in lanes, which are refused, and which step alone.

#include <gtest/gtest.h>
#include <ode/ode.h>

#include "tests/support/bilateral.h"
#include "tests/support/four_bar.h"
#include "tests/support/lane_twins.h"
#include "tests/support/world_scenes.h"
#include "tests/support/wrapped_drum.h"

namespace espalier::testing {
namespace {

void addStrider(World& world, int i) {
  world.setTimeStep(1e-3);
  world.addGround();
  addRobot(world, "strider", 100, 5, {0, 0, 0.005 * i});
}

/// The message with which worlds are refused.
std::string refusalOf(World& a, World& b) {
  try {
    LaneSteps lanes({&dataOf(a), &dataOf(b)});
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

TEST(LaneStepsRefuse, WorldsThatAreNotAlike) {
  World strider, other, biped, two, none, slow;
  for (World* world : {&strider, &other, &slow}) addStrider(*world, 0);
  slow.setTimeStep(2e-3);
  addRobot(biped, "biped", 0, 0);
  biped.setTimeStep(1e-3);
  addStrider(two, 0);
  addRobot(two, "strider", 0, 0, {2, 0, 0});
  const auto expectRefusal = [&](World& world, const std::string& why) {
    EXPECT_NE(refusalOf(strider, world).find(why), std::string::npos) << refusalOf(strider, world);
  };
  EXPECT_EQ(refusalOf(strider, other), "");
  expectRefusal(biped, "the robot of world 1 is not that of world 0");
  expectRefusal(two, "world 1 has 2 robots");
  expectRefusal(none, "world 1 has 0 robots");
  expectRefusal(slow, "world 1 has another time step");
  slow.setTimeStep(1e-3);
  slow.system(0)->getCollisionBody("LF_shank/0").posOffset[2] -= 0.01;
  expectRefusal(slow, "the robot of world 1 has its collision shapes in other places");
}

/// Whatever lanes do not have is done alone, in that world and for that time.
TEST(WorldsInLanes, StepAloneWhereTheyAskForMore) {
  LaneTwins twins(8, addStrider);
  twins.expectSame(20);
  EXPECT_EQ(twins.steppedAlone, 0);
  const auto expectAlone = [&](int steps, const std::function<void(World&)>& ask) {
    const int before = twins.steppedAlone;
    EXPECT_TRUE(twins.expectSame(10, [&](World& world, int i) {
      if (i == 2) ask(world);
    }));
    EXPECT_EQ(twins.steppedAlone - before, steps);
  };
  expectAlone(10, [](World& world) { world.setTimeStep(5e-4); });
  expectAlone(0, [](World& world) { world.setTimeStep(1e-3); });
  expectAlone(10, [](World& world) { world.setIntegrationScheme(Scheme::RUNGE_KUTTA_4); });
  expectAlone(0, [](World& world) { world.setIntegrationScheme(Scheme::MIDPOINT); });
  expectAlone(0, [](World& world) { world.system(0)->setMass(2, 1.5); });
  expectAlone(10, [](World& world) {
    world.system(0)->getCollisionBody("LF_shank/0").posOffset[2] = -0.01;
  });
}

/// Masses, lengths and rotors of each world's own, some of them edited between steps.
TEST(WorldsInLanes, DifferInParameters) {
  for (const char* model : {"strider", "geared_strider", "biped", "arm7", "chain20", "beest",
                            "delta", "tello_leg", "linkage_arm"})
    for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::RUNGE_KUTTA_4}) {
      SCOPED_TRACE(model);
      const auto edit = [](World& world, int i) {
        ArticulatedSystem& robot = *world.system(0);
        const auto last = static_cast<std::size_t>(robot.getNumberOfJoints() - 1);
        robot.setMass(last, robot.getMass(last) * (1 + 0.05 * i));
        if (robot.model().mechanism.isTree()) robot.getJointPos_P()[last].e() *= 1 + 0.01 * i;
        Eigen::VectorXd rotors = robot.getRotorInertia();
        rotors.array() *= 1 + 0.1 * i;
        robot.setRotorInertia(rotors);
      };
      LaneTwins twins(11, [&](World& world, int i) {
        world.setTimeStep(1e-3);
        world.setIntegrationScheme(scheme);
        world.addGround();
        addRobot(world, model, 50, 2);
        if (i % 3 != 0) edit(world, i);
      });
      EXPECT_TRUE(twins.expectSame(60));
      twins.forEach([&](World& world, int i) {
        if (i == 4 || i == 9) edit(world, 3);
      });
      EXPECT_TRUE(twins.expectSame(60));
      const bool hasLoops = !twins.inLanes(0).system(0)->model().mechanism.isTree();
      EXPECT_EQ(twins.steppedAlone, hasLoops && info(scheme).hasStages ? 11 * 120 : 0);
    }
}

/// External forces, controllers, monitored energy and forces in joints, each in a world of its own.
TEST(WorldsInLanes, DifferInForcesAndInWhatTheyCompute) {
  using Case = std::pair<const char*, Scheme>;
  for (const auto& [model, scheme] :
       {Case{"strider", Scheme::MIDPOINT}, Case{"strider", Scheme::RUNGE_KUTTA_4},
        Case{"geared_strider", Scheme::MIDPOINT}, Case{"geared_strider", Scheme::RUNGE_KUTTA_4},
        Case{"beest", Scheme::MIDPOINT}, Case{"delta", Scheme::MIDPOINT}}) {
    LaneTwins twins(6, [&, model = model, scheme = scheme](World& world, int i) {
      world.setTimeStep(1e-3);
      world.setIntegrationScheme(scheme);
      world.addGround();
      ArticulatedSystem& robot = *addRobot(world, model, 50, 2);
      Eigen::VectorXd u = robot.getGeneralizedVelocity();
      u[0] = 0.02 * i;
      robot.setGeneralizedVelocity(u);
      if (i == 3) world.setEnergyMonitoring(true);
      if (i == 4) robot.setComputeInverseDynamics(true);
      if (i != 2) return;
      Actuation& actuation = robot.actuation();
      const Topology& t = robot.model().topology;
      actuation.hasControl = true;
      for (int d = t.floating ? 6 : 0; d < t.nv; ++d) {
        actuation.controlForce[d] = 0.2 * d;
        actuation.controlImpedance[t.row[d] + t.dofDepth[d]] = 1.5;
        if (t.dofDepth[d] > (t.floating ? 6 : 0))
          actuation.controlImpedance[t.row[d] + t.dofDepth[d] - 1] = 0.25;
      }
    });
    EXPECT_TRUE(twins.expectSame(400, [](World& world, int i) {
      ArticulatedSystem& robot = *world.system(0);
      const int last = robot.model().nb() - 1;
      if (i == 1) robot.setExternalForce(last, {0.3, -0.2, 0.5}, {0.1, 0, 0.02});
      if (i == 5) robot.setExternalTorque(last, {0.1, 0.05, 0});
    }));
    EXPECT_EQ(twins.contacts > 0, std::string(model) != "delta");
    EXPECT_EQ(twins.steppedAlone, 0) << model;
    std::vector<Vec<3>> forces;
    twins.forEach([&](World& world, int i) {
      if (i != 4) return;
      for (int joint = 0; joint < world.system(0)->model().nb(); ++joint) {
        forces.push_back(world.system(0)->getForceAtJointInWorldFrame(joint));
        forces.push_back(world.system(0)->getTorqueAtJointInWorldFrame(joint));
      }
    });
    const std::size_t half = forces.size() / 2;
    for (std::size_t k = 0; k < half; ++k)
      for (int x = 0; x < 3; ++x) EXPECT_EQ(forces[k][x], forces[k + half][x]) << model;
  }
}

TEST(WorldsInLanes, MayHaveWelds) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT, Scheme::RUNGE_KUTTA_4}) {
    LaneTwins twins(7, [&](World& world, int i) {
      world.setIntegrationScheme(scheme);
      addStrider(world, i);
      SingleBodyObject* load = world.addSphere(0.05, 0.2 + 0.1 * i);
      load->setPosition(0.3, 0, 0.8);
      if (i % 2 == 0) world.attach(world.system(0), load, 2);
      if (i == 3) world.attach(world.system(0), nullptr);
      if (i == 5) world.system(0)->setComputeInverseDynamics(true);
    });
    EXPECT_TRUE(twins.expectSame(80));
    EXPECT_EQ(twins.steppedAlone, 0);
  }
}

TEST(WorldsInLanes, MayHaveTendons) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT, Scheme::RUNGE_KUTTA_4}) {
    LaneTwins twins(6, [&](World& world, int i) {
      world.setIntegrationScheme(scheme);
      ArticulatedSystem* robot = world.addArticulatedSystem(wrappedDrum(true, -0.15, {}));
      robot->setState(startOfDrum(*robot), Eigen::VectorXd::Constant(4, 0.3 * i));
    });
    EXPECT_TRUE(twins.expectSame(200));
    EXPECT_EQ(twins.steppedAlone, 0);
  }
}

TEST(WorldsInLanes, MayHaveBilateralLoops) {
  for (const bool floats : {false, true})
    for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT}) {
      LaneTwins twins(6, [&](World& world, int i) {
        world.setIntegrationScheme(scheme);
        world.setGravity({0, -gravity, 0.1 * i});
        ArticulatedSystem* robot =
            world.addArticulatedSystem(bilateral(fourBar({.floats = floats})));
        if (i == 2) robot->setExternalForce(1, {0, 0.3, 0});
      });
      EXPECT_TRUE(twins.expectSame(100));
      EXPECT_EQ(twins.steppedAlone, 0);
    }
}

TEST(WorldsInLanes, MayHoldMoreThanTheRobot) {
  LaneTwins twins(5, [](World& world, int i) {
    addStrider(world, i);
    for (int k = 0; k <= i; ++k) world.addSphere(0.05, 0.5)->setPosition(0.1 * k, 0, 1.2 + 0.2 * k);
    world.addBody(fixedShape("step", BoxShape{{1, 1, 0.02}}))->setPosition(1, 0, 0.01);
  });
  EXPECT_TRUE(twins.expectSame(600));
  EXPECT_EQ(twins.steppedAlone, 0);
  EXPECT_GT(twins.contacts, 600 * 5);
}

/// Callbacks, materials, gravity and patience are each world's own.
TEST(WorldsInLanes, KeepTheirSettings) {
  LaneTwins twins(8, [](World& world, int i) {
    addStrider(world, i);
    world.setGravity({0.3 * i, 0, -9.81 + i});
    world.setDefaultMaterial(0.1 + 0.1 * i, 0.05 * i, 0.01);
    if (i == 3)
      world.setContactCallback([](const Contact& c, MaterialPair&) { return c.depth > 0; });
    if (i == 4) world.setContactSolverParam(1e-8, 3);
    if (i == 5) world.setContactSolverParam(1e-10, 1);
    if (i == 6) world.setERP(0.2, 1e-4);
    if (i == 7) world.system(0)->setTorqueLimits(TorqueLimits::EXACT);
  });
  EXPECT_TRUE(twins.expectSame(500));
  EXPECT_EQ(twins.steppedAlone, 0);
}

/// Shapes sit where an edit has put them, and are as large as each world's own.
TEST(WorldsInLanes, MayHaveOtherShapes) {
  LaneTwins twins(5, [](World& world, int i) {
    addStrider(world, i);
    for (const char* foot : {"LF_foot/0", "RH_foot/0"})
      world.system(0)->getCollisionBody(foot).posOffset[2] -= 0.01;
    if (i == 3)
      dGeomSphereSetRadius(world.system(0)->getCollisionBody("RH_foot/0").getCollisionObject(),
                           0.03);
  });
  EXPECT_TRUE(twins.expectSame(500));
  EXPECT_EQ(twins.steppedAlone, 0);
  EXPECT_GT(twins.contacts, 500);
}

/// A world that goes wrong keeps its state and harms nobody.
TEST(WorldsInLanes, GiveUpAlone) {
  LaneTwins twins(4, addStrider);
  EXPECT_TRUE(twins.expectSame(30, [](World& world, int i) {
    if (i != 1) return;
    Eigen::VectorXd tau = Eigen::VectorXd::Zero(world.system(0)->getDOF());
    tau[8] = 1e200;
    world.system(0)->setActuationLimits(Eigen::VectorXd::Constant(tau.size(), HUGE_VAL),
                                        Eigen::VectorXd::Constant(tau.size(), -HUGE_VAL));
    world.system(0)->setGeneralizedForce(tau);
  }));
  EXPECT_TRUE(twins.inLanes(1).report().has(StepFlag::NotFinite));
  EXPECT_EQ(twins.inLanes(0).report().flags, 0u);
}

/// Torques that carry joints past their limits in one step.
TEST(WorldsInLanes, HoldLimitsThatAreReachedInOneStep) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::TRAPEZOID}) {
    LaneTwins twins(4, [&](World& world, int i) {
      addStrider(world, i);
      world.setIntegrationScheme(scheme);
      ArticulatedSystem& robot = *world.system(0);
      robot.setActuationLimits(Eigen::VectorXd::Constant(robot.getDOF(), HUGE_VAL),
                               Eigen::VectorXd::Constant(robot.getDOF(), -HUGE_VAL));
      robot.enforceJointVelocityLimits(i > 1);
    });
    twins.expectSame(20);
    const auto push = [](World& world, int i) {
      const int dofs = static_cast<int>(world.system(0)->getDOF());
      Eigen::VectorXd tau = Eigen::VectorXd::Zero(dofs);
      for (int d = 6; d < dofs; ++d) tau[d] = 400 * i * (d % 2 == 0 ? 1 : -1);
      world.system(0)->setGeneralizedForce(tau);
    };
    for (int step = 0; step < 40; ++step) {
      ASSERT_TRUE(twins.expectSame(1, push));
      const ArticulatedSystem& robot = *twins.inLanes(3).system(0);
      const Eigen::VectorXd u = robot.getGeneralizedVelocity();
      for (int b = 1; b <= 12; ++b)
        ASSERT_LT(std::abs(u[5 + b]), robot.model().bodies[b].limits.velocity + 1e-6) << step;
    }
    EXPECT_EQ(twins.steppedAlone, 0);
  }
}

/// Between steps the worlds are anybody's.
TEST(WorldsInLanes, MayBeMovedAndSteppedByThemselves) {
  LaneTwins twins(5, addStrider);
  twins.expectSame(50);
  twins.forEach([](World& world, int i) {
    if (i == 1) world.reset();
    if (i == 2) world.integrate();
    if (i == 3) world.restoreCheckpoint(world.saveCheckpoint());
    if (i == 4) world.addSphere(0.1, 1)->setPosition(0, 0, 2);
  });
  EXPECT_TRUE(twins.expectSame(100));
  twins.forEach([](World& world, int i) {
    if (i != 2) return;
    world.removeObject(world.system(0));
    addRobot(world, "biped", 100, 5);
  });
  EXPECT_TRUE(twins.expectSame(20));
  twins.forEach([](World& world, int i) {
    if (i == 2) world.removeObject(world.system(0));
  });
  EXPECT_TRUE(twins.expectSame(20));
  EXPECT_EQ(twins.steppedAlone, 40);
  twins.inLanes(0).integrate1();
  EXPECT_THROW(twins.integrate(), std::invalid_argument);
  twins.inLanes(0).integrate2();
}

}  // namespace
}  // namespace espalier::testing

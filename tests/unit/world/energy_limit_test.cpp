// Robots that turn far in a step, and linkages that bend much in one, make no energy. Energies are
// compared with the work of the torques, tau . (q+ - q), summed up here.

#include "espalier/step/energy_limit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/lane_twins.h"
#include "tests/support/random_tree.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

double energyOf(ArticulatedSystem& robot, const World& world) {
  return robot.getKineticEnergy() + robot.getPotentialEnergy(world.getGravity());
}

/// Every joint at the same speed, up to half a turn a step.
TEST(EnergyLimit, APendulumThatSpinsFastGainsNone) {
  struct Range {
    Scheme scheme;
    double from, to;  // rad/s
  };
  // Below, TRAPEZOID and SEMI_IMPLICIT err by more wherever something turns.
  for (const auto& [scheme, from, to] :
       {Range{Scheme::MIDPOINT, 0, 1e4}, Range{Scheme::TRAPEZOID, 300, 1e4},
        Range{Scheme::SEMI_IMPLICIT, 1000, 1e4}, Range{Scheme::EULER, 30, 1e4},
        Range{Scheme::RUNGE_KUTTA_4, 0, 1e4}})
    for (const std::string name : {"double_pendulum", "chain20"})
      for (const double speed : {30., 100., 300., 1000., 3000.}) {
        if (speed < from || speed > to) continue;
        World world;
        world.setIntegrationScheme(scheme);
        ArticulatedSystem* robot = addRobot(world, name, 0, 0);
        const auto n = static_cast<Eigen::Index>(robot->getDOF());
        robot->setGeneralizedVelocity(Eigen::VectorXd::Constant(n, speed));
        const double put = robot->getKineticEnergy(), start = energyOf(*robot, world);
        double most = start;
        std::uint32_t flags = 0;
        for (int i = 0; i < 150; ++i) {
          flags |= world.integrate().flags;
          most = std::max(most, energyOf(*robot, world));
        }
        // Beyond a radian a step, limits of a chain's balls make steps of EULER and RUNGE_KUTTA_4 wild.
        const bool isWild = shareOfNext(scheme) == 0 || scheme == Scheme::RUNGE_KUTTA_4;
        if (!isWild || name != "chain20" || flags == 0)
          EXPECT_LE(most, start + 0.01 * put)
              << name << " at " << speed << " rad/s, scheme " << static_cast<int>(scheme);
        if (speed >= 1000) EXPECT_NE(flags, 0u) << name;
      }
}

/// One that floats keeps its momentum, too.
TEST(EnergyLimit, AFloatingRobotKeepsItsMomentum) {
  for (const double speed : {100., 300., 1000.}) {
    World world;
    world.setGravity({0, 0, 0});
    ArticulatedSystem* robot = addRobot(world, "strider", 0, 0, {0, 0, 10});
    const auto n = static_cast<Eigen::Index>(robot->getDOF());
    Eigen::VectorXd u = Eigen::VectorXd::Zero(n);
    for (Eigen::Index d = 6; d < n; ++d) u[d] = d % 2 == 0 ? speed : -speed;
    u[0] = 1;
    robot->setGeneralizedVelocity(u);
    const double start = robot->getKineticEnergy();
    const Eigen::Vector3d momentum = robot->getLinearMomentum();
    for (int i = 0; i < 100; ++i) {
      world.integrate();
      ASSERT_LE(robot->getKineticEnergy(), 1.01 * start) << speed << " rad/s, step " << i;
    }
    EXPECT_LT((robot->getLinearMomentum() - momentum).norm(), 1e-5 * momentum.norm()) << speed;
  }
}

/// In flight, too, from rates of at most 0.05 rad a step: no step that is not flagged ends by more than 1 % above
/// the least value so far, and no more than one in twenty is flagged.
TEST(EnergyLimit, ATumblingRobotGainsNone) {
  int steps = 0, flagged = 0;
  for (const std::string name : {"strider", "human36", "biped"})
    for (const double speed : {20., 30., 40., 50.})
      for (int seed = 0; seed < 4; ++seed) {
        World world;
        world.setGravity({0, 0, 0});
        ArticulatedSystem* robot = addRobot(world, name, 0, 0, {0, 0, 10});
        Random random(static_cast<std::uint64_t>(seed));
        Eigen::VectorXd u = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(robot->getDOF()));
        for (Eigen::Index d = 3; d < u.size(); ++d) u[d] = random.uniform(-speed, speed);
        robot->setGeneralizedVelocity(u);
        double least = robot->getKineticEnergy();
        for (int i = 0; i < 300; ++i) {
          const bool isFlagged = world.integrate().flags != 0;
          ++steps;
          flagged += isFlagged;
          const double now = robot->getKineticEnergy();
          if (!isFlagged)
            ASSERT_LE(now, 1.01 * least)
                << name << ", " << speed << " rad/s, seed " << seed << ", step " << i;
          least = isFlagged ? now : std::min(least, now);
        }
      }
  EXPECT_LT(flagged, steps / 20) << "of " << steps;
}

/// With RUNGE_KUTTA_4 contacts act before the stages: what they leave is where the energy is counted from.
TEST(EnergyLimit, StagesGainNoneBesideContacts) {
  for (const std::string name : {"arm7", "strider", "beest"})
    for (const double speed : {100., 300., 1000.}) {
      World world;
      world.setGravity({0, 0, 0});
      world.setERP(0);
      world.setIntegrationScheme(Scheme::RUNGE_KUTTA_4);
      world.addGround();
      ArticulatedSystem* robot = addRobot(world, name, 0, 0);
      const auto n = static_cast<Eigen::Index>(robot->getDOF());
      Eigen::VectorXd u(n);
      for (Eigen::Index d = 0; d < n; ++d) u[d] = d % 3 == 0 ? speed : -0.7 * speed;
      robot->setGeneralizedVelocity(u);
      const double start = robot->getKineticEnergy();
      long contacts = 0;
      for (int i = 0; i < 200; ++i) {
        const StepReport& report = world.integrate();
        contacts += report.activeContacts;
        if (robot->getKineticEnergy() <= 1.01 * start) continue;
        // At a radian a step contact impulses meet rates that forces of the start alone would give; what
        // they make is flagged.
        ASSERT_TRUE(speed == 1000 && report.has(StepFlag::EnergyNotKept))
            << name << ", " << speed << " rad/s, step " << i;
        break;
      }
      if (name == "strider") EXPECT_GT(contacts, 0);
    }
}

/// Slow motion is left alone: the same robot, where nothing turns by 0.05 rad a step.
TEST(EnergyLimit, SlowMotionIsNotLookedAt) {
  World world;
  ArticulatedSystem* robot = addRobot(world, "double_pendulum", 0, 0);
  robot->setGeneralizedVelocity(Eigen::VectorXd::Constant(2, 5));
  const double start = energyOf(*robot, world);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(world.integrate().flags, 0u);
  EXPECT_NEAR(energyOf(*robot, world), start, 1e-3 * std::abs(start));
}

/// Torques to and fro. The work that they do is what the linkage gets, at most.
TEST(EnergyLimit, DrivenLinkagesGainNoMoreThanTheWork) {
  for (const std::string name :
       {"five_bar", "four_bar", "six_bar", "slider_crank", "triple_rocker", "parallelogram",
        "delta", "tello_leg", "tello_hip", "differential_leg", "linkage_arm", "gripper"})
    for (const double dt : {1e-3, 2.5e-3})
      for (const double torque : {1., 10., 50.}) {
        World world;
        world.setTimeStep(dt);
        ArticulatedSystem* robot = world.addArticulatedSystem(modelFile(name));
        const auto n = static_cast<Eigen::Index>(robot->getDOF());
        robot->setControlMode(ControlMode::FORCE_AND_TORQUE);
        robot->setActuationLimits(Eigen::VectorXd::Constant(n, 1e9),
                                  Eigen::VectorXd::Constant(n, -1e9));
        const double start = energyOf(*robot, world);
        double work = 0, put = 0, before = start;
        for (int i = 0; i * dt < 1; ++i) {
          const double tau = std::fmod(i * dt, 0.4) < 0.2 ? torque : -torque;
          robot->setGeneralizedForce(Eigen::VectorXd::Constant(n, tau));
          const Eigen::VectorXd q = robot->getGeneralizedCoordinate();
          const StepReport& report = world.integrate();
          const double done = tau * (robot->getGeneralizedCoordinate() - q).sum();
          const double now = energyOf(*robot, world);
          work += done;
          put += std::abs(done);
          if (report.flags == 0)
            ASSERT_LE(now - before - done, 0.01 * (put + std::abs(start)))
                << name << ", " << torque << " N m, dt " << dt << ", step " << i;
          before = now;
        }
        EXPECT_LE(before - start - work, 0.01 * (put + std::abs(start)))
            << name << ", " << torque << " N m, dt " << dt;
      }
}

TEST(EnergyLimit, IsTheSameInLanes) {
  for (const std::string name : {"strider", "four_bar", "arm7"}) {
    LaneTwins twins(5, [&](World& world, int i) {
      ArticulatedSystem* robot = addRobot(world, name, 0, 0, {0, 0, 5});
      const auto n = static_cast<Eigen::Index>(robot->getDOF());
      Eigen::VectorXd u = Eigen::VectorXd::Zero(n);
      u.tail(std::min<Eigen::Index>(n, 12)).setConstant(i % 2 == 0 ? 1000 + i : 2);
      robot->setGeneralizedVelocity(u);
    });
    int flagged = 0;
    EXPECT_TRUE(twins.expectSame(200, [&](World& world, int) {
      flagged += world.report().has(StepFlag::EnergyNotKept);
    })) << name;
    EXPECT_GT(flagged, 0) << name;
  }
}

/// What earlier steps have lost is part of a checkpoint.
TEST(EnergyLimit, ACheckpointGoesOnBitForBit) {
  const auto make = [](World& world) {
    ArticulatedSystem* robot = addRobot(world, "double_pendulum", 0, 0);
    robot->setGeneralizedVelocity(Eigen::Vector2d(200, -150));
  };
  World world, other;
  make(world);
  make(other);
  for (int i = 0; i < 57; ++i) world.integrate();
  other.restoreCheckpoint(world.saveCheckpoint());
  for (int i = 0; i < 200; ++i) {
    world.integrate();
    other.integrate();
    ASSERT_EQ(world.stateHash(), other.stateHash()) << i;
  }
}

/// The balance of a step that was not taken is unknown.
TEST(EnergyLimit, ARefusedStepHasNoBalance) {
  World world;
  world.setEnergyMonitoring(true);
  auto* wild = world.addSphere(0.1, 1);
  wild->setExternalForce(0, {1e308, 0, 0});
  wild->setLinearVelocity({1.7e308, 0, 0});
  bool isRefused = false;
  for (int i = 0; i < 1500 && !isRefused; ++i) isRefused = world.integrate().refused > 0;
  ASSERT_TRUE(isRefused);
  EXPECT_TRUE(std::isnan(world.report().energyBalance));
}

}  // namespace
}  // namespace espalier::testing

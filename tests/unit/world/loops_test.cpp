#include <gtest/gtest.h>

#include <cmath>

#include "espalier/world/world.h"
#include "tests/support/four_bar.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

TEST(Loops, ACrankRockerKeepsItsEnergyAndStaysClosed) {
  for (const Scheme scheme :
       {Scheme::MIDPOINT, Scheme::TRAPEZOID, Scheme::SEMI_IMPLICIT, Scheme::RUNGE_KUTTA_4}) {
    World world;
    world.setGravity({0, 0, 0});
    world.setTimeStep(1e-3);
    world.setIntegrationScheme(scheme);
    ArticulatedSystem* bar = world.addArticulatedSystem(fourBar({}));
    ASSERT_EQ(bar->getDOF(), 1);
    bar->setGeneralizedVelocity({10.0});
    const double before = bar->getEnergy();
    double worst = 0, angle = bar->getGeneralizedCoordinate()[0];
    for (int i = 0; i < 5000; ++i) {
      world.integrate();
      worst = std::max(worst, bar->getClosureResidual());
      EXPECT_EQ(world.report().flags, 0u);
    }
    EXPECT_LT(worst, 1e-12);
    EXPECT_GT(bar->getGeneralizedCoordinate()[0] - angle, 20);
    // MIDPOINT is of second order in the independent rates, the others of first.
    const double tolerance =
        scheme == Scheme::RUNGE_KUTTA_4 ? 1e-7 : (scheme == Scheme::MIDPOINT ? 1e-3 : 0.15);
    EXPECT_NEAR(bar->getEnergy() / before, 1, tolerance) << static_cast<int>(scheme);
  }
}

/// Turns by itself; the largest closure and the energy's error after many dead points.
void turn(const FourBarOptions& options, double rate, int steps) {
  World world;
  world.setGravity({0, 0, 0});
  world.setTimeStep(1e-3);
  world.setIntegrationScheme(Scheme::RUNGE_KUTTA_4);
  ArticulatedSystem* bar = world.addArticulatedSystem(fourBar(options));
  bar->setGeneralizedVelocity({rate});
  const double before = bar->getEnergy();
  double worst = 0, last = 0;
  int passages = 0;
  for (int i = 0; i < steps; ++i) {
    world.integrate();
    worst = std::max(worst, world.report().closure);
    const double u = bar->getGeneralizedVelocity()[0];
    passages += u * last < 0;
    if (u != 0) last = u;
    ASSERT_EQ(world.report().flags, 0u) << i;
  }
  EXPECT_GT(passages, 10);
  EXPECT_LT(worst, 1e-12);
  EXPECT_NEAR(bar->getEnergy() / before, 1, 1e-3);
}

TEST(Loops, ARockerLeadsThroughItsDeadPoints) { turn({.publicRocker = true}, 2, 20000); }

TEST(Loops, ATripleRockerHasDeadPointsEverywhere) {
  turn({.crank = 1.0, .coupler = 1.4, .rocker = 1.0, .ground = 1.2}, 3, 20000);
}

TEST(Loops, AStepThatWouldTearALoopEndsWhereTheLoopCloses) {
  World world;
  world.setTimeStep(1e-2);
  // A triple rocker: whichever joint leads, it cannot go that far.
  ArticulatedSystem* bar = world.addArticulatedSystem(
      fourBar({.crank = 1.0, .coupler = 1.4, .rocker = 1.0, .ground = 1.2}));
  bar->setGeneralizedVelocity({-300.0});
  const Eigen::VectorXd q = bar->getSpanningCoordinate();
  const double energy = bar->getKineticEnergy();
  world.integrate();
  EXPECT_TRUE(world.report().has(StepFlag::LoopOpen));
  EXPECT_EQ(world.report().refused, 1);
  EXPECT_LE((bar->getSpanningCoordinate() - q).cwiseAbs().maxCoeff(), 2 * 0.5 * 300 * 1e-2);
  EXPECT_LT(bar->getKineticEnergy(), energy);
  EXPECT_LT(bar->getClosureResidual(), 1e-12);
}

TEST(Loops, AFourBarFallsAsItsClosedFormSays) {
  // M(q) a' + dM/dq a^2 / 2 + dV/dq = 0 of the one coordinate, from energies alone.
  World world;
  world.setTimeStep(1e-4);
  world.setGravity({0, -9.81, 0});
  ArticulatedSystem* bar = world.addArticulatedSystem(fourBar({}));
  const double before = bar->getEnergy();
  for (int i = 0; i < 3000; ++i) world.integrate();
  EXPECT_GT(std::abs(bar->getGeneralizedVelocity()[0]), 0.5);
  EXPECT_NEAR(bar->getEnergy(), before, 1e-6);
}

TEST(Loops, InverseAndForwardDynamicsAgree) {
  World world;
  ArticulatedSystem* bar = world.addArticulatedSystem(fourBar({.floats = true}));
  Eigen::VectorXd u = Eigen::VectorXd::LinSpaced(bar->getDOF(), -1, 2);
  bar->setGeneralizedVelocity(u);
  const Eigen::VectorXd tau = Eigen::VectorXd::LinSpaced(bar->getDOF(), 3, -2);
  const Eigen::VectorXd udot = bar->computeForwardDynamics(tau);
  EXPECT_LT((bar->computeInverseDynamics(udot) - tau).norm(), 1e-10);
  EXPECT_LT((bar->getMassMatrix() * udot + bar->getNonlinearities() - tau).norm(), 1e-10);
}

TEST(Loops, JacobiansGiveVelocities) {
  World world;
  ArticulatedSystem* bar = world.addArticulatedSystem(fourBar({.floats = true}));
  bar->setGeneralizedVelocity(Eigen::VectorXd::LinSpaced(bar->getDOF(), -1, 2));
  const int n = bar->getDOF();
  for (const char* link : {"crank", "coupler", "rocker"}) {
    const int body = bar->getBodyIdx(link);
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(3, n);
    const Eigen::Vector3d point(0.3, -0.2, 0.1);
    bar->getDenseJacobian(body, ArticulatedSystem::BODY_FRAME, Vec<3>(point), J);
    Eigen::Vector3d v;
    bar->getVelocity(body, Vec<3>(point), v);
    EXPECT_LT((J * bar->getGeneralizedVelocity() - v).norm(), 1e-12) << link;
  }
}

TEST(Loops, AFloatingFourBarLandsAndLies) {
  World world;
  world.setContactSolverParam(1e-10, 1000);
  world.setTimeStep(2e-3);
  world.addGround();
  SystemSpec spec = fourBar({.floats = true});
  for (LinkSpec& link : spec.links) {
    CollisionSpec ball;
    ball.shape = SphereShape{0.05};
    link.collisions.push_back(ball);
  }
  spec.X_WB.p = {0, 0, 0.3};
  ArticulatedSystem* bar = world.addArticulatedSystem(spec);
  bar->setSpanningPdGains(Eigen::VectorXd::Zero(bar->getSpanningDOF()),
                          Eigen::VectorXd::Constant(bar->getSpanningDOF(), 0.5));
  double worst = 0, depth = 0;
  int unsolved = 0;
  for (int i = 0; i < 1500; ++i) {
    world.integrate();
    worst = std::max(worst, world.report().closure);
    depth = std::max(depth, world.report().penetration);
    // Folded into a line of four balls it is singular, and its contacts are redundant: there the
    // solver may stop a little above its tolerance, and says so.
    const bool isSolved = !world.report().has(StepFlag::SolverNotConverged);
    EXPECT_EQ(world.report().flags, isSolved ? 0u : unsigned(StepFlag::SolverNotConverged)) << i;
    EXPECT_LT(world.report().residual, 1e-9) << i;
    unsolved += !isSolved;
  }
  EXPECT_LE(unsolved, 15);
  EXPECT_LT(worst, 1e-10);
  EXPECT_LT(depth, 1e-4);
  EXPECT_GT(world.report().activeContacts, 2);
  // It folds into a line of balls, which rocks on the ground as long as one likes.
  const double energy = bar->getEnergy();
  for (int i = 0; i < 1500; ++i) world.integrate();
  EXPECT_NEAR(bar->getEnergy(), energy, 1e-3);
}

TEST(Loops, AtADeadPointCoordinatesAreTakenAndVelocitiesRefused) {
  World world;
  ArticulatedSystem* bar = world.addArticulatedSystem(fourBar({.publicRocker = true}));
  // Crank and coupler in one line: the rocker is as far as it gets.
  const double reach = 1.4, ground = 1.0, rocker = 0.8;
  const double angle =
      std::acos((ground * ground + rocker * rocker - reach * reach) / (2 * rocker));
  const double crank =
      std::acos((ground * ground + reach * reach - rocker * rocker) / (2 * ground * reach));
  bar->setSpanningCoordinate(VecDyn{crank, 0, std::acos(-1.0) - angle});
  EXPECT_TRUE(bar->getSpanningVelocity().allFinite());
  EXPECT_THROW(bar->setGeneralizedVelocity({1.0}), std::invalid_argument);
  EXPECT_EQ(bar->getSpanningVelocity().norm(), 0);
  world.integrate();
  EXPECT_TRUE(bar->getSpanningCoordinate().allFinite());
  EXPECT_EQ(world.report().flags, 0u);
}

/// Who leads depends on q alone, and what is foreseen is part of a checkpoint: a restored run goes on
/// to the bit wherever it was cut.
TEST(Loops, ARestoredRunGoesOnToTheBit) {
  for (const std::string robot : {"crank leads", "rocker leads", "beest"}) {
    World world, other;
    for (World* w : {&world, &other}) {
      const bool walks = robot == "beest";
      w->setGravity({0, 0, walks ? -9.81 : 0});
      w->addGround(-5);
      if (!walks) {
        w->addArticulatedSystem(fourBar({.publicRocker = robot == "rocker leads"}))
            ->setGeneralizedVelocity({2.0});
        continue;
      }
      ArticulatedSystem* beest = addRobot(*w, robot, 0, 0, {0, 0, -4.9});
      VecDyn u = beest->getGeneralizedVelocity();
      u[6] = 5;
      beest->setGeneralizedVelocity(u);
    }
    for (int i = 0; i < 2000; ++i) {
      world.integrate();
      if (i % 7 == 0) other.restoreCheckpoint(world.saveCheckpoint());
      if (i % 7 != 0) other.integrate();
      ASSERT_EQ(world.stateHash(), other.stateHash()) << robot << i;
    }
  }
}

TEST(Loops, CoordinatesThatCannotBeReachedAreRefused) {
  World world;
  ArticulatedSystem* bar = world.addArticulatedSystem(fourBar({.publicRocker = true}));
  const Eigen::VectorXd before = bar->getSpanningCoordinate();
  EXPECT_THROW(bar->setGeneralizedCoordinate({0.0}), std::invalid_argument);
  EXPECT_EQ((bar->getSpanningCoordinate() - before).norm(), 0);
}

}  // namespace
}  // namespace espalier::testing

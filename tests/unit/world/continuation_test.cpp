// A run that goes on from a State, or from a checkpoint, is the run continued, to the bit: in the same
// world, which has gone on since, and in a second world built alike. In every integration scheme, for
// the worlds of models/worlds and for scenes with each part of a step that has a history.

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "espalier/io/world_xml/world_xml.h"
#include "tests/support/bilateral.h"
#include "tests/support/four_bar.h"
#include "tests/support/source_folder.h"
#include "tests/support/world_scenes.h"
#include "tests/support/wrapped_drum.h"

namespace espalier::testing {
namespace {

constexpr Scheme schemes[] = {Scheme::MIDPOINT, Scheme::TRAPEZOID, Scheme::SEMI_IMPLICIT,
                              Scheme::EULER, Scheme::RUNGE_KUTTA_4};

/// State and history after each of the next steps.
std::vector<std::vector<std::byte>> goOn(World& world, int steps) {
  std::vector<std::vector<std::byte>> run;
  for (int i = 0; i < steps; ++i) {
    world.integrate();
    run.push_back(world.saveCheckpoint());
  }
  return run;
}

using Build = std::function<std::unique_ptr<World>()>;

/// in  before, after  steps until the checkpoint is taken, and from there on
void expectContinued(const Build& build, int before, int after) {
  for (const Scheme scheme : schemes) {
    SCOPED_TRACE(static_cast<int>(scheme));
    const std::unique_ptr<World> world = build(), second = build();
    for (World* w : {world.get(), second.get()}) w->setIntegrationScheme(scheme);
    for (int i = 0; i < before; ++i) world->integrate();
    const std::uint64_t hash = world->stateHash();
    const State state = world->getState();
    const std::vector<std::byte> bytes = world->saveCheckpoint();
    const auto run = goOn(*world, after);
    ASSERT_NE(world->stateHash(), hash) << "something must move";
    for (World* w : {world.get(), second.get()}) {
      w == second.get() ? w->restoreCheckpoint(bytes) : w->setState(state);
      ASSERT_EQ(w->stateHash(), hash);
      const auto again = goOn(*w, after);
      for (std::size_t i = 0; i < run.size(); ++i)
        ASSERT_EQ(again[i], run[i])
            << (w == second.get() ? "second" : "same") << " world, step " << i;
    }
  }
}

TEST(Continuation, OfTheBundledWorlds) {
  const std::string folder = sourceFolder() + "/models/worlds";
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".xml") continue;
    SCOPED_TRACE(entry.path().filename().string());
    const auto spec = io::loadWorld(entry.path().string());
    ASSERT_TRUE(spec) << spec.diagnostics().toString();
    expectContinued([&] { return std::make_unique<World>(*spec); }, 60, 25);
    ++count;
  }
  EXPECT_GE(count, 3);
}

// The first box sleeps when the checkpoint is taken, and the ball wakes it after that.
TEST(Continuation, OfSleepersAndWelds) {
  const auto build = [] {
    auto world = std::make_unique<World>();
    world->setSleeping(true);
    world->addGround();
    for (int i = 0; i < 3; ++i) world->addBox(0.2, 0.2, 0.2, 1)->setPosition(i, 0, 0.1 + 0.01 * i);
    SingleBodyObject* ball = world->addSphere(0.1, 1);
    ball->setPosition(-0.75, 0, 0.1);
    ball->setVelocity(2, 0, 0, 0, 20, 0);
    SingleBodyObject* left = world->addBox(0.2, 0.1, 0.1, 1);
    SingleBodyObject* right = world->addBox(0.2, 0.1, 0.1, 2);
    left->setPosition(0, 3, 0.4);
    right->setPosition(0.2, 3, 0.5);
    right->setVelocity(0, 0, 0, 1, 2, 3);
    world->attach(left, right);
    ArticulatedSystem* robot = addRobot(*world, "strider", 100, 2, {0, -3, 0.02});
    SingleBodyObject* load = world->addSphere(0.05, 0.1);
    load->setPosition(0, -3, 1.5);
    world->attach(robot, load);
    return world;
  };
  const auto world = build();
  const auto* box = dynamic_cast<SingleBodyObject*>(world->getObjList()[1]);
  for (int i = 0; i < 200; ++i) world->integrate();
  ASSERT_EQ(box->getLinearVelocity().norm(), 0);
  for (int i = 0; i < 150; ++i) world->integrate();
  ASSERT_GT(box->getPosition().x(), 1e-3);
  expectContinued(build, 200, 150);
}

// Which joints slide is known from the impulses of the last step.
TEST(Continuation, OfDryJoints) {
  expectContinued(
      [] {
        auto world = std::make_unique<World>();
        ArticulatedSystem* arm = addRobot(*world, "arm7", 0, 0);
        arm->setJointFriction(Eigen::VectorXd::Constant(arm->getDOF(), 0.4));
        arm->setGeneralizedVelocity(Eigen::VectorXd::LinSpaced(arm->getDOF(), -1, 1));
        return world;
      },
      60, 200);
}

TEST(Continuation, OfClosedLoops) {
  for (const bool isBilateral : {false, true})
    for (const bool floats : {false, true}) {
      SCOPED_TRACE(::testing::Message() << isBilateral << floats);
      SystemSpec spec = fourBar({.floats = floats});
      if (isBilateral) spec = bilateral(spec);
      expectContinued(
          [&] {
            auto world = std::make_unique<World>();
            world->setGravity({0, -gravity, 0});
            world->addArticulatedSystem(spec);
            return world;
          },
          100, 60);
    }
}

TEST(Continuation, OfTheModelsWithLoops) {
  for (const char* name : {"delta", "five_bar", "linkage_arm", "geared_strider", "triple_rocker"}) {
    SCOPED_TRACE(name);
    expectContinued(
        [&] {
          auto world = std::make_unique<World>();
          world->addGround();
          ArticulatedSystem* robot = addRobot(*world, name, 20, 0.5);
          robot->setGeneralizedVelocity(Eigen::VectorXd::Constant(robot->getDOF(), 0.2));
          return world;
        },
        60, 30);
  }
}

TEST(Continuation, OfATendonRoundADrum) {
  expectContinued(
      [] {
        auto world = std::make_unique<World>();
        ArticulatedSystem* robot = world->addArticulatedSystem(wrappedDrum(true, -0.15, {}));
        robot->setState(startOfDrum(*robot), Eigen::VectorXd::Constant(4, 0.3));
        return world;
      },
      100, 60);
}

}  // namespace
}  // namespace espalier::testing

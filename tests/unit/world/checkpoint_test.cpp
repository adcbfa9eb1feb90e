// A checkpoint holds all that a run needs to go on as if nothing had been.

#include <gtest/gtest.h>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

void build(World& world) {
  world.addGround();
  addRobot(world, "strider", 300, 10);
  for (int i = 0; i < 4; ++i)
    world.addBox(0.2, 0.2, 0.2, 1)->setPosition(1.5, 0.01 * i, 0.1 + 0.21 * i);
  SingleBodyObject* stick = world.addCapsule(0.05, 0.5, 1);
  stick->setPosition(-2, 0, 1);
  stick->setVelocity(0, 0, 0, 1, 2, 3);
  ArticulatedSystem* flying = addRobot(world, "biped", 20, 1, {0, 4, 2});
  flying->setGeneralizedVelocity(Eigen::VectorXd::LinSpaced(flying->getDOF(), -1, 1));
}

TEST(Checkpoint, ARestoredRunGoesOnBitForBit) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT}) {
    World first, second;
    for (World* world : {&first, &second}) {
      world->setIntegrationScheme(scheme);
      build(*world);
    }
    for (int i = 0; i < 150; ++i) first.integrate();
    const std::vector<std::byte> bytes = first.saveCheckpoint();
    second.restoreCheckpoint(bytes);
    EXPECT_EQ(second.saveCheckpoint(), bytes);
    for (int i = 0; i < 200; ++i) {
      first.integrate();
      second.integrate();
      ASSERT_EQ(first.stateHash(), second.stateHash()) << "step " << i;
      ASSERT_EQ(first.report().iterations, second.report().iterations) << "step " << i;
    }
    EXPECT_EQ(first.getWorldTime(), second.getWorldTime());
  }
}

TEST(Checkpoint, DamagedBytesChangeNothing) {
  World world;
  build(world);
  for (int i = 0; i < 20; ++i) world.integrate();
  const std::vector<std::byte> bytes = world.saveCheckpoint();
  const std::uint64_t before = world.stateHash();
  for (std::size_t keep = 0; keep < bytes.size(); keep += 97) {
    const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<long>(keep));
    EXPECT_THROW(world.restoreCheckpoint(cut), std::invalid_argument) << keep;
    EXPECT_EQ(world.stateHash(), before);
  }
  for (std::size_t at = 0; at < bytes.size(); at += 101) {  // one bit is enough
    std::vector<std::byte> flipped = bytes;
    flipped[at] ^= std::byte{4};
    EXPECT_THROW(world.restoreCheckpoint(flipped), std::invalid_argument) << at;
    EXPECT_EQ(world.stateHash(), before);
  }
  World other;
  other.addSphere(0.1, 1);
  EXPECT_THROW(other.restoreCheckpoint(bytes), std::invalid_argument);
}

// Which bodies sleep, and which are about to, is part of it; a state written by hand wakes them all.
TEST(Checkpoint, SleepersSleepOn) {
  World first, second;
  for (World* world : {&first, &second}) {
    world->setSleeping(true);
    world->addGround();
    world->addBox(0.2, 0.2, 0.2, 1)->setPosition(0, 0, 0.1);
    SingleBodyObject* late = world->addBox(0.2, 0.2, 0.2, 1);
    late->setPosition(1, 0, 0.15);
  }
  for (int steps : {40, 200}) {
    for (int i = 0; i < steps; ++i) first.integrate();
    second.restoreCheckpoint(first.saveCheckpoint());
    for (int i = 0; i < 60; ++i) {
      first.integrate();
      second.integrate();
      ASSERT_EQ(first.saveCheckpoint(), second.saveCheckpoint()) << i;
    }
  }
  EXPECT_EQ(first.report().contacts, 0);
  State lifted = first.getState();
  lifted.q[2] += 1;
  first.setState(lifted);
  for (int i = 0; i < 100; ++i) first.integrate();
  EXPECT_LT(first.getState().q[2], lifted.q[2] - 0.04) << "it falls";
}

TEST(Checkpoint, KeyframesAndReset) {
  World world;
  build(world);
  const std::uint64_t start = world.stateHash();
  EXPECT_THROW(world.reset("unknown"), std::invalid_argument);
  for (int i = 0; i < 50; ++i) world.integrate();
  world.saveKeyframe("fifty");
  const std::uint64_t fifty = world.stateHash();
  for (int i = 0; i < 50; ++i) world.integrate();
  const std::uint64_t hundred = world.stateHash();
  world.reset("fifty");
  EXPECT_EQ(world.stateHash(), fifty);
  EXPECT_NEAR(world.getWorldTime(), 0.05, 1e-12);
  for (int i = 0; i < 50; ++i) world.integrate();
  EXPECT_EQ(world.stateHash(), hundred);
  world.reset();
  EXPECT_EQ(world.getWorldTime(), 0);
  EXPECT_NE(world.stateHash(), start) << "objects are where they were added, not where put since";
}

// A world that came as a spec goes back to the q and u that the spec says.
TEST(Checkpoint, ResetGoesBackToTheSpec) {
  World authored;
  build(authored);
  for (int i = 0; i < 30; ++i) authored.integrate();
  World world(authored.spec());
  const std::uint64_t start = world.stateHash();
  for (int i = 0; i < 30; ++i) world.integrate();
  EXPECT_NE(world.stateHash(), start);
  world.reset();
  EXPECT_EQ(world.stateHash(), start);
}

}  // namespace
}  // namespace espalier::testing

// Poses, states and checkpoints from outside: what cannot be is refused, and nothing has changed.

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>

#include "tests/support/bilateral.h"
#include "tests/support/four_bar.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(BodySpecs, APoseThatIsNoneIsRefused) {
  World world;
  const BodySpec good = fixedShape("box", BoxShape{{0.2, 0.2, 0.2}});
  for (const BodyType type : {BodyType::STATIC, BodyType::KINEMATIC, BodyType::DYNAMIC})
    for (int where = 0; where < 3; ++where)
      for (int what = 0; what < 4; ++what) {
        BodySpec spec = good;
        spec.type = type;
        spec.inertial = {1, identityTransform<double>(), {0.1, 0, 0, 0.1, 0, 0.1}};
        Transformd& pose = where == 0   ? spec.X_WB
                           : where == 1 ? spec.collisions[0].X_LG
                                        : spec.inertial.X_LC;
        if (what == 0) pose.p.y = nan;
        if (what == 1) pose.R.r1.z = nan;
        if (what == 2) pose.R.r0.x = 2;   // scales
        if (what == 3) pose.R.r2.z = -1;  // mirrors
        EXPECT_THROW(world.addBody(spec), std::invalid_argument) << where << what;
      }
  EXPECT_EQ(world.objectCount(), 0);
  world.addBody(good);
  SystemSpec robot = freeBody("ball", SphereShape{0.1}, 1);
  robot.X_WB.p.x = nan;
  EXPECT_THROW(world.addArticulatedSystem(robot), std::invalid_argument);
  EXPECT_EQ(world.objectCount(), 1);
}

TEST(TornStates, AreRefused) {
  for (const bool isBilateral : {false, true}) {
    World world;
    ArticulatedSystem* bar =
        world.addArticulatedSystem(isBilateral ? bilateral(fourBar({})) : fourBar({}));
    bar->setGeneralizedForce(Eigen::VectorXd::Constant(bar->getDOF(), 0.5));
    for (int i = 0; i < 20; ++i) world.integrate();
    const State before = world.getState();
    State torn = before;
    torn.q.back() += 0.1;
    EXPECT_THROW(world.setState(torn), std::invalid_argument);
    EXPECT_EQ(world.getState(), before);
    for (int i = 0; i < 200; ++i) {  // whatever a step leaves is taken
      world.integrate();
      const State now = world.getState();
      world.setState(now);
      ASSERT_EQ(world.getState(), now) << i;
    }
  }
}

// ---- checkpoints with a right checksum

/// The bytes with their checksum made right.
std::vector<std::byte> sealed(std::vector<std::byte> bytes) {
  const std::uint64_t sum = hash(std::span<const std::byte>(bytes).first(bytes.size() - 8));
  std::memcpy(bytes.data() + bytes.size() - 8, &sum, 8);
  return bytes;
}

template <class T>
std::vector<std::byte> with(std::vector<std::byte> bytes, std::size_t at, T x) {
  std::memcpy(bytes.data() + at, &x, sizeof x);
  return sealed(std::move(bytes));
}

/// Every kind of system that a checkpoint has something of.
void build(World& world) {
  world.addGround(-3);
  world.setSleeping(true);
  world.addArticulatedSystem(jointedBody(JointKind::Revolute, SphereShape{0.1}, 2, {1, 0, 0}));
  world.addArticulatedSystem(fourBar({}))->setGeneralizedVelocity({2.0});
  world.addArticulatedSystem(bilateral(fourBar({.floats = true})));
  addRobot(world, "biped", 20, 1, {0, 4, 2});
  world.addBox(0.2, 0.2, 0.2, 1)->setPosition(4, 0, -2.9);
  world.attach(world.addSphere(0.1, 1), nullptr);
}

TEST(SealedCheckpoints, NumbersThatCannotBeAreRefused) {
  World world;
  build(world);
  for (int i = 0; i < 100; ++i) world.integrate();
  const auto bytes = world.saveCheckpoint();
  const State before = world.getState();
  int refused = 0, taken = 0;
  // A list's length, a number or part of one, at every place.
  for (std::size_t at = 0; at + 16 <= bytes.size(); at += 4)
    for (const auto& bad :
         {with(bytes, at, std::uint64_t(1) << 40), with(bytes, at, nan),
          with(bytes, at, std::int32_t(-7)), with(bytes, at, std::uint8_t(255))}) {
      try {
        world.restoreCheckpoint(bad);
        ++taken;
        world.integrate();  // whatever the numbers say, the world stands
        world.restoreCheckpoint(bytes);
      } catch (const std::invalid_argument&) {
        ++refused;
        ASSERT_EQ(world.getState(), before) << at;
        ASSERT_EQ(world.saveCheckpoint(), bytes) << at;
      }
    }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(taken, 100) << "finite numbers of a state are nobody's business";
}

TEST(SealedCheckpoints, StatesWithNaNAreRefused) {
  World world;
  build(world);
  for (int i = 0; i < 20; ++i) world.integrate();
  const auto bytes = world.saveCheckpoint();
  const std::size_t q = 24, u = q + 8 * world.getState().q.size() + 8;  // after magic, time, count
  for (std::size_t i = 0; i < world.getState().q.size(); ++i)
    EXPECT_THROW(world.restoreCheckpoint(with(bytes, q + 8 * i, nan)), std::invalid_argument) << i;
  for (std::size_t i = 0; i < world.getState().u.size(); ++i)
    EXPECT_THROW(world.restoreCheckpoint(with(bytes, u + 8 * i, nan)), std::invalid_argument) << i;
  EXPECT_THROW(world.restoreCheckpoint(with(bytes, 8, nan)), std::invalid_argument) << "time";
  const double q0 = world.getState().q[2];  // of the four bar, behind the hinge
  EXPECT_THROW(world.restoreCheckpoint(with(bytes, q + 8 * 2, q0 + 0.3)), std::invalid_argument)
      << "a linkage that does not close";
}

// A system that keeps no momentum has no six rows of a floating base to add it to.
TEST(SealedCheckpoints, AHingeHasNoMomentumToKeep) {
  World world;
  world.addArticulatedSystem(jointedBody(JointKind::Revolute, SphereShape{0.1}, 2, {1, 0, 0}));
  world.integrate();
  const auto bytes = world.saveCheckpoint();
  int flags = 0;
  for (std::size_t at = 32; at + 8 < bytes.size(); at += 8) {
    double number;
    std::memcpy(&number, bytes.data() + at, sizeof number);
    if (number != 0) continue;
    try {
      world.restoreCheckpoint(with(bytes, at, 1.0));
    } catch (const std::invalid_argument& e) {
      flags += std::string(e.what()).find("momentum") != std::string::npos;
    }
    world.integrate();
    world.restoreCheckpoint(bytes);
  }
  EXPECT_EQ(flags, 1);
}

// What a step that was given up has computed is in no checkpoint.
TEST(SealedCheckpoints, AfterAStepThatWasGivenUp) {
  World world, other;
  for (World* w : {&world, &other}) build(*w);
  for (int i = 0; i < 50; ++i) world.integrate();
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < world.systemCount(); ++k)
      world.system(k)->setExternalForce(world.system(k)->getNumberOfJoints() - 1,
                                        {1e308, 1e308, 0});
    static_cast<SingleBodyObject*>(world.getObject(world.objectCount() - 1))
        ->setExternalForce({1e308, 0, 0});
  }
  EXPECT_TRUE(world.integrate().has(StepFlag::NotFinite));
  const auto bytes = world.saveCheckpoint();
  other.restoreCheckpoint(bytes);
  for (int i = 0; i < 50; ++i) {
    world.integrate();
    other.integrate();
    ASSERT_EQ(world.stateHash(), other.stateHash()) << i;
  }
}

}  // namespace
}  // namespace espalier::testing

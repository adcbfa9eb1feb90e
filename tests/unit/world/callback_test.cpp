// A contact callback may look and may choose a material; it cannot change or step its world, and what
// it throws leaves the world as it was.

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "espalier/batch/lane_steps.h"
#include "espalier/world/world.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Callback : ::testing::Test {
  World world;
  SingleBodyObject *ground = world.addGround(), *ball = world.addSphere(0.1, 1);
  ArticulatedSystem* robot = addRobot(world, "strider", 100, 2);

  void SetUp() override {
    ball->setPosition(3, 0, 0.1);
    for (int i = 0; i < 100; ++i) world.integrate();
    ASSERT_GT(world.report().activeContacts, 1);
  }
  /// The message of what a step throws whose callback does this.
  std::string refusal(const std::function<void(MaterialPair&)>& act) {
    world.setContactCallback([&](const Contact&, MaterialPair& pair) {
      act(pair);
      return true;
    });
    std::string message;
    try {
      world.integrate();
    } catch (const std::invalid_argument& e) {
      message = e.what();
    }
    world.setContactCallback({});
    return message;
  }
};

TEST_F(Callback, CallsThatChangeTheWorldAreRefused) {
  const State before = world.getState();
  const auto bytes = world.saveCheckpoint();
  const Eigen::VectorXd q = robot->getGeneralizedCoordinate();
  world.saveKeyframe("here");
  const std::pair<const char*, std::function<void()>> calls[] = {
      {"removeObject", [&] { world.removeObject(ball); }},
      {"addSphere", [&] { world.addSphere(0.1, 1); }},
      {"addGround", [&] { world.addGround(); }},
      {"addArticulatedSystem", [&] { addRobot(world, "arm7", 1, 1); }},
      {"attach", [&] { world.attach(ball, robot); }},
      {"integrate", [&] { world.integrate(); }},
      {"integrate1", [&] { world.integrate1(); }},
      {"integrate2", [&] { world.integrate2(); }},
      {"LaneSteps", [&] { LaneSteps({&dataOf(world)}); }},
      {"setState", [&] { world.setState(before); }},
      {"saveCheckpoint", [&] { world.saveCheckpoint(); }},
      {"restoreCheckpoint", [&] { world.restoreCheckpoint(bytes); }},
      {"reset", [&] { world.reset(); }},
      {"reset(keyframe)", [&] { world.reset("here"); }},
      {"setContactCallback", [&] { world.setContactCallback({}); }},
      {"setMaxContacts", [&] { world.setMaxContacts(1); }},
      {"setIntegrationScheme", [&] { world.setIntegrationScheme(Scheme::EULER); }},
      {"setSleeping", [&] { world.setSleeping(true); }},
      {"rayTest",
       [&] {
         world.rayTest({0, 0, 5}, {0, 0, -1}, 10);
       }},
      {"setGeneralizedCoordinate", [&] { robot->setGeneralizedCoordinate(q); }},
      {"setBasePos",
       [&] {
         robot->setBasePos({0, 0, 1});
       }},
      {"setBaseVelocity",
       [&] {
         robot->setBaseVelocity({0, 0, 1});
       }},
      {"updateMassInfo", [&] { robot->updateMassInfo(); }},
      {"setPosition", [&] { ball->setPosition(0, 0, 1); }},
      {"setLinearVelocity",
       [&] {
         ball->setLinearVelocity({0, 0, 1});
       }},
      {"setBodyType", [&] { ball->setBodyType(BodyType::STATIC); }},
      {"setMass", [&] { ball->setMass(2); }},
      {"setCollisionGroup", [&] { ball->setCollisionGroup(2, 2); }},
  };
  for (const auto& [name, call] : calls) {
    const auto& act = call;
    EXPECT_NE(refusal([&](MaterialPair&) { act(); }).find("contact callback"), std::string::npos)
        << name;
    EXPECT_EQ(world.getState(), before) << name;
    EXPECT_TRUE(world.contacts().empty()) << name;
    EXPECT_EQ(world.objectCount(), 3) << name;
  }
  EXPECT_EQ(world.integrate().flags, 0u);
}

// After a throw the world is as after setState() of the state before: it goes on like a twin.
TEST_F(Callback, AThrowGivesTheStepUp) {
  World twin;
  twin.addGround();
  twin.addSphere(0.1, 1);
  addRobot(twin, "strider", 100, 2);
  robot->setExternalForce(0, {0, 0, 5});
  twin.system(0)->setExternalForce(0, {0, 0, 5});
  State cold = world.getState();
  cold.history.clear();
  twin.setState(cold);
  int calls = 0;
  world.setContactCallback([&](const Contact&, MaterialPair&) {
    if (++calls == 2) throw std::runtime_error("enough");
    return true;
  });
  EXPECT_THROW(world.integrate1(), std::runtime_error);
  EXPECT_THROW(world.integrate2(), std::invalid_argument) << "there is no step to finish";
  world.setContactCallback({});
  EXPECT_EQ(world.getWorldTime(), twin.getWorldTime());
  EXPECT_EQ(world.report().contacts, 0);
  for (int i = 0; i < 100; ++i) {
    world.integrate();
    twin.integrate();
    ASSERT_EQ(world.stateHash(), twin.stateHash()) << i;
  }
}

TEST_F(Callback, AMaterialThatCannotBeIsRefused) {
  const State before = world.getState();
  const std::pair<const char*, std::function<void(MaterialPair&)>> materials[] = {
      {"friction", [](MaterialPair& p) { p.friction = nan; }},
      {"friction", [](MaterialPair& p) { p.friction = -0.1; }},
      {"restitution", [](MaterialPair& p) { p.restitution = 2; }},
      {"threshold", [](MaterialPair& p) { p.restitutionThreshold = nan; }},
      {"static friction", [](MaterialPair& p) { p.staticFriction = nan; }},
      {"rolling", [](MaterialPair& p) { p.rolling = -1; }},
      {"spinning", [](MaterialPair& p) { p.spinning = nan; }},
  };
  for (const auto& [word, spoil] : materials) {
    const std::string why = refusal(spoil);
    EXPECT_NE(why.find("contact callback"), std::string::npos) << word;
    EXPECT_NE(why.find(word), std::string::npos) << why;
    EXPECT_EQ(world.getState(), before);
  }
  // Of a contact that is left out nothing is asked.
  world.setContactCallback([](const Contact&, MaterialPair& pair) {
    pair.friction = nan;
    return false;
  });
  EXPECT_EQ(world.integrate().contacts, 0);
}

// Queries speak of the evaluation point, as between the halves of the step, and disturb nothing.
TEST(CallbackQueries, SpeakOfTheEvaluationPoint) {
  for (const char* name : {"strider", "beest"}) {
    World asked, twin;
    for (World* w : {&asked, &twin}) {
      w->addGround();
      addRobot(*w, name, 0, 0, {0, 0, 0.1});
    }
    ArticulatedSystem* robot = asked.system(0);
    const int last = robot->getNumberOfJoints() - 1;
    double worst = 0;
    Vec<3> inCallback, between;
    asked.setContactCallback([&](const Contact&, MaterialPair&) {
      robot->getPosition(last, inCallback);
      robot->getCOM();
      robot->getMassMatrix();
      return true;
    });
    int touched = 0;
    for (int i = 0; i < 300; ++i) {
      inCallback.setZero();
      asked.integrate1();
      robot->getPosition(last, between);
      if (!asked.contacts().empty()) {
        ++touched;
        worst = std::max(worst, (inCallback - between).norm());
      }
      asked.integrate2();
      twin.integrate();
      ASSERT_EQ(asked.stateHash(), twin.stateHash()) << name << i;
    }
    EXPECT_GT(touched, 50) << name;
    EXPECT_LT(worst, 1e-12) << name;
  }
}

// In lanes: whoever shares a register with the world whose callback throws has not moved either.
TEST(CallbackInLanes, AThrowLeavesEveryWorldWhereItWas) {
  std::vector<std::unique_ptr<World>> owned;
  std::vector<World*> worlds;
  std::vector<WorldData*> all;
  for (int i = 0; i < 3; ++i) {
    owned.push_back(std::make_unique<World>());
    owned.back()->addGround();
    addRobot(*owned.back(), "strider", 100, 2, {0, 0, 1e-3 * i});
    worlds.push_back(owned.back().get());
    all.push_back(&dataOf(*worlds.back()));
  }
  LaneSteps lanes(all);
  for (int i = 0; i < 100; ++i) lanes.integrate(3);
  std::vector<State> before;
  for (const World* world : worlds) before.push_back(world->getState());
  worlds[1]->setContactCallback([&](const Contact&, MaterialPair& pair) {
    pair.friction = nan;
    return true;
  });
  EXPECT_THROW(lanes.integrate(3), std::invalid_argument);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(worlds[i]->getState(), before[i]) << i;
  worlds[1]->setContactCallback({});
  lanes.integrate(3);
  for (const World* world : worlds) EXPECT_EQ(world->report().flags, 0u);
}

}  // namespace
}  // namespace espalier::testing

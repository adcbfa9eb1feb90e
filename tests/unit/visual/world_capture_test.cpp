// The scene and the frames of a World: what they say against what the World's own queries say, and
// that nobody notices that they are taken.

#include "espalier/visual/world_capture.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "espalier/world/world.h"
#include "tests/support/counted_heap.h"
#include "tests/support/world_scenes.h"
#include "tests/unit/visual/scene_check.h"

namespace espalier::testing {
namespace {

using nlohmann::json;

/// A strider on crates, a ball, a pendulum's arm: contacts, limits, single bodies.
void fill(World& world) {
  world.setEnergyMonitoring(true);
  world.addGround();
  addRobot(world, "strider", 100, 2, {0, 0, 0.05});
  addRobot(world, "arm7", 0, 0, {-3, 0, 0});
  world.addSphere(0.1, 1)->setPosition(1, 0, 0.1);
  world.addBox(0.2, 0.3, 0.4, 2)->setPosition(2, 0, 0.5);
}

int channelOf(const json& scene, const std::string& name) {
  const auto& channels = scene.at("channels");
  for (std::size_t i = 0; i < channels.size(); ++i)
    if (channels[i].at("name") == name) return static_cast<int>(i);
  ADD_FAILURE() << "no channel " << name;
  return 0;
}

Eigen::Vector3f positionIn(const Frame& frame, int body) {
  return Eigen::Map<const Eigen::Vector3f>(frame.poses.data() + 7 * body);
}
Eigen::Matrix3f rotationIn(const Frame& frame, int body) {
  const float* p = frame.poses.data() + 7 * body + 3;
  return Eigen::Quaternionf(p[0], p[1], p[2], p[3]).toRotationMatrix();
}

TEST(WorldCapture, PosesAreThoseOfTheWorldsQueries) {
  World world;
  fill(world);
  WorldCapture capture(world);
  EXPECT_TRUE(capture.update());
  for (int i = 0; i < 300; ++i) world.integrate();
  Frame frame;
  capture.capture(frame);
  EXPECT_EQ(frame.time, world.getWorldTime());
  checkScene(capture.description(), frame);

  const json scene = json::parse(capture.description().json);
  for (int i = 0; i < world.objectCount(); ++i) {
    const json& object = scene["objects"][static_cast<std::size_t>(i)];
    EXPECT_EQ(object["name"], world.getObject(i)->getName());
    const int first = object["bodies"][0];
    if (auto* robot = dynamic_cast<ArticulatedSystem*>(world.getObject(i))) {
      const std::vector<std::string> names = robot->getBodyNames();
      for (int b = 0; b < robot->model().nb(); ++b) {
        Eigen::Matrix3d R;
        Eigen::Vector3d p;
        robot->getBodyPose(b, R, p);
        EXPECT_LT((positionIn(frame, first + b).cast<double>() - p).norm(), 1e-6) << names[b];
        EXPECT_LT((rotationIn(frame, first + b).cast<double>() - R).norm(), 1e-6) << names[b];
        EXPECT_EQ(scene["bodies"][static_cast<std::size_t>(first + b)]["name"],
                  robot->model().bodies[static_cast<std::size_t>(b)].name);
      }
      const Eigen::VectorXd q = robot->getGeneralizedCoordinate();
      const Eigen::VectorXd u = robot->getGeneralizedVelocity();
      const Eigen::VectorXd tau = robot->getAppliedGeneralizedForce();
      for (const std::string& joint : robot->getMovableJointNames()) {
        if (joint == robot->getMovableJointNames().front()) continue;  // the base
        const int at = robot->getGeneralizedVelocityIndex(joint);
        const std::string prefix = robot->getName() + "/";
        const auto value = [&](const char* group) {
          return frame
              .channels[static_cast<std::size_t>(channelOf(scene, prefix + group + "/" + joint))];
        };
        EXPECT_FLOAT_EQ(value("q"), q[robot->getGeneralizedCoordinateIndex(joint)]);
        EXPECT_FLOAT_EQ(value("u"), u[at]);
        EXPECT_FLOAT_EQ(value("torque"), tau[at]);
      }
    } else {
      const auto& body = dynamic_cast<SingleBodyObject&>(*world.getObject(i));
      EXPECT_LT((positionIn(frame, first).cast<double>() - body.getPosition()).norm(), 1e-6);
      EXPECT_LT((rotationIn(frame, first).cast<double>() - body.getRotationMatrix()).norm(), 1e-6);
    }
  }
}

TEST(WorldCapture, FramesOfFixedJointsAreWhereTheirQueriesSay) {
  World world;
  ArticulatedSystem* robot = addRobot(world, "strider", 100, 2);
  WorldCapture capture(world);
  capture.update();
  for (int i = 0; i < 50; ++i) world.integrate();
  Frame frame;
  capture.capture(frame);
  const json scene = json::parse(capture.description().json);
  int count = 0;
  for (std::size_t b = 0; b < scene["bodies"].size(); ++b)
    for (const json& f : scene["bodies"][b]["frames"]) {
      const std::vector<double> x = f["pose"];
      const Eigen::Vector3d inBody(x[0], x[1], x[2]);
      const Eigen::Vector3d at = positionIn(frame, int(b)).cast<double>() +
                                 rotationIn(frame, int(b)).cast<double>() * inBody;
      const std::string name = f["name"];
      EXPECT_LT((at - robot->getFramePosition(name).e()).norm(), 1e-6) << name;
      ++count;
    }
  EXPECT_GE(count, 4);  // the tips of its feet
}

TEST(WorldCapture, NoBitOfARunChanges) {
  World watched, alone;
  fill(watched);
  fill(alone);
  WorldCapture capture(watched);
  Frame frame;
  for (int i = 0; i < 500; ++i) {
    capture.update();
    capture.capture(frame);
    watched.integrate();
    alone.integrate();
    ASSERT_EQ(watched.stateHash(), alone.stateHash()) << "after step " << i;
  }
  EXPECT_EQ(watched.saveCheckpoint(), alone.saveCheckpoint());
}

TEST(WorldCapture, NothingIsAllocatedAfterTheFirstFrames) {
  World world;
  fill(world);
  for (int i = 0; i < 300; ++i) world.integrate();  // as many contacts as there will be
  WorldCapture capture(world);
  Frame frame;
  const auto push = [&] {
    world.getObject(3)->getName();
    dynamic_cast<Sphere*>(world.getObject(3))->setExternalForce(Eigen::Vector3d(0.1, 0, 0));
  };
  for (int i = 0; i < 3; ++i) {
    push();
    world.integrate();
    capture.update();
    capture.capture(frame);
  }
  const long before = allocations;
  for (int i = 0; i < 100; ++i) {
    push();
    world.integrate();
    EXPECT_FALSE(capture.update());
    capture.capture(frame);
  }
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(frame.pushes.size(), 1u);
}

TEST(WorldCapture, ForcesOfContactsAreInNewtons) {
  World world;
  world.addGround();
  Sphere* ball = world.addSphere(0.1, 2);
  ball->setPosition(0.3, 0.2, 0.1);
  WorldCapture capture(world);
  capture.update();
  for (int i = 0; i < 200; ++i) world.integrate();
  Frame frame;
  capture.capture(frame);
  ASSERT_EQ(frame.contacts.size(), 1u);
  const ContactMark& c = frame.contacts[0];
  const float sign = c.bodyA == 1 ? 1 : -1;
  EXPECT_EQ(c.bodyA + c.bodyB, 1);
  EXPECT_NEAR(sign * c.force[2], 2 * gravity, 1e-6);
  EXPECT_NEAR(sign * c.normal[2], 1, 1e-6);
  EXPECT_NEAR(c.position[0], 0.3, 1e-6);
  EXPECT_NEAR(c.position[2], 0, 1e-5);
  const json scene = json::parse(capture.description().json);
  const int channel = channelOf(scene, ball->getName() + "/contact");
  EXPECT_NEAR(frame.channels[static_cast<std::size_t>(channel)], 2 * gravity, 1e-5);
}

TEST(WorldCapture, ExternalForcesOfTheLastStepAreShownWhereTheyActed) {
  World world;
  ArticulatedSystem* arm = addRobot(world, "arm7", 0, 0);
  Box* box = world.addBox(0.2, 0.2, 0.2, 1);
  WorldCapture capture(world);
  Frame frame;
  capture.update();
  const int body = arm->model().nb() - 1;
  arm->setExternalForce(body, Vec<3>(0.1, 0.2, 0.3), Vec<3>(1, 2, 3));
  box->setExternalForce(Eigen::Vector3d(0, 0, 5), Eigen::Vector3d(0.1, 0, 0));
  capture.capture(frame);
  EXPECT_TRUE(frame.pushes.empty());  // it has not acted yet
  world.integrate();
  capture.capture(frame);
  ASSERT_EQ(frame.pushes.size(), 2u);
  Eigen::Vector3d point;
  arm->getPosition(body, Vec<3>(0.1, 0.2, 0.3), point);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(frame.pushes[0].point[i], point[i], 1e-6);
    EXPECT_EQ(frame.pushes[0].force[i], static_cast<float>(i + 1));
  }
  EXPECT_EQ(frame.pushes[0].body, body);
  EXPECT_EQ(frame.pushes[1].body, arm->model().nb());
  const Eigen::Vector3d corner =
      box->getPosition() + box->getRotationMatrix() * Eigen::Vector3d(0.1, 0, 0);
  EXPECT_NEAR(frame.pushes[1].point[0], corner.x(), 1e-6);
  EXPECT_EQ(frame.pushes[1].force[2], 5);
  world.integrate();
  capture.capture(frame);
  EXPECT_TRUE(frame.pushes.empty());
}

TEST(WorldCapture, WhatChangesMakesANewDescription) {
  World world;
  world.addGround();
  ArticulatedSystem* robot = addRobot(world, "strider", 100, 2);
  Sphere* ball = world.addSphere(0.1, 1);
  WorldCapture capture(world);
  std::uint32_t version = 0;
  const auto expectNew = [&](const char* what) {
    EXPECT_TRUE(capture.update()) << what;
    EXPECT_EQ(capture.description().version, ++version) << what;
    EXPECT_FALSE(capture.update()) << what;
    Frame frame;
    capture.capture(frame);
    checkScene(capture.description(), frame);
  };
  const auto scene = [&] { return json::parse(capture.description().json); };
  expectNew("the first");
  world.integrate();
  EXPECT_FALSE(capture.update());
  ball->setAppearance("1 0 0 1");
  expectNew("a colour");
  EXPECT_EQ(scene()["bodies"].back()["visuals"][0]["color"], json({1, 0, 0, 1}));
  ball->setName("red");
  expectNew("a name");
  EXPECT_EQ(scene()["objects"][2]["name"], "red");
  ASSERT_FALSE(robot->getVisOb().empty());
  robot->getVisOb()[0].color = Vec<4>(0, 1, 0, 1);
  expectNew("a visual");
  robot->getMass()[0] += 1;
  robot->updateMassInfo();
  expectNew("a mass");
  EXPECT_NEAR(scene()["bodies"][1]["mass"], robot->getMass(0), 1e-12);
  world.saveKeyframe("home");
  expectNew("a keyframe");
  EXPECT_EQ(world.getKeyframeNames(), std::vector<std::string>{"home"});
  EXPECT_FALSE(world.getEnergyMonitoring());
  world.setEnergyMonitoring(true);
  EXPECT_TRUE(world.getEnergyMonitoring());
  expectNew("energy");
  EXPECT_EQ(scene()["keyframes"], json({"home"}));
  ball->setBodyType(BodyType::STATIC);
  expectNew("a body that stands still");
  EXPECT_EQ(scene()["objects"][2]["kind"], "static");
  world.removeObject(ball);
  expectNew("one less");
  world.addBox(1, 1, 1, 1);
  expectNew("one more");
  world.setGravity(Vec<3>(0, 0, -1));
  expectNew("gravity");
}

TEST(WorldCapture, PlacesAreThoseOfTheObjects) {
  World first, second;
  fill(first);
  ArticulatedSystem* geared = second.addArticulatedSystem(modelFile("revolute_with_rotor"));
  WorldCapture capture({&first, &second});
  capture.update();
  const json scene = json::parse(capture.description().json);
  EXPECT_EQ(scene["worlds"], 2);
  int place = 0;
  for (const json& object : scene["objects"]) {
    World& world = object["world"] == 0 ? first : second;
    Object* expected = world.getObject(object["name"].get<std::string>());
    EXPECT_EQ(capture.placeOf(*expected), place);
    for (int b = 0; b < object["bodies"][1]; ++b, ++place) {
      const auto found = capture.bodyAt(place);
      ASSERT_TRUE(found);
      EXPECT_EQ(found->world, &world);
      EXPECT_EQ(found->object, expected);
      const json& body = scene["bodies"][static_cast<std::size_t>(place)];
      EXPECT_EQ(found->body, body["rotor"] ? int(body["parent"]) - capture.placeOf(*expected) : b);
    }
  }
  EXPECT_EQ(geared->model().rotors.size(), 1u);  // one of them was a rotor
  EXPECT_FALSE(capture.bodyAt(place));
  EXPECT_FALSE(capture.bodyAt(-1));
  World third;
  EXPECT_EQ(capture.placeOf(*third.addGround()), -1);
}

TEST(WorldCapture, ACaptureWithoutADescriptionIsRefused) {
  World world;
  const WorldCapture capture(world);
  Frame frame;
  EXPECT_THROW(capture.capture(frame), std::invalid_argument);
  EXPECT_THROW(WorldCapture(std::vector<World*>{}), std::invalid_argument);
  EXPECT_THROW(WorldCapture(std::vector<World*>{nullptr}), std::invalid_argument);
}

}  // namespace
}  // namespace espalier::testing

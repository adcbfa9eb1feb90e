// The scene and the frames of a World: what they say against what the World's own queries say, and
// that nobody notices that they are taken.

#include "espalier/visual/world_capture.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "espalier/world/world.h"
#include "tests/support/counted_heap.h"
#include "tests/support/world_scenes.h"
#include "tests/support/wrapped_drum.h"
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
    const json& object = scene["objects"][i];
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
        EXPECT_EQ(scene["bodies"][first + b]["name"], robot->model().bodies[b].name);
      }
      const Eigen::VectorXd q = robot->getGeneralizedCoordinate();
      const Eigen::VectorXd u = robot->getGeneralizedVelocity();
      const Eigen::VectorXd tau = robot->getAppliedGeneralizedForce();
      for (const std::string& joint : robot->getMovableJointNames()) {
        if (joint == robot->getMovableJointNames().front()) continue;  // the base
        const int at = robot->getGeneralizedVelocityIndex(joint);
        const std::string prefix = robot->getName() + "/";
        const auto value = [&](const char* group) {
          return frame.channels[channelOf(scene, prefix + group + "/" + joint)];
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
  EXPECT_NEAR(frame.channels[channel], 2 * gravity, 1e-5);
}

/// The segments of a tendon, added up, are as long as the robot says, but for the arc whose chord is
/// drawn; they begin and end where the file says, and meet.
TEST(WorldCapture, TendonsRunFromPointToPoint) {
  for (const bool isCylinder : {true, false}) {
    World world;
    ArticulatedSystem* robot = world.addArticulatedSystem(wrappedDrum(isCylinder));
    robot->setGeneralizedCoordinate(startOfDrum(*robot));
    WorldCapture capture(world);
    capture.update();
    Frame frame;
    capture.capture(frame);
    checkScene(capture.description(), frame);
    const json scene = json::parse(capture.description().json);
    const auto pointOf = [&](const json& end) -> Eigen::Vector3d {
      if (end.contains("channel"))
        return Eigen::Map<const Eigen::Vector3f>(frame.channels.data() + int(end["channel"]))
            .cast<double>();
      const std::vector<double> x = end["point"];
      const Eigen::Vector3d local(x[0], x[1], x[2]);
      const int body = end["body"];
      if (body < 0) return local;
      return (positionIn(frame, body) + rotationIn(frame, body) * local.cast<float>())
          .cast<double>();
    };
    ASSERT_EQ(scene["tendons"].size(), 2u);
    const Eigen::VectorXd lengths = robot->getTendonLength();
    for (int t = 0; t < 2; ++t) {
      const json& tendon = scene["tendons"][t];
      EXPECT_EQ(tendon["name"], t == 0 ? "rope" : "straight");
      EXPECT_FLOAT_EQ(frame.channels[tendon["channel"].get<std::size_t>()], lengths[t]);
      double sum = 0;
      for (const json& s : tendon["segments"]) sum += (pointOf(s[0]) - pointOf(s[1])).norm();
      if (t == 1) {
        EXPECT_NEAR(sum, lengths[1], 1e-6);
        continue;
      }
      ASSERT_EQ(tendon["segments"].size(), 3u);
      const Eigen::Vector3d first = pointOf(tendon["segments"][2][0]),
                            second = pointOf(tendon["segments"][2][1]);
      EXPECT_LT((pointOf(tendon["segments"][0][1]) - first).norm(), 1e-9);
      EXPECT_LT((pointOf(tendon["segments"][1][0]) - second).norm(), 1e-9);
      EXPECT_GT((first - second).norm(), 1e-3);  // it does go round
      EXPECT_LT((pointOf(tendon["segments"][0][0]) - Eigen::Vector3d(-0.4, 0.2, 0.5)).norm(), 1e-6);
      EXPECT_LT(sum, lengths[0]);
      // An arc of chord c of a circle of radius r is 2 r asin(c / 2 r) long.
      const double chord = (first - second).norm(), r = 0.15;
      if (!isCylinder) {  // a helix otherwise
        EXPECT_NEAR(sum - chord + 2 * r * std::asin(chord / (2 * r)), lengths[0], 1e-5);
      }
    }
  }
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

TEST(WorldCapture, RaysBetweenTwoStepsAreShownAfterTheSecond) {
  World world;
  Object* ground = world.addGround();
  Sphere* ball = world.addSphere(0.5, 1);
  ball->setPosition(2, 0, 0.5);
  WorldCapture capture(world);
  Frame frame;
  capture.update();
  world.rayTest({2, 0, 5}, {0, 0, -2}, 10);
  world.rayTest({0, 0, 5}, {0, 0, -1}, 10, true);
  world.rayTest({0, 0, 5}, {0, 0, 2}, 3);
  world.rayTest({0, 0, 5}, {0, 0, 1}, INFINITY);
  capture.capture(frame);
  EXPECT_TRUE(frame.rays.empty());
  world.integrate();
  capture.capture(frame);
  const RayMark expected[] = {{{2, 0, 5}, {2, 0, 1}, capture.placeOf(*ball)},
                              {{0, 0, 5}, {0, 0, 0}, capture.placeOf(*ground)},
                              {{0, 0, 5}, {0, 0, 8}, -1},
                              {{0, 0, 5}, {0, 0, 1005}, -1}};
  ASSERT_EQ(frame.rays.size(), 4u);
  for (std::size_t r = 0; r < 4; ++r) {
    EXPECT_EQ(frame.rays[r].body, expected[r].body) << r;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(frame.rays[r].start[i], expected[r].start[i]) << r;
      EXPECT_NEAR(frame.rays[r].end[i], expected[r].end[i], 1e-4) << r;
    }
  }
  for (std::size_t i = 0; i < 2 * most_noted_rays; ++i) world.rayTest({0, 0, 5}, {0, 0, -1}, 10);
  world.integrate();
  EXPECT_EQ(world.raysOfLastStep().size(), most_noted_rays);
  world.integrate();
  capture.capture(frame);
  EXPECT_TRUE(frame.rays.empty());
}

TEST(WorldCapture, ChangesMakeANewDescription) {
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
  Frame frame;
  capture.capture(frame);
  checkScene(capture.description(), frame);
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
      const json& body = scene["bodies"][place];
      EXPECT_EQ(found->body, body["rotor"] ? int(body["parent"]) - capture.placeOf(*expected) : b);
    }
  }
  EXPECT_EQ(geared->model().rotors.size(), 1u);  // one of them was a rotor
  EXPECT_FALSE(capture.bodyAt(place));
  EXPECT_FALSE(capture.bodyAt(-1));
  World third;
  EXPECT_EQ(capture.placeOf(*third.addGround()), -1);
}

/// A rotor turns alike whether it is a body or not.
TEST(WorldCapture, RotorsTurnAsBodiesOfTheirOwn) {
  for (const char* name : {"revolute_with_rotor", "geared_strider"}) {
    World world;
    SystemSpec spec = modelSpec(name);
    ArticulatedSystem* lean = world.addArticulatedSystem(spec);
    spec.rotorsAsBodies = true;
    ArticulatedSystem* full = world.addArticulatedSystem(spec);
    ASSERT_FALSE(lean->model().rotors.empty());
    ASSERT_TRUE(full->model().rotors.empty());
    Eigen::VectorXd q = lean->getGeneralizedCoordinate();
    const Eigen::Index base = lean->model().topology.floating ? 7 : 0;
    for (Eigen::Index i = base; i < q.size(); ++i) q[i] += 0.1 + 0.01 * static_cast<double>(i);
    lean->setGeneralizedCoordinate(q);
    full->setGeneralizedCoordinate(q);
    WorldCapture capture(world);
    capture.update();
    Frame frame;
    capture.capture(frame);
    checkScene(capture.description(), frame);
    const json scene = json::parse(capture.description().json);
    const auto find = [&](int object, const std::string& body) {
      const auto& range = scene["objects"][object]["bodies"];
      for (int b = range[0]; b < int(range[0]) + int(range[1]); ++b)
        if (scene["bodies"][b]["name"] == body) return b;
      ADD_FAILURE() << "no body " << body;
      return 0;
    };
    for (const RotorInfo& rotor : lean->model().rotors) {
      const int a = find(0, rotor.name), b = find(1, rotor.name);
      for (const int body : {a, b}) {
        EXPECT_TRUE(scene["bodies"][body]["rotor"]) << rotor.name;
      }
      EXPECT_LT((positionIn(frame, a) - positionIn(frame, b)).norm(), 1e-5) << rotor.name;
      EXPECT_LT((rotationIn(frame, a) - rotationIn(frame, b)).norm(), 1e-5) << rotor.name;
      const auto& drawn = scene["bodies"][a]["visuals"];
      EXPECT_EQ(drawn, scene["bodies"][b]["visuals"]) << rotor.name;
      const int channel = scene["bodies"][a]["joint"]["q"];
      const Eigen::VectorXd angles = lean->getRotorCoordinate();
      EXPECT_FLOAT_EQ(frame.channels[channel], angles[&rotor - lean->model().rotors.data()]);
    }
    for (const json& body : scene["bodies"])
      EXPECT_EQ(body["rotor"], std::string(body["name"]).find("rotor") != std::string::npos)
          << body["name"];
  }
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

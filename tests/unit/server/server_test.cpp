#include "espalier/server/server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <thread>

#include "espalier/robot/single_body.h"
#include "tests/support/source_folder.h"
#include "tests/unit/server/spectator.h"

namespace espalier {
namespace {

using nlohmann::json;
using testing::Spectator;

const std::string own_models = sourceFolder() + "/models/";
const json pause = {{"type", "pause"}, {"on", true}}, play = {{"type", "pause"}, {"on", false}};

HttpServerOptions anyPort() {
  HttpServerOptions options;
  options.port = 0;
  return options;
}

/// A quadruped that stands and a ball, shown by a server.
class ServerTest : public ::testing::Test {
 protected:
  ServerTest() : server(&world) {
    world.addGround();
    robot = world.addArticulatedSystem(own_models + "strider/strider.urdf");
    lift();
    ball = world.addSphere(0.1, 2);
    ball->setPosition(2, 0, 0.5);
    server.launchServer(anyPort());
  }
  /// Puts the robot onto its feet; a world that is reset has its base in the ground.
  void lift() {
    Eigen::VectorXd q = robot->getGeneralizedCoordinate();
    q[2] = 1;
    robot->setGeneralizedCoordinate(q);
  }
  void step() { server.integrateUnlessPaused(0); }
  template <class Condition>
  bool stepUntil(Spectator& spectator, const Condition& condition) {
    return spectator.until(condition, [this] { step(); });
  }
  /// The place of an object's body in a scene.
  static int placeOf(const json& scene, const std::string& object, int body = 0) {
    for (const json& o : scene["objects"])
      if (o["name"] == object) return o["bodies"][0].get<int>() + body;
    ADD_FAILURE() << "no " << object;
    return -1;
  }
  int ballPlace(Spectator& spectator) const {
    return placeOf(spectator.last["scene"], ball->getName());
  }

  World world;
  ArticulatedSystem* robot = nullptr;
  Sphere* ball = nullptr;
  Server server;
};

/// A loop that holds the world only for its steps: waiting ends when the step is due, and by a command.
TEST_F(ServerTest, WaitsForItsTurnWithoutTheWorlds) {
  using Clock = std::chrono::steady_clock;
  const auto secondsSince = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  server.setSpeed(1);
  const double start = world.getWorldTime();
  Clock::time_point begin = Clock::now();
  while (world.getWorldTime() < start + 0.2)
    if (!server.integrateUnlessPaused(0)) server.waitForTurn(10);
  EXPECT_GE(secondsSince(begin), 0.15);
  EXPECT_LT(secondsSince(begin), 5);

  server.setPaused(true);
  server.waitForTurn(0);  // setPaused() wakes whoever waits
  begin = Clock::now();
  EXPECT_FALSE(server.integrateUnlessPaused(0));
  server.waitForTurn(0.1);
  EXPECT_GE(secondsSince(begin), 0.09);
  Spectator spectator(server.port());
  spectator.send(play);
  begin = Clock::now();
  while (!server.integrateUnlessPaused(0) && secondsSince(begin) < 10) server.waitForTurn(10);
  EXPECT_LT(secondsSince(begin), 5);
}

TEST_F(ServerTest, SceneComesBeforeFramesAndTheyMatchTheWorld) {
  Spectator spectator(server.port());
  ASSERT_TRUE(stepUntil(spectator, [&] { return spectator.frames > 3; }));
  ASSERT_GE(spectator.kinds.size(), 3u);
  EXPECT_EQ(spectator.kinds[0], "hello");
  EXPECT_EQ(spectator.kinds[1], "scene");
  EXPECT_EQ(spectator.last["hello"]["protocol"], 1);
  const json& scene = spectator.last["scene"];
  const json& status = spectator.last["status"];
  EXPECT_EQ(status["paused"], false);
  EXPECT_EQ(status["canReload"], false);
  EXPECT_EQ(status["spectators"], 1);

  spectator.send(pause);
  ASSERT_TRUE(stepUntil(spectator, [&] { return spectator.last["status"]["paused"] == true; }));
  ASSERT_TRUE(stepUntil(spectator, [&] { return spectator.frame->time == world.getWorldTime(); }));
  ASSERT_EQ(spectator.frame->version, scene["version"].get<std::uint32_t>());
  const int first = placeOf(scene, robot->getName());
  for (int b = 0; b < robot->model().nb(); ++b) {
    const Transformd X = robot->getBodyPose(b);
    const float* pose = spectator.frame->poses.data() + 7 * (first + b);
    EXPECT_NEAR(pose[0], X.p.x, 1e-6);
    EXPECT_NEAR(pose[1], X.p.y, 1e-6);
    EXPECT_NEAR(pose[2], X.p.z, 1e-6);
  }
}

TEST_F(ServerTest, PauseStopsAndStepsAreCounted) {
  Spectator spectator(server.port());
  spectator.send(pause);
  ASSERT_TRUE(stepUntil(spectator, [&] { return server.isPaused(); }));
  const double stopped = world.getWorldTime();
  for (int i = 0; i < 50; ++i) EXPECT_FALSE(server.integrateUnlessPaused(0.001));
  EXPECT_EQ(world.getWorldTime(), stopped);
  spectator.send({{"type", "step"}, {"count", 3}});  // both may wait when the world is asked
  spectator.send({{"type", "step"}, {"count", 4}});
  const double wanted = stopped + 7 * world.getTimeStep();
  EXPECT_TRUE(stepUntil(spectator, [&] { return world.getWorldTime() > wanted - 1e-9; }));
  for (int i = 0; i < 50; ++i) step();
  EXPECT_NEAR(world.getWorldTime(), wanted, 1e-9);
  EXPECT_TRUE(stepUntil(spectator, [&] {
    return spectator.frame && std::abs(spectator.frame->time - wanted) < 1e-9;
  }));
  spectator.send(play);
  EXPECT_TRUE(stepUntil(spectator, [&] { return world.getWorldTime() > wanted + 0.01; }));
  spectator.send({{"type", "step"}, {"count", 1}});
  EXPECT_TRUE(stepUntil(spectator, [&] { return spectator.last.count("error") > 0; }));
}

TEST_F(ServerTest, DragIsAForceOfTheSpring) {
  world.setGravity(Vec<3>(0, 0, 0));
  Spectator spectator(server.port());
  spectator.send(pause);
  ASSERT_TRUE(stepUntil(spectator, [&] { return server.isPaused() && spectator.frame; }));
  world.reset();
  lift();
  ball->setPosition(2, 0, 0.5);
  spectator.send({{"type", "drag"},
                  {"body", ballPlace(spectator)},
                  {"point", {0, 0, 0}},
                  {"target", {2, 0, 1.5}}});
  spectator.send({{"type", "step"}, {"count", 1}});
  ASSERT_TRUE(stepUntil(spectator, [&] { return ball->getLinearVelocity().z() > 0; }));
  // k = m (10 rad/s)^2 at a stretch of 1 m, but no more than 100 m/s^2 of the mass.
  const double dt = world.getTimeStep(), force = 2 * 100 * 1;
  EXPECT_NEAR(ball->getLinearVelocity().z(), force / 2 * dt, 1e-9);
  ASSERT_TRUE(stepUntil(spectator, [&] { return !spectator.frame->pushes.empty(); }));
  const PushMark& push = spectator.frame->pushes[0];
  EXPECT_EQ(push.body, ballPlace(spectator));
  EXPECT_NEAR(push.force[2], force, 1e-4);
  spectator.send(play);
  ASSERT_TRUE(stepUntil(spectator, [&] { return std::abs(ball->getPosition().z() - 1.5) < 0.01; }));
  spectator.send({{"type", "release"}});
  ASSERT_TRUE(stepUntil(spectator, [&] { return spectator.frame->pushes.empty(); }));
}

TEST_F(ServerTest, DragIsReleasedWhenItsClientGoes) {
  world.setGravity(Vec<3>(0, 0, 0));
  {
    Spectator spectator(server.port());
    ASSERT_TRUE(stepUntil(spectator, [&] { return spectator.last.count("scene") > 0; }));
    spectator.send({{"type", "drag"},
                    {"body", ballPlace(spectator)},
                    {"point", {0, 0, 0}},
                    {"target", {2, 0, 100}}});
    ASSERT_TRUE(stepUntil(spectator, [&] { return ball->getLinearVelocity().z() > 0; }));
  }
  Spectator other(server.port());
  ASSERT_TRUE(stepUntil(other, [&] { return other.frame && other.frame->pushes.empty(); }));
}

TEST_F(ServerTest, DraggedObjectMayBeRemoved) {
  Spectator spectator(server.port());
  ASSERT_TRUE(stepUntil(spectator, [&] { return spectator.last.count("scene") > 0; }));
  const int place = ballPlace(spectator);
  const json drag = {
      {"type", "drag"}, {"body", place}, {"point", {0, 0, 0}}, {"target", {2, 0, 3}}};
  spectator.send(drag);
  ASSERT_TRUE(stepUntil(spectator, [&] { return ball->getLinearVelocity().z() > 0.1; }));
  // No frame has shown it yet.
  world.removeObject(ball);
  spectator.send(drag);
  EXPECT_TRUE(stepUntil(spectator, [&] { return spectator.last.count("error") > 0; }));
  EXPECT_TRUE(stepUntil(spectator, [&] { return spectator.last["scene"]["version"] == 2; }));
}

TEST_F(ServerTest, UnlockingShowsChanges) {
  Spectator spectator(server.port());
  ASSERT_TRUE(stepUntil(spectator, [&] { return spectator.last.count("scene") > 0; }));
  server.lockVisualizationServerMutex();
  world.addBox(1, 1, 1, 1);
  server.unlockVisualizationServerMutex();
  EXPECT_TRUE(spectator.until([&] { return spectator.last["scene"]["version"] == 2; },
                              [&] {
                                server.lockVisualizationServerMutex();
                                server.unlockVisualizationServerMutex();
                              }));
}

TEST_F(ServerTest, TheProgramsDrawingsAreShown) {
  server.addVisualSphere("mark", 0.1)->setPosition(1, 2, 3);
  server.addVisualPolyLine("path")->addPoint({0, 0, 0});
  TimeSeriesGraph* graph = server.addTimeSeriesGraph("height", {"z"}, "s", "m");
  Spectator spectator(server.port());
  ASSERT_TRUE(stepUntil(spectator, [&] {
    graph->addDataPoints(world.getWorldTime(), Eigen::VectorXd::Constant(1, 0.5));
    return spectator.last.count("graphData") > 0 && spectator.last.count("overlay") > 0;
  }));
  EXPECT_EQ(spectator.last["graphs"]["graphs"][0]["title"], "height");
  EXPECT_EQ(spectator.last["graphData"]["values"][0], 0.5);
  EXPECT_EQ(spectator.last["overlay"]["polylines"][0]["name"], "path");
  EXPECT_TRUE(stepUntil(
      spectator, [&] { return spectator.last["scene"].dump().find("mark") != std::string::npos; }));
}

TEST_F(ServerTest, SliderMovesAJoint) {
  Spectator spectator(server.port());
  spectator.send(pause);
  ASSERT_TRUE(
      stepUntil(spectator, [&] { return server.isPaused() && spectator.last.count("scene") > 0; }));
  const json& scene = spectator.last["scene"];
  int knee = -1;
  for (std::size_t i = 0; i < scene["bodies"].size(); ++i)
    if (const json& joint = scene["bodies"][i]["joint"];
        !joint.is_null() && joint["kind"] == "revolute")
      knee = static_cast<int>(i);
  ASSERT_GE(knee, 0);
  spectator.send({{"type", "joint"}, {"body", knee}, {"value", 0.31}});
  const int channel = scene["bodies"][knee]["joint"]["q"];
  EXPECT_TRUE(stepUntil(spectator, [&] {
    return spectator.frame && std::abs(spectator.frame->channels[channel] - 0.31) < 1e-6;
  }));
  EXPECT_EQ(robot->getGeneralizedVelocity().norm(), 0);
  spectator.send({{"type", "joint"}, {"body", ballPlace(spectator)}, {"value", 0}});
  EXPECT_TRUE(stepUntil(spectator, [&] { return spectator.last.count("error") > 0; }));
}

TEST_F(ServerTest, CommandsThatCannotBeDoneAreAnswered) {
  Spectator spectator(server.port());
  ASSERT_TRUE(stepUntil(spectator, [&] { return spectator.last.count("scene") > 0; }));
  const json ground = {{"type", "drag"},
                       {"body", placeOf(spectator.last["scene"], world.getObject(0)->getName())},
                       {"point", {0, 0, 0}},
                       {"target", {0, 0, 1}}};
  for (const json& bad :
       {json{{"type", "reload"}}, json{{"type", "reset"}, {"keyframe", "nowhere"}},
        json{{"type", "joint"}, {"body", 100000}, {"value", 0}},
        json{{"type", "drag"}, {"body", 100000}, {"point", {0, 0, 0}}, {"target", {0, 0, 0}}},
        ground, json{{"type", "nonsense"}}, json::array({1})}) {
    spectator.last.erase("error");
    spectator.send(bad);
    EXPECT_TRUE(stepUntil(spectator, [&] { return spectator.last.count("error") > 0; })) << bad;
    EXPECT_NE(spectator.last["error"]["what"], "") << bad;
  }
}

TEST_F(ServerTest, ResetAndKeyframes) {
  world.saveKeyframe("start");
  Spectator spectator(server.port());
  for (int i = 0; i < 20; ++i) step();
  world.saveKeyframe("later");
  const std::uint64_t later = world.stateHash();
  for (int i = 0; i < 20; ++i) step();
  spectator.send(pause);
  ASSERT_TRUE(stepUntil(spectator, [&] { return server.isPaused(); }));
  spectator.send({{"type", "reset"}, {"keyframe", "later"}});
  EXPECT_TRUE(stepUntil(spectator, [&] { return world.stateHash() == later; }));
  spectator.send({{"type", "reset"}});
  EXPECT_TRUE(stepUntil(spectator, [&] { return world.getWorldTime() == 0; }));
  EXPECT_TRUE(
      stepUntil(spectator, [&] { return spectator.last["scene"]["keyframes"].size() == 2; }));
  std::optional<std::string> asked;
  server.onReset([&](const std::optional<std::string>& keyframe) { asked = keyframe; });
  spectator.send({{"type", "reset"}, {"keyframe", "own"}});
  EXPECT_TRUE(stepUntil(spectator, [&] { return asked == "own"; }));
}

TEST_F(ServerTest, FlagsOfStepsBetweenFramesAreNotLost) {
  Spectator spectator(server.port());
  ASSERT_TRUE(stepUntil(spectator, [&] { return spectator.frames > 0; }));
  ball->setPosition(2, 0, 0.1);
  Box* box = world.addBox(0.2, 0.2, 0.2, 1);
  box->setPosition(4, 0, 0.0999);
  for (int i = 0; i < 200; ++i) step();
  spectator.drain();
  spectator.flags = 0;
  world.setMaxContacts(1);
  while ((world.report().flags & 1u) == 0) step();
  world.setMaxContacts(1000);
  for (int i = 0; i < 3; ++i) step();
  EXPECT_EQ(world.report().flags & 1u, 0u);
  EXPECT_TRUE(stepUntil(spectator, [&] { return (spectator.flags & 1u) != 0; }));
}

TEST_F(ServerTest, SpectatorsDoNotChangeTheMotion) {
  World twin;
  twin.addGround();
  ArticulatedSystem* other = twin.addArticulatedSystem(own_models + "strider/strider.urdf");
  Eigen::VectorXd q = other->getGeneralizedCoordinate();
  q[2] = 1;
  other->setGeneralizedCoordinate(q);
  twin.addSphere(0.1, 2)->setPosition(2, 0, 0.5);
  Spectator a(server.port()), b(server.port());
  for (int i = 0; i < 500; ++i) {
    step();
    twin.integrate();
    a.take(0);
  }
  EXPECT_EQ(world.stateHash(), twin.stateHash());
  EXPECT_TRUE(stepUntil(a, [&] { return a.last["status"]["spectators"] == 2; }));
  EXPECT_TRUE(server.isConnected());
}

TEST_F(ServerTest, SpeedIsKept) {
  Spectator spectator(server.port());
  spectator.send({{"type", "speed"}, {"factor", 0.5}});
  ASSERT_TRUE(stepUntil(spectator, [&] { return spectator.last["status"]["speed"] == 0.5; }));
  const double from = world.getWorldTime();
  const auto begin = std::chrono::steady_clock::now();
  while (world.getWorldTime() < from + 0.2) server.integrateWorldThreadSafe();
  const double took =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_GE(took, 0.38);
}

TEST_F(ServerTest, KilledServerLetsAWaitingThreadGo) {
  server.setPaused(true);
  std::atomic<bool> isDone = false;
  std::thread stepping([&] {
    server.integrateWorldThreadSafe();
    isDone = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(isDone);
  server.killServer();
  stepping.join();
  EXPECT_TRUE(isDone);
  EXPECT_EQ(server.url(), "");
  server.launchServer(anyPort());
  Spectator spectator(server.port());
  EXPECT_TRUE(stepUntil(spectator, [&] { return spectator.frames > 0; }));
  EXPECT_THROW(server.launchServer(anyPort()), std::invalid_argument);
}

TEST_F(ServerTest, OtherWorldHasALaterVersion) {
  Spectator spectator(server.port());
  ASSERT_TRUE(stepUntil(spectator, [&] { return spectator.frames > 0; }));
  World second;
  second.addSphere(0.2, 1);
  server.setWorld(second);
  EXPECT_TRUE(stepUntil(spectator, [&] {
    return spectator.last["scene"]["version"] == 2 && spectator.frame->version == 2;
  }));
  EXPECT_EQ(spectator.last["scene"]["objects"].size(), 1u);
  EXPECT_EQ(spectator.frame->poses.size(), 7u);
  server.setWorld(world);
}

TEST_F(ServerTest, SeveralWorldsAreSteppedTogether) {
  World second;
  second.addSphere(0.2, 1)->setPosition(0, 0, 5);
  server.setWorlds({&world, &second}, "two");
  Spectator spectator(server.port());
  ASSERT_TRUE(stepUntil(spectator, [&] { return spectator.frames > 0; }));
  EXPECT_EQ(spectator.last["scene"]["worlds"], 2);
  EXPECT_EQ(spectator.last["scene"]["name"], "two");
  EXPECT_NEAR(second.getWorldTime(), world.getWorldTime(), 1e-9);
  server.setWorld(world);
}

TEST_F(ServerTest, FocusSourceAndDiagnosticsAreTold) {
  server.focusOn(ball);
  server.setSource("robot.urdf");
  Diagnostics diagnostics;
  diagnostics.add({Severity::Warning, "robot.urdf", 12, "a link without inertia", "give it one"});
  server.setDiagnostics(diagnostics);
  bool isReloaded = false;
  server.onReload([&] { isReloaded = true; });
  server.setMap("ignored");
  server.setCameraPositionAndLookAt({3, 0, 1}, {0, 0, 0.5});
  EXPECT_THROW(server.setCameraPositionAndLookAt({3, 0, NAN}, {0, 0, 0.5}), std::invalid_argument);
  Spectator spectator(server.port());
  ASSERT_TRUE(stepUntil(spectator, [&] { return spectator.last.count("diagnostics") > 0; }));
  ASSERT_TRUE(stepUntil(spectator, [&] { return spectator.last.count("camera") > 0; }));
  EXPECT_EQ(spectator.last["camera"]["target"][2], 0.5);
  const json& status = spectator.last["status"];
  EXPECT_EQ(status["focus"], ballPlace(spectator));
  EXPECT_EQ(status["source"], "robot.urdf");
  EXPECT_EQ(status["canReload"], true);
  const json& first = spectator.last["diagnostics"]["list"][0];
  EXPECT_EQ(first["severity"], "warning");
  EXPECT_EQ(first["line"], 12);
  spectator.send({{"type", "reload"}});
  EXPECT_TRUE(stepUntil(spectator, [&] { return isReloaded; }));
}

TEST_F(ServerTest, SleepsAndWakes) {
  server.hibernate();
  Spectator spectator(server.port());
  spectator.drain();
  spectator.frames = 0;
  for (int i = 0; i < 100; ++i) step();
  spectator.drain();
  EXPECT_EQ(spectator.frames, 0);
  server.wakeup();
  EXPECT_TRUE(stepUntil(spectator, [&] { return spectator.frames > 0; }));
}

TEST_F(ServerTest, MeshesAreServedByHash) {
  const std::string file = ::testing::TempDir() + "/tetrahedron.obj";
  {
    std::ofstream out(file);
    out << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
  }
  world.addMesh(file, 1);
  Spectator spectator(server.port());
  ASSERT_TRUE(stepUntil(spectator, [&] { return spectator.last["scene"]["version"] == 2; }));
  ASSERT_EQ(spectator.last["scene"]["meshes"].size(), 1u);
  const std::string hash = spectator.last["scene"]["meshes"][0]["hash"];
  const testing::Reply mesh = testing::request(server.port(), "GET", "/mesh/" + hash);
  EXPECT_EQ(mesh.status, 200);
  std::uint32_t sizes[2] = {};
  ASSERT_GE(mesh.body.size(), 16u);
  std::memcpy(sizes, mesh.body.data(), sizeof(sizes));
  EXPECT_EQ(sizes[1], 4u);
  EXPECT_EQ(mesh.body.size(), 16 + 12 * sizes[0] + 12 * sizes[1]);
  EXPECT_EQ(testing::request(server.port(), "GET", "/mesh/0123456789abcdef").status, 404);
  EXPECT_EQ(testing::request(server.port(), "GET", "/mesh/../etc/passwd").status, 404);
  EXPECT_EQ(testing::request(server.port(), "GET", "/").status, 200);
}

TEST_F(ServerTest, DeafSpectatorDoesNotSlowTheSteps) {
  std::vector<std::unique_ptr<Spectator>> deaf;
  for (int i = 0; i < 8; ++i) deaf.push_back(std::make_unique<Spectator>(server.port()));
  const auto begin = std::chrono::steady_clock::now();
  double slowest = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto before = std::chrono::steady_clock::now();
    step();
    const auto after = std::chrono::steady_clock::now();
    slowest = std::max(slowest, std::chrono::duration<double>(after - before).count());
  }
  EXPECT_LT(slowest, 1);
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 30);
}

}  // namespace
}  // namespace espalier

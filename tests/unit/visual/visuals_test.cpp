// What a program draws on top of its world: where it is in the scene, in frames and in the overlay.

#include "espalier/visual/visuals.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "espalier/visual/world_capture.h"
#include "espalier/world/world.h"
#include "tests/support/world_scenes.h"
#include "tests/unit/visual/scene_check.h"

namespace espalier::testing {
namespace {

using nlohmann::json;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A tetrahedron as a file.
std::string meshFile() {
  const auto file = std::filesystem::temp_directory_path() / "espalier_visuals_test.obj";
  std::ofstream(file) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  return file.string();
}

struct Watched {
  World world;
  Visuals visuals;
  WorldCapture capture{world, &visuals};
  Frame frame;

  json scene() {
    capture.update();
    visuals.updateOverlay();
    capture.capture(frame);
    checkScene(capture.description(), frame, overlay());
    return json::parse(capture.description().json);
  }
  json overlay() { return json::parse(visuals.overlay()); }
};

const json& objectOf(const json& scene, const std::string& name) {
  for (const json& object : scene["objects"])
    if (object["name"] == name) return object;
  ADD_FAILURE() << "no object " << name;
  return scene["objects"][0];
}
const json& bodyOf(const json& scene, const std::string& name) {
  return scene["bodies"][objectOf(scene, name)["bodies"][0].get<std::size_t>()];
}

TEST(Visuals, ShapesAreObjectsOfTheSceneThatMoveWithFrames) {
  Watched w;
  w.world.addGround();
  Visual* sphere = w.visuals.addVisualSphere("ball", 0.2, 1, 0, 0, 0.5, "steel");
  w.visuals.addVisualBox("crate", 1, 2, 3);
  w.visuals.addVisualCylinder("post", 0.1, 2);
  w.visuals.addVisualCapsule("pill", 0.1, 0.5);
  w.visuals.addVisualMesh("tetrahedron", meshFile(), 2, 2, 2);
  const json scene = w.scene();
  EXPECT_EQ(objectOf(scene, "ball")["kind"], "visual");
  const json shape = bodyOf(scene, "ball")["visuals"][0];
  EXPECT_EQ(shape["kind"], "sphere");
  EXPECT_EQ(shape["radius"], 0.2);
  EXPECT_EQ(shape["color"], json({1, 0, 0, 0.5}));
  EXPECT_EQ(shape["material"], "steel");
  EXPECT_EQ(bodyOf(scene, "crate")["visuals"][0]["size"], json({1, 2, 3}));
  EXPECT_EQ(bodyOf(scene, "post")["visuals"][0]["height"], 2);
  EXPECT_EQ(bodyOf(scene, "pill")["visuals"][0]["kind"], "capsule");
  EXPECT_EQ(bodyOf(scene, "tetrahedron")["visuals"][0]["kind"], "mesh");
  EXPECT_EQ(scene["meshes"][0]["triangles"], 4);

  sphere->setPosition(1, 2, 3);
  sphere->setOrientation(0, 2, 0, 0);  // made unit
  EXPECT_EQ(sphere->getPosition(), Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(sphere->getOrientation(), Eigen::Vector4d(0, 1, 0, 0));
  EXPECT_FALSE(w.capture.update());  // moving is no news
  w.capture.capture(w.frame);
  const std::size_t body = objectOf(scene, "ball")["bodies"][0];
  EXPECT_EQ(
      std::vector<float>(w.frame.poses.begin() + 7 * body, w.frame.poses.begin() + 7 * body + 7),
      (std::vector<float>{1, 2, 3, 0, 1, 0, 0}));
  EXPECT_FALSE(w.capture.bodyAt(static_cast<int>(body)));  // nothing to pull at
}

TEST(Visuals, AShapeWhoseLooksChangeGoesOverToTheOverlay) {
  Watched w;
  Visual* ball = w.visuals.addVisualSphere("ball", 0.2);
  w.visuals.addVisualBox("crate", 1, 1, 1);
  Visual* mesh = w.visuals.addVisualMesh("mesh", meshFile());
  w.scene();
  EXPECT_EQ(w.overlay()["instances"].size(), 0u);
  EXPECT_FALSE(ball->hasVaryingLook());
  const auto version = w.capture.description().version;
  ball->setSphereSize(0.3);
  mesh->setColor(0, 1, 0, 1);
  json scene = w.scene();
  EXPECT_TRUE(ball->hasVaryingLook());
  EXPECT_EQ(w.capture.description().version, version + 1);
  EXPECT_EQ(scene["objects"].size(), 1u);
  ASSERT_EQ(w.overlay()["instances"].size(), 2u);
  EXPECT_EQ(w.overlay()["instances"][0]["shape"]["radius"], 0.3);
  EXPECT_EQ(w.overlay()["instances"][1]["colors"][0], json({0, 1, 0, 1}));
  EXPECT_EQ(w.overlay()["instances"][1]["shape"]["mesh"], scene["meshes"][0]["hash"]);

  Visual* pill = w.visuals.addVisualCapsule("pill", 0.1, 0.2);
  w.visuals.updateLooks();
  pill->setCapsuleSize(0.1, 0.3);
  EXPECT_FALSE(pill->hasVaryingLook());  // nobody has noticed yet
  w.visuals.updateLooks();
  EXPECT_TRUE(pill->hasVaryingLook());
  w.visuals.removeVisualObject(pill);
  w.scene();

  ball->color[0] = 0.5;
  ball->setPosition(0, 0, 1);
  EXPECT_FALSE(w.capture.update());  // from now on the overlay alone
  EXPECT_TRUE(w.visuals.updateOverlay());
  EXPECT_EQ(w.overlay()["instances"][0]["poses"][0], json({0, 0, 1, 1, 0, 0, 0}));
  EXPECT_EQ(w.overlay()["instances"][0]["colors"][0][0], 0.5);
  EXPECT_FALSE(w.visuals.updateOverlay());
}

TEST(Visuals, LinesArrowsPointsAndTextsAreTheOverlay) {
  Watched w;
  PolyLine* line = w.visuals.addVisualPolyLine("path");
  line->setColor(1, 0, 0, 1);
  line->width = 0.02;
  line->addPoint({0, 0, 1});
  line->points.push_back({1, 0, 1});
  Visual* arrow = w.visuals.addVisualArrow("force", 0.05, 2, 0, 0, 1);
  arrow->setPosition(1, 1, 1);
  arrow->setOrientation(std::sqrt(0.5), 0, std::sqrt(0.5), 0);  // z to x
  PointCloud* cloud = w.visuals.addPointCloud("scan");
  cloud->points = {{1, 2, 3}, {4, 5, 6}};
  TextLabel* text = w.visuals.addVisualText("note", "here");
  text->position = {0, 0, 2};
  const json scene = w.scene();
  EXPECT_EQ(scene["objects"].size(), 0u);
  const json overlay = w.overlay();
  EXPECT_EQ(overlay["type"], "overlay");
  EXPECT_EQ(overlay["version"], 1);
  EXPECT_EQ(overlay["polylines"][0]["points"], json({{0, 0, 1}, {1, 0, 1}}));
  EXPECT_EQ(overlay["polylines"][0]["width"], 4);
  EXPECT_EQ(overlay["arrows"][0]["color"], json({0, 0, 1, 1}));
  EXPECT_NEAR(double(overlay["arrows"][0]["to"][0]), 3, 1e-12);
  EXPECT_NEAR(double(overlay["arrows"][0]["to"][2]), 1, 1e-12);
  EXPECT_EQ(overlay["points"][0]["points"], json({{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(overlay["texts"][0]["text"], "here");

  EXPECT_FALSE(w.visuals.updateOverlay());
  line->clearPoints();
  EXPECT_TRUE(w.visuals.updateOverlay());
  arrow->setCylinderSize(0.05, 1);
  EXPECT_TRUE(w.visuals.updateOverlay());
  EXPECT_NEAR(double(w.overlay()["arrows"][0]["to"][0]), 2, 1e-12);
  text->text = "there";
  EXPECT_TRUE(w.visuals.updateOverlay());
  cloud->size = 1;
  EXPECT_TRUE(w.visuals.updateOverlay());
  EXPECT_EQ(w.overlay()["version"], 5);
  EXPECT_FALSE(w.capture.update());
}

TEST(Visuals, InstancesHaveColoursBetweenTwo) {
  Watched w;
  InstancedVisuals* dots = w.visuals.addInstancedVisuals("dots", ShapeType::Box, {0.1, 0.2, 0.3},
                                                         {1, 0, 0, 1}, {0, 1, 0, 1});
  dots->resize(2);
  dots->setPosition(0, Vec<3>(1, 2, 3));
  dots->setOrientation(1, Vec<4>(0, 0, 0, 2));
  dots->setScale(1, Vec<3>(2, 2, 2));
  dots->setColorWeight(1, 0.25);
  dots->addInstance(Vec<3>(0, 0, 5), 1);
  InstancedVisuals* meshes = w.visuals.addInstancedVisuals("meshes", ShapeType::Mesh, {1, 1, 1},
                                                           {1, 1, 1, 1}, {1, 1, 1, 1}, meshFile());
  meshes->addInstance(Vec<3>(0, 0, 0));
  const json scene = w.scene();
  EXPECT_EQ(scene["meshes"].size(), 1u);
  const json set = w.overlay()["instances"][0];
  EXPECT_EQ(set["shape"]["size"], json({0.1, 0.2, 0.3}));
  EXPECT_EQ(set["poses"],
            json({{1, 2, 3, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 1}, {0, 0, 5, 1, 0, 0, 0}}));
  EXPECT_EQ(set["scales"][1], json({2, 2, 2}));
  EXPECT_EQ(set["colors"], json({{1, 0, 0, 1}, {0.75, 0.25, 0, 1}, {0, 1, 0, 1}}));
  EXPECT_EQ(dots->colorOf(dots->instances()[1]), Vec<4>(0.75, 0.25, 0, 1));
  EXPECT_EQ(w.visuals.instanced().size(), 2u);
  dots->removeInstance(0);
  EXPECT_EQ(dots->count(), 2u);
  dots->setColors({0, 0, 0, 1}, {1, 1, 1, 1});
  EXPECT_TRUE(w.visuals.updateOverlay());
  EXPECT_EQ(w.overlay()["instances"][0]["colors"][0], json({0.25, 0.25, 0.25, 1}));
  dots->clearInstances();
  EXPECT_EQ(dots->count(), 0u);
  EXPECT_EQ(w.visuals.getInstancedVisuals("dots"), dots);
  w.visuals.removeInstancedVisuals("dots");
  w.visuals.removeInstancedVisuals("meshes");
  EXPECT_EQ(w.scene()["meshes"].size(), 0u);
}

TEST(Visuals, AGhostIsWhereItsCoordinatesSay) {
  Watched w;
  ArticulatedSystem* robot = addRobot(w.world, "strider", 100, 2);
  ArticulatedSystemVisual* ghost =
      w.visuals.addVisualArticulatedSystem("plan", modelFile("strider"), 0, 0, 1, 0.5);
  Eigen::VectorXd q = robot->getGeneralizedCoordinate();
  q[0] += 1;
  q.tail(12).array() += 0.1;
  ghost->setGeneralizedCoordinate(q);
  const json scene = w.scene();
  const json& object = objectOf(scene, "plan");
  EXPECT_EQ(object["kind"], "ghost");
  const int first = object["bodies"][0];
  ASSERT_EQ(int(object["bodies"][1]), robot->model().nb());
  World other;
  ArticulatedSystem* same = other.addArticulatedSystem(modelFile("strider"));
  same->setGeneralizedCoordinate(q);
  for (int b = 0; b < robot->model().nb(); ++b) {
    const json& body = scene["bodies"][first + b];
    EXPECT_TRUE(body["joint"].is_null());  // no slider
    for (const json& shape : body["visuals"]) EXPECT_EQ(shape["color"], json({0, 0, 1, 0.5}));
    const Transformd X = same->getBodyPose(b);
    const float* p = w.frame.poses.data() + 7 * (first + b);
    EXPECT_LT(norm(Vec3d{p[0], p[1], p[2]} - X.p), 1e-6);
  }
  EXPECT_FALSE(w.capture.bodyAt(first));
  for (const json& channel : scene["channels"])
    EXPECT_EQ(std::string(channel["name"]).find("plan"), std::string::npos);
  ghost->setColor(1, 0, 0, 1);
  EXPECT_TRUE(w.capture.update());
  EXPECT_EQ(w.visuals.getVisualArticulatedSystem("plan"), ghost);
  w.visuals.removeVisualArticulatedSystem(ghost);
  EXPECT_EQ(w.scene()["objects"].size(), 1u);
}

TEST(Visuals, ChartsGiveTheirSamplesOnce) {
  Visuals visuals;
  TimeSeriesGraph* graph = visuals.addTimeSeriesGraph("height", {"x", "y"}, "time", "m");
  BarChart* bars = visuals.addBarChart("forces", {"left", "right"});
  EXPECT_TRUE(visuals.updateGraphs());
  EXPECT_FALSE(visuals.updateGraphs());
  const json graphs = json::parse(visuals.graphs());
  EXPECT_EQ(graphs["graphs"][0]["labels"], json({"x", "y"}));
  EXPECT_EQ(graphs["graphs"][0]["kind"], "time");
  EXPECT_EQ(graphs["graphs"][1]["kind"], "bar");
  EXPECT_TRUE(visuals.takeSamples().empty());
  graph->addDataPoints(0.5, Eigen::Vector2d(1, 2));
  graph->addDataPoints(0.6, Eigen::Vector2d(3, 4));
  bars->setData({5, 6});
  const std::vector<std::string> samples = visuals.takeSamples();
  ASSERT_EQ(samples.size(), 3u);
  EXPECT_EQ(json::parse(samples[1]),
            json({{"type", "graphData"}, {"title", "height"}, {"time", 0.6}, {"values", {3, 4}}}));
  EXPECT_EQ(json::parse(samples[2])["values"], json({5, 6}));
  EXPECT_TRUE(visuals.takeSamples().empty());
  for (std::size_t i = 0; i < 3 * TimeSeriesGraph::most_samples; ++i)
    graph->addDataPoints(static_cast<double>(i), Eigen::Vector2d(0, 0));
  const auto kept = graph->takeSamples();  // nobody took them for long
  EXPECT_LE(kept.size(), TimeSeriesGraph::most_samples);
  EXPECT_EQ(kept.back().time, 3.0 * TimeSeriesGraph::most_samples - 1);
  EXPECT_FALSE(bars->takeChange());  // with the samples
  bars->setData({7, 8});
  EXPECT_TRUE(bars->takeChange());
  EXPECT_EQ(bars->data(), (std::vector<float>{7, 8}));
  EXPECT_EQ(visuals.series().size() + visuals.bars().size(), 2u);
  EXPECT_EQ(visuals.getTimeSeriesGraph("height"), graph);
  EXPECT_EQ(visuals.getBarChart("forces"), bars);
  visuals.removeChart("height");
  EXPECT_TRUE(visuals.updateGraphs());
  EXPECT_THROW(visuals.removeChart("height"), std::invalid_argument);
  EXPECT_THROW(visuals.addBarChart("forces", {}), std::invalid_argument);
  EXPECT_THROW(bars->setData({1}), std::invalid_argument);
}

TEST(Visuals, NamesAreUniqueAndFound) {
  Visuals visuals;
  Visual* ball = visuals.addVisualSphere("ball", 0.1);
  PolyLine* line = visuals.addVisualPolyLine("line");
  EXPECT_EQ(visuals.getVisualObject("ball"), ball);
  EXPECT_EQ(visuals.getVisualPolyLine("line"), line);
  PointCloud* cloud = visuals.addPointCloud("cloud");
  TextLabel* text = visuals.addVisualText("text");
  EXPECT_EQ(visuals.getPointCloud("cloud"), cloud);
  EXPECT_EQ(visuals.getVisualText("text"), text);
  EXPECT_EQ(visuals.clouds().size() + visuals.texts().size() + visuals.lines().size(), 3u);
  EXPECT_THROW(visuals.addVisualPolyLine("ball"), std::invalid_argument);
  EXPECT_THROW(visuals.addVisualSphere("text", 1), std::invalid_argument);
  EXPECT_THROW(visuals.getVisualObject("line"), std::invalid_argument);
  visuals.removePointCloud("cloud");
  visuals.removeVisualText("text");
  visuals.removeVisualPolyLine("line");
  visuals.removeVisualObject("ball");
  EXPECT_THROW(visuals.removeVisualObject("ball"), std::invalid_argument);
  ball = visuals.addVisualSphere("ball", 0.1);
  visuals.removeVisualObject(ball);
  EXPECT_TRUE(visuals.shapes().empty());
}

TEST(Visuals, NumbersThatMakeNoShapeAreRefused) {
  Visuals visuals;
  EXPECT_THROW(visuals.addVisualSphere("a", 0), std::invalid_argument);
  EXPECT_THROW(visuals.addVisualSphere("a", nan), std::invalid_argument);
  EXPECT_THROW(visuals.addVisualBox("a", 1, -1, 1), std::invalid_argument);
  EXPECT_THROW(visuals.addVisualMesh("a", "/no/such.obj"), std::invalid_argument);
  EXPECT_THROW(visuals.addVisualArticulatedSystem("a", "/no/such.urdf"), std::invalid_argument);
  EXPECT_THROW(visuals.addInstancedVisuals("a", ShapeType::Cone, {1, 1, 1}, {}, {}),
               std::invalid_argument);
  EXPECT_TRUE(visuals.shapes().empty());
  EXPECT_TRUE(visuals.ghosts().empty());
  Visual* ball = visuals.addVisualSphere("ball", 1);
  EXPECT_THROW(ball->setBoxSize(1, 1, 1), std::invalid_argument);
  EXPECT_THROW(ball->setPosition(nan, 0, 0), std::invalid_argument);
  EXPECT_THROW(ball->setOrientation(0, 0, 0, 0), std::invalid_argument);
  InstancedVisuals* dots =
      visuals.addInstancedVisuals("dots", ShapeType::Sphere, {1, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 1});
  EXPECT_THROW(dots->setPosition(0, {0, 0, 0}), std::invalid_argument);
  EXPECT_THROW(dots->addInstance({nan, 0, 0}), std::invalid_argument);
  EXPECT_EQ(dots->count(), 0u);
  PolyLine* line = visuals.addVisualPolyLine("line");
  line->addPoint({nan, 0, 0});
  EXPECT_THROW(visuals.updateOverlay(), std::invalid_argument);
  line->clearPoints();
  EXPECT_TRUE(visuals.updateOverlay());
  ball->color[1] = nan;
  World world;
  WorldCapture capture(world, &visuals);
  EXPECT_THROW(capture.update(), std::invalid_argument);
}

}  // namespace
}  // namespace espalier::testing

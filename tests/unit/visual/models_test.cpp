// Scenes and frames of every robot and world of models/, and with ESPALIER_SHARED of those there:
// whole, finite, and where the queries say.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <filesystem>
#include <set>

#include "espalier/io/sdf/sdf.h"
#include "espalier/io/world_xml/world_xml.h"
#include "espalier/visual/world_capture.h"
#include "espalier/world/world.h"
#include "tests/support/shared_folder.h"
#include "tests/support/source_folder.h"
#include "tests/unit/visual/scene_check.h"

namespace espalier::testing {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> filesUnder(const fs::path& folder, const std::set<std::string>& endings) {
  std::vector<fs::path> files;
  if (fs::exists(folder))
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (endings.count(entry.path().extension().string())) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// None where the file is no robot and no world: a part of others, or one that is refused.
std::unique_ptr<World> worldOf(const fs::path& file) {
  try {
    if (io::isWorld(file.string())) return std::make_unique<World>(file.string());
    auto world = std::make_unique<World>();
    world->addArticulatedSystem(file.string());
    return world;
  } catch (const std::invalid_argument&) {
    return nullptr;
  }
}

void expectGoodScene(World& world) {
  WorldCapture capture(world);
  ASSERT_TRUE(capture.update());
  Frame frame;
  for (int step = 0; step < 3; ++step) {
    capture.capture(frame);
    ASSERT_NO_FATAL_FAILURE(checkScene(capture.description(), frame));
    const auto scene = nlohmann::json::parse(capture.description().json);
    for (int i = 0; i < world.objectCount(); ++i) {
      const auto* robot = dynamic_cast<const ArticulatedSystem*>(world.getObject(i));
      if (!robot) continue;
      const int first = scene["objects"][i]["bodies"][0];
      const int nb = robot->model().nb();
      for (int b = 0; b < nb; ++b) {
        const Transformd X = robot->getBodyPose(b);
        const float* p = frame.poses.data() + 7 * (first + b);
        const double scale = 1e-6 * (1 + norm(X.p));
        EXPECT_LT(norm(Vec3d{p[0], p[1], p[2]} - X.p), scale) << robot->model().bodies[b].name;
        const Eigen::Matrix3d R =
            Eigen::Quaterniond(p[3], p[4], p[5], p[6]).normalized().toRotationMatrix();
        EXPECT_LT((R - Mat<3, 3>(X.R).e()).norm(), 1e-5) << robot->model().bodies[b].name;
      }
      // What a viewer draws is where the robot's own queries say.
      const auto& bodies = scene["bodies"];
      for (int b = 0; b < int(scene["objects"][i]["bodies"][1]); ++b)
        for (const auto& f : bodies[first + b]["frames"]) {
          const float* p = frame.poses.data() + 7 * (first + b);
          const std::vector<double> x = f["pose"];
          const Eigen::Vector3d at = Eigen::Vector3d(p[0], p[1], p[2]) +
                                     Eigen::Quaterniond(p[3], p[4], p[5], p[6]).normalized() *
                                         Eigen::Vector3d(x[0], x[1], x[2]);
          const Eigen::Vector3d expected = robot->getFramePosition(f["name"].get<std::string>());
          EXPECT_LT((at - expected).norm(), 1e-5 * (1 + expected.norm())) << f["name"];
        }
      for (std::size_t v = 0; v < robot->getVisOb().size(); ++v) {
        Eigen::Matrix3d R;
        Eigen::Vector3d position;
        robot->getVisObPose(static_cast<int>(v), R, position);
        const std::string name = robot->getVisOb()[v].name;
        double nearest = 1e9;
        for (int b = 0; b < int(scene["objects"][i]["bodies"][1]); ++b)
          for (const auto& shape : bodies[first + b]["visuals"]) {
            if (shape["name"] != name) continue;
            const float* p = frame.poses.data() + 7 * (first + b);
            const std::vector<double> x = shape["pose"];
            const Eigen::Vector3d at = Eigen::Vector3d(p[0], p[1], p[2]) +
                                       Eigen::Quaterniond(p[3], p[4], p[5], p[6]).normalized() *
                                           Eigen::Vector3d(x[0], x[1], x[2]);
            nearest = std::min(nearest, (at - position).norm());
          }
        EXPECT_LT(nearest, 1e-5 * (1 + position.norm())) << name;
      }
      // Loops are closed where their two points say so, too.
      for (const auto& loop : scene["loops"]) {
        const auto point = [&](const char* body, const char* inBody) -> Eigen::Vector3d {
          const int place = loop[body];
          const std::vector<double> x = loop[inBody];
          const Eigen::Vector3d local(x[0], x[1], x[2]);
          if (place < 0) return local;
          const float* p = frame.poses.data() + 7 * place;
          return Eigen::Vector3d(p[0], p[1], p[2]) +
                 Eigen::Quaterniond(p[3], p[4], p[5], p[6]).normalized() * local;
        };
        const std::string kind = loop["kind"];
        const double error = frame.channels[loop["channel"].get<std::size_t>()];
        EXPECT_LT(error, 1e-4) << loop["name"];
        if (kind == "point" || kind == "fixed" || kind == "revolute" || kind == "universal") {
          EXPECT_NEAR((point("a", "pointA") - point("b", "pointB")).norm(), error, 1e-4)
              << loop["name"];
        }
      }
    }
    world.integrate();
  }
}

void expectGoodScenes(const fs::path& folder, const std::set<std::string>& endings, int least) {
  int count = 0;
  for (const fs::path& file : filesUnder(folder, endings)) {
    const std::unique_ptr<World> world = worldOf(file);
    if (!world) continue;
    SCOPED_TRACE(file.string());
    expectGoodScene(*world);
    ++count;
  }
  std::printf("%d scenes of %s\n", count, folder.c_str());
  EXPECT_GE(count, least);
}

TEST(ModelsInTheViewer, OwnRobotsAndWorlds) {
  expectGoodScenes(fs::path(sourceFolder()) / "models", {".urdf", ".xml"}, 30);
}

TEST(ModelsInTheViewer, SharedRobotsAndWorlds) {
  const fs::path folder = sharedFolder() / "models";
  if (!fs::exists(folder)) GTEST_SKIP() << "no models under ESPALIER_SHARED";
  expectGoodScenes(folder, {".urdf", ".xml", ".sdf"}, 50);
}

}  // namespace
}  // namespace espalier::testing

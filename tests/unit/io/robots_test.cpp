// Whole robots: the project's own, and real ones where ESPALIER_SHARED has them.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "espalier/io/urdf/urdf.h"
#include "remarks.h"
#include "tests/support/source_folder.h"

namespace espalier::io {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> urdfsBelow(const fs::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".urdf") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Names of mesh files that have no triangles.
std::set<std::string> emptyMeshes(const SystemSpec& spec) {
  std::set<std::string> names;
  const auto look = [&](const Shape& shape) {
    const MeshShape* mesh = std::get_if<MeshShape>(&shape);
    if (mesh != nullptr && !mesh->data) names.insert(mesh->file);
  };
  for (const LinkSpec& link : spec.links) {
    for (const CollisionSpec& c : link.collisions) look(c.shape);
    for (const VisualSpec& v : link.visuals) look(v.shape);
  }
  return names;
}

TEST(Robots, OwnOnesLoadWithoutARemark) {
  const auto files = urdfsBelow(fs::path(sourceFolder()) / "models");
  EXPECT_GE(files.size(), 6u);
  for (const std::string& file : files) {
    const auto spec = loadRobot(file);
    ASSERT_TRUE(spec) << spec.diagnostics().toString();
    EXPECT_TRUE(spec.diagnostics().all().empty()) << spec.diagnostics().toString();
  }
}

TEST(Robots, StriderAgreesWithItsFile) {
  const auto spec = loadUrdf(sourceFolder() + "/models/strider/strider.urdf");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  EXPECT_EQ(std::count_if(spec->joints.begin(), spec->joints.end(),
                          [](const JointSpec& j) { return j.kind == JointKind::Revolute; }),
            12);
  double mass = 0;
  int rubber = 0;
  for (const LinkSpec& link : spec->links) {
    if (link.inertial) mass += link.inertial->mass;
    for (const CollisionSpec& c : link.collisions) rubber += c.material == "rubber";
  }
  EXPECT_NEAR(mass, 30, 1e-9);
  EXPECT_EQ(rubber, 4);
}

TEST(Robots, Chain20HasSphericalSprings) {
  const auto spec = loadUrdf(sourceFolder() + "/models/chain20/chain20.urdf");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  ASSERT_EQ(spec->joints.size(), 20u);
  for (const JointSpec& joint : spec->joints) {
    EXPECT_EQ(joint.kind, JointKind::Spherical);
    EXPECT_GT(joint.dynamics.stiffness, 0);
    EXPECT_EQ(joint.dynamics.springMount.size(), 4u);
  }
}

TEST(Robots, RealOnesLoadWithOneWarningForEachMissingMesh) {
  const fs::path folder = sharedFolder() / "models";
  if (sharedFolder().empty() || !fs::is_directory(folder)) {
    GTEST_SKIP() << "no robots of others here; set ESPALIER_SHARED to a folder with models/";
  }
  const auto files = urdfsBelow(folder);
  EXPECT_GE(files.size(), 20u);
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    const auto spec = loadRobot(file);
    ASSERT_TRUE(spec) << spec.diagnostics().toString();
    const std::set<std::string> missing = emptyMeshes(*spec);
    EXPECT_EQ(countRemarks(spec.diagnostics(), Severity::Warning, "was not found"),
              static_cast<int>(missing.size()));
    for (const Diagnostic& d : spec.diagnostics().all()) {
      EXPECT_TRUE(d.file == file || d.file.ends_with(".srdf")) << d.file;
      EXPECT_FALSE(d.remedy.empty()) << d.what;
    }
  }
}

TEST(Robots, RealMeshesAreFound) {
  const fs::path folder = sharedFolder() / "models";
  if (sharedFolder().empty() || !fs::is_directory(folder)) {
    GTEST_SKIP() << "no robots of others here; set ESPALIER_SHARED to a folder with models/";
  }
  for (const char* name : {"hyq/robots/hyq_no_sensors.urdf", "quadruped_meshes/urdf/quadruped.urdf",
                           "parallel_5bar_linkage/robot.urdf", "parallel_cassie_like/robot.urdf",
                           "parallel_digit_like/robot.urdf", "parallel_robot_delta/robot.urdf"}) {
    const auto spec = loadRobot((folder / name).string());
    ASSERT_TRUE(spec) << spec.diagnostics().toString();
    EXPECT_TRUE(emptyMeshes(*spec).empty()) << name;
  }
}

}  // namespace
}  // namespace espalier::io

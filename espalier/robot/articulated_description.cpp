// A robot's visuals, and its description as a file.

#include <filesystem>
#include <fstream>

#include "espalier/core/check.h"
#include "espalier/io/export/export.h"
#include "espalier/robot/articulated_system.h"
#include "espalier/robot/edited_spec.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

const VisObject& at(const std::vector<VisObject>& visuals, int index) {
  ESPALIER_REQUIRE(index >= 0 && index < static_cast<int>(visuals.size()),
                   "there is no visual " + std::to_string(index));
  return visuals[index];
}

void write(const Transformd& X, Eigen::Matrix3d& R, Eigen::Vector3d& position) {
  R = Mat<3, 3>(X.R);
  position = Vec<3>(X.p);
}

}  // namespace

/// X_WV; visuals of a geared rotor turn with it.
Transformd ArticulatedSystem::poseOf(const VisObject& visual) const {
  const bool hasLink = visual.link >= 0 && visual.link < static_cast<int>(model().links.size());
  const int rotor = hasLink ? model().links[visual.link].rotor : -1;
  return getBodyPose(static_cast<int>(visual.localIdx)) * turnOf(rotor) *
         Transformd{visual.rot, visual.offset};
}
void ArticulatedSystem::getVisObPose(int visual, Eigen::Matrix3d& R_W,
                                     Eigen::Vector3d& position) const {
  write(poseOf(at(visuals_, visual)), R_W, position);
}
void ArticulatedSystem::getVisColObPose(int visual, Eigen::Matrix3d& R_W,
                                        Eigen::Vector3d& position) const {
  write(poseOf(at(drawnCollisions_, visual)), R_W, position);
}

std::string ArticulatedSystem::getRobotDescriptionFullPath() const {
  if (!system_.spec || !fs::exists(system_.spec->file)) return "";  // "<text>", "<code>"
  return fs::absolute(system_.spec->file).lexically_normal().string();
}
std::string ArticulatedSystem::getRobotDescriptionfFileName() const {
  return fs::path(getRobotDescriptionFullPath()).filename().string();
}
std::string ArticulatedSystem::getRobotDescriptionfTopDirName() const {
  return fs::path(getRobotDescriptionFullPath()).parent_path().filename().string();
}
std::string ArticulatedSystem::getResourceDir() const {
  if (!system_.resourceDir.empty()) return system_.resourceDir;
  return fs::path(getRobotDescriptionFullPath()).parent_path().string();
}

SystemSpec ArticulatedSystem::spec() const {
  SystemSpec spec = editedSpec(world_, system_);
  writeVisuals(visuals_, model(), spec);
  return spec;
}
std::string ArticulatedSystem::getRobotDescription() const { return io::exportUrdf(spec()); }
void ArticulatedSystem::exportRobotDescriptionToURDF(const std::string& file) const {
  ESPALIER_REQUIRE(file.ends_with(".urdf"), "'" + file + "' must end in .urdf");
  const std::string text = getRobotDescription();
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  ESPALIER_REQUIRE(!out.fail(), "'" + file + "' cannot be written");
}

}  // namespace espalier

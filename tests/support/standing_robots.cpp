#include "tests/support/standing_robots.h"

#include <filesystem>
#include <stdexcept>

#include "espalier/io/urdf/urdf.h"
#include "tests/support/shared_folder.h"
#include "tests/support/source_folder.h"

namespace espalier::testing {
namespace {

constexpr double kp = 2000, kd = 40;

LinkSpec& linkOf(SystemSpec& spec, const std::string& name) {
  for (LinkSpec& link : spec.links)
    if (link.name == name) return link;
  throw std::invalid_argument("no link " + name);
}

JointSpec& jointOf(SystemSpec& spec, const std::string& name) {
  for (JointSpec& joint : spec.joints)
    if (joint.name == name) return joint;
  throw std::invalid_argument("no joint " + name);
}

std::optional<StandingRobot> sharedRobot(const std::string& file) {
  const auto path = sharedFolder() / "models" / file;
  if (!std::filesystem::exists(path)) return std::nullopt;
  StandingRobot robot;
  robot.spec = io::loadRobot(path.string()).value();
  return robot;
}

/// The corners of a box's lower face.
void addSole(StandingRobot& robot, const std::string& link) {
  const CollisionSpec& foot = linkOf(robot.spec, link).collisions.at(0);
  const Vec3d half = std::get<BoxShape>(foot.shape).size * 0.5;
  for (const double x : {-half.x, half.x})
    for (const double y : {-half.y, half.y})
      robot.soles.push_back({link, foot.X_LG.p + mul(foot.X_LG.R, Vec3d{x, y, -half.z})});
}

/// A flat foot on a link, its sole across z of "foot_frame" and through that frame's origin; no
/// other shapes. Motors are as strong as they need be.
void giveFoot(StandingRobot& robot, const std::string& link, double length, double width) {
  constexpr double thickness = 0.02;
  for (LinkSpec& l : robot.spec.links) l.collisions.clear();
  for (JointSpec& joint : robot.spec.joints) joint.limits.effort = unlimited;
  const Transformd up{identity3<double>(), {0, 0, thickness / 2}};
  CollisionSpec foot;
  foot.shape = BoxShape{{length, width, thickness}};
  foot.X_LG = jointOf(robot.spec, "foot_frame").X_PJ * up;
  linkOf(robot.spec, link).collisions = {foot};
  addSole(robot, link);
}

void drive(StandingRobot& robot, const std::vector<std::string>& motors) {
  robot.motors = motors;
  for (const std::string& motor : motors) robot.gains.push_back({motor, kp, kd});
}

}  // namespace

StandingRobot twoLegs() {
  constexpr double hipWidth = 0.24, hipHeight = 1.0;
  const SystemSpec leg =
      io::loadUrdf(sourceFolder() + "/models/differential_leg/differential_leg.urdf").value();
  StandingRobot robot;
  SystemSpec& spec = robot.spec;
  spec.name = "two_legs";
  LinkSpec pelvis;
  pelvis.name = "pelvis";
  pelvis.inertial = InertialSpec{20, {identity3<double>(), {0.03, 0, 0.2}}, {.4, 0, 0, .3, 0, .3}};
  spec.links.push_back(pelvis);
  std::vector<std::string> motors;
  for (const auto& [side, y] : {std::pair{"L_", hipWidth / 2}, std::pair{"R_", -hipWidth / 2}}) {
    const auto named = [s = std::string(side)](const std::string& name) {
      return name == "world" ? std::string("pelvis") : s + name;
    };
    for (LinkSpec link : leg.links) {
      if (link.name == "world") continue;
      link.name = named(link.name);
      spec.links.push_back(std::move(link));
    }
    for (JointSpec joint : leg.joints) {
      if (joint.parent == "world") joint.X_PJ.p = joint.X_PJ.p + Vec3d{0, y, -hipHeight};
      joint.name = named(joint.name);
      joint.parent = named(joint.parent);
      joint.child = named(joint.child);
      spec.joints.push_back(std::move(joint));
    }
    for (LoopSpec loop : leg.loops) {
      loop.name = named(loop.name);
      loop.predecessor = named(loop.predecessor);
      loop.successor = named(loop.successor);
      spec.loops.push_back(std::move(loop));
    }
    addSole(robot, named("foot"));
    for (const char* joint : {"hip", "knee", "left_crank", "right_crank"})
      motors.push_back(named(joint));
    robot.bend.emplace_back(named("hip"), -0.3);
    robot.bend.emplace_back(named("knee"), 0.6);
  }
  drive(robot, motors);
  return robot;
}

StandingRobot gearedBiped() {
  StandingRobot robot;
  robot.spec = io::loadUrdf(sourceFolder() + "/models/geared_biped/geared_biped.urdf").value();
  for (const std::string side : {"L_", "R_"}) {
    addSole(robot, side + "foot");
    robot.bend.emplace_back(side + "hip_pitch", -0.35);
    robot.bend.emplace_back(side + "knee", 0.7);
    for (const char* crank : {"left_crank", "right_crank"})
      robot.bend.emplace_back(side + crank, -0.35);
  }
  for (const JointSpec& joint : robot.spec.joints)
    if (joint.independent == true) robot.gains.push_back({joint.name, kp, kd});
  for (const auto& [joint, angle] : robot.bend) robot.motors.push_back(joint);
  return robot;
}

std::optional<StandingRobot> cassie() {
  auto robot = sharedRobot("cassie/robots/cassie_v2.sdf");
  if (!robot) return robot;
  for (const std::string side : {"left", "right"}) {
    const CollisionSpec& foot = linkOf(robot->spec, side + "-foot").collisions.at(0);
    const double length = std::get<CylinderShape>(foot.shape).height;
    for (const double z : {-length / 2, length / 2})
      robot->soles.push_back({side + "-foot", foot.X_LG.p + mul(foot.X_LG.R, Vec3d{0, 0, z})});
    for (const char* joint : {"-roll-op", "-yaw-op", "-pitch-op", "-knee-op", "-foot-op"}) {
      jointOf(robot->spec, side + joint).independent = true;
      robot->gains.push_back({side + joint, kp, kd});
    }
    for (const char* joint : {"-roll-op", "-pitch-op", "-foot-op"})
      robot->motors.push_back(side + joint);
  }
  return robot;
}

std::optional<StandingRobot> digitLike() {
  auto robot = sharedRobot("parallel_digit_like/robot.urdf");
  if (!robot) return robot;
  giveFoot(*robot, "foot_part", 0.238, 0.084);
  drive(*robot,
        {"motor_hip_x", "motor_hip_y", "motor_hip_z", "motor_knee", "motor_shin1", "motor_shin2"});
  for (const char* rod :
       {"tarsus_toe_a_1/2_rev2", "crank_toe_b_2/2_rev2", "crank_2_toe_b_2/2_2_rev2"})
    robot->gains.push_back({rod, 0.1, 0.01});
  return robot;
}

std::optional<StandingRobot> cassieLike() {
  auto robot = sharedRobot("parallel_cassie_like/robot.urdf");
  if (!robot) return robot;
  giveFoot(*robot, "foot_2", 0.18, 0.017);
  drive(*robot, {"motor_hip1", "motor_hip2", "motor_tigh", "motor_knee", "motor_ankle"});
  for (const char* rod : {"tigh_half_hachil_rode_2_rev2", "foot_2_half_planta_rode_2_rev2"})
    robot->gains.push_back({rod, 0.1, 0.01});
  robot->bend = {{"motor_ankle", 1.2}};
  return robot;
}

ArticulatedSystem* putUp(World& world, const StandingRobot& robot) {
  ArticulatedSystem* system = world.addArticulatedSystem(robot.spec);
  for (const auto& [joint, angle] : robot.bend) {
    constexpr int pieces = 25;  // small enough that the loops follow
    const int place = system->getGeneralizedCoordinateIndex(joint);
    for (int i = 0; i < pieces; ++i) {
      Eigen::VectorXd q = system->getGeneralizedCoordinate();
      q[place] += angle / pieces;
      system->setGeneralizedCoordinate(q);
    }
  }
  if (!(standUpright(*system, robot.motors, robot.soles) < 1e-8))
    throw std::logic_error(robot.spec.name + " finds no way to stand");
  holdHere(*system, robot.gains);
  return system;
}

}  // namespace espalier::testing

// Robots with closed loops stand on flat ground for a minute, held by PD control of their motors
// alone: rods, springs and hinges that no motor drives follow. Each test prints its figures.
//
// What the files lack is given here: feet to stand on, where theirs are meshes only, and motors
// that are stronger than the 1 N m some files have in every joint.

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "espalier/io/urdf.h"
#include "tests/support/shared.h"
#include "tests/support/standing.h"

namespace espalier::testing {
namespace {

constexpr double dt = 1e-3;
constexpr int minute = 60000;

LinkSpec& linkOf(SystemSpec& spec, const std::string& name) {
  for (LinkSpec& link : spec.links)
    if (link.name == name) return link;
  throw std::invalid_argument("no link " + name);
}

/// A flat foot below a frame of the link, its sole through the frame's origin and across its z.
std::vector<SolePoint> addFoot(SystemSpec& spec, const std::string& link, const Transformd& X_LF,
                               double length, double width) {
  constexpr double thickness = 0.02;
  CollisionSpec foot;
  foot.shape = Box{{length, width, thickness}};
  foot.X_LG = X_LF * Transformd{identity3<double>(), {0, 0, thickness / 2}};
  linkOf(spec, link).collisions = {foot};
  std::vector<SolePoint> corners;
  for (const double x : {-length / 2, length / 2})
    for (const double y : {-width / 2, width / 2})
      corners.push_back({link, X_LF.p + mul(X_LF.R, Vec3d{x, y, 0})});
  return corners;
}

Transformd frameOf(const SystemSpec& spec, const std::string& joint) {
  for (const JointSpec& j : spec.joints)
    if (j.name == joint) return j.X_PJ;
  throw std::invalid_argument("no joint " + joint);
}

/// Only feet collide, and motors are as strong as they need be.
void keepFeetOnly(SystemSpec& spec) {
  for (LinkSpec& link : spec.links) link.collisions.clear();
  for (JointSpec& joint : spec.joints) joint.limits.effort = unlimited;
}

void expectStands(const char* name, const SystemSpec& spec, const std::vector<SolePoint>& soles,
                  const std::vector<std::string>& moved, const std::vector<Gains>& gains,
                  const std::vector<std::pair<std::string, double>>& bend = {}) {
  World world;
  world.setTimeStep(dt);
  world.addGround();
  ArticulatedSystem* robot = world.addArticulatedSystem(spec);
  for (const auto& [joint, angle] : bend) {
    constexpr int pieces = 25;
    const int place = robot->getGeneralizedCoordinateIndex(joint);
    for (int i = 0; i < pieces; ++i) {
      Eigen::VectorXd q = robot->getGeneralizedCoordinate();
      q[place] += angle / pieces;
      robot->setGeneralizedCoordinate(q);
    }
  }
  ASSERT_LT(standUpright(*robot, moved, soles), 1e-8);
  holdHere(*robot, gains);
  const Stance s = stand(world, *robot, minute);
  std::printf(
      "[ figure   ] %s stands 60 s: height %+.2e .. %+.2e m, residual %.1e m/s, closure %.1e m, "
      "flags %u, moved %.1e m\n",
      name, s.lowest, s.highest, s.residual, s.closure, s.flags, s.drift);
  EXPECT_GT(s.lowest, -0.02);
  EXPECT_LT(s.highest, 0.02);
  EXPECT_LE(s.residual, 1e-8);
  EXPECT_LE(s.closure, 1e-10);
  EXPECT_EQ(s.flags, 0u);
  EXPECT_LT(s.drift, 0.02);
  EXPECT_GE(s.contacts, 3);
}

/// Two legs of models/differential_leg, whose ankles are moved by push rods, under one pelvis.
SystemSpec twoLegs() {
  constexpr double hipWidth = 0.24, hipHeight = 1.0;
  const SystemSpec leg =
      io::loadUrdf(ESPALIER_SOURCE_DIR "/models/differential_leg/differential_leg.urdf").value();
  SystemSpec spec;
  spec.name = "two_legs";
  LinkSpec pelvis;
  pelvis.name = "pelvis";
  pelvis.inertial =
      InertialSpec{20, {identity3<double>(), {0.03, 0, 0.2}}, {0.4, 0, 0, 0.3, 0, 0.3}};
  spec.links.push_back(pelvis);
  for (const auto& [side, y] : {std::pair{"L_", hipWidth / 2}, std::pair{"R_", -hipWidth / 2}}) {
    const auto named = [&, s = std::string(side)](const std::string& name) {
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
  }
  return spec;
}

std::vector<SolePoint> solesOfBox(SystemSpec& spec, const std::string& link) {
  const CollisionSpec& foot = linkOf(spec, link).collisions.at(0);
  const Vec3d half = std::get<Box>(foot.shape).size * 0.5;
  std::vector<SolePoint> corners;
  for (const double x : {-half.x, half.x})
    for (const double y : {-half.y, half.y})
      corners.push_back({link, foot.X_LG.p + mul(foot.X_LG.R, Vec3d{x, y, -half.z})});
  return corners;
}

TEST(StandingLoops, TwoLegsWithAnklesByPushRods) {
  SystemSpec spec = twoLegs();
  std::vector<SolePoint> soles = solesOfBox(spec, "L_foot"), right = solesOfBox(spec, "R_foot");
  soles.insert(soles.end(), right.begin(), right.end());
  std::vector<std::string> motors;
  std::vector<Gains> gains;
  for (const std::string side : {"L_", "R_"})
    for (const char* joint : {"hip", "knee", "left_crank", "right_crank"}) {
      motors.push_back(side + joint);
      gains.push_back({side + joint, 2000, 40});
    }
  expectStands("two_legs", spec, soles, motors, gains,
               {{"L_hip", -0.3}, {"L_knee", 0.6}, {"R_hip", -0.3}, {"R_knee", 0.6}});
}

/// Agility's Cassie: springs in shin and heel, and loops over them; stands on its own collision
/// bodies, one cylinder along each foot.
TEST(StandingLoops, Cassie) {
  const auto file = sharedFolder() / "models/cassie/robots/cassie_v2.sdf";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file << " under ESPALIER_SHARED";
  SystemSpec spec = io::loadRobot(file.string()).value();
  std::vector<SolePoint> soles;
  std::vector<Gains> gains;
  for (const std::string side : {"left", "right"}) {
    const CollisionSpec& foot = linkOf(spec, side + "-foot").collisions.at(0);
    const double length = std::get<Cylinder>(foot.shape).height;
    for (const double z : {-length / 2, length / 2})
      soles.push_back({side + "-foot", foot.X_LG.p + mul(foot.X_LG.R, Vec3d{0, 0, z})});
    for (const char* joint : {"-roll-op", "-yaw-op", "-pitch-op", "-knee-op", "-foot-op"}) {
      gains.push_back({side + joint, 2000, 40});
      for (JointSpec& j : spec.joints)
        if (j.name == gains.back().joint) j.independent = true;
    }
  }
  expectStands("cassie", spec, soles,
               {"left-roll-op", "left-pitch-op", "left-foot-op", "right-roll-op", "right-pitch-op",
                "right-foot-op"},
               gains);
}

/// One leg under a torso, on a sole as long and wide as the foot's mesh. The rods, cut in their
/// middle, may spin about themselves, which no motor holds: a little damping.
TEST(StandingLoops, DigitLike) {
  const auto file = sharedFolder() / "models/parallel_digit_like/robot.urdf";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file << " under ESPALIER_SHARED";
  SystemSpec spec = io::loadRobot(file.string()).value();
  keepFeetOnly(spec);
  const auto soles = addFoot(spec, "foot_part", frameOf(spec, "foot_frame"), 0.238, 0.084);
  const std::vector<std::string> motors = {"motor_hip_x", "motor_hip_y", "motor_hip_z",
                                           "motor_knee",  "motor_shin1", "motor_shin2"};
  std::vector<Gains> gains;
  for (const std::string& motor : motors) gains.push_back({motor, 2000, 40});
  for (const char* rod :
       {"tarsus_toe_a_1/2_rev2", "crank_toe_b_2/2_rev2", "crank_2_toe_b_2/2_2_rev2"})
    gains.push_back({rod, 0.1, 0.01});
  expectStands("digit_like", spec, soles, motors, gains);
}

/// One leg under a pelvis, on a blade of 18 cm by 17 mm like its mesh. The foot is drawn pointing
/// down; it is bent level first.
TEST(StandingLoops, CassieLike) {
  const auto file = sharedFolder() / "models/parallel_cassie_like/robot.urdf";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file << " under ESPALIER_SHARED";
  SystemSpec spec = io::loadRobot(file.string()).value();
  keepFeetOnly(spec);
  const auto soles = addFoot(spec, "foot_2", frameOf(spec, "foot_frame"), 0.18, 0.017);
  const std::vector<std::string> motors = {"motor_hip1", "motor_hip2", "motor_tigh", "motor_knee",
                                           "motor_ankle"};
  std::vector<Gains> gains;
  for (const std::string& motor : motors) gains.push_back({motor, 2000, 40});
  for (const char* rod : {"tigh_half_hachil_rode_2_rev2", "foot_2_half_planta_rode_2_rev2"})
    gains.push_back({rod, 0.1, 0.01});
  expectStands("cassie_like", spec, soles, motors, gains, {{"motor_ankle", 1.2}});
}

}  // namespace
}  // namespace espalier::testing

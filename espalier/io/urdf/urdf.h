#pragma once

// Robots from files: URDF as written for ROS, with RaiSim's additions and ours.
//
// Beyond plain URDF:
//   <capsule radius height>             height is the distance of the sphere centres; also length
//   <dynamics damping friction stiffness spring_mount rotor_inertia>
//   <collision><material><contact name="rubber"/></material>   the contact material
//   <collision collision_group collision_mask>   it collides with whom its mask names, and back
//   <plane/>                            the half space below its frame
//   <mesh><vertices value="x y z ..."/><triangles value="0 1 2 ..."/></mesh>
//   <joint><actuator kp kd target target_rate feedforward lower upper/>   how it is driven at the
//                                       start; lower and upper bound its force
//   <tendon name lower upper stiffness rest_lower rest_upper damping friction>
//     <joint name coefficient/> ...   <way divisor> <point link xyz/> ... </way> ...   <actuator/>
//                                       a length of joint coordinates, and straight from point to point
//   <link gravity_compensation>         share of its weight that a force takes off
//   joint types: all names of model/joints/joint_kind.h, and screw for helical
//   <axis xyz/>, <axis2 xyz/>, <axis3 xyz/>   the axes of universal and euler joints, in sequence
//   <limit swing twist_lower twist_upper>   rad, spherical joints: the cone about <axis>, the turn
//                                       about it; upper bounds the angle of the whole rotation
//   <joint pitch> or <axis pitch>       m/rad, helical joints
//   @@name, {expression} and <array>    filled from UrdfOptions::parameters (io/text/template.h)
//   <joint independent="true|false">    whether its coordinates are public, where it is in a loop
//   <loop>, <coupling>                  URDF+ (docs/loops.md)
//   <constraints><pin body1 body2 anchor/>   RaiSim's: a loop that is a point
//   <params> <NAME value/> ...          values of @@NAME, where the options give none
//
// Where files leave things open:
//   a revolute or prismatic joint without lower and upper limit moves freely (a Warning)
//   effort or velocity limits of zero are none (a Warning)
//   a spherical joint's lower is 0 or -upper; equal limits are none, as in RaiSim
//   missing meshes leave their shape without triangles (a Warning each)
//   a mesh that is there and cannot be read is an Error for a collision, a Warning for a visual
//   <transmission> does not act yet (a Warning)

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "espalier/core/diagnostic.h"
#include "espalier/io/read_options.h"
#include "espalier/io/urdf/bound_inertia.h"
#include "espalier/model/spec/spec.h"

namespace espalier::io {

struct UrdfOptions : RobotReadOptions {
  /// Values of @@name and of names in {expressions}; also handed to xacro as name:=value.
  std::map<std::string, std::string> parameters = {};
  /// Of every movable body, of robots of all formats (io/urdf/bound_inertia.h).
  LeastInertia least = {};
  /// SRDF file with pairs of links that never collide; empty: one that lies beside the robot's file,
  /// if any (io/urdf/srdf.h). loadRobot() alone reads it.
  std::string srdf = {};
  int hullVertices = 0;  ///< at most, of every mesh's hull; 0: as the file says, or 64
  /// Of MuJoCo's files: the keyframe whose controls actuators are given (MjcfOptions::keyframe).
  std::string keyframe = "";
  bool keepsHinges = false;  ///< loadRobot(): ball joints that are written as three hinges stay so
};

/// A robot from a URDF file, with the loops of the robot.yaml beside it (io/urdf/robot_yaml.h) where
/// there is one.
///   in   path   of the file
///   out  the system with Warnings and Notes; or none and every problem, with file and line
Expected<SystemSpec> loadUrdf(const std::string& path, const UrdfOptions& options = {});

/// A robot from URDF text.
///   in   name   its name in remarks
Expected<SystemSpec> parseUrdf(std::string_view text, const std::string& name = "<text>",
                               const UrdfOptions& options = {});

/// A robot from whatever it comes as: a .urdf file, a .xacro file (expanded by Python's xacro,
/// where it is installed), one of MuJoCo's (io/mjcf/mjcf.h) or Gazebo's (io/sdf/sdf.h), or the text of one,
/// which begins with '<'. Three hinges in a loop that make a ball become one (io/merge_hinges.h).
Expected<SystemSpec> loadRobot(const std::string& pathOrText, const UrdfOptions& options = {});

/// The gravity that a robot's file gives its world, m/s^2: of MuJoCo's files. None where it says
/// nothing of it, or cannot be read.
std::optional<Vec3d> loadGravity(const std::string& pathOrText);

}  // namespace espalier::io

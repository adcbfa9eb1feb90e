#pragma once

// Worlds from files: RaiSim's world configuration XML, with our additions.
//
//   <espalier> or <raisim version>                  the outermost element
//     <params> <NAME value/> ...                     values of @@NAME, in this file
//     <include value="[THIS_DIR]/other.xml"/>        another world, read before the rest of this
//     file
//     <material> <default friction restitution restitution_threshold static_friction
//          static_friction_velocity_threshold rolling_friction spinning_friction/>
//                <pair_prop name1 name2 .../>
//     <gravity value/>  <time_step value/>  <erp erp slop max_depenetration_velocity/>
//     <object_class> <CLASS type mass ...> ...       <CLASS name ...> is then an object, which has
//                                                    missing attributes from its class
//     <objects>
//       sphere, capsule, cylinder, box               <dim radius height | x y z/>
//       compound                                     <children> of these shapes, each with its
//                                                    <state pos quat/>
//       mesh file_name scale                         as of a URDF
//       ground height                                the half space below
//       heightmap                                    one of: x_sample y_sample x_size y_size
//                                                    height;
//                                                    png z_scale z_offset; text; or
//                                                    <terrain_properties/>. center_x center_y
//       each with name mass com material collision_group collision_mask appearance
//       body_type (dynamic, kinematic, static), <inertia xx xy xz yy yz zz/> about the centre of
//       mass, <state pos quat lin_vel ang_vel/>
//       articulated_system urdf_path res_dir joint_order fixed_base self_collision
//                 <state qpos qvel pos quat/>        pos and quat: where a fixed base is welded
//                 <params> <NAME value/> ...         of a URDF template
//                 <ignore_collision link1 link2 reason/>
//                 <robot> ...                        the URDF itself, in place of urdf_path
// Names may be written in snake_case or camelCase, numbers separated by spaces or commas. Before
// the XML is read, @@NAME, {expressions} and <array> are filled in (io/text/template.h). exist="false"
// leaves an object or include out. [THIS_DIR] is the file's folder.
//
// A mass without <inertia> is spread evenly over the shapes. A file's own <params> win over what
// the caller gives, as in RaiSim (a Warning). <wire>, <tendon>, <camera> and <simulation> are read
// over and do not act (a Warning each kind).

#include <map>
#include <string>
#include <string_view>

#include "espalier/core/diagnostic.h"
#include "espalier/io/read_options.h"
#include "espalier/model/spec/spec.h"

namespace espalier::io {

struct WorldOptions : ReadOptions {
  /// Values of @@NAME, in the file and in those it includes.
  std::map<std::string, std::string> parameters = {};
  std::string folder = ".";  ///< of a world that comes as text: value of [THIS_DIR]
  int hullVertices = 0;      ///< at most, of every mesh's hull; 0: as the files say, or 64
  /// Of MuJoCo's files: name or number of the keyframe that the world starts at
  /// (MjcfOptions::keyframe).
  std::string keyframe = "";
};

/// A world from a file, or from its text, which begins with '<': ours, MuJoCo's
/// (io/mjcf/mjcf.h) or Gazebo's (io/sdf/sdf.h).
///   out  the world with Warnings and Notes; or none and every problem, with file and line, those
///        of its robots and included files with them
Expected<WorldSpec> loadWorld(const std::string& fileOrText, const WorldOptions& options = {});

/// Whether a file or text is a world: its outermost element is <raisim>, <espalier>
/// or <mujoco>, or <sdf> with a <world> in it. False where it cannot be read.
bool isWorld(const std::string& fileOrText);

}  // namespace espalier::io

#pragma once

// Extended URDF (arXiv 2504.04767): a robot.yaml beside a URDF says which of its frames coincide
// and which of its joints have motors. Words are read in capitals and in small letters.
//
//   closed_loop: [[frame, frame], ...]   names of links, or of joints for the link below
//   type:        [6d, 3d, ...]           6d: the frames coincide, 3d: their origins; absent: 6d
//   name_mot:    [joint, ...]            independent ones; absent: none is said to be
//   joint_name:  [joint, ...]            joints that are of another type than the URDF says, because
//                                        it has none such
//   joint_type:  [SPHERICAL, ...]        of each: SPHERICAL; UJOINT_XY, a universal joint that turns
//                                        about x and then y of the joint's frame (any two axes);
//                                        FIXED, so that its links are welded as in q = 0
//
// It is for the robot if it has closed_loop and at least one of the names in there is the robot's;
// a robot.yaml of another robot or program is left alone, with a Note.

#include <string>

#include "espalier/core/diagnostic.h"
#include "espalier/io/text/reading_budget.h"
#include "espalier/model/spec/spec.h"

namespace espalier::io {

/// Adds the contents of a robot.yaml to the robot: loops, types of joints, and independent joints.
///   in   path   its name in remarks
///   out  remarks; spec is of no use if there are Errors among them
Diagnostics applyRobotYaml(const std::string& text, const std::string& path, SystemSpec& spec);

/// applyRobotYaml of the file robot.yaml in that folder, where there is one.
Diagnostics applyRobotYamlIn(const std::string& folder, SystemSpec& spec, ReadingBudget& budget);

}  // namespace espalier::io

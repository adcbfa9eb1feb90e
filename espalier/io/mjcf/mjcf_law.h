#pragma once

// The force law of an actuator of a MuJoCo file, from its shortcut and its defaults.

#include <array>
#include <string>

#include "espalier/io/mjcf/mjcf_node.h"

namespace espalier::io {

/// With input c, length l and l's rate: the gain is gain[0], to which "affine" adds gain[1] l +
/// gain[2] l'; the bias is none, or by "affine" bias[0] + bias[1] l + bias[2] l'; force = gain c + bias.
struct MjcfLaw {
  std::array<double, 3> gain{1, 0, 0};
  std::array<double, 3> bias{0, 0, 0};
  std::string gainType = "fixed", biasType = "none", dynamics = "none";
  double inheritedRange = 0;  ///< the control's range is so many times the range of the length
  std::string writtenAs = "general";

  bool isAffine() const;  ///< both types are of those above, and the input is c or c filtered
  bool isServo() const { return gain[0] == -bias[1]; }
};

/// Classes from the outermost to the actuator itself. <general> sets the attributes it names. A
/// shortcut sets all, and takes the others from the default that lies nearest and was written with
/// the same shortcut, or with <general> and its type of gain; else it has its documented values.
/// (MuJoCo 3.16 and later; before, it took over the numbers of any other shortcut's default.)
MjcfLaw readMjcfLaw(MjcfFiles& files, const MjcfNode& actuator);

}  // namespace espalier::io

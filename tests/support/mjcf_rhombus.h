#pragma once

// A linkage as a MuJoCo file draws it, with references of its joints.

#include <string>

namespace espalier::testing {

/// A joint, a link half a metre long along x, drawn at `angle` (degrees), where q is `ref` (degrees).
inline std::string mjcfBar(const std::string& name, const std::string& inside, double ref,
                           double angle) {
  return "<body name=\"" + name + "\" pos=\"0.5 0 0\" euler=\"0 " + std::to_string(angle) +
         " 0\"><joint name=\"j_" + name + "\" axis=\"0 1 0\" ref=\"" + std::to_string(ref) +
         "\"/><geom type=\"capsule\" size=\"0.02\" fromto=\"0 0 0 0.5 0 0\" mass=\"1\"/>" + inside +
         "</body>";
}

/// A rhombus of 0.5 m: bars a, b, c in a row, the tip of c pinned back to the ground.
///   in  more  sections of the file
inline std::string mjcfRhombus(const std::string& more) {
  return "<mujoco><worldbody>" +
         mjcfBar("a", mjcfBar("b", mjcfBar("c", "", 120, 120), 60, 60), -30, -30) +
         "</worldbody><equality><connect body1=\"c\" anchor=\"0.5 0 0\"/></equality>" + more +
         "</mujoco>";
}

}  // namespace espalier::testing

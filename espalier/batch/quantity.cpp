#include "espalier/batch/quantity.h"

#include <span>

namespace espalier {

std::span<const QuantityInfo> quantityTable() {
  using enum QuantitySubject;
  using enum QuantitySource;
  static constexpr QuantityInfo all[] = {
      {"q", COORDINATES, ROWS},
      {"u", DOFS, ROWS},
      {"torque", DOFS, TORQUE, false, {}, "feedforward"},
      {"frame_position", FRAMES, POSITION, false, {".x", ".y", ".z"}},
      {"frame_quaternion", FRAMES, QUATERNION, false, {".w", ".x", ".y", ".z"}},
      {"frame_rotation",
       FRAMES,
       ROTATION,
       false,
       {".xx", ".xy", ".xz", ".yx", ".yy", ".yz", ".zx", ".zy", ".zz"}},
      {"frame_velocity", FRAMES, VELOCITY, true, {".x", ".y", ".z"}},
      {"frame_angular_velocity", FRAMES, ANGULAR_VELOCITY, true, {".x", ".y", ".z"}},
      {"gravity", FRAMES, GRAVITY, false, {".x", ".y", ".z"}},
      {"heights", FRAMES, HEIGHTS},
      {"contact", BODIES, CONTACT, false, {}, "contact_force"},
      {"contact_force", BODIES, CONTACT_FORCE, true, {".x", ".y", ".z"}},
      {"array", WORLD, ARRAY},
      {"time", WORLD, ROWS},
      {"target_q", COORDINATES, ROWS},
      {"target_u", DOFS, ROWS},
      {"feedforward", DOFS, ROWS},
      {"tendon_target", TENDONS, ROWS},
      {"tendon_force", TENDONS, ROWS},
      {"kp", DOFS, ROWS},
      {"kd", DOFS, ROWS},
      {"torque_lower", DOFS, ROWS},
      {"torque_upper", DOFS, ROWS},
      {"wrench", BODIES, ROWS, false, {".fx", ".fy", ".fz", ".tx", ".ty", ".tz"}},
      {"mass", BODIES, ROWS},
      {"armature", DOFS, ROWS},
      {"friction", WORLD, ROWS},
      {"delay", WORLD, ROWS},
      {"terrain", WORLD, ROWS, false, {".x", ".y", ".z"}},
  };
  return all;
}

}  // namespace espalier

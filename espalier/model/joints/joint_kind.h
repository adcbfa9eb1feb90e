#pragma once

// The closed list of joint kinds and the table of all that is known of a kind without its equations;
// those (pose, columns) stand in model/joints/<kind>.h.

#include <array>

namespace espalier {

enum class JointKind : int {
  Fixed,
  Revolute,
  Prismatic,
  Helical,
  Universal,
  Euler,
  Planar,
  Translation,
  Spherical,
  Floating,
  Cylindrical,
};

struct JointKindInfo {
  JointKind kind = JointKind::Fixed;
  const char* name = "";     ///< in files, the command line and the page; Python: in capitals
  const char* meaning = "";  ///< of q and, where it is not dq/dt, of u
  int nq = 0, nv = 0;
  int axes = 0;         ///< how many of JointSpec::axes it reads
  int slides = 0;       ///< its first dofs are translations, m; the others are rotations, rad
  int quaternion = -1;  ///< place of w in q and of the angular velocity in u; -1: no quaternion
  /// What follows the joint's name in the name of a coordinate; of a dof where that differs.
  std::array<const char*, 7> coordinates{};
  std::array<const char*, 6> dofs{};
};

// clang-format off
inline constexpr JointKindInfo joint_kinds[] = {
    // kind, name, meaning
    // nq, nv, axes, slides, quaternion, coordinates, dofs
    {JointKind::Fixed,       "fixed", "welded; leaves only a frame",
      0,  0,  0,  0, -1, {}},
    {JointKind::Revolute,    "revolute", "q: angle about the axis",
      1,  1,  1,  0, -1, {""}},
    {JointKind::Prismatic,   "prismatic", "q: distance along the axis",
      1,  1,  1,  1, -1, {""}},
    {JointKind::Helical,     "helical", "q: angle about the axis, advancing pitch m/rad",
      1,  1,  1,  0, -1, {""}},
    {JointKind::Universal,   "universal", "q: angles about axes[0], then axes[1] carried along",
      2,  2,  2,  0, -1, {".1", ".2"}},
    {JointKind::Euler,       "euler", "q: angles about axes[0], axes[1], axes[2] in sequence",
      3,  3,  3,  0, -1, {".1", ".2", ".3"}},
    {JointKind::Planar,      "planar", "q: x, y in the plane normal to the axis, angle about it",
      3,  3,  1,  2, -1, {".x", ".y", ".angle"}},
    {JointKind::Translation, "translation", "q: x, y, z in the joint frame",
      3,  3,  0,  3, -1, {".x", ".y", ".z"}},
    {JointKind::Spherical,   "spherical",
     "q: quaternion w, x, y, z; u: angular velocity in the joint frame",
      4,  3,  0,  0,  0, {".qw", ".qx", ".qy", ".qz"}, {".wx", ".wy", ".wz"}},
    {JointKind::Floating,    "floating",
     "q: position, quaternion; u: velocity, angular velocity in the joint frame",
      7,  6,  0,  3,  3, {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"},
      {".vx", ".vy", ".vz", ".wx", ".wy", ".wz"}},
    {JointKind::Cylindrical, "cylindrical", "q: distance along the axis, angle about it",
      2,  2,  1,  1, -1, {".distance", ".angle"}},
};
// clang-format on

constexpr const JointKindInfo& info(JointKind kind) { return joint_kinds[static_cast<int>(kind)]; }

/// The q [nq] at which the child's frame is the joint's: zeros, of a quaternion 1 0 0 0.
constexpr void neutral(JointKind kind, double* q) {
  for (int i = 0; i < info(kind).nq; ++i) q[i] = i == info(kind).quaternion ? 1 : 0;
}

}  // namespace espalier

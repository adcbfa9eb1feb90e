#pragma once

// The closed list of joint kinds, and the one table about them. What a kind *is* (pose, columns,
// bias, integration) stands in model/joints/<kind>.h.

namespace espalier {

enum class JointKind : int {
  Fixed,        ///< welded; leaves only a frame
  Revolute,     ///< q = angle about the axis; URDF revolute and continuous
  Prismatic,    ///< q = distance along the axis
  Helical,      ///< q = angle about the axis, advancing pitch metres per radian
  Universal,    ///< q = two angles about axes[0], then axes[1] carried along
  Euler,        ///< q = three angles about axes[0], axes[1], axes[2] in sequence
  Planar,       ///< q = x, y in the plane normal to the axis, angle about it
  Translation,  ///< q = x, y, z in the joint frame
  Spherical,    ///< q = quaternion, u = angular velocity in the parent (joint) frame
  Floating      ///< q = position, quaternion; u = velocity, angular velocity in the parent frame
};

struct JointKindInfo {
  JointKind kind;
  const char* name;
  int nq, nv;
  int axes;  ///< how many of JointSpec::axes it reads
};

inline constexpr JointKindInfo joint_kinds[] = {
    {JointKind::Fixed, "fixed", 0, 0, 0},         {JointKind::Revolute, "revolute", 1, 1, 1},
    {JointKind::Prismatic, "prismatic", 1, 1, 1}, {JointKind::Helical, "helical", 1, 1, 1},
    {JointKind::Universal, "universal", 2, 2, 2}, {JointKind::Euler, "euler", 3, 3, 3},
    {JointKind::Planar, "planar", 3, 3, 1},       {JointKind::Translation, "translation", 3, 3, 0},
    {JointKind::Spherical, "spherical", 4, 3, 0}, {JointKind::Floating, "floating", 7, 6, 0},
};

constexpr const JointKindInfo& info(JointKind kind) { return joint_kinds[static_cast<int>(kind)]; }

}  // namespace espalier

#pragma once

// The links of a Spec before anything is compiled: their inertias, their poses, all of them as one body.

#include <optional>
#include <span>
#include <vector>

#include "espalier/model/spec/checks.h"
#include "espalier/model/spec/spec.h"
#include "espalier/spatial/inertia.h"

namespace espalier::io {

/// As a Spec has it, of one about a frame's origin: I_C = I_O - m (c.c 1 - c c'), the parallel axis theorem.
///   pre  b.m > 0
inline InertialSpec aboutCentre(const RigidInertia<double>& b) {
  InertialSpec result;
  const Vec3d c = b.h * (1 / b.m);
  const double cc = dot(c, c);
  result.mass = b.m;
  result.X_LC.p = c;
  result.I = {b.I.xx - b.m * (cc - c.x * c.x), b.I.xy + b.m * c.x * c.y,
              b.I.xz + b.m * c.x * c.z,        b.I.yy - b.m * (cc - c.y * c.y),
              b.I.yz + b.m * c.y * c.z,        b.I.zz - b.m * (cc - c.z * c.z)};
  return result;
}

/// About the link's origin, in its axes.
inline RigidInertia<double> inLink(const InertialSpec& b) {
  return toParent(transpose(b.X_LC.R), b.X_LC.p, RigidInertia<double>{b.mass, {0, 0, 0}, b.I});
}

/// The link's place in spec.links; -1 where there is none of that name.
int linkIndex(const SystemSpec& spec, const std::string& link);

/// How many coordinates the system has in public order: of a floating base seven, then the joints'.
int coordinatesOf(const SystemSpec& spec, const SpecTree& tree);

/// X_RL of every link, R the root, in the order of spec.links.
///   in   q   public order, coordinatesOf numbers; empty: the neutral configuration
///   pre  tree.isTree; axes and quaternions are not zero
std::vector<Transformd> linkPoses(const SystemSpec& spec, const SpecTree& tree,
                                  std::span<const double> q = {});

double massOf(const SystemSpec& spec);  ///< kg, of all links

/// The body in the frame of the system's first link.
///   pre  checked; the first link is the root, parents come before their children, and all joints
///        are fixed; a DYNAMIC body has mass
BodySpec bodyOfLinks(const SystemSpec& spec, BodyType type);

}  // namespace espalier::io

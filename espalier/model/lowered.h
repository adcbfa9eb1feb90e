#pragma once

// Lowered parameters, the input of the recursions. Canonical axes (a one-dof joint turns about or
// slides along the child's z), links merged into bodies, everything of one body side by side.
// P is a plain number shared by all lanes, or a Lanes type where worlds differ.

#include <vector>

#include "espalier/spatial/inertia.h"

namespace espalier {

/// A body and the joint that carries it. J = joint frame on the parent, C = the body's own frame,
/// which coincides with J at q = 0.
template <class P>
struct LoweredBody {
  Mat3<P> E;          ///< R_JP, joint <- parent
  Vec3<P> p;          ///< p_PJ, joint origin in the parent
  RigidInertia<P> I;  ///< about C's origin, in C
};

/// Parameters of only some joint kinds.
template <class P>
struct JointExtra {
  Vec3<P> axes[3];  ///< unit, in J (universal, euler)
  P pitch;          ///< m/rad (helical)
};

template <class P>
struct Lowered {
  std::vector<LoweredBody<P>> bodies;  ///< [nb]
  std::vector<JointExtra<P>> extra;    ///< [nb]
  std::vector<P>
      armature;  ///< [nv] rotor inertia, added to the diagonal of M; the six of a floating
                 ///< base have none and are not read
  bool hasArmature = false;  ///< any armature, or any of the following, is not zero

  // Geared rotors (gyrostats.h)
  std::vector<P> spin;     ///< [nv] kappa: angular momentum along the joint's z, on its carrier,
                           ///< for each unit of its rate
  std::vector<P> geared;   ///< [Topology::geared] kg m^2
  bool hasRotors = false;  ///< any of these is not zero
};

/// The same parameters for another plain number.
template <class P>
Lowered<P> lowered(const Lowered<double>& from) {
  Lowered<P> to;
  for (const auto& b : from.bodies) to.bodies.push_back({bc<P>(b.E), bc<P>(b.p), bc<P>(b.I)});
  for (const auto& x : from.extra)
    to.extra.push_back({{bc<P>(x.axes[0]), bc<P>(x.axes[1]), bc<P>(x.axes[2])}, bc<P>(x.pitch)});
  for (double a : from.armature) to.armature.push_back(bc<P>(a));
  for (double s : from.spin) to.spin.push_back(bc<P>(s));
  for (double g : from.geared) to.geared.push_back(bc<P>(g));
  to.hasArmature = from.hasArmature;
  to.hasRotors = from.hasRotors;
  return to;
}

}  // namespace espalier

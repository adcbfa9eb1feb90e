#pragma once

// Authored parameters of bodies and joints, as in a robot's file, welded links merged, in
// the URDF's own frames. Users edit these; the engine reads the result of lower(). One way.
//
// L = the body's link frame, which is its joint's frame J at q = 0; P = the link frame of the body
// that carries it. For each body, one joint of the same index.

#include <array>
#include <vector>

#include "espalier/model/lowered.h"
#include "espalier/model/topology.h"
#include "espalier/spatial/rotation.h"

namespace espalier {

struct AuthoredBody {
  double mass = 0;                   ///< kg
  Vec3d com{0, 0, 0};                ///< m, centre of mass in L
  Sym3<double> I{0, 0, 0, 0, 0, 0};  ///< kg m^2 about com, axes of L
  /// The joint in P; of a fixed base its pose in the world; of a floating one the identity.
  Transformd X_PJ = identityTransform<double>();
  std::array<Vec3d, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  ///< in J, of any length
  double pitch = 0;                                              ///< m/rad, helical only
};

struct Authored {
  std::vector<AuthoredBody> bodies;  ///< [nb]
  std::vector<double> rotorInertia;  ///< [nv] kg m^2 or kg, on the diagonal of M

  // Geared rotors (gyrostats.h); not for users' hands.
  std::vector<double> reflected;  ///< [nv] kg m^2, added to rotorInertia
  std::vector<double> spin;       ///< [nv] kg m^2
  std::vector<double> geared;     ///< [Topology::geared] kg m^2
};

/// R_LC: the engine's axes of a body, whose z is the joint's axis; the identity for joints that
/// have no axis or several.
Mat3d engineAxes(JointKind kind, const AuthoredBody& body);

/// Authored -> lowered, the only way there is: axes canonical, inertias about the joint.
///   out  lowered  sized here the first time, then written in place
///   pre  sizes as in the topology; axes not zero, else numbers that are not finite
///   cost 60 ns a body
void lower(const Topology& topology, const Authored& authored, Lowered<double>& lowered);

}  // namespace espalier

#pragma once

// Whether authored parameters can be simulated: asked after an edit, before it takes effect. What
// checkSpec() and compile() refuse of a file is refused here, by the same limits.

#include <string>
#include <vector>

#include "espalier/model/compile/authored.h"

namespace espalier {

struct Mechanism;
struct Model;

enum class AuthoredFault {
  None,
  NotFinite,        ///< a number is infinite or none
  NegativeMass,     ///<
  NegativeInertia,  ///< a principal moment is below zero
  NotARotation,     ///< the joint's turn in its parent
  ZeroAxis,         ///<
  ParallelAxes,     ///< two axes of one joint
  NegativeRotor,    ///<
  MovesNothing      ///< a joint that moves no inertia
};

struct AuthoredVerdict {
  AuthoredFault fault = AuthoredFault::None;
  int body = -1;
};

/// The first fault, by body.
///   in   lowered    of the same authored parameters
///   uses carried    [nb], overwritten; no allocation where it has that size, but for massless bodies
///                   of the mechanism
AuthoredVerdict judge(const Topology& topology, const Authored& authored,
                      const Lowered<double>& lowered, const Mechanism& mechanism,
                      std::vector<RigidInertia<double>>& carried);

/// "link 'shin': its mass is negative".
std::string explain(const Model& model, const AuthoredVerdict& verdict);

}  // namespace espalier

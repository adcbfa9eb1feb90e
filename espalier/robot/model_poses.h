#pragma once

// Where the links and geared rotors of a model are, from the kinematics of its bodies: the engine's
// frames C turned back into those of the file. Internal.

#include "espalier/dynamics/tree/workspace.h"
#include "espalier/model/model.h"

namespace espalier {

/// Pose of a body's link about the common origin O: R_WL and the link's origin from O, world axes.
///   pre  kinematics(q, u)
Transformd linkPose(const Model& model, const Workspace<double>& ws, int body);

/// How a rotor (Model::rotors) has turned in the link that carries it, as a motion of that link's
/// frame; the identity for -1.
///   in  q [nq]  internal order
Transformd rotorTurn(const Model& model, int rotor, const double* q);

/// Unit axis about which a rotor turns against its carrier, world axes.
Vec3d rotorAxis(const Model& model, const Workspace<double>& ws, const RotorInfo& rotor);

}  // namespace espalier

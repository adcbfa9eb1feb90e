#pragma once

// Steps of compile(), in the order in which it takes them.

#include "espalier/core/diagnostic.h"
#include "espalier/model/compile/gyrostats.h"
#include "espalier/model/loops/weld_joints.h"
#include "espalier/model/model.h"

namespace espalier {

// ---- geared rotors (compile_rotors.cpp)

/// Gyrostats of a spec -> the rotors of a model: RotorInfo, which frames turn, and the
/// constants of joints in Authored and Topology.
///   pre  bodies, dofs and frames of the model are there; rotors are welded to their carriers
void addRotors(const SystemSpec& spec, const Gyrostats& gyrostats, Model& model);

// ---- tendons, weights and drag (compile_tendons.cpp)

/// Model::tendons.   pre  the model has its bodies and rotors
void addTendons(const SystemSpec& spec, Model& model);

/// Their points and surfaces in the engine's axes.   pre  BodyInfo::R_LC is there
void lowerTendons(Model& model);

/// Model::heldWeights.   pre  the model has its links
void addHeldWeights(const SystemSpec& spec, Model& model);

/// Model::medium and dragBoxes.   pre  the model has its links
void addDrag(const SystemSpec& spec, Model& model);

// ---- loops that coordinates keep (compile_mechanism.cpp)

/// Mechanism of a compiled tree from the loops, couplings and mimics of its spec; lone joints where it has none.
///   out     rigid  bodies that loops leave nothing to move, none of whose joints the file flags
///           independent; then the joints are lone ones, and withWelds() is what to compile
///   warns   of those, and of loops that close only but for rounding (model/loops/rounding.h)
///   errors  a loop that cannot close (its residual), independent flags that do not determine the
///           rest (the rank), nothing left to move of what is flagged
Mechanism compileMechanism(const SystemSpec& spec, const Model& tree, RigidBodies& rigid,
                           Diagnostics& diagnostics);

// ---- loops that rows of the contact problem keep (compile_bilateral.cpp)

/// The loops of a spec that ask for rows of the contact problem.
///   pre     model.mechanism holds the others
///   errors  a loop that cannot close, with its residual
BilateralLoops compileBilateral(const SystemSpec& spec, const Model& model,
                                Diagnostics& diagnostics);

}  // namespace espalier

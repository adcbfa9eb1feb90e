#pragma once

// Live editing: the parameters that a robot's owner may write to, and how edits take effect.
//
// Getters return references (std::vector<double>& getMass()), so that writing to them is not
// reported. Parameters handed out are therefore compared byte by byte with those in force when a
// step begins, and at updateMassInfo(). Until then every query answers by the old parameters; then
// all edits take effect together, or, where one of them cannot be, none and std::invalid_argument.
//
//   written (URDF frames) -> authored -> checked -> lowered -> the engine
//
// An edited robot is, to the bit, the one compiled from the file with the same edits. The
// parameters in force are a function of the written ones alone: an edit undone restores every bit.

#include <memory>
#include <vector>

#include "espalier/model/model.h"
#include "espalier/robot/collision_body.h"
#include "espalier/robot/math.h"
#include "espalier/step/system.h"

namespace espalier {

/// Authored parameters as they are handed out, by body.
struct Description {
  explicit Description(const Model& model);

  std::vector<double> mass;                 ///< kg
  std::vector<Vec<3>> com_B;                ///< m, in the body's joint frame
  std::vector<Mat<3, 3>> inertia_B;         ///< kg m^2 about the centre of mass, axes of that frame
  std::vector<Vec<3>> jointPos_P;           ///< m, in the joint frame of the carrying body
  std::vector<Mat<3, 3>> jointRot_P;        ///< joint frame in that of the carrying body
  std::vector<Vec<3>> jointAxis_P;          ///< in the joint frame of the carrying body, any length
  std::vector<double> rotorInertia;         ///< [nv] internal order
  std::vector<CollisionOffset> collisions;  ///< [collision bodies]
};

/// Members of a Description to which users hold references.
enum class HandedOut : unsigned {
  Mass = 1,
  Com = 2,
  Inertia = 4,
  JointPos = 8,
  JointRot = 16,
  JointAxis = 32,
  Collisions = 64
};

struct Editing {
  Editing(StepData& world, System& system);

  std::shared_ptr<const Model> compiled;  ///< as compiled
  std::shared_ptr<Model> model;           ///< a copy, the system's own, with the edits in force
  Description start, written, inForce, before;
  std::vector<CollisionBody> collisionBodies;
  std::vector<GeomId> geoms;  ///< by collision body; not valid without geometry
  unsigned handedOut = 0;     ///< of HandedOut
  bool isTouched = false;     ///< a setter has written

  // Scratch of a change
  Authored authored;
  Lowered<double> lowered;
  std::vector<RigidInertia<double>> carried;
};

/// The system's Editing, made the first time, when the system gets a Model of its own.
Editing& editingOf(StepData& world, System& system);

/// Lets edits of a system take effect if there are any; true if so. World calls it when a step
/// begins.
///   errors  throws std::invalid_argument and changes nothing where they are impossible
///   cost    none where nothing was ever handed out; else a comparison; no allocation but where joints of
///           robots with loops were moved, which are closed again
bool relowerIfChanged(StepData& world, System& system);

/// Takes coordinates of which all loops are closed: velocities follow, contacts and impulses are forgotten.
///   in  q  [nq]
void takeCoordinates(StepData& world, System& system, const std::vector<double>& q);

/// Moves the base: that of a floating system by its coordinates; a fixed one is put where it is
/// said, at once; nothing is carried along. Velocities stay.
///   pre  between steps; R a rotation; else throws std::invalid_argument
void setBasePose(StepData& world, System& system, const Transformd& X_WB);

}  // namespace espalier

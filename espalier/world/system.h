#pragma once

// One articulated system as the world holds it: its model, the parameters and actuation in force,
// and the scratch of its step. ArticulatedSystem (articulated_system.h) is the face users see.

#include <memory>
#include <vector>

#include "espalier/core/aligned.h"
#include "espalier/dynamics/branches.h"
#include "espalier/dynamics/workspace.h"
#include "espalier/model/model.h"
#include "espalier/world/scheme.h"

namespace espalier {

/// RaiSim's names: with FORCE_AND_TORQUE gains and targets rest.
enum class ControlMode { FORCE_AND_TORQUE, PD_PLUS_FEEDFORWARD_TORQUE };

/// What drives the joints; [nv] or [nq] numbers in internal order.
struct Actuation {
  explicit Actuation(const Model& model);

  ControlMode mode = ControlMode::FORCE_AND_TORQUE;
  AlignedArray<double> feedforward;         ///< [nv] N m or N; stays until changed
  AlignedArray<double> kp, kd;              ///< [nv]
  AlignedArray<double> targetQ;             ///< [nq]
  AlignedArray<double> targetU;             ///< [nv]
  AlignedArray<double> lower, upper;        ///< [nv] limits of the commanded torque
  AlignedArray<double> damping, stiffness;  ///< [nv] passive
  AlignedArray<double> springMount;         ///< [nq]
};

/// A unilateral limit of one coordinate.
struct LimitedDof {
  int q, u;
  double lower, upper;
};

struct System {
  System(std::shared_ptr<const Model> compiled, int firstQ, int firstU);
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  const Topology& topology() const { return model->topology; }

  std::shared_ptr<const Model> model;
  Lowered<double> parameters;
  int q0, u0;  ///< its range in the world's q and u
  Actuation actuation;
  std::vector<LimitedDof> limits;
  bool hasSprings = false;
  std::vector<int> chain, chainBegin;    ///< ancestor dofs of each body, ascending
  AlignedArray<Force<double>> external;  ///< [nb] about the body's origin, world axes, one step
  bool hasExternal = false;

  Workspace<double> ws;
  Branches branches;            ///< its limbs side by side, where that pays
  std::vector<int> geomBodies;  ///< bodies that carry collision shapes
  // Of the step in progress; [nv] unless said.
  AlignedArray<double> qm;  ///< [nq] where forces are evaluated
  AlignedArray<double> h;
  AlignedArray<double> externalForce;  ///< J' external
  AlignedArray<double> command;        ///< motor torque at evaluation, clamped
  AlignedArray<double> force;          ///< command + passive + external, before the implicit part
  AlignedArray<double> w, wMotor, wDamping;  ///< implicit weights on the diagonal of M
  AlignedArray<double> z;                    ///< L'^-1 dt (force - h), then + Y' lambda
  AlignedArray<double> uNext, mean;
  AlignedArray<double> applied;  ///< motor torque really applied in the last step
};

/// Scales the quaternions of q [nq] to unit length. Where all are so to rounding nothing changes,
/// so that a state that was taken and put back is the same to the bit.
///   uses sys.qm
void makeUnit(System& sys, double* q);

/// Commanded torque, total force and implicit weights at sys.qm and u.
///   from docs/architecture.md, "Time steps"
void actuate(System& sys, const double* u, Scheme scheme, double dt);

}  // namespace espalier

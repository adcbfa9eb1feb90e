#pragma once

// One articulated system as the world holds it: its model, the parameters and actuation in force,
// and the scratch of its step. ArticulatedSystem (articulated_system.h) is the face users see.

#include <memory>
#include <string>
#include <vector>

#include "espalier/core/aligned.h"
#include "espalier/dynamics/tree/workspace.h"
#include "espalier/model/model.h"
#include "espalier/model/spec/spec.h"
#include "espalier/step/backoff.h"
#include "espalier/step/evaluation.h"
#include "espalier/step/loops.h"
#include "espalier/step/scheme.h"
#include "espalier/step/spherical_bounds.h"
#include "espalier/step/step_notes.h"
#include "espalier/step/step_numbers.h"
#include "espalier/step/system_option.h"
#include "espalier/step/tension.h"

namespace espalier {

struct Editing;  // editing.h

/// RaiSim's names: with FORCE_AND_TORQUE gains and targets rest.
enum class ControlMode { FORCE_AND_TORQUE, PD_PLUS_FEEDFORWARD_TORQUE };

/// How motors keep to their limits. COMMAND bounds the torque that is commanded at the evaluation
/// point, as RaiSim does; what the implicit part adds may exceed it. EXACT bounds the torque really
/// applied, as a row of the constraint problem for every dof with gains and a finite limit.
enum class TorqueLimits { COMMAND, EXACT };

/// What drives the joints; [nv] or [nq] numbers in internal order.
struct Actuation {
  /// As the joints' actuators say (ActuatorSpec); without motors elsewhere.
  explicit Actuation(const Model& model);

  ControlMode mode = ControlMode::FORCE_AND_TORQUE;
  AlignedArray<double> feedforward;         ///< [nv] N m or N; stays until changed
  AlignedArray<double> kp, kd;              ///< [nv]
  AlignedArray<double> targetQ;             ///< [nq]
  AlignedArray<double> targetU;             ///< [nv]
  AlignedArray<double> lower, upper;        ///< [nv] limits of the commanded torque
  AlignedArray<double> damping, stiffness;  ///< [nv] passive
  AlignedArray<double> springMount;         ///< [nq]
  AlignedArray<double> friction;            ///< [nv] N m or N, dry
  AlignedArray<double> speed;               ///< [nv] rad/s or m/s, the joints' own limits
  std::vector<ActuatorSpec>
      tendons;               ///< [Model::tendons]; one without any has no gains and no force
  bool limitsSpeed = false;  ///< whether they are kept
  TorqueLimits torqueLimits = TorqueLimits::COMMAND;

  // What controllers add (compat/arboris/controller.h): force + Z u+, Z's symmetric part implicit.
  AlignedArray<double> controlForce;      ///< [nv]
  AlignedArray<double> controlImpedance;  ///< -Z, packed as Workspace::H; positive semidefinite
  bool hasControl = false;

 private:
  void take(const ActuatorSpec& actuator, const BodyTopology& joint);
};

/// A tendon in a step (tendons.h).
struct TendonState {
  /// A straight segment, in world axes from the system's origin.
  struct Segment {
    Vec3d from{}, to{};
    Vec3d pull{};  ///< gradient of the tendon's length by `to`; minus it by `from`
  };

  std::vector<Segment> segments;
  std::vector<WrapWay> ways;  ///< [TendonInfo::wraps]
  double length = 0, rate = 0;
  Tension<double> spring, actuator;
};

/// Rows of the contact problem that one dof can have: limits, limit of speed, dry friction, motor;
/// a tendon can have its spring, too. The limits of a spherical joint take the places of its three dofs (slotOf).
enum class JointRowKind { LOWER, UPPER, SPEED, FRICTION, MOTOR, SPRING };
inline constexpr int joint_row_kinds = 6;

struct JointForces;

/// A unilateral limit of one coordinate.
struct LimitedDof {
  int q, u;
  double lower, upper;
};

/// The dof whose place in System::warm a limit has.   in  dof  the coordinate's, or a ball's first
constexpr int slotOf(LimitedAngle angle, int dof) {
  return angle == LimitedAngle::COORDINATE ? dof : dof + static_cast<int>(angle) - 1;
}

struct System : StepNumbers<double> {
  System(std::shared_ptr<const Model> compiled, int firstQ, int firstU);
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  std::shared_ptr<const Model> model;
  Lowered<double> parameters;
  int q0, u0;                              ///< its range in the world's q and u
  int object = -1;                         ///< its place in the world's list
  std::shared_ptr<const SystemSpec> spec;  ///< as added; null where it came as a model
  ArticulatedSystemOption options;         ///< as added
  std::string resourceDir;                 ///< where its meshes were looked for; may be empty
  std::vector<double> startQ, startU;      ///< where World::reset() puts it
  int mover = 0;                           ///< its numbers in the contact problem
  int firstOwner = 0;                      ///< of its bodies in the collision scene
  std::vector<GeomId> geoms;               ///< by Model::collisions; invalid: no shape
  Actuation actuation;
  std::vector<LimitedDof> limits;
  std::vector<LimitedBall> limitedBalls;
  std::vector<TendonState> tendons;  ///< of Model::tendons
  bool hasSprings = false;
  bool hasBaseSpring = false;            ///< on a floating base
  bool hasFriction = false;              ///< see noteActuation()
  AlignedArray<Force<double>> external;  ///< [nb] about the body's origin, world axes, one step
  bool hasExternal = false;
  AlignedArray<Force<double>> drag;  ///< [Model::dragBoxes] likewise, of the step in progress
  AppliedForces pushes;              ///< the forces among them

  std::unique_ptr<Workspace<double>> callbackWs;  ///< of queries from a contact callback
  std::unique_ptr<Evaluation> evaluation;
  std::vector<int> geomBodies;  ///< bodies that contacts, welds or bilateral loops look at
  // Of the step in progress; [nv] unless said.
  AlignedArray<double> externalForce;     ///< J' external
  AlignedArray<double> command;           ///< motor torque at evaluation, clamped
  AlignedArray<double> wMotor, wDamping;  ///< parts of w
  AlignedArray<double> softMotor;         ///< wMotor of dofs whose motor is a row: EXACT
  AlignedArray<double> applied;           ///< motor torque really applied in the last step
  AlignedArray<double> acceleration;      ///< (u+ - u) / dt of the last step
  AlignedArray<double>
      warm;             ///< [joint_row_kinds * rowDofs()] impulses of joint rows, N m s or N s
  bool hasWarm = true;  ///< some of them may not be zero

  std::vector<Vec3d> loopImpulses;  ///< by Model::bilateral's groups, N s and N m s: warm start

  Backoff corrections;

  // Momentum of a floating system (momentum.cpp)
  Force<double> momentum{};  ///< about the world's origin: what it must be
  bool knowsMomentum = false;
  bool touchesStatic = false;       ///< in the last step, or is welded to something
  AlignedArray<double> endQ, endU;  ///< state for which it holds

  std::shared_ptr<Editing> editing;  ///< none until something was handed out for writing
  int edits = 0;                     ///< how often `parameters` have changed

  // What fast steps may not gain (energy_limit.h)
  AlignedArray<double> turns;  ///< [nv] 1 for an angle, 0 for a distance
  double energyLost = 0;       ///< J, to errors of the steps so far; later ones may give it back

  std::shared_ptr<JointForces> jointForces;  ///< where setComputeInverseDynamics() asks for them

  bool isRegular = true;   ///< M~ of the step in progress could be factored
  bool isRefused = false;  ///< the last step was not taken (refused_step.cpp)

  void noteActuation();  ///< after edits of friction or springs
  /// Its mechanism in the step; of a tree one without clusters.
  Loops& loops() { return *loops_; }
  const Loops& loops() const { return *loops_; }
  /// After another model took the place of the one it had.
  void renewLoops();

  /// What can have a row of its own: the dofs, after them the rotors that are no bodies, and after
  /// these the tendons.
  int rowDofs() const { return firstTendon() + static_cast<int>(model->tendons.size()); }
  int firstTendon() const { return model->nv() + static_cast<int>(model->rotors.size()); }
  /// Whether wrenches of its own act on bodies: external ones, what holds weights, drag.
  bool hasWrenches() const {
    return hasExternal || !model->heldWeights.empty() || !model->dragBoxes.empty();
  }
  double& warmOf(JointRowKind kind, int dof) {
    return warm[static_cast<int>(kind) * rowDofs() + dof];
  }
  double motorImpulse(int dof) { return warmOf(JointRowKind::MOTOR, dof); }

 private:
  std::unique_ptr<Loops> loops_;
};

/// Of one of System::rowDofs(), from the rates of all dofs; of a tendon as measured (tendons.h).
inline double rateOf(const System& sys, int dof, const double* u) {
  const int nv = sys.model->nv(), tendon = dof - sys.firstTendon();
  if (tendon >= 0) return sys.tendons[tendon].rate;
  return dof < nv ? u[dof] : sys.model->rotors[dof - nv].rate(u);
}

/// The dofs that are solved for and move a body, ascending.
inline DofChain chainOf(const System& sys, int body) { return chainOf(sys.mechanism(), body); }

/// A body that contacts, welds or loops look at: lanes hand its numbers out in every step.
void noteBody(System& sys, int body);

/// Scales the quaternions of q [nq] to unit length. Where all are so to rounding nothing changes,
/// so that a state that was taken and put back is the same to the bit.
///   uses sys.qm
void makeUnit(System& sys, double* q);

/// The wrench about a body's origin, world axes, that acts on it by itself: the external one, what
/// holds weights, and drag.
///   in  R_WC  orientation of the body
Force<double> ownWrench(const System& sys, int body, const Mat3d& R_WC, const Vec3d& gravity);

/// force += J' of every body's ownWrench().
///   out  sys.drag, sys.externalForce
void addExternal(System& sys, const Vec3d& gravity, double dt);

/// Commanded torque, total force and implicit weights at sys.qm and u.
///   from docs/architecture.md, "Time steps"
void actuate(System& sys, const double* u, Scheme scheme, double dt);

}  // namespace espalier

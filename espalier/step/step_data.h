#pragma once

// A world as the stages of the step see it: its systems and bodies, their state, contacts, settings.
// World adds the handles that users hold (world/world_data.h).

#include <functional>
#include <memory>
#include <vector>

#include "espalier/collision/scene.h"
#include "espalier/contact/gauss_seidel.h"
#include "espalier/model/state.h"
#include "espalier/step/contact.h"
#include "espalier/step/contact_rows.h"
#include "espalier/step/endpoint.h"
#include "espalier/step/free_body.h"
#include "espalier/step/materials.h"
#include "espalier/step/placed_geom.h"
#include "espalier/step/step_report.h"
#include "espalier/step/system.h"

namespace espalier {

/// An impulse remembered from the last step.
struct WarmImpulse {
  GeomId a, b;
  int feature = 0;
  Vec3d impulse{};  ///< N s, world axes
  Vec3d torque{};   ///< N m s, world axes
  Vec3d position{};
};

/// A row on one joint: its impulse lies in [lower, upper] times the step.
struct JointRow {
  System* system = nullptr;
  int dof = -1;  ///< of the system; from nv on its rotors, then its tendons (System::rowDofs)
  JointRowKind kind{};
  double sign = 1;                      ///< the row is sign u_dof, or the rotor's or tendon's rate
  double bias = 0;                      ///< added to it
  double lower = 0, upper = unlimited;  ///< N m s or N s
  double softness = 0;                  ///< added to the diagonal of G
  double known = 0;                     ///< what acts as a force already (sliding.h)
  /// Of a spherical joint the row is sign direction . u of its three dofs, `dof` the first.
  LimitedAngle angle = LimitedAngle::COORDINATE;
  Vec3d direction{};

  double& warm() const { return system->warmOf(kind, slotOf(angle, dof)); }
  bool isOneSided() const { return lower == 0 && upper == unlimited; }
};

/// Dry friction that acts as a force, because its joint slides (sliding.h).
struct SlidingJoint {
  System* system = nullptr;
  int dof = -1;
  double impulse = 0;  ///< N m s or N s
  bool joins = false;  ///< u+ of the last solve has another sign
  bool hasRow = false;
};

/// Two bodies made one at run time, by rows of the contact problem.
struct Weld {
  int id = 0;
  int objectA = -1, objectB = -1;  ///< -1: the world
  Endpoint a, b;
  Transformd X_AF = identityTransform<double>();  ///< the common frame in both
  Transformd X_BF = identityTransform<double>();
  Vec3d impulse{}, torque{};  ///< N s, N m s on A, world axes: the warm start
};

/// When single bodies rest (sleeping.cpp).
struct Sleeping {
  bool isOn = false;
  double linearSpeed = 0.002, angularSpeed = 0.01;  ///< m/s, rad/s
  int quietSteps = 20;
};

/// A contact that cannot close in this step as far as its start tells (candidates.h).
struct Candidate {
  Contact contact;
  MaterialPair law;
  Vec3d rate, drift;  ///< J u, dJ/dt u
  double bias;        ///< m/s, of the law
  int place;          ///< in collision's order
  bool joins = false;
};

struct StepData {
  // Authored
  std::vector<std::unique_ptr<System>> owned;
  std::vector<std::unique_ptr<FreeBody>> free;
  std::vector<std::unique_ptr<Weld>> welds;
  Materials materials;
  Vec3d gravity{0, 0, -9.81};
  double dt = 0.001;
  Scheme scheme = Scheme::MIDPOINT;
  ContactSettings settings;
  bool monitorsEnergy = false;
  Sleeping sleeping;
  std::function<bool(const Contact&, MaterialPair&)> onContact;
  StepNotes<CastRay> rays;  ///< that were cast, to draw them

  // State
  State state;

  // Compiled when the world changed
  bool isPrepared = false;
  std::vector<System*> systems;
  std::vector<FreeBody*> bodies;  ///< those that move
  std::vector<PlacedGeom> geoms;  ///< by GeomId
  Scene scene;
  int contactRoom = 0, jointRowRoom = 0;  ///< of the arrays below and of the solver (room.h)
  ContactRows rows;
  contact::Problem<double> problem;
  contact::GaussSeidel<double> solver;

  // Of the step in progress
  bool isBetween = false;     ///< integrate1 done, integrate2 not yet
  bool isInCallback = false;  ///< the contact callback runs
  StepReport report;
  std::vector<ContactPoint> points;  ///< [mostContacts()]
  std::vector<Contact> contacts;
  int contactCount = 0;               ///< those of the contact problem
  std::vector<int> place;             ///< by contact: its place in collision's order
  std::vector<Candidate> candidates;  ///< candidates.h; reported behind the contacts
  int candidateCount = 0, candidateRow = 0;
  std::vector<SlidingJoint> sliding;  ///< sliding.h; by system and dof
  int slidingCount = 0;
  int solvesAgain = 0;         ///< with candidates or rows that joined, since solveContacts
  std::vector<Vec3d> start;    ///< by group: what a solve with new contacts starts from
  std::vector<char> isNew;     ///< by group: it joined last
  std::vector<Vec3d> relaxed;  ///< by group: what the next step starts from
  std::vector<Vec3d> torsionStart,
      torsionRelaxed;                 ///< by contact: of its group of rolling friction
  std::vector<int> contactsOfObject;  ///< scratch of Object::getContacts()
  std::vector<JointRow> jointRows;
  int jointRowCount = 0;
  std::vector<Vec3d> lambda, rate, bias;  ///< by group: impulse, J u, bias of the law
  std::vector<int> torsion;               ///< by contact: its group of rolling friction, or -1
  std::vector<Vec3d> torsionWarm;         ///< warm starts of those groups
  int weldGroup = 0;                      ///< first of two groups a weld
  std::vector<Vec3d> drift;               ///< by contact: dJ/dt u
  std::vector<double> correction;         ///< by contact: Problem::setCorrection
  std::vector<MaterialPair> law;          ///< by contact
  std::vector<WarmImpulse> warm;
  int warmCount = 0;
  double energyBefore = 0;
  bool knowsEnergy = false;
  State saved;  ///< before the step, should it have to be given up

  void clearContacts() { contactCount = candidateCount = 0; }
  int reportedContacts() const { return contactCount + candidateCount; }
  /// Whether queries speak of the step's evaluation point instead of the present state.
  bool isAtEvaluationPoint() const { return isBetween || isInCallback; }
  PlacedGeom& geom(GeomId id) { return geoms[id.value]; }
  const PlacedGeom& geom(GeomId id) const { return geoms[id.value]; }
  double* qOf(const System& s) { return state.q.data() + s.q0; }
  double* uOf(const System& s) { return state.u.data() + s.u0; }
  double* qOf(const FreeBody& b) { return state.q.data() + b.q0; }
  double* uOf(const FreeBody& b) { return state.u.data() + b.u0; }
};

/// Sizes everything the step needs. Only this allocates, and room.h in a step that has more
/// contacts than any before.
void prepare(StepData& world);
/// Throws std::invalid_argument unless the world is between steps.
void requireBetweenSteps(const StepData& world);
/// Throws std::invalid_argument while the contact callback runs.
void requireNoCallback(const StepData& world);
/// What the solver and the momentum remember is another trajectory's; sleepers wake.
void forget(StepData& world);
/// The same of one robot, its contacts aside, and of one body.
void forget(System& sys);
void forget(FreeBody& body);
/// Takes the contacts of an object out of the list of the last step; the warm start stays.
///   pre  between steps
void dropContacts(StepData& world, int object);

// The stages, in order (step.cpp holds the pipeline).
void evaluate(StepData& world);      ///< q_m, kinematics, h, M at the evaluation point
void exportBodies(StepData& world);  ///< every body's numbers into the workspaces
void findContacts(StepData& world);  ///< collision, at the evaluation point
void solveStep(StepData& world);     ///< forces, factor, rows, contact impulses
void finishStep(StepData& world);    ///< the new state; of what failed the old one, and a flag

/// Puts quiet bodies to sleep and wakes those that are pushed; after finishStep.
void updateSleep(StepData& world);
void setAsleep(StepData& world, FreeBody& body, bool isAsleep);
void wakeAll(StepData& world);

// Contacts
void findJointRows(StepData& world);  ///< limits, dry friction
void findMotorRows(StepData& world);  ///< once forces are known
void askLaws(StepData& world);  ///< joint rows, candidates; what all laws ask for, warm starts
void askRows(StepData& world);  ///< the last two, once the contacts of the problem are others
void assembleContacts(StepData& world);  ///< rows, Delassus blocks
void solveContacts(StepData& world, double tolerance, bool again);
/// m/s, the tolerance of the solve whose velocities only predict the mean velocity of a MIDPOINT
/// step: an error e of it changes u+ by dt h_u e, far less than the step's own tolerance. Of other
/// schemes the first solve is the last.
double firstTolerance(const StepData& world);
/// A solve once more, after assembleAgain (candidates.h).
void solveAgain(StepData& world, double tolerance);
/// The impulses of the solve, and world.relaxed for the next step.
void rememberImpulses(StepData& world);

// Energy (only when monitored); workOfStep before finishStep, mechanicalEnergy after
double mechanicalEnergy(StepData& world);
double workOfStep(StepData& world);

}  // namespace espalier

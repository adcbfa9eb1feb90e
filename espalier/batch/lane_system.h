#pragma once

// A LaneRobot in the widest registers of this machine, as code that is compiled for every machine sees it: its
// numbers are plain doubles, [index * lanes + lane]. What of a step is not numbers alone (collision, laws,
// limits, who may go in a lane) lane_stages.cpp does world by world, and hands the numbers to and fro.

#include <functional>
#include <memory>
#include <vector>

#include "espalier/batch/lane_robot.h"
#include "espalier/step/solve_budget.h"
#include "espalier/step/system.h"

namespace espalier {

/// The numbers of a plain struct.
template <class Plain>
inline constexpr int numbersOf = static_cast<int>(sizeof(Plain) / sizeof(double));

/// To the bit.
bool haveSameParameters(const Lowered<double>& a, const Lowered<double>& b);
/// The same places on the same bodies.
bool haveSameShapes(const Model& a, const Model& b);
/// Closures between the same frames of bodies.
bool haveSameClosures(const Model& a, const Model& b);

class LaneSystem {
 public:
  /// In the widest registers of this machine.
  ///   in  like        a robot as all of them are; its model outlives this object
  ///       parameters  of all of them; outlive it too
  static std::unique_ptr<LaneSystem> make(const System& like, const Lowered<double>& parameters);
  virtual ~LaneSystem();

  const int lanes;
  static constexpr int most_lanes = 8;
  /// Those of the widest registers of this machine.
  static int widest();

  /// [index * lanes + lane], an index as in a System or a workspace. Those that come in must be
  /// numbers in every lane.
  struct Numbers {
    double *gravity, *q, *u, *force, *w;                  // in
    double* impedance;                                    // in, of a tree: as in StepInput
    double *predictedAcceleration, *isPredicted, *lastG;  // in, with loops: as in StepHistory
    double *rates, *h, *z, *y, *uNext;                    // out
    double* free;                                         // out: u+ without contacts
    const double *g, *G;                                  // out, with loops
    const double* reducedColumns;                         // out: as System::solvedColumns()
    double *left, *publicSuffice;                         // out: of a closing; 1: publicSuffice()
    const double* singularity;                            // likewise
    double* isRegular;                                    // out: 1 where M is positive definite
    const double *S, *H, *Dinv;                           // out: the factor; columns of a tree
    double *qm, *stageU, *stageStart;                     // out: of stages; u before the first
    const double* origin;                                 // out
    const double* geoms;                                  // out: [Model::collisions] GeomMotion
    double *group, *lambda, *takesPart, *residual;        // in and out: of the contact problem
  };
  Numbers at{};
  struct Body {
    const double *R, *x, *V, *A;
  };
  std::vector<Body> bodies;  ///< [nb] out

  /// Parameters of each lane, until shareParameters(): those of worlds whose robots were edited.
  ///   pre  canPutParameters()
  virtual void putParameters(const Lowered<double>* const (&of)[most_lanes]) = 0;
  virtual void shareParameters() = 0;
  /// Whether lanes can take these: armature and rotors are there where the shared ones have some.
  virtual bool canPutParameters(const Lowered<double>& own) const = 0;

  /// From q, where the step starts.
  virtual void approach(Scheme scheme, double dt) = 0;
  virtual void evaluate(double dt) = 0;
  virtual void push(Scheme scheme, double dt, bool hasImpedance) = 0;
  virtual void nextVelocity() = 0;
  virtual void pushAgain(double dt) = 0;
  /// From q, where the step starts.   pre  nextVelocity()
  virtual void leave(Scheme scheme, double dt) = 0;
  /// leave() with RUNGE_KUTTA_4: u+, too. Of a tree.
  ///   in  forces  asked in every stage: at.force and at.w at at.qm, at.stageU
  virtual void rungeKutta(double dt, const std::function<void()>& forces) = 0;
  virtual void arrive() = 0;

  // ---- the contact problem of lanes of one contact pattern, at most contact::few_groups groups;
  // z of the others is left alone

  virtual void clearGroups() = 0;
  /// in  bodyA, bodyB  of the robot; -1: what never moves
  virtual void addContact(int bodyA, int bodyB) = 0;
  /// in  dof  one of System::rowDofs()
  virtual void addJoint(int dof, bool isOneSided) = 0;
  /// Of all groups, from at.group.
  virtual void assemble() = 0;
  /// io  at.lambda  from the warm start to the impulses;  at.z
  ///   in   again  only z has changed since the last time
  ///   returns  steps of the slowest lane
  virtual int solve(double tolerance, const SolveBudget& budget, bool again) = 0;

  // ---- numbers of worlds to lanes and back

  /// [lanes] where the numbers of each lane are.
  using Sources = const double* [most_lanes];
  using Targets = double* [most_lanes];
  void put(double* to, const Sources& from, int count) const;
  void take(const double* from, const Targets& to, int count) const;
  /// Of one lane.
  void put(double* to, int lane, const double* from, int count) const {
    for (int i = 0; i < count; ++i) to[i * lanes + lane] = from[i];
  }
  void take(const double* from, int lane, double* to, int count) const {
    for (int i = 0; i < count; ++i) to[i] = from[i * lanes + lane];
  }
  /// How all bodies stand and move, and the columns of all joints.
  void takeBodies(int lane, System& sys) const;
  /// The factor of what is solved for, z and y, and h: what limitEnergy() asks of a system.
  void takeImpulse(int lane, System& sys) const;
  /// All that the rows of contacts ask of a system.
  void takeColumns(int lane, System& sys) const;

 protected:
  LaneSystem(int laneCount, const System& like);
};

/// In the lanes of x86-64-v4; the caller owns it.
///   pre  hasWideRegisters()
LaneSystem* newLaneSystem_v4(const System& like, const Lowered<double>& parameters);

}  // namespace espalier

#pragma once

// One robot of several worlds, a world in each lane of a register: what of their steps is numbers alone. Who
// steps worlds side by side fills its arrays, calls the stages in order, and reads what they leave.
//
//   approach      q_m, not closed yet              the lanes of the stages in step.cpp and loops.cpp
//   evaluate      q_m closed, its rates, h, M
//                 where geoms are, how they move
//   push          M + diag w factored, z
//   assemble      rows of contacts and joints, G   the lanes of contacts.cpp
//   solve         lambda, z + Y' lambda
//   nextVelocity  u+
//   pushAgain     h at the mean velocity, z
//   leave         q+, not closed yet
//   arrive        q+ closed, u+ there
//
// All numbers of a lane come out as they would in any other lane, beside any neighbours.

#include <functional>
#include <vector>

#include "espalier/batch/lane_contacts.h"
#include "espalier/dynamics/simd/subtree_lanes.h"
#include "espalier/step/geom_motion.h"
#include "espalier/step/system.h"
#include "espalier/step/system_step.h"

namespace espalier {

/// What all robots of the lanes weigh and measure, but for those with parameters of their own.
struct LaneParameters {
  explicit LaneParameters(const System& like);
  Lowered<double> whole;
  SubtreeSet subtrees;  ///< empty where they do not go on their own
};

template <class T>
class LaneRobot {
 public:
  ///   in  like        a robot as all of them are; its model outlives this object
  ///       parameters  of all of them; outlive it too
  ///       groups      of contacts and joint rows, at most
  LaneRobot(const System& like, const LaneParameters& parameters, int groups);

  const Model& model;
  const Topology &t, &solved;

  // In; [nv] unless said. They must be numbers in every lane.
  Vec3<T> gravity{};
  AlignedArray<T> q;  ///< [nq] io
  AlignedArray<T> u, force, w;
  AlignedArray<T> impedance;                     ///< [entries] of a tree: as in Actuation
  AlignedArray<T> predictedAcceleration, lastG;  ///< as in Loops
  T isPredicted{}, shareOfG{};
  // Out
  AlignedArray<T> rates, h, uNext;
  AlignedArray<T> z;                  ///< of what is solved for; io of solve()
  T left{}, publicSuffice{};          ///< of a closing; 1: publicSuffice()
  T isRegular{};                      ///< 1 where M is positive definite
  AlignedArray<T> stageQ, stage;      ///< [nq], [7 nv] RUNGE_KUTTA_4
  AlignedArray<T> free;               ///< [nv] likewise: u+ without contacts
  AlignedArray<GeomMotion<T>> geoms;  ///< [Model::collisions]
  LaneContacts<T> contacts;

  /// A body's numbers in the workspace that holds them.
  struct Body {
    const Workspace<T>* ws = nullptr;
    int index = 0;
  };
  std::vector<Body> bodies;                      ///< [nb]
  std::vector<const Motion<T>*> columns;         ///< [nv] S about origin(), world axes
  std::vector<const Motion<T>*> reducedColumns;  ///< as LoopWorkspace::reducedColumn
  const Vec3<T>& origin() const { return bodies[0].ws->origin; }
  const Workspace<T>& workspace() const { return ws_; }
  const Workspace<T>& factored() const { return *solved_.workspace; }
  T* y() { return solved_.y; }  ///< y+ of what is solved for
  const LoopWorkspace<T>& loops() const { return at_; }

  /// Parameters of each lane, until shareParameters().
  Lowered<T> own;
  void useOwnParameters() {
    hasOwn_ = true;
    subtrees_.putParameters(own);
  }
  void shareParameters() {
    hasOwn_ = false;
    subtrees_.shareParameters();
  }
  /// Whether lanes can take these: armature and rotors are there where the shared ones have some.
  bool canPutParameters(const Lowered<double>& other) const {
    return other.hasArmature == par_.hasArmature && other.hasRotors == par_.hasRotors;
  }
  /// Whether the workspace is that of the whole robot: not where its subtrees go on their own.
  bool hasBodies() const { return !subtrees_.isProfitable(); }

  /// From q, where the step starts.
  void approach(Scheme scheme, double dt);
  void evaluate(double dt);
  void push(Scheme scheme, double dt, bool hasImpedance);
  void nextVelocity();
  void pushAgain(double dt);
  /// From q, where the step starts.   pre  nextVelocity()
  void leave(Scheme scheme, double dt);
  /// leave() with RUNGE_KUTTA_4: u+, too. Of a tree.
  ///   in  forces  asked in every stage: force and w at stageQ, stage
  void rungeKutta(double dt, const std::function<void()>& forces);
  void arrive();

  /// Of all groups of `contacts`.
  void assemble(int mostWithBlocks = contact::few_groups) {
    contacts.assemble(mover(), z.data(), mostWithBlocks);
  }

 private:
  LaneMover<T> mover() const {
    return {model, solved, origin(), factored(), at_, reducedColumns.data()};
  }
  SolvedNumbers<T> numbersSolved();
  SystemStep<T> step();
  void evaluateTree(const T* q, const T* u);
  /// f(parameters of all lanes, or of each); in single precision lanes read their own alone
  template <class F>
  auto withParameters(F&& f) const {
    if constexpr (sizeof(value_t<T>) == sizeof(double))
      if (!hasOwn_) return f(par_);
    return f(own);
  }
  void evaluateLoops(double dt);
  void evaluateBias(const T* u);
  void closeLoops(bool all);

  const Lowered<double>& par_;  // of all lanes
  bool hasOwn_ = false;
  const Mechanism& m_;
  Workspace<T> ws_;
  Workspace<T> ownSolver_;  // of M_y; not of a tree
  LoopWorkspace<T> at_;
  SubtreeLanes<T> subtrees_;
  AlignedArray<T> mean_, ownY_, spanning_;
  const SolvedNumbers<T> solved_;
};

}  // namespace espalier

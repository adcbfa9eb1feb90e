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
#include "espalier/step/geom_motion.h"
#include "espalier/step/system.h"
#include "espalier/step/system_step.h"

namespace espalier {

template <class T>
class LaneRobot : public StepNumbers<T> {
 public:
  using Numbers = StepNumbers<T>;
  using Numbers::solved, Numbers::solver, Numbers::mechanism, Numbers::hasLoops, Numbers::y;
  using Numbers::ws, Numbers::reducedWs, Numbers::loopWs, Numbers::qm, Numbers::rates, Numbers::h,
      Numbers::z, Numbers::mean, Numbers::free, Numbers::stage, Numbers::uNext;

  ///   in  like        a robot as all of them are; its model outlives this object
  ///       parameters  of all of them, but for those with their own; outlive it too
  ///       groups      of contacts and joint rows, at most
  ///       sides       of such a group, at most
  LaneRobot(const System& like, const Lowered<double>& parameters, int groups, int sides = 2);

  const Model& model;
  const Topology& t;

  // Beside StepNumbers; all that comes in must be numbers in every lane.
  Vec3<T> gravity{};
  AlignedArray<T> q, u;               ///< [nq], [nv] io
  T left{}, publicSuffice{};          ///< out: of a closing; 1: publicSuffice()
  T isRegular{};                      ///< out: 1 where M is positive definite
  AlignedArray<GeomMotion<T>> geoms;  ///< [Model::collisions]
  LaneContacts<T> contacts;

  /// Parameters of each lane, until shareParameters().
  Lowered<T> own;
  void useOwnParameters() { hasOwn_ = true; }
  void shareParameters() { hasOwn_ = false; }
  /// Whether lanes can take these: armature and rotors are there where the shared ones have some.
  bool canPutParameters(const Lowered<double>& other) const {
    return other.hasArmature == par_.hasArmature && other.hasRotors == par_.hasRotors;
  }

  /// From q, where the step starts.
  void approach(Scheme scheme, double dt);
  void evaluate(double dt);
  void push(Scheme scheme, double dt);
  void nextVelocity();
  void pushAgain(double dt);
  /// From q, where the step starts.   pre  nextVelocity()
  void leave(Scheme scheme, double dt);
  /// leave() with RUNGE_KUTTA_4: u+, too. Of a tree.
  ///   in  forces  asked in every stage: force and w at qm, stage
  void rungeKutta(double dt, const std::function<void()>& forces);
  void arrive();

  /// Of all groups of `contacts`.
  void assemble(int mostWithBlocks = contact::few_groups) {
    contacts.assemble(mover(), z.data(), mostWithBlocks);
  }

 private:
  LaneMover<T> mover() const {
    return {model, solved(), ws.origin, solver(), loopWs, this->solvedColumns()};
  }
  void evaluateTree(const T* at, const T* velocity);
  /// f(parameters of all lanes, or of each); in single precision lanes read their own alone
  template <class F>
  auto withParameters(F&& f) const {
    if constexpr (sizeof(value_t<T>) == sizeof(double))
      if (!hasOwn_) return f(par_);
    return f(own);
  }
  void evaluateLoops(double dt);
  void evaluateBias(const T* velocity);
  void closeLoops(bool all);

  const Lowered<double>& par_;  // of all lanes
  bool hasOwn_ = false;
};

}  // namespace espalier

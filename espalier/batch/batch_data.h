#pragma once

// The numbers of a batch: state, input, parameters and output of n worlds of one kind, world beside world.
// A quantity of k numbers is k rows of n, so that the numbers of neighbouring worlds fill a register, and a
// user's view [n][k] is the same memory read the other way.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "espalier/batch/batch_report.h"
#include "espalier/core/aligned.h"

namespace espalier {

/// The rows of one quantity: number i of world w stands at data[i stride + w].
template <class S>
struct Rows {
  S* data = nullptr;
  int count = 0;              ///< numbers of a world
  std::ptrdiff_t stride = 0;  ///< from a number to the next one of the same world

  S& operator()(int number, int world) const { return data[number * stride + world]; }
  S* row(int number) const { return data + number * stride; }
};

/// How many numbers of each quantity a world has.
struct BatchSizes {
  int nq = 0;  ///< of its State
  int nu = 0;
  int bodies = 0;  ///< of all its robots
  int tendons = 0;
};

template <class S>
class BatchData {
 public:
  BatchData(int worlds, const BatchSizes& sizes);

  int size() const { return size_; }

  // State, in the order of State (model/state.h)
  Rows<S> q, u;
  Rows<S> time;  ///< [1] s

  // Input; what is no joint of a robot is ignored
  Rows<S> targetQ, targetU;          ///< [nq], [nu] of the PD motors
  Rows<S> feedforward;               ///< [nu] N m or N
  Rows<S> tendonTarget;              ///< [tendons] of their actuators: length
  Rows<S> tendonForce;               ///< [tendons] likewise: N, or N m where the length is an angle
  Rows<S> kp, kd;                    ///< [nu]
  Rows<S> torqueLower, torqueUpper;  ///< [nu] limits of the commanded torque
  Rows<S>
      wrench;  ///< [6 bodies] external: force (N) at the body's origin, torque (N m), world axes

  // Parameters
  Rows<S> mass;      ///< [bodies] factor on the body's inertia
  Rows<S> armature;  ///< [nu] factor on the dof's armature
  Rows<S> friction;  ///< [1] factor on all coefficients of friction
  Rows<S> gravity;   ///< [3] m/s^2, world axes
  Rows<S> terrain;   ///< [3] m, how far all that never moves stands from where the source has it
  Rows<S> delay;     ///< [1] s, of motors: they follow the commands that were given so long ago

  // Whether some of them may be other than zero, one, or the source's: they were bound.
  bool hasGains = false, hasWrenches = false, hasOwnInertias = false, hasTerrain = false;

  // Output of the last step
  Rows<S> contactForce;   ///< [3 bodies] N, the sum on each body, world axes
  BatchReport<S> report;  ///< of all steps of the last call

  // Delay of commands: targetQ, targetU, feedforward, tendonTarget and tendonForce (command_delay.cpp)

  static constexpr int most_delay = 63;  ///< steps
  /// Commands on their way: the number of steps since reset(), up to a multiple of the slots, and what was commanded
  /// in each of the last 64, a slot for each. Empty until giveDelay().
  Rows<S> pastCommands;
  void giveDelay();
  bool hasDelay() const { return pastCommands.count > 0; }
  /// Before each step of these worlds: takes what is commanded, and puts what their motors follow where
  /// inForce() finds it.
  void passCommands(std::span<const int> worlds, double dt);
  /// Of the rows of a command, or of one of them, those that motors follow.
  Rows<S> inForce(Rows<S> command) const {
    command.data += inForce_;
    return command;
  }
  const std::ptrdiff_t& offsetInForce() const { return inForce_; }

  /// What the steps so far leave behind for the next one: as State::history, or impulses in rows.
  std::vector<std::vector<double>> history;
  /// Of those in rows the first is a stamp: others that were kept under another stamp do not count. The last
  /// ones count always.
  Rows<S> warm;
  ///   in  lasting  how many count always
  void giveWarm(int count, int lasting);
  /// Of one world, what its steps so far have left behind.
  void forget(int world);

  /// A quantity by the name that users bind; no data where there is none of this name.
  Rows<S> find(std::string_view name) const;
  /// All of those names, but "past_commands", which are for checkpoints.
  static std::vector<std::string_view> names();

 private:
  struct Name;
  static std::span<const Name> table();
  Rows<S> next(int count);
  /// From targetQ to tendonForce, one behind the other.
  Rows<S> commands() const;

  int size_, lasting_ = 0;
  std::ptrdiff_t stride_;
  AlignedArray<S> store_, warmStore_, pastStore_;
  std::ptrdiff_t used_ = 0;
  std::ptrdiff_t inForce_ = 0;  // from the commands to those in force; 0: they are the same
};

}  // namespace espalier

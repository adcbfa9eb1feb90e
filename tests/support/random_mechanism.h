#pragma once

// Random mechanisms with closed loops, for tests of everything that has to do with loops. A tree is
// drawn, and a configuration q0 of it; each loop is then placed so that q0 closes it. What is drawn
// moves (dofs > 0), is closed by every loop a little more, and stands well away from singularities.

#include "tests/support/closure.h"

namespace espalier::testing {

/// Which two links a loop ties.
enum class LoopPlace {
  BRANCHES,  ///< of two branches
  ANCESTOR,  ///< a link and one that carries it
  GROUND     ///< a link and the ground
};

struct MechanismOptions {
  LoopKind kind = LoopKind::POINT;  ///< of the first loop
  LoopPlace place = LoopPlace::BRANCHES;
  bool floating = false;
  bool planar = false;       ///< all axes of joints parallel, all slides across them
  bool second = false;       ///< another loop of any kind between any two links
  bool overlapping = false;  ///< the second loop shares a joint with the first
  bool rotors = false;       ///< spinning bodies geared to a joint, and belted to two
  bool coupling = false;     ///< a coupling between two branches, or a mimic
};

/// Of seeds 0 .. 99: every kind at every place, spatial and planar, on both bases, many times.
MechanismOptions mechanismOptions(std::uint64_t seed);

struct RandomMechanism {
  SystemSpec spec;     ///< children after parents, so that all orders of joints are the file's;
                       ///< its rotors are bodies
  Eigen::VectorXd q0;  ///< closes every loop, coupling and mimic
};

RandomMechanism randomMechanism(std::uint64_t seed, const MechanismOptions& options);
inline RandomMechanism randomMechanism(std::uint64_t seed) {
  return randomMechanism(seed, mechanismOptions(seed));
}

/// The joints that a loop passes, as bodies of the tree: both ways up to the nearest common ancestor.
std::vector<int> jointsOfLoop(const MechanismTree& tree, const MechanismTree::Tie& tie);
/// Whether all joints of a loop turn about, or slide across, one direction.
bool isPlanar(const MechanismTree& tree, const MechanismTree::Tie& tie, const Eigen::VectorXd& q);
/// Rows of a kind of loop.
int nominalRows(LoopKind kind);

}  // namespace espalier::testing

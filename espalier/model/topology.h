#pragma once

// The tree as integers: parents, offsets of each joint's coordinates, and the packed layout
// of matrices that follow the tree. Fixed at compile; shared by all scalars and lanes.

#include <vector>

#include "espalier/model/joints/joint_kind.h"

namespace espalier {

/// Body i is carried by joint i; parents come before children; body 0 is the base.
struct BodyTopology {
  int parent = -1;
  JointKind kind = JointKind::Fixed;
  int q = 0, u = 0;  ///< first coordinate, first dof
  int nq = 0, nv = 0;
};

struct Topology {
  int nb = 0, nq = 0, nv = 0;
  bool floating = false;  ///< body 0 has the six dofs 0..5
  std::vector<BodyTopology> bodies;
  std::vector<int> balls;  ///< bodies whose joints have a quaternion; ascending

  // Dofs form a tree too: within a joint each hangs on the one before.
  std::vector<int> dofBody;    ///< [nv]
  std::vector<int> dofParent;  ///< [nv] -1 at a root
  std::vector<int> dofDepth;   ///< [nv] number of ancestors
  /// Packed lower triangle along the ancestor chain: entry (k, ancestor at depth d) of a
  /// tree-sparse matrix is [row[k] + d]; the diagonal comes last. [nv + 1]
  std::vector<int> row;
  int entries() const { return row.back(); }
  /// Ancestors of a dof whose indices follow one another, so that a packed row meets a vector of
  /// dofs in whole runs: row[depth .. depth + count) lies over x[dof .. dof + count).
  struct Run {
    int depth, dof, count;
  };
  std::vector<Run> runs;      ///< of all dofs, from the root down
  std::vector<int> firstRun;  ///< [nv + 1]

  // Articulated-body recursion: bodies with children accumulate in a slot; an unbranched chain
  // reuses slot 0, which keeps the workspace in the first-level cache.
  std::vector<int> carrySlot;     ///< [nb] -1 for a leaf
  std::vector<char> firstInSlot;  ///< [nb] the first child (in reverse order) writes, others add
  int carrySlots = 1;

  /// Pairs of joints that geared rotors couple: a body's joint and its carrier's joint, of one
  /// dof each. M has a constant there (Lowered::geared).
  struct Geared {
    int dof, carrier;
  };
  std::vector<Geared> geared;
  std::vector<int> gearOf;        ///< [nv] place in geared as `dof`; -1: none
  std::vector<char> carriesGear;  ///< [nb] whether its joint is a `carrier`

  /// Last dof that moves a body: its own joint's, or the nearest ancestor's; -1 when welded.
  int lastDof(int body) const;
};

/// Fills everything but `bodies` from `bodies`.
///   pre  parents before children; only body 0 may be Fixed
Topology makeTopology(std::vector<BodyTopology> bodies);

/// Ties dofs by rotors.
///   pre  each a body's only dof and its parent's only dof, no pair twice
void tieByRotors(Topology& topology, std::vector<Topology::Geared> geared);

/// A tree of dofs alone, without bodies: the input of factor() and its solves.
///   in  parents  [nv] of each dof, -1 at a root; parents before children
Topology makeDofTree(const std::vector<int>& parents);

}  // namespace espalier

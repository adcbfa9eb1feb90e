#pragma once

// A mechanism's subtrees side by side in the lanes of a register.
//
// Take the root away, and what is left falls apart: the legs of a walker, each with its own loops.
// On its root a subtree is a mechanism by itself. Subtrees of one make, up to one a lane, are a
// Part: the root's bodies, which weigh nothing there, and a subtree's. What is linear in the bodies
// is the sum over the parts, the root alone being one:
//
//   M_y = sum of M_y of the parts,   h = sum of h of the parts
//
// All dofs of the root must be independent, and no loop may join two subtrees.
//
// How wide the registers are changes no bit of any result: lanes do not feel each other, and sums
// over subtrees are taken four at a time.

#include <vector>

#include "espalier/model/loops/mechanism.h"

namespace espalier {

/// So many subtrees are summed before they are added to the others' sums.
inline constexpr int subtrees_in_a_sum = 4;

/// Where the numbers of a part stand among those of the whole: [its index * lanes + lane]. Idle
/// lanes repeat the first.
struct PartPlaces {
  std::vector<int> body, q, u, closure, row, geared;
  std::vector<int> G;              ///< of its G
  std::vector<int> reducedColumn;  ///< of its reduced columns
  std::vector<int> entry;          ///< of M_y, packed
};

struct Part {
  Topology t;  ///< bodies of the root, then those of a subtree
  Mechanism m;
  int lanes = 1;   ///< 1 for the root
  int filled = 1;  ///< of them
  /// Its first dofs and entries of M_y are the root's, to which all parts add.
  int sharedDofs = 0, sharedEntries = 0;
  PartPlaces places;
};

struct SubtreePlan {
  std::vector<int> root;      ///< bodies
  std::vector<Part> parts;    ///< the root first
  bool isProfitable = false;  ///< the parts are a good deal less than the whole
};

/// Subtrees go into the narrowest register that takes all that are left of their make, else into
/// the widest.
///   in  widths  lanes of the registers there are, ascending
SubtreePlan planSubtrees(const Topology& t, const Mechanism& m, const std::vector<int>& widths);

}  // namespace espalier

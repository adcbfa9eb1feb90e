#pragma once

// A mechanism's limbs side by side in the lanes of a register.
//
// Take the trunk away, and what is left falls apart: the legs of a walker, each with its own loops.
// On its trunk a limb is a mechanism by itself. Limbs of one make, up to one a lane, are a Part: the
// trunk's bodies, which weigh nothing there, and a limb's. What is linear in the bodies is the sum
// over the parts, the trunk alone being one:
//
//   M_y = sum of M_y of the parts,   h = sum of h of the parts
//
// All dofs of the trunk must be independent, and no loop may join two limbs.
//
// How wide the registers are changes no bit of any result: lanes do not feel each other, and sums
// over limbs are taken four at a time.

#include <vector>

#include "espalier/model/loops/mechanism.h"

namespace espalier {

/// So many limbs are summed before they are added to the others' sums.
inline constexpr int limbs_in_a_sum = 4;

/// Where the numbers of a part stand among those of the whole: [its index * lanes + lane]. Idle
/// lanes repeat the first.
struct PartPlaces {
  std::vector<int> body, q, u, closure, row, geared;
  std::vector<int> G;      ///< of its G
  std::vector<int> screw;  ///< of its screws
  std::vector<int> entry;  ///< of M_y, packed
};

struct Part {
  Topology t;  ///< bodies of the trunk, then those of a limb
  Mechanism m;
  int lanes = 1;   ///< 1 for the trunk
  int filled = 1;  ///< of them
  /// Its first dofs and entries of M_y are the trunk's, to which all parts add.
  int sharedDofs = 0, sharedEntries = 0;
  PartPlaces places;
};

struct LimbPlan {
  std::vector<int> trunk;   ///< bodies
  std::vector<Part> parts;  ///< the trunk first
  bool isWorthIt = false;   ///< the parts are a good deal less than the whole
};

/// Limbs go into the narrowest register that takes all that are left of their make, else into the
/// widest.
///   in  widths  lanes of the registers there are, ascending
LimbPlan planLimbs(const Topology& t, const Mechanism& m, const std::vector<int>& widths);

}  // namespace espalier

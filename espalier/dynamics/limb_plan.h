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

#include <vector>

#include "espalier/model/mechanism.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

inline constexpr int limb_lanes = lanes_v<DoubleLanes>;

/// Where the numbers of a part stand among those of the whole: [its index * lanes + lane]. Idle
/// lanes repeat the first.
struct PartPlaces {
  std::vector<int> body, q, u, closure, row;
  std::vector<int> G;      ///< of its G
  std::vector<int> screw;  ///< of its screws
  std::vector<int> entry;  ///< of M_y, packed
};

struct Part {
  Topology t;  ///< bodies of the trunk, then those of a limb
  Mechanism m;
  int lanes = 1;   ///< 1 for the trunk, else limb_lanes
  int filled = 1;  ///< of them
  PartPlaces places;
};

struct LimbPlan {
  std::vector<int> trunk;   ///< bodies
  std::vector<Part> parts;  ///< the trunk first
  bool isWorthIt = false;   ///< the parts are a good deal less than the whole
};

LimbPlan planLimbs(const Topology& t, const Mechanism& m);

}  // namespace espalier

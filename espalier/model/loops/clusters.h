#pragma once

// Clusters: the smallest sets of bodies that loops and couplings tie into one. A loop ties all
// bodies on the two ways from its ends up to their nearest common ancestor, which stays out;
// loops that share a body make one cluster. In the directed graph with an edge from each body to
// its children and from each end of a loop to the other way's first body these are the strongly
// connected components.

#include <vector>

#include "espalier/model/loops/mechanism.h"

namespace espalier {

/// The bodies between each of two bodies and their nearest common ancestor, that one left out;
/// -1 is the world.
struct LoopPath {
  std::vector<int> first, second;  ///< root side first
};
LoopPath pathBetween(const Topology& t, int a, int b);

/// Bodies of each cluster, ascending; clusters by their first body.
///   in  ties  bodies that each loop or coupling ties
std::vector<std::vector<int>> findClusters(const Topology& t,
                                           const std::vector<std::vector<int>>& ties);

}  // namespace espalier

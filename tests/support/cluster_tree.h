#pragma once

// The clusters of a mechanism as a tree: every cluster hangs on one body outside it, its carrier, so
// what is linear in the bodies walks over clusters as over joints. A lone joint is a cluster of one
// body, a tree without loops a mechanism of such (layOut() of model/loops/mechanism_layout.h on an empty
// Mechanism makes it).

#include <vector>

#include "espalier/model/loops/mechanism.h"

namespace espalier::testing {

struct ClusterTree {
  ClusterTree(const Topology& t, const Mechanism& m);
  // Not inline: workspaces of wide lanes hold one, too (scripts/check_isa.py).
  ClusterTree(const ClusterTree& other);
  ClusterTree& operator=(const ClusterTree& other);
  ~ClusterTree();

  struct Node {
    int parent = -1;         ///< that of the carrier; -1: the world
    int carrier = -1;        ///< body; -1: the world
    int y = 0, ny = 0;       ///< its independent dofs
    int cluster = -1;        ///< among those of the mechanism; -1: a lone joint
    int begin = 0, end = 0;  ///< its bodies: bodies[begin .. end), ascending
    int factor = 0;          ///< its entries of D: packed lower triangle, row by row
    bool isCarried = false;  ///< by something that moves
    int row(int i) const { return factor + i * (i + 1) / 2; }
  };

  std::vector<Node> nodes;  ///< carriers first
  std::vector<int> bodies;  ///< [nb] node by node
  std::vector<int> nodeOf;  ///< [nb]
  /// [nb] The dof of a joint that a rotor ties to one which its body carries; -1: none.
  std::vector<int> gearedDof;
  int entries = 0;  ///< of D, over all nodes
};

}  // namespace espalier::testing

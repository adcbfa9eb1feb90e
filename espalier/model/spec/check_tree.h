#pragma once

// The links and joints of a Spec as a tree, if they are one.

#include <vector>

#include "espalier/model/spec/check_report.h"

namespace espalier {

struct SpecTree {
  bool isTree = false;           ///< one root, and every link hangs from it
  std::vector<int> parentJoint;  ///< [links] index of the joint above, -1 for the root
  std::vector<int> parentLink;   ///< [links] -1 for the root
  std::vector<int> order;        ///< [links] parents before children; complete only if isTree
};

/// Finds missing links, links with two parents, several roots and cycles; an Error for each.
///   cost O(n log n)
SpecTree checkTree(const CheckReport& report);

}  // namespace espalier

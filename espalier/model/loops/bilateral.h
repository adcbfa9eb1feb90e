#pragma once

// Loops that are kept by rows of the contact problem instead of coordinates (LoopSpec::isBilateral),
// after compile. Theory: docs/loops.md, "Bilateral loops".

#include <array>
#include <vector>

#include "espalier/model/loops/mechanism.h"

namespace espalier {

/// Up to three rows of one loop, which the contact problem takes together.
struct RowGroup {
  int closure = 0;            ///< index in BilateralLoops::closures
  int count = 0;              ///< rows
  std::array<int, 3> rows{};  ///< places in the table of the loop's kind (loop_rows.h), ascending
};

struct BilateralLoops {
  std::vector<Closure> closures;
  std::vector<RowGroup> groups;   ///< of rows that say something new, loop by loop
  std::vector<double> assembled;  ///< [nq] where they and the embedded loops are closed
  /// [nv] dofs that keep their coordinates when others must follow: those that no loop moves, and
  /// those that are flagged independent.
  std::vector<char> independent;

  bool isEmpty() const { return closures.empty(); }
  /// Whether one of them is tied to the ground below a floating base.
  bool reachesGround() const;
  /// Rows of a loop that are kept.
  int rowsOf(int closure) const;
};

}  // namespace espalier

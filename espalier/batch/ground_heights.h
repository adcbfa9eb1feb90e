#pragma once

// Height of the ground of a world: of its planes and height maps that do not move.

#include <vector>

#include "espalier/collision/geom.h"
#include "espalier/step/step_data.h"

namespace espalier {

class GroundHeights {
 public:
  /// None.
  GroundHeights() = default;
  /// Of this world, which outlives the object.
  explicit GroundHeights(const StepData& world);

  bool isEmpty() const { return geoms_.empty(); }
  /// m, the highest below or above (x, y), m, world; past the border of a height map as at its border.
  double height(double x, double y) const;

 private:
  std::vector<collision::Geom> geoms_;
};

}  // namespace espalier

#pragma once

// Options that the readers of all formats share.

#include <memory>
#include <string>
#include <vector>

#include "espalier/io/text/reading_budget.h"

namespace espalier::io {

struct ReadOptions {
  /// Where packages, meshes, robots and terrains are looked for, beside the file's own folder, its
  /// parents and the environment's ROS_PACKAGE_PATH and AMENT_PREFIX_PATH.
  std::vector<std::string> searchPaths = {};
  bool loadMeshes = true;  ///< false: mesh shapes keep their names, without triangles
  /// Budget of the reading, all of its files together (io/text/reading_budget.h); null: a new
  /// one of the default limits. One reading uses it at a time.
  std::shared_ptr<ReadingBudget> budget = nullptr;
  bool unbounded = false;  ///< lifts the bounds on magnitudes (model/spec/check_magnitudes.h)
};

struct RobotReadOptions : ReadOptions {
  bool fixedBase = false;  ///< weld the root to the world although it is not named "world"
  std::vector<std::string> jointOrder = {};  ///< empty: order of appearance
};

}  // namespace espalier::io

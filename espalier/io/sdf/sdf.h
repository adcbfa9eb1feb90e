#pragma once

// Gazebo's files (SDF): a model as a robot, with its loops; or a world. What is read stands in
// docs/mjcf_sdf.md.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/core/diagnostic.h"
#include "espalier/io/text/reading_budget.h"
#include "espalier/model/spec/spec.h"

namespace espalier::io {

struct SdfOptions {
  std::vector<std::string> searchPaths;  ///< where meshes are looked for beside the file's folder
  bool loadMeshes = true;                ///< false: mesh shapes keep their names only
  std::string folder = ".";              ///< base of relative names in the file
  bool fixedBase = false;                ///< of a robot: weld its root to the world
  std::vector<std::string> jointOrder = {};  ///< of a robot; empty: order of appearance
  /// Budget of the reading, all of its files together (io/text/reading_budget.h); null: a new
  /// one of the default limits. One reading uses it at a time.
  std::shared_ptr<ReadingBudget> budget = nullptr;
  bool unbounded = false;  ///< lifts the bounds on magnitudes (model/spec/check_magnitudes.h)
};

/// Whether text is SDF, by its outermost element.
bool isSdf(std::string_view text);
/// Whether it holds a <world>, not only models. False where it cannot be read.
bool isSdfWorld(std::string_view text);

/// The first <model> of the file, or of its world. A joint whose child hangs from another already
/// becomes a loop.
///   in   name   its name in remarks
Expected<SystemSpec> parseSdfRobot(std::string_view text, const std::string& name,
                                   const SdfOptions& options = {});

/// The first <world>; a file of models alone is a world of them.
Expected<WorldSpec> parseSdfWorld(std::string_view text, const std::string& name,
                                  const SdfOptions& options = {});

}  // namespace espalier::io

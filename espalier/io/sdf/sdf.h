#pragma once

// Gazebo's files (SDF): a model as a robot, with its loops; or a world. What is read stands in
// docs/mjcf_sdf.md.

#include <string>
#include <string_view>

#include "espalier/core/diagnostic.h"
#include "espalier/io/read_options.h"
#include "espalier/model/spec/spec.h"

namespace espalier::io {

struct SdfOptions : RobotReadOptions {
  std::string folder = ".";  ///< base of relative names in the file
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

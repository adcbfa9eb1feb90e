#pragma once

// MuJoCo's model files (MJCF): a robot, or the whole world they describe. What is read, and where
// the two programs differ, stands in docs/mjcf_sdf.md.

#include <optional>
#include <string>
#include <string_view>

#include "espalier/core/diagnostic.h"
#include "espalier/io/read_options.h"
#include "espalier/model/spec/spec.h"

namespace espalier::io {

/// Meshes that give a mass are read without loadMeshes, too.
struct MjcfOptions : RobotReadOptions {
  std::string folder = ".";  ///< base of relative names in the file
  /// Name or number of the keyframe that a world starts at, and whose controls actuators are given;
  /// empty: the first, where there is one; "none": all is as drawn.
  std::string keyframe = "";
};

/// Whether text is MuJoCo's, by its outermost element.
bool isMjcf(std::string_view text);

/// The one mechanism of a model; several hang side by side from a link "world". The world's own
/// shapes stay behind (a Note).
///   in   name   its name in remarks
Expected<SystemSpec> parseMjcfRobot(std::string_view text, const std::string& name,
                                    const MjcfOptions& options = {});

/// Gravity in the model's world, m/s^2; none where the text has errors there.
///   in   folder  as in MjcfOptions
std::optional<Vec3d> parseMjcfGravity(std::string_view text, const std::string& name,
                                      const std::string& folder = ".");

/// The model as a world: a system for each mechanism, a body for each free or static rest, the
/// materials of its frictions, gravity and time step.
Expected<WorldSpec> parseMjcfWorld(std::string_view text, const std::string& name,
                                   const MjcfOptions& options = {});

}  // namespace espalier::io

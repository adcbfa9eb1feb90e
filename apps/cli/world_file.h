#pragma once

// World files (io/world_xml/world_xml.h) as the commands read them.

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/json.h"
#include "apps/cli/robot.h"
#include "espalier/model/model.h"

namespace espalier::cli {

struct WorldFile {
  std::string file;
  std::optional<WorldSpec> spec;  ///< none where there are errors
  std::vector<Model> models;      ///< of the systems, in their order
  Diagnostics diagnostics;

  bool isGood() const { return spec.has_value(); }
};

/// Reads a world and compiles its robots. Of the options the parameters, search paths, bounds,
/// self-collision and vertices of hulls count.
WorldFile loadWorldFile(const std::string& file, const RobotOptions& options);

/// Where a robot of a world starts, in the model's own order.
std::vector<double> internalStart(const PlacedSystemSpec& placed, const Model& model);

/// The robot that a MuJoCo file describes, where it is one: its world has one system.
///   pre  the world is good
std::optional<Robot> loneRobot(const WorldFile& world);

/// The objects of a world, without the diagnostics.
std::string drawWorld(const WorldFile& world);
Json worldJson(const WorldFile& world);

}  // namespace espalier::cli

#pragma once

// World files (io/world_xml.h) as the commands read them.

#include <optional>
#include <string>
#include <vector>

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

/// Reads a world and compiles its robots. Of the options the parameters, search paths and
/// bounds count.
WorldFile loadWorldFile(const std::string& file, const RobotOptions& options);

/// Says what a world is made of.
void printInfo(const WorldFile& world);
void printInfoJson(const WorldFile& world);

}  // namespace espalier::cli

#pragma once

// Common code of the commands that read robot files: its options, and the way from a file to a
// compiled Model with all that was remarked on the way.

#include <optional>
#include <string>
#include <vector>

#include "espalier/io/urdf/urdf.h"
#include "espalier/model/compile/coordinate_names.h"
#include "espalier/model/model.h"

namespace CLI {
class App;
}

namespace espalier::cli {

struct RobotOptions {
  io::UrdfOptions urdf;
  bool selfCollision = true;  ///< false: no two links of a robot collide

  /// Adds --param, --search, --fixed-base, --bound-mass, --bound-inertia, --keep-hinges, --no-bounds,
  /// --joint-order, --srdf, --no-self-collision and --hull-vertices.
  void addTo(CLI::App& command);
};

struct Robot {
  std::string file;
  std::optional<SystemSpec> spec;
  std::optional<Model> model;  ///< none where there are errors
  Diagnostics diagnostics;

  bool isGood() const { return model.has_value(); }
};

enum class Meshes { Load, Skip };

Robot loadRobot(const std::string& file, const RobotOptions& options, Meshes meshes);

/// A CLI11 check of FILE: a message where the name is empty, as of a shell variable that is not set.
std::string mustBeNamed(const std::string& file);

/// One line on standard error about warnings that are not shown here.
void hintAtWarnings(const Robot& robot);

/// All bodies (and so joints) in the authored order; body 0 first.
std::vector<int> bodiesInOrder(const Model& model);

/// Whether states speak of the joint that carries body b: some dof of it is independent.
bool isPublic(const Model& model, int b);

/// "a,b,c" without empty pieces.
std::vector<std::string> splitList(const std::string& text);
/// Exactly n finite numbers separated by commas; else a CLI::ValidationError.
std::vector<double> parseNumberList(const std::string& option, const std::string& text,
                                    std::size_t n);

}  // namespace espalier::cli

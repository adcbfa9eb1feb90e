#include "apps/cli/robot.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <optional>
#include <string>

#include "apps/cli/remarks.h"
#include "espalier/io/text/numbers.h"

namespace espalier::cli {
namespace {

/// A CLI11 check of a number.
std::string mustNotBeNegative(const std::string& text) {
  const std::optional<double> number = io::parseNumber(text);
  return number && *number >= 0 ? "" : "takes a finite number from zero up, not '" + text + "'";
}

}  // namespace

void RobotOptions::addTo(CLI::App& command) {
  command
      .add_option_function<std::vector<std::string>>(
          "--param",
          [this](const std::vector<std::string>& given) {
            for (const std::string& text : given) {
              const std::size_t sign = text.find('=');
              if (sign == 0 || sign == std::string::npos)
                throw CLI::ValidationError("--param", "'" + text + "' is not NAME=VALUE");
              urdf.parameters[text.substr(0, sign)] = text.substr(sign + 1);
            }
          },
          "Value of @@NAME in a template; may be given again")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command.add_option("--search", urdf.searchPaths, "Folder to look for packages and meshes in")
      ->type_name("PATH")
      ->allow_extra_args(false);
  command.add_flag("--fixed-base", urdf.fixedBase, "Weld the root link to the world");
  command
      .add_option("--bound-mass", urdf.least.mass,
                  "Least mass of every movable body, in kg (default: none)")
      ->type_name("KG")
      ->check(mustNotBeNegative);
  command
      .add_option("--bound-inertia", urdf.least.moment,
                  "Least principal moment of inertia of every movable body, in kg m^2")
      ->type_name("KGM2")
      ->check(mustNotBeNegative);
  command.add_flag("--keep-hinges", urdf.keepsHinges,
                   "Ball joints in loops that are written as three hinges stay three hinges");
  command.add_flag("--no-bounds", urdf.unbounded,
                   "Allow magnitudes beyond 1e6 m, 1e6 rad/s and 1e9 kg");
  command
      .add_option_function<std::string>(
          "--joint-order", [this](const std::string& text) { urdf.jointOrder = splitList(text); },
          "Order of the movable joints (default: as in the file)")
      ->type_name("A,B,...");
  command
      .add_option("--srdf", urdf.srdf,
                  "SRDF with pairs of links that never collide (default: the one beside the "
                  "file, or in ../srdf)")
      ->type_name("FILE");
  command.add_flag("!--no-self-collision", selfCollision, "No two links of a robot collide");
  command
      .add_option("--hull-vertices", urdf.hullVertices,
                  "Vertices of a mesh's convex hull, at most (default: as the file says, or 64)")
      ->type_name("N")
      ->check(CLI::Range(4, 1 << 20));
}

Robot loadRobot(const std::string& file, const RobotOptions& options, Meshes meshes) {
  Robot robot;
  robot.file = file;
  io::UrdfOptions urdf = options.urdf;
  urdf.loadMeshes = meshes == Meshes::Load;
  Expected<SystemSpec> spec = io::loadRobot(file, urdf);
  robot.diagnostics = merged({}, spec.diagnostics());
  if (!spec) return robot;
  robot.spec = std::move(spec).value();
  if (!options.selfCollision) robot.spec->selfCollides = false;
  Expected<Model> model = compile(*robot.spec);
  robot.diagnostics = merged(robot.diagnostics, model.diagnostics());
  if (model) robot.model = std::move(model).value();
  return robot;
}

std::string mustBeNamed(const std::string& file) {
  return file.empty() ? "the name of a file is empty" : "";
}

void hintAtWarnings(const Robot& robot) {
  const int count = robot.diagnostics.count(Severity::Warning);
  if (count == 0) return;
  print(err(), paint(err(), Ink::Faint,
                     fmt::format("{}: {}; espalier check shows them\n", printable(robot.file),
                                 plural(count, "warning"))));
}

std::vector<int> bodiesInOrder(const Model& model) {
  std::vector<int> order(static_cast<std::size_t>(model.nb()));
  for (int b = 0; b < model.nb(); ++b) order[b] = b;
  const auto place = [&](int b) {
    return b == 0 ? -1 : model.spanningDof[model.topology.bodies[b].u];
  };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return place(a) < place(b); });
  return order;
}

bool isPublic(const Model& model, int b) {
  const BodyTopology& body = model.topology.bodies[b];
  return body.nq == 0 || model.publicCoordinate[body.q] >= 0;
}

std::vector<std::string> splitList(const std::string& text) {
  std::vector<std::string> pieces;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view piece = io::trimmed(std::string_view(text).substr(begin, end - begin));
    if (!piece.empty()) pieces.emplace_back(piece);
    begin = end + 1;
  }
  return pieces;
}

std::vector<double> parseNumberList(const std::string& option, const std::string& text,
                                    std::size_t n) {
  std::vector<double> numbers;
  for (const std::string& piece : splitList(text)) {
    const std::optional<double> number = io::parseNumber(piece);
    if (!number) throw CLI::ValidationError(option, "'" + piece + "' is not a number");
    numbers.push_back(*number);
  }
  if (numbers.size() != n)
    throw CLI::ValidationError(
        option, fmt::format("takes {} numbers separated by commas, not '{}'", n, text));
  return numbers;
}

}  // namespace espalier::cli

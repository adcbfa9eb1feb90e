// espalier check FILE...: errors in robot and world files, and whether `sim` can start them.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/json.h"
#include "apps/cli/remarks.h"
#include "apps/cli/simulation.h"

namespace espalier::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  RobotOptions robot;
  bool lenient = false;
  bool json = false;
};

struct Verdict {
  std::string file;
  bool isGood = false;
  Diagnostics diagnostics;
};

/// The part of `sim FILE` before its first step. A file is good without errors and, unless
/// lenient, without omissions.
Verdict judge(const std::string& file, const CheckOptions& given) {
  SimulationOptions options;
  options.files = {file};
  options.robot = given.robot;
  Simulation simulation = setUp(options);
  Diagnostics& diagnostics = simulation.diagnostics;
  const bool starts = !diagnostics.hasErrors();
  if (starts) diagnostics = merged(diagnostics, simulation.world->diagnostics());
  const bool isGood = starts && (given.lenient || diagnostics.omissions().all().empty());
  return {file, isGood, std::move(diagnostics)};
}

Json toJson(const Verdict& verdict) {
  return {{"file", verdict.file},
          {"ok", verdict.isGood},
          {"errors", verdict.diagnostics.count(Severity::Error)},
          {"warnings", verdict.diagnostics.count(Severity::Warning)},
          {"diagnostics", cli::toJson(verdict.diagnostics)}};
}

void printVerdict(const Verdict& verdict) {
  const std::string mark =
      verdict.isGood ? paint(out(), Ink::Green, "good") : paint(out(), Ink::Red, "bad ");
  print(out(), draw(out(), verdict.diagnostics));
  print(out(), fmt::format("{}  {}  {}\n", mark, printable(verdict.file),
                           paint(out(), Ink::Faint, countOf(verdict.diagnostics))));
}

int check(const CheckOptions& options) {
  bool good = true;
  Json::array_t files;
  for (const std::string& file : options.files) {
    const Verdict verdict = judge(file, options);
    good = good && verdict.isGood;
    if (options.json)
      files.push_back(toJson(verdict));
    else
      printVerdict(verdict);
  }
  if (options.json) printJson({{"ok", good}, {"files", files}});
  return good ? exit_ok : exit_bad_input;
}

}  // namespace

void addCheck(CLI::App& app, Run& run) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "Say what is wrong with robot and world files");
  command->add_option("FILE", options->files, "URDF, xacro or world files")
      ->required()
      ->check(mustBeNamed);
  options->robot.addTo(*command);
  command->add_flag("--lenient", options->lenient, "Good although something that acts is left out");
  command->add_flag("--json", options->json, "Print JSON");
  command->footer(
      "A file is good where espalier sim FILE comes to its first step with all that acts in it.\n"
      "Examples:\n"
      "  espalier check models/*/*.urdf models/worlds/*.xml\n"
      "  espalier check robot.urdf --search ~/ros/src --json");
  command->callback([options, &run] {
    run = {[options] { return check(*options); },
           options->files.size() == 1 ? options->files[0] : ""};
  });
}

}  // namespace espalier::cli

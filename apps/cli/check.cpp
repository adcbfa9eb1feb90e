// espalier check FILE...: what is wrong with robot files, and nothing else.

#include <fmt/format.h>

#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/json.h"
#include "apps/cli/remarks.h"
#include "apps/cli/robot.h"

namespace espalier::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  RobotOptions robot;
  bool json = false;
};

Json toJson(const Robot& robot) {
  return {{"file", robot.file},
          {"ok", robot.isGood()},
          {"errors", robot.diagnostics.count(Severity::Error)},
          {"warnings", robot.diagnostics.count(Severity::Warning)},
          {"diagnostics", cli::toJson(robot.diagnostics)}};
}

void printVerdict(const Robot& robot) {
  const std::string mark =
      robot.isGood() ? paint(out(), Ink::Green, "good") : paint(out(), Ink::Red, "bad ");
  print(out(), draw(out(), robot.diagnostics));
  print(out(), fmt::format("{}  {}  {}\n", mark, printable(robot.file),
                           paint(out(), Ink::Faint, countOf(robot.diagnostics))));
}

int check(const CheckOptions& options) {
  bool good = true;
  Json::array_t files;
  for (const std::string& file : options.files) {
    const Robot robot = loadRobot(file, options.robot, Meshes::Load);
    good = good && robot.isGood();
    if (options.json)
      files.push_back(toJson(robot));
    else
      printVerdict(robot);
  }
  if (options.json) printJson({{"ok", good}, {"files", files}});
  return good ? exit_ok : exit_bad_input;
}

}  // namespace

void addCheck(CLI::App& app, Run& run) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "Say what is wrong with robot files");
  command->add_option("FILE", options->files, "URDF or xacro files")->required();
  options->robot.addTo(*command);
  command->add_flag("--json", options->json, "Print JSON");
  command->footer(
      "Examples:\n"
      "  espalier check models/*/*.urdf\n"
      "  espalier check robot.urdf --search ~/ros/src --json");
  command->callback([options, &run] { run = [options] { return check(*options); }; });
}

}  // namespace espalier::cli

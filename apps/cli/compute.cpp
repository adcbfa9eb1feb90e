// espalier compute FILE: everything the dynamics know about a robot in given states.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <optional>

#include "apps/cli/answer.h"
#include "apps/cli/commands.h"
#include "apps/cli/failure.h"
#include "apps/cli/hinge_states.h"
#include "apps/cli/json.h"
#include "apps/cli/remarks.h"
#include "apps/cli/robot.h"
#include "apps/cli/state_file.h"

namespace espalier::cli {
namespace {

struct ComputeOptions {
  std::string file, state;
  RobotOptions robot;
  std::optional<Vec3d> gravity;
  bool json = false;
};

void printAnswers(const Model& model, const std::vector<Answer>& answers) {
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers.size() > 1) print(out(), fmt::format("{}state {}\n", i > 0 ? "\n" : "", i));
    print(out(), draw(out(), model, answers[i]));
    for (const std::string& warning : answers[i].warnings)
      print(err(), paint(err(), Ink::Yellow, "warning:") + " " + printable(warning) + "\n");
  }
}

int compute(const ComputeOptions& options) {
  Robot robot = loadRobot(options.file, options.robot, Meshes::Skip);
  StateFile input;
  if (robot.isGood()) {
    if (options.state.empty()) {
      input.states.push_back(restingState(*robot.model));
    } else {
      Expected<StateFile> read = readStatesOf(robot, options.robot, options.state);
      robot.diagnostics = merged(robot.diagnostics, read.diagnostics());
      if (read) input = std::move(read).value();
    }
  }
  if (robot.diagnostics.hasErrors()) {
    reportErrors(robot.diagnostics, options.json, robot.file);
    return exit_bad_input;
  }
  hintAtWarnings(robot);

  const Vec3d gravity = options.gravity
                            ? *options.gravity
                            : io::loadGravity(options.file).value_or(Vec3d{0, 0, -9.81});
  Computer computer(*robot.model, gravity);
  Json::array_t list;
  std::vector<Answer> answers;
  for (const StateInput& state : input.states) {
    Answer answer = computer.answer(state);
    if (options.json)
      list.push_back(toJson(*robot.model, answer));
    else
      answers.push_back(std::move(answer));
  }
  if (!options.json)
    printAnswers(*robot.model, answers);
  else
    printJson(input.isList ? Json(std::move(list)) : std::move(list.front()));
  return exit_ok;
}

}  // namespace

void addCompute(CLI::App& app, Run& run) {
  auto options = std::make_shared<ComputeOptions>();
  CLI::App* command = app.add_subcommand(
      "compute", "Mass matrix, forces, accelerations, energies and frames of given states");
  command->add_option("FILE", options->file, "URDF, xacro, MJCF or SDF file")
      ->required()
      ->check(mustBeNamed);
  command
      ->add_option("--state", options->state,
                   "JSON object with q, u, tau, udot, or a list of them; - is standard input")
      ->type_name("S.json");
  command
      ->add_option_function<std::string>(
          "--gravity",
          [options](const std::string& text) {
            const std::vector<double> g = parseNumberList("--gravity", text, 3);
            options->gravity = Vec3d{g[0], g[1], g[2]};
          },
          "m/s^2 (default: that of a MuJoCo file, else 0,0,-9.81)")
      ->type_name("X,Y,Z");
  options->robot.addTo(*command);
  command->add_flag("--json", options->json, "Print JSON");
  command->footer(
      "Without --state: neutral q, no velocity, no torque. Joints are in the order of the file\n"
      "(or --joint-order), the floating base first. A udot in the state asks for inverse "
      "dynamics,\n"
      "too (tau_inverse), and changes the accelerations of the frames: they are those at this "
      "udot,\n"
      "without it those at the udot of forward dynamics, which is printed in both cases.\n"
      "With closed loops q, u, tau and udot are those of the independent joints (espalier info "
      "names\n"
      "them); the others follow, and come back under \"loops\".\n"
      "Examples:\n"
      "  espalier compute models/arm7/arm7.urdf\n"
      "  espalier compute models/strider/strider.urdf --state models/strider/nominal.json --json\n"
      "  echo '{\"u\": [0.5, 0]}' | espalier compute models/cartpole/cartpole.urdf --state -");
  command->callback([options, &run] {
    run = {[options] { return compute(*options); }, options->file};
  });
}

}  // namespace espalier::cli

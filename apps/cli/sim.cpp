// espalier sim FILE...: robots on the ground, or a world file, held at their pose, and a summary.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <cmath>
#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/failure.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/progress.h"
#include "apps/cli/remarks.h"
#include "apps/cli/run_log.h"
#include "apps/cli/run_recording.h"
#include "apps/cli/run_summary.h"
#include "apps/cli/simulation.h"
#include "apps/cli/touches.h"

namespace espalier::cli {
namespace {

struct SimOptions {
  SimulationOptions simulation;
  std::string log;
  double logRate = 200;  ///< Hz
  std::string record;
  double recordRate = 60;  ///< Hz
  bool contacts = false;   ///< pairs in contact are listed by name
  bool json = false;
};

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Steps between two moments of which there are so many for each step; at most those of the run.
long long stepsBetween(double momentsForAStep, long long steps) {
  const double between = 1 / momentsForAStep;
  if (!(between < static_cast<double>(steps))) return steps;
  return std::max(1LL, std::llround(between));
}

/// The log and the recording of a run, as far as they are asked for.
class Writers {
 public:
  Writers(const Simulation& simulation, const SimOptions& options)
      : simulation_(simulation),
        steps_(simulation.steps),
        logged_(steps_),
        recorded_(steps_),
        shown_(stepsBetween(shown_rate * simulation.world->getTimeStep(), steps_)) {
    const double dt = simulation.world->getTimeStep();
    if (!options.log.empty()) {
      log_ = std::make_unique<RunLog>(options.log, simulation);
      logged_ = stepsBetween(options.logRate * dt, steps_);
    }
    if (!options.record.empty()) {
      recording_ = std::make_unique<RunRecording>(options.record, simulation,
                                                  options.simulation.files, options.recordRate);
      recorded_ = stepsBetween(options.recordRate * dt, steps_);
    }
  }

  /// The step behind `step` after which write() has to be called.
  long long next(long long step) const {
    const auto after = [&](long long every) { return step - step % every + every; };
    return std::min({steps_, after(logged_), after(recorded_), after(shown_)});
  }

  ///   in  stepTime  s that a step took lately
  void write(long long step, double energyBalance, double stepTime) {
    if (log_ && isDue(step, logged_)) log_->write(simulation_, energyBalance);
    if (recording_ && isDue(step, recorded_)) recording_->write(stepTime);
  }

  void close() {
    if (log_) log_->close();
    if (recording_) recording_->close();
  }

 private:
  static constexpr double shown_rate = 200;  // Hz, at which the progress bar may be shown

  bool isDue(long long step, long long every) const {
    return step % every == 0 || step == steps_ || wasInterrupted();
  }

  const Simulation& simulation_;
  long long steps_, logged_, recorded_, shown_;  // the run's, and between two moments
  std::unique_ptr<RunLog> log_;
  std::unique_ptr<RunRecording> recording_;
};

/// Steps until the time is over or somebody interrupts. Writing the log, the recording and the progress
/// bar do not count as time of the simulation.
RunSummary simulate(const Simulation& simulation, const SimOptions& options, Touches& touches) {
  const SimulationOptions& o = options.simulation;
  const long long steps = simulation.steps;
  Writers writers(simulation, options);

  RunSummary summary;
  World& world = *simulation.world;
  double wallTime = 0;
  catchInterrupts();
  {
    Progress progress;
    long long step = 0;
    writers.write(0, 0, 0);
    while (step < steps && !wasInterrupted()) {
      const long long first = step, until = writers.next(step);
      const Clock::time_point begin = Clock::now();
      for (; step < until; ++step) {
        summary.add(world.integrate());
        if (options.contacts) touches.add(world);
      }
      const double seconds = secondsSince(begin);
      wallTime += seconds;
      writers.write(step, summary.energyBalance(), seconds / static_cast<double>(step - first));
      if (progress.isDue())
        progress.show(static_cast<double>(step) / static_cast<double>(steps),
                      fmt::format("{:.2f} of {:.6g} s, {:.3g} x real time", world.getWorldTime(),
                                  o.time, world.getWorldTime() / wallTime));
    }
    writers.close();
  }
  summary.finish(simulation, wallTime, wasInterrupted());
  return summary;
}

/// What the files have that does not act, what was said of this run, and how much else was said
/// of the files.
void printRemarks(const Simulation& simulation) {
  const Diagnostics omissions = simulation.diagnostics.omissions();
  print(err(), draw(err(), omissions));
  print(err(), draw(err(), simulation.remarks));
  const int warnings =
      simulation.diagnostics.count(Severity::Warning) - static_cast<int>(omissions.all().size());
  if (warnings > 0)
    print(err(),
          paint(err(), Ink::Faint,
                plural(warnings, "warning") + " about the files; espalier check shows them\n"));
}

void printTitle(const Simulation& simulation) {
  std::string names;
  for (const Participant& robot : simulation.robots)
    names += (names.empty() ? "" : ", ") + printable(robot.name);
  if (names.empty()) names = "a world without robots";
  print(out(), paint(out(), Ink::Bold, names) + "\n");
  std::fflush(out().stream);
}

int sim(const SimOptions& options) {
  const Simulation simulation = setUp(options.simulation);
  if (simulation.diagnostics.hasErrors()) {
    const std::vector<std::string>& files = options.simulation.files;
    const bool isAboutFile = files.size() == 1 && !simulation.isRunRefused;
    reportErrors(simulation.diagnostics, options.json, isAboutFile ? files[0] : "");
    return simulation.isRunRefused ? exit_usage : exit_bad_input;
  }
  if (!options.json) {
    printRemarks(simulation);
    printTitle(simulation);
  }
  Touches touches;
  const RunSummary summary = simulate(simulation, options, touches);
  if (options.json) {
    Json json = summary.json(simulation);
    if (options.contacts) json["touching"] = touches.json(simulation);
    printJson(json);
  } else {
    print(out(), summary.draw(out(), simulation));
    if (options.contacts) print(out(), "\n" + touches.draw(out(), simulation));
  }
  return exit_ok;
}

void addOptions(CLI::App& command, SimOptions& options) {
  SimulationOptions& s = options.simulation;
  command
      .add_option("FILE", s.files,
                  "URDF or xacro files, several stand side by side; or one world file")
      ->required()
      ->check(mustBeNamed);
  command.add_option("--time", s.time, "Simulated time, s")
      ->check(mustBePositive)
      ->type_name("S")
      ->capture_default_str();
  command.add_option("--log", options.log, "Write the run as CSV")->type_name("run.csv");
  command.add_option("--log-rate", options.logRate, "Lines of the log for each second, Hz")
      ->check(mustBePositive)
      ->type_name("HZ")
      ->capture_default_str();
  command.add_option("--record", options.record, "Write the run for espalier replay")
      ->type_name("run.esp");
  command.add_option("--record-rate", options.recordRate, "Frames of it for each second, Hz")
      ->check(mustBePositive)
      ->type_name("HZ")
      ->capture_default_str();
  command.add_flag("--contacts", options.contacts,
                   "List what touched, by name, with forces; pairs that chatter first");
  command.add_flag("--long", s.isLong, "Run more than 100,000,000 steps");
  s.addTo(command);
  command.add_flag("--json", options.json, "Print the summary as JSON");
}

}  // namespace

void addSim(CLI::App& app, Run& run) {
  auto options = std::make_shared<SimOptions>();
  CLI::App* command = app.add_subcommand("sim", "Drop robots on the ground and tell what happened");
  addOptions(*command, *options);
  command->footer(
      "Ctrl-C ends the run early, with the summary so far. scripts/plot draws a log, espalier\n"
      "replay shows a recording.\n"
      "Held are the joints of the tree and the driven ones of mechanisms: those flagged "
      "independent "
      "or\n"
      "driven by a transmission, else those with a limit of effort, else all independent ones.\n"
      "Examples:\n"
      "  espalier sim models/strider/strider.urdf --time 10 --log run.csv\n"
      "  espalier sim models/*/*.urdf --dt 0.0025 --seed 7\n"
      "  espalier sim models/worlds/tracked_robot.xml --pd 0,5\n"
      "  espalier sim models/double_pendulum/double_pendulum.urdf --pd 0,0 --seed 1 --json");
  command->callback([options, &run] {
    const std::vector<std::string>& files = options->simulation.files;
    run = {[options] { return sim(*options); }, files.size() == 1 ? files[0] : ""};
  });
}

}  // namespace espalier::cli

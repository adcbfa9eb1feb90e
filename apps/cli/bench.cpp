// espalier bench FILE: how long the dynamics of a robot take, for every scalar of this machine.

#include <fmt/format.h>
#include <time.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/failure.h"
#include "apps/cli/json.h"
#include "apps/cli/remarks.h"
#include "apps/cli/robot.h"
#include "apps/cli/table.h"
#include "bench/kernels/kernels.h"

namespace espalier::cli {
namespace {

struct BenchOptions {
  std::string file;
  RobotOptions robot;
  int repetitions = 31;
  bool json = false;
};

/// Long enough that looking at the clock costs nothing, short enough that an interruption spoils
/// one repetition only.
constexpr double repetition_ns = 5e5;

double threadTimeNs() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

/// Thread CPU time of so many calls.
double timeOf(bench::Kernels& kernels, bench::Metric metric, int calls) {
  const double begin = threadTimeNs();
  kernels.run(metric, calls);
  return threadTimeNs() - begin;
}

struct Timing {
  bench::Kernels* kernels;
  bench::Metric metric;
  int calls = 1;
  std::vector<double> perWorld;  ///< ns, one for each repetition

  double median() const {
    std::vector<double> sorted = perWorld;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
  }
};

/// Everything in turns, so that a change of the processor's clock meets all alike.
std::vector<Timing> measure(const std::vector<std::unique_ptr<bench::Kernels>>& all,
                            int repetitions) {
  std::vector<Timing> timings;
  for (const bench::Metric metric : bench::metrics)
    for (const auto& kernels : all) timings.push_back({kernels.get(), metric, 1, {}});
  for (Timing& t : timings) {
    timeOf(*t.kernels, t.metric, bench::state_count);  // warms caches and branches
    while (timeOf(*t.kernels, t.metric, t.calls) < repetition_ns) t.calls *= 2;
  }
  for (int r = 0; r < repetitions; ++r)
    for (Timing& t : timings)
      t.perWorld.push_back(timeOf(*t.kernels, t.metric, t.calls) / t.calls / t.kernels->worlds);
  return timings;
}

Json rows(const std::string& name, const std::vector<Timing>& timings) {
  Json::array_t list;
  for (const Timing& t : timings)
    list.push_back({{"suite", "dynamics"},
                    {"case", name},
                    {"metric", bench::name(t.metric)},
                    {"scalar", t.kernels->scalar},
                    {"worlds", t.kernels->worlds},
                    {"value", t.median()},
                    {"unit", "ns"},
                    {"peer", nullptr},
                    {"peer_value", nullptr},
                    {"ratio", nullptr}});
  return list;
}

std::string draw(const Terminal& terminal, const std::vector<Timing>& timings) {
  std::vector<Column> columns{{"metric"}};
  for (const Timing& t : timings)
    if (t.metric == timings.front().metric)
      columns.push_back({t.kernels->worlds > 1
                             ? fmt::format("{} x {}", t.kernels->scalar, t.kernels->worlds)
                             : t.kernels->scalar,
                         Align::Right});
  const std::size_t scalars = columns.size() - 1;
  Table table(std::move(columns));
  for (std::size_t i = 0; i < timings.size(); i += scalars) {
    std::vector<Cell> row{bench::name(timings[i].metric)};
    for (std::size_t k = 0; k < scalars; ++k)
      row.emplace_back(fmt::format("{:.1f}", timings[i + k].median()));
    table.add(std::move(row));
  }
  return table.draw(terminal);
}

int runBench(const BenchOptions& options) {
  const Robot robot = loadRobot(options.file, options.robot, Meshes::Skip);
  if (!robot.isGood()) {
    reportErrors(robot.diagnostics, options.json, robot.file);
    return exit_bad_input;
  }
  hintAtWarnings(robot);
  const bench::Robot subject(*robot.model);
  const auto all = bench::allKernels(subject);
  const std::vector<Timing> timings = measure(all, options.repetitions);
  if (options.json) {
    printJson(rows(robot.model->name, timings));
    return exit_ok;
  }
  print(out(), paint(out(), Ink::Bold, printable(robot.model->name)) +
                   fmt::format("  {}, {}; ns per world, median of {}\n\n",
                               plural(robot.model->nb(), "body"), plural(robot.model->nv(), "dof"),
                               options.repetitions));
  print(out(), draw(out(), timings));
  return exit_ok;
}

}  // namespace

void addBench(CLI::App& app, Run& run) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand("bench", "Time the dynamics of a robot");
  command->add_option("FILE", options->file, "URDF or xacro file")->required()->check(mustBeNamed);
  command
      ->add_option("--repetitions", options->repetitions,
                   "Of half a millisecond each; the median counts")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  options->robot.addTo(*command);
  command->add_flag("--json", options->json, "Print JSON");
  command->footer(
      "Thread CPU time at 128 random states, the same every time. dynamics is one pass of\n"
      "kinematics, h, mass matrix and factor; lanes are the widest of this machine.\n"
      "Closed loops do not count here: the tree of all joints is timed.\n"
      "Examples:\n"
      "  espalier bench models/strider/strider.urdf\n"
      "  espalier bench models/biped/biped.urdf --repetitions 201 --json");
  command->callback([options, &run] {
    run = {[options] { return runBench(*options); }, options->file};
  });
}

}  // namespace espalier::cli

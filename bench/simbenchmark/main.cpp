// One of SimBenchmark's tasks, in the engine that this program is linked with.
//
//   PROGRAM TASK SCHEME DT [--robot FILE] [--seeds N] [--iterations N] [--quick]
//
// Prints {"error", "seconds", "steps", ...} as JSON; bench/simbenchmark.py makes the table.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>

#include "bench/simbenchmark/task.h"

namespace bench {

Task findTask(const std::string& name) {
  static const std::pair<const char*, Task> table[] = {
      {"rolling_xy", rollingXy},  {"rolling_y", rollingY},       {"bouncing", bouncing},
      {"666", fallingBalls},      {"elastic_666", elasticBalls}, {"momentum", momentum},
      {"energy", energyOfFlight}, {"anymal_pd", standing},       {"anymal_pd_2x2", standingFour},
      {"kapla", kapla},
  };
  for (const auto& [known, task] : table)
    if (name == known) return task;
  return nullptr;
}

namespace {

int usage() {
  std::fprintf(
      stderr,
      "usage: PROGRAM TASK SCHEME DT [--robot FILE] [--seeds N] [--iterations N] [--quick]\n");
  return 2;
}

nlohmann::json number(double x) {
  return std::isfinite(x) ? nlohmann::json(x) : nlohmann::json(std::to_string(x));
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  if (argc < 4) return bench::usage();
  const bench::Task task = bench::findTask(argv[1]);
  bench::Setup setup{argv[2], std::atof(argv[3]), {}, false, 1, {}};
  for (int i = 4; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--quick") {
      setup.isQuick = true;
    } else if (word == "--robot" && i + 1 < argc) {
      setup.robot = argv[++i];
    } else if (word == "--seeds" && i + 1 < argc) {
      setup.seeds = std::atoi(argv[++i]);
    } else if (word == "--iterations" && i + 1 < argc) {
      setup.iterations = std::atoi(argv[++i]);
    } else {
      return bench::usage();
    }
  }
  if (task == nullptr || !(setup.dt > 0)) return bench::usage();
  try {
    const bench::Figures figures = task(setup);
    nlohmann::json json{{"error", bench::number(figures.error)},
                        {"seconds", figures.seconds},
                        {"steps", figures.steps}};
    for (const auto& [name, value] : figures.more) json[name] = bench::number(value);
    std::printf("%s\n", json.dump().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}

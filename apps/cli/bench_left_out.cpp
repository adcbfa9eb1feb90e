// espalier bench, of a build that leaves it out (ESPALIER_CLI_BENCH).

#include <CLI/CLI.hpp>

#include "apps/cli/commands.h"
#include "apps/cli/failure.h"

namespace espalier::cli {

void addBench(CLI::App& app, Run& run) {
  CLI::App* command =
      app.add_subcommand("bench", "Time the dynamics of a robot (left out of this build)");
  command->allow_extras();
  command->callback([&run] {
    run.start = []() -> int {
      throw Failure({Severity::Error, "", 0, "this build leaves the command 'bench' out",
                     "scripts/test builds it; so does cmake -DESPALIER_CLI_BENCH=ON"});
    };
  });
}

}  // namespace espalier::cli

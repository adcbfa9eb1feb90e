#pragma once

// The subcommands. Each adds itself with its options and, when it is the one asked for, leaves
// what is to be done in `run`.

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace espalier::cli {

enum ExitCode { exit_ok = 0, exit_bad_input = 1, exit_usage = 2 };

/// The subcommand that was asked for.
struct Run {
  std::function<int()> start;  ///< returns an ExitCode
  std::string file;            ///< the only file it was given; empty: several
};

void addInfo(CLI::App& app, Run& run);
void addCheck(CLI::App& app, Run& run);
void addConvert(CLI::App& app, Run& run);
void addCompute(CLI::App& app, Run& run);
void addSim(CLI::App& app, Run& run);
void addReplay(CLI::App& app, Run& run);
void addView(CLI::App& app, Run& run);
void addBench(CLI::App& app, Run& run);

}  // namespace espalier::cli

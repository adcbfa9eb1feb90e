#include "apps/cli/command_line.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <sstream>
#include <string_view>

#include "apps/cli/commands.h"
#include "apps/cli/failure.h"
#include "apps/cli/terminal.h"

namespace espalier::cli {
namespace {

/// The error in the command line, and the help that describes it.
///   in  first  the first argument; empty: there is none
Diagnostic usageError(const CLI::App& app, const CLI::ParseError& error, const std::string& first) {
  const auto commands = app.get_subcommands();
  if (!commands.empty())
    return {
        Severity::Error, "", 0, error.what(),
        fmt::format("espalier {} --help describes what it takes", commands.front()->get_name())};
  const bool isName = !first.empty() && first.front() != '-';
  return {Severity::Error, "", 0,
          isName ? fmt::format("there is no command '{}'", first) : "a command is missing",
          "espalier --help lists the commands"};
}

int parseAndRun(CLI::App& app, int argc, char** argv) {
  // Also where the command line cannot be parsed.
  const bool asJson =
      std::any_of(argv + 1, argv + argc, [](std::string_view s) { return s == "--json"; });
  Run run;
  addInfo(app, run);
  addCheck(app, run);
  addConvert(app, run);
  addCompute(app, run);
  addSim(app, run);
  addReplay(app, run);
  addView(app, run);
  addBench(app, run);
  Diagnostics errors;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help and --version
      std::ostringstream text;
      app.exit(error, text);
      print(out(), text.str());
      return exit_ok;
    }
    errors.add(usageError(app, error, argc > 1 ? argv[1] : ""));
    reportErrors(errors, asJson);
    return exit_usage;
  }
  try {
    return run.start();
  } catch (const std::exception& exception) {
    errors.add(toDiagnostic(exception, run.file));
    reportErrors(errors, asJson, run.file);
    return exit_bad_input;
  }
}

}  // namespace

int runCommand(int argc, char** argv) {
  CLI::App app("Simulates articulated systems as they are really built.", "espalier");
  app.set_version_flag("--version", "espalier " ESPALIER_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(30);
  app.footer(
      "espalier COMMAND --help says more about one of them.\n"
      "With --json errors are JSON, too: {\"ok\": false, \"diagnostics\": [...]}.\n"
      "Exit codes: 0 all is well, 1 the input has errors or the output cannot be written, 2 the\n"
      "command line is wrong.");
  const int code = parseAndRun(app, argc, argv);
  const int error = flushOutput();
  if (error == 0) return code;
  Diagnostics full;
  full.add({Severity::Error, "<standard output>", 0,
            fmt::format("cannot be written: {}", std::strerror(error)),
            "free some space, or write it elsewhere"});
  reportErrors(full, false);
  return code == exit_ok ? exit_bad_input : code;
}

}  // namespace espalier::cli

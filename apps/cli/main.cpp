// espalier: articulated systems from the command line.

#include <CLI/CLI.hpp>
#include <exception>

#include "apps/cli/commands.h"
#include "apps/cli/terminal.h"

int main(int argc, char** argv) {
  using namespace espalier::cli;
  CLI::App app("Simulates articulated systems as they are really built.", "espalier");
  app.set_version_flag("--version", "espalier " ESPALIER_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(30);
  app.footer(
      "espalier COMMAND --help says more about one of them.\n"
      "Exit codes: 0 all is well, 1 the input has errors, 2 the command line is wrong.");

  Run run;
  addInfo(app, run);
  addCheck(app, run);
  addCompute(app, run);
  addSim(app, run);
  addBench(app, run);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? exit_ok : exit_usage;
  }
  try {
    return run();
  } catch (const std::exception& e) {
    print(err(), paint(err(), Ink::Red, "error:") + " " + printable(e.what()) + "\n");
    return exit_bad_input;
  }
}

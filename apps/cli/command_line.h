#pragma once

namespace espalier::cli {

/// The `espalier` command: parses the arguments and runs the subcommand.
///   in       argv  the program's name, then the arguments
///   returns  the exit code
int runCommand(int argc, char** argv);

}  // namespace espalier::cli

// espalier: articulated systems from the command line.

#include "apps/cli/command_line.h"

int main(int argc, char** argv) { return espalier::cli::runCommand(argc, argv); }

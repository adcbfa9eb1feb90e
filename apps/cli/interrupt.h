#pragma once

namespace espalier::cli {

/// From now on the first Ctrl-C (or SIGTERM) only sets a flag; a second one ends the program.
/// An interrupt of an earlier run of the command is forgotten.
void catchInterrupts();
bool wasInterrupted();

}  // namespace espalier::cli

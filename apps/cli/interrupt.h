#pragma once

namespace espalier::cli {

/// From now on the first Ctrl-C (or SIGTERM) only sets a flag; a second one ends the program.
void catchInterrupts();
bool wasInterrupted();

}  // namespace espalier::cli

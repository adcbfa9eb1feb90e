#pragma once

// Runs another program and gathers what it says. No shell is involved.

#include <string>
#include <vector>

namespace espalier::io {

struct ChildResult {
  bool wasStarted = false;  ///< false: there is no such program
  bool hasTimedOut = false;
  bool hasOverflown = false;  ///< it said more than it may
  int exitCode = -1;          ///< -1 where it was ended by a signal
  std::string out, err;
};

/// Runs argv[0], looked for on PATH, with nothing on its standard input.
///   in   seconds   after which it is ended
///   in   most      bytes of output after which it is ended
ChildResult runChild(const std::vector<std::string>& argv, double seconds, std::size_t most);

}  // namespace espalier::io

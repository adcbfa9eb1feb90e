#pragma once

// Scripts that are part of the command (convex_parts.py, write_mcap.py; CMake makes strings of them),
// run by a Python that has the package they need.

#include <string>
#include <vector>

#include "espalier/io/text/child_process.h"

namespace espalier::cli {

/// Exit code of a script whose package is missing; the package's name is its last line then.
inline constexpr int exit_missing_package = 3;

struct PythonScript {
  const char* text;
  std::string purpose;  ///< purpose of its package: "the package coacd, which {takes meshes apart}"
  double seconds;       ///< that it may take
};

/// Runs a script to its end, whatever that is.
///   in      python  empty: the project's own, else python3
///   in      file    that it is about, for errors
///   errors  throws Failure where Python cannot be started or lacks the script's package
io::ChildResult runPython(const std::string& python, const PythonScript& script,
                          const std::vector<std::string>& arguments, const std::string& file);

/// The Python of scripts for which none is named, in place of the project's own: of a command that
/// runs in Python itself.
void setDefaultPython(std::string python);

/// Of what a program said: usually the exception.
std::string lastLineOf(const std::string& text);

}  // namespace espalier::cli

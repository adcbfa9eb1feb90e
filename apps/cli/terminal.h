#pragma once

// Capabilities of a stream: colour only on a terminal and where NO_COLOR is not set, branches and
// bars in Unicode only where the locale says UTF-8.

#include <cstdio>
#include <string>
#include <string_view>

namespace espalier::cli {

enum class Ink { Plain, Bold, Faint, Red, Yellow, Green, Cyan };

struct Terminal {
  std::FILE* stream = stdout;
  bool isTerminal = false;
  bool colour = false;
  bool unicode = false;
  int width = 80;  ///< columns
};

/// Standard output and standard error, looked at once.
const Terminal& out();
const Terminal& err();

/// text in colour where the terminal has any.
std::string paint(const Terminal& terminal, Ink ink, std::string_view text);

/// Names come from files: control characters, escape sequences among them, and what is not UTF-8
/// become '?'.
std::string printable(std::string_view text);

/// Columns that UTF-8 text takes, one for each code point.
int displayWidth(std::string_view text);

void print(const Terminal& terminal, std::string_view text);

/// Flushes standard output.
///   returns 0, or the errno of the first write to it that failed since the last call (ENOSPC: the
///   disk is full)
int flushOutput();

}  // namespace espalier::cli

#pragma once

// Diagnostics as people read them.

#include <string>

#include "apps/cli/terminal.h"
#include "espalier/core/diagnostic.h"

namespace espalier::cli {

/// "file:line: error: what", and the remedy on a line of its own.
std::string draw(const Terminal& terminal, const Diagnostic& diagnostic);
/// The first `most` of them, worst first, and how many more there are.
std::string draw(const Terminal& terminal, const Diagnostics& diagnostics, int most = 100);

/// Both lists, each remark once.
Diagnostics merged(const Diagnostics& first, const Diagnostics& second);

/// "2 errors, 1 warning"; zero counts are left out, "no remarks" where there is nothing.
std::string countOf(const Diagnostics& diagnostics);

/// "1 file", "3 files".
std::string plural(int count, const std::string& noun);

}  // namespace espalier::cli

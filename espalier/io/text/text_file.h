#pragma once

// A whole file as text or bytes, if it is one that may be read.

#include <cstddef>
#include <string>

#include "espalier/core/diagnostic.h"
#include "espalier/io/text/reading_budget.h"

namespace espalier::io {

/// The bytes of a regular file of at most `most` bytes.
Expected<std::string> readFileBytes(const std::string& path, std::size_t most);

/// The bytes of a regular file of at most default_limits.fileBytes.
Expected<std::string> readTextFile(const std::string& path);

/// The same within a budget, from which it takes the file and its bytes.
Expected<std::string> readTextFile(const std::string& path, ReadingBudget& budget);

}  // namespace espalier::io

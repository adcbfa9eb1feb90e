#pragma once

// Where the reference data is that does not travel with the project.

#include <cstdlib>
#include <filesystem>

#include "tests/support/source_folder.h"

namespace espalier::testing {

inline std::filesystem::path sharedFolder() {
  const char* named = std::getenv("ESPALIER_SHARED");
  return named && *named ? std::filesystem::path(named)
                         : std::filesystem::path(sourceFolder()) / ".." / "shared";
}

}  // namespace espalier::testing

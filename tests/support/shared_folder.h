#pragma once

// Where the reference data is that does not travel with the project.

#include <cstdlib>
#include <filesystem>

namespace espalier::testing {

inline std::filesystem::path sharedFolder() {
  const char* named = std::getenv("ESPALIER_SHARED");
  return named && *named ? std::filesystem::path(named)
                         : std::filesystem::path(ESPALIER_SOURCE_DIR) / ".." / "shared";
}

}  // namespace espalier::testing

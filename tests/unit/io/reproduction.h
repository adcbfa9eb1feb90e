#pragma once

// Smallest files that showed a fault, where ESPALIER_SHARED has them.

#include <optional>
#include <string>

#include "remarks.h"

namespace espalier {

/// The path of a file of fixtures/reproductions; none where the shared folder does not have it.
inline std::optional<std::string> reproduction(const std::string& name) {
  const std::filesystem::path folder = sharedFolder();
  if (folder.empty()) return std::nullopt;
  const std::filesystem::path path = folder / "fixtures" / "reproductions" / name;
  std::error_code code;
  if (!std::filesystem::exists(path, code)) return std::nullopt;
  return path.string();
}

}  // namespace espalier

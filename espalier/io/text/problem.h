#pragma once

// The one Error that ends the reading of a file.

#include <string>
#include <utility>

#include "espalier/core/diagnostic.h"

namespace espalier::io {

inline Diagnostics problem(const std::string& path, std::string what, std::string remedy,
                           int line = 0) {
  Diagnostics diagnostics;
  diagnostics.add({Severity::Error, path, line, std::move(what), std::move(remedy)});
  return diagnostics;
}

}  // namespace espalier::io

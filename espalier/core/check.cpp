#include "espalier/core/check.h"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace espalier::core {

void throwInvalidArgument(const char* condition, const std::string& message) {
  throw std::invalid_argument(message + " (required: " + condition + ")");
}

void assertionFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "espalier: internal error: %s does not hold at %s:%d\n", condition, file,
               line);
  std::abort();
}

}  // namespace espalier::core

#pragma once

// Two of the four error categories (docs/architecture.md, "Errors"):
//   ESPALIER_REQUIRE   a caller's mistake; always on; throws std::invalid_argument with a message
//   ESPALIER_ASSERT    our own mistake; on in Debug and RelWithDebInfo; stops the program

#include <string>

namespace espalier::core {

[[noreturn]] void throwInvalidArgument(const char* condition, const std::string& message);
[[noreturn]] void assertionFailed(const char* condition, const char* file, int line);

}  // namespace espalier::core

#define ESPALIER_REQUIRE(condition, message)                         \
  do {                                                               \
    if (!(condition)) [[unlikely]]                                   \
      ::espalier::core::throwInvalidArgument(#condition, (message)); \
  } while (false)

#if !defined(NDEBUG) || defined(ESPALIER_ASSERTIONS)
#define ESPALIER_ASSERT(condition)                                       \
  do {                                                                   \
    if (!(condition)) [[unlikely]]                                       \
      ::espalier::core::assertionFailed(#condition, __FILE__, __LINE__); \
  } while (false)
#else
#define ESPALIER_ASSERT(condition) ((void)sizeof(!(condition)))
#endif

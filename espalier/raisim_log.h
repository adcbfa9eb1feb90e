#pragma once

// RaiSim's macros that report: RSINFO, RSWARN, RSFATAL and their like. Each line goes to standard
// output with its place in the source; a fatal one then calls the fatal callback, which ends the
// program with exit code 1 unless another was set. espalier/raisim.h includes it.
//
//   RSFATAL_IF(height < 0.3, "the robot fell to " << height << " m")
//
// Espalier itself uses none of them: it throws std::invalid_argument.

#include <cmath>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>

namespace raisim {

class RaiSimMsg {
 public:
  /// Action after a fatal message. Where it returns, the program goes on.
  static void setFatalCallback(std::function<void()> callback) { fatal() = std::move(callback); }

  static void print(const char* severity, const char* file, int line, const std::string& text) {
    std::cout << '[' << file << ':' << line << "] " << severity << text << std::endl;
  }
  static void callFatal() { fatal()(); }

 private:
  static std::function<void()>& fatal() {
    static std::function<void()> callback = [] { std::exit(1); };
    return callback;
  }
};

}  // namespace raisim

#define ESPALIER_RAISIM_PRINT(severity, message)                                 \
  do {                                                                           \
    std::ostringstream raisim_text;                                              \
    raisim_text << message;                                                      \
    ::raisim::RaiSimMsg::print(severity, __FILE__, __LINE__, raisim_text.str()); \
  } while (false);

#define RSINFO(message) ESPALIER_RAISIM_PRINT("", message)
#define RSWARN(message) ESPALIER_RAISIM_PRINT("warning: ", message)
#define RSFATAL(message)                      \
  {                                           \
    ESPALIER_RAISIM_PRINT("fatal: ", message) \
    ::raisim::RaiSimMsg::callFatal();         \
  }
#define RSINFO_IF(condition, message) \
  if (condition) {                    \
    RSINFO(message)                   \
  }
#define RSWARN_IF(condition, message) \
  if (condition) {                    \
    RSWARN(message)                   \
  }
#define RSFATAL_IF(condition, message) \
  if (condition) {                     \
    RSFATAL(message)                   \
  }
#define RSASSERT(condition, message) \
  if (!(condition)) {                \
    RSFATAL(message)                 \
  }
#define RSRETURN_IF(condition, message) \
  if (condition) {                      \
    RSINFO(message)                     \
    return;                             \
  }
#define RSISNAN(value)           \
  if (std::isnan(value)) {       \
    RSFATAL(#value << " is NaN") \
  }
#define RSISNAN_MSG(value, message) \
  if (std::isnan(value)) {          \
    RSFATAL(message)                \
  }

// The same in Debug builds alone.
#ifdef NDEBUG
#define ESPALIER_RAISIM_DEBUG(statement)
#else
#define ESPALIER_RAISIM_DEBUG(statement) statement
#endif
#define DRSINFO(message) ESPALIER_RAISIM_DEBUG(RSINFO(message))
#define DRSWARN(message) ESPALIER_RAISIM_DEBUG(RSWARN(message))
#define DRSFATAL(message) ESPALIER_RAISIM_DEBUG(RSFATAL(message))
#define DRSINFO_IF(condition, message) ESPALIER_RAISIM_DEBUG(RSINFO_IF(condition, message))
#define DRSWARN_IF(condition, message) ESPALIER_RAISIM_DEBUG(RSWARN_IF(condition, message))
#define DRSFATAL_IF(condition, message) ESPALIER_RAISIM_DEBUG(RSFATAL_IF(condition, message))
#define DRSASSERT(condition, message) ESPALIER_RAISIM_DEBUG(RSASSERT(condition, message))
#define DRSRETURN_IF(condition, message) ESPALIER_RAISIM_DEBUG(RSRETURN_IF(condition, message))
#define DRSISNAN(value) ESPALIER_RAISIM_DEBUG(RSISNAN(value))
#define DRSISNAN_MSG(value, message) ESPALIER_RAISIM_DEBUG(RSISNAN_MSG(value, message))

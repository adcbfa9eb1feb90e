#pragma once

// Helpers that programs written for RaiSim call beside its simulation: paths and waiting.
// espalier/raisim.h includes it.

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

namespace raisim {

/// Of a program, from its argv[0].
class Path {
 public:
  static Path setFromArgv(const std::string& argv0) { return Path(argv0); }
  static constexpr char separator() { return '/'; }

  /// Its folder, without a separator at the end; "." where argv[0] names none.
  std::string getDirectory() const {
    const std::size_t at = path_.find_last_of("/\\");
    return at == std::string::npos ? "." : path_.substr(0, at);
  }
  std::string getFileName() const { return path_.substr(path_.find_last_of("/\\") + 1); }
  const std::string& getString() const { return path_; }
  operator const std::string&() const { return path_; }

 private:
  explicit Path(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

inline void MSLEEP(std::int64_t milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}
inline void USLEEP(std::int64_t microseconds) {
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
}

/// Makes its scope last so long at least: sleeps the rest of it at the end.
class TimedScope {
 public:
  explicit TimedScope(std::int64_t microseconds)
      : end_(std::chrono::steady_clock::now() + std::chrono::microseconds(microseconds)) {}
  ~TimedScope() { std::this_thread::sleep_until(end_); }
  TimedScope(const TimedScope&) = delete;
  TimedScope& operator=(const TimedScope&) = delete;

 private:
  std::chrono::steady_clock::time_point end_;
};

}  // namespace raisim

/// At the start of a loop's body: every pass lasts so many microseconds at least. A semicolon may
/// follow.
#define RS_TIMED_LOOP(microseconds) \
  const ::raisim::TimedScope raisim_timed_scope(static_cast<std::int64_t>(microseconds));

#pragma once

// A line on standard error that shows how far a run is; nothing where that is no terminal.

#include <chrono>
#include <string>

namespace espalier::cli {

class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Draws at most ten times a second.
  ///   in   share  done, 0 to 1
  void show(double share, const std::string& note);
  /// Whether show() would draw now, so that the note is made only when needed.
  bool isDue() const;

 private:
  using Clock = std::chrono::steady_clock;
  bool isOn_;
  bool isDrawn_ = false;
  Clock::time_point last_;
};

}  // namespace espalier::cli

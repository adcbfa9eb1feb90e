#pragma once

// Pacer: keeps simulated time to wall-clock time at a wanted ratio, and measures the ratio.

#include <chrono>

namespace espalier {

class Pacer {
 public:
  using Clock = std::chrono::steady_clock;

  /// in  factor  simulated seconds for each second; 0: as fast as it goes
  void setSpeed(double factor);
  double speed() const { return speed_; }
  /// Time has stood still, or was set: the lag is not caught up with.
  void restart() { isStarted_ = false; }

  /// When a step that begins at simulated time t should begin; `now` or before: at once. Who is late
  /// by more than a tenth of a second does not hurry.
  Clock::time_point due(double t, Clock::time_point now);

  struct Rate {
    double realTimeFactor = 0, stepsPerSecond = 0;
  };
  /// Counts a step that ends at simulated time t.
  ///   returns  whether a new rate() has been measured, about twice a second
  bool count(double t, Clock::time_point now);
  const Rate& rate() const { return rate_; }
  /// Steps have ceased: the rates are zero.
  void rest();

 private:
  double speed_ = 0;
  bool isStarted_ = false, isCounting_ = false;
  Clock::time_point start_, since_;
  double startTime_ = 0, sinceTime_ = 0;
  long long steps_ = 0;
  Rate rate_;
};

}  // namespace espalier

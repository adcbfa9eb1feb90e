#include "espalier/server/pacer.h"

namespace espalier {
namespace {

constexpr double patience = 0.1;  // s
constexpr double window = 0.5;    // s, over which rates are measured

double seconds(Pacer::Clock::duration d) { return std::chrono::duration<double>(d).count(); }

}  // namespace

void Pacer::setSpeed(double factor) {
  speed_ = factor;
  restart();
}

Pacer::Clock::time_point Pacer::due(double t, Clock::time_point now) {
  if (speed_ <= 0) return now;
  if (isStarted_ && t >= startTime_) {
    const auto due = start_ + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>((t - startTime_) / speed_));
    if (seconds(now - due) < patience) return due;
  }
  isStarted_ = true;
  start_ = now;
  startTime_ = t;
  return now;
}

bool Pacer::count(double t, Clock::time_point now) {
  ++steps_;
  if (isCounting_ && t >= sinceTime_) {
    const double elapsed = seconds(now - since_);
    if (elapsed < window) return false;
    rate_ = {(t - sinceTime_) / elapsed, static_cast<double>(steps_) / elapsed};
  }
  const bool isMeasured = isCounting_;
  isCounting_ = true;
  since_ = now;
  sinceTime_ = t;
  steps_ = 0;
  return isMeasured;
}

void Pacer::rest() {
  isCounting_ = isStarted_ = false;
  rate_ = {};
}

}  // namespace espalier

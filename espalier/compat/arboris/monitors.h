#pragma once

// Observers that keep a list of numbers. An entry for each step, of its beginning, and one of the
// end, so that there are as many as times in the timeline.

#include <chrono>
#include <memory>

#include "espalier/compat/arboris/observer.h"
#include "espalier/compat/arboris/snapshot.h"

namespace espalier::sim {

/// Calls note() for each entry.
class Monitor : public Observer {
 public:
  void update(double) override { note(); }
  void finish() override { note(); }

 private:
  virtual void note() = 0;
};

/// Energies in the World's gravity; springs do not count.
class EnergyMonitor : public Monitor {
 public:
  void init(Simulation& simulation, const std::vector<double>& timeline) override;

  const std::vector<double>& time() const { return time_; }            ///< s
  const std::vector<double>& kinetic() const { return kinetic_; }      ///< J
  const std::vector<double>& potential() const { return potential_; }  ///< J
  /// The sum of both.
  double mechanical(std::size_t entry) const { return kinetic_[entry] + potential_[entry]; }

 private:
  void note() override;

  const Simulation* simulation_ = nullptr;
  std::unique_ptr<Snapshot> snapshot_;
  std::vector<double> time_, kinetic_, potential_;
};

/// Centre of mass of all that moves, and its velocity; world axes.
class CoMObserver : public Monitor {
 public:
  void init(Simulation& simulation, const std::vector<double>& timeline) override;

  const std::vector<double>& time() const { return time_; }                   ///< s
  const std::vector<Eigen::Vector3d>& position() const { return position_; }  ///< m
  const std::vector<Eigen::Vector3d>& velocity() const { return velocity_; }  ///< m/s

 private:
  void note() override;

  const Simulation* simulation_ = nullptr;
  std::unique_ptr<Snapshot> snapshot_;
  std::vector<double> time_;
  std::vector<Eigen::Vector3d> position_, velocity_;
};

/// How long steps take on the wall clock: from one update() to the next.
class PerfMonitor : public Monitor {
 public:
  void init(Simulation& simulation, const std::vector<double>& timeline) override;

  /// s, one for each step.
  const std::vector<double>& durations() const { return durations_; }
  double total() const;    ///< s
  double average() const;  ///< s; 0 without steps
  double fastest() const;  ///< s
  double slowest() const;  ///< s

 private:
  using Clock = std::chrono::steady_clock;
  void note() override;

  bool isRunning_ = false;
  Clock::time_point last_;
  std::vector<double> durations_;
};

}  // namespace espalier::sim

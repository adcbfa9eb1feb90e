#include "espalier/compat/arboris/monitors.h"

#include <algorithm>
#include <numeric>

namespace espalier::sim {

void EnergyMonitor::init(Simulation& simulation, const std::vector<double>& timeline) {
  simulation_ = &simulation;
  snapshot_ = std::make_unique<Snapshot>(simulation);
  for (auto* list : {&time_, &kinetic_, &potential_}) {
    list->clear();
    list->reserve(timeline.size());
  }
}
void EnergyMonitor::note() {
  snapshot_->take();
  time_.push_back(simulation_->currentTime());
  kinetic_.push_back(snapshot_->kineticEnergy());
  potential_.push_back(snapshot_->potentialEnergy(simulation_->world().getGravity()));
}

void CoMObserver::init(Simulation& simulation, const std::vector<double>& timeline) {
  simulation_ = &simulation;
  snapshot_ = std::make_unique<Snapshot>(simulation);
  time_.clear();
  time_.reserve(timeline.size());
  for (auto* list : {&position_, &velocity_}) {
    list->clear();
    list->reserve(timeline.size());
  }
}
void CoMObserver::note() {
  snapshot_->take();
  time_.push_back(simulation_->currentTime());
  position_.push_back(snapshot_->centreOfMass());
  velocity_.push_back(snapshot_->centreOfMassRate());
}

void PerfMonitor::init(Simulation&, const std::vector<double>& timeline) {
  isRunning_ = false;
  durations_.clear();
  durations_.reserve(timeline.size());
}
void PerfMonitor::note() {
  const Clock::time_point now = Clock::now();
  if (isRunning_) durations_.push_back(std::chrono::duration<double>(now - last_).count());
  isRunning_ = true;
  last_ = now;
}
double PerfMonitor::total() const {
  return std::accumulate(durations_.begin(), durations_.end(), 0.0);
}
double PerfMonitor::average() const {
  return durations_.empty() ? 0 : total() / static_cast<double>(durations_.size());
}
double PerfMonitor::fastest() const {
  return durations_.empty() ? 0 : *std::min_element(durations_.begin(), durations_.end());
}
double PerfMonitor::slowest() const {
  return durations_.empty() ? 0 : *std::max_element(durations_.begin(), durations_.end());
}

}  // namespace espalier::sim

#pragma once

#include <fstream>
#include <string>

#include "espalier/compat/arboris/observer.h"
#include "espalier/compat/arboris/simulation.h"

namespace espalier::sim {

/// The trajectory as text: a line of names, then one for each time of the timeline,
///   time, JOINT.q0, ..., JOINT.u0, ...
/// with q and u as the World has them, every number so long that it reads back to the same bits.
/// With several robots or bodies names are ROBOT/JOINT.
class CsvLogger : public Observer {
 public:
  explicit CsvLogger(std::string file) : file_(std::move(file)) {}

  /// errors  throws std::invalid_argument where the file cannot be opened
  void init(Simulation& simulation, const std::vector<double>& timeline) override;
  /// errors  throws std::runtime_error, as finish() does, where a write failed (the disk is full)
  void update(double dt) override;
  void finish() override;

 private:
  void note();

  std::string file_;
  std::ofstream out_;
  const Simulation* simulation_ = nullptr;
};

}  // namespace espalier::sim

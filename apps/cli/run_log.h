#pragma once

// The log of a run as CSV: a header with names, then a line for each moment written.
//
//   time, and for each robot (ROBOT/ before the name where there are several)
//     base_x .. base_qz, base_vx .. base_wz   a floating base
//     q.JOINT, u.JOINT, tau.JOINT             all joints; rad, rad/s, N m (m, m/s, N)
//     kinetic_energy, potential_energy        J
//   contacts, penetration, residual, iterations, mechanical_energy, energy_balance (sum so far; nan
//                                             where that of a step is unknown)
//   closure                                   where there are closed loops; m, or 1

#include <cstdio>
#include <memory>
#include <string>

#include "apps/cli/simulation.h"

namespace espalier::cli {

class RunLog {
 public:
  /// Throws a Failure where the file cannot be written, as write() and close() do.
  RunLog(const std::string& path, const Simulation& simulation);

  void write(const Simulation& simulation, double energyBalance);
  /// Flushes the buffer.
  void close();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  bool hasLoops_ = false;
};

}  // namespace espalier::cli

#pragma once

// The recording of a run: sim --record.

#include <memory>
#include <string>

#include "apps/cli/simulation.h"
#include "espalier/visual/world_recording.h"

namespace espalier::cli {

class RunRecording {
 public:
  /// Throws a Failure where the file cannot be written, as write() and close() do.
  ///   in  rate  frames for each second, told in the file
  RunRecording(const std::string& path, const Simulation& simulation,
               const std::vector<std::string>& files, double rate);

  /// The world as it is now.
  ///   in  stepTime  s that a step took lately; 0 before the first
  void write(double stepTime);
  void close();

 private:
  template <class F>
  void orFail(const F& f);

  std::string path_;
  std::unique_ptr<WorldRecording> recording_;
};

}  // namespace espalier::cli

#pragma once

// Viewing: a world of files as `view` shows it: set up as `sim` does, served, and set up again when one
// of its files changes.

#include <memory>
#include <string>
#include <vector>

#include "apps/cli/file_watch.h"
#include "apps/cli/simulation.h"
#include "espalier/server/server.h"

namespace espalier::cli {

class Viewing {
 public:
  explicit Viewing(SimulationOptions options);

  Server& server() { return server_; }
  /// Diagnostics of the last reading of the files.
  const Diagnostics& diagnostics() const { return diagnostics_; }
  bool isWorldFile() const { return isWorldFile_; }

  /// A step, or up to a tenth of a second of waiting; files that have changed are read before.
  void run();

 private:
  /// Reads the files. Where they have errors the former view stays.
  void load();
  void show(const Diagnostics& diagnostics);
  void rememberStart();
  void reset(const std::optional<std::string>& keyframe);

  struct Start {
    State state;
    std::vector<Actuation> actuations;  ///< [system]
  };

  SimulationOptions options_;
  Simulation simulation_;
  World nothing_;  ///< shown while there is no world
  Start start_;
  Server server_;
  FileWatch watch_;
  Diagnostics diagnostics_;
  bool isWorldFile_ = false, isReloadWanted_ = false;
};

}  // namespace espalier::cli

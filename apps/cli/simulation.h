#pragma once

// The world of `sim`: robots side by side on a plane, each held at its pose by a PD controller.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/placement.h"
#include "apps/cli/robot.h"
#include "espalier/world/world.h"

namespace espalier::cli {

struct SimulationOptions {
  std::vector<std::string> files;
  RobotOptions robot;
  std::string pose;                             ///< empty: nominal.json, or neutral
  std::optional<std::pair<double, double>> pd;  ///< N m/rad and N m s/rad; none: by mass
  double height = 0.05;                         ///< m, of the lowest collision point
  std::uint64_t seed = 0;
  bool keepsOverlaps = false;   ///< links that overlap at the start collide
  double time = 5, dt = 0.001;  ///< s
  Scheme scheme = Scheme::MIDPOINT;
};

struct Participant {
  std::string name;  ///< the model's, numbered where it comes again
  std::string file;
  ArticulatedSystem* system = nullptr;
  double kp = 0, kd = 0;
};

struct Simulation {
  std::unique_ptr<World> world;
  std::vector<Participant> robots;
  Diagnostics diagnostics;  ///< of all files; with errors there is nothing to run
  Diagnostics remarks;      ///< about the set-up: poses, overlaps
};

Simulation setUp(const SimulationOptions& options);

}  // namespace espalier::cli

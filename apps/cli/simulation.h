#pragma once

// The world of `sim`: robots side by side on a plane, or a world file as it is; each robot held at
// its pose by a PD controller.

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
  bool keepsOverlaps = false;  ///< links that overlap at the start collide
  double time = 5;             ///< s
  std::optional<double> dt;    ///< s; none: the world file's own, or 0.001
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

/// One world file, or robots.
///   errors  a world file among other files
Simulation setUp(const SimulationOptions& options);

/// PD on every independent joint at the given gains, or by the robot's mass; what floats is not driven.
///   in   target   q to hold, public order
void hold(Participant& robot, const SimulationOptions& options, const Eigen::VectorXd& target);

// world_simulation.cpp
Simulation setUpWorld(const SimulationOptions& options);

}  // namespace espalier::cli

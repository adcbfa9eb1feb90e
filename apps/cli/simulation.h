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
  bool isLong = false;         ///< more than 1e8 steps are taken
  Scheme scheme = Scheme::MIDPOINT;
  std::optional<double> tolerance;  ///< m/s, of the contact solver; none: the default

  /// Adds --dt, --pd, --pose, --keyframe, --height, --seed, --scheme, --tolerance, --keep-overlaps
  /// and those of RobotOptions.
  void addTo(CLI::App& command);
};

/// A CLI11 check of a number.
std::string mustBePositive(const std::string& text);

struct Participant {
  std::string name;  ///< the model's, numbered where it comes again
  std::string file;
  ArticulatedSystem* system = nullptr;
  double kp = 0, kd = 0;
  bool hasOwnServos = false;  ///< its file has actuators with gains: these hold it, if any
};

struct Simulation {
  std::unique_ptr<World> world;
  std::vector<Participant> robots;
  long long steps = 0;        ///< of the run
  bool isRunRefused = false;  ///< the files are good, time and time step do not make a run
  Diagnostics diagnostics;    ///< of all files; with errors there is nothing to run
  Diagnostics remarks;        ///< about the set-up: poses, overlaps
};

/// Everything that comes before the first step of a run, of one world file or of robots: files are
/// read, robots compiled, placed and closed, the world is built, the steps are counted. Both `sim`
/// and `check` call it, so that they accept the same files. Throws nothing: whatever a file makes
/// go wrong is an Error in `diagnostics`.
///   errors  those of the files; a world file among other files; what World refuses; a run that
///           countSteps() refuses
Simulation setUp(const SimulationOptions& options);

/// Scheme, tolerance and energy monitor of a run.
void setUpSteps(const SimulationOptions& options, World& world);

/// Whether some of its actuators have gains.
bool hasServos(const Model& model);

/// Holds a robot: its file's actuators where some of them have gains and the options none; else PD
/// at the given gains, or by the robot's mass, on the joints that have actuators, or where no joint
/// has one on every independent joint that is driven (heldDofs()).
///   in   target   q to hold, public order
void hold(Participant& robot, const SystemSpec& spec, const SimulationOptions& options,
          const Eigen::VectorXd& target);

/// The world of one world file (world_simulation.cpp).
///   out  simulation  with Errors in its diagnostics where the file cannot be simulated
void setUpWorld(const SimulationOptions& options, Simulation& simulation);

}  // namespace espalier::cli

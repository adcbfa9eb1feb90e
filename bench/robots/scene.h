#pragma once

// A robot's scene in one engine, as the suite `robots` drives and measures it.
//
// bench/robots/espalier_scene.cpp and bench/peers/mujoco_scene.cpp implement it; the program that
// bench/robots/main.cpp makes is linked with one of them. bench/robot_scenes.py writes the cases.

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "bench/engine/engine.h"

namespace bench {

class RobotScene {
 public:
  virtual ~RobotScene() = default;

  /// To the start: state, forces and the solver's warm start as before the first step.
  virtual void reset() = 0;
  virtual void step() = 0;
  /// Of the last step; `unconverged` is 1 where the engine flags or warns.
  virtual StepFacts facts() const = 0;
  /// What the last step was flagged for, names with commas between; empty: nothing.
  virtual std::string flags() const = 0;
  virtual bool isFinite() const = 0;

  /// What a peer is given to have the same robot:
  ///   {"dt": s,                            the file's own, or what `espalier sim` takes
  ///    "start": {"joints": {NAME: [q...]}, "bases": {LINK: [x, y, z, qw, qx, qy, qz]}},
  ///    "servos": [{"joint", "kp", "kd"}],   what `espalier sim` holds it by: N m/rad, N m s/rad
  ///    "apart": [[LINK, LINK]],             links that do not collide
  ///    "warnings": [TEXT]}                  what the engine says of the file
  virtual nlohmann::json describe() const { return {}; }
  /// Names of the case's start or servos that this engine's robot does not have.
  virtual std::vector<std::string> unknownNames() const { return {}; }
};

/// The scene of a case, in its start.
///   errors  throws std::exception where the engine cannot build it
std::unique_ptr<RobotScene> makeRobotScene(const nlohmann::json& known);

}  // namespace bench

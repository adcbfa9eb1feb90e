#pragma once

// A case of the contact suite, as bench/scenes.py writes it into CASE.json.

#include <string>
#include <vector>

#include "bench/engine/engine.h"

namespace bench {

/// kp (target(t) - q) + kd (speed - u), target(t) = rest + swing max(0, sin(2 pi frequency t + phase))
struct Servo {
  std::string joint;
  double rest, swing, phase;
  double kp, kd, speed;
};

/// A robot under explicit servos, or without any.
struct RobotCase {
  std::string name;
  Scene scene;
  std::string scheme;
  double time, frequency;
  std::vector<Servo> servos;
  bool isSwinging;
  bool asksForward;  ///< its forward dynamics are timed, too
  bool asksLanes;    ///< several worlds at once are timed, too
};

/// Bodies dropped into a pit: they settle, then their steps are timed.
struct PileCase {
  std::string name;
  Scene scene;
  std::string scheme;
  double settle, time;  ///< s
};

/// Gently rough: waves of 3 cm over a metre and half a centimetre of noise, on a grid of 5 cm.
Terrain roughTerrain();

/// side^3 balls or boxes of 0.2 m and 1 kg in a loose grid over a square pit of four walls.
Scene pileScene(int side, bool areBoxes, double dt);

/// Google benchmarks whose iteration is a whole run, "NAME/SCALAR"; items are steps. And, where it
/// is asked for, "NAME/forward/SCALAR" of one call at where the robot is after half its time; the
/// counter `worlds` says how many a call takes.
void registerCase(const RobotCase& known);
void registerCase(const PileCase& known);

}  // namespace bench

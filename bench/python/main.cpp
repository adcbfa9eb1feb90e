// Steps as Python's calls take them, without Python: what bench/python_calls.py is held against.
//
//   bench_python MODELS SECONDS      prints {"scene": ns of a step, ...}; best of many blocks
//
// The scenes are those of python_calls.py.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>

#include "espalier/world/world.h"

namespace {

using namespace espalier;
using Clock = std::chrono::steady_clock;

double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

/// ns of one step: the least mean of blocks of about a millisecond.
double stepTime(World& world, double budget) {
  for (int i = 0; i < 500; ++i) world.integrate();
  const auto warm = Clock::now();
  for (int i = 0; i < 100; ++i) world.integrate();
  const int block = std::max(10, static_cast<int>(1e-3 / (seconds(Clock::now() - warm) / 100)));
  double best = 1e300;
  for (const auto begin = Clock::now(); seconds(Clock::now() - begin) < budget;) {
    const auto start = Clock::now();
    for (int i = 0; i < block; ++i) world.integrate();
    best = std::min(best, seconds(Clock::now() - start) / block);
  }
  return best * 1e9;
}

ArticulatedSystem* addRobot(World& world, const std::string& models, const std::string& name) {
  return world.addArticulatedSystem(models + "/" + name + "/" + name + ".urdf");
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    fmt::print(stderr, "bench_python MODELS SECONDS\n");
    return 2;
  }
  const std::string models = arguments[1];
  const double budget = std::atof(arguments[2]);

  World empty;
  World arm;
  addRobot(arm, models, "double_pendulum");
  World strider;
  strider.addGround();
  ArticulatedSystem* robot = addRobot(strider, models, "strider");
  robot->setBasePosition({0, 0, -robot->getLowestCollisionPoint()});
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(robot->getDOF());
  robot->setPdGains(80 * ones, 3 * ones);
  robot->setPdTarget(robot->getGeneralizedCoordinate(), 0 * ones);

  fmt::print("{{\"empty\": {}, \"double_pendulum\": {}, \"strider\": {}}}\n",
             stepTime(empty, budget), stepTime(arm, budget), stepTime(strider, budget));
}

// The contact suite in the engine that this program is linked with.
//
//   PROGRAM CASES.json [--benchmark_...]        (bench/scenes.py writes the cases)
#include <benchmark/benchmark.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <list>
#include <nlohmann/json.hpp>

#include "bench/contact/case.h"

namespace {

using nlohmann::json;

bench::RobotCase readRobot(const json& j) {
  bench::RobotCase known{j["name"],
                         {},
                         j["scheme"],
                         j["time"],
                         j["frequency"],
                         {},
                         j["swings"],
                         j.value("forward", false),
                         j.value("lanes", false)};
  bench::Robot robot{j["robot"], {0, 0, j["height"]}, {}};
  for (const json& servo : j["servos"])
    known.servos.push_back({servo["joint"], servo["rest"], servo["swing"], servo["phase"],
                            servo.value("kp", j["kp"].get<double>()),
                            servo.value("kd", j["kd"].get<double>()), servo.value("speed", 0.0)});
  for (const json& angle : j["angles"]) robot.angles.push_back({angle["joint"], angle["value"]});
  known.scene.dt = j["dt"];
  known.scene.friction = j["friction"];
  known.scene.hasGround = j.value("ground", true);
  if (j["terrain"]) known.scene.terrain = bench::roughTerrain();
  known.scene.robots.push_back(std::move(robot));
  return known;
}

bench::PileCase readPile(const json& j) {
  bench::PileCase known{j["name"], bench::pileScene(j["side"], j["boxes"], j["dt"]), j["scheme"],
                        j["settle"], j["time"]};
  if (j.contains("iterations")) known.scene.iterations = j["iterations"].get<int>();
  if (j.contains("tolerance")) known.scene.tolerance = j["tolerance"].get<double>();
  return known;
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: PROGRAM CASES.json [--benchmark_...]\n");
    return 2;
  }
  try {
    std::list<bench::RobotCase> robots;  // whose elements stay where they are
    std::list<bench::PileCase> piles;
    for (const json& j : json::parse(std::ifstream(argv[1]))) {
      if (j.contains("robot"))
        registerCase(robots.emplace_back(readRobot(j)));
      else
        registerCase(piles.emplace_back(readPile(j)));
    }
    benchmark::RunSpecifiedBenchmarks();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}

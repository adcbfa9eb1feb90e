// One case of the suite `robots` in the engine that this program is linked with.
//
//   PROGRAM CASE.json [--describe]
//
// Prints a JSON object. The run is taken several times from the same start: once to see what its
// steps are worth, as often as makes 0.2 s for the time of the whole, of which the median counts, and
// twice with a clock around every step. A step's time is the smaller of its two, so that an
// interruption by something else does not count.
//   steps, seconds    of a whole run, s of thread CPU time
//   median_step, slowest_step, slowest_at   s, s, number of the step
//   contacts          mean number of points with an impulse
//   residual          m/s, largest violation of the contact law, where the engine states one
//   depth             m, of the deepest contact
//   flagged, flags    steps with a flag or a warning, and how often each was raised
//   finite            whether the last state is
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <string_view>
#include <vector>

#include "bench/robots/scene.h"

namespace {

using bench::RobotScene;
using nlohmann::json;

double threadSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Takes the steps once.
///   in   budget  s of thread CPU time after which the run ends
///   io   steps   how many; those that were taken
json judge(RobotScene& scene, double budget, int& steps) {
  double contacts = 0, depth = 0, residual = -1, closure = -1;
  int flagged = 0, taken = 0;
  std::map<std::string, int> flags;
  scene.reset();
  const double begin = threadSeconds();
  for (; taken < steps && threadSeconds() - begin < budget; ++taken) {
    scene.step();
    const bench::StepFacts facts = scene.facts();
    contacts += facts.contacts;
    depth = std::max(depth, facts.depth);
    residual = std::max(residual, facts.residual);
    closure = std::max(closure, facts.closure);
    if (facts.unconverged > 0) {
      ++flagged;
      ++flags[scene.flags()];
    }
  }
  steps = taken;
  json found{{"steps", steps},
             {"contacts", contacts / steps},
             {"depth", depth},
             {"flagged", flagged},
             {"flags", flags},
             {"finite", scene.isFinite()},
             {"unknown", scene.unknownNames()}};
  if (residual >= 0) found["residual"] = residual;
  if (closure >= 0) found["closure"] = closure;
  return found;
}

double secondsOfAll(RobotScene& scene, int steps) {
  constexpr double enough = 0.2;  // s
  std::vector<double> runs;
  for (double sum = 0; sum < enough; sum += runs.back()) {
    scene.reset();
    const double begin = threadSeconds();
    for (int i = 0; i < steps; ++i) scene.step();
    runs.push_back(threadSeconds() - begin);
  }
  std::nth_element(runs.begin(), runs.begin() + runs.size() / 2, runs.end());
  return runs[runs.size() / 2];
}

/// io  least  [steps] s
void timeEach(RobotScene& scene, std::vector<double>& least) {
  scene.reset();
  double before = threadSeconds();
  for (double& seconds : least) {
    scene.step();
    const double now = threadSeconds();
    seconds = std::min(seconds, now - before);
    before = now;
  }
}

json measure(RobotScene& scene, const json& known) {
  int steps = known.at("steps").get<int>();
  json found = judge(scene, known.at("budget").get<double>(), steps);
  found["seconds"] = secondsOfAll(scene, steps);
  std::vector<double> least(static_cast<std::size_t>(steps), 1e300);
  timeEach(scene, least);
  timeEach(scene, least);
  const auto slowest = std::max_element(least.begin(), least.end());
  found["slowest_at"] = slowest - least.begin();
  found["slowest_step"] = *slowest;
  const auto middle = least.begin() + static_cast<std::ptrdiff_t>(least.size() / 2);
  std::nth_element(least.begin(), middle, least.end());
  found["median_step"] = *middle;
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  const bool describes = argc == 3 && std::string_view(argv[2]) == "--describe";
  if (argc != 2 && !describes) {
    std::fprintf(stderr, "usage: PROGRAM CASE.json [--describe]\n");
    return 2;
  }
  try {
    const json known = json::parse(std::ifstream(argv[1]));
    const std::unique_ptr<RobotScene> scene = bench::makeRobotScene(known);
    const json found = describes ? scene->describe() : measure(*scene, known);
    std::printf("%s\n", found.dump().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}

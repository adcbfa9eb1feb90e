// ANYmal PD: quadrupeds stand under an explicit joint PD of 40 and 1, at most 80 N m, for 250 s.
//
// SimBenchmark measures the time alone. Beside it here: "base_height" (m, mean over the second
// half) and, as the error, how fast the farthest foot creeps meanwhile (m/s).
#include <algorithm>
#include <cmath>

#include "bench/simbenchmark/stance.h"
#include "bench/simbenchmark/task.h"

namespace bench {
namespace {

constexpr double kp = 40, kd = 1, effort = 80;

Figures stand(const Setup& setup, int side) {
  Scene scene;
  scene.dt = setup.dt;
  scene.iterations = setup.iterations;
  scene.friction = 0.8;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      scene.robots.push_back({setup.robot, {2.0 * i, 2.0 * j, 0.54}, stance()});
  const int robots = side * side;

  const std::vector<Angle> targets = stance();
  std::vector<Place> places;
  const auto control = [&](Engine& engine, double) {
    for (int r = 0; r < robots; ++r) {
      const RobotState robot = engine.state(r);
      for (std::size_t k = 0; k < places.size(); ++k) {
        const auto [q, u] = places[k];
        robot.torque[u] =
            std::clamp(kp * (targets[k].value - robot.q[q]) - kd * robot.u[u], -effort, effort);
      }
      engine.applyTorque(r);
    }
  };
  {
    const auto engine = makeEngine(scene, setup.scheme);
    for (const Angle& target : targets) places.push_back(engine->joint(0, target.joint));
  }

  const long steps = stepsOf(setup.isQuick ? 25 : 250, setup.dt), half = steps / 2;
  double height = 0;
  std::vector<Vec3> midway, end;
  long step = 0;
  Script script;
  script.drive = control;
  script.sample = [&](Engine& engine, double) {
    if (step == half) midway = engine.feet(0);
    if (step >= half) height += engine.state(0).q[2];
    if (++step == steps) end = engine.feet(0);
  };
  Figures figures = run(scene, setup, script, steps);
  for (std::size_t i = 0; i < end.size(); ++i)
    figures.error =
        std::max(figures.error, std::hypot(end[i][0] - midway[i][0], end[i][1] - midway[i][1]));
  figures.error /= static_cast<double>(steps - 1 - half) * setup.dt;
  figures.more.emplace_back("base_height", height / static_cast<double>(steps - half));
  figures.more.emplace_back("robots", robots);
  return figures;
}

}  // namespace

Figures standing(const Setup& setup) { return stand(setup, 1); }
Figures standingFour(const Setup& setup) { return stand(setup, 2); }

}  // namespace bench

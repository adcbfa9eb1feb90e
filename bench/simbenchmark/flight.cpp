// Momentum and energy of a quadruped in the air, its legs without torque.
//
// Momentum: no gravity; a ball of 10 kg comes along y with 5 m/s and hits it. Error: mean of
// |P - (0, 50, 0)|^2, the state read between the two halves of each step.
// Energy: without collision bodies, pushed upwards with twice its weight for 1 s, then free for 2 s. Error: mean over the two
// seconds of (E - E0)^2, E0 at their beginning.
#include <cmath>

#include "bench/simbenchmark/stance.h"
#include "bench/simbenchmark/task.h"

namespace bench {

Figures momentum(const Setup& setup) {
  Scene scene;
  scene.dt = setup.dt;
  scene.iterations = setup.iterations;
  scene.erp = 0;
  scene.gravity = 0;
  scene.hasGround = false;
  scene.friction = 0.8;
  scene.robots.push_back({setup.robot, {0, 0, 2}, stance()});
  scene.solids.push_back(ball(0.2, 10, {0, -5, 2}, {0, 5, 0}));

  double sum = 0;
  Script script;
  script.sampleWithin = [&](Engine& engine) {
    const Vec3 robot = engine.momentum(0), v = engine.velocity(0);
    for (std::size_t i = 0; i < 3; ++i)
      sum += std::pow(robot[i] + 10 * v[i] - (i == 1 ? 50 : 0), 2);
  };
  const long steps = stepsOf(10, setup.dt);
  Figures figures = run(scene, setup, script, steps);
  figures.error = sum / static_cast<double>(steps);
  return figures;
}

Figures energyOfFlight(const Setup& setup) {
  Scene scene;
  scene.dt = setup.dt;
  scene.iterations = setup.iterations;
  scene.erp = 0;
  scene.hasGround = false;
  scene.robots.push_back({setup.robot, {0, 0, 2}, stance(), false});

  const long pushed = stepsOf(1, setup.dt), free = stepsOf(2, setup.dt);
  double sum = 0, E0 = 0;
  long step = 0;
  Script script;
  script.sample = [&](Engine& engine, double) {
    if (step == pushed) E0 = engine.energy(0);
    if (step >= pushed) sum += std::pow(engine.energy(0) - E0, 2);
    ++step;
  };
  script.drive = [&](Engine& engine, double t) {
    if (t < (static_cast<double>(pushed) - 0.5) * setup.dt)
      engine.pushBase(0, {0, 0, 2 * engine.mass(0) * scene.gravity});
  };
  Figures figures = run(scene, setup, script, pushed + free);
  figures.error = sum / static_cast<double>(free);
  return figures;
}

}  // namespace bench

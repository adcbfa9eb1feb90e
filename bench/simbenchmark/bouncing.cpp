// Bouncing: 49 balls fall 4.9 m onto the ground and lose nothing.
//
// Error: mean over time of (E - E0)^2. Beside it "height": the largest distance of a ball from
// where the closed form has it, z = r + h - g s^2 / 2, s the time from the nearest highest point:
// they follow each other every 2 sqrt(2 h / g).
#include <algorithm>
#include <cmath>

#include "bench/simbenchmark/task.h"

namespace bench {

Figures bouncing(const Setup& setup) {
  constexpr double radius = 0.1, top = 5, drop = top - radius;
  Scene scene;
  scene.dt = setup.dt;
  scene.iterations = setup.iterations;
  scene.erp = 0;
  scene.restitution = 1;
  scene.tolerance = 1e-12;  // 1e-10 m/s in every impact of 49 balls would add up to 2e-6 J
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 7; ++j) scene.solids.push_back(ball(radius, 10, {2.0 * i, 2.0 * j, top}));

  const double fall = std::sqrt(2 * drop / scene.gravity);
  const double E0 = 10 * scene.gravity * top * static_cast<double>(scene.solids.size());
  double sum = 0, height = 0;
  Script script;
  script.sample = [&](Engine& engine, double t) {
    sum += std::pow(energy(engine, scene) - E0, 2);
    const double s = std::fmod(t + fall, 2 * fall) - fall;
    const double z = top - 0.5 * scene.gravity * s * s;
    for (int i = 0; i < static_cast<int>(scene.solids.size()); ++i)
      height = std::max(height, std::abs(engine.position(i)[2] - z));
  };
  const long steps = stepsOf(setup.isQuick ? 4 : 20, setup.dt);
  Figures figures = run(scene, setup, script, steps);
  figures.error = sum / static_cast<double>(steps);
  figures.more.emplace_back("height", height);
  return figures;
}

}  // namespace bench

// 666: six by six by six balls of 10 kg, without friction, dropped onto the ground.
//
// Without restitution, from 0.101 m: mean over time of the sum of squared penetrations. With
// restitution 1, from 1.101 m: mean of (E - E0)^2. The balls' places are jittered; the error is the
// median over several jitters, because the motion is chaotic; the time is that of the first.
#include <algorithm>
#include <cmath>

#include "bench/simbenchmark/task.h"

namespace bench {
namespace {

constexpr double radius = 0.1, pitch = 0.21, jitter = 1e-3;
constexpr unsigned firstSeed = 42;

Scene sceneOf(const Setup& setup, double lowest, double restitution, unsigned seed) {
  Scene scene;
  scene.dt = setup.dt;
  scene.iterations = setup.iterations;
  scene.erp = 0;
  scene.restitution = restitution;
  scene.solids = jitteredBalls(6, radius, pitch, lowest, jitter, seed);
  return scene;
}

/// `measure(scene)` gives what is asked of the engine before each step.
template <class Measure>
Figures medianOver(const Setup& setup, double lowest, double restitution, Measure measure) {
  const long steps = stepsOf(setup.isQuick ? 2 : 10, setup.dt);
  Figures figures;
  std::vector<double> errors;
  for (int i = 0; i < std::max(setup.seeds, 1); ++i) {
    const Scene scene = sceneOf(setup, lowest, restitution, firstSeed + static_cast<unsigned>(i));
    double sum = 0;
    Script script;
    script.sample = [&, ask = measure(scene)](Engine& engine, double) { sum += ask(engine); };
    const Figures one = run(scene, setup, script, steps, i == 0);
    if (i == 0) figures = one;
    errors.push_back(sum / static_cast<double>(steps));
    figures.more.emplace_back("error of seed " + std::to_string(firstSeed + i), errors.back());
  }
  std::sort(errors.begin(), errors.end());
  const std::size_t n = errors.size();
  figures.error = 0.5 * (errors[(n - 1) / 2] + errors[n / 2]);
  return figures;
}

}  // namespace

Figures fallingBalls(const Setup& setup) {
  return medianOver(setup, radius + 1e-3, 0, [](const Scene& scene) {
    return [&scene](const Engine& engine) { return squaredPenetration(engine, scene); };
  });
}

Figures elasticBalls(const Setup& setup) {
  return medianOver(setup, 1.0 + radius + 1e-3, 1, [](const Scene& scene) {
    double E0 = 0;
    for (const Solid& ball : scene.solids) E0 += ball.mass * scene.gravity * ball.position[2];
    return [&scene, E0](const Engine& engine) { return std::pow(energy(engine, scene) - E0, 2); };
  });
}

}  // namespace bench

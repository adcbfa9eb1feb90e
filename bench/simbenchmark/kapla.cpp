// Kapla: a tower of 102 wooden blocks, 10 kg each, on six floors, stands as long as it can.
//
// A floor is eight blocks upright in a row and nine lying on them. Error: how much of 600 s it did
// not stand; it has fallen once the last block's centre is below 1 m. "moved" (m): how far the last
// block has come from its place.
#include <cmath>

#include "bench/simbenchmark/task.h"

namespace bench {
namespace {

constexpr double mass = 10;

std::vector<Solid> tower() {
  std::vector<Solid> blocks;
  for (int floor = 0; floor < 6; ++floor) {
    const double low = 0.2 * floor + 0.05, high = 0.2 * floor + 0.15;
    for (int j = 0; j < 8; ++j) blocks.push_back(box({0.05, 0.25, 0.10}, mass, {0.2 * j, 0, low}));
    const auto lay = [&](double x, double y) {
      blocks.push_back(box({0.20, 0.05, 0.10}, mass, {x, y, high}));
    };
    for (int j = 0; j < 4; ++j) lay(0.4 * j + 0.1, -0.1);
    for (int j = 0; j < 3; ++j) lay(0.4 * j + 0.3, 0.1);
    lay(0.1, 0.1);
    lay(1.3, 0.1);
  }
  return blocks;
}

}  // namespace

Figures kapla(const Setup& setup) {
  Scene scene;
  scene.dt = setup.dt;
  scene.iterations = setup.iterations;
  scene.erp = 0;
  scene.friction = 0.8;
  scene.solids = tower();
  const int last = static_cast<int>(scene.solids.size()) - 1;

  // One run both timed and watched: looking at one block costs nothing beside the step.
  const auto engine = makeEngine(scene, setup.scheme);
  const double whole = setup.isQuick ? 20 : 600;
  const Vec3 start = engine->position(last);
  Worth worth;
  Figures figures;
  const double begin = threadTime();
  for (const long steps = stepsOf(whole, setup.dt); figures.steps < steps; ++figures.steps) {
    if (engine->position(last)[2] < 1.0) break;
    engine->step();
    worth.add(engine->facts());
  }
  figures.seconds = threadTime() - begin;
  const double stood = static_cast<double>(figures.steps) * setup.dt;
  figures.error = whole - stood;
  worth.tell(figures);
  const Vec3 end = engine->position(last);
  figures.more.emplace_back("stood", stood);
  figures.more.emplace_back("moved",
                            std::hypot(end[0] - start[0], end[1] - start[1], end[2] - start[2]));
  return figures;
}

}  // namespace bench

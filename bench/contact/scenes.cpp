#include <cmath>
#include <random>

#include "bench/contact/case.h"
#include "bench/engine/scenes.h"

namespace bench {
namespace {

class Random {
 public:
  /// Uniform in [0, 1), the same on every machine.
  double operator()() { return std::ldexp(static_cast<double>(engine_() >> 11), -53); }

 private:
  std::mt19937_64 engine_{20261121};
};

}  // namespace

Terrain roughTerrain() {
  Terrain terrain{161, 161, 8, 8, {}};
  Random random;
  for (int j = 0; j < terrain.ySamples; ++j)
    for (int i = 0; i < terrain.xSamples; ++i) {
      const double x = 0.05 * i - 4, y = 0.05 * j - 4;
      terrain.heights.push_back(0.015 * (std::sin(6.3 * x) + std::cos(5.1 * y + x)) +
                                0.005 * random());
    }
  return terrain;
}

Scene pileScene(int side, bool areBoxes, double dt) {
  constexpr double size = 0.2, pitch = 0.23, wall = 0.2;
  Scene scene;
  scene.dt = dt;
  scene.friction = 0.5;
  Random random;
  const double middle = 0.5 * pitch * (side - 1);
  for (int k = 0; k < side; ++k)
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side; ++i) {
        const Vec3 at{i * pitch - middle + 0.02 * random(), j * pitch - middle + 0.02 * random(),
                      size + k * pitch + 0.005 * random()};
        scene.solids.push_back(areBoxes ? box({size, size, size}, 1, at) : ball(size / 2, 1, at));
      }
  const double half = 0.5 * pitch * side + 0.05, height = pitch * side + 1;
  for (const double s : {-1.0, 1.0}) {
    const double reach = s * (half + wall / 2);
    scene.solids.push_back(box({wall, 2 * half + 2 * wall, height}, 0, {reach, 0, height / 2}));
    scene.solids.push_back(box({2 * half, wall, height}, 0, {0, reach, height / 2}));
  }
  return scene;
}

}  // namespace bench

// Scenes of their own in threads of their own, with what ODE cannot do twice at once.

#include <thread>

#include "scene_fixture.h"

namespace espalier {
namespace {

std::vector<double> play(int seed) {
  Scene scene;
  scene.addGeom(boxMesh({2, 2, 1}), {.isStatic = true});
  for (int i = 0; i < 6; ++i) {
    scene.addGeom(i % 2 == 0 ? Shape(SphereShape{0.1}) : Shape(BoxShape{{0.2, 0.2, 0.2}}),
                  {.owner = i});
  }
  std::mt19937 random(static_cast<unsigned>(seed));
  std::uniform_real_distribution<double> u(-1, 1);
  std::vector<double> seen;
  for (int step = 0; step < 60; ++step) {
    for (int i = 1; i <= 6; ++i) {
      scene.setPose(GeomId(i), at(0.8 * u(random), 0.8 * u(random), 0.6 + 0.01 * u(random)));
    }
    for (const ContactPoint& p : contacts(scene, 0.01)) seen.push_back(p.depth + p.feature);
    RayHit hit;
    if (scene.raycast({u(random), u(random), 3}, {0, 0, -1}, 9, hit)) seen.push_back(hit.distance);
  }
  return seen;
}

TEST(Threads, ScenesDoNotDisturbEachOther) {
  constexpr int n = 4;
  std::vector<std::vector<double>> alone, together(n);
  for (int i = 0; i < n; ++i) alone.push_back(play(i));
  std::vector<std::thread> threads;
  for (int i = 0; i < n; ++i) {
    threads.emplace_back([&, i] { together[i] = play(i); });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(alone, together);
  EXPECT_GT(alone[0].size(), 100u);
}

}  // namespace
}  // namespace espalier

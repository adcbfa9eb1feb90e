// Worlds in threads of their own, and what they share: compiled models.

#include <gtest/gtest.h>

#include <thread>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

/// Some on the shared model, some on their own.
std::vector<double> play(const std::string& name, int i) {
  World world;
  world.addGround();
  ArticulatedSystem* robot = addRobot(world, name, 100, 5, {0, 0, 0.002 * i});
  if (i % 3 == 1) robot->setMass(1, 0.5 + 0.1 * i);
  for (int step = 0; step < 200; ++step) world.integrate();
  return world.getState().q;
}

TEST(Threads, WorldsDoNotDisturbEachOther) {
  constexpr int n = 6;
  const auto name = [](int i) { return i % 3 == 2 ? "biped" : "strider"; };
  std::vector<std::vector<double>> alone, together(n);
  for (int i = 0; i < n; ++i) alone.push_back(play(name(i), i));
  std::vector<std::thread> threads;
  for (int i = 0; i < n; ++i) threads.emplace_back([&, i] { together[i] = play(name(i), i); });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(alone, together);
}

TEST(Threads, EqualRobotsAreOneModelUntilOneIsEdited) {
  World a, b;
  const ArticulatedSystem* first = addRobot(a, "strider", 100, 5);
  ArticulatedSystem* second = addRobot(b, "strider", 50, 1, {0, 0, 1});
  const Model* shared = &first->model();
  EXPECT_EQ(&second->model(), shared);
  const double mass = first->getMass(1);
  second->setMass(1, 2 * mass);
  b.integrate();
  EXPECT_NE(&second->model(), shared);
  EXPECT_EQ(&first->model(), shared);
  EXPECT_EQ(first->getMass(1), mass);
}

}  // namespace
}  // namespace espalier::testing

// The terrain of each world: all that never moves, shifted.

#include "espalier/batch/observer.h"
#include "tests/unit/batch/batch_scenes.h"

namespace espalier::testing {
namespace {

constexpr int worlds_on_terrain = 11;

Vec3d shiftOf(int w) { return {0.25 * w, -0.5 * w, 0.125 * w}; }  // sums without rounding

/// A strider on a slope of 0.1 with waves, above a plane that it cannot reach, and beside a wall.
///   in  shift  of all but the strider
std::shared_ptr<World> makeSlope(const Vec3d& shift = {0, 0, 0}) {
  auto world = std::make_shared<World>();
  world->setTimeStep(2e-3);
  std::vector<double> heights;
  for (int j = 0; j < 33; ++j)
    for (int i = 0; i < 33; ++i) heights.push_back(0.025 * (i - 16) + 0.008 * ((i + 2 * j) % 3));
  HeightMap* map = world->addHeightMap(33, 33, 8, 8, 0, 0, heights);
  map->setPosition({shift.x, shift.y, shift.z});
  world->addGround(shift.z - 4);
  Box* wall = world->addBox(0.5, 4, 4, 1);
  wall->setBodyType(BodyType::STATIC);
  wall->setPosition({shift.x + 0.75, shift.y, shift.z});
  addRobot(*world, "strider", 100, 5, {0, 0, 0.02});
  return world;
}

std::shared_ptr<World> makeUnshifted() { return makeSlope(); }

/// Writes the shifts, and moves the robots along where `withRobots` is true.
template <class S>
void shift(Batch<S>& batch, bool withRobots) {
  const Rows<S> terrain = batch.bind("terrain"), q = batch.bind("q");
  for (int w = 0; w < batch.size(); ++w) {
    const double of[3] = {shiftOf(w).x, shiftOf(w).y, shiftOf(w).z};
    for (int i = 0; i < 3; ++i) {
      terrain(i, w) = static_cast<S>(of[i]);
      if (withRobots) q(i, w) += static_cast<S>(of[i]);
    }
  }
}

TEST(AccurateBatch, TerrainOfEachWorldIsThatOfAWorldAlone) {
  Batch<double> batch(makeUnshifted, worlds_on_terrain, {.threads = 2});
  shift(batch, true);
  std::vector<std::shared_ptr<World>> alone;
  for (int w = 0; w < worlds_on_terrain; ++w) {
    alone.push_back(makeSlope(shiftOf(w)));
    State state = alone.back()->getState();
    for (int i = 0; i < 3; ++i) state.q[i] = batch.bind("q")(i, w);
    alone.back()->setState(state);
  }
  batch.step(60);
  int touched = 0;
  for (int w = 0; w < worlds_on_terrain; ++w) {
    for (int i = 0; i < 60; ++i) touched += alone[w]->integrate().contacts;
    const State own = alone[w]->getState(), state = batch.getState(w);
    EXPECT_EQ(own.q, state.q) << "world " << w;
    EXPECT_EQ(own.u, state.u) << "world " << w;
  }
  EXPECT_GT(touched, 0);
}

/// A robot that is shifted with its terrain does what it does without a shift, as far as rounding lets it.
template <class S>
void expectSameMotion(double tolerance) {
  Batch<S> batch(makeUnshifted, worlds_on_terrain, {.mode = BatchMode::THROUGHPUT, .threads = 2});
  shift(batch, true);
  batch.step(60);
  const Rows<S> q = batch.bind("q"), u = batch.bind("u"), force = batch.bind("contact_force");
  double push = 0;
  for (int i = 0; i < force.count; ++i) push += std::abs(force(i, 0));
  EXPECT_GT(push, 1.0);
  for (int w = 1; w < worlds_on_terrain; ++w) {
    const double of[3] = {shiftOf(w).x, shiftOf(w).y, shiftOf(w).z};
    for (int i = 0; i < q.count; ++i)
      EXPECT_NEAR(q(i, w) - (i < 3 ? of[i] : 0), q(i, 0), tolerance) << "world " << w << ", " << i;
    for (int d = 0; d < u.count; ++d) EXPECT_NEAR(u(d, w), u(d, 0), 100 * tolerance);
  }
}

TEST(ThroughputBatch, TerrainOfEachWorldIsWhereItIsSaidToBe) {
  expectSameMotion<double>(1e-8);
  expectSameMotion<float>(1e-4);
}

TEST(Observer, HeightsAreThoseOfTheWorldsOwnTerrain) {
  Batch<double> moved(makeUnshifted, worlds_on_terrain, {.threads = 1}),
      along(makeUnshifted, worlds_on_terrain);
  shift(moved, false);
  const Rows<double> q = along.bind("q");
  for (int w = 0; w < worlds_on_terrain; ++w) {
    q(0, w) -= shiftOf(w).x;
    q(1, w) -= shiftOf(w).y;
    q(2, w) -= shiftOf(w).z;
  }
  const std::vector<Quantity> list{{.name = "heights", .points = {{0, 0}, {0.3, 0.1}}}};
  Observer<double> first(moved, list), second(along, list);
  std::vector<double> a(2 * worlds_on_terrain), b(2 * worlds_on_terrain);
  first.observe(Observed<double>{a.data(), 2, 1});
  second.observe(Observed<double>{b.data(), 2, 1});
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12);
  EXPECT_GT(std::abs(a[2] - a[0]), 1e-3);
}

}  // namespace
}  // namespace espalier::testing

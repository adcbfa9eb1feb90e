// What an Observer writes, against the queries of a World in the same state.

#include "espalier/batch/observer.h"

#include <gtest/gtest.h>

#include <numeric>

#include "espalier/batch/counter_noise.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

constexpr int worlds = 21;  // more than one register, and a part of one

std::shared_ptr<World> makeRobot(const std::string& name) {
  auto world = std::make_shared<World>();
  world->setTimeStep(2e-3);
  world->addGround();
  addRobot(*world, name, 60, 3, {0, 0, 0.01});
  return world;
}

/// Worlds that move, each in its own way.
template <class S>
void scatter(Batch<S>& batch) {
  const Rows<S> q = batch.bind("q"), u = batch.bind("u");
  for (int w = 0; w < batch.size(); ++w) {
    q(0, w) += static_cast<S>(0.1 * w);
    q(3, w) = static_cast<S>(0.9);
    q(4, w) = static_cast<S>(0.02 * w);
    q(6, w) = static_cast<S>(std::sqrt(1 - 0.81 - 4e-4 * w * w));
    for (int d = 0; d < 6; ++d) u(d, w) = static_cast<S>(0.1 * d - 0.03 * w);
  }
  batch.step(20);
}

template <class S>
std::vector<S> observe(Observer<S>& observer, int n = worlds) {
  std::vector<S> values(static_cast<std::size_t>(n * observer.columns()));
  observer.observe(Observed<S>{values.data(), observer.columns(), 1});
  return values;
}

void expectAsQueries(const std::string& model, const std::string& link, const std::string& frame) {
  Batch<double> batch([&] { return makeRobot(model); }, worlds,
                      {.mode = BatchMode::ACCURATE, .threads = 2});
  scatter(batch);
  Observer<double> observer(
      batch, std::vector<Quantity>{{.name = "frame_position", .of = {link, frame}},
                                   {.name = "frame_rotation", .of = {frame}},
                                   {.name = "frame_velocity", .of = {frame}},
                                   {.name = "frame_angular_velocity", .of = {frame}},
                                   {.name = "frame_velocity", .of = {frame}, .isLocal = true},
                                   {.name = "gravity", .of = {frame}},
                                   {.name = "frame_quaternion", .of = {frame}}});
  const std::vector<double> values = observe(observer);
  const auto world = makeRobot(model);
  const ArticulatedSystem& robot = *world->system(0);
  for (int w = 0; w < worlds; ++w) {
    world->setState(batch.getState(w));
    const double* x = &values[w * observer.columns()];
    const auto expectVector = [&](const Eigen::Vector3d& wanted) {
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(*x++, wanted[i], 1e-12) << model << " world " << w;
    };
    const Transformd X_WF = robot.getFramePose(frame);
    const Eigen::Matrix3d R = Mat<3, 3>(X_WF.R);
    Eigen::Vector3d position;
    robot.getBodyPosition(robot.getBodyIdx(link), position);
    expectVector(position);
    expectVector(toEigen(X_WF.p));
    for (int i = 0; i < 3; ++i) expectVector(R.row(i).transpose());
    expectVector(robot.getFrameVelocity(frame));
    expectVector(robot.getFrameAngularVelocity(frame));
    expectVector(R.transpose() * Eigen::Vector3d(robot.getFrameVelocity(frame)));
    expectVector(R.transpose() * Eigen::Vector3d(0, 0, -1));
    const Quat<double> turn = quaternion(X_WF.R);
    for (const double number : {turn.w, turn.x, turn.y, turn.z}) EXPECT_NEAR(*x++, number, 1e-12);
  }
}

TEST(Observer, FramesAreThoseOfTheWorld) { expectAsQueries("strider", "RF_shank", "LH_KFE"); }

TEST(Observer, FramesOfMechanismsToo) {
  for (const char* model : {"beest", "geared_biped"}) {
    const auto world = makeRobot(model);
    const ArticulatedSystem& robot = *world->system(0);
    const std::vector<std::string> bodies = robot.getBodyNames();
    expectAsQueries(model, bodies[3], robot.getFrameByLinkName(bodies.back()).name);
  }
}

TEST(Observer, ContactForcesAreThoseOfTheBatch) {
  Batch<float> batch([] { return makeRobot("strider"); }, worlds, {.mode = BatchMode::THROUGHPUT});
  batch.step(200);
  const ArticulatedSystem& robot = *batch.prototype().system(0);
  const int shank = robot.getBodyIdx("LF_shank");
  Observer<float> observer(
      batch, std::vector<Quantity>{{.name = "contact", .of = {"LF_shank", "LF_thigh"}},
                                   {.name = "contact_force", .of = {"LF_shank"}},
                                   {.name = "contact_force", .of = {"LF_shank"}, .isLocal = true},
                                   {.name = "frame_rotation", .of = {"LF_shank"}}});
  const std::vector<float> values = observe(observer);
  const Rows<float> force = batch.bind("contact_force");
  for (int w = 0; w < worlds; ++w) {
    const float* x = &values[w * observer.columns()];
    EXPECT_EQ(x[0], 1.0f);
    EXPECT_EQ(x[1], 0.0f);
    Eigen::Vector3f of(x[2], x[3], x[4]);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(of[i], force(3 * shank + i, w));
    const Eigen::Map<const Eigen::Matrix<float, 3, 3, Eigen::RowMajor>> R(x + 8);
    EXPECT_LT((R * Eigen::Vector3f(x[5], x[6], x[7]) - of).norm(), 1e-4f * of.norm());
    EXPECT_GT(of.z(), 10);
  }
}

/// A slope of 0.2 along x, as a height map, with a plane below a part of it.
std::shared_ptr<World> makeSlope() {
  auto world = std::make_shared<World>();
  std::vector<double> heights;
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 9; ++i) heights.push_back(0.2 * (i - 4));
  world->addHeightMap(9, 5, 8, 4, 0.5, 0, heights);
  world->addGround(-0.4);
  addRobot(*world, "strider", 60, 3);
  return world;
}

TEST(Observer, HeightsAreThoseOfTheHighestGround) {
  Batch<double> batch(makeSlope, worlds, {.mode = BatchMode::ACCURATE});
  const Rows<double> q = batch.bind("q");
  for (int w = 0; w < worlds; ++w) {
    q(0, w) = 0.5 * w - 5;
    q(3, w) = std::cos(0.05 * w);
    q(6, w) = std::sin(0.05 * w);
  }
  const std::vector<std::array<double, 2>> points{{0, 0}, {0.7, 0}, {-0.2, 0.4}};
  Observer<double> observer(batch, std::vector<Quantity>{{.name = "heights", .points = points}});
  const std::vector<double> values = observe(observer);
  EXPECT_EQ(observer.names()[1], "heights/base.1");
  for (int w = 0; w < worlds; ++w)
    for (int i = 0; i < 3; ++i) {
      const auto& [a, b] = points[i];
      const double x = q(0, w) + std::cos(0.1 * w) * a - std::sin(0.1 * w) * b;
      const double onMap = 0.2 * (std::clamp(x - 0.5, -4.0, 4.0));
      EXPECT_NEAR(values[3 * w + i], std::max(onMap, -0.4) - q(2, w), 1e-12)
          << "world " << w << " point " << i;
    }
}

/// Everything, with noise, history and delays.
template <class S>
Observer<S> everything(Batch<S>& batch) {
  ObserverOptions options{.history = 2, .noise = {0.1}, .seed = 7};
  options.delay.clear();
  for (int w = 0; w < batch.size(); ++w) options.delay.push_back(w % 3);
  return Observer<S>(batch,
                     std::vector<Quantity>{{.name = "q"},
                                           {.name = "u", .scale = {0.1}, .low = -1, .high = 1},
                                           {.name = "frame_velocity", .of = {"LF_shank"}},
                                           {.name = "gravity"},
                                           {.name = "heights", .points = {{0.1, 0.2}}},
                                           {.name = "contact"}},
                     options);
}

template <class S>
void expectSameAnywhere() {
  const auto make = [] { return makeRobot("strider"); };
  constexpr int n = 300;
  Batch<S> one(make, n, {.mode = BatchMode::THROUGHPUT, .threads = 1});
  Batch<S> three(make, n, {.mode = BatchMode::THROUGHPUT, .threads = 3});
  Observer<S> first = everything(one), second = everything(three), some = everything(three);
  const std::vector<int> chosen{299, 5, 17, 4, 101};
  for (int k = 0; k < 4; ++k) {
    one.step(3);
    three.step(3);
    const std::vector<S> all = observe(first, n);
    EXPECT_EQ(all, observe(second, n));
    const auto columns = static_cast<std::size_t>(first.columns());
    std::vector<S> few(chosen.size() * columns);
    some.observe(std::span<const int>(chosen), Observed<S>{few.data(), first.columns(), 1});
    for (std::size_t i = 0; i < chosen.size(); ++i)
      for (std::size_t c = 0; c < columns; ++c)
        EXPECT_EQ(few[i * columns + c], all[static_cast<std::size_t>(chosen[i]) * columns + c]);
  }
}

TEST(Observer, AllThatABatchHasCanBeObserved) {
  Batch<double> batch([] { return makeRobot("strider"); }, 2, {.threads = 1});
  for (const std::string_view name : BatchData<double>::names()) {
    const Quantity quantity{.name = std::string(name)};
    Observer<double> observer(batch, {&quantity, 1});
    if (name != "gravity") EXPECT_EQ(observer.columns(), batch.bind(name).count) << name;
  }
}

TEST(Observer, ThreadsAndNeighboursChangeNothing) {
  expectSameAnywhere<float>();
  expectSameAnywhere<double>();
}

TEST(Observer, HistoryAndDelay) {
  Batch<double> batch([] { return makeRobot("strider"); }, 3, {.mode = BatchMode::ACCURATE});
  Observer<double> observer(batch, std::vector<Quantity>{{.name = "time"}},
                            {.history = 3, .delay = {0, 1, 2}});
  EXPECT_EQ(observer.names(), (std::vector<std::string>{"time", "time@-1", "time@-2"}));
  const Rows<double> time = batch.bind("time");
  const auto observeAt = [&](double t) {
    for (int w = 0; w < 3; ++w) time(0, w) = t;
    return observe(observer, 3);
  };
  EXPECT_EQ(observeAt(1), std::vector<double>(9, 1));
  EXPECT_EQ(observeAt(2), (std::vector<double>{2, 1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(observeAt(3), (std::vector<double>{3, 2, 1, 2, 1, 1, 1, 1, 1}));
  observer.reset(std::vector<int>{0});
  EXPECT_EQ(observeAt(4), (std::vector<double>{4, 4, 4, 3, 2, 1, 2, 1, 1}));
  observer.setDelay(std::vector<int>{2}, std::vector<int>{0});
  EXPECT_EQ(observeAt(5), (std::vector<double>{5, 4, 4, 4, 3, 2, 5, 4, 3}));
  EXPECT_THROW(observer.setDelay(std::vector<int>{0}, std::vector<int>{3}), std::invalid_argument);
}

TEST(Observer, NoiseIsUniform) {
  constexpr int n = 2000;
  double sum = 0, squares = 0;
  for (int w = 0; w < n; ++w) {
    const double x = CounterNoise(3, static_cast<std::uint64_t>(w)).uniform(5, 2);
    ASSERT_TRUE(x >= -1 && x < 1);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / n, 0, 0.05);
  EXPECT_NEAR(squares / n, 1.0 / 3, 0.02);
  EXPECT_NE(CounterNoise(3, 1).uniform(5, 2), CounterNoise(3, 1).uniform(5, 3));
  EXPECT_NE(CounterNoise(3, 1).uniform(5, 2), CounterNoise(3, 1).uniform(6, 2));
  EXPECT_NE(CounterNoise(3, 1).uniform(5, 2), CounterNoise(4, 1).uniform(5, 2));
}

void expectRefused(const Quantity& quantity, const std::string& told) {
  Batch<double> batch([] { return makeRobot("strider"); }, 2, {.mode = BatchMode::ACCURATE});
  try {
    Observer<double> observer(batch, std::vector<Quantity>{quantity});
    ADD_FAILURE() << quantity.name << " was taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(told), std::string::npos) << error.what();
  }
}

/// With history, delay and noise.
TEST(Observer, GoesOnFromItsMemory) {
  Batch<double> batch([] { return makeRobot("strider"); }, 3);
  const std::vector<Quantity> list{{.name = "u"}};
  const ObserverOptions options{.history = 2, .delay = {2}, .noise = {0.1}};
  Observer<double> first(batch, list, options), other(batch, list, options);
  const std::vector<double> start = observe(first, 3);
  for (int k = 0; k < 4; ++k) batch.step(), observe(first, 3);
  std::vector<double> memory(static_cast<std::size_t>(first.memorySize()));
  for (int w = 0; w < 3; ++w) {
    first.getMemory(w, memory);
    other.setMemory(w, memory);
  }
  batch.step();
  EXPECT_EQ(observe(first, 3), observe(other, 3));

  const int all[] = {0, 1, 2};
  batch.reset();
  first.restart(all);
  EXPECT_EQ(observe(first, 3), start);
  EXPECT_EQ(Observer<double>(batch, list).memorySize(), 0);
  memory.pop_back();
  EXPECT_THROW(other.setMemory(0, memory), std::invalid_argument);
}

TEST(Observer, WhatIsNotThereIsNamed) {
  expectRefused({.name = "frame_velocty"},
                "no quantity 'frame_velocty'; the nearest are frame_velocity");
  expectRefused({.name = "q", .of = {"LF_HA"}}, "no joint 'LF_HA'; the nearest are LF_HAA");
  expectRefused({.name = "gravity", .of = {"bas"}}, "no frame 'bas'; the nearest are base");
  expectRefused({.name = "contact", .of = {"LF_shan"}},
                "no body 'LF_shan'; the nearest are LF_shank");
  expectRefused({.name = "u", .scale = {1, 2}}, "scale of 'u' has 2 numbers");
  expectRefused({.name = "q", .isLocal = true}, "'q' is no vector");
  expectRefused({.name = "heights"}, "points are given for 'heights'");
  expectRefused({.name = "time", .of = {"base"}}, "'time' is of no joint");
}

}  // namespace
}  // namespace espalier::testing

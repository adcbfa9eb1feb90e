// What a Batch promises: the bits of a world alone, wherever it is and whoever shares its register.

#include "espalier/batch/batch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <utility>

#include "tests/unit/batch/batch_scenes.h"

namespace espalier::testing {
namespace {

std::shared_ptr<World> makeBeest() {
  auto world = makeGround();
  addRobot(*world, "beest", 0, 0);
  return world;
}

/// A robot that touches with few points alone.
std::shared_ptr<World> makeBallFeet() {
  auto world = makeGround();
  SystemSpec spec = modelSpec("quadruped");
  for (LinkSpec& link : spec.links)
    std::erase_if(link.collisions, [](const CollisionSpec& c) {
      return !std::holds_alternative<SphereShape>(c.shape);
    });
  ArticulatedSystem* robot = world->addArticulatedSystem(spec);
  holdPose(*robot, nominal("quadruped"), 100, 5);
  return world;
}

/// The same with a shape whose mesh was not found before all others.
std::shared_ptr<World> makeWithoutAMesh() {
  auto world = makeGround();
  SystemSpec spec = modelSpec("quadruped");
  CollisionSpec absent = spec.links.back().collisions.at(0);
  absent.shape = MeshShape{};
  spec.links.back().collisions.insert(spec.links.back().collisions.begin(), absent);
  ArticulatedSystem* robot = world->addArticulatedSystem(spec);
  holdPose(*robot, nominal("quadruped"), 100, 5);
  return world;
}

/// Every world stands a little higher than the one before it, and turns.
template <class S>
void spread(Batch<S>& batch) {
  const Rows<S> q = batch.bind("q"), u = batch.bind("u");
  for (int w = 0; w < batch.size(); ++w) {
    q(2, w) += static_cast<S>(0.003 * w);
    u(5, w) = static_cast<S>(0.1 * w);
  }
}

/// Accurate worlds and worlds alone, the same to the bit, with inputs of their own.
void expectAsAlone(std::shared_ptr<World> (*make)(), int steps) {
  constexpr int n = 11;
  Batch<double> batch(make, n, {.threads = 2});
  spread(batch);
  const Rows<double> forward = batch.bind("feedforward"), q = batch.bind("q"), u = batch.bind("u");
  const int last = forward.count - 1;
  const bool isOfJoints = make == makeStrider;  // of loops, joints that follow have rows, too
  std::vector<std::shared_ptr<World>> alone;
  for (int w = 0; w < n; ++w) {
    if (isOfJoints) forward(last, w) = 0.2 * w;
    alone.push_back(make());
    State state = alone.back()->getState();
    for (int i = 0; i < q.count; ++i) state.q[i] = q(i, w);
    for (int i = 0; i < u.count; ++i) state.u[i] = u(i, w);
    alone.back()->setState(state);
    if (!isOfJoints) continue;
    ArticulatedSystem& robot = *alone.back()->system(0);
    robot.setControlMode(ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
    Eigen::VectorXd torque = Eigen::VectorXd::Zero(last + 1);
    torque[last] = 0.2 * w;
    robot.setGeneralizedForce(torque);
  }
  for (int k = 0; k < steps; ++k) {
    batch.step(k % 3 + 1);
    for (const auto& world : alone)
      for (int i = 0; i <= k % 3; ++i) world->integrate();
  }
  for (int w = 0; w < n; ++w) {
    const State own = alone[w]->getState(), state = batch.getState(w);
    EXPECT_EQ(own.q, state.q) << "world " << w;
    EXPECT_EQ(own.u, state.u) << "world " << w;
    EXPECT_EQ(own.history, state.history) << "world " << w;
    EXPECT_DOUBLE_EQ(own.time, state.time);
  }
}

TEST(AccurateBatch, IsAWorldAloneToTheBit) { expectAsAlone(makeStrider, 60); }

/// Other gravity in each world.
template <class S>
void tilt(Batch<S>& batch) {
  const Rows<S> gravity = batch.bind("gravity");
  for (int w = 0; w < batch.size(); ++w) {
    gravity(0, w) = static_cast<S>(0.4 * w);
    gravity(2, w) = static_cast<S>(w - 9.0);
  }
}

TEST(AccurateBatch, GravityOfEachWorldIsThatOfAWorldAlone) {
  Batch<double> batch(makeStrider, 10, {.threads = 1});
  EXPECT_EQ(batch.bind("gravity")(2, 3), makeStrider()->getGravity()[2]);
  tilt(batch);
  batch.step(40);
  for (int w = 0; w < batch.size(); ++w) {
    const auto alone = makeStrider();
    alone->setGravity({0.4 * w, 0, w - 9.0});
    for (int i = 0; i < 40; ++i) alone->integrate();
    const State own = alone->getState(), state = batch.getState(w);
    EXPECT_EQ(own.q, state.q) << "world " << w;
    EXPECT_EQ(own.u, state.u) << "world " << w;
  }
}

/// Without contact, so that both modes solve the same equations.
TEST(ThroughputBatch, ArmatureOfEachWorldActsAsInARobotThatHasIt) {
  const auto make = [](double factor) {
    auto world = std::make_shared<World>();
    SystemSpec spec = modelSpec("strider");
    for (JointSpec& joint : spec.joints) joint.dynamics.rotorInertia *= factor;
    ArticulatedSystem* robot = world->addArticulatedSystem(spec);
    holdPose(*robot, nominal("strider"), 0, 0);
    Eigen::VectorXd torque = Eigen::VectorXd::Zero(robot->getDOF());
    torque.tail(12).setLinSpaced(-3, 3);
    robot->setGeneralizedForce(torque);
    return world;
  };
  const auto asBuilt = [&] { return make(1); };
  Batch<double> fast(asBuilt, 5, {.mode = BatchMode::THROUGHPUT, .threads = 1}),
      accurate(asBuilt, 5, {.threads = 1});
  const Rows<double> u = accurate.bind("u");
  for (Batch<double>* each : {&fast, &accurate}) {
    const Rows<double> armature = each->bind("armature");
    for (int w = 0; w < 5; ++w)
      for (int d = 0; d < armature.count; ++d) armature(d, w) = 1 + 10.0 * w;
    each->step(50);
  }
  for (int w = 0; w < 5; ++w) {
    const auto other = make(1 + 10.0 * w);
    for (int i = 0; i < 50; ++i) other->integrate();
    const State own = other->getState();
    for (int d = 0; d < u.count; ++d) {
      EXPECT_NEAR(u(d, w), own.u[d], 1e-9);
      EXPECT_NEAR(fast.bind("u")(d, w), u(d, w), 1e-6);
    }
  }
  EXPECT_GT(std::abs(u(8, 0) - u(8, 1)), 1e-2);
}

TEST(ThroughputBatch, GravityOfEachWorldActs) {
  Batch<double> fast(makeStrider, 10, {.mode = BatchMode::THROUGHPUT, .threads = 1}),
      accurate(makeStrider, 10, {.threads = 1});
  for (Batch<double>* each : {&fast, &accurate}) {
    tilt(*each);
    each->step(40);
  }
  const Rows<double> q = fast.bind("q"), known = accurate.bind("q");
  for (int w = 0; w < 10; ++w)
    for (int i = 0; i < q.count; ++i)
      EXPECT_NEAR(q(i, w), known(i, w), 1e-6) << i << " of world " << w;
  EXPECT_GT(std::abs(q(0, 9) - q(0, 0)), 1e-4);
}

TEST(AccurateBatch, OfClosedLoopsToo) { expectAsAlone(makeBeest, 20); }

/// Falls, lands and stands, limp: worlds touch differently.
template <class S>
void fall(Batch<S>& batch) {
  spread(batch);
  for (const char* gain : {"kp", "kd"})
    for (int w = 0; w < batch.size(); ++w)
      for (int d = 6; d < batch.bind(gain).count; ++d) batch.bind(gain)(d, w) *= S(w % 3) / 2;
}

/// Such a shape is none of the scene. Reading one before the scene's array shows under a sanitizer alone.
TEST(Batch, ShapesWithoutDataTouchNothing) {
  Batch<double> fast(makeWithoutAMesh, 3, {.mode = BatchMode::THROUGHPUT, .threads = 1}),
      accurate(makeWithoutAMesh, 3, {.threads = 1});
  fast.step(50);
  accurate.step(50);
  EXPECT_EQ(fast.report().flags[1], 0u);
  EXPECT_NEAR(fast.getState(1).q[2], accurate.getState(1).q[2], 1e-5);
}

template <class S>
void expectSameAnywhere(const Batch<double>::Make& make, BatchMode mode) {
  constexpr int n = 37, chosen = 12;
  Batch<S> batch(make, n, {.mode = mode, .threads = 1}),
      other(make, n, {.mode = mode, .threads = 3});
  Batch<S> single(make, 1, {.mode = mode});
  for (Batch<S>* each : {&batch, &other, &single}) fall(*each);
  single.setState(0, batch.getState(chosen));
  std::vector<int> backwards(n);
  std::iota(backwards.rbegin(), backwards.rend(), 0);
  for (int k = 0; k < 250; ++k) {
    batch.step();
    other.step(backwards);
    single.step();
  }
  for (int w = 0; w < n; ++w) expectSameWorld(batch, w, other, w);
  expectSameWorld(batch, chosen, single, 0);
}

TEST(Batch, HasTheSameBitsAtAnyPlaceAndAnyNumberOfThreads) {
  expectSameAnywhere<double>(makeStrider, BatchMode::ACCURATE);
  for (const auto& make : {makeStrider, makeBeest, makeBallFeet}) {
    expectSameAnywhere<double>(make, BatchMode::THROUGHPUT);
    expectSameAnywhere<float>(make, BatchMode::THROUGHPUT);
  }
}

template <class S>
void expectNearAccurate(double tolerance) {
  constexpr int n = 9;
  Batch<double> exact(makeStrider, n);
  Batch<S> fast(makeStrider, n, {.mode = BatchMode::THROUGHPUT});
  spread(exact);
  spread(fast);
  exact.step(500);
  fast.step(500);
  const Rows<S> q = fast.bind("q"), force = fast.bind("contact_force");
  const double weight = exact.prototype().system(0)->getTotalMass() * 9.81;
  for (int w = 0; w < n; ++w) {
    EXPECT_NEAR(exact.bind("q")(2, w), static_cast<double>(q(2, w)), 1e-3) << "height, world " << w;
    double carried = 0;
    for (int i = 2; i < force.count; i += 3) carried += static_cast<double>(force(i, w));
    EXPECT_NEAR(carried, weight, 0.02 * weight) << "world " << w;
    EXPECT_EQ(fast.report().flags[w], 0u);
    EXPECT_LE(static_cast<double>(fast.report().residual[w]), tolerance);
  }
}

TEST(ThroughputBatch, StandsAsAccurateWorldsDo) {
  expectNearAccurate<double>(1e-6);
  expectNearAccurate<float>(1e-3);
}

/// On its belly, with thighs inside the hips, a robot cannot do what all contacts ask for.
template <class S>
void expectNoBlast() {
  Batch<S> batch(makeStrider, 2, {.mode = BatchMode::THROUGHPUT});
  const Rows<S> q = batch.bind("q"), u = batch.bind("u"), force = batch.bind("contact_force");
  q(2, 1) = S(0.12);
  for (int leg = 0; leg < 4; ++leg) {
    q(7 + 3 * leg, 1) = 0;
    q(8 + 3 * leg, 1) = leg < 2 ? S(1.75) : S(-1.75);
    q(9 + 3 * leg, 1) = 0;
  }
  for (int d = 6; d < u.count; ++d) batch.bind("kp")(d, 1) = 0;
  for (int k = 0; k < 150; ++k) {
    batch.step();
    for (int i = 0; i < u.count; ++i) ASSERT_LT(std::abs(u(i, 1)), S(200)) << "step " << k;
    for (int i = 0; i < force.count; ++i) ASSERT_LT(std::abs(force(i, 1)), S(1e5));
  }
}

TEST(ThroughputBatch, AddsNoEnergyWhereContactsCannotBeSolved) {
  expectNoBlast<double>();
  expectNoBlast<float>();
}

/// A joint that turns by 0.25 rad in a step, and one by 0.4, among others.
template <class S>
void expectTellsFarTurns() {
  Batch<S> batch(makeStrider, 4, {.mode = BatchMode::THROUGHPUT});
  const Rows<S> u = batch.bind("u");
  constexpr int hip = 8;
  u(hip, 1) = S(0.25 / 2e-3);
  u(hip, 2) = S(-0.4 / 2e-3);
  batch.step();
  const auto isTold = [&](std::size_t w) {
    return (batch.report().flags[w] & static_cast<std::uint32_t>(StepFlag::EnergyNotKept)) != 0;
  };
  for (const std::size_t w : {0, 1, 3}) EXPECT_FALSE(isTold(w)) << "world " << w;
  EXPECT_TRUE(isTold(2));
}

TEST(ThroughputBatch, TellsOfStepsThatTurnTooFarToKeepTheirEnergy) {
  expectTellsFarTurns<double>();
  expectTellsFarTurns<float>();
}

TEST(Batch, GoesOnFromAStateInAWorld) {
  Batch<double> batch(makeStrider, 3);
  spread(batch);
  batch.step(80);
  const auto world = makeStrider();
  world->setState(batch.getState(2));
  batch.step(20);
  for (int i = 0; i < 20; ++i) world->integrate();
  EXPECT_EQ(world->getState().q, batch.getState(2).q);
}

template <class S>
void expectResets(BatchMode mode) {
  Batch<S> batch(makeStrider, 5, {.mode = mode}), fresh(makeStrider, 5, {.mode = mode});
  batch.step(40);
  const int some[] = {1, 4};
  const State before = batch.getState(2);
  batch.reset(some);
  EXPECT_EQ(batch.getState(2).q, before.q);
  batch.step(some, 30);
  fresh.step(30);
  for (const int w : some) expectSameWorld(batch, w, fresh, w);
  EXPECT_EQ(batch.getState(2).q, before.q) << "who is not named stays";
}

TEST(Batch, ResetsSomeWorlds) {
  expectResets<double>(BatchMode::ACCURATE);
  expectResets<double>(BatchMode::THROUGHPUT);
  expectResets<float>(BatchMode::THROUGHPUT);
}

TEST(Batch, StepsFewerRegistersOfWorldsThanItHasThreads) {
  for (const BatchMode mode : {BatchMode::ACCURATE, BatchMode::THROUGHPUT}) {
    Batch<double> batch(makeStrider, 40, {.mode = mode, .threads = 4});
    const int one[] = {33};
    batch.step(one, 10);
    for (int w = 0; w < batch.size(); ++w)
      EXPECT_EQ(batch.bind("time")(0, w) > 0, w == 33) << "world " << w;
    EXPECT_LT(batch.bind("q")(2, 33), batch.bind("q")(2, 32));
  }
}

template <class S>
void expectOthersGoOn(BatchMode mode) {
  Batch<S> batch(makeStrider, 4, {.mode = mode}), whole(makeStrider, 4, {.mode = mode});
  batch.step(10);
  whole.step(10);
  const State before = batch.getState(1);
  batch.bind("feedforward")(8, 1) = std::numeric_limits<S>::quiet_NaN();
  batch.step(5);
  whole.step(5);
  EXPECT_NE(batch.report().flags[1], 0u);
  EXPECT_EQ(batch.getState(1).q, before.q) << "it keeps its last state";
  for (const int w : {0, 2, 3}) {
    EXPECT_EQ(batch.report().flags[w], 0u);
    expectSameWorld(batch, w, whole, w);
  }
}

/// Batches of different robots, of one world up to many more than there are threads.
TEST(Batch, GainsAndTerrainThatCannotBeAreToldBeforeAStep) {
  for (const char* name : {"kp", "kd", "terrain"})
    for (const double wrong : {-1.0, std::nan("")}) {
      const bool isTerrain = std::string(name) == "terrain";
      if (isTerrain && wrong < 0) continue;
      Batch<double> batch(makeStrider, 3);
      const Rows<double> rows = batch.bind(name);
      double& number = rows(isTerrain ? 2 : 6, 1);
      const double good = std::exchange(number, wrong);
      try {
        batch.step();
        FAIL() << name << " " << wrong;
      } catch (const std::invalid_argument& error) {
        const std::string said = error.what();
        EXPECT_NE(said.find("world 1"), std::string::npos) << said;
        EXPECT_NE(said.find(name), std::string::npos) << said;
      }
      number = good;
      if (!isTerrain) rows(0, 1) = wrong;  // of the base: it is not read
      EXPECT_NO_THROW(batch.step());
    }
}

TEST(Batch, StepsTogetherWithBatchesOfOtherRobots) {
  const BatchMode modes[] = {BatchMode::THROUGHPUT, BatchMode::ACCURATE};
  for (const int threads : {1, 2, 3, 5}) {
    std::vector<Batch<double>> together, alone;
    int k = 0;
    for (const int worlds : {1, 37, 9, 70})
      for (auto* all : {&together, &alone}) {
        const auto make = worlds % 2 ? makeStrider : makeBallFeet;
        all->emplace_back(make, worlds, BatchOptions{modes[k++ / 2 % 2], threads});
        spread(all->back());
      }
    std::vector<Batch<double>*> batches;
    for (Batch<double>& batch : together) batches.push_back(&batch);
    for (int i = 0; i < 3; ++i) Batch<double>::stepTogether(batches, 4);
    for (Batch<double>& batch : alone) batch.step(12);
    for (std::size_t i = 0; i < alone.size(); ++i)
      for (int w = 0; w < alone[i].size(); ++w) expectSameWorld(together[i], w, alone[i], w);
    batches.push_back(batches[1]);
    EXPECT_THROW(Batch<double>::stepTogether(batches), std::invalid_argument);
  }
}

TEST(Batch, FlagsAWorldThatDivergesAndTheOthersGoOn) {
  expectOthersGoOn<double>(BatchMode::ACCURATE);
  expectOthersGoOn<double>(BatchMode::THROUGHPUT);
  expectOthersGoOn<float>(BatchMode::THROUGHPUT);
}

/// A robot in free fall: a wrench moves its centre by F / m, and a heavier one by less.
template <class S>
void expectWrenchesAndMasses(BatchMode mode, double tolerance) {
  const auto make = [] {
    auto world = std::make_shared<World>();
    world->setTimeStep(1e-3);
    world->setGravity({0, 0, 0});
    addRobot(*world, "strider", 0, 0);
    return world;
  };
  Batch<S> batch(make, 3, {.mode = mode});
  const Rows<S> wrench = batch.bind("wrench"), mass = batch.bind("mass");
  for (int b = 0; b < mass.count; ++b) mass(b, 2) = 2;
  for (const int w : {1, 2}) wrench(0, w) = 30;
  batch.step(100);
  World& world = batch.prototype();
  const double m = world.system(0)->getTotalMass();
  const auto speedOf = [&](int w) {
    State state = batch.getState(w);
    state.history.clear();
    world.setState(state);
    const double factor = w == 2 ? 2 : 1;
    return factor * world.system(0)->getLinearMomentum()[0] / (factor * m);
  };
  EXPECT_NEAR(speedOf(0), 0, tolerance);
  EXPECT_NEAR(speedOf(1), 30 * 0.1 / m, tolerance);
  EXPECT_NEAR(speedOf(2), 30 * 0.1 / (2 * m), tolerance);
}

TEST(Batch, TakesWrenchesAndMassesOfEachWorld) {
  expectWrenchesAndMasses<double>(BatchMode::ACCURATE, 1e-9);
  expectWrenchesAndMasses<double>(BatchMode::THROUGHPUT, 1e-4);
  expectWrenchesAndMasses<float>(BatchMode::THROUGHPUT, 1e-4);
}

/// Pushes of every third link of a robot with closed loops, in flight; it moves as in a World.
template <class S>
void expectPushesOfLinks(double tolerance) {
  const auto make = [] {
    auto world = std::make_shared<World>();
    world->setTimeStep(1e-3);
    addRobot(*world, "beest", 0, 0, {0, 0, 5});
    return world;
  };
  Batch<double> exact(make, 2);
  Batch<S> fast(make, 2, {.mode = BatchMode::THROUGHPUT});
  const int bodies = exact.bind("mass").count;
  for (int body = 0; body < bodies; body += 3)
    for (int k = 0; k < 6; ++k) {
      const double push = (k < 3 ? 4.0 : 0.3) * ((body + k) % 5 - 2);
      exact.bind("wrench")(6 * body + k, 1) = push;
      fast.bind("wrench")(6 * body + k, 1) = static_cast<S>(push);
    }
  exact.step(20);
  fast.step(20);
  double moved = 0;
  for (int d = 0; d < exact.bind("u").count; ++d) {
    const double wanted = exact.bind("u")(d, 1);
    EXPECT_NEAR(static_cast<double>(fast.bind("u")(d, 1)), wanted, tolerance) << "dof " << d;
    moved = std::max(moved, std::abs(wanted - exact.bind("u")(d, 0)));
  }
  EXPECT_GT(moved, 0.05);
}

TEST(ThroughputBatch, PushesLinksOfClosedLoops) {
  expectPushesOfLinks<double>(1e-6);
  expectPushesOfLinks<float>(2e-2);
}

/// On ice a robot that is pushed slides, on the other worlds' ground it stays.
template <class S>
void expectFriction(BatchMode mode) {
  Batch<S> batch(makeStrider, 2, {.mode = mode});
  batch.step(300);
  batch.bind("friction")(0, 1) = 0;
  for (const int w : {0, 1}) batch.bind("wrench")(0, w) = 15;
  const S before[] = {batch.bind("q")(0, 0), batch.bind("q")(0, 1)};
  batch.step(500);
  EXPECT_LT(std::abs(batch.bind("q")(0, 0) - before[0]), S(0.04));
  EXPECT_GT(batch.bind("q")(0, 1) - before[1], S(0.15));
}

TEST(Batch, TakesFrictionOfEachWorld) {
  expectFriction<double>(BatchMode::ACCURATE);
  expectFriction<double>(BatchMode::THROUGHPUT);
  expectFriction<float>(BatchMode::THROUGHPUT);
}

std::string faultOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

void expectFault(const std::string& part, const std::function<void()>& call) {
  EXPECT_NE(faultOf(call).find(part), std::string::npos) << faultOf(call);
}

TEST(Batch, NamesWhatIsWrong) {
  Batch<double> batch(makeStrider, 4);
  const int far[] = {7}, twice[] = {1, 2, 1};
  expectFault("there is no world 7 in a batch of 4", [&] { batch.step(far); });
  expectFault("world 1 is named twice", [&] { batch.step(twice); });
  expectFault("no quantity 'speed'; there are q, u,", [&] { batch.bind("speed"); });
  expectFault("at least one step", [&] { batch.step(0); });
  expectFault("the state is another world's", [&] { batch.setState(0, State{}); });
  expectFault("no ACCURATE mode", [] { Batch<float>(makeStrider, 2); });
  expectFault("a batch needs a world", [] { Batch<double>(makeStrider, 0); });
  const auto withBall = [] {
    auto world = makeStrider();
    world->addSphere(0.1, 1)->setLinearDamping(1);
    return world;
  };
  expectFault("cannot step a world with damped single bodies: take mode \"accurate\"",
              [&] { Batch<double>(withBall, 2, {.mode = BatchMode::THROUGHPUT}); });
  EXPECT_EQ(faultOf([&] { Batch<double>(withBall, 2).step(); }), "");
}

}  // namespace
}  // namespace espalier::testing

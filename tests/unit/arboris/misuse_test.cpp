// What a Simulation tells of misuse: places of dofs, sizes that controllers leave, objects that were
// removed, timelines.

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <memory>
#include <ranges>

#include "espalier/compat/arboris/ball_and_socket.h"
#include "espalier/compat/arboris/monitors.h"
#include "espalier/compat/arboris/weight_controller.h"
#include "tests/unit/arboris/scenes.h"

namespace espalier::testing {
namespace {

using sim::Stepping;
using sim::WeightController;

/// What a call says when it throws std::invalid_argument; empty where it does not.
template <class Call>
std::string told(Call&& call) {
  try {
    call();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return {};
}
bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(SimulationMisuse, PlacesOfDofs) {
  World world;
  world.addArticulatedSystem(hangingArm(2));
  world.addArticulatedSystem(lopsidedBody());
  Simulation simulation(world);
  EXPECT_EQ(simulation.ndof(), 8);
  EXPECT_NO_THROW(simulation.gpos(1));
  for (const int dof : {-1, 8, 1000000, std::numeric_limits<int>::min()})
    EXPECT_TRUE(has(told([&] { simulation.gpos(dof); }), "there is no dof " + std::to_string(dof)));
  // A floating base has no coordinate for each dof.
  EXPECT_TRUE(has(told([&] { simulation.gpos(2); }), "'body'"));
}

struct Resizes : sim::Controller {
  Eigen::Index pushes, rows, columns;
  Resizes(Eigen::Index p, Eigen::Index r, Eigen::Index c) : pushes(p), rows(r), columns(c) {}
  void update(double, double, Eigen::VectorXd& gforce0, Eigen::MatrixXd& Z) override {
    gforce0.setZero(pushes);
    Z.setZero(rows, columns);
  }
};

TEST(SimulationMisuse, SizesThatControllersLeave) {
  for (const Stepping stepping : {Stepping::ARBORIS, Stepping::WORLD})
    for (const std::array<Eigen::Index, 3>& size :
         {std::array<Eigen::Index, 3>{1, 2, 2}, {3, 2, 2}, {2, 1, 2}, {2, 2, 3}, {0, 0, 0}}) {
      World world;
      world.addArticulatedSystem(hangingArm(2));
      Simulation simulation(world, stepping);
      simulation.add<WeightController>();
      simulation.add<Resizes>(size[0], size[1], size[2]);
      simulation.updateDynamic();
      const std::string said = told([&] { simulation.updateControllers(1e-3); });
      EXPECT_TRUE(has(said, "controller 1 left gforce0 of " + std::to_string(size[0]))) << said;
      EXPECT_TRUE(has(said, "2 dofs")) << said;
    }
  World world;
  world.addArticulatedSystem(hangingArm(2));
  Simulation simulation(world);
  simulation.add<Resizes>(2, 2, 2);
  simulation.updateDynamic();
  EXPECT_NO_THROW(simulation.updateControllers(1e-3));
}

TEST(SimulationMisuse, ObjectsThatWereRemoved) {
  for (const Stepping stepping : {Stepping::ARBORIS, Stepping::WORLD})
    for (const bool single : {false, true}) {
      World world;
      ArticulatedSystem* arm = world.addArticulatedSystem(hangingArm(2));
      Object* ball = world.addSphere(0.1, 1);
      ball->setName("ball");
      Simulation simulation(world, stepping);
      simulation.add<WeightController>();
      step(simulation, 1e-3);
      world.removeObject(single ? ball : arm);
      const std::string name = single ? "'ball'" : "'arm'";
      const Eigen::VectorXd none = Eigen::VectorXd::Zero(simulation.ndof());
      EXPECT_TRUE(has(told([&] { simulation.updateDynamic(); }), name + " was removed"));
      EXPECT_TRUE(has(told([&] { simulation.integrate(1e-3); }), name));
      EXPECT_TRUE(has(told([&] { simulation.init(); }), name));
      EXPECT_TRUE(has(told([&] { simulation.setGvel(none); }), name));
      EXPECT_TRUE(has(told([&] { simulate(simulation, timeline(1e-3, 2)); }), name));
      Simulation again(world, stepping);
      EXPECT_NO_THROW(simulate(again, timeline(1e-3, 2)));
    }
}

// Between stages, and where another object has taken the place.
TEST(SimulationMisuse, ObjectsThatAreExchanged) {
  for (const bool again : {false, true}) {
    World world;
    ArticulatedSystem* arm = world.addArticulatedSystem(hangingArm(2));
    Simulation simulation(world);
    simulation.add<WeightController>();
    sim::EnergyMonitor energy;
    energy.init(simulation, {});
    simulation.updateDynamic();
    simulation.updateControllers(1e-3);
    world.removeObject(arm);
    if (again) world.addArticulatedSystem(hangingArm(3));
    EXPECT_TRUE(has(told([&] { energy.update(1e-3); }), "'arm' was removed"));
    EXPECT_TRUE(has(told([&] { simulation.integrate(1e-3); }), "'arm' was removed"));
    EXPECT_EQ(world.objectCount(), again ? 1 : 0);
  }
}

TEST(SimulationMisuse, StagesOutOfTheirOrder) {
  for (const Stepping stepping : {Stepping::ARBORIS, Stepping::WORLD}) {
    World world;
    world.addArticulatedSystem(hangingArm(2));
    Simulation simulation(world, stepping);
    EXPECT_TRUE(has(told([&] { simulation.admittance(); }), "updateControllers(dt) comes first"));
    EXPECT_TRUE(has(told([&] { simulation.updateControllers(1e-3); }), "updateDynamic() comes"));
    EXPECT_TRUE(
        has(told([&] { simulation.updateConstraints(1e-3); }), "updateControllers() comes"));
    EXPECT_TRUE(has(told([&] { simulation.integrate(1e-3); }), "updateControllers() comes"));
    simulation.updateDynamic();
    for (const double dt : {0.0, -1e-3, std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::quiet_NaN()})
      EXPECT_TRUE(
          has(told([&] { simulation.updateControllers(dt); }), "lasts longer than nothing"));
    // Twice is once.
    simulation.updateDynamic();
    simulation.updateControllers(1e-3);
    simulation.add<WeightController>();
    EXPECT_TRUE(has(told([&] { simulation.integrate(1e-3); }), "updateControllers() comes"));
    EXPECT_NO_THROW(step(simulation, 1e-3));
    EXPECT_TRUE(has(told([&] { simulation.integrate(1e-3); }), "updateControllers() comes"));
  }
}

TEST(SimulationMisuse, AddedTwice) {
  World world;
  world.addArticulatedSystem(hangingArm(2));
  Simulation simulation(world);
  const auto weight = std::make_shared<WeightController>();
  EXPECT_EQ(&simulation.add(weight), weight.get());
  EXPECT_TRUE(has(told([&] { simulation.add(weight); }), "added to the Simulation before"));
  EXPECT_TRUE(has(told([&] { simulation.add(std::shared_ptr<WeightController>()); }), "nothing"));
  EXPECT_EQ(simulation.controllers().size(), 1u);
}

TEST(SimulationMisuse, FramesOfAnotherSimulation) {
  World world, otherWorld;
  world.addArticulatedSystem(hangingArm(2));
  otherWorld.addArticulatedSystem(hangingArm(5));
  Simulation simulation(world), other(otherWorld);
  simulation.add<sim::BallAndSocket>(simulation.ground(), other.body("link4"));
  EXPECT_TRUE(has(told([&] { simulation.init(); }), "another Simulation"));
  EXPECT_NO_THROW(other.body("link4").requireIn(other));
  EXPECT_THROW(other.body("link4").requireIn(simulation), std::invalid_argument);
}

/// Throws when it is asked for the third time.
struct Fails : sim::Controller {
  int asked = 0;
  void update(double, double, Eigen::VectorXd& gforce0, Eigen::MatrixXd&) override {
    gforce0[0] += 0.5;
    if (++asked == 3) throw std::runtime_error("no more");
  }
};

// What a controller throws comes out, the state is that before the step, and the run goes on as if it
// had not been.
TEST(SimulationMisuse, AControllerThatThrows) {
  for (const Stepping stepping : {Stepping::ARBORIS, Stepping::WORLD}) {
    World worlds[2];
    std::unique_ptr<Simulation> simulations[2];
    for (int i = 0; i < 2; ++i) {
      worlds[i].addArticulatedSystem(hangingArm(2))->setGeneralizedCoordinate({0.3, 0.1});
      simulations[i] = std::make_unique<Simulation>(worlds[i], stepping);
      simulations[i]->add<WeightController>();
    }
    Fails& fails = simulations[0]->add<Fails>();
    simulations[1]->add<Fails>().asked = 10;
    for (int k = 0; k < 5; ++k) {
      const State before = worlds[0].getState();
      bool threw = false;
      try {
        simulate(*simulations[0], {k * 1e-3, (k + 1) * 1e-3});
      } catch (const std::runtime_error&) {
        threw = true;
        EXPECT_EQ(worlds[0].getState().q, before.q);
        EXPECT_EQ(worlds[0].getState().u, before.u);
        EXPECT_EQ(worlds[0].getWorldTime(), k * 1e-3);
        simulate(*simulations[0], {k * 1e-3, (k + 1) * 1e-3});
      }
      EXPECT_EQ(threw, k == 2);
      simulate(*simulations[1], {k * 1e-3, (k + 1) * 1e-3});
      EXPECT_LT((simulations[0]->gvel() - simulations[1]->gvel()).norm(), 1e-12);
    }
    EXPECT_EQ(fails.asked, 6);
  }
}

// A World whose step a Simulation gave up is the World's own again.
TEST(SimulationMisuse, AStepThatIsGivenUp) {
  World world, alone;
  for (World* w : {&world, &alone})
    w->addArticulatedSystem(hangingArm(2))->setGeneralizedCoordinate({0.3, 0.1});
  {
    Simulation simulation(world, Stepping::WORLD);
    simulation.add<Fails>();
    step(simulation, 1e-3);
    world.setState(alone.getState());
    simulation.updateDynamic();
    EXPECT_TRUE(has(told([&] { world.integrate(); }), "integrate2() comes next"));
    simulation.abandonStep();
    EXPECT_EQ(world.getState(), alone.getState());
    simulation.updateDynamic();
    simulation.updateControllers(1e-3);
  }  // as the end of the Simulation does
  EXPECT_EQ(world.getState(), alone.getState());
  world.setTimeStep(1e-3);
  alone.setTimeStep(1e-3);
  for (int k = 0; k < 10; ++k) {
    world.integrate();
    alone.integrate();
  }
  EXPECT_EQ(world.getState(), alone.getState());
}

/// Notes when it was asked.
struct Notes : sim::Controller {
  std::vector<double> dts, times;
  void update(double dt, double t, Eigen::VectorXd&, Eigen::MatrixXd&) override {
    dts.push_back(dt);
    times.push_back(t);
  }
};

// The loop of seed 004: dt from each time to the next, controllers are told dt and the time that the
// step goes to.
TEST(SimulationTimeline, StepsAsTheSeedSaysHoweverLongTheyAre) {
  const std::vector<double> time{0.5, 0.51, 0.53, 0.6, 0.601};
  World world;
  ArticulatedSystem* arm = world.addArticulatedSystem(hangingArm(2));
  arm->setGeneralizedCoordinate({0.3, 0.1});
  Simulation simulation(world);
  simulation.add<WeightController>();
  auto& notes = simulation.add<Notes>();
  simulate(simulation, time);
  EXPECT_EQ(notes.times, (std::vector<double>{0.51, 0.53, 0.6, 0.601}));
  for (std::size_t k = 1; k < time.size(); ++k) EXPECT_EQ(notes.dts[k - 1], time[k] - time[k - 1]);
  EXPECT_EQ(world.getWorldTime(), 0.601);

  World byHand;
  ArticulatedSystem* same = byHand.addArticulatedSystem(hangingArm(2));
  same->setGeneralizedCoordinate({0.3, 0.1});
  Simulation stages(byHand);
  stages.add<WeightController>();
  stages.init();
  double previous = time[0];
  for (std::size_t k = 1; k < time.size(); ++k) {
    const double dt = time[k] - previous;
    stages.updateDynamic();
    stages.updateControllers(dt, time[k]);
    stages.updateConstraints(dt);
    stages.integrate(dt);
    previous = time[k];
  }
  EXPECT_EQ(arm->getGeneralizedCoordinate(), same->getGeneralizedCoordinate());
  EXPECT_EQ(arm->getGeneralizedVelocity(), same->getGeneralizedVelocity());
}

TEST(SimulationTimeline, AnySequenceOfTimesWillDo) {
  const auto run = [](const auto& times) {
    World world;
    world.addArticulatedSystem(hangingArm(2))->setGeneralizedCoordinate({0.3, 0.1});
    simulate(world, times);
    EXPECT_EQ(world.getWorldTime(), 0.75);
    return Eigen::VectorXd(world.system(0)->getGeneralizedCoordinate());
  };
  const Eigen::VectorXd end = run(std::vector<double>{0, 0.25, 0.5, 0.75});
  EXPECT_EQ(run(std::array{0.0, 0.25, 0.5, 0.75}), end);
  EXPECT_EQ(run(Eigen::VectorXd(Eigen::VectorXd::LinSpaced(4, 0, 0.75))), end);
  EXPECT_EQ(run(std::views::iota(0, 4) | std::views::transform([](int k) { return 0.25 * k; })),
            end);
  World world;
  world.addArticulatedSystem(hangingArm(2));
  Simulation simulation(world);
  simulate(simulation, {0, 0.25});
  EXPECT_EQ(world.getWorldTime(), 0.25);
}

TEST(SimulationTimeline, WrongOnesAreTold) {
  World world;
  world.addArticulatedSystem(hangingArm(2));
  const auto said = [&](const std::vector<double>& times) {
    return told([&] { simulate(world, times); });
  };
  EXPECT_TRUE(has(said({}), "at least one time"));
  EXPECT_TRUE(has(said({0, 0.2, 0.1}), "time 2 is 0.1"));
  EXPECT_TRUE(has(said({0, 0.2, 0.2}), "must ascend"));
  EXPECT_TRUE(has(said({0, std::numeric_limits<double>::quiet_NaN()}), "time 1"));
  EXPECT_TRUE(has(said({0, std::numeric_limits<double>::infinity()}), "time 1"));
  EXPECT_EQ(world.getWorldTime(), 0);
}

}  // namespace
}  // namespace espalier::testing

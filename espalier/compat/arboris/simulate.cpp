#include "espalier/compat/arboris/simulate.h"

#include <cmath>

#include "espalier/core/check.h"

namespace espalier::sim {

void simulate(Simulation& simulation, const std::vector<double>& timeline,
              const std::vector<Observer*>& observers) {
  ESPALIER_REQUIRE(!timeline.empty(), "a timeline has at least one time");
  for (std::size_t k = 0; k < timeline.size(); ++k) {
    ESPALIER_REQUIRE(std::isfinite(timeline[k]),
                     "time " + std::to_string(k) + " of the timeline is not finite");
    ESPALIER_REQUIRE(k == 0 || timeline[k] > timeline[k - 1],
                     "the timeline must ascend: time " + std::to_string(k) + " is " +
                         std::to_string(timeline[k]) + " s, after " +
                         std::to_string(k == 0 ? 0 : timeline[k - 1]) + " s");
  }
  simulation.world().setWorldTime(timeline[0]);
  simulation.init();
  for (Observer* o : observers) o->init(simulation, timeline);
  for (std::size_t k = 1; k < timeline.size(); ++k) {
    const double dt = timeline[k] - timeline[k - 1];
    simulation.world().setTimeStep(dt);
    try {
      simulation.updateDynamic();
      simulation.updateControllers(dt, timeline[k]);
      simulation.updateConstraints(dt);
      for (Observer* o : observers) o->update(dt);
    } catch (...) {
      simulation.abandonStep();
      throw;
    }
    simulation.integrate(dt);
    simulation.world().setWorldTime(timeline[k]);  // not a sum of rounded steps
  }
  for (Observer* o : observers) o->finish();
}

void simulate(World& world, const std::vector<double>& timeline,
              const std::vector<Observer*>& observers) {
  Simulation simulation(world, Stepping::WORLD);
  simulate(simulation, timeline, observers);
}

}  // namespace espalier::sim

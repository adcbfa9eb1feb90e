// Piles of free bodies. Settling is not timed. Counters of the timed steps:
//   depth        m     the deepest overlap of two solids or of one and the ground, found from their
//                      poses alone at ten moments, the same for every engine
//   mean_height  m     of all bodies, at the end: nothing sinks, nothing climbs out
//   speed        m/s   the fastest body at the end: how far the pile has come to rest
//   contacts, residual, sweeps, unconverged: as for robots
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>

#include "bench/contact/case.h"
#include "bench/engine/scenes.h"

namespace bench {
namespace {

void addEnd(benchmark::State& state, const Engine& engine, const Scene& scene) {
  double height = 0, speed = 0, count = 0;
  for (std::size_t i = 0; i < scene.solids.size(); ++i) {
    if (scene.solids[i].mass == 0) continue;
    const int index = static_cast<int>(i);
    const Vec3 v = engine.velocity(index);
    height += engine.position(index)[2];
    speed = std::max(speed, std::hypot(v[0], v[1], v[2]));
    ++count;
  }
  state.counters["mean_height"] = height / count;
  state.counters["speed"] = speed;
}

void measure(benchmark::State& state, const PileCase& known) {
  constexpr int moments = 10;
  const auto stepsOf = [&](double time) {
    return static_cast<int>(std::lround(time / known.scene.dt));
  };
  const int settling = stepsOf(known.settle), steps = stepsOf(known.time);
  double contacts = 0, iterations = 0, depth = 0, residual = -1, unconverged = -1;
  for (auto _ : state) {
    state.PauseTiming();
    const auto engine = makeEngine(known.scene, known.scheme);
    for (int i = 0; i < settling; ++i) engine->step();
    contacts = iterations = depth = 0;
    residual = unconverged = -1;
    state.ResumeTiming();
    for (int i = 0; i < steps; ++i) {
      engine->step();
      state.PauseTiming();
      const StepFacts facts = engine->facts();
      contacts += facts.contacts;
      iterations += facts.iterations;
      residual = std::max(residual, facts.residual);
      if (facts.unconverged >= 0) unconverged = std::max(unconverged, 0.0) + facts.unconverged;
      if ((i + 1) % std::max(steps / moments, 1) == 0)
        depth = std::max(depth, deepestPenetration(*engine, known.scene));
      state.ResumeTiming();
    }
    state.PauseTiming();
    addEnd(state, *engine, known.scene);
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * steps);
  state.counters["depth"] = depth;
  state.counters["contacts"] = contacts / steps;
  if (iterations >= 0) state.counters["sweeps"] = iterations / steps;
  if (residual >= 0) state.counters["residual"] = residual;
  if (unconverged >= 0) state.counters["unconverged"] = unconverged;
}

}  // namespace

void registerCase(const PileCase& known) {
  benchmark::RegisterBenchmark((known.name + "/double").c_str(), [&known](benchmark::State& state) {
    measure(state, known);
  })->Iterations(1);
}

}  // namespace bench

// Robots on the ground. An iteration is a whole run, its control included. The counters say what
// the steps were worth; `residual` and `unconverged` speak of every step, the others of the second
// half of the run:
//   base_height  m     mean
//   foot_creep   m/s   farthest way of a ball foot over the ground plane, by its time
//   depth        m     of the deepest contact
//   contacts           mean number of points with an impulse
//   residual     m/s   largest violation of the contact law
//   sweeps             mean, of the contact solver
//   unconverged        steps whose solve stopped early
//   closure      m     largest gap of a closed loop, where there are any
//   travelled    m     way of the base over the ground plane
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>

#include "bench/contact/case.h"

namespace bench {
namespace {

/// The case, ready to run from its beginning.
class Run {
 public:
  /// in  lift  m, so much higher it starts
  explicit Run(const RobotCase& known, double lift = 0)
      : case_(known), engine_(makeEngine(lifted(known.scene, lift), known.scheme)) {
    for (const Servo& servo : known.servos) places_.push_back(engine_->joint(0, servo.joint));
  }

  void step() {
    control();
    engine_->step();
  }

  /// What comes before the step.
  void control() {
    const RobotState robot = engine_->state(0);
    for (std::size_t i = 0; i < 3; ++i) base_[i] = robot.q[i];
    const double turn = 2 * M_PI * case_.frequency * time_;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const Servo& s = case_.servos[i];
      const auto [q, u] = places_[i];
      const double lift =
          case_.isSwinging ? s.swing * std::max(0.0, std::sin(turn + s.phase)) : 0.0;
      robot.torque[u] = s.kp * (s.rest + lift - robot.q[q]) + s.kd * (s.speed - robot.u[u]);
    }
    if (!places_.empty()) engine_->applyTorque(0);
    time_ += case_.scene.dt;
  }

  const Vec3& base() const { return base_; }
  Engine& engine() { return *engine_; }

 private:
  static Scene lifted(Scene scene, double lift) {
    scene.robots[0].position[2] += lift;
    return scene;
  }

  const RobotCase& case_;
  std::unique_ptr<Engine> engine_;
  std::vector<Place> places_;
  double time_ = 0;
  Vec3 base_{};
};

double farthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double way = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    way = std::max(way, std::hypot(b[i][0] - a[i][0], b[i][1] - a[i][1]));
  return way;
}

int stepsOf(const RobotCase& known) {
  return static_cast<int>(std::lround(known.time / known.scene.dt));
}

void measure(benchmark::State& state, const RobotCase& known) {
  const int steps = stepsOf(known);
  const int half = steps / 2, counted = steps - half;
  double height = 0, contacts = 0, iterations = 0, depth = 0, residual = -1, creep = 0;
  double unconverged = -1, closure = -1, travelled = 0;
  for (auto _ : state) {
    state.PauseTiming();
    Run run(known);
    run.step();  // warm: an engine may size itself in its first step
    height = contacts = iterations = depth = 0;
    residual = unconverged = closure = -1;
    const Vec3 start = run.base();
    state.ResumeTiming();
    const auto advance = [&](int count, bool counts) {
      for (int i = 0; i < count; ++i) {
        run.step();
        const StepFacts facts = run.engine().facts();
        residual = std::max(residual, facts.residual);
        closure = std::max(closure, facts.closure);
        if (facts.unconverged >= 0) unconverged = std::max(unconverged, 0.0) + facts.unconverged;
        if (!counts) continue;
        height += run.base()[2];
        contacts += facts.contacts;
        iterations += facts.iterations;
        depth = std::max(depth, facts.depth);
      }
    };
    advance(half, false);
    const auto midway = run.engine().feet(0);
    advance(counted, true);
    creep = farthest(midway, run.engine().feet(0));
    travelled = std::hypot(run.base()[0] - start[0], run.base()[1] - start[1]);
  }
  state.SetItemsProcessed(state.iterations() * steps);
  state.counters["base_height"] = height / counted;
  if (!known.servos.empty()) state.counters["foot_creep"] = creep / (counted * known.scene.dt);
  state.counters["depth"] = depth;
  state.counters["contacts"] = contacts / counted;
  if (iterations >= 0) state.counters["sweeps"] = iterations / counted;
  if (closure >= 0) state.counters["closure"] = closure;
  state.counters["travelled"] = travelled;
  if (residual >= 0) state.counters["residual"] = residual;
  if (unconverged >= 0) state.counters["unconverged"] = unconverged;
}

/// As many worlds as there are lanes, each of which starts a little higher than the one before.
/// Items are steps of one world.
void measureInLanes(benchmark::State& state, const RobotCase& known) {
  constexpr double lift = 5e-4;
  const int steps = stepsOf(known);
  std::size_t worlds = 0;
  double residual = -1, closure = -1, unconverged = 0;
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<std::unique_ptr<Run>> runs;
    runs.push_back(std::make_unique<Run>(known));
    worlds = static_cast<std::size_t>(runs[0]->engine().lanes());
    while (runs.size() < worlds)
      runs.push_back(std::make_unique<Run>(known, lift * static_cast<double>(runs.size())));
    std::vector<Engine*> engines;
    for (const auto& run : runs) engines.push_back(&run->engine());
    const auto abreast = engines[0]->abreast(engines);
    const auto step = [&] {
      for (const auto& run : runs) run->control();
      abreast->step();
    };
    step();  // warm
    unconverged = 0;
    state.ResumeTiming();
    for (int i = 0; i < steps; ++i) {
      step();
      for (const auto& run : runs) {
        const StepFacts facts = run->engine().facts();
        residual = std::max(residual, facts.residual);
        closure = std::max(closure, facts.closure);
        unconverged += facts.unconverged;
      }
    }
  }
  state.SetItemsProcessed(state.iterations() * steps * static_cast<std::int64_t>(worlds));
  state.counters["worlds"] = static_cast<double>(worlds);
  state.counters["residual"] = residual;
  state.counters["unconverged"] = unconverged;
  if (closure >= 0) state.counters["closure"] = closure;
}

void measureForward(benchmark::State& state, const RobotCase& known) {
  Run run(known);
  for (int i = stepsOf(known) / 2; i > 0; --i) run.step();
  for (auto _ : state) run.engine().forwardDynamics(0);
}

void measureForwardInLanes(benchmark::State& state, const RobotCase& known) {
  Run run(known);
  for (int i = stepsOf(known) / 2; i > 0; --i) run.step();
  run.engine().forwardDynamicsInLanes(0);
  for (auto _ : state) run.engine().forwardDynamicsInLanes(0);
  state.counters["worlds"] = run.engine().lanes();
}

}  // namespace

void registerCase(const RobotCase& known) {
  benchmark::RegisterBenchmark((known.name + "/double").c_str(),
                               [&known](benchmark::State& state) { measure(state, known); });
  if (known.asksLanes)
    benchmark::RegisterBenchmark(
        (known.name + "/lanes_double").c_str(),
        [&known](benchmark::State& state) { measureInLanes(state, known); });
  if (known.asksForward)
    benchmark::RegisterBenchmark(
        (known.name + "/forward/double").c_str(),
        [&known](benchmark::State& state) { measureForward(state, known); });
  if (known.asksForward && known.asksLanes)
    benchmark::RegisterBenchmark(
        (known.name + "/forward/lanes_double").c_str(),
        [&known](benchmark::State& state) { measureForwardInLanes(state, known); });
}

}  // namespace bench

#include <ctime>

#include <algorithm>
#include <cmath>

#include "bench/simbenchmark/task.h"

namespace bench {

double threadTime() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

long stepsOf(double time, double dt) { return std::lround(time / dt); }

void Worth::add(const StepFacts& facts) {
  residual_ = std::max(residual_, facts.residual);
  depth_ = std::max(depth_, facts.depth);
  if (facts.unconverged >= 0) unconverged_ = std::max(unconverged_, 0L) + facts.unconverged;
  contacts_ += facts.contacts;
  ++steps_;
}

void Worth::tell(Figures& figures) const {
  figures.more.emplace_back(
      "contacts", static_cast<double>(contacts_) / static_cast<double>(std::max(steps_, 1L)));
  figures.more.emplace_back("depth", depth_);
  if (residual_ >= 0) figures.more.emplace_back("residual", residual_);
  if (unconverged_ >= 0) figures.more.emplace_back("unconverged", unconverged_);
}

Figures run(const Scene& scene, const Setup& setup, const Script& script, long steps,
            bool isTimed) {
  Figures figures;
  figures.steps = steps;
  {
    const auto engine = makeEngine(scene, setup.scheme);
    Worth worth;
    for (long i = 0; i < steps; ++i) {
      const double t = static_cast<double>(i) * setup.dt;
      if (script.sample) script.sample(*engine, t);
      if (script.drive) script.drive(*engine, t);
      engine->beginStep();
      if (script.sampleWithin) script.sampleWithin(*engine);
      engine->endStep();
      worth.add(engine->facts());
    }
    worth.tell(figures);
  }
  if (!isTimed) return figures;
  const auto engine = makeEngine(scene, setup.scheme);
  const double start = threadTime();
  for (long i = 0; i < steps; ++i) {
    if (script.drive) script.drive(*engine, static_cast<double>(i) * setup.dt);
    engine->step();
  }
  figures.seconds = threadTime() - start;
  return figures;
}

}  // namespace bench

#pragma once

// SimBenchmark's tasks, rebuilt from their description: each sets a scene, drives an engine
// through it and says how wrong the motion was. Every task runs twice, once for its error and once
// for the time alone.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/engine/engine.h"
#include "bench/engine/scenes.h"

namespace bench {

/// How a task is run.
struct Setup {
  std::string scheme;  ///< one of the engine's
  double dt;           ///< s
  std::string robot;   ///< the engine's file, for the tasks that have one
  bool isQuick = false;
  int seeds = 1;                  ///< how many jitters, of tasks that have one
  std::optional<int> iterations;  ///< as in Scene
};

struct Figures {
  double error = 0;    ///< the task's own measure
  double seconds = 0;  ///< of thread CPU time, over `steps`
  long steps = 0;
  std::vector<std::pair<std::string, double>> more;
};

using Task = Figures (*)(const Setup&);

/// By name; null where there is none.
Task findTask(const std::string& name);

Figures rollingXy(const Setup&);
Figures rollingY(const Setup&);
Figures bouncing(const Setup&);
Figures fallingBalls(const Setup&);
Figures elasticBalls(const Setup&);
Figures momentum(const Setup&);
Figures energyOfFlight(const Setup&);
Figures standing(const Setup&);
Figures standingFour(const Setup&);
Figures kapla(const Setup&);

// ---- the runner

/// s of CPU time of this thread.
double threadTime();

/// What happens in a task, step by step; any of it may be empty.
struct Script {
  std::function<void(Engine&, double)> drive;   ///< before each step, also when timed
  std::function<void(Engine&, double)> sample;  ///< before each step; never timed
  std::function<void(Engine&)> sampleWithin;    ///< between the halves of each step; never timed
};

/// Runs the scene twice, sampled and (if wanted) timed. Returns all figures but the error, which is
/// what the script's samples add up.
Figures run(const Scene& scene, const Setup& setup, const Script& script, long steps,
            bool isTimed = true);

/// Gathers what the steps were worth: "residual" (the largest), "unconverged" (steps) and
/// "contacts" (mean), where the engine says them.
class Worth {
 public:
  void add(const StepFacts& facts);
  void tell(Figures& figures) const;

 private:
  double residual_ = -1, depth_ = 0;
  long unconverged_ = -1, contacts_ = 0, steps_ = 0;
};

long stepsOf(double time, double dt);

}  // namespace bench

// Espalier's side of the dynamics suite.
//
//   bench_dynamics ROBOT.urdf [--benchmark_...]
//
// Benchmarks are named METRIC/SCALAR; an iteration is one call at the next of 128 states, or at
// the next `worlds` of them with lanes.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <string>

#include "bench/kernels/kernels.h"
#include "espalier/io/urdf/urdf.h"

namespace {

using namespace espalier;

constexpr int batch = 16;  // calls between two looks at the clock's counter

void add(bench::Kernels& kernels, bench::Metric metric) {
  const std::string title = std::string(name(metric)) + "/" + kernels.scalar;
  benchmark::RegisterBenchmark(title.c_str(), [&kernels, metric](benchmark::State& state) {
    while (state.KeepRunningBatch(batch)) kernels.run(metric, batch);
    state.counters["worlds"] = kernels.worlds;
  });
}

int fail(const Diagnostics& diagnostics) {
  std::fprintf(stderr, "%s\n", diagnostics.toString().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: bench_dynamics ROBOT.urdf [--benchmark_...]\n");
    return 2;
  }
  io::UrdfOptions options;
  options.loadMeshes = false;
  const auto spec = io::loadRobot(argv[1], options);
  if (!spec) return fail(spec.diagnostics());
  const auto model = compile(*spec);
  if (!model) return fail(model.diagnostics());

  const bench::Robot robot(*model);
  const auto all = bench::allKernels(robot);
  for (const auto& kernels : all)
    for (const bench::Metric metric : bench::metrics) add(*kernels, metric);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

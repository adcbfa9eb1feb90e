// Pinocchio's side of the dynamics suite, compiled from the headers of its PyPI wheel.
//
//   pinocchio_bench MODEL.txt [--benchmark_...]
//
// MODEL.txt is a Pinocchio model as its own text archive (bench/peers/export.py writes it), so that
// nothing here depends on how the wheel's libraries were aligned. Every metric cycles through
// kStates random states with a fixed seed, as a simulation or an optimiser would; where Pinocchio
// offers two conventions for one result, both are measured and the driver reports the faster.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "pinocchio/algorithm/aba.hpp"
#include "pinocchio/algorithm/cholesky.hpp"
#include "pinocchio/algorithm/crba.hpp"
#include "pinocchio/algorithm/joint-configuration.hpp"
#include "pinocchio/algorithm/kinematics.hpp"
#include "pinocchio/algorithm/rnea.hpp"
#include "pinocchio/multibody.hpp"
#include "pinocchio/serialization.hpp"

namespace {

using pinocchio::Convention;
using Vector = Eigen::VectorXd;

constexpr int kStates = 128;

struct Sample {
  Vector q, v, a, tau;
};

struct Bench {
  pinocchio::Model model;
  pinocchio::Data data;
  std::vector<Sample> samples;
};

std::vector<Sample> randomSamples(const pinocchio::Model& model) {
  std::mt19937_64 rng(20261121);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto noise = [&](int n) {
    return Vector(Vector::NullaryExpr(n, [&] { return uniform(rng); }));
  };
  std::vector<Sample> samples(kStates);
  for (Sample& s : samples) {
    s.q = pinocchio::integrate(model, pinocchio::neutral(model), noise(model.nv));
    s.v = noise(model.nv);
    s.a = noise(model.nv);
    s.tau = 10.0 * noise(model.nv);
  }
  return samples;
}

/// Registers `metric`: `call(model, data, sample)` once per iteration, the next state each time.
template <class Call>
void add(const char* metric, Bench& bench, Call call) {
  benchmark::RegisterBenchmark(metric, [&bench, call](benchmark::State& state) {
    std::size_t i = 0;
    for (auto _ : state) {
      call(bench.model, bench.data, bench.samples[i]);
      benchmark::ClobberMemory();
      i = (i + 1) % kStates;
    }
  });
}

void addAll(Bench& bench) {
  using M = pinocchio::Model;
  using D = pinocchio::Data;
  add("kinematics/positions", bench,
      [](const M& m, D& d, const Sample& s) { pinocchio::forwardKinematics(m, d, s.q); });
  add("kinematics/velocities", bench,
      [](const M& m, D& d, const Sample& s) { pinocchio::forwardKinematics(m, d, s.q, s.v); });
  add("rnea", bench,
      [](const M& m, D& d, const Sample& s) { pinocchio::rnea(m, d, s.q, s.v, s.a); });
  add("bias", bench,
      [](const M& m, D& d, const Sample& s) { pinocchio::nonLinearEffects(m, d, s.q, s.v); });
  for (const auto& [name, convention] :
       {std::pair{"local", Convention::LOCAL}, std::pair{"world", Convention::WORLD}}) {
    const Convention c = convention;
    const std::string suffix = std::string("/") + name;
    add(("crba" + suffix).c_str(), bench,
        [c](const M& m, D& d, const Sample& s) { pinocchio::crba(m, d, s.q, c); });
    add(("aba" + suffix).c_str(), bench,
        [c](const M& m, D& d, const Sample& s) { pinocchio::aba(m, d, s.q, s.v, s.tau, c); });
    add(("crba_factor" + suffix).c_str(), bench, [c](const M& m, D& d, const Sample& s) {
      pinocchio::crba(m, d, s.q, c);
      pinocchio::cholesky::decompose(m, d);
    });
    add(("dynamics" + suffix).c_str(), bench, [c](const M& m, D& d, const Sample& s) {
      pinocchio::rnea(m, d, s.q, s.v, s.a);
      pinocchio::crba(m, d, s.q, c);
      pinocchio::cholesky::decompose(m, d);
    });
  }
  // decompose reads data.M and writes data.U and data.D, so it may run again on the same M.
  add("factor", bench,
      [](const M& m, D& d, const Sample&) { pinocchio::cholesky::decompose(m, d); });
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: pinocchio_bench MODEL.txt [--benchmark_...]\n");
    return 2;
  }
  static Bench bench;
  pinocchio::serialization::loadFromText(bench.model, argv[1]);
  bench.data = pinocchio::Data(bench.model);
  bench.samples = randomSamples(bench.model);
  pinocchio::crba(bench.model, bench.data, bench.samples[0].q);
  addAll(bench);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

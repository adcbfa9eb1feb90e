// MuJoCo's side of the dynamics suite, linked with the library of its PyPI wheel: smooth dynamics
// at kStates random states with a fixed seed.
//
//   mujoco_bench MODEL.mjb [--benchmark_...]
#include <benchmark/benchmark.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

namespace {

constexpr int kStates = 128;

struct Sample {
  std::vector<mjtNum> q, v, tau;
};

std::vector<Sample> randomSamples(const mjModel* m) {
  std::mt19937_64 rng(20261121);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto noise = [&](double size) {
    std::vector<mjtNum> x(m->nv);
    for (mjtNum& xi : x) xi = size * uniform(rng);
    return x;
  };
  std::vector<Sample> samples(kStates);
  for (Sample& s : samples) {
    s.q.assign(m->qpos0, m->qpos0 + m->nq);
    mj_integratePos(m, s.q.data(), noise(1.0).data(), 1.0);
    s.v = noise(1.0);
    s.tau = noise(10.0);
  }
  return samples;
}

void set(const mjModel* m, mjData* d, const Sample& s) {
  std::copy_n(s.q.data(), m->nq, d->qpos);
  std::copy_n(s.v.data(), m->nv, d->qvel);
  std::copy_n(s.tau.data(), m->nv, d->qfrc_applied);
}

void position(const mjModel* m, mjData* d) {
  mj_kinematics(m, d);
  mj_comPos(m, d);
}

template <class Call>
void addSmooth(const char* metric, const mjModel* m, mjData* d, const std::vector<Sample>& samples,
               Call call) {
  benchmark::RegisterBenchmark(metric, [m, d, &samples, call](benchmark::State& state) {
    std::size_t i = 0;
    for (auto _ : state) {
      set(m, d, samples[i]);
      call(m, d);
      benchmark::ClobberMemory();
      i = (i + 1) % kStates;
    }
  });
}

void addDynamics(mjModel* m, mjData* d, const std::vector<Sample>& samples) {
  m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT;
  using M = const mjModel*;
  addSmooth("kinematics/velocities", m, d, samples, [](M m, mjData* d) {
    position(m, d);
    mj_comVel(m, d);
  });
  addSmooth("rnea", m, d, samples, [](M m, mjData* d) {
    position(m, d);
    mj_comVel(m, d);
    mj_rne(m, d, 1, d->qfrc_inverse);
  });
  addSmooth("crba", m, d, samples, [](M m, mjData* d) {
    position(m, d);
    mj_crb(m, d);
  });
  addSmooth("crba_factor", m, d, samples, [](M m, mjData* d) {
    position(m, d);
    mj_crb(m, d);
    mj_factorM(m, d);
  });
  addSmooth("dynamics", m, d, samples, [](M m, mjData* d) {
    position(m, d);
    mj_comVel(m, d);
    mj_rne(m, d, 0, d->qfrc_bias);
    mj_crb(m, d);
    mj_factorM(m, d);
  });
  addSmooth("aba", m, d, samples, [](M m, mjData* d) { mj_forward(m, d); });
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: mujoco_bench MODEL.mjb [--benchmark_...]\n");
    return 2;
  }
  mjModel* m = mj_loadModel(argv[1], nullptr);
  if (!m) return 1;
  mjData* d = mj_makeData(m);
  const std::vector<Sample> samples = randomSamples(m);
  addDynamics(m, d, samples);
  benchmark::RunSpecifiedBenchmarks();
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}

// MuJoCo's side of the dynamics and step suites, linked with the library of its PyPI wheel.
//
//   mujoco_bench MODEL.mjb [SCENE.json] [--benchmark_...]
//
// Without a scene: smooth dynamics at kStates random states with a fixed seed. With one: the
// robot standing and trotting on the plane under an explicit joint PD, whole runs per iteration;
// items_per_second are steps per second of CPU time, base_height [m] and foot_creep [m/s] are
// what those steps were worth.
#include <benchmark/benchmark.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
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

/// target(t) = rest + swing max(0, sin(2 pi frequency t + phase))
struct Servo {
  int q, v;
  double rest, swing, phase;
};

struct Scene {
  double height, time, kp, kd, frequency;
  std::vector<Servo> servos;
  std::vector<int> feet;  // geoms
};

Scene readScene(const mjModel* m, const char* path) {
  const nlohmann::json json = nlohmann::json::parse(std::ifstream(path));
  Scene scene{json["height"], json["time"], json["kp"], json["kd"], json["frequency"], {}, {}};
  for (const auto& servo : json["servos"]) {
    const int joint = mj_name2id(m, mjOBJ_JOINT, servo["joint"].get<std::string>().c_str());
    scene.servos.push_back({m->jnt_qposadr[joint], m->jnt_dofadr[joint], servo["rest"],
                            servo["swing"], servo["phase"]});
  }
  for (int geom = 0; geom < m->ngeom; ++geom) {
    if (m->geom_type[geom] == mjGEOM_SPHERE) scene.feet.push_back(geom);
  }
  return scene;
}

using FootPositions = std::vector<std::array<double, 2>>;

FootPositions feet(const Scene& scene, const mjData* d) {
  FootPositions positions;
  for (const int geom : scene.feet) {
    positions.push_back({d->geom_xpos[3 * geom], d->geom_xpos[3 * geom + 1]});
  }
  return positions;
}

double fastest(const FootPositions& from, const FootPositions& to, double time) {
  double farthest = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    farthest = std::max(farthest, std::hypot(to[i][0] - from[i][0], to[i][1] - from[i][1]));
  }
  return farthest / time;
}

void run(benchmark::State& state, const mjModel* m, mjData* d, const Scene& scene, bool trotting) {
  const int steps = static_cast<int>(std::lround(scene.time / m->opt.timestep));
  const int half = steps / 2;
  double height = 0, creep = 0, contacts = 0;
  for (auto _ : state) {
    mj_resetData(m, d);
    d->qpos[2] = scene.height;
    for (const Servo& s : scene.servos) d->qpos[s.q] = s.rest;
    height = contacts = 0;
    FootPositions midway;
    for (int step = 0; step < steps; ++step) {
      const double turn = 2 * M_PI * scene.frequency * d->time;
      for (const Servo& s : scene.servos) {
        const double lift = trotting ? s.swing * std::max(0.0, std::sin(turn + s.phase)) : 0.0;
        d->qfrc_applied[s.v] = scene.kp * (s.rest + lift - d->qpos[s.q]) - scene.kd * d->qvel[s.v];
      }
      mj_step(m, d);
      if (step == half) midway = feet(scene, d);
      if (step >= half) {
        height += d->qpos[2];
        contacts += d->ncon;
      }
    }
    const int counted = steps - half;
    height /= counted;
    contacts /= counted;
    creep = fastest(midway, feet(scene, d), (counted - 1) * m->opt.timestep);
  }
  state.SetItemsProcessed(state.iterations() * steps);
  state.counters["base_height"] = height;
  state.counters["foot_creep"] = creep;
  state.counters["contacts"] = contacts;
}

void addStep(const mjModel* m, mjData* d, const Scene& scene) {
  for (const bool trotting : {false, true}) {
    benchmark::RegisterBenchmark(trotting ? "trot" : "stand", [=, &scene](benchmark::State& s) {
      run(s, m, d, scene, trotting);
    });
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2 && argc != 3) {
    std::fprintf(stderr, "usage: mujoco_bench MODEL.mjb [SCENE.json] [--benchmark_...]\n");
    return 2;
  }
  mjModel* m = mj_loadModel(argv[1], nullptr);
  if (!m) return 1;
  mjData* d = mj_makeData(m);
  std::vector<Sample> samples;
  Scene scene;
  if (argc == 3) {
    scene = readScene(m, argv[2]);
    addStep(m, d, scene);
  } else {
    samples = randomSamples(m);
    addDynamics(m, d, samples);
  }
  benchmark::RunSpecifiedBenchmarks();
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}

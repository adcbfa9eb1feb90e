// Espalier's side of the contact suite: a quadruped stands and trots under an explicit joint PD.
//
//   bench_contact SCENE.json [--benchmark_...]        (bench/scenes.py writes the scene)
//
// An iteration is a whole run; items_per_second are steps per second of thread CPU time, PD
// included. The other counters say what the steps were worth; all but `residual` and
// `unconverged`, which speak of every step, are taken over the second half of the run:
//   base_height  m     mean
//   foot_creep   m/s   farthest way of a foot on the ground plane, over its time
//   contacts           mean number of points with an impulse
//   residual     m/s   largest violation of the contact law
//   iterations         mean, of the contact solver
//   unconverged        steps whose solve stopped early
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "espalier/world/world.h"

namespace {

using namespace espalier;

/// target(t) = rest + swing max(0, sin(2 pi frequency t + phase))
struct Servo {
  std::string joint;
  double rest, swing, phase;
};

struct Scene {
  std::string urdf;
  double height, time, dt, kp, kd, friction, frequency;
  std::vector<Servo> servos;
};

Scene readScene(const char* path) {
  const nlohmann::json json = nlohmann::json::parse(std::ifstream(path));
  Scene scene{json["urdf"], json["height"],   json["time"],      json["dt"], json["kp"],
              json["kd"],   json["friction"], json["frequency"], {}};
  for (const auto& s : json["servos"])
    scene.servos.push_back({s["joint"], s["rest"], s["swing"], s["phase"]});
  return scene;
}

/// The scene, ready to run from its beginning.
class Run {
 public:
  Run(const Scene& scene, bool isTrotting) : scene_(scene), isTrotting_(isTrotting) {
    world_.setTimeStep(scene.dt);
    world_.setIntegrationScheme(Scheme::MIDPOINT);
    world_.setDefaultMaterial(scene.friction, 0, 0.01);
    world_.addGround();
    robot_ = world_.addArticulatedSystem(scene.urdf);
    const Model& model = robot_->model();
    q_ = robot_->getGeneralizedCoordinate();
    u_ = tau_ = Eigen::VectorXd::Zero(robot_->getDOF());
    q_[2] = scene.height;
    for (const Servo& servo : scene.servos) {
      const auto& body = model.topology.bodies[static_cast<std::size_t>(model.joint(servo.joint))];
      const Place place{model.publicCoordinate[static_cast<std::size_t>(body.q)],
                        model.publicDof[static_cast<std::size_t>(body.u)]};
      places_.push_back(place);
      q_[place.q] = servo.rest;
    }
    robot_->setState(q_, u_);
    robot_->setControlMode(ControlMode::FORCE_AND_TORQUE);
  }

  const StepReport& step() {
    robot_->getState(q_, u_);
    const double turn = 2 * M_PI * scene_.frequency * world_.getWorldTime();
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const Servo& s = scene_.servos[i];
      const double lift = isTrotting_ ? s.swing * std::max(0.0, std::sin(turn + s.phase)) : 0.0;
      tau_[places_[i].u] =
          scene_.kp * (s.rest + lift - q_[places_[i].q]) - scene_.kd * u_[places_[i].u];
    }
    robot_->setGeneralizedForce(tau_);
    return world_.integrate();
  }

  double baseHeight() const { return q_[2]; }

  /// Centres of the sphere feet, on the ground plane.
  std::vector<std::array<double, 2>> feet() const {
    std::vector<std::array<double, 2>> positions;
    const Model& model = robot_->model();
    for (const CollisionInfo& c : model.collisions) {
      if (!std::holds_alternative<Sphere>(c.shape)) continue;
      const Vec3d inLink = mul(model.bodies[static_cast<std::size_t>(c.body)].R_LC, c.X_CG.p);
      const Vec3d p = robot_->getBodyPose(c.body) * inLink;
      positions.push_back({p.x, p.y});
    }
    return positions;
  }

 private:
  struct Place {
    int q, u;
  };
  const Scene& scene_;
  const bool isTrotting_;
  World world_;
  ArticulatedSystem* robot_ = nullptr;
  std::vector<Place> places_;
  Eigen::VectorXd q_, u_, tau_;
};

double farthest(const std::vector<std::array<double, 2>>& a,
                const std::vector<std::array<double, 2>>& b) {
  double way = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    way = std::max(way, std::hypot(b[i][0] - a[i][0], b[i][1] - a[i][1]));
  return way;
}

void measure(benchmark::State& state, const Scene& scene, bool isTrotting) {
  const int steps = static_cast<int>(std::lround(scene.time / scene.dt));
  const int half = steps / 2;
  double height = 0, contacts = 0, iterations = 0, residual = 0, creep = 0, unconverged = 0;
  for (auto _ : state) {
    state.PauseTiming();
    Run run(scene, isTrotting);
    height = contacts = iterations = residual = unconverged = 0;
    state.ResumeTiming();
    const auto advance = [&](int count, bool counts) {
      for (int i = 0; i < count; ++i) {
        const StepReport& report = run.step();
        residual = std::max(residual, report.residual);
        if (report.flags != 0) unconverged += 1;
        if (!counts) continue;
        height += run.baseHeight();
        contacts += report.activeContacts;
        iterations += report.iterations;
      }
    };
    advance(half, false);
    const auto midway = run.feet();
    advance(steps - half, true);
    creep = farthest(midway, run.feet());
  }
  const double counted = steps - half;
  state.SetItemsProcessed(state.iterations() * steps);
  state.counters["base_height"] = height / counted;
  state.counters["foot_creep"] = creep / (counted * scene.dt);
  state.counters["contacts"] = contacts / counted;
  state.counters["residual"] = residual;
  state.counters["iterations"] = iterations / counted;
  state.counters["unconverged"] = unconverged;
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: bench_contact SCENE.json [--benchmark_...]\n");
    return 2;
  }
  try {
    const Scene scene = readScene(argv[1]);
    for (const bool isTrotting : {false, true})
      benchmark::RegisterBenchmark(
          isTrotting ? "trot/double" : "stand/double",
          [&scene, isTrotting](benchmark::State& s) { measure(s, scene, isTrotting); });
    benchmark::RunSpecifiedBenchmarks();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}

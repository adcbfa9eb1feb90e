// The strider on random terrain with random pushes, for as long as one likes.
//
//   soak_strider STEPS [SEED]
//
// Every 20,000 steps the terrain is another one and the robot starts anew; a push comes about every
// 200 steps, hard enough to make it fall. Ends with 1 where a state is not finite, a step allocates
// or gives up; says how it went on the way.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "espalier/geometry/terrain.h"
#include "espalier/world/world.h"
#include "tests/support/counted_heap.h"
#include "tests/support/source_folder.h"

namespace {

using namespace espalier;

/// splitmix64
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double uniform(double low, double high) {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return low + (high - low) * static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

struct Tally {
  long steps = 0, notConverged = 0, overflows = 0;
  double residual = 0, penetration = 0;
};

std::unique_ptr<World> build(Random& random) {
  auto world = std::make_unique<World>();
  world->setTimeStep(0.0025);
  world->setMaxContacts(512);  // room for all of them before the first step
  TerrainProperties terrain;
  terrain.xSize = terrain.ySize = 30;
  terrain.xSamples = terrain.ySamples = 121;
  terrain.zScale = random.uniform(0.1, 1);
  terrain.seed = static_cast<std::uint64_t>(random.uniform(0, 1e9));
  world->addHeightMap(makeTerrain(terrain), 0, 0);
  const std::string folder = espalier::sourceFolder() + "/models/strider/";
  ArticulatedSystem* robot = world->addArticulatedSystem(folder + "strider.urdf");
  std::ifstream in(folder + "nominal.json");
  const auto q = nlohmann::json::parse(in).at("q").get<std::vector<double>>();
  Eigen::VectorXd start =
      Eigen::Map<const Eigen::VectorXd>(q.data(), robot->getGeneralizedCoordinateDim());
  robot->setPdTarget(start, Eigen::VectorXd::Zero(robot->getDOF()));
  start[2] += terrain.zScale;
  robot->setGeneralizedCoordinate(start);
  Eigen::VectorXd kp = Eigen::VectorXd::Constant(robot->getDOF(), 100), kd = 0.02 * kp;
  kp.head<6>().setZero();
  kd.head<6>().setZero();
  robot->setControlMode(ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
  robot->setPdGains(kp, kd);
  world->integrate();
  return world;
}

bool run(World& world, Random& random, long steps, Tally& tally) {
  ArticulatedSystem* robot = world.system(0);
  for (long i = 0; i < steps; ++i, ++tally.steps) {
    if (random.uniform(0, 200) < 1)
      robot->setExternalForce(0, Vec3d{random.uniform(-3000, 3000), random.uniform(-3000, 3000),
                                       random.uniform(-1000, 3000)});
    const long before = allocations;
    const StepReport& report = world.integrate();
    if (allocations != before) {
      std::fprintf(stderr, "step %ld allocates\n", tally.steps);
      return false;
    }
    tally.notConverged += report.has(StepFlag::SolverNotConverged);
    tally.overflows += report.has(StepFlag::ContactsOverflow);
    tally.residual = std::max(tally.residual, report.residual);
    tally.penetration = std::max(tally.penetration, report.penetration);
    if (report.has(StepFlag::NotFinite) || report.has(StepFlag::SingularMassMatrix)) {
      std::fprintf(stderr, "step %ld was given up, flags %u\n", tally.steps, report.flags);
      return false;
    }
    for (double x : world.coordinates())
      if (!std::isfinite(x)) return false;
    if (world.coordinates()[2] < -20) return true;  // it has walked off the terrain
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const long steps = argc > 1 ? std::atol(argv[1]) : 1000000;
  Random random(argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
  Tally tally;
  while (tally.steps < steps) {
    const auto world = build(random);
    if (!run(*world, random, std::min(20000L, steps - tally.steps), tally)) return 1;
    std::printf(
        "%ld steps: %ld not converged, %ld overflows, residual %.1e m/s, penetration %.1e m\n",
        tally.steps, tally.notConverged, tally.overflows, tally.residual, tally.penetration);
    std::fflush(stdout);
  }
  return 0;
}

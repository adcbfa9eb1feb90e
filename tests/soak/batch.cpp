// Thousands of striders in one batch of single precision that are pushed and put back, for as long as one
// likes.
//
//   soak_batch STEPS [SEED] [WORLDS]
//
// STEPS counts steps of worlds. Between two calls of step() one world of 200 is pushed, by up to 10 N s along
// each axis, and one of 2,000 is reset; worlds that lie on the ground are put back after a while. Ends with 1
// where a number of a state is not finite, a world that did not advance or whose contacts miss their law
// has no flag, or the process has grown.

#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "espalier/batch/batch.h"
#include "tests/support/source_folder.h"

namespace {

using namespace espalier;

constexpr double time_step = 0.0025;  // s
constexpr int steps_a_call = 4, calls_of_warming = 50;
constexpr float worst_unflagged = 1e-3F;  // m/s, docs/batch.md
constexpr float lying = 0.15F;            // m, of the base
constexpr double growth_allowed = 8e6;    // bytes

std::shared_ptr<World> makeWorld() {
  auto world = std::make_shared<World>();
  world->setTimeStep(time_step);
  world->addGround();
  const std::string folder = espalier::sourceFolder() + "/models/strider/";
  ArticulatedSystem* robot = world->addArticulatedSystem(folder + "strider.urdf");
  std::ifstream in(folder + "nominal.json");
  const auto q = nlohmann::json::parse(in).at("q").get<std::vector<double>>();
  const Eigen::VectorXd start =
      Eigen::Map<const Eigen::VectorXd>(q.data(), robot->getGeneralizedCoordinateDim());
  robot->setGeneralizedCoordinate(start);
  robot->setPdTarget(start, Eigen::VectorXd::Zero(robot->getDOF()));
  Eigen::VectorXd kp = Eigen::VectorXd::Constant(robot->getDOF(), 100), kd = 0.02 * kp;
  kp.head<6>().setZero();
  kd.head<6>().setZero();
  robot->setControlMode(ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
  robot->setPdGains(kp, kd);
  return world;
}

/// Bytes of this process that are in memory.
double residentBytes() {
  long pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

struct Tally {
  long steps = 0, resets = 0, pushes = 0, lost = 0;
  std::vector<long> flagged = std::vector<long>(std::size(step_flags));
};

class Soak {
 public:
  Soak(int worlds, std::uint64_t seed)
      : batch_(makeWorld, worlds, {.mode = BatchMode::THROUGHPUT, .threads = 0, .iterations = 32}),
        random_(seed),
        before_(static_cast<std::size_t>(worlds)) {}

  long stepsOfCall() const { return long{steps_a_call} * batch_.size(); }
  const Tally& tally() const { return tally_; }

  /// Pushes, steps, looks at every world, and puts some back; false where something is wrong.
  bool call() {
    push();
    Rows<float> time = batch_.bind("time");
    for (int i = 0; i < batch_.size(); ++i) before_[i] = time(0, i);
    batch_.step(steps_a_call);
    tally_.steps += stepsOfCall();
    chosen_.clear();
    for (int i = 0; i < batch_.size(); ++i)
      if (!look(i)) return false;
    batch_.reset(chosen_);
    tally_.resets += static_cast<long>(chosen_.size());
    return true;
  }

 private:
  void push() {
    Rows<float> wrench = batch_.bind("wrench");
    for (const int i : pushed_)
      for (int k = 0; k < 3; ++k) wrench(k, i) = 0;
    pushed_.clear();
    for (int i = 0; i < batch_.size(); ++i) {
      if (chance_(random_) * 200 >= 1) continue;
      for (int k = 0; k < 3; ++k) wrench(k, i) = force_(random_);
      pushed_.push_back(i);
    }
    tally_.pushes += static_cast<long>(pushed_.size());
  }

  bool look(int world) {
    const Rows<float> q = batch_.bind("q"), u = batch_.bind("u"), time = batch_.bind("time");
    for (const auto& numbers : {q, u})
      for (int k = 0; k < numbers.count; ++k)
        if (!std::isfinite(numbers(k, world)))
          return fail(world, "has a number that is not finite");
    const std::uint32_t flags = batch_.report().flags[world];
    const double due = steps_a_call * time_step, gone = time(0, world) - before_[world];
    if (std::abs(gone - due) > 0.1 * time_step && flags == 0) return fail(world, "did not advance");
    if (!(batch_.report().residual[world] <= worst_unflagged) && flags == 0)
      return fail(world, "misses the law of contact and has no flag");
    for (std::size_t f = 0; f < std::size(step_flags); ++f)
      tally_.flagged[f] += (flags & static_cast<std::uint32_t>(step_flags[f].flag)) != 0;
    const auto fatal = static_cast<std::uint32_t>(StepFlag::NotFinite) |
                       static_cast<std::uint32_t>(StepFlag::SingularMassMatrix);
    const bool isLost = (flags & fatal) != 0;
    tally_.lost += isLost;
    const bool isDown = q(2, world) < lying && chance_(random_) * 10 < 1;
    if (isLost || isDown || chance_(random_) * 2000 < 1) chosen_.push_back(world);
    return true;
  }

  bool fail(int world, const char* what) {
    std::fprintf(stderr, "world %d %s after %ld steps, flags %u, residual %g\n", world, what,
                 tally_.steps, batch_.report().flags[world],
                 static_cast<double>(batch_.report().residual[world]));
    return false;
  }

  Batch<float> batch_;
  std::mt19937_64 random_;
  std::uniform_real_distribution<double> chance_{0, 1};
  std::uniform_real_distribution<float> force_{-1000, 1000};  // N
  std::vector<float> before_;                                 // [worlds] s
  std::vector<int> pushed_, chosen_;
  Tally tally_;
};

void tell(const Tally& tally, double grown) {
  std::printf("%.3g steps: %ld pushes, %ld resets, %ld worlds lost, grown by %.1f MB",
              static_cast<double>(tally.steps), tally.pushes, tally.resets, tally.lost,
              grown / 1e6);
  for (std::size_t f = 0; f < std::size(step_flags); ++f)
    if (tally.flagged[f] > 0) std::printf("; %s: %ld calls", step_flags[f].name, tally.flagged[f]);
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const double steps = argc > 1 ? std::atof(argv[1]) : 1e9;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  Soak soak(argc > 3 ? std::atoi(argv[3]) : 4096, seed);
  double atFirst = 0, grown = 0;
  for (long call = 0, told = 0; static_cast<double>(soak.tally().steps) < steps; ++call) {
    if (!soak.call()) return 1;
    if (call == calls_of_warming) atFirst = residentBytes();
    if (atFirst > 0) grown = residentBytes() - atFirst;
    const long tenth = static_cast<long>(10 * static_cast<double>(soak.tally().steps) / steps);
    if (tenth > told) tell(soak.tally(), grown);
    told = tenth;
    if (grown > growth_allowed) {
      std::fprintf(stderr, "the process has grown by %.1f MB\n", grown / 1e6);
      return 1;
    }
  }
  return 0;
}

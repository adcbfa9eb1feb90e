// Robots with closed loops in motion for as long as one likes: do the loops stay closed?
//
//   soak_loops STEPS [NAME...]      cassie digit_like delta beest; all of them without names
//   soak_loops dead_points PASSAGES
//   soak_loops turns TURNS          (turning.h)
//
// Cassie and the digit-like leg stand and are rocked by slow pushes, the delta robot follows its
// two motors, the beest walks. Ends with 1 where a loop gapes by more than 1e-10 m or a step raises
// a flag; goes on after up to a hundred flagged steps, which it names. Robots that are not under
// ESPALIER_SHARED are left out, and it is said.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "espalier/io/urdf/urdf.h"
#include "tests/soak/turning.h"
#include "tests/support/shared_folder.h"
#include "tests/support/source_folder.h"
#include "tests/support/standing_robots.h"

namespace {

using namespace espalier;
using namespace espalier::testing;

constexpr double dt = 1e-3, bar = 1e-10;

/// One robot in its world, and what moves it before each step.
struct Run {
  std::unique_ptr<World> world = std::make_unique<World>();
  std::function<void(double)> drive;
};

Run rocked(const StandingRobot& robot, double push) {
  Run run;
  run.world->setTimeStep(dt);
  run.world->addGround();
  ArticulatedSystem* system = putUp(*run.world, robot);
  run.drive = [=](double t) {
    system->setExternalForce(0, Vec3d{push * std::sin(2 * t), 0.3 * push * std::sin(3.1 * t),
                                      2 * push * std::sin(1.3 * t)});
  };
  return run;
}

std::optional<Run> cassieRun() {
  const auto robot = cassie();
  return robot ? std::optional(rocked(*robot, 10)) : std::nullopt;
}

std::optional<Run> digitRun() {
  const auto robot = digitLike();
  return robot ? std::optional(rocked(*robot, 2)) : std::nullopt;
}

/// 43 g. The hulls of its meshes overlap, so nothing collides; the balls of its loops spin freely
/// about the rods: a little damping there.
std::optional<Run> deltaRun() {
  const auto file = sharedFolder() / "models/parallel_robot_delta/robot.urdf";
  if (!std::filesystem::exists(file)) return std::nullopt;
  SystemSpec spec = io::loadRobot(file.string()).value();
  spec.fixedBase = true;
  for (LinkSpec& link : spec.links) link.collisions.clear();
  for (JointSpec& joint : spec.joints) {
    joint.limits.effort = unlimited;
    joint.dynamics.damping = joint.name.rfind("closedloop", 0) == 0 ? 1e-6 : 1e-4;
  }
  Run run;
  run.world->setTimeStep(dt);
  ArticulatedSystem* system = run.world->addArticulatedSystem(spec);
  holdHere(*system, {{"mot1_rod1", 0.5, 0.005}, {"mot1_rod2", 0.5, 0.005}});
  const Eigen::VectorXd home = system->getGeneralizedCoordinate();
  const int a = system->getGeneralizedCoordinateIndex("mot1_rod1"),
            b = system->getGeneralizedCoordinateIndex("mot1_rod2");
  run.drive = [=](double t) {
    Eigen::VectorXd target = home;
    target[a] += 0.3 * std::sin(3 * t);
    target[b] += 0.2 * std::sin(4.1 * t);
    system->setPdTarget(target, Eigen::VectorXd::Zero(system->getDOF()));
  };
  return run;
}

std::optional<Run> beestRun() {
  Run run;
  run.world = std::make_unique<World>(espalier::sourceFolder() + "/models/worlds/beest.xml");
  run.world->setTimeStep(dt);
  ArticulatedSystem* system = run.world->system(0);
  Eigen::VectorXd kd = Eigen::VectorXd::Zero(system->getDOF()), speed = kd;
  const int crank = system->getDOF() - 1;  // after the base's six
  kd[crank] = 5;
  speed[crank] = 3;
  system->setPdGains(0 * kd, kd);
  system->setPdTarget(system->getGeneralizedCoordinate(), speed);
  run.drive = [](double) {};
  return run;
}

bool keepsClosed(const char* name, Run run, long steps) {
  double closure = 0, residual = 0, fastest = 0;
  long flagged = 0;
  for (long i = 0; i < steps; ++i) {
    run.drive(run.world->getWorldTime());
    const StepReport& report = run.world->integrate();
    closure = std::max(closure, report.closure);
    residual = std::max(residual, report.residual);
    // The step looks at the rows that count; these are all of the file's, redundant ones too.
    if (i % 1000 == 0) closure = std::max(closure, run.world->system(0)->getClosureResidual());
    for (const double u : run.world->velocities()) fastest = std::max(fastest, std::abs(u));
    const bool isOpen = !(report.closure <= bar) || closure > bar;
    if (report.flags != 0 || isOpen) {
      std::printf("%s: step %ld: closure %.1e, flags %u, residual %.1e m/s, %d contacts\n", name, i,
                  report.closure, report.flags, report.residual, report.contacts);
      if (isOpen || ++flagged == 100) return false;
    }
    if ((i + 1) % 100000 == 0 || i + 1 == steps) {
      std::printf("%s: %ld steps, %ld flagged, closure %.1e m, residual %.1e m/s, fastest %.2g\n",
                  name, i + 1, flagged, closure, residual, fastest);
      std::fflush(stdout);
    }
  }
  return flagged == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "dead_points") == 0)
    return passDeadPoints(std::atol(argv[2])) ? 0 : 1;
  if (argc == 3 && std::strcmp(argv[1], "turns") == 0)
    return keepTurning(std::atol(argv[2])) ? 0 : 1;
  const long steps = argc > 1 ? std::atol(argv[1]) : 1000000;
  const std::pair<const char*, std::optional<Run> (*)()> all[] = {
      {"cassie", cassieRun}, {"digit_like", digitRun}, {"delta", deltaRun}, {"beest", beestRun}};
  bool good = true;
  for (const auto& [name, make] : all) {
    const bool isWanted = argc < 3 || std::any_of(argv + 2, argv + argc, [n = name](const char* a) {
                            return std::strcmp(a, n) == 0;
                          });
    if (!isWanted) continue;
    std::optional<Run> run = make();
    if (!run)
      std::printf("%s is not under ESPALIER_SHARED\n", name);
    else
      good &= keepsClosed(name, std::move(*run), steps);
  }
  return good ? 0 : 1;
}

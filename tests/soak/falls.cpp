// Random robots that fall limp onto the ground: is a state lost, is a step flagged, does energy grow?
//
//   soak_falls FALLS [SEED] [SECONDS]
//
// A robot is a tree of 2 to 12 links, boxes, capsules and convex hulls, on hinges, slides, universal
// and spherical joints, some with dry friction, dampers, rotors and limits; links collide with one
// another and with the ground. Fall number k has the seed SEED + k, so that `soak_falls 1 S` repeats
// the one that is named S. It lasts SECONDS (1.5) of simulated time at 2 ms. Ends with 1 where a
// state is lost (not finite, or a step was not taken), where more than one step in 10,000 is flagged,
// or where energy grows: by more than 1 % of the robot's fall, above its least value so far, beyond what
// pushing penetrations out puts in. Of a contact that is lambda_N times the speed of the push, and no
// more than brings the whole robot to that speed: leverage is no excuse.

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "espalier/world/world.h"
#include "tests/support/random_tree.h"

namespace {

using namespace espalier;
using espalier::testing::Random;

constexpr double dt = 2e-3, gravity = 9.81;
constexpr double flagged_share = 1e-4, energy_share = 0.01;
constexpr double erp = 0.2, fastest_push = 3;  // m/s; the World's defaults
constexpr double start_overlap = 1e-4;         // m, that a start may have
constexpr int named_at_most = 10;

/// A few points and their opposites: its centre of mass is the origin.
MeshShape randomHull(Random& random, const Vec3d& half) {
  auto mesh = std::make_shared<TriangleMesh>();
  const int pairs = 4 + random.integer(8);
  for (int i = 0; i < pairs; ++i) {
    const Vec3d n = random.unit();
    const Vec3d p{half.x * n.x, half.y * n.y, half.z * n.z};
    mesh->vertices.push_back(p);
    mesh->vertices.push_back(p * -1.0);
  }
  for (int i = 0; i + 2 < static_cast<int>(mesh->vertices.size()); ++i)
    mesh->triangles.push_back({i, i + 1, i + 2});
  MeshShape shape;
  shape.data = mesh;
  shape.isConvex = true;
  return shape;
}

/// A link that is longest along x.
///   out  half  m, of its bounding box
LinkSpec randomLink(Random& random, int number, Vec3d& half) {
  half = {random.uniform(0.05, 0.25), random.uniform(0.02, 0.08), random.uniform(0.02, 0.08)};
  LinkSpec link;
  link.name = "link" + std::to_string(number);
  CollisionSpec collision;
  switch (random.integer(3)) {
    case 0: collision.shape = BoxShape{half * 2.0}; break;
    case 1: {  // its axis, z, along the link
      half.y = half.z = std::min(half.y, 0.9 * half.x);
      collision.shape = CapsuleShape{half.y, 2 * (half.x - half.y)};
      collision.X_LG.R = {0, 0, 1, 0, 1, 0, -1, 0, 0};
      break;
    }
    default: collision.shape = randomHull(random, half);
  }
  InertialSpec inertial;
  inertial.mass = 8 * half.x * half.y * half.z * random.uniform(300, 3000);
  inertial.I = inertia(BoxShape{half * 2.0}, inertial.mass).I;
  link.inertial = inertial;
  link.collisions.push_back(std::move(collision));
  return link;
}

JointSpec randomJoint(Random& random, double mass) {
  constexpr JointKind kinds[] = {JointKind::Revolute,  JointKind::Revolute,  JointKind::Revolute,
                                 JointKind::Prismatic, JointKind::Universal, JointKind::Spherical};
  JointSpec joint;
  joint.kind = kinds[random.integer(6)];
  joint.axes[0] = random.unit();
  joint.axes[1] = cross(joint.axes[0], random.unit());
  joint.axes[1] = joint.axes[1] * (1 / norm(joint.axes[1]));
  if (random.integer(2) == 0) joint.dynamics.friction = mass * random.uniform(0, 1);
  if (random.integer(2) == 0) joint.dynamics.damping = mass * random.uniform(0, 0.1);
  if (random.integer(2) == 0) joint.dynamics.rotorInertia = mass * random.uniform(0, 0.01);
  const double room = joint.kind == JointKind::Prismatic ? 0.1 : random.uniform(0.3, 2.5);
  const bool isSingle = joint.kind == JointKind::Revolute || joint.kind == JointKind::Prismatic;
  if (joint.kind == JointKind::Prismatic || (isSingle && random.integer(2) == 0)) {
    joint.limits.lower = -room;
    joint.limits.upper = room;
  }
  return joint;
}

SystemSpec randomRobot(Random& random) {
  SystemSpec spec;
  spec.name = "random";
  const int links = 2 + random.integer(11);
  std::vector<Vec3d> halves;
  for (int l = 0; l < links; ++l) {
    Vec3d half;
    spec.links.push_back(randomLink(random, l, half));
    halves.push_back(half);
    if (l == 0) continue;
    const int parent = std::max(0, l - 1 - random.integer(3));
    JointSpec joint = randomJoint(random, spec.links.back().inertial->mass);
    joint.name = "joint" + std::to_string(l);
    joint.parent = "link" + std::to_string(parent);
    joint.child = spec.links.back().name;
    // Outside one end of the parent; the child begins there and points away from it.
    const double end = random.integer(3) == 0 ? -1 : 1;
    joint.X_PJ.p = {end * (halves[parent].x + 0.02), 0, 0};
    joint.X_PJ.R = random.rotation();
    const double away = halves.back().x + 0.02;
    spec.links.back().inertial->X_LC.p = {away, 0, 0};
    spec.links.back().collisions[0].X_LG.p = {away, 0, 0};
    halves.back().x = 2 * away;  // its far end is where its children begin
    spec.joints.push_back(joint);
  }
  return spec;
}

struct Fall {
  std::unique_ptr<World> world;
  double mass = 0;  ///< kg
  double drop = 0;  ///< J, from where it starts to where it can lie
};

double lowest(const ArticulatedSystem& robot) {
  double z = 1e9;
  for (const CollisionInfo& c : robot.model().collisions) {
    const Vec3d half = std::visit(
        [](const auto& shape) -> Vec3d {
          using S = std::decay_t<decltype(shape)>;
          if constexpr (std::is_same_v<S, BoxShape>) return shape.size * 0.5;
          if constexpr (std::is_same_v<S, CapsuleShape>)
            return {shape.radius, shape.radius, shape.radius + shape.height / 2};
          return {0.25, 0.08, 0.08};  // the largest hull
        },
        c.shape);
    z = std::min(z, (robot.getBodyPose(c.body) * c.X_LG.p).z - norm(half));
  }
  return z;
}

/// A robot above the ground that does not overlap with itself; several are tried.
Fall startOf(std::uint64_t seed) {
  Random random(seed);
  while (true) {
    Fall fall;
    fall.world = std::make_unique<World>();
    World& world = *fall.world;
    world.setTimeStep(dt);
    world.setGravity({0, 0, -gravity});
    world.setEnergyMonitoring(true);
    world.setDefaultMaterial(random.uniform(0, 1.2), 0, 0.01);
    world.addGround();
    ArticulatedSystem* robot = world.addArticulatedSystem(randomRobot(random));
    Eigen::VectorXd q = robot->getGeneralizedCoordinate(), u(robot->getDOF());
    const Quat<double> turn = expQuat(random.vector(3));
    q.segment<4>(3) = Eigen::Vector4d(turn.w, turn.x, turn.y, turn.z);
    u.setZero();
    for (int i = 0; i < 3; ++i) u[i] = random.uniform(-1, 1);
    for (int i = 3; i < u.size(); ++i) u[i] = random.uniform(-2, 2);
    q[2] = 100;
    robot->setState(q, u);
    world.integrate();
    const bool overlaps = world.report().penetration > start_overlap;
    robot->setState(q, u);
    q[2] -= lowest(*robot) - random.uniform(0, 0.5);
    robot->setState(q, u);
    if (overlaps) continue;
    fall.mass = robot->getTotalMass();
    fall.drop = fall.mass * gravity * robot->getCOM()[2] + robot->getKineticEnergy();
    return fall;
  }
}

/// J, that pushing penetrations out may have put in in the last step.
double putIn(const World& world, double mass) {
  double put = 0;
  for (const Contact& c : world.contacts()) {
    const double push = std::min(erp * std::max(c.depth, 0.0) / dt, fastest_push);
    put += std::min(c.impulse.z * push, 0.5 * mass * push * push);
  }
  return put;
}

struct Tally {
  long falls = 0, steps = 0, flagged = 0, uncorrected = 0;
  std::map<std::string, long> flags;
  std::vector<std::uint64_t> lost, energetic, unsettled;  ///< seeds
  double rise = 0, residual = 0;
};

void tell(int step, const StepReport& report, double rise) {
  std::printf(
      "step %d: energy %+.1e of a fall, balance %+.1e J, flags %u, %d contacts, %d limits, "
      "penetration %.1e m, residual %.1e m/s\n",
      step, rise, report.energyBalance, report.flags, report.activeContacts, report.limits,
      report.penetration, report.residual);
}

void fallOnce(std::uint64_t seed, int steps, bool tells, Tally& tally) {
  const Fall fall = startOf(seed);
  World& world = *fall.world;
  double least = unlimited, rise = 0, before = unlimited, put = 0;
  bool isLost = false, isFlagged = false;
  for (int i = 0; i < steps && !isLost; ++i) {
    const StepReport& report = world.integrate();
    ++tally.steps;
    tally.residual = std::max(tally.residual, report.residual);
    tally.uncorrected += report.uncorrected > 0;
    if (report.flags != 0) {
      ++tally.flagged;
      isFlagged = true;
      for (const StepFlagInfo& info : step_flags)
        if (report.has(info.flag)) ++tally.flags[info.name];
    }
    isLost = report.refused > 0 || !std::isfinite(report.energy);
    for (const double x : world.coordinates()) isLost = isLost || !std::isfinite(x);
    put += putIn(world, fall.mass);
    const double energy = report.energy - put, risen = (energy - before) / fall.drop;
    if (tells && (report.flags != 0 || risen > 0.1 * energy_share)) tell(i, report, risen);
    before = energy;
    least = std::min(least, energy);
    rise = std::max(rise, (energy - least) / fall.drop);
  }
  ++tally.falls;
  tally.rise = std::max(tally.rise, rise);
  if (isLost) tally.lost.push_back(seed);
  if (isFlagged) tally.unsettled.push_back(seed);
  if (!(rise <= energy_share)) tally.energetic.push_back(seed);
}

void name(const char* what, const std::vector<std::uint64_t>& seeds) {
  std::printf("%s: %zu falls", what, seeds.size());
  for (std::size_t i = 0; i < seeds.size() && i < named_at_most; ++i)
    std::printf("%s%llu", i == 0 ? "; seeds " : ", ", static_cast<unsigned long long>(seeds[i]));
  std::printf("\n");
}

void show(const Tally& tally, long falls) {
  std::fprintf(stderr, "\r%ld of %ld falls: %ld of %ld steps flagged, %zu lost, %zu gained energy",
               tally.falls, falls, tally.flagged, tally.steps, tally.lost.size(),
               tally.energetic.size());
}

}  // namespace

int main(int argc, char** argv) {
  const long falls = argc > 1 ? std::atol(argv[1]) : 10000;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const double seconds = argc > 3 ? std::atof(argv[3]) : 1.5;
  const int steps = static_cast<int>(std::lround(seconds / dt));
  if (falls <= 0 || steps <= 0) {
    std::fprintf(stderr, "usage: soak_falls FALLS [SEED] [SECONDS]\n");
    return 2;
  }
  Tally tally;
  const bool isTerminal = isatty(STDERR_FILENO) != 0;
  const long between = std::max(1L, falls / (isTerminal ? 1000 : 20));
  while (tally.falls < falls) {
    fallOnce(seed + static_cast<std::uint64_t>(tally.falls), steps, falls == 1, tally);
    if (tally.falls % between == 0) show(tally, falls);
  }
  std::fprintf(stderr, "\n");
  const double share = static_cast<double>(tally.flagged) / static_cast<double>(tally.steps);
  std::printf("%ld falls, %ld steps; flagged: %.1e of them; residual at most %.1e m/s\n",
              tally.falls, tally.steps, share, tally.residual);
  for (const auto& [flag, count] : tally.flags) std::printf("  %s: %ld\n", flag.c_str(), count);
  std::printf("solved without corrections: %.1e of them\n",
              static_cast<double>(tally.uncorrected) / static_cast<double>(tally.steps));
  name("flagged", tally.unsettled);
  name("lost", tally.lost);
  name("energy grew by more than 1 %", tally.energetic);
  std::printf("largest growth: %.1e of a fall\n", tally.rise);
  return tally.lost.empty() && tally.energetic.empty() && share <= flagged_share ? 0 : 1;
}

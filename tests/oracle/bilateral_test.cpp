// Loops that rows of the contact problem keep against the dense second opinion in maximal
// coordinates, and against the same loops embedded, in the air and on the ground. Trajectories print
// their figures.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "espalier/dynamics/simd/chain_lanes.h"
#include "espalier/io/urdf/urdf.h"
#include "tests/support/bilateral.h"
#include "tests/support/body_pose.h"
#include "tests/support/compare.h"
#include "tests/support/expect_stands.h"
#include "tests/support/random_mechanism.h"
#include "tests/support/random_spec.h"
#include "tests/support/source_folder.h"

namespace espalier::testing {
namespace {

using Eigen::VectorXd;

/// What belongs to public dofs of numbers that all joints have, and the other way round: zero there.
VectorXd publicOf(const Model& model, const VectorXd& all) {
  VectorXd some(model.publicNv);
  for (int d = 0; d < model.nv(); ++d)
    if (model.publicDof[d] >= 0) some[model.publicDof[d]] = all[model.spanningDof[d]];
  return some;
}
VectorXd spread(const Model& model, const VectorXd& some) {
  VectorXd all = VectorXd::Zero(model.nv());
  for (int d = 0; d < model.nv(); ++d)
    if (model.publicDof[d] >= 0) all[model.spanningDof[d]] = some[model.publicDof[d]];
  return all;
}

std::vector<int> publicDofs(const Model& model) {
  std::vector<int> dofs;
  for (int d = 0; d < model.nv(); ++d)
    if (model.publicDof[d] >= 0) dofs.push_back(model.spanningDof[d]);
  return dofs;
}

void take(ArticulatedSystem& robot, const VectorXd& q, const VectorXd& u) {
  robot.setSpanningCoordinate(q);
  robot.setGeneralizedVelocity(publicOf(robot.model(), u));
}

// ---- accelerations at a state

class BilateralDynamics : public ::testing::TestWithParam<int> {};

/// Every kind of loop, planar ones with rows too many, beside couplings and mimics, to the ground and
/// to an ancestor; every second mechanism of two loops keeps its first one embedded.
TEST_P(BilateralDynamics, MultipliersAreTheDenseSolution) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  const RandomMechanism mechanism = randomMechanism(seed);
  const MechanismTree tree(mechanism.spec);
  SystemSpec spec = bilateral(mechanism.spec);
  if (spec.loops.size() > 1) spec.loops[0].isBilateral = seed % 2 == 0;
  SystemSpec rest = spec;
  std::erase_if(rest.loops, [](const LoopSpec& loop) { return loop.isBilateral; });
  const MechanismTree embedded(rest);
  World world;
  world.setGravity({0.3, -0.2, -9.81});
  ArticulatedSystem* robot = world.addArticulatedSystem(spec);
  const Model& model = robot->model();
  Random random(seed + 41);
  int passed = 0;
  for (const MechanismState& s : randomStates(tree, mechanism.q0, seed, 10)) {
    // Near a dead point of what is embedded its public dofs do not determine the others.
    const double choice = Maximal(embedded, s.q, s.u).reduced(publicDofs(model)).condition;
    if (choice > 1e5) continue;
    take(*robot, s.q, s.u);
    ASSERT_LT((robot->getSpanningCoordinate() - s.q).norm(), 1e-9);
    ASSERT_LT((robot->getSpanningVelocity() - s.u).norm(), 1e-9 * (1 + s.u.norm()) * choice);
    VectorXd tau(robot->getDOF());
    for (double& x : tau) x = random.uniform(-5, 5);
    Maximal maximal(tree, s.q, s.u);
    maximal.addGravity(V3(0.3, -0.2, -9.81));
    const VectorXd wanted = publicOf(model, maximal.accelerations(spread(model, tau)));
    EXPECT_LT(relativeDifference(robot->computeForwardDynamics(tau), wanted),
              1e-11 * choice / maximal.conditioning());
    ++passed;
  }
  EXPECT_GE(passed, 5);
}
INSTANTIATE_TEST_SUITE_P(Random, BilateralDynamics, ::testing::Range(0, 100));

// ---- trajectories

struct Way {
  VectorXd q, u;
  double closure = 0;
  std::uint32_t flags = 0;
};

/// From one state, under gravity, MIDPOINT.
Way way(const SystemSpec& spec, const VectorXd& q, const VectorXd& u, double dt,
        double seconds = 1) {
  World world;
  world.setTimeStep(dt);
  ArticulatedSystem* robot = world.addArticulatedSystem(spec);
  take(*robot, q, u);
  Way w;
  for (int i = 0; i < static_cast<int>(std::lround(seconds / dt)); ++i) {
    world.integrate();
    w.closure = std::max(w.closure, world.report().closure);
    w.flags |= world.report().flags;
  }
  w.q = robot->getSpanningCoordinate();
  w.u = robot->getSpanningVelocity();
  return w;
}

struct Figures {
  const char* name;
  double rate;     ///< rad/s, of the public joints at the start
  double closure;  ///< m at 1 ms
};
void PrintTo(const Figures& f, std::ostream* out) { *out << f.name; }

class BilateralWays : public ::testing::TestWithParam<Figures> {};

TEST_P(BilateralWays, AreThoseOfEmbeddedLoopsToSecondOrder) {
  const auto& [name, rate, most] = GetParam();
  SystemSpec spec = io::loadUrdf(std::filesystem::path(sourceFolder()) / "models" / name /
                                 (std::string(name) + ".urdf"))
                        .value();
  for (JointSpec& joint : spec.joints) joint.limits = {};  // stops are no smooth motion
  World world;
  ArticulatedSystem* start = world.addArticulatedSystem(spec);
  start->setGeneralizedVelocity(VectorXd::Constant(start->getDOF(), rate));
  const VectorXd q = start->getSpanningCoordinate(), u = start->getSpanningVelocity();
  const Way exact = way(spec, q, u, 1e-4);
  double before = HUGE_VAL;
  for (const double dt : {2e-3, 1e-3, 5e-4}) {
    const Way rows = way(bilateral(spec), q, u, dt);
    const double error = (rows.q - exact.q).norm() + (rows.u - exact.u).norm();
    std::printf("[ figure   ] %s, dt %.1e s: off by %.1e after 1 s, closure %.1e m\n", name, dt,
                error, rows.closure);
    EXPECT_EQ(rows.flags, 0u);
    EXPECT_LT(error, before / 2.8) << dt;
    EXPECT_LT(rows.closure, most * std::pow(dt / 1e-3, 2.5)) << dt;
    before = error;
    if (spec.loops.size() == 1) continue;
    SystemSpec mixed = bilateral(spec);
    mixed.loops[0].isBilateral = false;
    for (JointSpec& joint : mixed.joints) joint.independent.reset();  // they speak of all loops
    const Way both = way(mixed, q, u, dt);
    EXPECT_EQ(both.flags, 0u);
    EXPECT_LT((both.q - exact.q).norm() + (both.u - exact.u).norm(), 2 * error) << dt;
    EXPECT_LT(both.closure, most * std::pow(dt / 1e-3, 2.5)) << dt;
  }
}
INSTANTIATE_TEST_SUITE_P(Own, BilateralWays,
                         ::testing::Values(Figures{"four_bar", 0.5, 1e-6},
                                           Figures{"slider_crank", 0.5, 1e-6},
                                           Figures{"six_bar", 0.5, 1.5e-6},
                                           Figures{"delta", 0.5, 1e-6},
                                           Figures{"differential_leg", 0.5, 1e-6}),
                         [](const auto& p) { return std::string(p.param.name); });

/// Two feet of the strider on one pin, in the air; its legs go side by side in lanes.
TEST(Bilateral, LegsInLanesKeepALoopToo) {
  SystemSpec spec = io::loadUrdf(sourceFolder() + "/models/strider/strider.urdf").value();
  {
    const Model model = compile(spec).value();
    ASSERT_TRUE(ChainLanes(model.topology, model.lowered).isProfitable());
  }
  World drawn;
  ArticulatedSystem* tree = drawn.addArticulatedSystem(spec);
  VectorXd bent = tree->getGeneralizedCoordinate();
  for (int i = 7; i < bent.size(); ++i) bent[i] = 0.3 + 0.1 * (i % 3);
  tree->setGeneralizedCoordinate(bent);
  const int a = tree->getBodyIdx("LF_foot"), b = tree->getBodyIdx("RF_foot");
  LoopSpec loop;
  loop.name = "rod";
  loop.predecessor = "LF_foot";
  loop.successor = "RF_foot";
  Vec<3> at;
  tree->getPosition(a, at);
  loop.X_SB.p = inverse(poseOf(*tree, b)) * static_cast<Vec3d>(at);
  spec.loops = {loop};
  for (JointSpec& joint : spec.joints) joint.limits = {};
  const VectorXd q = tree->getSpanningCoordinate();
  World start;
  ArticulatedSystem* lead = start.addArticulatedSystem(spec);
  lead->setSpanningCoordinate(q);
  lead->setGeneralizedVelocity(VectorXd::Constant(lead->getDOF(), 0.5));
  const VectorXd closed = lead->getSpanningCoordinate(), u = lead->getSpanningVelocity();
  const Way exact = way(spec, closed, u, 2e-4, 0.3);
  double before = HUGE_VAL;
  for (const double dt : {2e-3, 1e-3}) {
    const Way rows = way(bilateral(spec), closed, u, dt, 0.3);
    const double error = (rows.q - exact.q).norm() + (rows.u - exact.u).norm();
    std::printf("[ figure   ] strider in lanes, dt %.1e s: off by %.1e, closure %.1e m\n", dt,
                error, rows.closure);
    EXPECT_EQ(rows.flags, 0u);
    EXPECT_LT(error, before / 3);
    EXPECT_LT(rows.closure, 1e-6);
    before = error;
  }
}

// ---- on the ground

struct Squat {
  std::vector<double> height;
  double closure = 0, residual = 0;
  int unsolved = 0;
  std::uint32_t flags = 0;
};

/// Bends its knees by 0.1 rad and back within a second.
///   in  embedded  how many of the loops
Squat squat(const StandingRobot& robot, std::size_t embedded, double dt) {
  World drawn, world;
  const VectorXd stood = putUp(drawn, robot)->getSpanningCoordinate();
  world.setTimeStep(dt);
  world.addGround();
  SystemSpec spec = bilateral(robot.spec);
  for (std::size_t i = 0; i < embedded; ++i) spec.loops[i].isBilateral = false;
  ArticulatedSystem* legs = world.addArticulatedSystem(spec);
  legs->setSpanningCoordinate(stood);
  holdHere(*legs, robot.gains);
  const VectorXd rest = VectorXd::Zero(legs->getSpanningDOF());
  Squat s;
  const int steps = static_cast<int>(std::lround(1 / dt));
  for (int i = 0; i < steps; ++i) {
    VectorXd target = stood;
    const double bend = std::sin(M_PI * (i + 0.5) / steps);
    for (const char* side : {"L_", "R_"}) {
      const auto put = [&](const char* joint, double angle) {
        const int body = legs->model().joint(side + std::string(joint));
        target[legs->model().spanningCoordinate[legs->model().topology.bodies[body].q]] += angle;
      };
      put("hip", -0.05 * bend * bend);
      put("knee", 0.1 * bend * bend);
    }
    legs->setSpanningPdTarget(target, rest);
    world.integrate();
    s.height.push_back(legs->getBasePosition()[2]);
    s.closure = std::max(s.closure, world.report().closure);
    s.residual = std::max(s.residual, world.report().residual);
    s.flags |= world.report().flags;
    s.unsolved += world.report().has(StepFlag::SolverNotConverged);
  }
  return s;
}

/// All four loops in rows, and those of one leg, beside the other's embedded ones.
TEST(Bilateral, LegsThatSquatOnTheGroundDoAsEmbeddedOnes) {
  for (const auto& [kept, dt] : {std::pair(0u, 2e-3), std::pair(0u, 1e-3), std::pair(2u, 1e-3)}) {
    ASSERT_EQ(twoLegs().spec.loops.size(), 4u);
    const Squat embedded = squat(twoLegs(), 4, dt), rows = squat(twoLegs(), kept, dt);
    double apart = 0;
    const auto [low, high] = std::minmax_element(rows.height.begin(), rows.height.end());
    for (std::size_t i = 0; i < rows.height.size(); ++i)
      apart = std::max(apart, std::abs(rows.height[i] - embedded.height[i]));
    std::printf(
        "[ figure   ] two legs squat by %.1e m, dt %.1e s, %u loops embedded: %.1e m apart, "
        "closure "
        "%.1e m, residual %.1e m/s\n",
        *high - *low, dt, kept, apart, rows.closure, rows.residual);
    EXPECT_GT(*high - *low, 0.003);
    EXPECT_LT(apart, 1e-8);
    EXPECT_LT(rows.closure, 1e-8);
    // On two flat feet contacts are redundant: either way a step or two stay a little above the
    // solver's tolerance, and say so.
    EXPECT_LE(rows.unsolved, 5);
    EXPECT_LT(rows.residual, 1e-8);
    EXPECT_EQ(rows.flags & ~static_cast<std::uint32_t>(StepFlag::SolverNotConverged), 0u);
  }
}

TEST(Bilateral, RobotsStandWithTheirLoopsInRows) {
  const auto expectStands = [](const char* name, std::optional<StandingRobot> robot) {
    if (!robot) return;
    robot->spec = bilateral(robot->spec);
    testing::expectStands(name, *robot, 5, 1e-7);
  };
  expectStands("two_legs", twoLegs());
  expectStands("cassie", cassie());
  expectStands("digit_like", digitLike());
  expectStands("cassie_like", cassieLike());
}

}  // namespace
}  // namespace espalier::testing

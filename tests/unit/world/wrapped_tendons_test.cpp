// Tendons that are led round spheres and cylinders, in a World.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "espalier/model/coordinates.h"
#include "tests/support/world_scenes.h"
#include "tests/support/wrapped_drum.h"

namespace espalier::testing {
namespace {

struct Drum {
  bool isCylinder;
  double height;
  std::optional<Vec3d> side;
  SystemSpec spec() const { return wrappedDrum(isCylinder, height, side); }
};
const Drum drums[] = {{true, -0.15, {}},
                      {false, -0.15, {}},
                      {true, 0.1, Vec3d{0.35, 0.05, 0.6}},
                      {true, -0.15, Vec3d{0.35, 0.05, -0.6}},
                      {true, 0.1, Vec3d{0.35, 0.05, 0.1}},   // through it
                      {false, 0.1, Vec3d{0.25, 0.2, 0.1}}};  // through it

/// Where the rope is led round the drum it is longer than the straight one.
bool isRound(const ArticulatedSystem& robot) {
  const Eigen::VectorXd lengths = robot.getTendonLength();
  return lengths[0] > lengths[1] + 1e-9;
}

double startLength(const SystemSpec& spec) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(spec);
  robot->setState(startOfDrum(*robot), Eigen::VectorXd::Zero(4));
  return robot->getTendonLength()[0];
}

TEST(WrappedTendons, TheJacobianIsTheGradientOfTheLength) {
  for (const Drum& drum : drums) {
    SCOPED_TRACE(&drum - drums);
    World world;
    ArticulatedSystem* robot = world.addArticulatedSystem(drum.spec());
    ASSERT_EQ(robot->getTendonNames(), (std::vector<std::string>{"rope", "straight"}));
    const Eigen::VectorXd q = startOfDrum(*robot);
    const auto state = [&](const Eigen::VectorXd& u, double t) {  // along a constant u
      robot->setState(q, u);
      const Eigen::VectorXd step = u * t;
      Eigen::VectorXd moved = q;
      advance(robot->model().topology, q.data(), step.data(), moved.data());
      robot->setState(moved, u);
      return robot->getTendonLength()[0];
    };
    const int nv = static_cast<int>(robot->getDOF());
    for (int d = 0; d < nv; ++d) {
      const Eigen::VectorXd u = Eigen::VectorXd::Unit(nv, d);
      const double slope = (state(u, 1e-5) - state(u, -1e-5)) / 2e-5;
      state(u, 0);
      EXPECT_NEAR(robot->getTendonJacobian()(0, d), slope, 1e-8);
      EXPECT_NEAR(robot->getTendonVelocity()[0], slope, 1e-8);
    }
  }
}

/// Of the energy, with that of the tendon's spring, in 0.5 s; the largest. `round` gains the time that
/// the rope was led round the drum.
double errorOfEnergy(const Drum& drum, double dt, double& round) {
  SystemSpec spec = drum.spec();
  const double rest = startLength(spec) - 0.1;
  spec.tendons[0].stiffness = 300;
  spec.tendons[0].restLower = spec.tendons[0].restUpper = rest;
  World world;
  world.setTimeStep(dt);
  ArticulatedSystem* robot = world.addArticulatedSystem(spec);
  robot->setState(startOfDrum(*robot), Eigen::VectorXd::Constant(4, 0.3));
  const auto energy = [&] {
    const double stretch = robot->getTendonLength()[0] - rest;
    return robot->getKineticEnergy() + robot->getPotentialEnergy() + 150 * stretch * stretch;
  };
  const double start = energy();
  double error = 0;
  for (int i = 0; i < static_cast<int>(std::lround(0.5 / dt)); ++i) {
    EXPECT_EQ(world.integrate().flags, 0u);
    error = std::max(error, std::abs(energy() - start));
    if (isRound(*robot)) round += dt;
  }
  return error;
}

TEST(WrappedTendons, ASpringKeepsItsEnergyToSecondOrder) {
  for (const Drum& drum : drums) {
    SCOPED_TRACE(&drum - drums);
    double round = 0;
    const double coarse = errorOfEnergy(drum, 0.001, round);
    const double fine = errorOfEnergy(drum, 0.00025, round);
    EXPECT_LT(coarse, 2e-3);
    EXPECT_LT(fine, coarse / 8);
    EXPECT_GT(round, 0.1);
  }
}

TEST(WrappedTendons, ALimitHoldsARopeRoundADrum) {
  for (const Drum& drum : drums) {
    SCOPED_TRACE(&drum - drums);
    SystemSpec spec = drum.spec();
    const double most = startLength(spec) + 0.03;
    spec.tendons[0].upper = most;
    World world;
    ArticulatedSystem* robot = world.addArticulatedSystem(spec);
    robot->setState(startOfDrum(*robot), Eigen::VectorXd::Zero(4));
    double longest = 0;
    int taut = 0;
    for (int i = 0; i < 1000; ++i) {
      EXPECT_EQ(world.integrate().flags, 0u);
      const double length = robot->getTendonLength()[0];
      longest = std::max(longest, length);
      taut += length > most - 1e-4 && isRound(*robot);
    }
    EXPECT_LT(longest, most + 1e-4);
    EXPECT_GT(taut, 20) << "the rope is hardly ever taut round the drum";
  }
}

TEST(WrappedTendons, ThatMakeNoSenseAreRefused) {
  const auto isRefused = [](auto&& spoil) {
    SystemSpec spec = wrappedDrum(true, 0, Vec3d{0, 0, 1});
    spoil(spec.tendons[0].ways[0]);
    return !compile(spec);
  };
  EXPECT_FALSE(isRefused([](TendonSpec::Way&) {}));
  EXPECT_TRUE(isRefused([](TendonSpec::Way& way) { way.wraps[0].link = "none"; }));
  EXPECT_TRUE(isRefused([](TendonSpec::Way& way) { way.wraps[0].surface.radius = 0; }));
  EXPECT_TRUE(isRefused([](TendonSpec::Way& way) { way.wraps[0].after = 1; }));
  EXPECT_TRUE(isRefused([](TendonSpec::Way& way) { way.wraps.push_back(way.wraps[0]); }));
  EXPECT_TRUE(isRefused([](TendonSpec::Way& way) { way.wraps[0].X_LS.p.x = std::nan(""); }));
  EXPECT_TRUE(isRefused([](TendonSpec::Way& way) { way.wraps[0].side->link = "none"; }));
}

}  // namespace
}  // namespace espalier::testing

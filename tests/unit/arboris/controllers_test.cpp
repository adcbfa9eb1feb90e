// Controllers in arboris' step and in the World's schemes.

#include <gtest/gtest.h>

#include "espalier/compat/arboris/pd_controller.h"
#include "espalier/compat/arboris/weight_controller.h"
#include "tests/unit/arboris/scenes.h"

namespace espalier::testing {
namespace {

using sim::ProportionalDerivativeController;
using sim::Stepping;
using sim::WeightController;

const std::vector<std::string> kJoints{"joint0", "joint1", "joint2"};

// One hinge: M nu+ / dt = M nu / dt + kp (qd - q - dt nu+) + kd (vd - nu+)
TEST(Controllers, PdIsImplicit) {
  World world;
  ArticulatedSystem* arm = world.addArticulatedSystem(hangingArm(1));
  Simulation simulation(world);
  auto& pd = simulation.add<ProportionalDerivativeController>(std::vector<std::string>{"joint0"},
                                                              Eigen::MatrixXd::Constant(1, 1, 40.0),
                                                              Eigen::MatrixXd::Constant(1, 1, 3.0));
  pd.setTarget(Eigen::VectorXd::Constant(1, 0.4), Eigen::VectorXd::Constant(1, 0.2));
  const double M = 0.02 + 0.25 * 0.25, dt = 0.02;
  double q = 0, nu = 0;
  for (int k = 0; k < 50; ++k) {
    step(simulation, dt);
    nu = (M * nu / dt + 40 * (0.4 - q) + 3 * 0.2) / (M / dt + dt * 40 + 3);
    q += dt * nu;
  }
  EXPECT_NEAR(simulation.gvel()[0], nu, 1e-13);
  EXPECT_NEAR(arm->getGeneralizedCoordinate()[0], q, 1e-13);
}

/// Three hinges pulled by PD, by the World's own or by a controller's; the state after a while.
Eigen::VectorXd pulledArm(Scheme scheme, bool byController) {
  World world;
  ArticulatedSystem* arm = world.addArticulatedSystem(hangingArm(3));
  world.setIntegrationScheme(scheme);
  const Eigen::Vector3d kp(60, 40, 20), kd(3, 2, 1), target(0.5, -0.3, 0.8), none(0, 0, 0);
  Simulation simulation(world, Stepping::WORLD);
  if (byController) {
    auto& pd = simulation.add<ProportionalDerivativeController>(
        kJoints, Eigen::MatrixXd(kp.asDiagonal()), Eigen::MatrixXd(kd.asDiagonal()));
    pd.setTarget(target, none);
  } else {
    arm->setPdGains(kp, kd);
    arm->setPdTarget(target, none);
  }
  simulate(simulation, timeline(0.005, 100));
  Eigen::VectorXd state(6);
  state << arm->getGeneralizedCoordinate(), arm->getGeneralizedVelocity();
  return state;
}

// The same law, so the same motion: implicit in the schemes' own measure.
TEST(Controllers, PdAsTheWorldsOwn) {
  for (Scheme scheme : {Scheme::MIDPOINT, Scheme::TRAPEZOID, Scheme::SEMI_IMPLICIT})
    EXPECT_LT((pulledArm(scheme, true) - pulledArm(scheme, false)).norm(), 1e-11)
        << static_cast<int>(scheme);
}

/// A user's own: a force that couples joints 0 and 2, and takes energy out; and one that does not.
struct Coupling : sim::Controller {
  explicit Coupling(double damping) : damping_(damping) {}
  void update(double, double, Eigen::VectorXd& gforce0, Eigen::MatrixXd& Z) override {
    gforce0[1] += 0.3;
    const Eigen::Vector3d row(1, 0, -1);
    Z -= damping_ * row * row.transpose();
  }
  double damping_;
};

/// Two arms' worth: branches that meet at the base only, so that the coupling is beside the tree.
SystemSpec fork() {
  SystemSpec spec = hangingArm(3);
  spec.joints[2].parent = "link0";
  return spec;
}

Eigen::VectorXd coupledArm(double dt, bool forked) {
  World world;
  ArticulatedSystem* arm = world.addArticulatedSystem(forked ? fork() : hangingArm(3));
  world.setTimeStep(dt);
  Simulation simulation(world, Stepping::WORLD);
  simulation.add<Coupling>(0.5);
  simulation.setGvel(Eigen::Vector3d(1, -0.5, 0.7));
  simulate(simulation, timeline(dt, static_cast<int>(std::round(0.2 / dt))));
  return arm->getGeneralizedCoordinate();
}

// Along the tree, MIDPOINT stays of second order; beside it, what is implicit is more than needed,
// which is of first order.
TEST(Controllers, CoupledDampersConverge) {
  for (bool forked : {false, true}) {
    const Eigen::VectorXd exact = coupledArm(1e-4, forked);
    const double coarse = (coupledArm(1e-2, forked) - exact).norm();
    const double fine = (coupledArm(5e-3, forked) - exact).norm();
    EXPECT_LT(coarse, 1e-2);
    EXPECT_LT(fine, coarse * (forked ? 0.6 : 0.3)) << forked;
  }
}

// A damper a thousand times too stiff for an explicit step, beside the tree.
TEST(Controllers, StiffDampersAreImplicit) {
  World world;
  ArticulatedSystem* arm = world.addArticulatedSystem(fork());
  Simulation simulation(world, Stepping::WORLD);
  simulation.add<Coupling>(1e4);
  simulation.setGvel(Eigen::Vector3d(1, -0.5, 0.7));
  simulate(simulation, timeline(5e-3, 400));
  EXPECT_LT(arm->getGeneralizedVelocity().norm(), 20);
}

/// Pushes a free body with a force that is constant in the world.
struct Push : sim::Controller {
  void init(Simulation& simulation) override { body_ = &simulation.body("body"); }
  void update(double, double, Eigen::VectorXd& gforce0, Eigen::MatrixXd&) override {
    const Transformd X = body_->pose();
    const Vec3d f = tmul(X.R, Vec3d{1, 2, 3}), n = tmul(X.R, Vec3d{0.1, -0.2, 0.3});
    const double wrench[6] = {n.x, n.y, n.z, f.x, f.y, f.z};
    for (int k = 0; k < 6; ++k) gforce0[k] += wrench[k];
  }
  const sim::Body* body_ = nullptr;
};

// gforce of a free joint is a wrench in the body's axes, whoever takes it.
TEST(Controllers, WrenchOnAFreeBody) {
  for (Scheme scheme : {Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT, Scheme::EULER}) {
    Eigen::VectorXd ends[3];
    for (int way : {0, 1, 2}) {
      World world;
      world.setIntegrationScheme(scheme);
      ArticulatedSystem* robot = nullptr;
      SingleBodyObject* single = nullptr;
      const SystemSpec spec = lopsidedBody();
      if (way < 2) {
        robot = world.addArticulatedSystem(spec);
      } else {
        BodySpec body;
        body.name = "body";
        body.inertial = *spec.links[0].inertial;
        body.collisions.push_back({.name = "", .shape = SphereShape{0.1}});
        single = world.addBody(body);
      }
      Simulation simulation(world, Stepping::WORLD);
      if (way > 0) simulation.add<Push>();
      for (int k = 0; k < 50; ++k) {
        simulation.updateDynamic();
        if (way == 0) {
          robot->setExternalForce(0, Vec<3>(0, 0, 0), Vec<3>(1, 2, 3));
          robot->setExternalTorque(0, Vec<3>(0.1, -0.2, 0.3));
        }
        simulation.updateControllers(0.005);
        simulation.updateConstraints(0.005);
        simulation.integrate(0.005);
      }
      ends[way].resize(6);
      if (robot)
        ends[way] << robot->getBasePosition(), robot->getGeneralizedVelocity().tail(3);
      else
        ends[way] << single->getPosition(), single->getAngularVelocity();
    }
    EXPECT_LT((ends[0] - ends[1]).norm(), 1e-12) << static_cast<int>(scheme);
    EXPECT_LT((ends[0] - ends[2]).norm(), 1e-3) << static_cast<int>(scheme);
  }
}

TEST(Controllers, WeightStandsInForGravity) {
  for (Stepping stepping : {Stepping::ARBORIS, Stepping::WORLD}) {
    World world;
    ArticulatedSystem* ball = world.addArticulatedSystem(freeBody("ball", SphereShape{0.1}, 2.0));
    world.setGravity({0, 0, -9.81});
    const auto fall = [&](auto&&... weight) {
      ball->setState(Eigen::Matrix<double, 7, 1>(0, 0, 0, 1, 0, 0, 0), Eigen::VectorXd::Zero(6));
      Simulation simulation(world, stepping);
      (simulation.add<WeightController>(weight), ...);
      simulate(simulation, timeline(0.01, 10));
      return ball->getGeneralizedVelocity()[2];
    };
    EXPECT_NEAR(fall(), stepping == Stepping::ARBORIS ? 0 : -0.981, 1e-14);
    EXPECT_NEAR(fall(WeightController()), -0.981, 1e-14);
    EXPECT_NEAR(fall(Vec3d{0, 0, -1.62}), -0.162, 1e-14);
  }
}

// A World alone, driven by simulate(), takes the steps it takes by integrate().
TEST(Controllers, SimulateDrivesTheWorld) {
  Eigen::VectorXd ends[2];
  for (int way : {0, 1}) {
    World world;
    ArticulatedSystem* arm = world.addArticulatedSystem(hangingArm(3));
    arm->setGeneralizedCoordinate(Eigen::Vector3d(1, 0.5, -0.5));
    world.setTimeStep(0.005);
    if (way == 0)
      simulate(world, timeline(0.005, 100));
    else
      for (int k = 0; k < 100; ++k) {
        const double dt = (k + 1) * 0.005 - k * 0.005;  // as the timeline has it, to the bit
        world.setTimeStep(dt);
        world.integrate();
      }
    ends[way] = arm->getGeneralizedCoordinate();
    EXPECT_NEAR(world.getWorldTime(), 0.5, 1e-12);
  }
  EXPECT_EQ(ends[0], ends[1]);
}

TEST(Controllers, Misuse) {
  World world;
  world.addArticulatedSystem(jointedBody(JointKind::Spherical, SphereShape{0.1}, 1));
  Simulation simulation(world);
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(3, 3);
  EXPECT_THROW(ProportionalDerivativeController({"joint"}, one, Eigen::MatrixXd::Identity(2, 2)),
               std::invalid_argument);
  simulation.add<ProportionalDerivativeController>(std::vector<std::string>{"joint"}, one, one);
  EXPECT_THROW(simulation.init(), std::invalid_argument);  // a quaternion
}

}  // namespace
}  // namespace espalier::testing

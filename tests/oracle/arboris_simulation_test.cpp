// arboris' trajectories ("corrected" where it had a bug) by scheme ARBORIS, and its matrices.

#include <gtest/gtest.h>

#include "espalier/compat/arboris/ball_and_socket.h"
#include "espalier/compat/arboris/joint_limits.h"
#include "espalier/compat/arboris/pd_controller.h"
#include "espalier/compat/arboris/simulate.h"
#include "espalier/compat/arboris/weight_controller.h"
#include "tests/oracle/arboris_mechanisms.h"
#include "tests/oracle/arboris_trajectory.h"
#include "tests/support/compare.h"
#include "tests/support/shared.h"

namespace espalier::testing {
namespace {

using sim::BallAndSocket;
using sim::ProportionalDerivativeController;
using sim::SubFrame;
using sim::WeightController;

const Vec3d kDown{0, -9.81, 0};

template <class Ours>
void expectSame(const Ours& ours, const Json& theirs, double tolerance, const std::string& what) {
  const Dense wanted = denseFrom(theirs), got = ours;
  ASSERT_EQ(got.size(), wanted.size()) << what;
  EXPECT_LT((got - wanted).cwiseAbs().maxCoeff() / std::max(1.0, wanted.cwiseAbs().maxCoeff()),
            tolerance)
      << what;
}

const std::vector<std::string> kArm{"ArmJoint", "ForearmJoint", "HandJoint"};

struct Simplearm {
  World world;
  ArticulatedSystem* robot;
  std::unique_ptr<Simulation> simulation;

  explicit Simplearm(const Json& data) {
    robot = world.addArticulatedSystem(arborisSpec(arborisSimplearm(data)));
    world.setGravity(kDown);
    simulation = std::make_unique<Simulation>(world);
  }
};

TEST(ArborisSimulation, SimplearmMatrices) {
  ESPALIER_SHARED_JSON(data, "fixtures/arboris/simplearm.json");
  for (const Json& s : data.at("states")) {
    Simplearm arm(data);
    Simulation& sim = *arm.simulation;
    const Json& pd = s.at("pd");
    const auto diagonal = [](const Json& d) {
      return Eigen::MatrixXd(Eigen::VectorXd(denseFrom(d)).asDiagonal());
    };
    auto& controller = sim.add<ProportionalDerivativeController>(kArm, diagonal(pd.at("kp_diag")),
                                                                 diagonal(pd.at("kd_diag")));
    controller.setTarget(denseFrom(pd.at("gpos_des")), denseFrom(pd.at("gvel_des")));
    sim.add<WeightController>();
    arm.robot->setState(denseFrom(s.at("gpos")), denseFrom(s.at("gvel")));
    const double dt = pd.at("dt");
    sim.updateDynamic();
    expectSame(sim.massMatrix(), s.at("M"), 1e-14, "M");
    expectSame(sim.nleffects(), s.at("N"), 1e-14, "N");
    sim.updateControllers(dt);
    expectSame(sim.controllerImpedance(), pd.at("impedance"), 1e-15, "Z_a");
    expectSame(sim.impedance(), s.at("impedance"), 1e-14, "Z");
    expectSame(sim.admittance(), s.at("admittance"), 1e-13, "Y");
    expectSame(sim.gforce(), s.at("gforce_total"), 1e-14, "gforce");
    sim.updateConstraints(dt);
    sim.integrate(dt);
    expectSame(sim.gvel(), s.at("gvel_after_step"), 1e-14, "nu+");
    expectSame(arm.robot->getGeneralizedCoordinate(), s.at("gpos_after_step"), 1e-14, "q+");
  }
}

TEST(ArborisSimulation, SimplearmTrajectories) {
  ESPALIER_SHARED_JSON(data, "fixtures/arboris/simplearm.json");
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(3, 3);
  for (const auto& [name, t] : data.at("traj").items()) {
    Simplearm arm(data);
    Simulation& sim = *arm.simulation;
    if (name.find("weight") == 0) sim.add<WeightController>();
    if (name.find("pd") != std::string::npos) {
      auto& pd = sim.add<ProportionalDerivativeController>(kArm, 7 * one, 7 / std::sqrt(2.0) * one);
      pd.setTarget(Eigen::Vector3d::Constant(M_PI / 4), Eigen::Vector3d::Zero());
    }
    if (name == "weight_jointlimit_shoulder")
      sim.add<sim::JointLimits>(std::vector<std::string>{"ArmJoint"},
                                Eigen::VectorXd::Constant(1, -3.14 / 2),
                                Eigen::VectorXd::Constant(1, 3.14 / 2));
    follow(sim, t, 1e-11, name);
  }
}

/// Bodies on spherical joints in viscous air, under weight.
struct Chain3d {
  World world;
  std::unique_ptr<Simulation> simulation;

  explicit Chain3d(const Json& data) {
    world.addArticulatedSystem(arborisSpec(arborisChain3d(data)));
    world.setGravity(kDown);
    simulation = std::make_unique<Simulation>(world);
    simulation->add<WeightController>();
    setArborisViscosity(*simulation, data);
  }
};

TEST(ArborisSimulation, Chain3dMatrices) {
  ESPALIER_SHARED_JSON(data, "fixtures/arboris/chain3d.json");
  Chain3d chain(data);
  Simulation& sim = *chain.simulation;
  for (const Json& s : data.at("states")) {
    setArboris(sim, s.at("free_pose"), s.at("q"), s.at("gvel"));
    sim.updateDynamic();
    expectSame(sim.massMatrix(), s.at("M"), 1e-13, "M");
    expectSame(sim.viscosity(), s.at("B"), 1e-13, "B");
    expectSame(sim.nleffects(), s.at("N_corrected"), 1e-13, "N");
    sim.updateControllers(1e-3);
    expectSame(sim.admittance(), s.at("admittance_dt0.001_corrected"), 1e-12, "Y");
    expectSame(sim.gforce(), s.at("weight_gforce"), 1e-13, "weight");
    for (const auto& [name, body] : s.at("bodies_corrected").items()) {
      const int k = name[1] - '0';
      const SubFrame c(sim.body(name),
                       transformFrom(denseFrom(data.at("spec").at(k).at("H_cn")).inverse()));
      expectSame(denseFrom(c.pose()), body.at("pose"), 1e-13, name + " pose");
      expectSame(c.twist(), body.at("twist"), 1e-13, name + " twist");
      expectSame(c.jacobian(), body.at("jacobian"), 1e-13, name + " jacobian");
      expectSame(c.djacobian(), body.at("djacobian"), 1e-12, name + " djacobian");
    }
  }
}

TEST(ArborisSimulation, Chain3dTrajectory) {
  ESPALIER_SHARED_JSON(data, "fixtures/arboris/chain3d.json");
  Chain3d chain(data);
  Simulation& sim = *chain.simulation;
  follow(sim, data.at("traj_weight_viscous_corrected"), 1e-10, "chain3d");
}

TEST(ArborisSimulation, FourBar) {
  ESPALIER_SHARED_JSON(arm, "fixtures/arboris/simplearm.json");
  ESPALIER_SHARED_JSON(data, "fixtures/arboris/closed_loops.json");
  const Json& t = data.at("fourbar");
  Simplearm world(arm);
  Simulation& sim = *world.simulation;
  sim.add<WeightController>();
  const Json& s = arm.at("states").at(0);
  const Dense H_he = denseFrom(s.at("bodies").at("Hand").at("pose")).inverse() *
                     denseFrom(s.at("EndEffector").at("pose"));
  const std::vector<double> p = t.at("anchor_ground");
  auto& anchor =
      sim.add<SubFrame>(sim.ground(), Transformd{identity3<double>(), {p[0], p[1], p[2]}});
  auto& tip = sim.add<SubFrame>(sim.body("Hand"), transformFrom(H_he));
  sim.add<BallAndSocket>(anchor, tip);
  follow(sim, t, 1e-9, "fourbar");
}

TEST(ArborisSimulation, TwoFreeBars) {
  ESPALIER_SHARED_JSON(data, "fixtures/arboris/closed_loops.json");
  const Json& t = data.at("two_free_bars_ball_chain");
  World world;
  world.setGravity(kDown);
  for (const char* name : {"one", "two"}) {
    SystemSpec spec;
    spec.name = name;
    spec.links.emplace_back().name = name;
    const double x = 0.1, y = 0.5, z = 0.1;
    spec.links[0].inertial =
        InertialSpec{1.0,
                     identityTransform<double>(),
                     {(y * y + z * z) / 12, 0, 0, (x * x + z * z) / 12, 0, (x * x + y * y) / 12}};
    world.addArticulatedSystem(spec);
  }
  Simulation sim(world);
  sim.add<WeightController>();
  const auto end = [&](const char* bar, double y) -> SubFrame& {
    return sim.add<SubFrame>(sim.body(bar), Transformd{identity3<double>(), {0, y, 0}});
  };
  sim.add<BallAndSocket>(sim.ground(), end("one", -0.25));
  sim.add<BallAndSocket>(end("one", 0.25), end("two", -0.25));
  follow(sim, t, 1e-9, "two bars");
}

}  // namespace
}  // namespace espalier::testing

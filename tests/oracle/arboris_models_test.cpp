// simplearm, snake and human36 of models/ are arboris' robots: by numbers that stand here, and where
// they are present by its fixtures. arboris has y up, the models z; matrices in joint coordinates are
// the same, poses are turned by X_ga.

#include <gtest/gtest.h>

#include "espalier/compat/arboris/simulate.h"
#include "espalier/compat/arboris/weight_controller.h"
#include "tests/oracle/arboris_mechanisms.h"
#include "tests/oracle/arboris_trajectory.h"
#include "tests/support/shared.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

using sim::WeightController;

// Files have six digits.
constexpr double kDigits = 1e-5;

/// arboris' axes in the models': x, z, -y.
const Transformd X_ga{{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}, {0, 0, 0}};

double massOf(const SystemSpec& spec) {
  double mass = 0;
  for (const LinkSpec& link : spec.links) mass += link.inertial ? link.inertial->mass : 0;
  return mass;
}

// M at q = (0.5, 1, 2/3), and where the tip is: 0.5, 0.4 and 0.2 m one upon the other.
TEST(ArborisModels, Simplearm) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(modelSpec("simplearm"));
  EXPECT_NEAR(massOf(modelSpec("simplearm")), 2.0, 1e-12);
  robot->setGeneralizedCoordinate({0.5, 1, 2.0 / 3});
  Eigen::Matrix3d M;
  M << 0.5513206119538305, 0.15389990406313087, 0.008003195939405166, 0.15389990406313087,
      0.09002086283909785, 0.008960431419548921, 0.008003195939405166, 0.008960431419548921,
      0.002673333333333334;
  EXPECT_LT((Eigen::MatrixXd(robot->getMassMatrix()) - M).norm(), kDigits * M.norm());
  const double a = 0.5, b = 1.5, c = 1.5 + 2.0 / 3;
  Eigen::Vector3d tip;
  robot->getFramePosition("EndEffector", tip);
  const Eigen::Vector3d wanted(-0.5 * std::sin(a) - 0.4 * std::sin(b) - 0.2 * std::sin(c), 0,
                               0.5 * std::cos(a) + 0.4 * std::cos(b) + 0.2 * std::cos(c));
  EXPECT_LT((tip - wanted).norm(), 1e-9);
}

TEST(ArborisModels, SimplearmAsInTheFixture) {
  ESPALIER_SHARED_JSON(data, "fixtures/arboris/simplearm.json");
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(modelSpec("simplearm"));
  Simulation simulation(world);
  simulation.add<WeightController>();
  for (const Json& s : data.at("states")) {
    robot->setState(denseFrom(s.at("gpos")), denseFrom(s.at("gvel")));
    simulation.updateDynamic();
    EXPECT_LT(differs(simulation.massMatrix(), denseFrom(s.at("M"))), kDigits);
    EXPECT_LT(differs(simulation.nleffects(), denseFrom(s.at("N"))), kDigits);
    simulation.updateControllers(1e-3);
    EXPECT_LT(differs(simulation.gforce(), denseFrom(s.at("weight_gforce"))), 10 * kDigits);
  }
  follow(simulation, data.at("traj").at("weight"), 1e-3, "weight");
}

// Free fall: every link of a floating snake falls alike; it hangs straight when held.
TEST(ArborisModels, Snakes) {
  EXPECT_NEAR(massOf(modelSpec("snake")), 18, 1e-12);
  World held;
  ArticulatedSystem* snake = held.addArticulatedSystem(modelSpec("snake"));
  EXPECT_EQ(snake->getDOF(), 9);
  EXPECT_LT(snake->getNonlinearities(held.getGravity()).norm(), 1e-9);
  World falling;
  ArticulatedSystem* free = falling.addArticulatedSystem(modelSpec("snake_free"));
  EXPECT_EQ(free->getDOF(), 14);
  free->setGeneralizedCoordinate(nominal("snake_free"));
  VecDyn u = free->getGeneralizedVelocity();
  u[3] = 0.5;  // turns as a whole ...
  u[8] = 3;    // ... and bends
  u[11] = -4;
  free->setGeneralizedVelocity(u);
  const double before = free->getEnergy(falling.getGravity());
  falling.setTimeStep(5e-4);
  for (int k = 0; k < 1000; ++k) falling.integrate();
  EXPECT_NEAR(free->getEnergy(falling.getGravity()), before, 1e-3 * std::abs(before));
}

// Stature and mass, the tags under its feet, both sides alike.
TEST(ArborisModels, Human36) {
  const SystemSpec spec = modelSpec("human36");
  EXPECT_NEAR(massOf(spec), 73, 2e-4);
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(spec);
  EXPECT_EQ(robot->getDOF(), 42);
  robot->setGeneralizedCoordinate(nominal("human36"));
  // The diagonal of arboris' M at zero, its base's twist [w; v] before our [v; w].
  const double angular[] = {12.73403, 1.060487, 11.99331};
  const double joints[] = {
      2.519345, 0.056624, 2.513169, 0.369866, 0.009374, 0.001397, 2.519345, 0.056624, 2.513169,
      0.369866, 0.009374, 0.001397, 1.451494, 0.746375, 1.722986, 0.199197, 0.563035, 0.436143,
      0.005714, 0.437597, 0.076361, 0.001795, 0.003521, 0.003076, 0.199197, 0.56348,  0.435697,
      0.005714, 0.438043, 0.075916, 0.001795, 0.003076, 0.003521, 0.1043,   0.020357, 0.102084};
  const Eigen::MatrixXd M = robot->getMassMatrix();
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(M(k, k), 73, 2e-4);
  const double turned[] = {angular[0], angular[2], angular[1]};
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(M(3 + k, 3 + k), turned[k], kDigits * angular[0]);
  for (int k = 0; k < 36; ++k) EXPECT_NEAR(M(6 + k, 6 + k), joints[k], kDigits * 3) << k;
}

/// arboris' joints come in another order than the file's: by child.
TEST(ArborisModels, Human36AsInTheFixture) {
  ESPALIER_SHARED_JSON(data, "fixtures/arboris/human36.json");
  World world;
  world.setGravity({0, 0, -9.81});
  ArticulatedSystem* robot = world.addArticulatedSystem(modelSpec("human36"));
  Simulation simulation(world);
  simulation.add<WeightController>();
  std::vector<int> ours;  // of each dof of arboris
  for (const Json& row : data.at("dof_table")) {
    const std::string child = row.at("child");
    const bool isBase = child == "LPT";
    for (const int d : simulation.dofs({isBase ? child : child + "Joint"})) ours.push_back(d);
  }
  ASSERT_EQ(ours.size(), 42u);
  // The base's body twist [w; v] in arboris' axes of the pelvis, which are turned by X_ga in ours.
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(42, 42);
  Eigen::Matrix3d turn;
  turn << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  T.block<3, 3>(0, 0) = T.block<3, 3>(3, 3) = turn;
  for (int k = 6; k < 42; ++k) T(ours[k], k) = 1;
  const Transformd back = inverse(X_ga);
  for (const Json& s : data.at("states")) {
    const Transformd X =
        X_ga * transformFrom(arborisHuman36Base(data) * denseFrom(s.at("free_pose"))) * back;
    const Quat<double> o = quaternion(X.R);
    VecDyn q = robot->getGeneralizedCoordinate();
    q.head(7) << X.p.x, X.p.y, X.p.z, o.w, o.x, o.y, o.z;
    const std::vector<double> q36 = s.at("q36");
    for (std::size_t k = 0; k < 36; ++k) q[1 + ours[6 + k]] = q36[k];
    robot->setGeneralizedCoordinate(q);
    simulation.setGvel(T * denseFrom(s.at("gvel")));
    simulation.updateDynamic();
    const Eigen::MatrixXd M = T.transpose() * simulation.massMatrix() * T;
    const Eigen::VectorXd h = T.transpose() * (simulation.nleffects() * simulation.gvel());
    EXPECT_LT(differs(M, denseFrom(s.at("M"))), kDigits);
    EXPECT_LT(differs(h, denseFrom(s.at("N_corrected_gvel"))), kDigits);
    simulation.updateControllers(1e-3);
    EXPECT_LT(differs(T.transpose() * simulation.gforce(), denseFrom(s.at("weight_gforce"))),
              kDigits);
    for (const auto& [name, pose] : s.at("body_pose").items()) {
      if (name == "ground") continue;
      const Transformd wanted = X_ga * transformFrom(denseFrom(pose)) * back;
      EXPECT_LT(norm(simulation.body(name).pose().p - wanted.p), kDigits) << name;
    }
  }
}

}  // namespace
}  // namespace espalier::testing

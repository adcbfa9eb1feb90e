// arboris' step on systems small enough to be written down again.

#include <gtest/gtest.h>

#include "espalier/compat/arboris/mechanism.h"
#include "espalier/compat/arboris/weight_controller.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"
#include "espalier/model/coordinates.h"
#include "tests/support/random_tree.h"
#include "tests/unit/arboris/scenes.h"

namespace espalier::testing {
namespace {

using sim::Body;
using sim::Matrix6x6;
using sim::Vector6;
using sim::WeightController;

// (M/dt + N) nu+ = M nu / dt with the 6x6 matrices of one body as arboris writes them, in the
// body's axes about its origin:  N = [w^ (c x w)^; 0 w^] M.
TEST(ArborisStep, FreeBodyInItsOwnMatrices) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(lopsidedBody());
  Simulation simulation(world);
  const Vector6 nu = (Vector6() << 0.7, -0.4, 1.1, 0.3, 0.2, -0.5).finished();
  VecDyn q = robot->getGeneralizedCoordinate();
  q << 1, 2, 3, 0.5, 0.5, -0.5, 0.5;
  robot->setGeneralizedCoordinate(q);
  simulation.setGvel(nu);

  const double m = 2.0, dt = 0.01;
  const Eigen::Vector3d c(0.1, -0.2, 0.05), w = nu.head<3>();
  Eigen::Matrix3d Ic;
  Ic << 0.3, 0.02, -0.01, 0.02, 0.4, 0.03, -0.01, 0.03, 0.2;
  Matrix6x6 M, W;
  M << Ic - m * skewOf(c) * skewOf(c), m * skewOf(c), -m * skewOf(c),
      m * Eigen::Matrix3d::Identity();
  W << skewOf(w), skewOf(c.cross(w)), Eigen::Matrix3d::Zero(), skewOf(w);
  const Vector6 next = (M / dt + W * M).partialPivLu().solve(M * nu / dt);

  simulation.updateDynamic();
  EXPECT_LT((simulation.massMatrix() - M).norm(), 1e-14);
  EXPECT_LT((simulation.nleffects() * nu - W * M * nu).norm(), 1e-14);
  simulation.updateControllers(dt);
  simulation.integrate(dt);
  EXPECT_LT((simulation.gvel() - next).norm(), 1e-13);
  EXPECT_DOUBLE_EQ(world.getWorldTime(), dt);

  // H+ = H exp(dt nu): the exponential's series.
  Eigen::Matrix4d T = Eigen::Matrix4d::Zero(), exponential = Eigen::Matrix4d::Identity(),
                  term = exponential, H = exponential;
  T.topLeftCorner<3, 3>() = skewOf(next.head<3>());
  T.topRightCorner<3, 1>() = next.tail<3>();
  for (int k = 1; k < 12; ++k) exponential += term = (term * T * dt / k).eval();
  H.topLeftCorner<3, 3>() = Eigen::Quaterniond(0.5, 0.5, -0.5, 0.5).toRotationMatrix();
  H.topRightCorner<3, 1>() << 1, 2, 3;
  H = (H * exponential).eval();
  EXPECT_LT((robot->getBasePosition() - H.topRightCorner<3, 1>()).norm(), 1e-14);
  EXPECT_LT((robot->getBaseOrientation() - H.topLeftCorner<3, 3>()).norm(), 1e-14);
}

/// A random tree as a Model, without names.
Model modelOf(const RandomTree& tree) {
  Model model;
  model.topology = tree.topology;
  model.lowered = tree.parameters;
  model.bodies.resize(static_cast<std::size_t>(tree.topology.nb));
  for (int i = 0; i < tree.topology.nv; ++i) model.publicDof.push_back(i);
  for (int i = 0; i < tree.topology.nq; ++i) model.publicCoordinate.push_back(i);
  model.spanningDof = model.publicDof;
  model.spanningCoordinate = model.publicCoordinate;
  return model;
}

// M is that of composite bodies and N nu the bias without gravity, on every joint kind whose
// velocities are counted as ours.
TEST(ArborisStep, MatricesOfRandomTrees) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomTreeOptions options{.bodies = 8, .floating = false, .armature = true};
    options.kinds.pop_back();  // floating
    const Model model = modelOf(randomTree(seed, options));
    const Topology& t = model.topology;
    Random random(seed);
    Eigen::VectorXd q(t.nq), u(t.nv);
    randomConfiguration(t, seed, 1, q.data());
    for (double& x : u) x = random.uniform(-1, 1);
    sim::Tree tree(model, 0);
    tree.set(model.lowered, q, u, 0);
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(t.nv, t.nv), N = M, dense = M;
    sim::addInertia(tree, model.lowered, M, N);

    Workspace<double> ws(t);
    kinematics(t, model.lowered, q.data(), u.data(), ws);
    massMatrix(t, model.lowered, ws);
    unpack(t, ws.H.data(), dense.data());
    EXPECT_LT((M - dense).norm() / dense.norm(), 1e-13) << seed;
    Eigen::VectorXd h(t.nv), g(t.nv), weight = Eigen::VectorXd::Zero(t.nv);
    bias(t, model.lowered, Vec3d{0, 0, 0}, ws, h.data());
    EXPECT_LT((N * u - h).norm() / (1 + h.norm()), 1e-13) << seed;
    bias(t, model.lowered, Vec3d{1, -2, 3}, ws, g.data());
    sim::addWeight(tree, {1, -2, 3}, weight);
    EXPECT_LT((weight - (h - g)).norm() / (1 + g.norm()), 1e-13) << seed;
  }
}

// dJ against central differences of J along nu, on trees with free joints everywhere.
TEST(ArborisStep, JacobianRates) {
  SystemSpec spec = lopsidedBody("base");
  LinkSpec link = spec.links[0];
  const JointKind kinds[] = {JointKind::Euler, JointKind::Floating, JointKind::Spherical,
                             JointKind::Universal};
  std::string parent = "base";
  for (JointKind kind : kinds) {
    JointSpec joint;
    joint.name = joint.child = link.name = info(kind).name;
    joint.kind = kind;
    joint.parent = parent;
    joint.X_PJ = {rotationFromRpy({0.3, -0.2, 0.5}), {0.1, 0.2, 0.3}};
    parent = link.name;
    spec.links.push_back(link);
    spec.joints.push_back(joint);
  }
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(spec);
  Simulation simulation(world);
  auto& moving = simulation.add<sim::MovingSubFrame>(
      simulation.body("universal"), Transformd{rotationFromRpy({1, 2, 3}), {0.2, 0.1, -0.3}});
  const Topology& t = robot->model().topology;
  Random random(7);
  Eigen::VectorXd q(t.nq), nu(t.nv);
  randomConfiguration(t, 3, 1, q.data());
  for (double& x : nu) x = random.uniform(-1, 1);
  robot->setGeneralizedCoordinate(q);
  simulation.setGvel(nu);
  simulation.updateDynamic();
  const Eigen::VectorXd u = robot->getGeneralizedVelocity();
  const sim::Matrix6X dJ = moving.djacobian();
  EXPECT_LT((moving.twist() - moving.jacobian() * nu).norm(), 1e-13);
  sim::Matrix6X J[2];
  const double e = 1e-5;
  for (int side : {0, 1}) {
    Eigen::VectorXd moved(t.nq), dq = (side ? e : -e) * u;
    advance(t, q.data(), dq.data(), moved.data());
    robot->setGeneralizedCoordinate(moved);
    simulation.updateDynamic();
    J[side] = moving.jacobian();
  }
  EXPECT_LT(((J[1] - J[0]) / (2 * e) - dJ).norm() / dJ.norm(), 1e-8);
}

TEST(ArborisStep, MovingFramesMove) {
  World world;
  world.addArticulatedSystem(hangingArm(1));
  Simulation simulation(world);
  auto& frame =
      simulation.add<sim::MovingSubFrame>(simulation.body("link0"), identityTransform<double>());
  simulation.setGvel(Eigen::VectorXd::Constant(1, 2.0));
  // Slides outwards along the link at 3 m/s, 0.5 m below the hinge.
  frame.setBpose({identity3<double>(), {0, 0, -0.5}}, (Vector6() << 0, 0, 0, 0, 0, -3).finished());
  simulation.updateDynamic();
  EXPECT_LT((frame.twist() - (Vector6() << 0, 2, 0, -1, 0, -3).finished()).norm(), 1e-15);
}

// Viscosity: v+ = (m v / dt + m g) / (m / dt + b), again and again.
TEST(ArborisStep, FallsThroughSyrup) {
  World world;
  world.addArticulatedSystem(freeBody("ball", SphereShape{0.1}, 2.0));
  Simulation simulation(world);
  simulation.add<WeightController>();
  Matrix6x6 drag = Matrix6x6::Zero();
  drag.diagonal() << 0, 0, 0, 5, 5, 5;
  simulation.body("ball").setViscosity(drag);
  double v = 0;
  for (int k = 0; k < 100; ++k) {
    step(simulation, 0.01);
    v = (2 * v / 0.01 - 2 * 9.81) / (2 / 0.01 + 5);
  }
  EXPECT_NEAR(simulation.gvel()[5], v, 1e-13);
}

// A single body of the World moves as the same body given as a robot.
TEST(ArborisStep, SingleBodiesMoveToo) {
  const Vector6 nu = (Vector6() << 0.7, -0.4, 1.1, 0.3, 0.2, -0.5).finished();
  Eigen::Vector3d ends[2];
  for (int single : {0, 1}) {
    World world;
    if (single)
      world.addBox(0.1, 0.2, 0.3, 1.5);
    else
      world.addArticulatedSystem(freeBody("box", BoxShape{{0.1, 0.2, 0.3}}, 1.5));
    Simulation simulation(world);
    simulation.add<WeightController>();
    simulation.setGvel(nu);
    for (int k = 0; k < 50; ++k) step(simulation, 0.01);
    if (single)
      ends[1] = static_cast<SingleBodyObject*>(world.getObject(0))->getPosition();
    else
      ends[0] = world.system(0)->getBasePosition();
  }
  EXPECT_LT((ends[0] - ends[1]).norm(), 1e-13);
}

TEST(ArborisStep, Misuse) {
  World world;
  world.addArticulatedSystem(hangingArm(2));
  Simulation simulation(world);
  EXPECT_THROW(simulation.body("nobody"), std::invalid_argument);
  EXPECT_THROW(simulation.dofs({"nobody"}), std::invalid_argument);
  EXPECT_THROW(simulation.setGvel(Eigen::VectorXd::Zero(3)), std::invalid_argument);
  EXPECT_THROW(simulation.updateControllers(0), std::invalid_argument);
  EXPECT_THROW(simulate(simulation, {0, 0.1, 0.1}), std::invalid_argument);
  EXPECT_THROW(simulate(simulation, {}), std::invalid_argument);
}

}  // namespace
}  // namespace espalier::testing

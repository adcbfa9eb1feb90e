// S, vJ and cJ of the clusters of compiled robots: against the cluster joints by name where there is
// one, and against finite differences of the robot's own kinematics everywhere.

#include "espalier/dynamics/loops/cluster_motion.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <limits>

#include "espalier/compat/grbda/cluster_joints.h"
#include "espalier/compat/grbda/cluster_spec.h"
#include "espalier/model/coordinates.h"
#include "espalier/world/world.h"
#include "tests/support/body_pose.h"
#include "tests/support/cluster_bodies.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

using Numbers = std::vector<double>;

LinkSpec linkOf(const std::string& name, double mass) {
  LinkSpec link;
  link.name = name;
  link.inertial = InertialSpec{mass,
                               {identity3<double>(), {0.05, 0.02, -0.1}},
                               {0.01 * mass, 0, 0, 0.02 * mass, 0, 0.015 * mass}};
  return link;
}

/// The cluster on a torso that turns and moves, so that its carrier has a velocity.
SystemSpec onATorso(const ClusterJoint::Base& cluster) {
  SystemSpec spec;
  spec.name = "robot";
  spec.rotorsAsBodies = true;
  spec.links = {linkOf("torso", 5)};
  std::vector<LinkSpec> links;
  for (int b = 0; b < cluster.numBodies(); ++b)
    links.push_back(linkOf("l" + std::to_string(b), 0.5 + 0.3 * b));
  appendCluster(spec, "tie", "torso", cluster, links);
  return spec;
}

/// The object at its q and u and the compiled robot there, its torso moving: by the object's ydot,
/// S and vJ are the same; cJ is where the object's own ydot leads.
void expectAsTheObject(const ClusterJoint::Base& joint) {
  const Model model = compile(onATorso(joint)).value();
  ASSERT_EQ(model.mechanism.clusters.size(), 1u);
  Numbers q = {0.3, -0.2, 1.1, 0.5, 0.5, -0.5, 0.5}, u = {0.7, -0.4, 1.3, 0.9, -1.1, 0.6};
  q.insert(q.end(), joint.spanningPosition().begin(), joint.spanningPosition().end());
  u.insert(u.end(), joint.spanningVelocity().begin(), joint.spanningVelocity().end());
  const ClusterMotion motion = clusterMotion(model, model.lowered, 0, q, u);
  const int n = joint.numBodies(), ny = joint.numVelocities();
  ASSERT_EQ(static_cast<int>(motion.bodies.size()), n);
  ASSERT_EQ(motion.S.columns(), ny);
  // The object's bodies in the cluster's order, and rates of the cluster's y per object's ydot.
  Eigen::MatrixXd lead(ny, ny);
  Eigen::VectorXd g(ny);
  for (int i = 0; i < ny; ++i) {
    for (int j = 0; j < ny; ++j) lead(i, j) = joint.G()(motion.independent[i] - 6, j);
    g[i] = joint.g()[motion.independent[i] - 6];
  }
  for (int k = 0; k < n; ++k) {
    const int b = std::stoi(model.bodies[motion.bodies[k]].name.substr(1));
    for (int i = 0; i < 6; ++i) {
      EXPECT_NEAR(motion.vJ[6 * k + i], joint.vJ()[6 * b + i], 1e-12);
      double bias = motion.cJ[6 * k + i];
      for (int y = 0; y < ny; ++y) {
        double s = 0;
        for (int z = 0; z < ny; ++z) s += motion.S(6 * k + i, z) * lead(z, y);
        EXPECT_NEAR(s, joint.S()(6 * b + i, y), 1e-11);
        bias += motion.S(6 * k + i, y) * g[y];
      }
      EXPECT_NEAR(bias, joint.cJ()[6 * b + i], 1e-10);
    }
  }
}

TEST(ClusterMotion, AgreesWithClusterJointObjects) {
  ClusterJoint::RevoluteWithRotor rotor({link_1, rotor_1, 6});
  rotor.updateKinematics({0.3}, {1.2});
  expectAsTheObject(rotor);
  ClusterJoint::RevolutePairWithRotor pair({link_1, rotor_1, 6, {2}}, {link_2, rotor_2, 3, {2, 1}});
  pair.updateKinematics({0.3, -0.8}, {1.2, 0.7});
  expectAsTheObject(pair);
  ClusterJoint::RevoluteTripleWithRotor triple(
      {link_1, rotor_1, 6, {1}}, {link_2, rotor_2, 5, {2, 1}}, {link_3, rotor_3, 4, {-1, 1, 1}});
  triple.updateKinematics({0.3, -0.8, 0.4}, {1.2, 0.7, -0.9});
  expectAsTheObject(triple);
  for (int independent = 0; independent < 3; ++independent) {
    ClusterJoint::FourBar bar({0.4, 1.0}, 0.8, {1.0, 0.1}, independent,
                              {rotationFromRpy({0.3, -0.4, 0.5}), {0.1, 0.2, 0.3}});
    bar.updateKinematics(
        LoopConstraint::FourBar({0.4, 1.0}, 0.8, {1.0, 0.1}, 0).gamma({0.9}, {0.9, 1.5, 0.6}),
        {1.7});
    expectAsTheObject(bar);
  }
  using Kind = ClusterJoint::TelloDifferential::Kind;
  for (const Kind kind : {Kind::HIP, Kind::KNEE_ANKLE}) {
    ClusterJoint::TelloDifferential tello(kind, {rotor_1, rotor_2, link_1, link_2, 6});
    const auto rotors = tello.differential().rotorsAt({0.2, -0.1});
    tello.updateKinematics({rotors[0], rotors[1], 0.2, -0.1}, {0.7, -0.4});
    expectAsTheObject(tello);
  }
}

/// Of a body in its cluster's carrier.
Transformd relativePose(const ArticulatedSystem& robot, int body, int carrier) {
  return carrier < 0 ? poseOf(robot, body) : inverse(poseOf(robot, carrier)) * poseOf(robot, body);
}

Numbers listOf(const Eigen::VectorXd& x) { return {x.begin(), x.end()}; }

/// All joints after moving with u for dt; the loops are open by dt^2 then.
Eigen::VectorXd after(const Model& model, const Numbers& q, const Numbers& u, double dt) {
  Numbers own(q.size()), step(u.size());
  for (int i = 0; i < model.nq(); ++i) own[i] = q[model.spanningCoordinate[i]];
  for (int d = 0; d < model.nv(); ++d) step[d] = dt * u[model.spanningDof[d]];
  advance(model.topology, own.data(), step.data(), own.data());
  Eigen::VectorXd moved(model.nq());
  for (int i = 0; i < model.nq(); ++i) moved[model.spanningCoordinate[i]] = own[i];
  return moved;
}

/// Every cluster of a robot at a random state near the nominal one.
int expectDifferences(const SystemSpec& spec, std::uint32_t seed) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(spec);
  const Model& model = robot->model();
  if (model.mechanism.isTree()) return 0;
  std::mt19937 draw(seed);
  VecDyn u = robot->getGeneralizedVelocity();
  for (double& x : u) x = 0.5 * random(draw);
  robot->setGeneralizedVelocity(u);
  const Numbers q = listOf(robot->getSpanningCoordinate()),
                all = listOf(robot->getSpanningVelocity());
  const double e = 1e-5;
  const int clusters = static_cast<int>(model.mechanism.clusters.size());
  for (int c = 0; c < clusters; ++c) {
    const int carrier = model.mechanism.clusters[c].carrier;
    const ClusterMotion motion = clusterMotion(model, robot->parametersInForce(), c, q, all);
    const int n = static_cast<int>(motion.bodies.size()), ny = motion.S.columns();
    Numbers ydot;
    for (const int d : motion.independent) ydot.push_back(all[d]);
    const Numbers product = motion.S * ydot;
    for (int i = 0; i < 6 * n; ++i) EXPECT_NEAR(product[i], motion.vJ[i], 1e-11);
    EXPECT_EQ(ny, static_cast<int>(ydot.size()));

    std::vector<Transformd> lower, upper;
    Numbers vBefore, vAfter;
    for (const int side : {-1, 1}) {
      robot->setSpanningCoordinate(after(model, q, all, side * e));
      robot->setGeneralizedVelocity(u);
      for (const int b : motion.bodies)
        (side < 0 ? lower : upper).push_back(relativePose(*robot, b, carrier));
      (side < 0 ? vBefore : vAfter) = clusterMotion(model, robot->parametersInForce(), c,
                                                    listOf(robot->getSpanningCoordinate()),
                                                    listOf(robot->getSpanningVelocity()))
                                          .vJ;
    }
    robot->setSpanningCoordinate(Eigen::VectorXd::Map(q.data(), model.nq()));
    robot->setGeneralizedVelocity(u);
    for (int k = 0; k < n; ++k) {
      const Transformd X = relativePose(*robot, motion.bodies[k], carrier);
      const Vec3d turn = logQuat(quaternion((inverse(lower[k]) * upper[k]).R)) * (1 / (2 * e));
      const Vec3d way = tmul(X.R, upper[k].p - lower[k].p) * (1 / (2 * e));
      const double twist[] = {turn.x, turn.y, turn.z, way.x, way.y, way.z};
      for (int i = 0; i < 6; ++i) {
        EXPECT_NEAR(motion.vJ[6 * k + i], twist[i], 2e-6 * (1 + std::abs(twist[i])));
        const double rate = (vAfter[6 * k + i] - vBefore[6 * k + i]) / (2 * e);
        EXPECT_NEAR(motion.cJ[6 * k + i], rate, 2e-6 * (1 + std::abs(rate)));
      }
    }
  }
  return clusters;
}

TEST(ClusterMotion, AgreesWithFiniteDifferencesOfTheRobot) {
  int met = 0;
  for (const char* name :
       {"four_bar", "slider_crank", "five_bar", "revolute_triple_with_rotor", "differential_leg",
        "delta", "gripper", "tello_leg", "linkage_arm", "geared_strider"}) {
    SCOPED_TRACE(name);
    SystemSpec spec = modelSpec(name);
    spec.rotorsAsBodies = true;
    met += expectDifferences(spec, 3);
  }
  EXPECT_GE(met, 20);
}

// A spatial four-bar: crank and rocker about different axes, a rod between two ball joints.
SystemSpec ballLinkage() {
  SystemSpec spec;
  spec.name = "spatial";
  spec.fixedBase = true;
  spec.links = {linkOf("base", 1), linkOf("crank", 1), linkOf("rod", 1), linkOf("rocker", 1)};
  const auto add = [&](const char* name, JointKind kind, const char* parent, const char* child,
                       const Vec3d& p, const Vec3d& axis) {
    JointSpec joint;
    joint.name = name;
    joint.kind = kind;
    joint.parent = parent;
    joint.child = child;
    joint.X_PJ.p = p;
    joint.axes[0] = axis;
    spec.joints.push_back(joint);
  };
  add("crank", JointKind::Revolute, "base", "crank", {0, 0, 0}, {0, 0, 1});
  add("ball", JointKind::Spherical, "crank", "rod", {0.1, 0, 0}, {0, 0, 1});
  add("rocker", JointKind::Revolute, "base", "rocker", {0.4, 0, 0}, {0, 1, 0});
  LoopSpec loop;
  loop.name = "end";
  loop.kind = LoopKind::POINT;
  loop.predecessor = "rod";
  loop.successor = "rocker";
  loop.X_PA.p = {0.3, 0, 0.3};
  loop.X_SB.p = {0, 0, 0.3};
  spec.loops = {loop};
  return spec;
}

TEST(ClusterMotion, ClusterWithASphericalJoint) {
  const auto model = compile(ballLinkage());
  ASSERT_TRUE(model) << model.diagnostics().toString();
  ASSERT_FALSE(model->mechanism.isTree());
  ASSERT_EQ(model->mechanism.clusters.size(), 1u);
  EXPECT_EQ(model->nv(), 5);
  EXPECT_EQ(model->nq(), 6);
  for (const std::uint32_t seed : {1u, 2u, 3u})
    EXPECT_EQ(expectDifferences(ballLinkage(), seed), 1);
}

TEST(ClusterMotion, MisuseIsRefused) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(modelSpec("four_bar"));
  const Model& model = robot->model();
  Numbers q = listOf(robot->getSpanningCoordinate()), u = listOf(robot->getSpanningVelocity());
  const auto motion = [&](int cluster) { clusterMotion(model, model.lowered, cluster, q, u); };
  EXPECT_NO_THROW(motion(0));
  EXPECT_THROW(motion(1), std::invalid_argument);
  EXPECT_THROW(motion(-1), std::invalid_argument);
  q[0] += 0.1;
  EXPECT_THROW(motion(0), std::invalid_argument);  // open
  q[0] -= 0.1;
  u[0] += 0.1;
  EXPECT_THROW(motion(0), std::invalid_argument);  // parting
  u[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(motion(0), std::invalid_argument);
  u.pop_back();
  EXPECT_THROW(motion(0), std::invalid_argument);
  const Model tree = compile(modelSpec("double_pendulum")).value();
  EXPECT_THROW(clusterMotion(tree, tree.lowered, 0, {0, 0}, {0, 0}), std::invalid_argument);
}

}  // namespace
}  // namespace espalier::testing

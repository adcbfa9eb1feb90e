// Dynamics of an articulated system as it is asked for: energies, momenta, masses, and the forces
// within its joints. Each against another way to the same number.

#include <gtest/gtest.h>

#include "tests/unit/world/articulated_fixture.h"

namespace espalier::testing {
namespace {

struct Dynamics : EveryKind {
  Eigen::VectorXd random(std::uint64_t seed, double size = 1) const {
    Random bits(seed);
    Eigen::VectorXd v(u.size());
    for (double& x : v) x = bits.uniform(-size, size);
    return v;
  }
  Mat<3, 3> orientation(int b) const {
    Mat<3, 3> R;
    robot->getOrientation(b, R);
    return R;
  }
};
INSTANTIATE_TEST_SUITE_P(Bases, Dynamics, ::testing::Bool(), baseName);

TEST_P(Dynamics, MassMatrixAndItsInverse) {
  const MatDyn M = robot->getMassMatrix();
  const auto one = Eigen::MatrixXd::Identity(u.size(), u.size());
  EXPECT_LT((M * robot->getInverseMassMatrix() - one).norm(), 1e-10);
  EXPECT_LT((M - M.transpose()).norm(), 1e-13);
  EXPECT_NEAR(robot->getKineticEnergy(), 0.5 * u.dot(M * u), 1e-12);
  EXPECT_LT((robot->getGeneralizedMomentum() - M * u).norm(), 1e-12);
  VecDyn Mx;
  robot->massMatrixVecMul(random(2), Mx);
  EXPECT_LT((Mx - M * random(2)).norm(), 1e-12);
}

TEST_P(Dynamics, ForwardAndInverseAreEachOthers) {
  const Eigen::VectorXd tau = random(4, 10), udot = robot->computeForwardDynamics(tau);
  EXPECT_LT((robot->computeInverseDynamics(udot) - tau).norm(), 1e-9);
  const Eigen::VectorXd h = robot->getNonlinearities();
  EXPECT_LT((robot->getMassMatrix() * udot + h - tau).norm(), 1e-9);
  EXPECT_LT((robot->computeInverseDynamics(0 * udot) - h).norm(), 1e-12);
}

// Gravity's share of h is the gradient of potential energy; along u it is that energy's rate.
TEST_P(Dynamics, NonlinearitiesHoldTheGravityGiven) {
  const Vec<3> g{1, -2, -9};
  const Eigen::VectorXd share = robot->getNonlinearities(g) - robot->getNonlinearities({0, 0, 0});
  for (int d = 0; d < u.size(); ++d) {
    const auto along = [&](double t) {
      robot->setGeneralizedCoordinate(moved(Eigen::VectorXd::Unit(u.size(), d), t));
      return robot->getPotentialEnergy(g);
    };
    EXPECT_NEAR(share[d], (along(1e-5) - along(-1e-5)) / 2e-5, 1e-7) << d;
  }
  robot->setGeneralizedCoordinate(q);
  EXPECT_EQ(robot->getNonlinearities(), robot->getNonlinearities(world.getGravity()));
}

TEST_P(Dynamics, Energies) {
  const Vec<3> g{1, -2, -9};
  EXPECT_NEAR(robot->getPotentialEnergy(g), -robot->getTotalMass() * g.dot(robot->getCOM()), 1e-11);
  EXPECT_EQ(robot->getPotentialEnergy(), robot->getPotentialEnergy(world.getGravity()));
  EXPECT_EQ(robot->getEnergy(g), robot->getKineticEnergy() + robot->getPotentialEnergy(g));
  EXPECT_EQ(robot->getEnergy(), robot->getEnergy(world.getGravity()));
}

// ---- mass and momentum, from the bodies one by one

TEST_P(Dynamics, CompositesAreTheSumsOfTheirBodies) {
  const std::vector<double> mass = robot->getMass(), all = robot->getCompositeMass();
  const std::vector<Vec<3>> centre = robot->getBodyCOM_W(), carried = robot->getCompositeCOM();
  const auto I = robot->getInertia(), carriedI = robot->getCompositeInertia();
  const std::vector<int> parent = robot->getParentVector();
  double total = 0;
  for (int b = 0; b < bodyCount(); ++b) {
    total += mass[b];
    Vec<3> at;
    robot->getPosition(b, robot->getBodyCOM_B()[b], at);
    EXPECT_LT((centre[b] - at).norm(), 1e-13) << b;
    const auto carries = [&](int i) {
      while (i > b) i = parent[i];
      return i == b;
    };
    double m = 0;
    Eigen::Vector3d c = Eigen::Vector3d::Zero();
    for (int i = b; i < bodyCount(); ++i) {
      if (!carries(i)) continue;
      m += mass[i];
      c += mass[i] * centre[i];
    }
    c /= m;
    Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
    for (int i = b; i < bodyCount(); ++i) {
      if (!carries(i)) continue;
      const Eigen::Vector3d r = centre[i] - c;
      const Eigen::Matrix3d R = orientation(i);
      sum += R * I[i] * R.transpose() +
             mass[i] * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
    }
    EXPECT_NEAR(all[b], m, 1e-13) << b;
    EXPECT_LT((carried[b] - c).norm(), 1e-13) << b;
    EXPECT_LT((carriedI[b] - sum).norm(), 1e-12) << b;
  }
  EXPECT_NEAR(robot->getTotalMass(), total, 1e-13);
  EXPECT_LT((robot->getCOM() - carried[0]).norm(), 1e-14);
}

TEST_P(Dynamics, MomentaAreThoseOfTheBodies) {
  const Vec<3> reference{0.3, -1, 2};
  Eigen::Vector3d p = Eigen::Vector3d::Zero(), L = p;
  for (int b = 0; b < bodyCount(); ++b) {
    const double m = robot->getMass(b);
    const Eigen::Vector3d v = rateOf([&] { return robot->getBodyCOM_W()[b].e(); });
    Vec<3> w;
    robot->getAngularVelocity(b, w);
    const Eigen::Matrix3d R = orientation(b);
    p += m * v;
    L += m * (robot->getBodyCOM_W()[b] - reference).cross(v) +
         R * robot->getInertia()[b] * R.transpose() * w;
  }
  EXPECT_LT((robot->getLinearMomentum() - p).norm(), 1e-7);
  EXPECT_LT((robot->getAngularMomentum(reference) - L).norm(), 1e-7);
  Vec<3> byReference;
  robot->getAngularMomentum(reference, byReference);
  EXPECT_EQ(byReference, robot->getAngularMomentum(reference));
  EXPECT_LT((robot->getAngularMomentum() - robot->getAngularMomentum(robot->getCOM())).norm(),
            1e-15);
  EXPECT_LT((robot->getLinearMomentum() -
             robot->getTotalMass() * rateOf([&] {
               return robot->getCOM().e();
             })).norm(),
            1e-7);
  if (!GetParam()) return;
  // The base's rows of M u are the momentum about the base's origin.
  const Eigen::VectorXd P = robot->getGeneralizedMomentum();
  EXPECT_LT((P.head<3>() - robot->getLinearMomentum()).norm(), 1e-12);
  EXPECT_LT((P.segment<3>(3) - robot->getAngularMomentum(robot->getBasePosition())).norm(), 1e-12);
}

// ---- what the step solves with

// (M + diag w)(u+ - u) = dt (tau - D u + K (mount - q - dt u) + kp (target - q - dt u)
//                        + kd (target' - u) - h)      SEMI_IMPLICIT, arm of hinges
TEST(DampedMass, IsTheMatrixOfTheStep) {
  World world;
  world.setIntegrationScheme(Scheme::SEMI_IMPLICIT);
  const double dt = 0.002;
  world.setTimeStep(dt);
  ArticulatedSystem* arm = addRobot(world, "arm7", 0, 0);
  Random random(5);
  const auto some = [&](double low, double high) {
    VecDyn v(7);
    for (double& x : v) x = random.uniform(low, high);
    return v;
  };
  const VecDyn kp = some(10, 100), kd = some(1, 10), D = some(0, 2), K = some(0, 20);
  const VecDyn target = some(-0.5, 0.5), rate = some(-1, 1), mount = some(-1, 1), tau = some(-3, 3);
  const VecDyn q = nominal("arm7") + some(-0.1, 0.1), u = some(-0.5, 0.5);
  arm->setState(q, u);
  arm->setPdGains(kp, kd);
  arm->setPdTarget(target, rate);
  arm->setJointDamping(D);
  arm->setJointFriction(VecDyn(7));
  arm->setSpringStiffness(K);
  arm->setSpringMount(mount);
  arm->setGeneralizedForce(tau);
  const double infinite = std::numeric_limits<double>::infinity();
  arm->setActuationLimits(VecDyn::Constant(7, infinite), VecDyn::Constant(7, -infinite));
  const Eigen::VectorXd ahead = q + dt * u;
  const Eigen::VectorXd force = tau - D.cwiseProduct(u) + K.cwiseProduct(mount - ahead) +
                                kp.cwiseProduct(target - ahead) + kd.cwiseProduct(rate - u) -
                                arm->getNonlinearities();
  const MatDyn M = arm->getDampedMassMatrix(), inverse = arm->getDampedInverseMassMatrix();
  EXPECT_LT((M * inverse - Eigen::MatrixXd::Identity(7, 7)).norm(), 1e-10);
  EXPECT_GT((M - arm->getMassMatrix()).norm(), 1e-3);
  world.integrate();
  EXPECT_LT((arm->getGeneralizedVelocity() - u - dt * (inverse * force)).norm(), 1e-12);
  EXPECT_LT((arm->getGeneralizedAcceleration() - inverse * force).norm(), 1e-9);
}

// ---- forces within joints

struct Rod {
  World world;
  ArticulatedSystem* rod;
  explicit Rod(Scheme scheme) {
    SystemSpec spec = jointedBody(JointKind::Revolute, SphereShape{0.1}, 2, {0, -1, 0});
    spec.links[1].inertial->X_LC.p = {0.5, 0, 0};
    spec.links[1].collisions.clear();
    world.setIntegrationScheme(scheme);
    rod = world.addArticulatedSystem(spec);
    rod->setComputeInverseDynamics(true);
  }
};

// A rod on a hinge: m (a_c - g) with a_c = alpha x r - w^2 r, and no torque about the axis.
TEST(JointForces, OfASwingingRod) {
  Rod scene(Scheme::SEMI_IMPLICIT);
  ArticulatedSystem& rod = *scene.rod;
  EXPECT_THROW(rod.getForceAtJointInWorldFrame(1), std::invalid_argument) << "no step yet";
  const double angle = 0.4, w = 3, m = 2, l = 0.5, I = 0.4 * 2 * 0.01 + m * l * l;
  rod.setState(VecDyn{angle}, VecDyn{w});
  scene.world.integrate();
  // About -y the rod rises with the angle: its centre is at l (cos, 0, sin).
  const Eigen::Vector3d r = l * Eigen::Vector3d(std::cos(angle), 0, std::sin(angle));
  const double alpha = -m * gravity * r.x() / I;
  const Eigen::Vector3d along(-r.z(), 0, r.x());
  const Eigen::Vector3d force = m * (alpha * along - w * w * r + Eigen::Vector3d(0, 0, gravity));
  EXPECT_LT((rod.getForceAtJointInWorldFrame(1) - force).norm(), 1e-11);
  EXPECT_LT(rod.getTorqueAtJointInWorldFrame(1).norm(), 1e-11);
  // The base carries it, and has no mass of its own.
  EXPECT_LT((rod.getForceAtJointInWorldFrame(0) - force).norm(), 1e-11);
  EXPECT_LT((rod.getFrameAcceleration("joint")).norm(), 1e-12);
  CoordinateFrame tip = rod.getFrameByName("joint");
  tip.position = {2 * l, 0, 0};
  EXPECT_LT((rod.getFrameAcceleration(tip) - 2 * (alpha * along - w * w * r)).norm(), 1e-11);
  EXPECT_LT((rod.getFrameAngularAcceleration(tip) - alpha * Eigen::Vector3d(0, -1, 0)).norm(),
            1e-11);
  rod.setComputeInverseDynamics(false);
  EXPECT_THROW(rod.getTorqueAtJointInWorldFrame(1), std::invalid_argument);
}

// Standing still, the four hips carry the trunk; each leg's hip carries what its foot does not.
TEST(JointForces, OfAStandingRobotBalance) {
  World world;
  world.setContactSolverParam(1e-10, 1000);
  world.addGround();
  ArticulatedSystem* robot = addRobot(world, "strider", 300, 30);
  robot->setComputeInverseDynamics(true);
  for (int i = 0; i < 6000; ++i) world.integrate();
  ASSERT_LT(robot->getGeneralizedVelocity().norm(), 1e-8);
  const double dt = world.getTimeStep();
  Eigen::Vector3d onTrunk = Eigen::Vector3d::Zero(), feet = onTrunk;
  for (const char* leg : {"LF", "RF", "LH", "RH"}) {
    const int hip = robot->getBodyIdx(std::string(leg) + "_hip");
    const Eigen::Vector3d force = robot->getForceAtJointInWorldFrame(hip);
    onTrunk -= force;
    double mass = 0;
    Eigen::Vector3d foot = Eigen::Vector3d::Zero();
    for (int b = hip; b < hip + 3; ++b) mass += robot->getMass(b);
    for (const Contact& c : world.contacts())
      if (c.bodyB == hip + 2)
        foot -= impulseOn(c) / dt;
      else if (c.bodyA == hip + 2)
        foot += impulseOn(c) / dt;
    feet += foot;
    EXPECT_LT((force + foot - mass * Eigen::Vector3d(0, 0, gravity)).norm(), 1e-5) << leg;
  }
  EXPECT_LT((onTrunk - robot->getMass(0) * Eigen::Vector3d(0, 0, gravity)).norm(), 1e-5);
  EXPECT_LT((feet - robot->getTotalMass() * Eigen::Vector3d(0, 0, gravity)).norm(), 1e-5);
  EXPECT_LT(robot->getForceAtJointInWorldFrame(0).norm(), 1e-5) << "nothing holds a floating base";
}

// Along every hinge the joint's torque is the motor's, less damper and rotor.
TEST(JointForces, AlongTheAxisTheyAreTheMotors) {
  World world;
  world.setIntegrationScheme(Scheme::SEMI_IMPLICIT);
  ArticulatedSystem* arm = addRobot(world, "arm7", 200, 20);
  arm->setJointFriction(VecDyn(7));
  arm->setComputeInverseDynamics(true);
  arm->setGeneralizedVelocity({0.1, -0.2, 0.3, 0.2, -0.1, 0.4, 0.5});
  arm->setExternalForce(arm->getBodyIdx("link7"), {3, 4, 5});
  std::vector<Vec<3>> axes;
  for (int j = 1; j < 8; ++j) axes.push_back(arm->getJointAxis(j));
  world.integrate();
  const VecDyn motor = arm->getAppliedGeneralizedForce(), damping = arm->getJointDamping();
  const VecDyn u = arm->getGeneralizedVelocity(), udot = arm->getGeneralizedAcceleration();
  const VecDyn rotor = arm->getRotorInertia();
  for (int j = 1; j < 8; ++j) {
    const double expected = motor[j - 1] - damping[j - 1] * u[j - 1] - rotor[j - 1] * udot[j - 1];
    EXPECT_NEAR(axes[j - 1].dot(arm->getTorqueAtJointInWorldFrame(j)), expected, 1e-9) << j;
  }
}

// Between two states the mean acceleration is the difference of velocities, to second order.
TEST_P(Dynamics, FrameAccelerationIsTheVelocitysRate) {
  const double dt = 1e-5;
  world.setTimeStep(dt);
  robot->setComputeInverseDynamics(true);
  const Vec<3> v = robot->getFrameVelocity("tool_mount");
  const Vec<3> w = robot->getFrameAngularVelocity("tool_mount");
  world.integrate();
  const Eigen::Vector3d a = (robot->getFrameVelocity("tool_mount") - v) / dt;
  const Eigen::Vector3d alpha = (robot->getFrameAngularVelocity("tool_mount") - w) / dt;
  EXPECT_LT((robot->getFrameAcceleration("tool_mount") - a).norm(), 1e-6 * (1 + a.norm()));
  EXPECT_LT((robot->getFrameAngularAcceleration("tool_mount") - alpha).norm(),
            1e-6 * (1 + alpha.norm()));
}

}  // namespace
}  // namespace espalier::testing

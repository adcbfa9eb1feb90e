// Limits of spherical joints: angle, swing and twist. In a plane each is a hinge's limit; in space
// they hold, keep the motion that does not press on them, and make no energy.

#include <gtest/gtest.h>

#include <numbers>

#include "tests/support/ball_pendulum.h"
#include "tests/support/four_bar.h"
#include "tests/support/lane_twins.h"
#include "tests/support/random_tree.h"

namespace espalier::testing {
namespace {

constexpr double most = 0.5;

/// Angle, swing and twist of the only spherical joint, from the joint's quaternion.
struct Pose {
  double angle, swing, twist;
};
Pose poseOf(const Eigen::Vector4d& q, const Vec3d& axis) {
  const Vec3d v{q[1], q[2], q[3]};
  const Vec3d b = mul(rotation(Quat<double>{q[0], q[1], q[2], q[3]}), axis);
  const double sign = q[0] < 0 ? -1 : 1;
  return {2 * std::atan2(norm(v), std::abs(q[0])), std::atan2(norm(cross(axis, b)), dot(axis, b)),
          2 * std::atan2(sign * dot(v, axis), sign * q[0])};
}

enum class Which { ANGLE, SWING, TWIST };
struct PlaneCase {
  Which which;
  Scheme scheme;
};
SystemSpec limitedBallInPlane(Which which) {
  if (which == Which::ANGLE) return ballPendulum({1, 0, 0}, {.angle = most});
  if (which == Which::SWING) return ballPendulum({0, 0, -1}, {.swing = most});
  return ballPendulum({0, 1, 0}, {.twistLower = -most, .twistUpper = most});
}
SystemSpec limitedHinge() {
  SystemSpec spec = pendulum(JointKind::Revolute, {0, 1, 0});
  spec.joints[0].limits.lower = -most;
  spec.joints[0].limits.upper = most;
  return spec;
}

class SphericalLimitInAPlane : public ::testing::TestWithParam<PlaneCase> {};
INSTANTIATE_TEST_SUITE_P(All, SphericalLimitInAPlane,
                         ::testing::Values(PlaneCase{Which::ANGLE, Scheme::MIDPOINT},
                                           PlaneCase{Which::SWING, Scheme::MIDPOINT},
                                           PlaneCase{Which::TWIST, Scheme::MIDPOINT},
                                           PlaneCase{Which::ANGLE, Scheme::TRAPEZOID},
                                           PlaneCase{Which::SWING, Scheme::SEMI_IMPLICIT},
                                           PlaneCase{Which::TWIST, Scheme::EULER},
                                           PlaneCase{Which::SWING, Scheme::RUNGE_KUTTA_4}));

// A ball that swings in a plane is a hinge, and its limit the hinge's.
TEST_P(SphericalLimitInAPlane, IsAHinges) {
  const auto [which, scheme] = GetParam();
  World ballWorld, hingeWorld;
  ArticulatedSystem* ball = ballWorld.addArticulatedSystem(limitedBallInPlane(which));
  ArticulatedSystem* hinge = hingeWorld.addArticulatedSystem(limitedHinge());
  for (World* world : {&ballWorld, &hingeWorld}) {
    world->setIntegrationScheme(scheme);
    world->setTimeStep(1e-3);
    world->setContactSolverParam(1e-14, 1000);  // what is near enough is taken as it is
  }
  ball->setGeneralizedVelocity({0, 4, 0});
  hinge->setGeneralizedVelocity({4});
  int touched = 0;
  double highest = 0, lowest = 0;
  for (int i = 0; i < 2000; ++i) {
    // Against one stop, against the other, and then free.
    const double push = i < 700 ? 8 : i < 1400 ? -8 : 0;
    ball->setGeneralizedForce({0, push, 0});
    hinge->setGeneralizedForce({push});
    ASSERT_EQ(ballWorld.integrate().flags, hingeWorld.integrate().flags);
    const Eigen::VectorXd q = ball->getGeneralizedCoordinate();
    const double angle = 2 * std::atan2(q[2], q[0]);
    ASSERT_NEAR(angle, hinge->getGeneralizedCoordinate()[0], 1e-10) << "step " << i;
    ASSERT_NEAR(ball->getGeneralizedVelocity()[1], hinge->getGeneralizedVelocity()[0], 1e-9);
    touched += hingeWorld.report().limits > 0;
    highest = std::max(highest, angle);
    lowest = std::min(lowest, angle);
  }
  EXPECT_GT(touched, 500);
  EXPECT_NEAR(highest, most, 2e-3);
  EXPECT_NEAR(lowest, -most, 2e-3);
}

// Thrown about in space: no angle passes its limit, and the stops make no energy.
TEST(SphericalLimits, HoldInSpaceAndMakeNoEnergy) {
  Random random(3);
  const Vec3d axis{0, 0, 1};
  const SphericalLimits limits{.angle = 1.4, .swing = 0.8, .twistLower = -0.3, .twistUpper = 0.6};
  int rows = 0;
  for (int run = 0; run < 20; ++run) {
    World world;
    world.setTimeStep(1e-3);
    ArticulatedSystem* ball = world.addArticulatedSystem(ballPendulum(axis, limits));
    const Vec3d w = random.vector(6);
    ball->setGeneralizedVelocity({w.x, w.y, w.z});
    double energy = ball->getEnergy();
    for (int i = 0; i < 2000; ++i) {
      const StepReport& report = world.integrate();
      ASSERT_EQ(report.flags, 0u);
      rows += report.limits;
      const Pose pose = poseOf(ball->getGeneralizedCoordinate(), axis);
      ASSERT_LT(pose.swing, limits.swing + 1e-4) << "run " << run << ", step " << i;
      ASSERT_LT(pose.twist, limits.twistUpper + 1e-4) << "run " << run << ", step " << i;
      ASSERT_GT(pose.twist, limits.twistLower - 1e-4) << "run " << run << ", step " << i;
      ASSERT_LT(pose.angle, limits.angle + 1e-4) << "run " << run << ", step " << i;
      ASSERT_LT(ball->getEnergy(), energy + 2e-4) << "run " << run << ", step " << i;
      energy = std::min(energy, ball->getEnergy());
    }
  }
  EXPECT_GT(rows, 1000);
}

// A homogeneous ball held about its centre that precesses along the cone at the rate alpha, and spins
// about its own axis at beta, presses on the cone with I alpha beta sin(swing) and keeps both rates.
TEST(SphericalLimits, SteadyPrecessionAlongTheCone) {
  const double swing = 0.5, alpha = 2, beta = -1.5;
  const Vec3d axis{0, 0, 1};
  World world;
  world.setGravity({0, 0, 0});
  world.setTimeStep(1e-3);
  SystemSpec spec = jointedBody(JointKind::Spherical, SphereShape{0.1}, 2, axis);
  spec.joints[0].limits.swing = swing;
  ArticulatedSystem* ball = world.addArticulatedSystem(spec);
  const double I = 0.4 * 2 * 0.01;
  ball->setGeneralizedCoordinate({std::cos(swing / 2), std::sin(swing / 2), 0, 0});
  const Vec3d b{0, -std::sin(swing), std::cos(swing)};
  const Vec3d w = axis * alpha + b * beta;
  ball->setGeneralizedVelocity({w.x, w.y, w.z});
  const double energy = ball->getEnergy();
  for (int i = 1; i <= 5000; ++i) {
    ASSERT_EQ(world.integrate().flags, 0u);
    const Eigen::VectorXd q = ball->getGeneralizedCoordinate();
    ASSERT_NEAR(poseOf(q, axis).swing, swing, 2e-6) << "step " << i;
    ASSERT_NEAR(ball->getEnergy(), energy, 1e-5 * energy) << "step " << i;
    const Vec3d at = mul(rotation(Quat<double>{q[0], q[1], q[2], q[3]}), axis);
    const double t = i * 1e-3, around = -std::numbers::pi / 2 + alpha * t;
    ASSERT_NEAR(at.x, std::sin(swing) * std::cos(around), 1e-5) << "step " << i;
    ASSERT_NEAR(at.y, std::sin(swing) * std::sin(around), 1e-5) << "step " << i;
  }
  const auto held = ball->getJointLimitViolations();
  ASSERT_EQ(held.size(), 1u);
  EXPECT_EQ(held[0].angle, LimitedAngle::SWING);
  EXPECT_NEAR(held[0].impulse, -I * alpha * beta * std::sin(swing) * 1e-3, 1e-7);
}

// Equal limits are none, as in RaiSim; so are those that were never given.
TEST(SphericalLimits, EqualOnesAreNone) {
  World world;
  SystemSpec spec = pendulum(JointKind::Spherical, {1, 0, 0});
  spec.joints[0].limits.lower = spec.joints[0].limits.upper = 0;
  ArticulatedSystem* ball = world.addArticulatedSystem(spec);
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(ball->getJointLimits()[1], Vec<2>(-infinite, infinite));
  ball->setGeneralizedVelocity({9, 0, 0});
  double widest = 0;
  for (int i = 0; i < 2000; ++i) {
    EXPECT_EQ(world.integrate().limits, 0);
    widest = std::max(widest, poseOf(ball->getGeneralizedCoordinate(), {1, 0, 0}).angle);
  }
  EXPECT_GT(widest, 2);
}

TEST(SphericalLimits, AreSetReadAndTold) {
  const double infinite = std::numeric_limits<double>::infinity();
  World world;
  world.setGravity({0, 0, 0});
  ArticulatedSystem* ball = world.addArticulatedSystem(ballPendulum({0, 0, 1}, {.swing = 1}));
  EXPECT_EQ(ball->getSphericalLimits(1), (SphericalLimits{.swing = 1}));
  const Vec<2> base(-infinite, infinite);
  ball->setJointLimits({base, Vec<2>(-0.5, 0.5)});
  EXPECT_EQ(ball->getJointLimits()[1], Vec<2>(0, 0.5));
  EXPECT_EQ(ball->getSphericalLimits(1), (SphericalLimits{.angle = 0.5, .swing = 1}));
  ball->setJointLimits(ball->getJointLimits());
  EXPECT_EQ(ball->getSphericalLimits(1), (SphericalLimits{.angle = 0.5, .swing = 1}));
  ball->setJointLimits({base, Vec<2>(0, 0)});
  EXPECT_EQ(ball->getSphericalLimits(1), (SphericalLimits{.swing = 1})) << "the swing stays";
  ball->setSphericalLimits(1, {.angle = 0.5, .twistLower = -0.1, .twistUpper = 0.2});
  EXPECT_TRUE(ball->getJointLimitViolations().empty());
  // Beyond: 0.7 about the axis is an angle and a twist.
  ball->setGeneralizedCoordinate({std::cos(0.35), 0, 0, std::sin(0.35)});
  const auto beyond = ball->getJointLimitViolations();
  ASSERT_EQ(beyond.size(), 2u);
  EXPECT_EQ(beyond[0].angle, LimitedAngle::ROTATION);
  EXPECT_NEAR(beyond[0].depth, 0.2, 1e-14);
  EXPECT_EQ(beyond[1].angle, LimitedAngle::TWIST);
  EXPECT_TRUE(beyond[1].isUpper);
  EXPECT_NEAR(beyond[1].depth, 0.5, 1e-14);
  EXPECT_EQ(beyond[1].jointId, 1);
  EXPECT_EQ(beyond[1].dof, 0);
  EXPECT_EQ(beyond[1].impulse, 0);

  const auto refused = [&](const std::vector<Vec<2>>& limits) {
    EXPECT_THROW(ball->setJointLimits(limits), std::invalid_argument);
  };
  refused({base, Vec<2>(-1, 0.5)});
  refused({base, Vec<2>(-1, -0.5)});
  refused({base, Vec<2>(0.2, 0.5)});
  EXPECT_THROW(ball->setSphericalLimits(0, {.angle = 1}), std::invalid_argument);
  EXPECT_THROW(ball->setSphericalLimits(7, {.angle = 1}), std::invalid_argument);
  EXPECT_THROW(ball->setSphericalLimits(1, {.angle = -1}), std::invalid_argument);
  EXPECT_THROW(ball->setSphericalLimits(1, {.swing = 0}), std::invalid_argument);
  EXPECT_THROW(ball->setSphericalLimits(1, {.twistLower = 1, .twistUpper = 0}),
               std::invalid_argument);
  EXPECT_EQ(ball->getSphericalLimits(1).angle, 0.5) << "nothing of a refused call stays";
}

// A twist goes round: with one bound given, the other is half a turn from zero. From there it does
// not come out at the other side.
TEST(SphericalLimits, OneBoundOfTheTwistAlone) {
  World world;
  world.setTimeStep(1e-3);
  ArticulatedSystem* ball =
      world.addArticulatedSystem(ballPendulum({0, 0, 1}, {.twistUpper = 0.4}));
  ball->setGeneralizedVelocity({0, 0, -20});
  double lowest = 0;
  for (int i = 0; i < 1200; ++i) {
    ball->setGeneralizedForce({0, 0, i < 500 ? -0.2 : 0.2});
    ASSERT_EQ(world.integrate().flags, 0u);
    const Eigen::VectorXd q = ball->getGeneralizedCoordinate();
    const double twist = 2 * std::atan2(q[3], q[0]);  // unbroken: q[0] never changes its sign
    ASSERT_GT(twist, -std::numbers::pi - 1e-6) << "step " << i;
    ASSERT_LT(twist, 0.4 + 1e-6) << "step " << i;
    lowest = std::min(lowest, twist);
  }
  EXPECT_NEAR(lowest, -std::numbers::pi, 1e-3);
  const Eigen::VectorXd q = ball->getGeneralizedCoordinate();
  EXPECT_NEAR(2 * std::atan2(q[3], q[0]), 0.4, 1e-3);
}

// Set beyond its limits, upside down where the swing has no direction, it comes back inside.
TEST(SphericalLimits, ComesBackFromUpsideDown) {
  for (const SphericalLimits& limits :
       {SphericalLimits{.swing = 0.5}, SphericalLimits{.angle = 0.5},
        SphericalLimits{.swing = 0.5, .twistLower = -0.1, .twistUpper = 0.1}}) {
    World world;
    world.setTimeStep(1e-3);
    SystemSpec spec = ballPendulum({0, 0, 1}, limits);
    spec.joints[0].dynamics.damping = 20;
    ArticulatedSystem* ball = world.addArticulatedSystem(spec);
    ball->setGeneralizedCoordinate({0, 1, 0, 0});
    for (int i = 0; i < 3000; ++i) ASSERT_EQ(world.integrate().flags, 0u) << "step " << i;
    const Pose pose = poseOf(ball->getGeneralizedCoordinate(), {0, 0, 1});
    EXPECT_LT(pose.swing, 0.5 + 1e-6);
  }
}

// A limit so narrow that the rotation has hardly a direction.
TEST(SphericalLimits, ANarrowOneHolds) {
  World world;
  world.setTimeStep(1e-3);
  ArticulatedSystem* ball = world.addArticulatedSystem(ballPendulum({0, 0, 1}, {.angle = 1e-3}));
  for (int i = 0; i < 1000; ++i) {
    ball->setGeneralizedForce({3 * std::cos(0.01 * i), 3 * std::sin(0.01 * i), 0.5});
    ASSERT_EQ(world.integrate().flags, 0u);
    // The direction of so small an angle turns within the step.
    ASSERT_LT(poseOf(ball->getGeneralizedCoordinate(), {0, 0, 1}).angle, 1.05e-3) << "step " << i;
  }
}

// In the air, on a floating base: the stop is a force within, so that the momentum stays.
TEST(SphericalLimits, OnAFloatingBaseKeepTheMomentum) {
  World world;
  world.setGravity({0, 0, 0});
  world.setTimeStep(1e-3);
  SystemSpec spec = freeBody("torso", BoxShape{{0.3, 0.2, 0.1}}, 3);
  const SystemSpec limb =
      ballPendulum({0, 0, 1}, {.swing = 0.6, .twistLower = -0.3, .twistUpper = 0.4});
  spec.links.push_back(limb.links[1]);
  spec.joints = limb.joints;
  spec.joints[0].parent = "torso";
  spec.ignoredPairs = {{"torso", "body"}};
  ArticulatedSystem* robot = world.addArticulatedSystem(spec);
  robot->setGeneralizedVelocity({0.1, 0, 0, 0.5, -1, 0.3, 3, -2, 4});
  const Eigen::Vector3d linear = robot->getLinearMomentum();
  const Eigen::Vector3d angular = robot->getAngularMomentum();
  int rows = 0;
  double fastest = 0, beyond = 0;
  for (int i = 0; i < 3000; ++i) {
    fastest = std::max(fastest, robot->getGeneralizedVelocity().tail<3>().norm());
    const StepReport& report = world.integrate();
    ASSERT_EQ(report.flags, 0u);
    rows += report.limits;
    const Eigen::VectorXd q = robot->getGeneralizedCoordinate();
    const Pose pose = poseOf(q.tail<4>(), {0, 0, 1});
    beyond = std::max({beyond, pose.swing - 0.6, pose.twist - 0.4, -0.3 - pose.twist});
  }
  EXPECT_LT(beyond, std::pow(fastest * 1e-3, 2)) << "of second order in what a step turns";
  EXPECT_GT(rows, 100);
  // The error of one step, which is set right when the next one begins (docs/architecture.md).
  EXPECT_LT((Eigen::Vector3d(robot->getLinearMomentum()) - linear).norm(), 1e-5);
  EXPECT_LT((Eigen::Vector3d(robot->getAngularMomentum()) - angular).norm(), 1e-5);
}

// Hung onto the coupler of a four-bar, in its plane: again the hinge's limit.
TEST(SphericalLimits, OnALinkage) {
  World ballWorld, hingeWorld;
  const auto add = [](World& world, const SystemSpec& limb) {
    world.setTimeStep(1e-3);
    world.setGravity({0, -gravity, 0});  // in the plane
    SystemSpec spec = fourBar({});
    LinkSpec link = limb.links[1];
    link.inertial->X_LC.p = {0.3, 0, 0};
    link.collisions.clear();
    spec.links.push_back(link);
    JointSpec joint = limb.joints[0];
    joint.parent = "coupler";
    joint.child = link.name;
    spec.joints.push_back(joint);
    return world.addArticulatedSystem(spec);
  };
  SystemSpec hinge = pendulum(JointKind::Revolute, {0, 0, 1});
  hinge.joints[0].limits.lower = -most;
  hinge.joints[0].limits.upper = most;
  ArticulatedSystem* a =
      add(ballWorld, ballPendulum({0, 0, 1}, {.twistLower = -most, .twistUpper = most}));
  ArticulatedSystem* b = add(hingeWorld, hinge);
  a->setGeneralizedCoordinate({0.3, 1, 0, 0, 0});
  b->setGeneralizedCoordinate({0.3, 0});
  const int crank = b->getGeneralizedVelocityIndex("a");
  ASSERT_EQ(a->getDOF(), b->getDOF() + 2);
  int rows = 0;
  for (int i = 0; i < 1500; ++i) {
    Eigen::VectorXd push = Eigen::VectorXd::Zero(a->getDOF());
    push[crank] = i < 700 ? 3 : -4;
    a->setGeneralizedForce(push);
    b->setGeneralizedForce(Eigen::VectorXd(push.head(b->getDOF())));
    ASSERT_EQ(ballWorld.integrate().flags, 0u);
    ASSERT_EQ(hingeWorld.integrate().flags, 0u);
    rows += hingeWorld.report().limits > 0;
    const Eigen::VectorXd q = a->getGeneralizedCoordinate();
    const int at = a->getGeneralizedCoordinateIndex("joint");
    ASSERT_NEAR(2 * std::atan2(q[at + 3], q[at]),
                b->getGeneralizedCoordinate()[b->getGeneralizedCoordinateIndex("joint")], 1e-8)
        << "step " << i;
  }
  EXPECT_GT(rows, 200);
}

// Beside other worlds in lanes every world comes to the same as alone; the stops are solved alone.
TEST(SphericalLimits, InLanes) {
  LaneTwins twins(5, [](World& world, int i) {
    world.setTimeStep(1e-3);
    ArticulatedSystem* ball = world.addArticulatedSystem(
        ballPendulum({0, 0, 1}, {.swing = 0.5, .twistLower = -0.2, .twistUpper = 0.3}));
    ball->setGeneralizedVelocity({1.0 + i, 0.5 * i, 2.0 - i});
  });
  EXPECT_TRUE(twins.expectSame(1000));
  EXPECT_EQ(twins.steppedAlone, 0);
  EXPECT_GT(twins.solvedAlone, 100);
}

}  // namespace
}  // namespace espalier::testing

// The project's robots as they are used: standing, landing, falling, on terrain and on each other.

#include <gtest/gtest.h>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

/// Foot positions of the strider.
Eigen::Matrix<double, 3, 4> feet(const ArticulatedSystem& robot) {
  Eigen::Matrix<double, 3, 4> p;
  int k = 0;
  for (const char* foot : {"LF", "RF", "LH", "RH"})
    p.col(k++) =
        toEigen(robot.getFramePose(robot.getFrameIdxByName(std::string(foot) + "_foot_mount")).p);
  return p;
}

/// Drops the strider from a height and lets it stand.
struct Stand {
  double height = 0, creep = 0, residual = 0, penetration = 0, penetrationAtRest = 0, fastest = 0;
  int flips = 0, flagged = 0;
};
Stand stand(Scheme scheme, double dt, double drop, double kp, double kd, double seconds) {
  World world;
  world.setIntegrationScheme(scheme);
  world.setTimeStep(dt);
  world.setContactSolverParam(1e-10, 1000);
  world.addGround();
  ArticulatedSystem* robot = addRobot(world, "strider", kp, kd, {0, 0, drop});
  const int steps = static_cast<int>(std::lround(seconds / dt));
  Stand s;
  Eigen::Matrix<double, 3, 4> before;
  int active = 0;
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = world.integrate();
    s.flagged += report.flags != 0;
    s.residual = std::max(s.residual, report.residual);
    s.penetration = std::max(s.penetration, report.penetration);
    s.penetration = std::max(s.penetration, -robot->getLowestCollisionPoint());
    if (i < steps / 2) continue;
    if (i == steps / 2) {
      before = feet(*robot);
      active = report.activeContacts;
    }
    s.flips += report.activeContacts != active;
    active = report.activeContacts;
    s.penetrationAtRest = std::max(s.penetrationAtRest, report.penetration);
    s.fastest = std::max(s.fastest, robot->getGeneralizedVelocity().cwiseAbs().maxCoeff());
  }
  s.creep = (feet(*robot) - before).colwise().norm().maxCoeff() / (seconds / 2);
  s.height = robot->getGeneralizedCoordinate()[2];
  EXPECT_EQ(active, 4);
  return s;
}

TEST(Robots, StriderStandsStill) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT})
    for (const double dt : {0.001, 0.0025}) {
      const Stand s = stand(scheme, dt, 0.05, 300, 10, 10);
      EXPECT_EQ(s.flagged, 0);
      EXPECT_EQ(s.flips, 0);
      EXPECT_LE(s.residual, 1e-10);
      EXPECT_LT(s.penetrationAtRest, 1e-6);
      EXPECT_LT(s.creep, 1e-9);
      EXPECT_LT(s.fastest, 1e-8);
    }
}

// Where it stands is a matter of statics, not of the time step.
TEST(Robots, StriderStandsAtTheSameHeight) {
  const double fine = stand(Scheme::MIDPOINT, 0.00025, 0, 300, 10, 4).height;
  for (const double dt : {0.001, 0.0025})
    EXPECT_NEAR(stand(Scheme::MIDPOINT, dt, 0, 300, 10, 4).height, fine, 1e-4) << dt;
}

// The ground carries the weight of the robot, and the knees what statics says they must.
TEST(Robots, StandingForcesBalance) {
  World world;
  world.setContactSolverParam(1e-10, 1000);
  world.addGround();
  ArticulatedSystem* robot = addRobot(world, "strider", 300, 10);
  for (int i = 0; i < 3000; ++i) world.integrate();
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), moment = Eigen::Vector3d::Zero();
  const Eigen::Vector3d centre = robot->getCOM();
  for (const Contact& c : world.contacts()) {
    const Eigen::Vector3d f =
        impulseOn(c) / world.getTimeStep() * (systemOf(world, c.objectA) == 0 ? 1 : -1);
    force += f;
    moment += (toEigen(c.position) - centre).cross(f);
  }
  EXPECT_LT((force - Eigen::Vector3d(0, 0, robot->getTotalMass() * gravity)).norm(), 1e-5);
  EXPECT_LT(moment.norm(), 1e-5);
  // The PD's own law at rest: tau = kp (q_ref - q).
  const Eigen::VectorXd error =
      nominal("strider").tail(12) - robot->getGeneralizedCoordinate().tail(12);
  EXPECT_LT((robot->getAppliedGeneralizedForce().tail(12) - 300 * error).norm(), 1e-6);
}

TEST(Robots, StriderLandsWithoutSinkingIn) {
  const Stand s = stand(Scheme::MIDPOINT, 0.0025, 0.5, 300, 8, 3);
  EXPECT_EQ(s.flagged, 0);
  EXPECT_LT(s.penetration, 1e-5);
}

// Many contacts of one tree, and limits: in a few steps of such a fall the solver stalls above its
// tolerance and says so; even then no contact is wrong by more than 0.01 mm/s.
TEST(Robots, BipedFalls) {
  for (const double gain : {300.0, 20.0}) {
    World world;
    world.addGround();
    ArticulatedSystem* biped = addRobot(world, "biped", gain, gain / 30, {0, 0, 0.02});
    double residual = 0, deep = 0, fastest = 0;
    int flagged = 0;
    for (int i = 0; i < 3000; ++i) {
      const StepReport& report = world.integrate();
      ASSERT_EQ(report.flags & ~static_cast<std::uint32_t>(StepFlag::SolverNotConverged), 0u);
      flagged += report.flags != 0;
      residual = std::max(residual, report.residual);
      deep = std::max(deep, report.penetration);
      if (i > 2500)
        fastest = std::max(fastest, biped->getGeneralizedVelocity().cwiseAbs().maxCoeff());
    }
    EXPECT_LE(flagged, 30) << "of 3000 steps";
    EXPECT_LT(residual, 1e-5);
    EXPECT_LT(deep, 1e-3);
    EXPECT_LT(biped->getGeneralizedCoordinate()[2], 0.5) << "it lies";
    EXPECT_LT(fastest, 1);
  }
}

TEST(Robots, StriderFallsOnAnother) {
  World world;
  world.addGround();
  addRobot(world, "strider", 300, 10);
  addRobot(world, "strider", 300, 10, {0.05, 0.1, 0.75});
  int between = 0, flagged = 0;
  double deep = 0, residual = 0;
  for (int i = 0; i < 2000; ++i) {
    const StepReport& report = world.integrate();
    ASSERT_EQ(report.flags & ~static_cast<std::uint32_t>(StepFlag::SolverNotConverged), 0u);
    flagged += report.flags != 0;
    residual = std::max(residual, report.residual);
    deep = std::max(deep, report.penetration);
    for (const Contact& c : world.contacts())
      between += c.objectA != c.objectB && c.typeA == BodyType::DYNAMIC &&
                 c.typeB == BodyType::DYNAMIC && c.isActive();
  }
  EXPECT_GT(between, 100);
  EXPECT_LE(flagged, 20) << "of 2000 steps";
  EXPECT_LT(residual, 1e-5);
  EXPECT_LT(deep, 5e-3);
}

// Wavy terrain: it comes to rest on three feet or four, each on the surface.
TEST(Robots, StriderStandsOnAHeightfield) {
  World world;
  auto data = std::make_shared<HeightfieldData>();
  *data = {41, 41, 4, 4, {}};
  for (int y = 0; y < 41; ++y)
    for (int x = 0; x < 41; ++x)
      data->heights.push_back(0.03 * std::sin(0.5 * x) * std::cos(0.4 * y));
  world.addBody(fixedShape("terrain", Heightfield{data}));
  ArticulatedSystem* robot = addRobot(world, "strider", 300, 10, {0, 0, 0.05});
  int flagged = 0;
  for (int i = 0; i < 15000; ++i) flagged += world.integrate().flags != 0;
  EXPECT_EQ(flagged, 0);
  EXPECT_GE(world.report().activeContacts, 3);
  EXPECT_LT(robot->getGeneralizedVelocity().norm(), 1e-6);
  EXPECT_LT(world.report().penetration, 1e-6);
}

// A body whose shape is a mesh (its convex hull) against the plane: a cube as triangles behaves as
// a box.
TEST(Robots, MeshBodyRestsOnTheGround) {
  auto cube = std::make_shared<TriangleMesh>();
  for (int i = 0; i < 8; ++i)
    cube->vertices.push_back({i & 1 ? 0.1 : -0.1, i & 2 ? 0.1 : -0.1, i & 4 ? 0.1 : -0.1});
  cube->triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                     {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  World world;
  world.addGround();
  ArticulatedSystem* body = world.addArticulatedSystem(freeBody("cube", MeshShape{"", cube}, 3));
  place(*body, {0, 0, 0.3}, {0, 0, 0}, {0, 0, 1});
  for (int i = 0; i < 2000; ++i) ASSERT_EQ(world.integrate().flags, 0u) << i;
  EXPECT_EQ(world.report().contacts, 4);
  EXPECT_NEAR(body->getGeneralizedCoordinate()[2], 0.1, 1e-6);
  EXPECT_LT(body->getGeneralizedVelocity().norm(), 1e-7);
}

}  // namespace
}  // namespace espalier::testing

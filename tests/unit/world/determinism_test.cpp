// The same world gives the same bits, whoever else is in it and whatever was before.

#include <gtest/gtest.h>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

/// A strider dropped a little askew: it lands, slips and settles.
ArticulatedSystem* addFallingStrider(World& world, const Eigen::Vector3d& offset) {
  ArticulatedSystem* robot = addRobot(world, "strider", 100, 2, offset);
  Eigen::VectorXd u = Eigen::VectorXd::Zero(18);
  u.head<6>() << 0.5, 0.2, 0, 0.4, -0.3, 0.2;
  robot->setGeneralizedVelocity(u);
  return robot;
}

TEST(Determinism, TheSameRunTwice) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT}) {
    World a, b;
    for (World* world : {&a, &b}) {
      world->setIntegrationScheme(scheme);
      world->addGround();
      addFallingStrider(*world, {0, 0, 0.1});
      addRobot(*world, "biped", 100, 2, {2, 0, 0.1});
    }
    b.setEnergyMonitoring(true);  // looking on changes nothing
    for (int i = 0; i < 600; ++i) {
      a.integrate();
      b.integrate();
      ASSERT_EQ(a.stateHash(), b.stateHash()) << i;
    }
    EXPECT_GT(a.report().activeContacts, 4);
  }
}

TEST(Determinism, TheHashSeesEveryBit) {
  World world;
  ArticulatedSystem* ball = world.addArticulatedSystem(freeBody("ball", SphereShape{0.1}, 1));
  const std::uint64_t before = world.stateHash();
  Eigen::VectorXd q = ball->getGeneralizedCoordinate(), u = ball->getGeneralizedVelocity();
  u[5] = 1e-300;
  ball->setGeneralizedVelocity(u);
  EXPECT_NE(world.stateHash(), before);
  ball->setGeneralizedVelocity(Eigen::VectorXd::Zero(6));
  EXPECT_EQ(world.stateHash(), before);
}

// Far away, other robots fall, tumble and touch each other; ours does not notice.
TEST(Determinism, NeighboursDoNotMatter) {
  World alone, crowd;
  for (World* world : {&alone, &crowd}) world->addGround();
  ArticulatedSystem* a = addFallingStrider(alone, {0, 0, 0.1});
  ArticulatedSystem* b = addFallingStrider(crowd, {0, 0, 0.1});
  addFallingStrider(crowd, {50, 0, 0.3});
  addRobot(crowd, "biped", 1, 0.1, {60, 0, 0.1});
  place(*crowd.addArticulatedSystem(freeBody("box", BoxShape{{0.3, 0.2, 0.1}}, 1)), {50, 0, 1.5});
  for (int i = 0; i < 800; ++i) {
    alone.integrate();
    crowd.integrate();
    ASSERT_EQ(a->getGeneralizedCoordinate(), b->getGeneralizedCoordinate()) << i;
    ASSERT_EQ(a->getGeneralizedVelocity(), b->getGeneralizedVelocity()) << i;
  }
}

// A robot that joins later finds the others as they are, and they go on as if alone.
TEST(Determinism, JoiningLaterLeavesTheOthers) {
  World alone, joined;
  for (World* world : {&alone, &joined}) {
    world->addGround();
    addFallingStrider(*world, {0, 0, 0.1});
  }
  for (int i = 0; i < 300; ++i) {
    if (i == 150) addRobot(joined, "strider", 100, 2, {30, 0, 0.01});
    alone.integrate();
    joined.integrate();
  }
  EXPECT_EQ(alone.system(0)->getGeneralizedCoordinate(),
            joined.system(0)->getGeneralizedCoordinate());
}

// The order of the joints is a matter of the file: another jointOrder, the same motion.
TEST(Determinism, JointOrderIsOnlyANumbering) {
  const SystemSpec plain = modelSpec("strider");
  SystemSpec turned = plain;
  for (const JointSpec& j : plain.joints)
    if (j.kind != JointKind::Fixed) turned.jointOrder.insert(turned.jointOrder.begin(), j.name);
  World a, b;
  for (World* world : {&a, &b}) world->addGround();
  ArticulatedSystem* first = a.addArticulatedSystem(plain);
  ArticulatedSystem* second = b.addArticulatedSystem(turned);
  ASSERT_NE(first->getMovableJointNames(), second->getMovableJointNames());

  // place[i]: where the second keeps the dof that the first has at i.
  const auto names = first->getMovableJointNames(), other = second->getMovableJointNames();
  std::vector<int> place(18);
  for (int d = 0; d < 6; ++d) place[d] = d;
  for (std::size_t i = 1; i < names.size(); ++i)  // after the base
    place[5 + i] =
        5 + static_cast<int>(std::find(other.begin(), other.end(), names[i]) - other.begin());
  const auto reordered = [&](const Eigen::VectorXd& v, int extra) {
    Eigen::VectorXd w = v;
    for (int d = 6; d < 18; ++d) w[place[d] + extra] = v[d + extra];
    return w;
  };
  Eigen::VectorXd q = nominal("strider"), u = Eigen::VectorXd::Zero(18),
                  kp = jointGains(*first, 90);
  q[2] += 0.02;
  for (int d = 6; d < 18; ++d) {
    q[d + 1] += 0.01 * d;
    u[d] = 0.1 * d;
    kp[d] += d;
  }
  const Eigen::VectorXd kd = 0.02 * kp, tau = 0.1 * u;
  first->setState(q, u);
  second->setState(reordered(q, 1), reordered(u, 0));
  first->setPdGains(kp, kd);
  second->setPdGains(reordered(kp, 0), reordered(kd, 0));
  first->setPdTarget(q, u);
  second->setPdTarget(reordered(q, 1), reordered(u, 0));
  first->setGeneralizedForce(tau);
  second->setGeneralizedForce(reordered(tau, 0));
  for (ArticulatedSystem* robot : {first, second})
    robot->setControlMode(ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
  for (int i = 0; i < 300; ++i) {
    a.integrate();
    b.integrate();
    ASSERT_LT((reordered(first->getGeneralizedCoordinate(), 1) - second->getGeneralizedCoordinate())
                  .norm(),
              1e-9)
        << i;
  }
  EXPECT_LT(
      (reordered(first->getAppliedGeneralizedForce(), 0) - second->getAppliedGeneralizedForce())
          .norm(),
      1e-6);
}

}  // namespace
}  // namespace espalier::testing

// A step, judged from outside: the equation of motion put together from the public getters alone,
//   M (u+ - u) = dt (tau + tau_ext - h) + sum J_c' lambda_c
// with every contact's impulse as contacts() reports it. Contacts with the ground, between systems
// and within one system must all fit, action and reaction.

#include <gtest/gtest.h>

#include "espalier/model/coordinates.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

/// J' (wrench at a point of a body) for every body of a system, taken between the halves.
class Transposes {
 public:
  explicit Transposes(const ArticulatedSystem& s) {
    for (int b = 0; b < s.model().nb(); ++b) {
      origin_.push_back(toEigen(s.getBodyPose(b).p));
      if (b == 0) {
        linear_.push_back(Eigen::MatrixXd::Zero(3, s.getDOF()));
        angular_.push_back(Eigen::MatrixXd::Zero(3, s.getDOF()));
        if (!s.model().topology.floating) continue;
        linear_[0].leftCols<3>().setIdentity();
        angular_[0].middleCols<3>(3).setIdentity();
        continue;
      }
      const int frame = s.getFrameIdxByName(s.model().bodies[b].joint);
      linear_.push_back(s.getDenseFrameJacobian(frame));
      angular_.push_back(s.getDenseFrameRotationalJacobian(frame));
    }
  }
  Eigen::VectorXd of(int body, const Eigen::Vector3d& point, const Eigen::Vector3d& f) const {
    return linear_[body].transpose() * f +
           angular_[body].transpose() * (point - origin_[body]).cross(f);
  }

 private:
  std::vector<Eigen::Vector3d> origin_;
  std::vector<Eigen::MatrixXd> linear_, angular_;
};

struct Balance {
  double worst = 0;  ///< largest error of the equation, relative to the largest impulse
  int ground = 0, between = 0, within = 0;
};

/// Steps a world whose joints stay off their limits.
Balance balanceOf(World& world, int steps) {
  Balance balance;
  const bool midpoint = world.getIntegrationScheme() == Scheme::MIDPOINT;
  const double dt = world.getTimeStep();
  // A second set of the same systems, to ask for h at other velocities.
  World mirror;
  mirror.setGravity(world.getGravity());
  const int n = world.systemCount();
  for (int s = 0; s < n; ++s)
    mirror.addArticulatedSystem(std::make_shared<const Model>(world.system(s)->model()));

  for (int i = 0; i < steps; ++i) {
    std::vector<Eigen::VectorXd> q, u, error;
    std::vector<Eigen::MatrixXd> M;
    std::vector<Transposes> J;
    for (int s = 0; s < n; ++s) {
      q.push_back(world.system(s)->getGeneralizedCoordinate());
    }
    world.integrate1();
    for (int s = 0; s < n; ++s) {
      u.push_back(world.system(s)->getGeneralizedVelocity());  // its momentum put right
      M.push_back(world.system(s)->getMassMatrix());
      J.emplace_back(*world.system(s));
    }
    EXPECT_EQ(world.report().limits, 0) << "this scene is not for limits, step " << i;
    world.integrate2();
    double size = 1e-3;
    for (int s = 0; s < n; ++s) {
      const ArticulatedSystem& sys = *world.system(s);
      const Eigen::VectorXd next = sys.getGeneralizedVelocity(), mean = (u[s] + next) / 2;
      Eigen::VectorXd at = q[s];
      if (midpoint) {
        const Eigen::VectorXd step = dt / 2 * u[s];
        advance(sys.model().topology, q[s].data(), step.data(), at.data());
      }
      mirror.system(s)->setState(at, midpoint ? mean : u[s]);
      Eigen::VectorXd force = sys.getAppliedGeneralizedForce();
      for (int b = 1; b < sys.model().nb(); ++b) {
        const BodyTopology& t = sys.model().topology.bodies[b];
        const double damping = sys.model().bodies[b].dynamics.damping;
        for (int d = t.u; d < t.u + t.nv; ++d) force[d] -= damping * (midpoint ? mean : next)[d];
      }
      error.push_back(M[s] * (next - u[s]) - dt * (force - mirror.system(s)->getNonlinearities()));
      size = std::max(size, (M[s] * (next - u[s])).cwiseAbs().maxCoeff());
    }
    for (const Contact& c : world.contacts()) {
      const Eigen::Vector3d p = toEigen(c.position), f = impulseOn(c);
      const int a = systemOf(world, c.objectA), b = systemOf(world, c.objectB);
      if (a >= 0) error[a] -= J[a].of(c.bodyA, p, f);
      if (b >= 0) error[b] += J[b].of(c.bodyB, p, f);
      if (!c.isActive()) continue;
      const bool ground = a < 0 || b < 0;
      (ground ? balance.ground : a == b ? balance.within : balance.between)++;
    }
    for (int s = 0; s < n; ++s)
      balance.worst = std::max(balance.worst, error[s].cwiseAbs().maxCoeff() / size);
  }
  return balance;
}

class MotionEquation : public ::testing::TestWithParam<Scheme> {
 protected:
  void SetUp() override { world.setIntegrationScheme(GetParam()); }
  World world;
  // The second solve of MIDPOINT takes h at the mean velocity of the first, so that the equation
  // holds up to what the second pass changed h by.
  double tolerance() const { return GetParam() == Scheme::MIDPOINT ? 1e-4 : 1e-10; }
};
INSTANTIATE_TEST_SUITE_P(Schemes, MotionEquation,
                         ::testing::Values(Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT),
                         [](const auto& scheme) {
                           return scheme.param == Scheme::MIDPOINT ? "Midpoint" : "SemiImplicit";
                         });

TEST_P(MotionEquation, RobotLandsOnTheGround) {
  world.addGround();
  addRobot(world, "strider", 100, 2, {0, 0, 0.05});
  world.system(0)->setGeneralizedVelocity(Eigen::VectorXd::Constant(18, 0.2));
  const Balance b = balanceOf(world, 300);
  EXPECT_LT(b.worst, tolerance());
  EXPECT_GT(b.ground, 400);
}

TEST_P(MotionEquation, RobotsCollide) {
  world.setGravity({0, 0, 0});
  addRobot(world, "strider", 100, 2);
  addRobot(world, "strider", 100, 2, {1.2, 0.1, 0.1});
  Eigen::VectorXd u = Eigen::VectorXd::Zero(18);
  u.head<6>() << -2, 0, 0, 0.3, 0.2, 0.5;
  world.system(1)->setGeneralizedVelocity(u);
  const Balance b = balanceOf(world, 500);
  EXPECT_LT(b.worst, tolerance());
  EXPECT_GT(b.between, 5);
}

TEST_P(MotionEquation, BodiesOfARobotCollide) {
  world.setGravity({0, 0, 0});
  ArticulatedSystem* robot = addRobot(world, "strider", 60, 2);
  Eigen::VectorXd target = nominal("strider");
  target[7] -= 0.8;  // left and right forelegs swing inwards
  target[10] += 0.8;
  robot->setPdTarget(target, Eigen::VectorXd::Zero(18));
  const Balance b = balanceOf(world, 300);
  EXPECT_LT(b.worst, tolerance());
  EXPECT_GT(b.within, 50);
}

TEST_P(MotionEquation, StackOfBoxes) {
  world.addGround();
  for (int i = 0; i < 3; ++i)
    place(*world.addArticulatedSystem(freeBody("box", BoxShape{{0.3, 0.3, 0.2}}, 2 + i)),
          {0.03 * i, 0, 0.1 + 0.21 * i}, {0.3, 0, 0});
  const Balance b = balanceOf(world, 300);
  EXPECT_LT(b.worst, tolerance());
  EXPECT_GT(b.ground, 300);
  EXPECT_GT(b.between, 600);
}

// Single bodies: the change of momentum is gravity and contact impulses, to rounding.
TEST(MotionEquation, LinearMomentumOfABody) {
  World world;
  world.setIntegrationScheme(Scheme::SEMI_IMPLICIT);
  world.addGround();
  ArticulatedSystem* box =
      world.addArticulatedSystem(freeBody("box", BoxShape{{0.3, 0.2, 0.1}}, 2));
  place(*box, {0, 0, 0.2}, {1, 0.5, -1}, {2, -1, 3});
  for (int i = 0; i < 500; ++i) {
    const Eigen::Vector3d before = box->getLinearMomentum();
    world.integrate();
    Eigen::Vector3d impulse{0, 0, -2 * gravity * 0.001};
    for (const Contact& c : world.contacts())
      impulse += impulseOn(c) * (systemOf(world, c.objectA) == 0 ? 1 : -1);
    ASSERT_LT((box->getLinearMomentum() - before - impulse).norm(), 1e-12) << i;
  }
}

}  // namespace
}  // namespace espalier::testing

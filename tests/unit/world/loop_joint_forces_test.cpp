// Forces within joints and accelerations of frames of robots with embedded loops. The second opinions: the same
// loop kept by rows of the contact problem, whose impulses the solver knows, and differences of velocities.

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/world/world.h"
#include "tests/support/bilateral.h"
#include "tests/support/four_bar.h"

namespace espalier::testing {
namespace {

constexpr double step = 1e-5;

SystemSpec withSprings(SystemSpec spec) {
  for (JointSpec& joint : spec.joints) {
    joint.dynamics.damping = 0.3;
    joint.dynamics.friction = 0.2;
  }
  return spec;
}

struct Setting {
  bool floats = false;
  LoopKind kind = LoopKind::REVOLUTE;
  Scheme scheme = Scheme::MIDPOINT;
};

/// A four-bar that moves, with dampers and dry friction in all its hinges and a push on its coupler.
class Linkage {
 public:
  Linkage(const Setting& setting, bool isEmbedded) {
    world_.setTimeStep(step);
    world_.setGravity({0, -9.81, 0});
    world_.setIntegrationScheme(setting.scheme);
    FourBarOptions options{.floats = setting.floats, .kind = setting.kind};
    SystemSpec spec = withSprings(fourBar(options));
    robot_ = world_.addArticulatedSystem(isEmbedded ? spec : bilateral(spec));
    robot_->setComputeInverseDynamics(true);
    World start;
    ArticulatedSystem* lead = start.addArticulatedSystem(spec);
    lead->setGeneralizedVelocity(Eigen::VectorXd::Constant(lead->getDOF(), 3.0));
    robot_->setSpanningCoordinate(lead->getSpanningCoordinate());
    robot_->setSpanningVelocity(lead->getSpanningVelocity());
    robot_->setExternalForce(robot_->getBodyIdx("coupler"), {4, 7, 0});
    before_ = angularVelocity();
    world_.integrate();
  }
  Vec<3> force(const char* joint) const {
    return robot_->getForceAtJointInWorldFrame(robot_->model().joint(joint));
  }
  Vec<3> torque(const char* joint) const {
    return robot_->getTorqueAtJointInWorldFrame(robot_->model().joint(joint));
  }
  double angularVelocity() const { return robot_->getFrameAngularVelocity("c")[2]; }
  double angularAcceleration() const { return robot_->getFrameAngularAcceleration("c")[2]; }
  double measured() const { return (angularVelocity() - before_) / step; }

 private:
  World world_;
  ArticulatedSystem* robot_ = nullptr;
  double before_ = 0;
};

TEST(LoopJointForces, AreThoseOfTheSameLoopInRows) {
  for (const bool floats : {false, true})
    for (const LoopKind kind : {LoopKind::POINT, LoopKind::REVOLUTE})
      // Rows of the other schemes are right over several steps only (docs/loops.md).
      for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::TRAPEZOID}) {
        const Setting setting{.floats = floats, .kind = kind, .scheme = scheme};
        const Linkage embedded(setting, true), rows(setting, false);
        for (const char* joint : {"a", "b", "c"}) {
          EXPECT_GT(rows.force(joint).norm(), 1);
          for (int axis : {0, 1})
            EXPECT_NEAR(embedded.force(joint)[axis], rows.force(joint)[axis], 2e-2) << joint;
          // Dampers and dry friction, and nothing of the pin
          EXPECT_NEAR(embedded.torque(joint)[2], rows.torque(joint)[2], 2e-3) << joint;
          EXPECT_GT(std::abs(rows.torque(joint)[2]), 0.2);
        }
      }
}

TEST(LoopJointForces, AccelerationsAreThoseOfTheMotion) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::TRAPEZOID, Scheme::SEMI_IMPLICIT}) {
    const Linkage linkage({.scheme = scheme}, true);
    EXPECT_GT(std::abs(linkage.measured()), 1);
    EXPECT_NEAR(linkage.angularAcceleration(), linkage.measured(), 1e-2);
  }
}

}  // namespace
}  // namespace espalier::testing

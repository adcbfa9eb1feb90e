#include "espalier/server/drag.h"

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/robot/single_body.h"
#include "tests/support/source_folder.h"

namespace espalier {
namespace {

const std::string models = sourceFolder() + "/models/";

TEST(Drag, LawIsAsStiffAsTheMassWantsAndTheStepBears) {
  const DragLaw law = DragLaw::of(10, 10, 0.001);
  EXPECT_NEAR(law.stiffness, 1000, 1e-9);
  EXPECT_NEAR(law.damping, 200, 1e-9);  // critical
  EXPECT_NEAR(law.force({0, 0, 0}, {0, 0, 0}, {0.5, 0, 0}).x, 500, 1e-9);
  EXPECT_NEAR(law.force({0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}).x, 300, 1e-9);
  EXPECT_NEAR(norm(law.force({0, 0, 0}, {0, 0, 0}, {3e3, 4e3, 0})), 1000, 1e-9);
  // A light finger of a heavy robot, at a long step: an explicit spring has to be softer.
  const DragLaw light = DragLaw::of(50, 0.05, 0.01);
  EXPECT_LT(light.stiffness * 0.01 * 0.01 / 0.05, 1);
  EXPECT_LT(light.damping * 0.01 / 0.05, 1);
}

TEST(Drag, BringsABodyToItsTargetAndHoldsItAgainstGravity) {
  World world;
  Box* box = world.addBox(0.2, 0.1, 0.1, 3);
  std::optional<Drag> drag = Drag::start(world, *box, 0, {0.1, 0, 0});
  ASSERT_TRUE(drag);
  drag->moveTo({0.5, 0.2, 1});
  for (int i = 0; i < 20000; ++i) {
    ASSERT_TRUE(drag->apply());
    world.integrate();
  }
  const Eigen::Vector3d hand =
      box->getPosition() + box->getRotationMatrix() * Eigen::Vector3d(0.1, 0, 0);
  EXPECT_NEAR(hand.x(), 0.5, 0.02);
  EXPECT_NEAR(hand.z(), 1 - 9.81 / 100, 0.03);  // m g / k below
  world.removeObject(box);
  EXPECT_FALSE(drag->apply());
}

TEST(Drag, EveryBodyOfARobotCanBePulledWithoutBlowingUp) {
  for (const double dt : {0.001, 0.005}) {
    World world;
    world.setTimeStep(dt);
    ArticulatedSystem* robot = world.addArticulatedSystem(models + "strider/strider.urdf");
    for (int body = 0; body < robot->model().nb(); ++body) {
      std::optional<Drag> drag = Drag::start(world, *robot, body, {0.05, 0, 0.02});
      ASSERT_TRUE(drag);
      drag->moveTo({0.3, 0, 1});
      for (int i = 0; i < 400; ++i) {
        drag->apply();
        world.integrate();
        ASSERT_LT(robot->getGeneralizedVelocity().cwiseAbs().maxCoeff(), 1000)
            << "body " << body << ", dt " << dt;
      }
      world.reset();
    }
  }
}

TEST(Drag, FixedBodiesCannotBePulled) {
  World world;
  Ground* ground = world.addGround();
  Box* wall = world.addBox(1, 1, 1, 1);
  wall->setBodyType(BodyType::STATIC);
  EXPECT_FALSE(Drag::start(world, *ground, 0, {0, 0, 0}));
  EXPECT_FALSE(Drag::start(world, *wall, 0, {0, 0, 0}));
  ArticulatedSystem* arm =
      world.addArticulatedSystem(models + "double_pendulum/double_pendulum.urdf");
  EXPECT_FALSE(Drag::start(world, *arm, 0, {0, 0, 0}));
  const std::optional<Drag> drag = Drag::start(world, *arm, 1, {0, 0, -0.1});
  ASSERT_TRUE(drag);
  EXPECT_TRUE(drag->isAt(*arm, 1, {0, 0, -0.1}));
  EXPECT_FALSE(drag->isAt(*arm, 2, {0, 0, -0.1}));
}

}  // namespace
}  // namespace espalier

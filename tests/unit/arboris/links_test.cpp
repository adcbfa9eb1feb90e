// Robots built from joint objects, as arboris' World.add_link builds them.

#include <gtest/gtest.h>

#include <limits>

#include "espalier/compat/arboris/pd_controller.h"
#include "espalier/compat/arboris/weight_controller.h"
#include "tests/support/random_tree.h"
#include "tests/unit/arboris/scenes.h"

namespace espalier::testing {
namespace {

using sim::Body;
using sim::Matrix6x6;
using sim::SubFrame;
using sim::WeightController;

/// 6x6 matrix about the body's frame, as arboris has it.
Matrix6x6 massMatrix(double m, const Eigen::Vector3d& c, const Eigen::Vector3d& about) {
  Matrix6x6 M;
  M << Eigen::Matrix3d(about.asDiagonal()) - m * skewOf(c) * skewOf(c), m * skewOf(c),
      -m * skewOf(c), m * Eigen::Matrix3d::Identity();
  return M;
}
Transformd moved(double x, double y, double z) { return {identity3<double>(), {x, y, z}}; }

/// arboris' simplearm: hinges about z, y up.
struct LinkedArm {
  World world;
  Simulation simulation{world};
  RzJoint *shoulder, *elbow, *wrist;

  LinkedArm() {
    world.setGravity({0, -9.81, 0});
    const auto box = [](double length, double m) {
      const double w = length / 10, across = m * (length * length + w * w) / 12;
      return massMatrix(m, {0, length / 2, 0}, {across, m * w * w / 6, across});
    };
    Body& arm = simulation.addBody("Arm", box(0.5, 1.0));
    Body& forearm = simulation.addBody("Forearm", box(0.4, 0.8));
    Body& hand = simulation.addBody("Hand", box(0.2, 0.2));
    shoulder = &simulation.addLink(simulation.ground(), RzJoint(0.5, 2.5), arm, "Shoulder");
    elbow = &simulation.addLink(simulation.add<SubFrame>(arm, moved(0, 0.5, 0)), RzJoint(1, -1),
                                forearm);
    wrist = &simulation.addLink(simulation.add<SubFrame>(forearm, moved(0, 0.4, 0)),
                                RzJoint(2.0 / 3, -0.5), hand);
    simulation.add<WeightController>();
  }
};

// M of arboris' simplearm at its test's state (arboris-python 75e7d8d, test_update_dynamic).
TEST(Links, ASimplearmHasItsMassMatrix) {
  LinkedArm arm;
  arm.simulation.updateDynamic();
  Eigen::Matrix3d M;
  M << 0.5513206119538305, 0.15389990406313087, 0.008003195939405166, 0.15389990406313087,
      0.09002086283909785, 0.008960431419548921, 0.008003195939405166, 0.008960431419548921,
      0.002673333333333334;
  EXPECT_LT((arm.simulation.massMatrix() - M).norm(), 1e-14);
  EXPECT_EQ(arm.simulation.gvel(), Eigen::Vector3d(2.5, -1, -0.5));
  EXPECT_EQ(arm.world.systemCount(), 1);
  EXPECT_EQ(arm.simulation.dofs({"Shoulder", "HandJoint"}), (std::vector<int>{0, 2}));
  EXPECT_EQ(arm.simulation.body("Forearm").getName(), "Forearm");
}

TEST(Links, JointObjectsFollowTheStateAndChangeIt) {
  LinkedArm arm;
  Simulation& s = arm.simulation;
  simulate(s, timeline(1e-3, 50));
  const Eigen::VectorXd q = arm.world.system(0)->getGeneralizedCoordinate();
  EXPECT_NE(q[0], 0.5);
  EXPECT_EQ(arm.shoulder->gpos()[0], q[0]);
  EXPECT_EQ(arm.elbow->gpos()[0], q[1]);
  EXPECT_EQ(arm.wrist->gpos()[0], q[2]);
  EXPECT_EQ(arm.wrist->gvel()[0], s.gvel()[2]);

  arm.elbow->setGpos(0.25);
  arm.wrist->setGvel(3);
  s.updateDynamic();
  EXPECT_EQ(arm.world.system(0)->getGeneralizedCoordinate()[1], 0.25);
  EXPECT_EQ(s.gvel()[2], 3);
  EXPECT_EQ(s.gpos(0), q[0]);
  // The World's own setters are seen, too.
  arm.world.system(0)->setGeneralizedCoordinate({0.1, 0.2, 0.3});
  s.updateDynamic();
  EXPECT_EQ(arm.shoulder->gpos()[0], 0.1);
}

// The same robot as a SystemSpec of ours: every joint class, frames off the bodies' frames, a free
// base, a massless body; the same motion to rounding.
TEST(Links, MoveAsTheSameRobotFromASpec) {
  const double m = 0.8;
  const Eigen::Vector3d c(0.05, -0.1, 0.02), I(0.02, 0.03, 0.025);
  const Transformd out{rotationFromRpy({0.3, -0.2, 0.5}), {0.1, 0.2, 0.3}};
  const Transformd off{rotationFromRpy({-0.4, 0.1, 0.2}), {-0.05, 0.02, 0.1}};
  const Matrix4 start = poseMatrix({rotationFromRpy({0.2, 0.4, -0.3}), {1, 2, 3}});
  const Twist rate{0.4, -0.3, 0.8, 1, -0.5, 0.2};

  World linked;
  Simulation one(linked);
  Body& base = one.addBody("base", massMatrix(m, c, I));
  FreeJoint& free = one.addLink(one.ground(), FreeJoint(start, rate), base);
  const std::vector<std::string> names{"a", "b", "c", "d"};
  Body* parent = &base;
  std::vector<Body*> bodies;
  for (const std::string& name : names) {
    Body& body = name == "b" ? one.addBody(name, Matrix6x6(Matrix6x6::Zero()))
                             : one.addBody(name, massMatrix(m, c, I));
    SubFrame& r = one.add<SubFrame>(*parent, out);
    SubFrame& n = one.add<SubFrame>(body, off);
    if (name == "a") one.addLink(r, RzRyRxJoint({0.1, 0.2, 0.3}, {0.5, -1, 0.7}), n);
    if (name == "b") one.addLink(r, RyRxJoint({-0.3, 0.4}, {1, 0.2}), n);
    if (name == "c") one.addLink(r, TxTyTzJoint({0.1, 0, -0.1}, {0.2, 0.3, 0.1}), n);
    if (name == "d") one.addLink(r, RxJoint(0.7, -1.5), n);
    bodies.push_back(parent = &body);
  }
  one.add<WeightController>();

  // A link's frame is its joint's: c's frame is inverse(off) in it.
  const Transformd L = inverse(off);
  SystemSpec spec;
  spec.name = "same";
  const auto addLink = [&](const std::string& name, const Transformd& X_LB) {
    LinkSpec& link = spec.links.emplace_back();
    link.name = name;
    if (name != "b")
      link.inertial =
          InertialSpec{m, X_LB * moved(c.x(), c.y(), c.z()), {I.x(), 0, 0, I.y(), 0, I.z()}};
  };
  addLink("base", identityTransform<double>());
  for (const std::string& name : names) addLink(name, L);
  spec.joints = {
      RzRyRxJoint().spec("aJoint", "base", "a", out), RyRxJoint().spec("bJoint", "a", "b", L * out),
      TxTyTzJoint().spec("cJoint", "b", "c", L * out), RxJoint().spec("dJoint", "c", "d", L * out)};
  World written;
  ArticulatedSystem* robot = written.addArticulatedSystem(spec);
  Simulation two(written);
  two.add<WeightController>();
  const Quat<double> o = quaternion(poseOf(start).R);
  VecDyn q = robot->getGeneralizedCoordinate();
  q << 1, 2, 3, o.w, o.x, o.y, o.z, 0.1, 0.2, 0.3, -0.3, 0.4, 0.1, 0, -0.1, 0.7;
  robot->setGeneralizedCoordinate(q);
  Eigen::VectorXd nu(15);
  nu << 0.4, -0.3, 0.8, 1, -0.5, 0.2, 0.5, -1, 0.7, 1, 0.2, 0.2, 0.3, 0.1, -1.5;
  two.setGvel(nu);

  simulate(one, timeline(2e-3, 100));
  simulate(two, timeline(2e-3, 100));
  EXPECT_LT((one.gvel() - two.gvel()).norm(), 1e-12);
  EXPECT_LT(
      (linked.system(0)->getGeneralizedCoordinate() - robot->getGeneralizedCoordinate()).norm(),
      1e-12);
  one.updateDynamic();
  two.updateDynamic();
  // The frame of the body itself, off the link's, and the joint object of the floating base.
  const Transformd X = bodies[0]->pose(), Y = two.body("a").pose() * L;
  EXPECT_LT(norm(X.p - Y.p), 1e-12);
  EXPECT_LT(norm(X.R.r0 - Y.R.r0), 1e-12);
  const Transformd X_base = two.body("base").pose();
  EXPECT_LT(norm(poseOf(free.gpos()).p - X_base.p), 1e-12);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(free.gvel()[i], two.gvel()[i], 1e-12);
}

// Frame 0 of a floating base off the ground's origin: gpos stays H_rn.
TEST(Links, AFreeJointsFrameMayStandAnywhereOnTheGround) {
  World world;
  Simulation simulation(world);
  const Transformd r{rotationFromRpy({0.3, 0.2, 0.1}), {1, 0, 2}};
  FreeJoint& free = simulation.addLink(
      simulation.add<SubFrame>(simulation.ground(), r), FreeJoint(poseMatrix(moved(0, 0, 1))),
      simulation.addBody("ball", massMatrix(1, {0, 0, 0}, {0.1, 0.1, 0.1})));
  simulation.init();
  EXPECT_LT(norm(simulation.body("ball").pose().p - r * Vec3d{0, 0, 1}), 1e-15);
  EXPECT_NEAR(free.gpos()[2][3], 1, 1e-15);
  EXPECT_NEAR(free.gpos()[0][0], 1, 1e-15);
}

TEST(Links, SeveralRobotsAndOnesThatAreThere) {
  World world;
  world.addArticulatedSystem(hangingArm(2));
  Simulation simulation(world);
  const Matrix6x6 rod = massMatrix(1, {0, 0, -0.25}, {0.02, 0.02, 0.001});
  RyJoint& first =
      simulation.addLink(simulation.ground(), RyJoint(0.3), simulation.addBody("one", rod));
  simulation.addLink(simulation.ground(), RyJoint(0.1), simulation.addBody("two", rod));
  simulation.init();
  EXPECT_EQ(world.systemCount(), 3);
  EXPECT_EQ(simulation.ndof(), 4);
  EXPECT_EQ(simulation.dofs({"oneJoint"}), (std::vector<int>{2}));
  // More may come later; those that are there keep their state.
  first.setGpos(0.7);
  simulation.addLink(simulation.ground(), TzJoint(0.2), simulation.addBody("three", rod));
  simulation.init();
  EXPECT_EQ(simulation.ndof(), 5);
  EXPECT_EQ(simulation.gpos(2), 0.7);
  EXPECT_EQ(simulation.gpos(4), 0.2);
}

TEST(Links, AJointThatOthersOwnFollowsTheStateToo) {
  World world;
  Simulation simulation(world);
  const auto joint = std::make_shared<RyJoint>(0.3);
  const Matrix6x6 rod = massMatrix(1, {0, 0, -0.25}, {0.02, 0.02, 0.001});
  EXPECT_EQ(&simulation.addLink(simulation.ground(), joint, simulation.addBody("rod", rod)),
            joint.get());
  simulation.add<WeightController>();
  simulate(simulation, timeline(1e-3, 20));
  EXPECT_LT(joint->gvel()[0], 0);
  EXPECT_EQ(joint->gvel()[0], simulation.gvel()[0]);
  joint->setGpos(0.7);
  simulation.updateDynamic();
  EXPECT_EQ(simulation.gpos(0), 0.7);
}

// In the World's own scheme linked joints move, and follow, too.
TEST(Links, InAStepOfTheWorld) {
  World world;
  Simulation simulation(world, sim::Stepping::WORLD);
  RyJoint& joint = simulation.addLink(
      simulation.ground(), RyJoint(0.5, 0.1),
      simulation.addBody("rod", massMatrix(1, {0, 0, -0.25}, {0.02, 0.02, 0.001})));
  simulate(simulation, timeline(1e-3, 20));
  EXPECT_EQ(joint.gpos()[0], world.system(0)->getGeneralizedCoordinate()[0]);
  EXPECT_EQ(joint.gvel()[0], world.system(0)->getGeneralizedVelocity()[0]);
  EXPECT_LT(joint.gvel()[0], 0.1);
}

TEST(Links, MisuseIsRefusedAndChangesNothing) {
  World world;
  world.addArticulatedSystem(hangingArm(1));
  Simulation simulation(world);
  World otherWorld;
  Simulation other(otherWorld);
  const Matrix6x6 rod = massMatrix(1, {0, 0, -0.25}, {0.02, 0.02, 0.001});
  Body& body = simulation.addBody("rod", rod);
  Body& loose = simulation.addBody("loose", rod);
  auto& slider = simulation.add<sim::MovingSubFrame>(body, identityTransform<double>());
  EXPECT_THROW(simulation.addBody("rod", rod), std::invalid_argument);
  EXPECT_THROW(simulation.addBody("link0", rod), std::invalid_argument);
  EXPECT_THROW(simulation.addBody("", rod), std::invalid_argument);
  Matrix6x6 wrong = rod;
  wrong(0, 4) += 0.1;
  EXPECT_THROW(simulation.addBody("wrong", wrong), std::invalid_argument);
  wrong = rod;
  wrong(5, 5) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(simulation.addBody("wrong", wrong), std::invalid_argument);
  const auto refused = [&](const sim::Frame& frame0, const sim::Frame& frame1) {
    EXPECT_THROW(simulation.addLink(frame0, RzJoint(), frame1), std::invalid_argument);
  };
  refused(body, loose);                                    // nobody carries frame 0's body
  refused(simulation.body("link0"), body);                 // compiled already
  refused(simulation.ground(), simulation.ground());       // no body of addBody()
  refused(simulation.ground(), simulation.body("link0"));  // carried already
  refused(simulation.ground(), slider);                    // moves on its body
  refused(other.ground(), body);                           // another Simulation's
  simulation.addLink(simulation.ground(), RzJoint(), body);
  refused(simulation.ground(), body);  // twice
  // A body that cannot move: told when it is compiled, and the World stays as it was.
  Body& nothing = simulation.addBody("nothing", Matrix6x6(Matrix6x6::Zero()));
  simulation.addLink(body, RzJoint(), nothing);
  EXPECT_THROW(simulation.init(), std::invalid_argument);
  EXPECT_EQ(world.systemCount(), 1);
}

}  // namespace
}  // namespace espalier::testing

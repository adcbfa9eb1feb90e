// Live editing: when each edit takes effect, that an edited robot is the one of the edited file,
// and what is refused.

#include "espalier/world/editing.h"

#include <gtest/gtest.h>
#include <ode/ode.h>

#include <functional>

#include "tests/support/random_spec.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

/// Two links on hinges under a floating trunk; every link is one body.
SystemSpec hopper() {
  SystemSpec spec = randomSpec(7, {.links = 3, .welds = false, .kinds = {JointKind::Revolute}});
  spec.name = "hopper";
  for (LinkSpec& link : spec.links) link.inertial->X_LC.R = identity3<double>();
  for (JointSpec& joint : spec.joints) joint.X_PJ.R = identity3<double>();
  return spec;
}

void start(ArticulatedSystem& robot) {
  Eigen::VectorXd q = robot.getGeneralizedCoordinate(), u(robot.getDOF());
  q[2] = 0.5;
  for (Eigen::Index i = 0; i < u.size(); ++i) u[i] = 0.25 * static_cast<double>(i % 3) - 0.25;
  robot.setState(q, u);
}

/// The same edit by reference and in the file.
struct Edit {
  const char* name;
  std::function<void(ArticulatedSystem&)> live;
  std::function<void(SystemSpec&)> file;
};

const Edit edits[] = {
    {"mass", [](ArticulatedSystem& r) { r.getMass()[1] = 5; },
     [](SystemSpec& s) { s.links[1].inertial->mass = 5; }},
    {"com", [](ArticulatedSystem& r) { r.getBodyCOM_B()[2] = Vec<3>(0.1, -0.2, 0.05); },
     [](SystemSpec& s) {
       s.links[2].inertial->X_LC.p = {0.1, -0.2, 0.05};
     }},
    {"inertia",
     [](ArticulatedSystem& r) {
       Eigen::Matrix3d I;
       I << 0.3, 0.01, 0, 0.01, 0.25, -0.02, 0, -0.02, 0.2;
       r.getInertia()[1] = I;
     },
     [](SystemSpec& s) { s.links[1].inertial->I = {0.3, 0.01, 0, 0.25, -0.02, 0.2}; }},
    {"jointPos", [](ArticulatedSystem& r) { r.getJointPos_P()[2][1] = 0.75; },
     [](SystemSpec& s) { s.joints[1].X_PJ.p.y = 0.75; }},
    {"jointOrientation",
     [](ArticulatedSystem& r) {
       Eigen::Matrix3d turn;  // a quarter about z
       turn << 0, -1, 0, 1, 0, 0, 0, 0, 1;
       r.getJointOrientation_P()[1] = turn;
       r.getJointAxis_P()[1] = Vec<3>(0, 1, 0);  // x of the turned frame
     },
     [](SystemSpec& s) {
       s.joints[0].X_PJ.R = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
       s.joints[0].axes[0] = {1, 0, 0};
     }},
    {"jointAxis", [](ArticulatedSystem& r) { r.getJointAxis_P()[2] = Vec<3>(0.5, 0.25, -1); },
     [](SystemSpec& s) {
       s.joints[1].axes[0] = {0.5, 0.25, -1};
     }},
    {"rotor",
     [](ArticulatedSystem& r) {
       VecDyn rotor = r.getRotorInertia();
       rotor[7] = 0.5;
       r.setRotorInertia(rotor);
     },
     [](SystemSpec& s) { s.joints[1].dynamics.rotorInertia = 0.5; }},
    {"collisionBody",
     [](ArticulatedSystem& r) { r.getCollisionBody("link0/0").posOffset = Vec<3>(0, 0, -0.75); },
     [](SystemSpec& s) {
       s.links[0].collisions[0].X_LG.p = {0, 0, -0.75};
     }},
};

TEST(Editing, AnEditedRobotIsTheOneOfTheEditedFile) {
  for (const Edit& edit : edits) {
    SystemSpec edited = hopper();
    edit.file(edited);
    World live, file, plain;
    ArticulatedSystem* robot = live.addArticulatedSystem(hopper());
    ArticulatedSystem* recompiled = file.addArticulatedSystem(edited);
    start(*plain.addArticulatedSystem(hopper()));
    start(*recompiled);
    start(*robot);
    edit.live(*robot);
    for (World* world : {&live, &file, &plain}) world->addGround(-0.25);
    std::size_t contacts = 0;
    for (int i = 0; i < 500; ++i)
      for (World* world : {&live, &file, &plain}) {
        world->integrate();
        contacts += world->contacts().size();
      }
    EXPECT_GT(contacts, 100u) << edit.name;
    EXPECT_EQ(live.stateHash(), file.stateHash()) << edit.name;
    EXPECT_NE(live.stateHash(), plain.stateHash()) << edit.name << " does nothing";
    EXPECT_TRUE(sameBits(robot->model().lowered, recompiled->model().lowered)) << edit.name;
    EXPECT_EQ(robot->getTotalMass(), recompiled->getTotalMass()) << edit.name;
  }
}

TEST(Editing, TakesEffectAtTheNextStepAndNotBefore) {
  for (const Edit& edit : edits) {
    SystemSpec edited = hopper();
    edit.file(edited);
    World live, file;
    ArticulatedSystem* robot = live.addArticulatedSystem(hopper());
    ArticulatedSystem* recompiled = file.addArticulatedSystem(edited);
    start(*robot);
    start(*recompiled);
    live.integrate1();
    const Eigen::MatrixXd between = robot->getMassMatrix();
    edit.live(*robot);  // too late for this step
    EXPECT_EQ(robot->getMassMatrix(), between) << edit.name;
    live.integrate2();
    const Eigen::MatrixXd before = robot->getMassMatrix();
    const double low = robot->getLowestCollisionPoint();
    recompiled->setState(robot->getGeneralizedCoordinate(), robot->getGeneralizedVelocity());
    live.integrate1();
    file.integrate1();
    EXPECT_EQ(robot->getMassMatrix(), recompiled->getMassMatrix()) << edit.name;
    EXPECT_EQ(robot->getLowestCollisionPoint(), recompiled->getLowestCollisionPoint());
    live.integrate2();
    file.integrate2();
    if (std::string(edit.name) == "collisionBody")
      EXPECT_NE(robot->getLowestCollisionPoint(), low);
    else
      EXPECT_NE(robot->getMassMatrix(), before) << edit.name;
  }
}

TEST(Editing, UpdateMassInfoMakesItNow) {
  for (const Edit& edit : edits) {
    SystemSpec edited = hopper();
    edit.file(edited);
    World live, file;
    ArticulatedSystem* robot = live.addArticulatedSystem(hopper());
    ArticulatedSystem* recompiled = file.addArticulatedSystem(edited);
    const double mass = robot->getTotalMass();
    edit.live(*robot);
    EXPECT_EQ(robot->getTotalMass(), mass) << edit.name;  // not yet
    robot->updateMassInfo();
    EXPECT_EQ(robot->getMassMatrix(), recompiled->getMassMatrix()) << edit.name;
    EXPECT_EQ(robot->getTotalMass(), recompiled->getTotalMass()) << edit.name;
    EXPECT_EQ(robot->getCOM(), recompiled->getCOM()) << edit.name;
    EXPECT_EQ(robot->getLowestCollisionPoint(), recompiled->getLowestCollisionPoint());
    for (int f = 0; f < 2; ++f)
      EXPECT_EQ(robot->getFramePosition(f), recompiled->getFramePosition(f)) << edit.name;
  }
}

TEST(Editing, WhatIsWrittenBackIsAgainWhatItWas) {
  const SystemSpec spec = randomSpec(11);  // welded links, turned joints, axes of any length
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(spec);
  const Lowered<double> before = robot->model().lowered;
  const auto mass = robot->getMass();
  const auto axis = robot->getJointAxis_P();
  const auto turn = robot->getJointOrientation_P();
  const auto inertia = robot->getInertia();
  robot->updateMassInfo();
  EXPECT_TRUE(sameBits(robot->model().lowered, before));
  for (double& m : robot->getMass()) m *= 1.1;
  for (auto& I : robot->getInertia()) I *= 1.1;
  for (std::size_t b = 1; b < axis.size(); ++b) {
    robot->getJointAxis_P()[b][0] += 0.125;
    robot->getJointOrientation_P()[b].transposeInPlace();
  }
  robot->updateMassInfo();
  EXPECT_FALSE(sameBits(robot->model().lowered, before));
  robot->getMass() = mass;
  robot->getJointAxis_P() = axis;
  robot->getJointOrientation_P() = turn;
  robot->getInertia() = inertia;
  robot->updateMassInfo();
  EXPECT_TRUE(sameBits(robot->model().lowered, before));
}

TEST(Editing, AKeptReferenceIsAsGoodAsASetter) {
  World kept, set;
  ArticulatedSystem* a = kept.addArticulatedSystem(hopper());
  ArticulatedSystem* b = set.addArticulatedSystem(hopper());
  start(*a);
  start(*b);
  std::vector<double>& mass = a->getMass();
  for (int i = 0; i < 30; ++i) {
    if (i % 10 == 5) {
      mass[2] += 0.5;
      b->setMass(2, b->getMass(2) + 0.5);
      a->getBodyCOM_B()[1][0] = 0.01 * i;
      b->setCOM(1, [&] {
        Vec<3> com = static_cast<const ArticulatedSystem*>(b)->getBodyCOM_B()[1];
        com[0] = 0.01 * i;
        return com;
      }());
    }
    kept.integrate();
    set.integrate();
    ASSERT_EQ(kept.stateHash(), set.stateHash()) << i;
  }
}

TEST(Editing, TwinsStayWhatTheyAre) {
  World world;
  ArticulatedSystem* first = world.addArticulatedSystem(hopper());
  ArticulatedSystem* second = world.addArticulatedSystem(hopper());
  const double mass = second->getTotalMass();
  first->getMass()[0] += 1;
  first->updateMassInfo();
  EXPECT_EQ(first->getTotalMass(), mass + 1);
  EXPECT_EQ(second->getTotalMass(), mass);
  EXPECT_EQ(static_cast<const ArticulatedSystem*>(second)->getMass()[0] + 1, first->getMass()[0]);
}

TEST(Editing, WeldedLinksAreEditedAsTheirBody) {
  // Twice the mass and inertia of everything: the same motion in flight, twice the energy.
  const SystemSpec spec = randomSpec(13);
  World one, two;
  ArticulatedSystem* plain = one.addArticulatedSystem(spec);
  ArticulatedSystem* heavy = two.addArticulatedSystem(spec);
  ASSERT_LT(heavy->model().nb(), static_cast<int>(spec.links.size()));
  for (double& m : heavy->getMass()) m *= 2;
  for (auto& I : heavy->getInertia()) I *= 2;
  heavy->setRotorInertia(heavy->getRotorInertia() * 2);
  heavy->updateMassInfo();
  EXPECT_LT((heavy->getMassMatrix() - 2 * plain->getMassMatrix()).norm(),
            1e-12 * plain->getMassMatrix().norm());
}

// ---- what is refused

TEST(Editing, WhatCannotBeIsRefusedBeforeAnythingChanged) {
  const std::function<void(ArticulatedSystem&)> mistakes[] = {
      [](ArticulatedSystem& r) { r.getMass()[1] = -1; },
      [](ArticulatedSystem& r) { r.getMass()[1] = std::nan(""); },
      [](ArticulatedSystem& r) { r.getMass().pop_back(); },
      [](ArticulatedSystem& r) { r.getBodyCOM_B()[2][0] = INFINITY; },
      [](ArticulatedSystem& r) { r.getInertia()[1](2, 2) = 100; },
      [](ArticulatedSystem& r) { r.getInertia()[1](0, 1) += 1e-3; },  // its twin forgotten
      [](ArticulatedSystem& r) { r.getJointAxis_P()[1] = Vec<3>(); },
      [](ArticulatedSystem& r) { r.getJointOrientation_P()[1](0, 0) = 2; },
      [](ArticulatedSystem& r) { r.getJointPos_P().clear(); },
      [](ArticulatedSystem& r) { r.getCollisionBody("link1/0").rotOffset = Mat<3, 3>(); },
      [](ArticulatedSystem& r) { r.getCollisionBodies().pop_back(); },
      [](ArticulatedSystem& r) { r.setRotorInertia(Eigen::VectorXd::Constant(r.getDOF(), -1)); },
  };
  int number = 0;
  for (const auto& mistake : mistakes) {
    World world;
    ArticulatedSystem* robot = world.addArticulatedSystem(hopper());
    start(*robot);
    world.integrate();
    const std::uint64_t hash = world.stateHash();
    const Lowered<double> before = robot->model().lowered;
    mistake(*robot);
    EXPECT_THROW(world.integrate1(), std::invalid_argument) << number;
    EXPECT_THROW(world.integrate(), std::invalid_argument) << number;
    EXPECT_THROW(robot->updateMassInfo(), std::invalid_argument) << number;
    EXPECT_EQ(world.stateHash(), hash) << number;
    EXPECT_TRUE(sameBits(robot->model().lowered, before)) << number;
    ++number;
  }
}

TEST(Editing, AMistakeTakenBackIsForgotten) {
  World world, untouched;
  ArticulatedSystem* robot = world.addArticulatedSystem(hopper());
  start(*robot);
  start(*untouched.addArticulatedSystem(hopper()));
  const double mass = robot->getMass()[1];
  robot->getMass()[1] = -1;
  EXPECT_THROW(world.integrate(), std::invalid_argument);
  robot->getMass()[1] = mass;
  world.integrate();
  untouched.integrate();
  EXPECT_EQ(world.stateHash(), untouched.stateHash());
}

TEST(Editing, IndicesAndNamesAreChecked) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(hopper());
  EXPECT_THROW(robot->setMass(3, 1), std::invalid_argument);
  EXPECT_THROW(robot->setMass(-1, 1), std::invalid_argument);
  EXPECT_THROW(robot->getMass(3), std::invalid_argument);
  EXPECT_THROW(robot->getCollisionBody("link1/1"), std::invalid_argument);
  EXPECT_THROW(robot->setRotorInertia(Eigen::VectorXd::Zero(2)), std::invalid_argument);
  world.integrate1();
  EXPECT_THROW(robot->updateMassInfo(), std::invalid_argument);
  world.integrate2();
}

// ---- collision bodies

TEST(Editing, CollisionBodiesAreNamedAndPlacedAsInTheFile) {
  const SystemSpec spec = hopper();
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(spec);
  const auto& bodies = robot->getCollisionBodies();
  ASSERT_EQ(bodies.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(bodies[i].name, "link" + std::to_string(i) + "/0");
    EXPECT_EQ(bodies[i].bodyIdx, i);
    EXPECT_EQ(bodies[i].posOffset, Vec<3>(spec.links[i].collisions[0].X_LG.p));
    EXPECT_EQ(bodies[i].getMaterial(), "default");
    EXPECT_NE(robot->getCollisionBodies()[i].getCollisionObject(), nullptr);
  }
}

TEST(Editing, ACollisionBodyFollowsItsMaterialAndItsMask) {
  World world;
  world.addGround();
  world.setMaterialPairProp("ice", "default", 0, 0, 0.01);
  ArticulatedSystem* crate = world.addArticulatedSystem(freeBody("crate", Box{{1, 1, 1}}, 1));
  Eigen::VectorXd q(7), u = Eigen::VectorXd::Zero(6);
  q << 0, 0, 0.5, 1, 0, 0, 0;
  u[0] = 1;
  crate->setState(q, u);
  for (int i = 0; i < 500; ++i) world.integrate();
  EXPECT_NEAR(crate->getGeneralizedVelocity()[0], 0, 1e-9);  // rough
  CollisionBody& box = crate->getCollisionBody("crate/0");
  box.setMaterial("ice");
  EXPECT_EQ(box.getMaterial(), "ice");
  crate->setState(q, u);
  for (int i = 0; i < 500; ++i) world.integrate();
  EXPECT_NEAR(crate->getGeneralizedVelocity()[0], 1, 1e-9);
  box.setCollisionMask(0);
  EXPECT_EQ(box.getCollisionMask(), 0u);
  for (int i = 0; i < 500; ++i) world.integrate();
  EXPECT_LT(crate->getGeneralizedCoordinate()[2], -0.5);  // through the floor
}

/// A ball of 0.25 m at rest on the ground, after a step.
ArticulatedSystem* restingBall(World& world) {
  world.addGround();
  ArticulatedSystem* ball = world.addArticulatedSystem(freeBody("ball", Sphere{0.25}, 1));
  place(*ball, {0, 0, 0.25});
  world.integrate();
  return ball;
}

TEST(Editing, AMovedCollisionBodyCarriesTheRobotElsewhere) {
  World world;
  ArticulatedSystem* ball = restingBall(world);
  ball->getCollisionBody("ball/0").posOffset[2] = -0.5;
  place(*ball, {0, 0, 0.75});
  for (int i = 0; i < 20; ++i) world.integrate();
  EXPECT_NEAR(ball->getGeneralizedCoordinate()[2], 0.75, 1e-6);
}

TEST(Editing, AChangedGeomOfOdeCollidesAsItWasChanged) {
  World world;
  ArticulatedSystem* ball = restingBall(world);
  dGeomID geom = ball->getCollisionBody("ball/0").getCollisionObject();
  EXPECT_EQ(dGeomSphereGetRadius(geom), 0.25);
  dGeomSphereSetRadius(geom, 0.5);
  place(*ball, {0, 0, 0.5});
  for (int i = 0; i < 20; ++i) world.integrate();
  EXPECT_NEAR(ball->getGeneralizedCoordinate()[2], 0.5, 1e-6);
  const Shape& shape = std::as_const(*ball).getCollisionBodies()[0].getShape();
  EXPECT_EQ(std::get<Sphere>(shape).radius, 0.5);
}

// ---- the base

TEST(Editing, AFixedBaseIsMovedByHandAndKeptByOtherEdits) {
  SystemSpec spec = randomSpec(17, {.links = 4, .welds = false, .fixedBase = true});
  SystemSpec moved = spec;
  moved.X_WB = {axisRotation(Vec3d{0, 0, 1}, 0.6, 0.8), {1, 2, 3}};
  moved.links[1].inertial->mass *= 2;
  World world, other;
  ArticulatedSystem* arm = world.addArticulatedSystem(spec);
  ArticulatedSystem* there = other.addArticulatedSystem(moved);
  const Eigen::Vector3d before = arm->getFramePosition(0);
  arm->setBasePos(Vec<3>(1, 2, 3));
  EXPECT_LT((arm->getFramePosition(0) - before - Eigen::Vector3d(1, 2, 3)).norm(), 1e-12);
  arm->setBaseOrientation(Mat<3, 3>(moved.X_WB.R));
  arm->setMass(1, 2 * arm->getMass(1));
  arm->updateMassInfo();
  EXPECT_LT((arm->getBasePosition() - Eigen::Vector3d(1, 2, 3)).norm(), 1e-15);
  for (int f = 0; f < 3; ++f)
    EXPECT_LT((arm->getFramePosition(f) - there->getFramePosition(f)).norm(), 1e-14);
  EXPECT_LT((arm->getMassMatrix() - there->getMassMatrix()).norm(), 1e-13);
  EXPECT_NEAR(arm->getLowestCollisionPoint(), there->getLowestCollisionPoint(), 1e-14);
}

TEST(Editing, WhatAFixedBaseCarriesMovesWithIt) {
  // A ball lies on a pedestal, which sinks.
  World world;
  world.addGround();
  SystemSpec pedestal = freeBody("pedestal", Box{{1, 1, 1}}, 1);
  pedestal.fixedBase = true;
  ArticulatedSystem* base = world.addArticulatedSystem(pedestal);
  ArticulatedSystem* ball = world.addArticulatedSystem(freeBody("ball", Sphere{0.25}, 1));
  base->setBasePos(Vec<3>(0, 0, 1));
  Eigen::VectorXd q(7);
  q << 0, 0, 1.75, 1, 0, 0, 0;
  ball->setGeneralizedCoordinate(q);
  for (int i = 0; i < 50; ++i) world.integrate();
  EXPECT_NEAR(ball->getGeneralizedCoordinate()[2], 1.75, 1e-6);
  base->setBasePos(Vec<3>(0, 0, 0.5));
  for (int i = 0; i < 1000; ++i) world.integrate();
  EXPECT_NEAR(ball->getGeneralizedCoordinate()[2], 1.25, 1e-6);
}

}  // namespace
}  // namespace espalier::testing

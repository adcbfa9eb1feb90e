// Single bodies and the table of objects: what is added, found, removed, moved by hand.

#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "tests/support/source_folder.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

void run(World& world, int steps) {
  for (int i = 0; i < steps; ++i) world.integrate();
}

TEST(Objects, ABallFallsOnTheParabola) {
  World world;
  SingleBodyObject* ball = world.addSphere(0.1, 2);
  ball->setPosition(1, 2, 10);
  ball->setLinearVelocity({0.5, 0, 3});
  run(world, 1000);
  const Eigen::Vector3d p = ball->getPosition();
  EXPECT_NEAR(p.x(), 1.5, 1e-12);
  EXPECT_NEAR(p.z(), 10 + 3 - gravity / 2, 1e-11);
  EXPECT_NEAR(ball->getLinearVelocity().z(), 3 - gravity, 1e-12);
}

// The same body as a system of one floating link: two ways through the engine.
TEST(Objects, ASingleBodyMovesAsASystemOfOneBody) {
  World single, system;
  for (World* world : {&single, &system}) world->addGround();
  SingleBodyObject* a = single.addBox(0.3, 0.2, 0.1, 2);
  ArticulatedSystem* b = system.addArticulatedSystem(freeBody("box", BoxShape{{0.3, 0.2, 0.1}}, 2));
  a->setPosition(0, 0, 0.4);
  a->setVelocity(0.3, 0.1, 0, 0.5, -0.2, 0.3);
  place(*b, {0, 0, 0.4}, {0.3, 0.1, 0}, {0.5, -0.2, 0.3});
  run(single, 250);
  run(system, 250);
  EXPECT_LT((a->getPosition() - b->getGeneralizedCoordinate().head<3>()).norm(), 1e-6);
  run(single, 2000);
  run(system, 2000);
  EXPECT_GT(single.report().activeContacts, 2);
  EXPECT_NEAR(a->getPosition().z(), 0.05, 1e-9);
  EXPECT_NEAR(b->getGeneralizedCoordinate()[2], 0.05, 1e-9);
}

// A centre of mass off the origin: the origin circles about it, the centre does not move.
TEST(Objects, AFreeBodyTurnsAboutItsCentreOfMass) {
  World world;
  world.setGravity({0, 0, 0});
  CollisionSpec ball;
  ball.shape = SphereShape{0.1};
  const Eigen::Vector3d com(0.3, 0.1, -0.2);
  SingleBodyObject* body =
      world.addCompound({ball}, 3, com, Eigen::Vector3d(0.1, 0.2, 0.25).asDiagonal());
  const Eigen::Vector3d w(0.4, -1, 2);
  body->setVelocity(-w.cross(com), w);  // at rest at the centre
  const Eigen::Vector3d c = body->getComPosition(), L = body->getAngularMomentum();
  const double energy = body->getKineticEnergy();
  run(world, 3000);
  EXPECT_LT((body->getComPosition() - c).norm(), 1e-12);
  world.integrate1();
  EXPECT_LT((body->getAngularMomentum() - L).norm(), 1e-13);
  world.integrate2();
  EXPECT_NEAR(body->getKineticEnergy(), energy, 1e-6 * energy);
}

TEST(Objects, AddingAndRemovingLeavesTheOthersAlone) {
  World changed, plain;
  std::vector<Object*> extra;
  SingleBodyObject* balls[2];
  for (World* world : {&changed, &plain}) {
    const bool changes = world == &changed;
    if (changes) extra.push_back(world->addBox(1, 1, 1, 5));
    world->addGround();
    balls[changes ? 0 : 1] = world->addSphere(0.1, 1);
    balls[changes ? 0 : 1]->setPosition(50, 0, 1);
    if (changes) extra.push_back(world->addSphere(0.2, 5));
    addRobot(*world, "strider", 300, 10, {100, 0, 0});
    if (changes) static_cast<SingleBodyObject*>(extra[0])->setPosition(0, 0, 3);
  }
  const auto expectEqual = [&](const char* when) {
    EXPECT_EQ(balls[0]->getPosition(), balls[1]->getPosition()) << when;
    EXPECT_EQ(changed.system(0)->getGeneralizedCoordinate(),
              plain.system(0)->getGeneralizedCoordinate())
        << when;
  };
  for (World* world : {&changed, &plain}) run(*world, 200);
  expectEqual("with more objects");
  changed.removeObject(extra[0]);
  EXPECT_EQ(changed.objectCount(), 4);
  for (World* world : {&changed, &plain}) run(*world, 200);
  expectEqual("after one was removed");
  changed.addCapsule(0.1, 0.3, 1)->setPosition(20, 0, 1);
  changed.removeObject(extra[1]);
  for (World* world : {&changed, &plain}) run(*world, 400);
  expectEqual("after another came");
}

TEST(Objects, WithoutItsGroundABallFalls) {
  World world;
  SingleBodyObject* ground = world.addGround();
  SingleBodyObject* ball = world.addSphere(0.1, 1);
  ball->setPosition(0, 0, 0.1);
  run(world, 100);
  EXPECT_NEAR(ball->getPosition().z(), 0.1, 1e-9);
  world.removeObject(ground);
  EXPECT_EQ(world.getObject("ground"), nullptr);
  EXPECT_EQ(ball->getIndexInWorld(), 0);
  run(world, 100);
  EXPECT_LT(ball->getPosition().z(), 0.1 - 0.04);
  EXPECT_THROW(world.removeObject(ground), std::invalid_argument) << "it is gone";
}

// A belt of 0.5 m/s under a box: it is dragged to the belt's speed, mu g / a fast.
TEST(Objects, AKinematicBodyCarriesABox) {
  World world;
  world.setContactSolverParam(1e-10, 1000);
  world.setDefaultMaterial(0.4, 0, 0.01);
  SingleBodyObject* belt = world.addBox(10, 1, 0.1, 1);
  belt->setBodyType(BodyType::KINEMATIC);
  belt->setLinearVelocity({0.5, 0, 0});
  SingleBodyObject* box = world.addBox(0.2, 0.2, 0.2, 3);
  box->setPosition(0, 0, 0.15);
  run(world, 100);
  EXPECT_NEAR(box->getLinearVelocity().x(), 0.4 * gravity * 0.1, 1e-6);
  run(world, 400);
  EXPECT_NEAR(box->getLinearVelocity().x(), 0.5, 1e-9);
  EXPECT_NEAR(belt->getPosition().x(), 0.25, 1e-12);
  EXPECT_NEAR(belt->getPosition().z(), 0, 1e-15) << "nothing moves a kinematic body";
}

TEST(Objects, BodyTypesChange) {
  World world;
  SingleBodyObject* box = world.addBox(1, 1, 1, 1);
  SingleBodyObject* ball = world.addSphere(0.1, 1);
  ball->setPosition(0, 0, 0.6);
  box->setBodyType(BodyType::STATIC);
  EXPECT_EQ(world.getState().q.size(), 7u);
  run(world, 200);
  EXPECT_NEAR(ball->getPosition().z(), 0.6, 1e-9);
  box->setBodyType(BodyType::DYNAMIC);
  run(world, 100);
  EXPECT_LT(box->getPosition().z(), -0.04);
  EXPECT_THROW(world.addGround()->setBodyType(BodyType::DYNAMIC), std::invalid_argument);
}

TEST(Objects, GroupsAndMasksDecideWhichObjectsCollide) {
  World world;
  world.addGround();
  SingleBodyObject* through = world.addSphere(0.1, 1, "default", 2, 2);
  SingleBodyObject* resting = world.addSphere(0.1, 1, "default", 1, 1);
  through->setPosition(0, 0, 0.2);
  resting->setPosition(1, 0, 0.2);
  run(world, 500);
  EXPECT_LT(through->getPosition().z(), -0.5);
  EXPECT_NEAR(resting->getPosition().z(), 0.1, 1e-9);
}

TEST(Objects, ContactsAsEachObjectSeesThem) {
  World world;
  SingleBodyObject* ground = world.addGround();
  SingleBodyObject* box = world.addBox(0.2, 0.2, 0.2, 3);
  box->setPosition(0, 0, 0.1);
  run(world, 500);
  for (const Object* object : {static_cast<Object*>(box), static_cast<Object*>(ground)}) {
    Eigen::Vector3d sum(0, 0, 0);
    for (const ContactView& c : object->getContacts()) {
      sum += toEigen(c.getImpulseOnThis());
      EXPECT_EQ(c.getPairObjectIndex(),
                (object == box ? static_cast<Object*>(ground) : box)->getIndexInWorld());
      EXPECT_FALSE(c.skip());
      EXPECT_LT(std::abs(c.getDepth()), 1e-9);
      EXPECT_EQ(c.getPairObjectBodyType(), object == box ? BodyType::STATIC : BodyType::DYNAMIC);
    }
    const double sign = object == box ? 1 : -1;
    EXPECT_NEAR(sum.z(), sign * 3 * gravity * 0.001, 1e-10);
  }
}

TEST(Objects, ACallbackMayVetoAndChange) {
  World world;
  world.addGround();
  SingleBodyObject* ghost = world.addSphere(0.1, 1);
  SingleBodyObject* slider = world.addBox(0.2, 0.2, 0.2, 1);
  ghost->setPosition(0, 0, 0.2);
  slider->setPosition(1, 0, 0.1);
  slider->setLinearVelocity({1, 0, 0});
  const int ghostly = ghost->getIndexInWorld();
  world.setContactCallback([ghostly](const Contact& c, MaterialPair& pair) {
    pair.friction = 0;
    return c.objectA != ghostly && c.objectB != ghostly;
  });
  run(world, 500);
  EXPECT_LT(ghost->getPosition().z(), -0.5);
  EXPECT_NEAR(slider->getLinearVelocity().x(), 1, 1e-12);
  EXPECT_NEAR(slider->getPosition().z(), 0.1, 1e-9);
}

TEST(Objects, RaysMeetTheNearestObject) {
  World world;
  Object* ground = world.addGround();
  SingleBodyObject* ball = world.addSphere(0.5, 1, "default", 2);
  ball->setPosition(0, 0, 3);
  const auto hit = world.rayTest({0, 0, 10}, {0, 0, -1}, 20);
  ASSERT_TRUE(hit.has_value());
  EXPECT_EQ(hit->object, ball);
  EXPECT_NEAR(hit->distance, 6.5, 1e-12);
  EXPECT_NEAR(hit->normal.z, 1, 1e-12);
  EXPECT_EQ(world.rayTest({0, 0, 10}, {0, 0, -1}, 20, 1)->object, ground) << "by mask";
  EXPECT_EQ(world.rayTest({0, 0, 10}, {0, 0, -1}, 20, ~0ull, ball)->object, ground);
  EXPECT_FALSE(world.rayTest({0, 0, 10}, {0, 0, -1}, 5).has_value());
  ArticulatedSystem* robot = addRobot(world, "strider", 300, 10, {5, 0, 0});
  const auto onRobot = world.rayTest({5, 0, 10}, {0, 0, -1}, 20);
  ASSERT_TRUE(onRobot.has_value());
  EXPECT_EQ(onRobot->object, robot);
}

TEST(Objects, AWeldHoldsAndLetsGo) {
  World world;
  SingleBodyObject* box = world.addBox(0.2, 0.2, 0.2, 2);
  SingleBodyObject* ball = world.addSphere(0.1, 1);
  box->setPosition(0, 0, 2);
  ball->setPosition(1, 0, 2);
  world.attach(box, nullptr);
  const int arm = world.attach(ball, box);
  run(world, 5000);
  EXPECT_LT((ball->getPosition() - Eigen::Vector3d(1, 0, 2)).norm(), 1e-9);
  EXPECT_LT((box->getPosition() - Eigen::Vector3d(0, 0, 2)).norm(), 1e-9);
  world.detach(arm);
  run(world, 100);
  EXPECT_LT(ball->getPosition().z(), 2 - 0.04);
  EXPECT_LT((box->getPosition() - Eigen::Vector3d(0, 0, 2)).norm(), 1e-9);
  EXPECT_THROW(world.detach(arm), std::invalid_argument);
  EXPECT_THROW(world.attach(box, box), std::invalid_argument);
}

// A weld holds to what it was made with, also when that is set free later.
TEST(Objects, AWeldToABodyThatIsSetFree) {
  World world;
  SingleBodyObject* shelf = world.addBox(1, 1, 0.1, 5);
  shelf->setBodyType(BodyType::STATIC);
  SingleBodyObject* ball = world.addSphere(0.1, 1);
  ball->setPosition(0, 0, -1);
  world.attach(ball, shelf);
  run(world, 200);
  EXPECT_NEAR(ball->getPosition().z(), -1, 1e-9);
  shelf->setBodyType(BodyType::DYNAMIC);
  run(world, 200);
  EXPECT_LT(shelf->getPosition().z(), -0.1);
  EXPECT_NEAR(ball->getPosition().z() - shelf->getPosition().z(), -1, 1e-9);
}

// The legs go side by side in lanes, and this one has no shape of its own.
TEST(Objects, AWeldToABodyWithoutShapes) {
  World world;
  SystemSpec strider = io::loadUrdf(sourceFolder() + "/models/strider/strider.urdf").value();
  for (LinkSpec& link : strider.links) link.collisions.clear();
  ArticulatedSystem* robot = world.addArticulatedSystem(strider);
  const int hip = robot->getBodyIdx("LF_hip");
  SingleBodyObject* ball = world.addSphere(0.1, 1);
  Vec<3> p;
  robot->getPosition(hip, p);
  ball->setPosition(p[0], p[1], p[2]);
  world.attach(robot, ball, hip);
  robot->setGeneralizedVelocity(Eigen::VectorXd::Constant(robot->getDOF(), 1.0));
  run(world, 300);
  robot->getPosition(hip, p);
  EXPECT_LT((p - ball->getPosition()).norm(), 1e-4);
}

// A callback may ask for what no pair of the world has.
TEST(Objects, ACallbackMayBringRollingFriction) {
  World world;
  world.addGround();
  for (int i = 0; i < 40; ++i) {
    SingleBodyObject* ball = world.addSphere(0.1, 1);
    ball->setPosition(0.5 * i, 0, 0.1);
    ball->setVelocity(0, 1, 0, -10, 0, 0);
  }
  world.setContactCallback([](const Contact&, MaterialPair& pair) {
    pair.rolling = 0.01;
    return true;
  });
  run(world, 2000);
  for (int i = 1; i < world.objectCount(); ++i)
    EXPECT_LT(static_cast<SingleBodyObject*>(world.getObject(i))->getLinearVelocity().norm(), 1e-8);
}

// A turn takes the weld along: at the end of a step its gap is closed, and no energy is lost or made. TRAPEZOID,
// whose impulses act along the axes before the turn, and EULER make some.
TEST(Objects, WeldedBodiesKeepTheirDistanceInASpin) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::TRAPEZOID, Scheme::SEMI_IMPLICIT,
                              Scheme::EULER, Scheme::RUNGE_KUTTA_4}) {
    SCOPED_TRACE(info(scheme).name);
    World world;
    world.setIntegrationScheme(scheme);
    world.setGravity({0, 0, 0});
    SingleBodyObject *a = world.addBox(0.2, 0.1, 0.1, 1), *b = world.addBox(0.1, 0.1, 0.2, 3);
    b->setPosition(0.5, 0, 0);
    a->setVelocity(0, -1.5 * 0.5, 0, 0, 0, 2);  // about their common centre
    b->setVelocity(0, 0.5 * 0.5, 0, 0, 0, 2);
    world.attach(a, b);
    const auto energy = [&] { return a->getKineticEnergy() + b->getKineticEnergy(); };
    run(world, 100);
    const double start = energy();
    run(world, 2000);
    EXPECT_NEAR((a->getPosition() - b->getPosition()).norm(), 0.5, 1e-8);
    if (scheme != Scheme::TRAPEZOID && scheme != Scheme::EULER)
      EXPECT_NEAR(energy() / start, 1, 1e-10);
  }
}

TEST(Objects, AMaterialPairHasOneRule) {
  World world;
  for (int i = 0; i < 5; ++i) world.setMaterialPairProp("ice", "steel", 0.1 * i, 0, 0.01);
  world.setMaterialPairProp("steel", "ice", 0.05, 0, 0.01);
  ASSERT_EQ(world.spec().materials.size(), 1u);
  EXPECT_EQ(world.spec().materials[0].friction, 0.05);
}

// Welded in flight they are one body: its centre falls freely, its momentum is kept.
TEST(Objects, WeldedBodiesFlyAsOne) {
  World world;
  world.setGravity({0, 0, 0});
  SingleBodyObject* a = world.addBox(0.2, 0.3, 0.1, 2);
  SingleBodyObject* b = world.addBox(0.1, 0.1, 0.4, 1);
  b->setPosition(0.5, 0, 0);
  a->setVelocity(0, 0, 1, 0, 0, 2);
  world.attach(a, b);
  const Eigen::Vector3d P(0, 0, 2);
  for (int i = 0; i < 2000; ++i) {
    world.integrate();
    ASSERT_LT((a->getLinearMomentum() + b->getLinearMomentum() - P).norm(), 1e-10);
    ASSERT_NEAR((b->getPosition() - a->getPosition()).norm(), 0.5, 1e-5);
  }
  EXPECT_LT((a->getAngularVelocity() - b->getAngularVelocity()).norm(), 1e-6);
}

TEST(Objects, SleepOnlyWhenAsked) {
  World awake, asleep;
  asleep.setSleeping(true);
  for (World* world : {&awake, &asleep}) {
    world->addGround();
    for (int i = 0; i < 3; ++i) world->addBox(0.2, 0.2, 0.2, 1)->setPosition(0, 0, 0.1 + 0.2 * i);
    run(*world, 500);
  }
  EXPECT_GT(awake.report().contacts, 0);
  EXPECT_EQ(asleep.report().contacts, 0) << "nothing is left to solve";
  const std::uint64_t rest = asleep.stateHash();
  run(asleep, 10);
  EXPECT_EQ(asleep.stateHash(), rest);
  SingleBodyObject* hammer = asleep.addSphere(0.1, 5);
  hammer->setPosition(-1, 0, 0.5);
  hammer->setLinearVelocity({5, 0, 0});
  run(asleep, 500);
  const auto* top = static_cast<SingleBodyObject*>(asleep.getObject(3));
  EXPECT_GT((top->getPosition() - Eigen::Vector3d(0, 0, 0.5)).norm(), 0.1) << "it was hit";
}

// A force or torque of a single step gives a sleeper the impulse that it gives a body that is awake.
TEST(Objects, ForcesWakeSleepers) {
  for (const bool isTorque : {false, true}) {
    Eigen::Vector3d speed[2];
    for (const bool sleeps : {false, true}) {
      World world;
      world.setGravity({0, 0, 0});
      world.setSleeping(sleeps);
      SingleBodyObject* box = world.addBox(0.2, 0.2, 0.2, 2);
      run(world, 100);
      isTorque ? box->setExternalTorque({0, 0, 3}) : box->setExternalForce({0, 5, 0});
      world.integrate();
      speed[sleeps] = isTorque ? box->getAngularVelocity() : box->getLinearVelocity();
      EXPECT_GT(speed[sleeps].norm(), 0.001);
    }
    EXPECT_EQ(speed[0], speed[1]);
  }
}

// Between the halves of a step the force comes too late for this step; the body is awake behind it.
TEST(Objects, AForceWithinAStepWakesForTheNext) {
  World world;
  world.setGravity({0, 0, 0});
  world.setSleeping(true);
  SingleBodyObject* box = world.addBox(0.2, 0.2, 0.2, 2);
  run(world, 100);
  for (int i = 0; i < 2; ++i) {
    world.integrate1();
    box->setExternalForce({0, 5, 0});
    world.integrate2();
  }
  EXPECT_GT(box->getLinearVelocity().y(), 0.001);
}

// A body in flight has nothing to lie on, however slow it is.
TEST(Objects, WhatFliesDoesNotSleep) {
  World world;
  world.setGravity({0, 0, -0.001});
  world.setSleeping(true);
  SingleBodyObject* box = world.addBox(0.1, 0.1, 0.1, 1);
  run(world, 2000);
  EXPECT_NEAR(box->getLinearVelocity().z(), -0.001 * 2, 1e-9);
  EXPECT_NEAR(box->getPosition().z(), -0.5 * 0.001 * 4, 1e-6);
}

// What is welded moves with what it is welded to.
TEST(Objects, WeldsKeepAwake) {
  World world;
  world.setGravity({0, 0, 0});
  world.setSleeping(true);
  SingleBodyObject *a = world.addSphere(0.1, 1), *b = world.addSphere(0.1, 1);
  b->setPosition(1, 0, 0);
  world.attach(a, b);
  run(world, 100);
  b->setLinearVelocity({0, 1, 0});
  run(world, 100);
  EXPECT_NEAR(a->getLinearMomentum().y() + b->getLinearMomentum().y(), 1, 1e-9);
  EXPECT_NEAR((a->getPosition() - b->getPosition()).norm(), 1, 1e-6);
}

// The same edit gives a sleeper the motion that it gives a body that is awake.
TEST(Objects, ChangesOfTheWorldWakeSleepers) {
  struct Scene {
    World world;
    SingleBodyObject *shelf, *box, *top;
  };
  const std::pair<const char*, std::function<void(Scene&)>> edits[] = {
      {"gravity",
       [](Scene& s) {
         s.world.setGravity({0, 0, 1});
       }},
      {"default material", [](Scene& s) { s.world.setDefaultMaterial(0.1, 0, 0.01); }},
      {"material pair",
       [](Scene& s) { s.world.setMaterialPairProp("default", "default", 0.1, 0, 0.01); }},
      {"material", [](Scene& s) { s.box->setMaterial("ice"); }},
      {"group", [](Scene& s) { s.shelf->setCollisionGroup(2, 0); }},
      {"what stands", [](Scene& s) { s.shelf->setPosition(0, 0, -1); }},
      {"what sleeps", [](Scene& s) { s.box->setPosition(0, 1, 1); }},
  };
  for (const auto& [name, edit] : edits) {
    Eigen::Vector3d at[2];
    for (const bool sleeps : {false, true}) {
      Scene s;
      s.world.setSleeping(sleeps);
      s.world.setGravity({2, 0, -9.81});
      s.world.setMaterialPairProp("default", "ice", 0.1, 0, 0.01);
      s.shelf = s.world.addBox(1, 1, 0.2, 1);
      s.shelf->setBodyType(BodyType::STATIC);
      s.box = s.world.addBox(0.2, 0.2, 0.2, 1);
      s.top = s.world.addBox(0.1, 0.1, 0.1, 1);
      s.box->setPosition(0, 0, 0.2);
      s.top->setPosition(0, 0, 0.35);
      run(s.world, 200);
      EXPECT_EQ(s.world.report().contacts == 0, sleeps);
      edit(s);
      run(s.world, 300);
      at[sleeps] = s.top->getPosition();
    }
    EXPECT_GT((at[0] - Eigen::Vector3d(0, 0, 0.35)).norm(), 1e-3) << name;
    EXPECT_LT((at[0] - at[1]).norm(), 1e-4) << name;
  }
}

TEST(Objects, TwoThousandBodiesFit) {
  World world;
  world.setTimeStep(0.005);
  world.setContactSolverParam(1e-4, 20);
  world.addGround();
  for (int i = 0; i < 2000; ++i)
    world.addSphere(0.1, 1)->setPosition(0.25 * (i % 20), 0.25 * (i / 20 % 20),
                                         0.15 + 0.25 * (i / 400));
  std::uint32_t flags = 0;
  for (int i = 0; i < 60; ++i) flags |= world.integrate().flags;
  EXPECT_EQ(flags & ~static_cast<std::uint32_t>(StepFlag::SolverNotConverged), 0u);
  EXPECT_GT(world.report().contacts, 400);
}

}  // namespace
}  // namespace espalier::testing

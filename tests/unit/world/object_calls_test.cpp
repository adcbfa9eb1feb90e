// Single bodies, contacts as an object sees them, collision groups, robots built in code: calls that
// no scene of another test makes.

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "espalier/robot/child.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

TEST(SingleBodies, TellTheirPose) {
  World world;
  SingleBodyObject* box = world.addBox(0.2, 0.4, 0.6, 3);
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.7, Eigen::Vector3d(0, 0.6, 0.8)));
  const Eigen::Vector4d q(turn.w(), turn.x(), turn.y(), turn.z());
  box->setPose({1, 2, 3}, 2 * q);
  EXPECT_EQ(box->getPosition(), Eigen::Vector3d(1, 2, 3));
  EXPECT_LT((box->getQuaternion() - q).norm(), 1e-15) << "made unit";
  EXPECT_LT((box->getRotationMatrix() - turn.matrix()).norm(), 1e-14);
  EXPECT_EQ(box->getRotationMatrix(), box->getOrientation());
}

TEST(SingleBodies, TellTheirInertia) {
  World world;
  SingleBodyObject* box = world.addBox(0.2, 0.4, 0.6, 3);
  const Eigen::Vector3d expected(0.25 * (0.16 + 0.36), 0.25 * (0.04 + 0.36), 0.25 * (0.04 + 0.16));
  EXPECT_LT((box->getInertia_B() - Eigen::Matrix3d(expected.asDiagonal())).norm(), 1e-15);
  EXPECT_EQ(box->getCom_B(), Eigen::Vector3d(0, 0, 0));
  Eigen::Matrix3d I;
  I << 2, 0.1, 0.2, 0.1, 2.5, -0.1, 0.2, -0.1, 3;
  box->setInertia(I);
  box->setCom({0.05, -0.02, 0.1});
  EXPECT_EQ(box->getInertia_B(), I);
  EXPECT_EQ(box->getCom_B(), Eigen::Vector3d(0.05, -0.02, 0.1));
  EXPECT_EQ(box->getComPosition(), Eigen::Vector3d(0.05, -0.02, 0.1));
}

// v' = -d v / m and w' = -d w / I, in closed form.
TEST(SingleBodies, AreDamped) {
  World world;
  world.setGravity({0, 0, 0});
  world.setTimeStep(1e-3);
  SingleBodyObject* ball = world.addSphere(0.5, 2);
  ball->setLinearDamping(3);
  ball->setAngularDamping(0.4);
  EXPECT_EQ(ball->getLinearDamping(), 3);
  EXPECT_EQ(ball->getAngularDamping(), 0.4);
  ball->setVelocity({1, -2, 0.5}, {0.3, 0.1, -4});
  for (int i = 0; i < 500; ++i) world.integrate();
  const double linear = std::exp(-3 * 0.5 / 2), angular = std::exp(-0.4 * 0.5 / 0.2);
  EXPECT_LT((ball->getLinearVelocity() - linear * Eigen::Vector3d(1, -2, 0.5)).norm(), 1e-6);
  EXPECT_LT((ball->getAngularVelocity() - angular * Eigen::Vector3d(0.3, 0.1, -4)).norm(), 1e-6);
  EXPECT_THROW(ball->setLinearDamping(-1), std::invalid_argument);
  EXPECT_THROW(ball->setAngularDamping(-1), std::invalid_argument);
  EXPECT_EQ(ball->getLinearDamping(), 3);
}

// Group 2 falls through what collides with group 1 alone.
TEST(CollisionGroups, OfSingleBodies) {
  World world;
  world.setTimeStep(1e-3);
  SingleBodyObject* floor = world.addBox(4, 4, 1, 1);
  floor->setBodyType(BodyType::STATIC);
  floor->setPosition(0, 0, -0.5);
  floor->setCollisionGroup(1, 1);
  SingleBodyObject* stays = world.addSphere(0.1, 1);
  SingleBodyObject* falls = world.addSphere(0.1, 1);
  stays->setPosition(-1, 0, 0.1);
  falls->setPosition(1, 0, 0.1);
  stays->setCollisionGroup(1, ~std::uint64_t{0});
  falls->setCollisionGroup(2, ~std::uint64_t{0});
  for (int i = 0; i < 300; ++i) world.integrate();
  EXPECT_NEAR(stays->getPosition().z(), 0.1, 1e-4);
  EXPECT_NEAR(falls->getPosition().z(), 0.1 - 0.5 * gravity * 0.09, 1e-3);
}

TEST(CollisionGroups, OfARobotsCollisionBodies) {
  World world;
  world.setTimeStep(1e-3);
  world.addGround();
  ArticulatedSystem* ball = world.addArticulatedSystem(freeBody("ball", SphereShape{0.1}, 1));
  place(*ball, {0, 0, 0.1});
  CollisionBody& shape = ball->getCollisionBody("ball/0");
  EXPECT_EQ(shape.getCollisionGroup(), 1u);
  shape.setCollisionGroup(4);
  EXPECT_EQ(shape.getCollisionGroup(), 4u);
  for (int i = 0; i < 100; ++i) world.integrate();
  EXPECT_NEAR(ball->getBasePosition()[2], 0.1, 1e-4) << "the ground collides with all groups";
  shape.setCollisionMask(0);
  for (int i = 0; i < 100; ++i) world.integrate();
  EXPECT_LT(ball->getBasePosition()[2], 0.1 - 0.4 * gravity * 0.01);
}

// A box on another: both see the same contact, each from its side.
TEST(ContactViews, OfBothSides) {
  World world;
  world.setTimeStep(1e-3);
  world.setDefaultMaterial(0.37, 0, 0.01);
  world.addGround();
  SingleBodyObject* lower = world.addBox(1, 1, 0.2, 2);
  lower->setPosition(0, 0, 0.1);
  ArticulatedSystem* upper = world.addArticulatedSystem(freeBody("ball", SphereShape{0.1}, 1));
  place(*upper, {0, 0, 0.3});
  for (int i = 0; i < 50; ++i) world.integrate();
  const auto views = upper->getContacts();
  ASSERT_EQ(views.size(), 1u);
  const ContactView& view = views[0];
  const double way = view.isObjectA() ? 1 : -1;
  EXPECT_NEAR(view.getNormal()[2], way, 1e-12) << "from B to A";
  EXPECT_EQ(view.getFriction(), 0.37);
  EXPECT_FALSE(view.isSelfCollision());
  EXPECT_EQ(view.getPairObjectIndex(), lower->getIndexInWorld());
  EXPECT_EQ(view.getPairBodyIndex(), 0);
  EXPECT_NEAR(view.getImpulseOnThis()[2], gravity * 1e-3, 1e-8);
  int seen = 0;
  for (const ContactView& other : lower->getContacts())
    if (other.getPairObjectIndex() == upper->getIndexInWorld()) {
      ++seen;
      EXPECT_EQ(other.getNormal(), view.getNormal());
      EXPECT_NE(other.isObjectA(), view.isObjectA());
    }
  EXPECT_EQ(seen, 1);
}

// Two bodies of one robot: there twice, and the second is skipped.
TEST(ContactViews, OfASelfCollision) {
  World world;
  world.setTimeStep(1e-3);
  world.setGravity({0, 0, 0});
  SystemSpec spec = freeBody("torso", SphereShape{0.1}, 1);
  for (const char* name : {"left", "right"}) {
    LinkSpec link = freeBody(name, SphereShape{0.1}, 1).links[0];
    spec.links.push_back(link);
    JointSpec slide;
    slide.name = std::string("slide_") + name;
    slide.kind = JointKind::Prismatic;
    slide.parent = "torso";
    slide.child = name;
    slide.X_PJ.p = {name[0] == 'l' ? -0.1 : 0.1, 0, 0.5};
    slide.axes[0] = {1, 0, 0};
    spec.joints.push_back(slide);
  }
  ArticulatedSystem* robot = world.addArticulatedSystem(spec);
  robot->setGeneralizedForce({0, 0, 0, 0, 0, 0, 1, -1});  // pressed together
  for (int i = 0; i < 20; ++i) world.integrate();
  const auto views = robot->getContacts();
  ASSERT_EQ(views.size(), 2u);
  int skipped = 0;
  for (const ContactView& view : views) {
    EXPECT_TRUE(view.isSelfCollision());
    EXPECT_EQ(view.getPairObjectIndex(), robot->getIndexInWorld());
    EXPECT_EQ(view.getPairBodyIndex() + view.getlocalBodyIndex(), 3) << "bodies 1 and 2";
    skipped += view.skip();
  }
  EXPECT_EQ(skipped, 1);
}

TEST(HeightMaps, TellTheirGrid) {
  World world;
  const HeightMap* map = world.addHeightMap(3, 2, 4, 6, 1, -1, {0, 0.1, 0.2, 0.3, 0.4, 0.5});
  EXPECT_EQ(map->getXSamples(), 3);
  EXPECT_EQ(map->getYSamples(), 2);
  EXPECT_EQ(map->getXSize(), 4);
  EXPECT_EQ(map->getYSize(), 6);
}

TEST(RayHits, TellTheBodyInRaiSimsName) {
  World world;
  ArticulatedSystem* slider =
      world.addArticulatedSystem(jointedBody(JointKind::Prismatic, SphereShape{0.1}, 1, {1, 0, 0}));
  const RayHits& hits = world.rayTest({0, 0, 1}, {0, 0, -1}, 5);
  ASSERT_EQ(hits.size(), 1u);
  EXPECT_EQ(hits->getObject(), slider);
  EXPECT_EQ(hits->getLocalIdx(), 1);
}

// A default of the manager is the world's, and acts: a ball bounces.
TEST(MaterialManagers, SetTheDefault) {
  World world;
  world.setTimeStep(1e-3);
  world.addGround();
  MaterialManager materials;
  materials.setDefaultMaterialProp(0.5, 0.8, 0.001);
  world.updateMaterialProp(materials);
  SingleBodyObject* ball = world.addSphere(0.1, 1);
  ball->setPosition(0, 0, 0.3);
  double up = 0;
  for (int i = 0; i < 400; ++i) {
    world.integrate();
    up = std::max(up, ball->getLinearVelocity().z());
  }
  EXPECT_NEAR(up, 0.8 * std::sqrt(2 * gravity * 0.2), 0.02);
}

TEST(ChildBody, TellsItsComAndKeepsItsVisuals) {
  Child root;
  root.name = "body";
  root.joint = Child::Joint::getFloatingBaseJoint();
  root.body.setMass(1);
  root.body.setInertia(Vec<3>(0.1, 0.1, 0.1));
  root.body.setCom({0.1, 0.2, 0.3});
  EXPECT_EQ(root.body.getCom(), Vec<3>(0.1, 0.2, 0.3));
  root.body.addVisual(BoxShape{{1, 2, 3}}, {0, 0, 0.5}).name = "hull";
  const SystemSpec spec = toSpec(root);
  ASSERT_EQ(spec.links[0].visuals.size(), 1u);
  EXPECT_EQ(spec.links[0].visuals[0].name, "hull");
  EXPECT_EQ(spec.links[0].visuals[0].X_LG.p.z, 0.5);
  ASSERT_TRUE(std::holds_alternative<BoxShape>(spec.links[0].visuals[0].shape));
  EXPECT_EQ(std::get<BoxShape>(spec.links[0].visuals[0].shape).size.y, 2);
}

}  // namespace
}  // namespace espalier::testing

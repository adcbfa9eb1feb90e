// Worlds as RaiSim's users build them: robots from templates, terrains, typed bodies, rays.

#include <gtest/gtest.h>

#include <fstream>
#include <span>

#include "espalier/io/world_xml/world_xml.h"
#include "tests/support/world_scenes.h"
#include "tests/unit/io/folder.h"
#include "tests/unit/io/png.h"

namespace espalier::testing {
namespace {

constexpr char kPendulum[] = R"(<robot name="pendulum">
  <link name="world"/>
  <joint name="upper" type="continuous"><parent link="world"/><child link="rod"/>
    <axis xyz="0 1 0"/></joint>
  <link name="rod">
    <inertial><origin xyz="0 0 {-length/2}"/><mass value="@@mass"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision collision_group="4"><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
  <joint name="lower" type="continuous"><origin xyz="0 0 {-length}"/>
    <parent link="rod"/><child link="bob"/><axis xyz="0 1 0"/></joint>
  <link name="bob">
    <inertial><mass value="2"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
</robot>)";

const TemplateParameters half_metre = {{"length", "0.5"}, {"@@mass", "3"}};

// ---- robots

TEST(RaiSimWorlds, ATemplateIsFilledByNamesWithAndWithoutMarks) {
  World world;
  const ArticulatedSystem* robot = world.addArticulatedSystem(kPendulum, half_metre);
  EXPECT_EQ(robot->getMass(1), 3);
  EXPECT_EQ(robot->getJointPos_P()[2][2], -0.5);
  EXPECT_THROW(world.addArticulatedSystem(
                   kPendulum, TemplateParameters{{"length", "1"}, {"mass", "1"}, {"@@mass", "2"}}),
               std::invalid_argument);
  EXPECT_THROW(world.addArticulatedSystem(kPendulum, TemplateParameters{{"mass", "1"}}),
               std::invalid_argument);
  EXPECT_EQ(world.systemCount(), 1);
}

TEST(RaiSimWorlds, JointOrderGroupAndMaskAreThoseOfTheCall) {
  World world;
  const ArticulatedSystem* robot =
      world.addArticulatedSystem(kPendulum, half_metre, "", {"lower", "upper"}, COLLISION(5), -1);
  EXPECT_EQ(robot->getMovableJointNames(), (std::vector<std::string>{"world", "lower", "upper"}));
  for (const CollisionBody& body : robot->getCollisionBodies()) {
    EXPECT_EQ(body.getCollisionGroup(), 32u);
    EXPECT_EQ(body.getCollisionMask(), ~CollisionGroup{0});
  }
  const ArticulatedSystem* asInFile = world.addArticulatedSystem(kPendulum, half_metre);
  EXPECT_EQ(asInFile->getCollisionBody("rod/0").getCollisionGroup(), 4u);
  EXPECT_EQ(asInFile->getCollisionBody("bob/0").getCollisionGroup(), 1u);
}

/// Whether the rod's and the bob's spheres, which overlap, touch in a step.
bool touches(bool doNotCollideWithParent, bool isIgnoredByFile) {
  std::string text = kPendulum;
  World world;
  ArticulatedSystemOption options;
  options.doNotCollideWithParent = doNotCollideWithParent;
  ArticulatedSystem* robot = world.addArticulatedSystem(
      text, TemplateParameters{{"length", "0.1"}, {"mass", "1"}}, "", {}, 1, -1, options);
  EXPECT_EQ(robot->getOptions().doNotCollideWithParent, doNotCollideWithParent);
  if (isIgnoredByFile) robot->ignoreCollisionBetween(1, 2);
  world.integrate();
  return !world.contacts().empty();
}

TEST(RaiSimWorlds, ABodyCollidesWithItsParentWhereTheOptionSaysSo) {
  EXPECT_FALSE(touches(true, false));
  EXPECT_TRUE(touches(false, false));
  EXPECT_FALSE(touches(false, true));
  World world;
  ArticulatedSystemOption options;
  options.doNotCollideWithParent = false;
  world.addArticulatedSystem(kPendulum, half_metre, "", {}, {}, {}, options);
  EXPECT_THROW(world.spec(), std::invalid_argument) << "a file cannot say it";
}

TEST(RaiSimWorlds, PairsIgnoredByTheSpecStayIgnored) {
  World world;
  SystemSpec spec = world.addArticulatedSystem(kPendulum, half_metre)->spec();
  for (const bool isIgnored : {false, true}) {
    Child root;
    root.name = "world";
    Child arm;
    arm.name = "arm";
    arm.joint.type = Joint::Type::REVOLUTE;
    arm.body.setMass(1);
    arm.body.setInertia(Vec<3>(1, 1, 1));
    arm.body.colObj.push_back(spec.links[1].collisions[0]);
    root.body.colObj.push_back(spec.links[1].collisions[0]);
    root.addChild(arm);
    World other;
    ArticulatedSystemOption options;
    options.doNotCollideWithParent = false;
    ArticulatedSystem* robot = other.addArticulatedSystem(root, "", 1, -1, options);
    if (isIgnored) robot->ignoreCollisionBetween(0, 1);
    other.integrate();
    EXPECT_EQ(other.contacts().empty(), isIgnored);
  }
}

TEST(RaiSimWorlds, MeshesOfARobotBuiltInCodeAreReadFromTheFolderGiven) {
  const TestFolder folder;
  folder.write("cube.obj",
               "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
  Child root;
  root.name = "base";
  root.joint = Joint::getFloatingBaseJoint();
  root.body.setMass(1);
  root.body.setInertia(Vec<3>(1, 1, 1));
  root.body.addCollision(MeshShape{"cube.obj", nullptr});
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(root, folder.path(), COLLISION(2));
  EXPECT_EQ(robot->getResourceDir(), folder.path());
  const CollisionBody& body = robot->getCollisionBodies()[0];
  EXPECT_EQ(std::get<MeshShape>(body.getShape()).data->triangles.size(), 4u);
  EXPECT_EQ(body.getCollisionGroup(), 4u);
  EXPECT_THROW(world.addArticulatedSystem(root, "", 1), std::invalid_argument) << "not there";
}

// ---- whole worlds

TEST(RaiSimWorlds, AWorldFileIsFilledByParametersAndWrittenIntoAFolder) {
  const TestFolder folder;
  const std::string file = folder.write(
      "world.xml",
      "<raisim><objects><sphere name='ball' mass='@@mass'><dim radius='{2*r}'/></sphere>"
      "</objects></raisim>");
  const World world(file, TemplateParameters{{"@@mass", "3"}, {"r", "0.25"}});
  const auto* ball = dynamic_cast<const Sphere*>(world.getObject("ball"));
  ASSERT_NE(ball, nullptr);
  EXPECT_EQ(ball->getMass(), 3);
  EXPECT_EQ(ball->getRadius(), 0.5);
  world.exportToXml(folder.path(), "again.xml");
  const World again(folder.path("again.xml"));
  EXPECT_EQ(again.stateHash(), world.stateHash());
  EXPECT_THROW(world.exportToXml(folder.path("nowhere"), "again.xml"), std::invalid_argument);
}

TEST(RaiSimWorlds, AllMaterialsAreReplacedOrNone) {
  World world;
  world.setMaterialPairProp("ice", "default", 0.1, 0, 0.01);
  MaterialManager materials(
      "<raisim><material><default friction='0.3' restitution='0.5' "
      "restitution_threshold='0.2'/></material></raisim>");
  materials.setMaterialPairProp("steel", "rubber", 0.9, 0, 0);
  world.updateMaterialProp(materials);
  EXPECT_EQ(world.spec().defaultMaterial.friction, 0.3);
  ASSERT_EQ(world.spec().materials.size(), 1u);
  EXPECT_EQ(world.spec().materials[0].first, "steel");
  materials.setMaterialPairProp("steel", "steel", -1, 0, 0);
  EXPECT_THROW(world.updateMaterialProp(materials), std::invalid_argument);
  EXPECT_EQ(world.spec().materials.size(), 1u);
  EXPECT_THROW(world.updateMaterialProp(nullptr), std::invalid_argument);
}

TEST(RaiSimWorlds, TheSolversFiveNumbersAreItsToleranceAndItsSweeps) {
  World world;
  world.addGround();
  world.addSphere(0.1, 1)->setPosition(0, 0, 0.1);
  EXPECT_NO_THROW(world.setContactSolverParam(1, 1, 1, 50, 1e-10));
  world.integrate();
  EXPECT_LE(world.report().residual, 1e-10);
  EXPECT_THROW(world.setContactSolverParam(NAN, 1, 1, 50, 1e-10), std::invalid_argument);
  EXPECT_THROW(world.setContactSolverParam(1, 1, 1, 0, 1e-10), std::invalid_argument);
  EXPECT_THROW(world.setContactSolverParam(1, 1, 1, 50, -1), std::invalid_argument);
}

// ---- vectors

TEST(RaiSimWorlds, EveryVectorIsTakenInEveryForm) {
  World world;
  world.addGround(-1);
  const Eigen::Vector3d down(0, 0, -1);
  world.setGravity({0, 0, -1});
  EXPECT_EQ(world.getGravity().e(), down);
  world.setGravity(2 * down);
  EXPECT_EQ(world.getGravity()[2], -2);
  world.setGravity(Vec<3>{0, 0, -3});
  world.setGravity(Vec3d{0, 0, -4});
  EXPECT_EQ(world.getGravity(), 4 * down);
  EXPECT_EQ(world.rayTest({0, 0, 5}, down, 50)[0].getPosition()[2], -1);
  EXPECT_EQ(world.rayTest(Eigen::Vector3d(0, 0, 4), {0, 0, -1}, 50.)->distance, 5);
  EXPECT_EQ(world.rayTest(Vec<3>{0, 0, 3}, Vec3d{0, 0, -1}, 50)->distance, 4);
}

// ---- rays

TEST(RaiSimWorlds, ARayListsItsHitsNearestFirst) {
  World world;
  Ground* ground = world.addGround();
  Sphere* ball = world.addSphere(0.5, 1, "default", COLLISION(1));
  ball->setPosition(0, 0, 3);
  ArticulatedSystem* crate = world.addArticulatedSystem(freeBody("crate", BoxShape{{1, 1, 1}}, 1));
  place(*crate, {0, 0, 6});
  const auto& all = world.rayTest({0, 0, 10}, {0, 0, -2}, 20);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].getObject(), crate);
  EXPECT_EQ(all[1].getObject(), ball);
  EXPECT_EQ(all[2].getObject(), ground);
  const double heights[] = {6.5, 3.5, 0};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(all[i].getPosition()[2], heights[i], 1e-12);
    EXPECT_NEAR(all[i].distance, 10 - heights[i], 1e-12);
    EXPECT_EQ(all[i].getNormal(), Vec<3>(0, 0, 1));
  }
  EXPECT_EQ(world.rayTest({0, 0, 10}, {0, 0, -1}, 20, true).size(), 1u);
  EXPECT_EQ(world.rayTest({0, 0, 10}, {0, 0, -1}, 20, false, COLLISION(1)).size(), 1u);
  EXPECT_EQ(world.rayTest({0, 0, 10}, {0, 0, -1}, 20, false, -1, crate).size(), 2u);
  EXPECT_EQ(world.rayTest({0, 0, 10}, {0, 0, -1}, 20, 2).size(), 1u) << "a mask in fourth place";
  const RayHits& none = world.rayTest({0, 0, 10}, {0, 0, 1}, 20);
  EXPECT_FALSE(none);
  EXPECT_TRUE(none.empty());
}

// ---- terrains

TEST(RaiSimWorlds, HeightMapsComeFromPicturesTextAndNoise) {
  const TestFolder folder;
  const std::string png = folder.write("map.png", greyPng(2, 2, 8, {20, 20, 10, 10}));
  World world;
  const HeightMap* seen = world.addHeightMap(png, 1, 2, 4, 6, 0.5, -3);
  EXPECT_EQ(seen->getXSamples(), 2);
  EXPECT_EQ(seen->getYSize(), 6);
  EXPECT_EQ(seen->getCenterX(), 1);
  EXPECT_EQ(seen->getCenterY(), 2);
  EXPECT_NEAR(seen->getHeight(1, 2), 15 * 0.5 - 3, 1e-12);
  Eigen::Vector3d normal;
  seen->getNormal(1, 2, normal);
  EXPECT_LT((normal - Eigen::Vector3d(0, -5, 6).normalized()).norm(), 1e-12);
  EXPECT_THROW(seen->getHeight(10, 2), std::invalid_argument);

  const std::string text = folder.write("map.txt", "2 2 1 1  0 1  0 1");
  EXPECT_NEAR(world.addHeightMap(text, 20, 0)->getHeight(20.25, 0), 0.75, 1e-12);

  TerrainProperties noise;
  noise.seed = 3;
  const HeightMap* rough =
      world.addHeightMap(100.0, 0.0, noise, "sand", COLLISION(3), COLLISION(0));
  EXPECT_EQ(rough->getHeightVector(), makeTerrain(noise, 100, 0).heights);
  EXPECT_EQ(rough->getCollisionGroup(), 8u);
  EXPECT_EQ(rough->getCollisionMask(), 1u);
  const HeightMap* copy = world.addHeightMap(rough);
  EXPECT_EQ(copy->getPosition(), rough->getPosition());
  EXPECT_EQ(&copy->data(), &rough->data()) << "shared, not copied";
  EXPECT_EQ(copy->getMaterial(), "sand");
  EXPECT_THROW(world.addHeightMap(folder.path("none.png"), 0, 0, 1, 1, 1, 0),
               std::invalid_argument);
}

TEST(RaiSimWorlds, OnlyTheGroundsMaskMeetsABall) {
  World world;
  world.addGround(0, "default", COLLISION(1));
  world.addSphere(0.5, 1)->setPosition(0, 0, 0.4);
  world.addSphere(0.5, 1, "default", COLLISION(1))->setPosition(5, 0, 0.4);
  world.integrate();
  ASSERT_EQ(world.contacts().size(), 1u);
  EXPECT_EQ(std::max(world.contacts()[0].objectA, world.contacts()[0].objectB), 2);
}

// ---- bodies by their type

TEST(RaiSimWorlds, EveryBodyHasTheTypeOfItsShape) {
  World world;
  EXPECT_EQ(world.addSphere(0.3, 1)->getRadius(), 0.3);
  EXPECT_EQ(world.addBox(1, 2, 3, 1)->getDim(), Vec<3>(1, 2, 3));
  EXPECT_EQ(world.addCylinder(0.1, 0.7, 1)->getHeight(), 0.7);
  EXPECT_EQ(world.addCapsule(0.1, 0.8, 1)->getRadius(), 0.1);
  EXPECT_EQ(world.addGround(-2)->getHeight(), -2);
  const ObjectType types[] = {ObjectType::SPHERE, ObjectType::BOX, ObjectType::CYLINDER,
                              ObjectType::CAPSULE, ObjectType::HALFSPACE};
  const std::vector<Object*>& objects = world.getObjList();
  ASSERT_EQ(objects.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(objects[i]->getObjectType(), types[i]);
  EXPECT_EQ(dynamic_cast<Box*>(objects[0]), nullptr);
  EXPECT_NE(dynamic_cast<Box*>(objects[1]), nullptr);
  EXPECT_EQ(dynamic_cast<Capsule*>(objects[2]), nullptr);
  // What is read from data has the same types.
  BodySpec spec = fixedShape("stone", SphereShape{0.2});
  EXPECT_NE(dynamic_cast<Sphere*>(world.addBody(spec)), nullptr);
  EXPECT_EQ(world.getObjList().size(), 6u);
}

TEST(RaiSimWorlds, AMeshIsCopiedWithItsInertia) {
  const TestFolder folder;
  const std::string file = folder.write(
      "cube.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
  World world;
  const Mat<3, 3> I = Eigen::Matrix3d::Identity();
  const Mesh* one = world.addMesh(file, 2.0, I, Vec<3>{0.1, 0, 0}, 2);
  const Mesh* two = world.addMesh(one, "steel");
  EXPECT_EQ(two->getMeshFileName(), one->getMeshFileName());
  EXPECT_EQ(&two->getMesh(), &one->getMesh());
  EXPECT_EQ(two->getMesh().vertices[1].x, one->getMesh().vertices[1].x);
  EXPECT_EQ(two->getMass(), 2);
  EXPECT_EQ(two->getCom(), Eigen::Vector3d(0.1, 0, 0));
  EXPECT_EQ(two->getInertiaMatrix_B(), I);
  EXPECT_EQ(two->getMaterial(), "steel");
}

TEST(RaiSimWorlds, ACompoundOfRaiSimsPartsIsThatOfOurs) {
  std::vector<Compound::CompoundObjectChild> parts(2);
  parts[0].objectType = ObjectType::BOX;
  parts[0].objectParam = Vec<4>(1, 2, 3, 0);
  parts[1].objectType = ObjectType::CAPSULE;
  parts[1].objectParam = Vec<4>(0.1, 0.5, 0, 0);
  parts[1].trans.pos = {0, 0, 2};
  parts[1].material = "rubber";
  World world;
  const Mat<3, 3> I = Eigen::Matrix3d::Identity();
  SingleBodyObject* body = world.addCompound(parts, 5, {0, 0, 1}, I, COLLISION(4));
  EXPECT_NE(dynamic_cast<Compound*>(body), nullptr);
  const BodySpec spec = world.spec().bodies[0];
  ASSERT_EQ(spec.collisions.size(), 2u);
  EXPECT_EQ(std::get<BoxShape>(spec.collisions[0].shape).size.z, 3);
  EXPECT_EQ(std::get<CapsuleShape>(spec.collisions[1].shape).height, 0.5);
  EXPECT_EQ(spec.collisions[1].X_LG.p.z, 2);
  EXPECT_EQ(spec.collisions[1].material, "rubber");
  EXPECT_EQ(spec.collisions[1].group, 16u);
  EXPECT_EQ(spec.inertial.X_LC.p.z, 1);
  parts[0].objectType = ObjectType::MESH;
  EXPECT_THROW(world.addCompound(parts, 5, {0, 0, 1}, I), std::invalid_argument);
}

}  // namespace
}  // namespace espalier::testing

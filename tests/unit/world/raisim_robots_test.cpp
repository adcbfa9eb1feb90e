// A robot's visuals, collision bodies and description under RaiSim's names.

#include <gtest/gtest.h>
#include <ode/ode.h>

#include "espalier/io/spec_difference.h"
#include "espalier/io/urdf/urdf.h"
#include "tests/support/world_scenes.h"
#include "tests/unit/io/folder.h"

namespace espalier::testing {
namespace {

/// A ball of 0.25 m, as a robot, on the ground.
ArticulatedSystem* ballOnGround(World& world) {
  world.addGround();
  ArticulatedSystem* ball = world.addArticulatedSystem(freeBody("ball", SphereShape{0.25}, 1));
  place(*ball, {0, 0, 0.25});
  return ball;
}

// ---- collision bodies

TEST(RaiSimRobots, OdesBitsOfACollisionBodyAct) {
  World world;
  ArticulatedSystem* ball = ballOnGround(world);
  world.integrate();
  EXPECT_EQ(world.contacts().size(), 1u);
  CollisionBody& body = ball->getCollisionBodies()[0];
  const dGeomID geom = body.colObj;
  EXPECT_EQ(geom, body.getCollisionObject());
  EXPECT_EQ(dGeomGetCategoryBits(geom), 1u);
  EXPECT_EQ(dGeomGetCollideBits(geom), ~0ul);
  dGeomSetCategoryBits(geom, COLLISION(40));
  dGeomSetCollideBits(geom, COLLISION(41));
  world.integrate();
  EXPECT_TRUE(world.contacts().empty());
  EXPECT_EQ(body.getCollisionGroup(), COLLISION(40));
  EXPECT_EQ(body.getCollisionMask(), COLLISION(41));
  const CollisionSpec exported = world.spec().systems[0].system.links[0].collisions[0];
  EXPECT_EQ(exported.group, COLLISION(40));
  EXPECT_EQ(exported.mask, COLLISION(41));
  body.setCollisionMask(1);
  EXPECT_EQ(dGeomGetCollideBits(geom), 1u);
  EXPECT_EQ(dGeomGetCategoryBits(geom), COLLISION(40));
}

TEST(RaiSimRobots, AGeomMovedThroughOdeIsRefusedAndPutBack) {
  World world;
  ArticulatedSystem* ball = ballOnGround(world);
  world.integrate();
  const dGeomID geom = ball->getCollisionBodies()[0].colObj;
  const std::uint64_t before = world.stateHash();
  const double height = dGeomGetPosition(geom)[2];
  EXPECT_NEAR(height, 0.25, 1e-6);
  dGeomSetPosition(geom, 0, 0, 5);
  dGeomSphereSetRadius(geom, 0.5);
  try {
    world.integrate();
    FAIL() << "the move was not noticed";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("posOffset"), std::string::npos) << error.what();
  }
  EXPECT_EQ(world.stateHash(), before);
  EXPECT_EQ(dGeomGetPosition(geom)[2], height);
  EXPECT_NO_THROW(world.integrate());
  EXPECT_EQ(std::get<SphereShape>(ball->getCollisionBodies()[0].getShape()).radius, 0.5);
  dMatrix3 turned;
  dRFromAxisAndAngle(turned, 0, 0, 1, 1);
  dGeomSetRotation(geom, turned);
  EXPECT_THROW(world.integrate1(), std::invalid_argument);
  for (int i = 0; i < 20; ++i)
    EXPECT_NO_THROW(world.integrate()) << "what the body does is no move";
}

TEST(RaiSimRobots, ShapesAndOffsetsAreSetByTheirPlace) {
  World world;
  ArticulatedSystem* ball = ballOnGround(world);
  ball->setCollisionObjectShapeParameters(0, Vec<4>(0.5, 0, 0, 0));
  ball->setCollisionObjectPositionOffset(0, {0, 0, 1});
  const Mat<3, 3> quarter(rotation(Quat<double>{0.6, 0, 0, 0.8}));
  ball->setCollisionObjectOrientationOffset(0, quarter);
  ball->updateMassInfo();
  const auto& body = std::as_const(*ball).getCollisionBody("ball/0");
  EXPECT_EQ(std::get<SphereShape>(body.getShape()).radius, 0.5);
  EXPECT_EQ(body.posOffset, Vec<3>(0, 0, 1));
  EXPECT_EQ(body.rotOffset, quarter);
  EXPECT_NEAR(ball->getLowestCollisionPoint(), 0.25 + 1 - 0.5, 1e-12);
  EXPECT_THROW(ball->setCollisionObjectShapeParameters(0, Vec<4>()), std::invalid_argument);
  EXPECT_THROW(ball->setCollisionObjectShapeParameters(1, Vec<4>()), std::invalid_argument);
  EXPECT_THROW(ball->getCollisionBodies()[0].setShape(BoxShape{{1, 1, 1}}), std::invalid_argument);
  EXPECT_EQ(std::get<SphereShape>(body.getShape()).radius, 0.5);
  EXPECT_THROW(std::as_const(*ball).getCollisionBody("ball/1"), std::invalid_argument);
}

TEST(RaiSimRobots, ALinkHasTheCollisionBodiesAndVisualsOfItsBody) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(modelFile("strider"));
  std::size_t bodies = 0, visuals = 0;
  for (const std::string& name : robot->getBodyNames()) {
    const auto collisions = robot->getLink(name).getCollisionSet();
    for (const auto& [known, body] : collisions) {
      EXPECT_EQ(body->name, known);
      EXPECT_EQ(body->bodyIdx, static_cast<std::size_t>(robot->getBodyIdx(name)));
      EXPECT_EQ(robot->getLink(name).getCollisionDefinition(known), body);
    }
    bodies += collisions.size();
    for (const auto& [known, visual] : robot->getLink(name).getVisualSet()) {
      EXPECT_EQ(robot->getLink(name).getVisualObject(known), visual);
      ++visuals;
    }
  }
  EXPECT_GT(bodies, 4u);
  EXPECT_EQ(bodies, robot->getCollisionBodies().size());
  EXPECT_EQ(visuals, robot->getVisOb().size());
  EXPECT_EQ(robot->getLink(robot->getBodyNames()[0]).getVisualObject("none"), nullptr);
}

// ---- visuals

TEST(RaiSimRobots, VisualsAreThoseOfTheFile) {
  const SystemSpec spec = modelSpec("strider");
  World world;
  const ArticulatedSystem* robot = world.addArticulatedSystem(spec);
  std::size_t i = 0;
  for (const LinkSpec& link : spec.links)
    for (const VisualSpec& visual : link.visuals) {
      ASSERT_LT(i, robot->getVisOb().size());
      const VisObject& v = robot->getVisOb()[i++];
      EXPECT_EQ(v.shape, shapeType(visual.shape));
      EXPECT_EQ(v.color, Vec<4>(visual.rgba[0], visual.rgba[1], visual.rgba[2], visual.rgba[3]));
      EXPECT_EQ(v.material, visual.material);
      EXPECT_EQ(static_cast<int>(v.localIdx), world.system(0)->getLink(link.name).getBodyIndex());
      if (const auto* s = std::get_if<SphereShape>(&visual.shape)) {
        EXPECT_EQ(v.visShapeParam, std::vector{s->radius});
      }
    }
  EXPECT_GT(i, 10u);
  EXPECT_EQ(i, robot->getVisOb().size());
  EXPECT_EQ(robot->getVisColOb().size(), robot->getCollisionBodies().size());
}

TEST(RaiSimRobots, VisualsMoveWithTheirBodies) {
  World world;
  ArticulatedSystem* robot = addRobot(world, "strider", 0, 0, {1, 2, 3});
  Eigen::Matrix3d R, R_WB;
  Eigen::Vector3d p, p_WB;
  for (std::size_t i = 0; i < robot->getVisOb().size(); ++i) {
    const VisObject& v = robot->getVisOb()[i];
    robot->getVisObPose(static_cast<int>(i), R, p);
    robot->getBodyPose(static_cast<int>(v.localIdx), R_WB, p_WB);
    EXPECT_LT((p - (p_WB + R_WB * v.offset)).norm(), 1e-14);
    EXPECT_LT((R - R_WB * v.rot).norm(), 1e-14);
  }
  robot->getVisColObPose(0, R, p);
  robot->getBodyPose(0, R_WB, p_WB);
  EXPECT_LT((p - (p_WB + R_WB * robot->getVisColOb()[0].offset)).norm(), 1e-14);
  EXPECT_THROW(robot->getVisObPose(-1, R, p), std::invalid_argument);
  EXPECT_THROW(robot->getVisColObPose(1000, R, p), std::invalid_argument);
}

TEST(RaiSimRobots, VisualsOfAGearedRotorTurnWithIt) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(modelFile("revolute_with_rotor"));
  const auto& visuals = robot->getVisOb();
  const auto ofRotor = [&](const VisObject& v) { return robot->model().links[v.link].rotor >= 0; };
  const auto found = std::find_if(visuals.begin(), visuals.end(), ofRotor);
  ASSERT_NE(found, visuals.end());
  const auto index = static_cast<int>(found - visuals.begin());
  Eigen::Matrix3d before, after;
  Eigen::Vector3d p;
  robot->getVisObPose(index, before, p);
  robot->setGeneralizedCoordinate({0.3});
  robot->getVisObPose(index, after, p);
  const double turned = std::acos(((before.transpose() * after).trace() - 1) / 2);
  EXPECT_NEAR(turned, 6 * 0.3, 1e-9);
}

TEST(RaiSimRobots, EditedVisualsAreExportedAndOthersStayAsTheyWere) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(modelFile("strider"));
  const SystemSpec file = modelSpec("strider");
  robot->getVisOb();  // handed out, not edited
  EXPECT_EQ(io::difference(robot->spec(), file), "");
  VisObject& first = robot->getVisOb()[0];
  first.color = Vec<4>(1, 0, 0, 0.5);
  first.shape = ShapeType::Box;
  first.visShapeParam = {1, 2, 3};
  first.offset = {0.5, 0, 0};
  robot->getVisOb().push_back(robot->getVisOb()[1]);
  robot->getVisOb().back().link = -1;
  robot->getVisOb().back().localIdx = 2;
  robot->getVisOb().back().name = "added";
  const SystemSpec edited = robot->spec();
  const VisualSpec& visual = edited.links[0].visuals[0];
  EXPECT_EQ(visual.rgba, (std::array<double, 4>{1, 0, 0, 0.5}));
  EXPECT_EQ(std::get<BoxShape>(visual.shape).size.z, 3);
  EXPECT_EQ(visual.X_LG.p.x, 0.5);
  int added = 0, before = 0, after = 0;
  for (const LinkSpec& link : file.links) before += static_cast<int>(link.visuals.size());
  for (const LinkSpec& link : edited.links)
    for (const VisualSpec& v : link.visuals) {
      ++after;
      if (v.name != "added") continue;
      ++added;
      EXPECT_EQ(world.system(0)->getLink(link.name).getBodyIndex(), 2);
    }
  EXPECT_EQ(added, 1);
  EXPECT_EQ(after, before + 1);
  // What a user cannot mean is refused when it is asked for.
  robot->getVisOb()[0].visShapeParam = {1};
  EXPECT_THROW(robot->spec(), std::invalid_argument);
  robot->getVisOb()[0].visShapeParam = {1, 1, 1};
  robot->getVisOb()[0].localIdx = 1000;
  EXPECT_THROW(robot->spec(), std::invalid_argument);
}

TEST(RaiSimRobots, ARescaledMeshIsRescaledInItsTriangles) {
  const TestFolder folder;
  folder.write("cube.obj",
               "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
  const std::string file =
      folder.write("r.urdf",
                   "<robot name='r'><link name='base'><inertial><mass value='1'/>"
                   "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
                   "<visual><geometry><mesh filename='cube.obj' scale='2 2 2'/></geometry></visual>"
                   "</link></robot>");
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(file);
  VisObject& v = robot->getVisOb()[0];
  EXPECT_EQ(v.name, "base/0");
  EXPECT_EQ(v.scale, Vec<3>(2, 2, 2));
  EXPECT_EQ(v.fileName, folder.path("cube.obj"));
  v.scale = {4, 2, 2};
  const SystemSpec edited = robot->spec();
  const auto& mesh = std::get<MeshShape>(edited.links[0].visuals[0].shape);
  double widest = 0;
  for (const Vec3d& vertex : mesh.data->vertices) widest = std::max(widest, vertex.x);
  EXPECT_EQ(widest, 4);
  EXPECT_EQ(edited.links[0].visuals[0].meshScale.x, 4);
  v.fileName = "other.obj";
  EXPECT_EQ(std::get<MeshShape>(robot->spec().links[0].visuals[0].shape).data, nullptr);
}

// ---- description

TEST(RaiSimRobots, ARobotKnowsItsFile) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(modelFile("strider"));
  EXPECT_EQ(robot->getRobotDescriptionfFileName(), "strider.urdf");
  EXPECT_EQ(robot->getRobotDescriptionfTopDirName(), "strider");
  EXPECT_EQ(robot->getRobotDescriptionFullPath(),
            robot->getResourceDir() + "/" + robot->getRobotDescriptionfFileName());
  ArticulatedSystem* made = world.addArticulatedSystem(freeBody("ball", SphereShape{0.25}, 1));
  EXPECT_EQ(made->getRobotDescriptionFullPath(), "");
  EXPECT_EQ(made->getResourceDir(), "");
}

TEST(RaiSimRobots, ADescriptionIsWrittenWithAllEdits) {
  const TestFolder folder;
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(modelFile("arm7"));
  robot->getMass()[3] += 0.5;
  robot->updateMassInfo();
  const std::string file = folder.path("heavier.urdf");
  robot->exportRobotDescriptionToURDF(file);
  World other;
  const ArticulatedSystem* again = other.addArticulatedSystem(file);
  EXPECT_EQ(again->getMass(3), robot->getMass(3));
  EXPECT_EQ(again->getTotalMass(), robot->getTotalMass());
  EXPECT_THROW(robot->exportRobotDescriptionToURDF(folder.path("a.txt")), std::invalid_argument);
  EXPECT_THROW(robot->exportRobotDescriptionToURDF(folder.path("nowhere/a.urdf")),
               std::invalid_argument);
  ArticulatedSystem* compiled =
      world.addArticulatedSystem(std::make_shared<const Model>(robot->model()));
  EXPECT_TRUE(compiled->getVisOb().empty());
  EXPECT_THROW(compiled->getRobotDescription(), std::invalid_argument);
}

TEST(RaiSimRobots, NamesArePrintedOneALine) {
  World world;
  const ArticulatedSystem* robot = world.addArticulatedSystem(modelFile("double_pendulum"));
  const auto lines = [](const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += name + "\n";
    return text;
  };
  ::testing::internal::CaptureStdout();
  robot->printOutBodyNamesInOrder();
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), lines(robot->getBodyNames()));
  ::testing::internal::CaptureStdout();
  robot->printOutMovableJointNamesInOrder();
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), lines(robot->getMovableJointNames()));
  std::vector<std::string> frames;
  for (const CoordinateFrame& frame : robot->getFrames()) frames.push_back(frame.name);
  ::testing::internal::CaptureStdout();
  robot->printOutFrameNamesInOrder();
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), lines(frames));
}

}  // namespace
}  // namespace espalier::testing

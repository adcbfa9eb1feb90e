// A world becomes a spec, a file and a world again, edits and all.

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "espalier/io/export/export.h"
#include "espalier/io/world_xml/world_xml.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

/// Two worlds run alike: the same bits for as long as nobody touches them.
void expectSameRun(World& first, World& second, double tolerance) {
  ASSERT_EQ(first.getState().q.size(), second.getState().q.size());
  for (int i = 0; i < 200; ++i) {
    first.integrate();
    second.integrate();
  }
  for (int i = 0; i < first.objectCount(); ++i) {
    const Object* a = first.getObject(i);
    const Object* b = second.getObject(a->getName());
    ASSERT_NE(b, nullptr) << a->getName();
    if (const auto* body = dynamic_cast<const SingleBodyObject*>(a)) {
      const auto* other = dynamic_cast<const SingleBodyObject*>(b);
      EXPECT_LT((body->getPosition() - other->getPosition()).norm(), tolerance) << a->getName();
    } else {
      EXPECT_LT((static_cast<const ArticulatedSystem*>(a)->getGeneralizedCoordinate() -
                 static_cast<const ArticulatedSystem*>(b)->getGeneralizedCoordinate())
                    .norm(),
                tolerance)
          << a->getName();
    }
  }
}

void build(World& world) {
  world.setTimeStep(0.002);
  world.setERP(0.1, 0.001);
  world.setGravity({0.5, 0, -9});
  MaterialPairSpec ice{"ice", "default", 0.05, 0.25, 0.02, 0.1, 0.005, 0.001, 0.002, 0};
  world.setMaterialPairProp(ice);
  world.addGround(0.1, "ice");
  world.addSphere(0.1, 1)->setPosition(2, 0, 0.4);
  SingleBodyObject* box = world.addBox(0.2, 0.3, 0.4, 2);
  box->setPosition(3, 0, 0.5);
  box->setVelocity(0, 0.5, 0, 1, 0, 0.25);
  box->setName("crate");
  ArticulatedSystem* robot = world.addArticulatedSystem(modelSpec("strider"));
  Eigen::VectorXd q = nominal("strider");
  q[2] += 0.3;
  robot->setState(q, Eigen::VectorXd::LinSpaced(18, -0.1, 0.1));
}

TEST(Export, ASpecIsTheWorldAgain) {
  World world;
  build(world);
  for (int i = 0; i < 50; ++i) world.integrate();
  World again(world.spec());
  EXPECT_EQ(again.getTimeStep(), 0.002);
  expectSameRun(world, again, 1e-9);
}

TEST(Export, AFileIsTheWorldAgain) {
  World world;
  build(world);
  const auto folder = std::filesystem::temp_directory_path() / "espalier_export_test";
  std::filesystem::create_directories(folder);
  const std::string file = (folder / "world.xml").string();
  world.exportToXml(file);
  World again(file);
  expectSameRun(world, again, 1e-9);
  std::filesystem::remove_all(folder);
  EXPECT_THROW(World(std::string("no/such/world.xml")), std::invalid_argument);
}

TEST(Export, EditsAreInTheSpec) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(modelSpec("arm7"));
  for (double& m : robot->getMass()) m *= 1.25;
  robot->getJointPos_P()[2][2] += 0.05;
  robot->getBodyCOM_B()[3][0] += 0.01;
  robot->setRotorInertia(VecDyn(Eigen::VectorXd(Eigen::VectorXd::Constant(7, 0.02))));
  robot->updateMassInfo();
  World again(world.spec());
  for (World* w : {&world, &again}) w->system(0)->setGeneralizedVelocity(Eigen::VectorXd::Ones(7));
  EXPECT_NEAR(again.system(0)->getTotalMass(), robot->getTotalMass(), 1e-12);
  expectSameRun(world, again, 1e-10);
}

}  // namespace
}  // namespace espalier::testing

// Single bodies under RaiSim's names.

#include <gtest/gtest.h>
#include <ode/ode.h>

#include <Eigen/Geometry>
#include <numbers>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

TEST(RaiSimBodies, AnOrientationIsAQuaternionOfAnyFormOrAMatrix) {
  World world;
  SingleBodyObject* box = world.addBox(1, 2, 3, 1);
  const Eigen::AngleAxisd turn(0.7, Eigen::Vector3d(1, 2, -1).normalized());
  const Eigen::Matrix3d R = turn.toRotationMatrix();
  const Eigen::Quaterniond q(turn);
  const Eigen::Vector3d p(1, 2, 3);
  const auto stands = [&] { return (box->getOrientation() - R).norm() < 1e-15; };
  const auto lie = [&] { box->setPose(Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()); };

  box->setOrientation(q);
  EXPECT_TRUE(stands());
  lie();
  EXPECT_FALSE(stands());
  box->setOrientation(R);
  EXPECT_TRUE(stands());
  lie();
  box->setOrientation(Eigen::Vector4d(q.w(), q.x(), q.y(), q.z()));
  EXPECT_TRUE(stands());
  lie();
  box->setOrientation({2 * q.w(), 2 * q.x(), 2 * q.y(), 2 * q.z()});
  EXPECT_TRUE(stands());
  for (int form = 0; form < 3; ++form) {
    lie();
    if (form == 0) box->setPose(p, R);
    if (form == 1) box->setPose(p, q);
    if (form == 2) box->setPose(p, Eigen::Vector4d(q.w(), q.x(), q.y(), q.z()));
    EXPECT_TRUE(stands());
    EXPECT_EQ(box->getPosition(), p);
  }
  EXPECT_THROW(box->setOrientation(Eigen::Matrix3d(2 * R)), std::invalid_argument);
  EXPECT_THROW(box->setOrientation(Eigen::Matrix3d(-R)), std::invalid_argument);
  EXPECT_THROW(box->setOrientation(Vec<4>()), std::invalid_argument);
  EXPECT_TRUE(stands()) << "nothing changed";
}

TEST(RaiSimBodies, GettersFillTheirArgument) {
  World world;
  SingleBodyObject* box = world.addBox(1, 2, 3, 1);
  box->setPose({1, 2, 3}, Eigen::Quaterniond(0.6, 0, 0, 0.8));
  box->setVelocity({1, 0, 0}, {0, 0, 2});
  Vec<3> v, w;
  Vec<4> q;
  Mat<3, 3> R, again;
  box->getVelocity(0, v);
  box->getAngularVelocity(w);
  box->getQuaternion(q);
  box->getRotationMatrix(R);
  box->getOrientation(0, again);
  EXPECT_EQ(v, Vec<3>(1, 0, 0));
  EXPECT_EQ(w, Vec<3>(0, 0, 2));
  EXPECT_EQ(q, Vec<4>(0.6, 0, 0, 0.8));
  EXPECT_EQ(R, again);
  EXPECT_EQ(R.e(), box->getRotationMatrix());
  const Vec<3> arm(0.5, 0, 0);
  box->getVelocity(0, arm, v);
  EXPECT_LT((v - (Eigen::Vector3d(1, 0, 0) + w.cross(R * arm))).norm(), 1e-15);
  box->getLinearVelocity(v);
  EXPECT_EQ(v, Vec<3>(1, 0, 0));
  EXPECT_THROW(box->getVelocity(1, v), std::invalid_argument);
  EXPECT_THROW(box->getOrientation(-1, R), std::invalid_argument);
}

TEST(RaiSimBodies, TheInertiaTurnsWithTheBodyInWorldAxes) {
  World world;
  SingleBodyObject* box = world.addBox(1, 2, 3, 12);
  EXPECT_EQ(box->getInertiaMatrix_B(), box->getInertia_B());
  box->setOrientation(
      Eigen::Quaterniond(Eigen::AngleAxisd(std::numbers::pi / 2, Eigen::Vector3d::UnitZ())));
  const Eigen::Vector3d seen = box->getInertiaMatrix_W().diagonal();
  EXPECT_LT((seen - Eigen::Vector3d(1 + 9, 4 + 9, 1 + 4)).norm(), 1e-12);
}

TEST(RaiSimBodies, GroupAndMaskAreReadAndSetApart) {
  World world;
  world.addGround();
  SingleBodyObject* ball = world.addSphere(0.5, 1, "default", COLLISION(3), COLLISION(0));
  EXPECT_EQ(ball->getCollisionGroup(), 8u);
  EXPECT_EQ(ball->getCollisionMask(), 1u);
  ball->setPosition(0, 0, 0.4);
  world.integrate();
  EXPECT_EQ(world.contacts().size(), 1u);
  ball->setCollisionMask(COLLISION(1));
  EXPECT_EQ(ball->getCollisionGroup(), 8u);
  EXPECT_EQ(ball->getCollisionMask(), 2u);
  world.integrate();
  EXPECT_TRUE(world.contacts().empty());
  EXPECT_EQ(world.spec().bodies[1].collisions[0].mask, 2u) << "an exported world keeps it";
}

TEST(RaiSimBodies, OdesBitsOfASingleBodyAct) {
  World world;
  world.addGround();
  SingleBodyObject* ball = world.addSphere(0.5, 1);
  ball->setPosition(0, 0, 0.4);
  const dGeomID geom = ball->getCollisionObject();
  EXPECT_EQ(dGeomGetCategoryBits(geom), 1u);
  dGeomSetCollideBits(geom, 2);
  world.integrate();
  EXPECT_TRUE(world.contacts().empty());
  EXPECT_EQ(ball->getCollisionMask(), 2u);
  ball->setCollisionMask(1);
  EXPECT_EQ(dGeomGetCollideBits(geom), 1u);
  world.integrate();
  EXPECT_EQ(world.contacts().size(), 1u);
}

TEST(RaiSimBodies, AnAppearanceIsKeptAndAColourIsExported) {
  World world;
  SingleBodyObject* ball = world.addSphere(0.5, 1);
  SingleBodyObject* plain = world.addSphere(0.5, 1);
  EXPECT_EQ(ball->getAppearance(), "");
  ball->setAppearance("0.25, 0.5, 0.75, 1");
  EXPECT_EQ(ball->getAppearance(), "0.25, 0.5, 0.75, 1");
  plain->setAppearance("marble");
  const WorldSpec spec = world.spec();
  ASSERT_EQ(spec.bodies[0].visuals.size(), 1u);
  EXPECT_EQ(spec.bodies[0].visuals[0].rgba, (std::array<double, 4>{0.25, 0.5, 0.75, 1}));
  EXPECT_TRUE(spec.bodies[1].visuals.empty()) << "the name of a texture is no colour";
  const World again(spec);
  EXPECT_EQ(static_cast<SingleBodyObject*>(again.getObject(0))->getAppearance(), "0.25 0.5 0.75 1");
}

}  // namespace
}  // namespace espalier::testing

// Live editing: when each edit takes effect, and that an edited robot is the one of the edited file.

#include "espalier/robot/editing.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/unit/world/editing_scene.h"

namespace espalier::testing {
namespace {

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

TEST(Editing, AnUndoneEditRestoresEveryBit) {
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

TEST(Editing, TwinsStayUnchanged) {
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

}  // namespace
}  // namespace espalier::testing

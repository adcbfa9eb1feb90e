// What Object::getContacts() lists, in RaiSim's names, and when the list is empty.

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <set>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

/// Two balls that rest on the ground and one that hangs 1.5 mm above it in the air.
struct Balls : ::testing::Test {
  World world;
  SingleBodyObject* ground = world.addGround();
  SingleBodyObject *first = world.addSphere(0.1, 1), *second = world.addSphere(0.1, 1);
  ArticulatedSystem* near = world.addArticulatedSystem(freeBody("near", SphereShape{0.1}, 1));

  void SetUp() override {
    first->setPosition(0, 0, 0.1);
    second->setPosition(1, 0, 0.1);
    place(*near, {2, 0, 0.1015});
    world.integrate();
  }
};

TEST_F(Balls, NearMissesAreListedByAskingOnly) {
  ASSERT_EQ(world.contacts().size(), 3u) << "the near miss takes part in the solve";
  EXPECT_TRUE(near->getContacts().empty());
  const auto& all = near->getContacts(ContactFilter::ALL);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_NEAR(all[0].getDepth(), -0.0015, 1e-4);
  EXPECT_FALSE(all[0].isActive());
  EXPECT_FALSE(all[0].contact().isClosed());
  EXPECT_EQ(all[0].getImpulse().norm(), 0);
  ASSERT_EQ(first->getContacts().size(), 1u);
  EXPECT_TRUE(first->getContacts()[0].isActive());
  EXPECT_EQ(ground->getContacts().size(), 2u);
  EXPECT_EQ(ground->getContacts(ContactFilter::ALL).size(), 3u);
}

TEST_F(Balls, BetweenTheHalvesOfAStepClosedContactsAreActive) {
  for (int i = 0; i < 50; ++i) {
    world.integrate1();
    ASSERT_EQ(first->getContacts().size(), 1u) << i;
    ASSERT_TRUE(first->getContacts()[0].isActive());
    ASSERT_TRUE(first->getContacts()[0].contact().isClosed());
    ASSERT_EQ(first->getContacts()[0].getImpulse().norm(), 0) << "not known yet";
    world.integrate2();
    ASSERT_GT(first->getContacts()[0].getImpulse().z(), 0);
  }
}

TEST_F(Balls, TheListIsTheObjectsOwn) {
  auto& contacts = ground->getContacts();
  const ContactView* entry = contacts.data();
  ground->getContacts(ContactFilter::ALL);
  EXPECT_EQ(&ground->getContacts(), &contacts);
  EXPECT_EQ(contacts.data(), entry) << "asking again moves nothing";
  for (int i = 0; i < 500; ++i) world.integrate();  // the third has landed
  EXPECT_EQ(ground->getContacts().size(), 3u);
  EXPECT_EQ(contacts.size(), 3u);
}

// Places in the two lists name one and the same contact.
TEST_F(Balls, IndicesInBothListsAgree) {
  for (const ContactFilter filter : {ContactFilter::TOUCHING, ContactFilter::ALL})
    for (int object = 0; object < world.objectCount(); ++object) {
      const auto& contacts = world.getObject(object)->getContacts(filter);
      for (std::size_t i = 0; i < contacts.size(); ++i) {
        const ContactView& c = contacts[i];
        ASSERT_EQ(c.getIndexInObjectContactList(), static_cast<int>(i));
        const ContactView& other =
            world.getObject(c.getPairObjectIndex())
                ->getContacts(filter)
                .at(static_cast<std::size_t>(c.getPairContactIndexInPairObject()));
        EXPECT_EQ(other.getIndexInWorld(), c.getIndexInWorld());
        EXPECT_EQ(other.getPairContactIndexInPairObject(), static_cast<int>(i));
        EXPECT_NE(other.isObjectA(), c.isObjectA());
      }
    }
}

TEST(ContactList, ASelfCollisionStandsTwice) {
  SystemSpec spec = jointedBody(JointKind::Prismatic, SphereShape{0.1}, 1);
  LinkSpec other = spec.links[1];
  other.name = "other";
  spec.links.push_back(other);
  JointSpec joint = spec.joints[0];
  joint.name = "second";
  joint.child = "other";
  spec.joints.push_back(joint);
  World world;
  ArticulatedSystem* pair = world.addArticulatedSystem(spec);
  pair->setGeneralizedCoordinate({0.0, 0.19});
  world.integrate();
  const auto& contacts = pair->getContacts();
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_TRUE(contacts[0].isSelfCollision());
  EXPECT_FALSE(contacts[0].skip());
  EXPECT_TRUE(contacts[1].skip());
  EXPECT_EQ(contacts[0].getPairContactIndexInPairObject(), 1);
  EXPECT_EQ(contacts[1].getPairContactIndexInPairObject(), 0);
}

// What RaiSim's users write, and RaiSim gym's end of an episode: a contact that is no foot.
TEST(ContactList, RaiSimsIdioms) {
  World world;
  world.addGround();
  ArticulatedSystem* robot = addRobot(world, "strider", 100, 2, {0, 0, 0.01});
  std::set<std::size_t> feet;
  for (const char* foot : {"LF_foot", "RF_foot", "LH_foot", "RH_foot"})
    feet.insert(robot->getFrameByLinkName(foot).currentBodyId);
  std::size_t touching = 0;
  double weight = 0;
  for (int i = 0; i < 3000; ++i) world.integrate();
  for (auto& contact : robot->getContacts()) {
    if (!contact.isActive() || contact.skip()) continue;
    ++touching;
    if (contact.getPairObjectBodyType() != BodyType::STATIC) continue;
    const Eigen::Vector3d pointer = contact.getImpulse()->e(), vector = contact.getImpulse().e();
    EXPECT_EQ(pointer, vector);
    const double sign = contact.isObjectA() ? 1 : -1;
    weight += sign * (contact.getContactFrame().e().transpose() * contact.getImpulse()->e()).z();
    EXPECT_NE(feet.find(contact.getlocalBodyIndex()), feet.end());
  }
  EXPECT_GT(touching, 0u);
  EXPECT_NEAR(weight, robot->getTotalMass() * gravity * world.getTimeStep(), 1e-3 * weight);
}

TEST_F(Balls, SettersTakeAnObjectsContactsFromAllLists) {
  const Eigen::VectorXd q = near->getGeneralizedCoordinate(), u = near->getGeneralizedVelocity();
  const std::function<void()> ofBall[] = {
      [&] { first->setPosition(0, 0, 0.1); },
      [&] { first->setOrientation(1, 0, 0, 0); },
      [&] {
        first->setLinearVelocity({0, 0, 0});
      },
      [&] { first->setVelocity(0, 0, 0, 0, 0, 0); },
  };
  for (const auto& set : ofBall) {
    world.integrate();
    ASSERT_EQ(first->getContacts().size(), 1u);
    set();
    EXPECT_TRUE(first->getContacts().empty());
    EXPECT_EQ(ground->getContacts().size(), 1u) << "the other ball's";
    EXPECT_EQ(world.contacts().size(), 2u);
  }
  const std::function<void()> ofRobot[] = {
      [&] { near->setGeneralizedCoordinate(q); },
      [&] { near->setGeneralizedVelocity(u); },
      [&] { near->setState(q, u); },
      [&] {
        near->setBasePos({2, 0, 0.105});
      },
      [&] {
        near->setBasePosition({2, 0, 0.105});
      },
      [&] { near->setBaseOrientation(Vec<4>(1, 0, 0, 0)); },
      [&] {
        near->setBaseVelocity({0, 0, 0});
      },
      [&] {
        near->setBaseAngularVelocity({0, 0, 0});
      },
      [&] { near->setSpanningCoordinate(q); },
  };
  for (const auto& set : ofRobot) {
    near->setState(q, u);
    world.integrate();
    ASSERT_EQ(near->getContacts(ContactFilter::ALL).size(), 1u);
    set();
    EXPECT_TRUE(near->getContacts(ContactFilter::ALL).empty());
    EXPECT_EQ(world.contacts().size(), 2u);
  }
}

TEST_F(Balls, StatesOfTheWholeWorldEmptyAllLists) {
  const State state = world.getState();
  const auto bytes = world.saveCheckpoint();
  world.saveKeyframe("here");
  const std::function<void()> all[] = {[&] { world.setState(state); },
                                       [&] { world.restoreCheckpoint(bytes); },
                                       [&] { world.reset("here"); }, [&] { world.reset(); }};
  for (const auto& set : all) {
    world.setState(state);
    world.integrate();
    ASSERT_GE(world.contacts().size(), 3u);
    set();
    EXPECT_TRUE(world.contacts().empty());
    EXPECT_TRUE(ground->getContacts(ContactFilter::ALL).empty());
  }
}

// What is refused takes no contact away, and what is taken away changes no step to come.
TEST_F(Balls, TheListIsForReadingOnly) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(first->setPosition(0, 0, nan), std::invalid_argument);
  EXPECT_THROW(near->setBasePos({0, nan, 0}), std::invalid_argument);
  EXPECT_EQ(world.contacts().size(), 3u);
  World twin;
  twin.addGround();
  for (const double x : {0.0, 1.0}) twin.addSphere(0.1, 1)->setPosition(x, 0, 0.1);
  place(*twin.addArticulatedSystem(freeBody("near", SphereShape{0.1}, 1)), {2, 0, 0.1015});
  twin.integrate();
  for (int i = 0; i < 200; ++i) {
    near->setBasePos(near->getBasePosition());
    world.integrate();
    twin.integrate();
    ASSERT_EQ(world.stateHash(), twin.stateHash()) << i;
  }
}

}  // namespace
}  // namespace espalier::testing

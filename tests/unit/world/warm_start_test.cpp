// Impulses of the last step are found again by feature, else by place.
#include "espalier/step/warm_start.h"

#include <gtest/gtest.h>

#include "espalier/world/world.h"

namespace espalier {
namespace {

Contact contactOf(int a, int b, int feature, const Vec3d& at) {
  Contact c;
  c.geomA = GeomId(a);
  c.geomB = GeomId(b);
  c.feature = feature;
  c.position = at;
  return c;
}

WarmImpulse impulseOf(int a, int b, int feature, const Vec3d& at, double size) {
  return {GeomId(a), GeomId(b), feature, {0, 0, size}, {0, 0, 0}, at};
}

TEST(WarmStart, FeaturesFirstThenTheNearestThatIsLeft) {
  StepData world;
  world.warm = {impulseOf(1, 2, 3, {0, 0, 0}, 1), impulseOf(1, 4, 5, {0, 0, 0}, 2),
                impulseOf(1, 4, 6, {1, 0, 0}, 3), impulseOf(1, 4, 7, {1, 1, 0}, 4),
                impulseOf(2, 4, 5, {0, 0, 0}, 5)};
  world.warmCount = 5;
  world.contacts = {contactOf(1, 3, 5, {0, 0, 0}),      // a pair that did not touch
                    contactOf(1, 4, 1, {0.9, 0.9, 0}),  // nearest to 7
                    contactOf(1, 4, 2, {0.9, 0.1, 0}),  // nearest to 6, which has its own
                    contactOf(1, 4, 6, {5, 5, 0}),      // by its feature, wherever it is
                    contactOf(1, 4, 9, {1, 1, 0}),      // nothing is left
                    contactOf(2, 4, 5, {0, 0, 0})};
  world.contactCount = 6;
  WarmStart warm(world);
  const double expected[] = {0, 4, 2, 3, 0, 5};
  for (int i = 0; i < 6; ++i) {
    const WarmImpulse* known = warm.find(i);
    EXPECT_EQ(known ? known->impulse.z : 0, expected[i]) << i;
  }
}

TEST(WarmStart, PilesComeToRestOnAFewSweeps) {
  // Ten boxes that never get more than twelve sweeps a step, with ERP; entered in either order.
  for (const bool fromTheTop : {false, true}) {
    World world;
    world.setTimeStep(0.005);
    world.setIntegrationScheme(Scheme::SEMI_IMPLICIT);
    world.setERP(0.2);
    world.setContactSolverParam(1e-3, 12);
    world.setDefaultMaterial(0.5, 0, 0.01);
    world.addGround(0);
    std::vector<SingleBodyObject*> boxes;
    for (int k = 0; k < 10; ++k) {
      const int level = fromTheTop ? 9 - k : k;
      boxes.push_back(world.addBox(0.2, 0.2, 0.2, 1));
      boxes.back()->setPosition(
          {0.01 * ((level * 7) % 5), 0.01 * ((level * 3) % 4), 0.102 + 0.203 * level});
    }
    double fastest = 0, deepest = 0;
    for (int i = 0; i < 800; ++i) {
      world.integrate();
      if (i < 600) continue;
      deepest = std::max(deepest, world.report().penetration);
      for (const SingleBodyObject* box : boxes)
        fastest = std::max(fastest, box->getLinearVelocity().norm());
    }
    EXPECT_LT(fastest, 0.02);
    EXPECT_LT(deepest, 4e-4);
  }
}

}  // namespace
}  // namespace espalier

// The table of contact materials: look-ups while it grows, and pairs that are set again.

#include <gtest/gtest.h>

#include "espalier/step/materials.h"

namespace espalier {
namespace {

MaterialPair frictionOf(double friction) {
  MaterialPair pair;
  pair.friction = friction;
  return pair;
}

TEST(Materials, PairsAreFoundHoweverManyThereAre) {
  Materials materials;
  constexpr int n = 1500;
  const auto name = [](int i) { return "m" + std::to_string(i); };
  for (int i = 0; i < n; ++i) materials.id("plain" + std::to_string(i));
  for (int i = 0; i + 1 < n; ++i) materials.setPair(name(i), name(i + 1), frictionOf(i));
  materials.setDefault(frictionOf(0.25));
  for (int i = 0; i + 1 < n; ++i) {
    const MaterialId a = materials.id(name(i)), b = materials.id(name(i + 1));
    ASSERT_EQ(materials.pair(a, b).friction, i);
    ASSERT_EQ(materials.pair(b, a).friction, i);
    ASSERT_EQ(materials.pair(a, a).friction, 0.25) << "no rule";
    ASSERT_EQ(materials.pair(a, materials.id("plain7")).friction, 0.25);
  }
  EXPECT_EQ(materials.pairSpecs().size(), static_cast<std::size_t>(n - 1));
}

TEST(Materials, APairSetAgainHasItsLastRuleAndPlace) {
  Materials materials;
  materials.setPair("a", "b", frictionOf(1));
  materials.setPair("a", "c", frictionOf(2));
  materials.setPair("b", "a", frictionOf(3));
  EXPECT_EQ(materials.pair(materials.id("a"), materials.id("b")).friction, 3);
  EXPECT_EQ(materials.pair(materials.id("a"), materials.id("c")).friction, 2);
  const auto specs = materials.pairSpecs();
  ASSERT_EQ(specs.size(), 2u);
  EXPECT_EQ(specs[0].second, "c");
  EXPECT_EQ(specs[1].first, "b");
}

TEST(Materials, TorsionOfTheDefaultCountsWhereSomePairHasNoRule) {
  Materials materials;
  MaterialPair turning;
  turning.rolling = 0.1;
  materials.setDefault(turning);
  EXPECT_FALSE(materials.haveTorsion()) << "there is no material";
  materials.setPair("a", "a", {});
  EXPECT_FALSE(materials.haveTorsion()) << "the one pair has a rule without it";
  materials.id("b");
  EXPECT_TRUE(materials.haveTorsion());
  materials.setDefault({});
  EXPECT_FALSE(materials.haveTorsion());
  materials.setPair("a", "b", turning);
  EXPECT_TRUE(materials.haveTorsion());
}

}  // namespace
}  // namespace espalier

#pragma once

// What tests of batches share: a world, and the comparison of two worlds of batches to the bit.

#include <gtest/gtest.h>

#include "espalier/batch/batch.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {

inline std::shared_ptr<World> makeGround() {
  auto world = std::make_shared<World>();
  world->setTimeStep(2e-3);
  world->addGround();
  return world;
}

inline std::shared_ptr<World> makeStrider() {
  auto world = makeGround();
  addRobot(*world, "strider", 100, 5, {0, 0, 0.01});
  return world;
}

template <class S>
void expectSameWorld(const Batch<S>& a, int i, const Batch<S>& b, int k) {
  const State x = a.getState(i), y = b.getState(k);
  EXPECT_EQ(x.q, y.q) << "world " << i << " of the first, " << k << " of the second";
  EXPECT_EQ(x.u, y.u);
}

}  // namespace espalier::testing

#pragma once

// How a robot is added to a world (the name is RaiSim's).

namespace espalier {

struct ArticulatedSystemOption {
  /// False: a body collides with the body that carries it, too. Pairs that the file or
  /// ignoreCollisionBetween() names stay ignored.
  bool doNotCollideWithParent = true;
};

}  // namespace espalier

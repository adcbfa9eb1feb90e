#pragma once

// LanePack: worlds with the same robot, stepped side by side, one in each lane of a register.
//
//   std::vector<World*> worlds;               // each with the same robot
//   LanePack pack(worlds);
//   for (...) pack.integrate();               // instead of worlds[i]->integrate()
//
// The worlds stay what they are: states, gains, forces and contacts are set and read through them,
// between steps. Every world's numbers are to the bit those of World::integrate(), whoever its
// neighbours are and however many; only `iterations` in the report are the most of those that were
// solved together. How: docs/architecture.md, "Lanes of worlds".

#include <memory>
#include <vector>

#include "espalier/world/world.h"

namespace espalier {

class LaneSteps;

class LanePack {
 public:
  /// in  worlds  with one robot each, compiled from the same description, with collision shapes,
  ///             and joints that close loops, in the same places of their bodies; the same scheme
  ///             and time step. Masses, lengths and rotors may be each world's own. Beside the
  ///             robot there may be anything but further robots. They outlive this object.
  ///   errors  throws std::invalid_argument that names the first world which is not so
  explicit LanePack(const std::vector<World*>& worlds);
  ~LanePack();
  LanePack(LanePack&&) noexcept;

  /// One step of every world.
  ///   errors  as World::integrate(), before any world has moved. Where a contact callback throws,
  ///           the step is given up, as in World::integrate(), for its world and those in its
  ///           register; worlds behind these have not been stepped
  void integrate();

  /// Worlds that go side by side on this machine.
  static int lanes();
  /// How many worlds took the last step alone: where something asks for it that lanes do not have
  /// (docs/architecture.md lists it), or where a linkage is near a change point.
  int steppedAlone() const;
  /// How many had their contacts solved alone: no other of their lanes touched the same way.
  int solvedAlone() const;

 private:
  std::unique_ptr<LaneSteps> steps_;
};

}  // namespace espalier

#pragma once

// Everything a World owns: what its step needs, and the handles that users hold.

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "espalier/robot/articulated_system.h"
#include "espalier/robot/single_body.h"
#include "espalier/step/step_data.h"
#include "espalier/world/ray_hits.h"

namespace espalier {

class World;

struct WorldData : StepData {
  std::vector<std::unique_ptr<Object>> objects;
  std::vector<Object*> objectList;  ///< result of World::getObjList()
  RayHits rayHits;                  ///< result of World::rayTest()
  std::map<std::string, std::vector<std::byte>> keyframes;
  int nextOwner = 0;  ///< number of the next body in the collision scene
  int nextWeld = 0;
};

/// What a World owns, for modules that step worlds side by side.
WorldData& dataOf(World& world);

/// Throws std::invalid_argument unless the state has the world's sizes, is finite and closes its
/// loops to a gap that steps may leave: torn_at_change_point (loops.h), torn_bilateral (bilateral.h).
void requireState(const WorldData& world, const State& state);
/// The caller's edits, sizes, the energy before: what comes before the first half of a step.
///   errors  throws std::invalid_argument where an edit cannot be, or the world is not between steps
void beginStep(WorldData& world);
/// The caller's edits to masses, axes, shapes; throws where they cannot be.
void takeEdits(WorldData& world);

}  // namespace espalier

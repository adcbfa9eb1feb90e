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

struct WorldData : StepData {
  std::vector<std::unique_ptr<Object>> objects;
  std::vector<Object*> objectList;  ///< result of World::getObjList()
  RayHits rayHits;                  ///< result of World::rayTest()
  std::map<std::string, std::vector<std::byte>> keyframes;
  int nextOwner = 0;  ///< number of the next body in the collision scene
  int nextWeld = 0;
};

}  // namespace espalier

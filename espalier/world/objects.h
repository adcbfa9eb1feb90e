#pragma once

// The table of a world's objects: their ranges in the state, their geoms. World's own.

#include "espalier/world/world_data.h"

namespace espalier {

/// A system at the end of the table, in its neutral pose.
ArticulatedSystem* addSystem(WorldData& world, std::shared_ptr<const Model> model,
                             std::shared_ptr<const SystemSpec> spec,
                             const ArticulatedSystemOption& options = {},
                             std::string resourceDir = {});
/// A single body, as its spec says.
SingleBodyObject* addSingleBody(WorldData& world, const BodySpec& spec);
void removeObject(WorldData& world, Object* object);

Endpoint endpointOf(WorldData& world, const Object* object, int body);
int indexOf(const WorldData& world, const Object* object);

}  // namespace espalier

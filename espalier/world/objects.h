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

/// Gives a body a range in the state, or takes it away.
void insertState(WorldData& world, FreeBody& body);
void eraseState(WorldData& world, FreeBody& body);

/// A shape as robots have it: their meshes collide as convex hulls, also on links that stand still.
Shape asRobotShape(Shape shape);

/// A geom's numbers that follow from its shape, after the shape was changed.
void refreshGeom(WorldData& world, GeomId id);

/// q and u as the object was added.
void resetObject(WorldData& world, int index);

Endpoint endpointOf(WorldData& world, const Object* object, int body);
int indexOf(const WorldData& world, const Object* object);

}  // namespace espalier

#pragma once

// The parts in which Python's World is bound, one for each theme of the header.

#include <string>

#include "bind_members.h"
#include "casters.h"
#include "object_handle.h"

namespace espalier::python {

using WorldClass = nb::class_<WorldHandle>;

void bindAdding(WorldClass& world);    ///< world_adding.cpp
void bindObjects(WorldClass& world);   ///< world_objects.cpp: finding, removing, welds, rays
void bindSettings(WorldClass& world);  ///< world_settings.cpp
void bindStepping(WorldClass& world);  ///< world_stepping.cpp: steps, contacts, state

/// Warns where bodies of a robot of a world file overlap at its present pose, with the remedy.
void warnOfOverlaps(const ArticulatedSystem& robot, const std::string& file);

/// Notes a call of a World's setter, for copies.
template <class... A>
void noteCall(WorldHandle& world, const char* setter, const A&... arguments) {
  world.calls[setter] = nb::make_tuple(arguments...);
}

}  // namespace espalier::python

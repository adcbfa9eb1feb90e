#pragma once

// Several articulated systems and single bodies as one system, side by side on a link that stands still.

#include <string>

#include "espalier/model/spec/spec.h"

namespace espalier {

/// A system of the link "world" alone.
SystemSpec standingAlone();

/// Adds a system to another one, whose root is "world"; its joints come last and in their order. Its names
/// get the prefix. What does not bear on its motion is left out: visuals, transmissions, pairs that do not collide.
///   in  floats  it has a floating base, with the pose in the world as coordinates; else its base stands at X_WB
void addSystem(SystemSpec& onto, SystemSpec system, const std::string& prefix, bool floats);

/// The same of a single body that moves.
///   in  inertial  in the body's frame
void addBody(SystemSpec& onto, const BodySpec& body, const std::string& name);

}  // namespace espalier

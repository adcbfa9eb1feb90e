#pragma once

// What a joint limit bounds.

namespace espalier {

/// The quantity that a limit bounds: a coordinate of its joint, or one of the angles of a spherical
/// joint (model/spec/spherical_limits.h).
enum class LimitedAngle { COORDINATE, ROTATION, SWING, TWIST };

}  // namespace espalier

#pragma once

// Where an end of a row is and how it moves, at the evaluation point of the step.

#include "espalier/step/step_data.h"

namespace espalier {

/// Pose of the body; the identity where the end is the world.
Transformd poseOf(const Endpoint& end);

/// Velocity of the body's point p (world), m/s, at the start of the step.
Vec3d pointVelocity(const Endpoint& end, const Vec3d& p);

struct PointMotion {
  Vec3d velocity{0, 0, 0};      ///< m/s, at the start of the step
  Vec3d acceleration{0, 0, 0};  ///< m/s^2 at udot = 0
};

/// Motion of the body's point p (world). Where the contact point rolls over a rounding with its
/// centre at p + toCentre, the acceleration is a_c + alpha x (p - c).
PointMotion pointMotion(const StepData& world, const Endpoint& end, const Vec3d& p,
                        const Vec3d& toCentre);

// ---- outside a step, at the present state; these run the kinematics of systems

/// Pose of a body; of the world where the end is none.
///   uses the system's workspace
Transformd poseNow(StepData& world, const Endpoint& end);

/// Every geom to where its body is now.
void placeGeomsNow(StepData& world);

}  // namespace espalier

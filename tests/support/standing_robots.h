#pragma once

// Robots with closed loops and what it takes to let them stand: where their soles are, what holds
// them. What files lack is given here: feet to stand on, where theirs are meshes only, and motors
// that are stronger than the 1 N m that some have in every joint.

#include <optional>
#include <utility>

#include "tests/support/standing.h"

namespace espalier::testing {

struct StandingRobot {
  SystemSpec spec;
  std::vector<SolePoint> soles;
  std::vector<std::string> motors;  ///< that come into the pose
  std::vector<Gains> gains;
  std::vector<std::pair<std::string, double>> bend;  ///< rad, before, of independent joints
};

/// Two legs of models/differential_leg, whose ankles are moved by push rods, under one pelvis.
StandingRobot twoLegs();
/// models/geared_biped: rotors, belts to the knees, ankles moved by push rods.
StandingRobot gearedBiped();

// Of ESPALIER_SHARED; none where they are not there.

/// Agility's Cassie: springs in shin and heel, and loops over them; stands on its own collision
/// bodies, one cylinder along each foot.
std::optional<StandingRobot> cassie();
/// One leg under a torso, on a sole as long and wide as its foot's mesh. Its rods, cut in the
/// middle, may spin about themselves, which no motor holds: a little damping.
std::optional<StandingRobot> digitLike();
/// One leg under a pelvis, on a blade of 18 cm by 17 mm, like its mesh. The foot is drawn pointing
/// down and bent level first.
std::optional<StandingRobot> cassieLike();

/// Puts it on the ground at z = 0, upright and held.
///   errors  throws std::logic_error where there is no such pose
ArticulatedSystem* putUp(World& world, const StandingRobot& robot);

}  // namespace espalier::testing

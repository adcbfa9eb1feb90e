#pragma once

// Bounds on the magnitudes that robots and worlds may have. Beyond them a number is a slip of a
// unit or a digit, and double precision leaves nothing of a contact's micrometres. They are errors
// unless SystemSpec::unbounded, or the option of that name of what reads the file, lifts them.
// Limits, gains and damping are not bounded: files write large ones for "none" and "rigid".

#include <span>
#include <string>

#include "espalier/model/spec/check_report.h"

namespace espalier {

struct MagnitudeBounds {
  double length = 1e6;        ///< m, of every coordinate of a place, and sizes; also rad of a joint
  double leastLength = 1e-9;  ///< m, the extent of a collision mesh along its longest side
  double rate = 1e6;          ///< rad/s and m/s; m/s^2 of gravity
  double mass = 1e9;          ///< kg
  double inertia = 1e21;      ///< kg m^2: mass times length squared
};

inline constexpr MagnitudeBounds magnitude_bounds{};

/// Origins, masses, inertias, shapes, pitches, offsets of a system; nothing where it is unbounded.
/// Numbers that are not finite are judged elsewhere.
void checkMagnitudes(const CheckReport& report);

/// The place, velocities, mass and shapes of a body of a world.
///   in   file          where it stands
///   out  diagnostics   appended to
void checkMagnitudes(const BodySpec& body, const std::string& file, Diagnostics& diagnostics);

/// Gravity, the bodies' places, velocities, masses and shapes, and the systems' initial states.
/// The systems themselves are judged by checkSpec(). Lines are taken for those of world.file.
///   out  diagnostics   appended to
void checkMagnitudes(const WorldSpec& world, Diagnostics& diagnostics);

/// The values of a state beyond their bounds: "u[3] is 2e+06: more than 1e+06 rad/s or m/s"; empty
/// where none is.
///   in  q, u   any order and units of joints (rad, m; rad/s, m/s)
std::string excessOf(std::span<const double> q, std::span<const double> u);

/// The remedy.
extern const char* const remedy_for_magnitudes;

}  // namespace espalier

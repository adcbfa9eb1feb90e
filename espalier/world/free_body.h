#pragma once

// A rigid body on its own, as the step holds it. Its velocity is that of its centre of mass c, so
// that its motion in flight is exact; the world's state speaks of the body's origin.
//
//   m v' = f,   I w' = n - w x I w      about c, world axes
//
// Its response to an impulse (f, n about c) is (f / m, I^-1 n), a 6x6 block.

#include <memory>
#include <vector>

#include "espalier/core/id.h"
#include "espalier/model/spec.h"
#include "espalier/spatial/inertia.h"
#include "espalier/spatial/rotation.h"

namespace espalier {

struct FreeBody {
  // Authored
  BodyType type = BodyType::DYNAMIC;
  double mass = 1;                                ///< kg
  Vec3d com{0, 0, 0};                             ///< m, body frame
  Sym3<double> I{1, 0, 0, 1, 0, 1};               ///< kg m^2 about com, body axes
  double linearDamping = 0;                       ///< N s/m
  double angularDamping = 0;                      ///< N m s/rad
  int object = -1;                                ///< its place in the world's list
  int q0 = -1, u0 = -1;                           ///< in the world's state; -1: STATIC
  Transformd X_WB = identityTransform<double>();  ///< STATIC: where it stands
  Vec3d force{0, 0, 0}, torque{0, 0, 0};          ///< external, for one step; about c, world axes
  bool isAsleep = false;
  int quietSteps = 0;    ///< for how long it has been slow
  bool mayRest = false;  ///< so have all it touches

  std::shared_ptr<const BodySpec> spec;  ///< as added
  int mover = 0;                         ///< its numbers in the contact problem
  int owner = -1;                        ///< its number in the collision scene
  std::vector<GeomId> geoms;             ///< in the order of the spec's collisions

  // Lowered
  bool isRound = false;     ///< I is a multiple of one
  Sym3<double> inverseI{};  ///< body axes

  // Of the step, at the scheme's evaluation point
  Mat3d R = identity3<double>();  ///< R_WB
  Vec3d c{};                      ///< m, centre of mass, world
  Vec3d v{}, w{};                 ///< at the start of the step; m/s of c, rad/s
  double inverseMass = 0;         ///< 1/kg, dampers included; 0 unless DYNAMIC
  Sym3<double> inertia{};         ///< kg m^2 about c, world axes
  Sym3<double> inverseInertia{};  ///< its inverse, dampers included; 0 unless DYNAMIC
  double z[6] = {};  ///< change of (v, w) in the step: M^-1 (dt f), then + M^-1 J' lambda
  Vec3d meanW{};     ///< rad/s, of the gyroscopic torque in force
  Vec3d L{};         ///< N m s about c: what the angular momentum must be
  bool knowsL = false;

  bool isDynamic() const { return type == BodyType::DYNAMIC && !isAsleep; }
};

}  // namespace espalier

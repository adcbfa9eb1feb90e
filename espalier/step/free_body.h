#pragma once

// A rigid body on its own, as the step holds it. Its velocity is that of its centre of mass c, so
// that its motion in flight is exact; the world's state speaks of the body's origin.
//
//   m v' = f,   I w' = n - w x I w      about c, world axes
//
// Its response to an impulse (f, n about c) is (f / m, I^-1 n) = root root' (f, n), and
// root = (1 / sqrt m, C) with C C' = I^-1: in numbers z with u = root z its mass is one.

#include <memory>
#include <vector>

#include "espalier/core/id.h"
#include "espalier/model/spec/spec.h"
#include "espalier/spatial/inertia.h"
#include "espalier/spatial/lower3.h"
#include "espalier/spatial/rotation.h"
#include "espalier/step/backoff.h"
#include "espalier/step/step_notes.h"

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
  AppliedForces pushes;                           ///< the forces among them
  Backoff corrections;
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
  double rootMass = 0;            ///< 1/sqrt(kg), of inverseMass
  Lower3<double> rootInertia{};   ///< of inverseInertia
  double z[6] = {};  ///< root z is the change of (v, w) in the step: z = root' (dt f + J' lambda)
  Vec3d meanW{};     ///< rad/s, of the gyroscopic torque in force
  Vec3d L{};         ///< N m s about c: the angular momentum to be kept
  bool knowsL = false;
  bool isRefused = false;  ///< the last step was not taken (refused_step.cpp)

  // Of a step that turns the body far (free_rotation.h)
  bool isFast = false;
  Quat<double> freeTurn{1, 0, 0, 0};  ///< free rotation over the step, in body axes
  Vec3d freeDw{};                     ///< rad/s, world axes: change of w in it

  /// Change of velocity in the step.
  Vec3d dv() const { return Vec3d{z[0], z[1], z[2]} * rootMass; }
  Vec3d dw() const { return mul(rootInertia, Vec3d{z[3], z[4], z[5]}); }
  bool isDynamic() const { return type == BodyType::DYNAMIC && !isAsleep; }
};

}  // namespace espalier

#pragma once

// A contact as the world reports it, and the settings of the contact law.

#include "espalier/core/id.h"
#include "espalier/model/spec/spec.h"
#include "espalier/spatial/vec3.h"

namespace espalier {

/// m; a gap up to this counts as closed: the largest that a step of sustained contact leaves.
inline constexpr double closed_gap = 1e-5;

/// One contact point of the last step, at the scheme's evaluation point.
struct Contact {
  GeomId geomA, geomB;
  int objectA = -1, objectB = -1;  ///< places in the world's list of objects
  int bodyA = 0, bodyB = 0;        ///< bodies of these objects
  BodyType typeA = BodyType::STATIC, typeB = BodyType::STATIC;
  Vec3d position{};  ///< m, world
  Vec3d normal{};    ///< unit, world, the push on A
  Mat3d frame{};     ///< rows t1, t2, normal
  Vec3d impulse{};   ///< N s, on A, in the contact frame (t1, t2, normal)
  Vec3d torque{};    ///< N m s, on A, in the contact frame: rolling and spinning friction
  double depth = 0;  ///< m; negative: a gap
  double friction = 0;
  int feature = 0;
  bool isActive() const { return impulse.z > 0; }  ///< it carries an impulse
  bool isClosed() const { return depth >= -closed_gap; }
  bool touches() const { return isActive() || isClosed(); }
};

struct ContactSettings {
  double margin = 0.002;  ///< m, gap below which a contact takes part in the solve
  double erp = 0.2;       ///< share of a penetration removed in one step
  double slop = 0;        ///< m, penetration left alone
  /// m/s, of joint limits rad/s or m/s: the speed at which penetration is removed, at most.
  double maxDepenetrationVelocity = 3;
  double frictionScale = 1;  ///< factor on all coefficients of friction
  double tolerance = 1e-8;   ///< m/s, residual at which the solver stops
  int maxSweeps = 300;
  int maxContacts = 0;  ///< room of a step; 0: grows with the number of shapes
};

}  // namespace espalier

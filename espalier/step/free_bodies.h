#pragma once

// The stages of a step for single bodies; step.cpp calls them beside those of the systems.

#include "espalier/step/free_body.h"
#include "espalier/step/scheme.h"

namespace espalier {

/// Whether an inertia can be inverted; false where a number is not finite.
bool isPositiveDefinite(const Sym3<double>& inertia);

/// Inverses of mass and inertia after an edit.
///   pre  mass > 0 and I positive definite where the body is DYNAMIC
void lower(FreeBody& body);

/// Pose, velocity of the centre of mass and inertia at the evaluation point.
///   in   q  [7], u [6]  of the body's origin
///   io   u  angular velocity, which must give the angular momentum remembered from the last step
void evaluate(FreeBody& body, const double* q, double* u, Scheme scheme, double dt);

/// z = root' dt f, f = weight, external forces, dampers at (v, w), and -w x I w at `meanW`.
void freeImpulse(FreeBody& body, const Vec3d& gravity, double dt);

/// The mean of w and w + dw, for the second pass of a MIDPOINT step.
void meanVelocity(FreeBody& body);

/// The new state from z.
///   io   q [7], u [6]
void finish(FreeBody& body, const Vec3d& gravity, double* q, double* u, Scheme scheme, double dt);

/// Velocity of the body's point p (world) at the start of the step, and its acceleration at
/// v' = w' = 0 where the contact rolls about a centre at p + toCentre.
void pointMotion(const FreeBody& body, const Vec3d& p, const Vec3d& toCentre, Vec3d& velocity,
                 Vec3d& acceleration);

/// Scales a quaternion [4] to unit length; one that is unit to rounding stays as it is.
void makeUnit(double* quaternion);

/// J, at (q, u).
double kineticEnergy(const FreeBody& body, const double* q, const double* u);
double potentialEnergy(const FreeBody& body, const Vec3d& gravity, const double* q);

/// Energy that dampers and external forces gave in the step, with stages also what impulses gave; after the
/// last solve.
double work(const FreeBody& body, const Vec3d& gravity, Scheme scheme, double dt);

}  // namespace espalier

#pragma once

// Parts of scenes that several tasks share, and how they are measured. None of it knows an engine.

#include "bench/engine/engine.h"

namespace bench {

Solid ball(double radius, double mass, const Vec3& position, const Vec3& velocity = {});
Solid box(const Vec3& size, double mass, const Vec3& position);

/// n x n x n balls (mass 10 kg) in a grid whose lowest centres are at height `lowest`, each moved
/// by up to `jitter` along each axis; the same numbers for the same seed on every machine.
std::vector<Solid> jitteredBalls(int n, double radius, double pitch, double lowest, double jitter,
                                 unsigned seed);

/// Kinetic and potential energy of balls and boxes, J.
double energy(const Engine& engine, const Scene& scene);

/// Sum of the squared depths of all balls in the ground and in each other, m^2.
double squaredPenetration(const Engine& engine, const Scene& scene);

/// The deepest overlap of two solids, or of one and the ground, m; boxes by separating axes.
///   cost quadratic in the number of solids: for samples, not for every step
double deepestPenetration(const Engine& engine, const Scene& scene);

}  // namespace bench

#pragma once

// The configuration manifold of a whole tree: q (+) step, q1 (-) q0, neutral and random points.

#include <cstdint>

#include "espalier/model/topology.h"
#include "espalier/scalar/scalar.h"

namespace espalier {

/// out = q (+) step, step = dt u; quaternions stay unit. out may be q.
///   in   q    [nq],  step [nv]
template <class T>
void advance(const Topology& t, const T* q, const T* step, T* out);

/// The coordinates at which every joint is closed: 0, or the identity quaternion.
void neutral(const Topology& t, double* q);

/// step with q0 (+) step = q1; for rotations the rotation vector in the joint frame, at most pi.
void difference(const Topology& t, const double* q0, const double* q1, double* step);
/// The same of the joints alone: the six of a floating base stay as they are.
void differenceOfJoints(const Topology& t, const double* q0, const double* q1, double* step);

/// Scales every quaternion to unit length; a zero one becomes the identity.
void normalize(const Topology& t, double* q);

/// A reproducible random configuration: angles and metres in [-1, 1] * spread, any orientation.
void randomConfiguration(const Topology& t, std::uint64_t seed, double spread, double* q);

}  // namespace espalier

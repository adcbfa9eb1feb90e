#pragma once

// The contact points of one pair while they are being found, in a fixed store.

#include "espalier/spatial/vec3.h"

namespace espalier::collision {

/// Of a pair (first, second): as ContactPoint, the normal pushes the first.
struct PairPoint {
  Vec3d position, normal;
  double depth;
  int feature;
};

struct Manifold {
  static constexpr int capacity = 64;
  int count = 0;
  PairPoint points[capacity];
  /// Of the pair, kept between steps, or null: a direction in the first's frame along which the two
  /// were apart, zero where none is known. It saves work and never shows in the points.
  Vec3d* separation = nullptr;

  void clear() { count = 0; }
  void add(const Vec3d& position, const Vec3d& normal, double depth, int feature) {
    if (count < capacity) points[count++] = {position, normal, depth, feature};
  }
};

/// Most points that a pair hands on.
inline constexpr int kMaxPairPoints = 4;
/// The same of a hull on a plane, such as the sole of a foot: its corners rarely lie in one plane to
/// the last digit, so that it rocks from one set of four to another.
inline constexpr int kMaxHullPoints = 8;

/// Thins a manifold out to the deepest point, the one farthest from it, and the two that span the
/// largest area with those, or, on a line, push most another way; then, up to `most` (>= 4), to those
/// farthest from all of these. A point that is higher than the deepest by h counts as 10 h nearer. In
/// order of feature, equal features made different. Ties go to the point that comes first; tie is
/// what differs by a hundred thousandth of the manifold's extent in length, or of its square in area,
/// or by a billionth of the extent in depth, so that a resting list does not flicker.
void reduce(Manifold& manifold, int most = kMaxPairPoints);

}  // namespace espalier::collision

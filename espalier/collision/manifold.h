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

/// Thins a manifold out to the deepest point, the one farthest from it, and the two that span the
/// largest area with those, or, on a line, push most another way; in order of feature, equal
/// features made different. Ties go to the point that comes first; tie is what differs by a
/// hundred thousandth of the manifold's extent squared in area, or by a billionth of the extent in
/// depth, so that a resting list does not flicker.
void reduce(Manifold& manifold);

}  // namespace espalier::collision

#pragma once

// Convex solids as the general narrow phase sees them, all in the frame of the pair's first geom:
// how far they reach, the face that looks a way, and their distance.

#include "espalier/collision/geom.h"
#include "espalier/collision/manifold.h"

namespace espalier::collision {

/// A face (3 or more corners, counter-clockwise about its normal), an edge (2) or a point (1) of
/// a solid's surface. Ids name the corners within the solid.
struct Patch {
  static constexpr int capacity = 24;
  int count = 0;
  Vec3d corners[capacity];
  int ids[capacity];
  Vec3d normal;  ///< unit, outward; faces only

  void add(const Vec3d& p, int id) {
    if (count < capacity) corners[count] = p, ids[count] = id, ++count;
  }
};

struct TriangleCorners {
  Vec3d p[3];    ///< counter-clockwise about the normal
  Vec3d normal;  ///< unit
};

class Convex {
 public:
  /// The solid of g placed at X, g's frame in the pair's.
  Convex(const Geom& g, const Transformd& X);
  /// A triangle in the pair's frame, where it stays; it has two faces and no size of its own.
  explicit Convex(const TriangleCorners& triangle);
  /// The same, smaller by about this part on all sides: a core.
  Convex core(double part) const;
  void shift(const Vec3d& d) {
    X_.p += d;
    centre_ += d;
  }

  /// max of d . x over the solid, d unit.
  double reach(const Vec3d& d) const;
  /// The farthest point in direction d, of any length, without the skin: spheres are points,
  /// capsules segments.
  Vec3d farthest(const Vec3d& d) const;
  double skin() const { return skin_; }
  /// The patch of the surface whose normal is nearest to the unit direction d.
  Patch patch(const Vec3d& d) const;
  /// Normals of faces and directions of edges and axes.
  int normalCount() const;
  Vec3d normal(int i) const;
  int edgeCount() const;
  Vec3d edge(int i) const;

  const Vec3d& centre() const { return centre_; }
  double size() const { return size_; }

 private:
  /// Of the triangle, the corner farthest in direction d.
  const Vec3d& corner(const Vec3d& d) const;

  Kind kind_;  // Trimesh: one triangle of it
  double size_;
  const Geom* geom_ = nullptr;
  const TriangleCorners* triangle_ = nullptr;
  Transformd X_;
  Vec3d centre_;
  Vec3d half_;  // as Geom::size
  double skin_;
  double scale_ = 1;  // of a hull's vertices about its centre
};

/// The contact points of two solids along a known normal n, unit, from b to a: the surfaces'
/// patches facing each other are clipped against each other, and the nearest points, if given, are
/// added where they are nearer than what came of that. All in the frame of a; X_WA moves them.
///   in   nearest   on the surfaces or anywhere beneath; null: none is known
///   out  m         at most four points, as ContactPoint
///   out  return    whether n is, but for rounding, the normal of a face that bears one of the nearest
///                  points along it: then no other direction near n has a larger gap
struct NearestPoints {
  Vec3d a, b;
};
bool addPatches(const Convex& a, const Convex& b, const Vec3d& n, const NearestPoints* nearest,
                const Transformd& X_WA, double margin, Manifold& m);

/// Contact points of a solid on one face, seen from its outside only: the solid's patch clipped by
/// the prism over the face, and its lowest point. Positions on the solid. All in the face's frame.
///   in   id   of the face; mixed into the features
///   in   up   the direction of the prism, the same for all faces of a surface
void addOnFace(const Convex& a, const Patch& face, int id, const Vec3d& up, const Transformd& X_WF,
               double margin, Manifold& m);

/// Distance of two solids without their skins: Gilbert, Johnson, Keerthi 1988.
///   in   limit   gives up as soon as they are known to be farther apart
///   in   guess   of n, any length > 0
///   in   near    gives up, as Overlapping, as soon as they are known to be no farther apart
///   in   start   whose corners to begin with instead of the guess, or null
struct Distance {
  enum { Apart, Overlapping, Beyond } state;
  double length;  ///< > 0; only where Apart
  Vec3d n;        ///< unit, from b to a; where Beyond, one along which they are farther apart
  NearestPoints nearest;  ///< only where Apart
  /// The points of A - B, and those of A, whose hull bears the nearest one; only where Apart.
  int corners = 0;
  Vec3d w[3], onA[3];
};
Distance distance(const Convex& a, const Convex& b, double limit, const Vec3d& guess,
                  double near = 0, const Distance* start = nullptr);

/// The point of the triangle that is nearest to p.
Vec3d nearestOn(const TriangleCorners& triangle, const Vec3d& p);

/// The part by which a core is smaller than its solid.
inline constexpr double kCore = 0.1;
/// Nearest points closer than this part of the solids' size are moved apart for their direction.
inline constexpr double kNear = 1e-3;

/// Turns n to where gap(n) = -reach_A(-n) - reach_B(n) is largest near it, for solids that touch or
/// overlap (convex_pairs.cpp says how).
///   in   gap      at n
///   out  nearest  set where n has turned
void climb(const Convex& a, const Convex& b, double gap, Vec3d& n, NearestPoints& nearest);

}  // namespace espalier::collision

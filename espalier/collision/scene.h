#pragma once

// All geoms of a world and the one question asked of them every step: which touch, or will soon?
//
//   Scene scene;
//   const GeomId ground = scene.addGeom(Plane{}, {.isStatic = true});
//   const GeomId ball = scene.addGeom(Sphere{0.1}, {.owner = 0});
//   scene.build();                                  // once; says what is refused and why
//   scene.setPose(ball, X_WG);                      // every step
//   int n = scene.collide(margin, points, capacity, overflow);
//
// Two geoms collide when both groups are in the other's mask, not both are static, their owners
// differ (or are none), and the pair is not ignored. The answer is sorted by (a, b, feature) and
// depends on the poses only, neither on history nor on geoms that touch nothing.
// A Scene belongs to one thread at a time; different scenes may be used by different threads.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "espalier/collision/contact_point.h"
#include "espalier/collision/geom.h"
#include "espalier/collision/manifold.h"
#include "espalier/collision/pairs.h"
#include "espalier/collision/sweep.h"
#include "espalier/core/diagnostic.h"

namespace espalier {

/// Allocations that ODE made through its own allocator since the program began.
std::uint64_t odeAllocations();

struct GeomOptions {
  int owner = -1;            ///< the body it is fixed to; geoms of one owner never collide
  std::uint32_t group = 1;   ///< the groups it is in
  std::uint32_t mask = ~0u;  ///< the groups it collides with
  bool isStatic = false;     ///< never collides with other static geoms
};

class Scene {
 public:
  Scene();
  ~Scene();
  Scene(Scene&&) noexcept;
  Scene& operator=(Scene&&) noexcept;

  /// Adds a shape at the world's origin; ids count up from 0.
  ///   pre  lengths positive and finite, mesh and heightfield data present and whole;
  ///        else throws std::invalid_argument
  GeomId addGeom(const Shape& shape, const GeomOptions& options = {});
  /// No contacts between two owners (parent and child link), or between two geoms.
  void ignorePair(int ownerA, int ownerB);
  void ignore(GeomId a, GeomId b);

  /// Prepares the pair lists after geoms or rules were added; collide() calls it when needed.
  /// The diagnostics name pairs that should collide but for which there is no function.
  const Diagnostics& build();

  void setPose(GeomId id, const Transformd& X_WG) {
    collision::Geom& g = geoms_[static_cast<std::size_t>(id.value)];
    g.X_WG = X_WG;
    ++g.poseStamp;
  }
  /// Added to the margin of every pair of this geom: distance it may cover within the step.
  void setMargin(GeomId id, double extra) {
    geoms_[static_cast<std::size_t>(id.value)].margin = extra;
  }
  const Transformd& pose(GeomId id) const { return geom(id).X_WG; }
  int owner(GeomId id) const { return geom(id).owner; }
  int geomCount() const { return static_cast<int>(geoms_.size()); }

  /// Contacts of all pairs whose gap is below margin + both geoms' extra margins.
  ///   in   margin    m, >= 0
  ///   out  out       [capacity]; the first n are set
  ///   out  overflow  true where capacity or the room for candidate pairs was too small; the
  ///                  contacts returned are right, some are missing
  ///   out  return    n <= capacity; at most 4 a pair
  ///   uses nothing from the heap once built, but see odeAllocations()
  ///   cost a table call for every allowed pair with a plane; the others only where boxes overlap
  int collide(double margin, ContactPoint* out, int capacity, bool& overflow);

  /// The first surface a ray meets; of equal distances that of the lower id. A ray that starts
  /// inside a solid, or below a plane or heightfield, does not see it; static meshes are seen
  /// from both sides.
  ///   in   direction   any length > 0
  ///   in   mask        groups that are looked for
  ///   out  hit         set where true is returned
  ///   cost linear in the number of geoms
  bool raycast(const Vec3d& origin, const Vec3d& direction, double maxDistance, RayHit& hit,
               std::uint32_t mask = ~0u) const;

 private:
  struct Pair {
    int a, b;
    collision::PairFunction function;
    bool swapped;    // the function wants (b, a)
    bool unbounded;  // no boxes to compare: a plane
  };
  struct Assets;

  const collision::Geom& geom(GeomId id) const {
    return geoms_[static_cast<std::size_t>(id.value)];
  }
  bool mayCollide(int a, int b) const;
  void listPair(int a, int b);
  void makeOdeTwin(collision::Geom& geom);
  void refuse(int a, int b);
  void refuseFlat();
  bool add(const Pair& pair, double margin, ContactPoint* out, int capacity, int& count);

  std::vector<collision::Geom> geoms_;
  std::vector<std::pair<int, int>> ignoredOwners_, ignoredGeoms_;  // sorted once built
  std::vector<Pair> pairs_;             // those looked at one by one, sorted by (a, b)
  std::vector<int> bounded_;            // geoms that need a box
  std::vector<collision::Aabb> boxes_;  // by geom
  collision::Sweep sweep_;              // the other pairs, where there are many
  bool sweeps_ = false;
  collision::Manifold manifold_;
  Diagnostics diagnostics_;
  std::unique_ptr<Assets> assets_;
  bool built_ = false;
};

}  // namespace espalier

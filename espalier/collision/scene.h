#pragma once

// All geoms of a world and the one question asked of them every step: which touch, or will soon?
//
//   Scene scene;
//   const GeomId ground = scene.addGeom(Plane{}, {.isStatic = true});
//   const GeomId ball = scene.addGeom(Sphere{0.1}, {.owner = 0});
//   scene.build();                                  // says what is refused and why
//   scene.setPose(ball, X_WG);                      // every step
//   int n = scene.collide(margin, points, capacity, overflow);
//
// Two geoms collide when both groups are in the other's mask, not both are static or passive,
// both are enabled, their owners differ (or are none), and the pair is not ignored. The answer is
// sorted by (a, b, feature) and depends on poses and motions only, neither on history nor on geoms that
// touch nothing.
// Geoms and rules may change between any two calls; the others' ids and pairs stay as they are.
// A Scene belongs to one thread at a time; different scenes may be used by different threads.

#include <cstdint>
#include <memory>
#include <vector>

#include "espalier/collision/broad_phase.h"
#include "espalier/collision/contact_point.h"
#include "espalier/collision/geom.h"
#include "espalier/collision/manifold.h"
#include "espalier/collision/pairs.h"
#include "espalier/core/diagnostic.h"

struct dxGeom;  // ODE's dGeomID is a dxGeom*

namespace espalier {

/// Allocations that ODE made through its own allocator since the program began.
std::uint64_t odeAllocations();

struct GeomOptions {
  int owner = -1;                          ///< the body it is fixed to
  std::uint64_t group = 1;                 ///< the groups it is in
  std::uint64_t mask = ~std::uint64_t{0};  ///< the groups it collides with
  bool isStatic = false;
};

/// Two geoms near one another, of which one may go through the other within a step.
struct FastPair {
  GeomId a, b;
  double thickness;  ///< m, the sum of their smallest half lengths
  collision::PairFunction function;
  bool swapped;
};

/// Two geoms that may collide, however far apart they are.
struct ScenePair {
  GeomId a, b;                       ///< a < b
  collision::PairFunction function;  ///< of (b, a) where it is swapped
  bool swapped;
};

/// Options of a ray.
struct RayFilter {
  std::uint64_t mask = ~std::uint64_t{0};  ///< groups
  int firstSkipped = 0, lastSkipped = -1;  ///< owners it goes through, first to last
};

class Scene {
 public:
  Scene();
  ~Scene();
  Scene(Scene&&) noexcept;
  Scene& operator=(Scene&&) noexcept;

  /// Adds a shape at the world's origin; its id is the least that is free. A mesh collides as its
  /// convex hull, but by its triangles where it is static and not MeshShape::isConvex.
  ///   pre  lengths positive and finite, mesh and heightfield data present and whole;
  ///        else throws std::invalid_argument
  GeomId addGeom(const Shape& shape, const GeomOptions& options = {});
  /// Its rules go with it, and the pointer that odeGeom() gave is void.
  void removeGeom(GeomId id);
  bool contains(GeomId id) const;
  /// One more than the largest id there has been.
  int geomCount() const { return static_cast<int>(geoms_.size()); }

  /// No contacts between two owners (parent and child link), or between two geoms; and the
  /// opposite. Rules for owners may come before their geoms do.
  void ignorePair(int ownerA, int ownerB);
  void allowPair(int ownerA, int ownerB);
  void ignore(GeomId a, GeomId b);
  void allow(GeomId a, GeomId b);
  /// Drops all rules that name the owner, so that its number may be given anew.
  void forgetOwner(int owner);

  void setFilter(GeomId id, std::uint64_t group, std::uint64_t mask);
  std::uint64_t group(GeomId id) const { return geom(id).group; }
  std::uint64_t mask(GeomId id) const { return geom(id).mask; }
  /// Other lengths of the same kind of shape; pose, filter and rules stay.
  ///   pre  as addGeom()'s, and the kind stays; else throws std::invalid_argument
  void setShape(GeomId id, const Shape& shape);
  void setOwner(GeomId id, int owner);
  /// Also turns a mesh that is not isConvex into its triangles or its hull; keeps pose and rules.
  void setStatic(GeomId id, bool isStatic);
  /// A geom that is switched off meets nothing, and no ray. Costs nothing, also within a step.
  void setEnabled(GeomId id, bool isEnabled);
  /// Static for a while, the shape unchanged: for what sleeps or is moved by hand. Costs nothing,
  /// also within a step.
  void setPassive(GeomId id, bool isPassive);

  /// Prepares what came or changed; collide() calls it when needed.
  /// The diagnostics name pairs that should collide but for which there is no function.
  ///   cost O(geoms + what changed times its possible partners); nothing where nothing changed
  const Diagnostics& build();

  void setPose(GeomId id, const Transformd& X_WG) {
    collision::Geom& g = geoms_[id.value];
    g.X_WG = {byNumbers(X_WG.R), byNumbers(X_WG.p)};
    ++g.poseStamp;
  }
  /// How far it may move until the contact acts: the margin of a pair grows by how far its two
  /// surfaces may come nearer to one another.
  ///   in  way   m, world, of its origin
  ///   in  turn  m, of its surface besides, in any direction
  void setMotion(GeomId id, const Vec3d& way, double turn) {
    geoms_[id.value].way = byNumbers(way);
    geoms_[id.value].turn = turn;
  }
  const Transformd& pose(GeomId id) const { return geom(id).X_WG; }
  /// Of the sphere about the geom's origin that holds it, m; infinite for a plane.
  double radius(GeomId id) const { return geom(id).radius; }
  int owner(GeomId id) const { return geom(id).owner; }
  bool isStatic(GeomId id) const { return geom(id).isStatic; }
  const Shape& shape(GeomId id) const;

  /// Contacts of all pairs whose gap is below the margin and what setMotion() lets them approach.
  ///   in   margin    m, >= 0
  ///   out  out       [capacity]; the first n are set
  ///   out  overflow  true where capacity or the room for candidate pairs was too small; the
  ///                  contacts returned are right, some are missing
  ///   out  return    n <= capacity; at most 4 a pair
  ///   uses nothing from the heap once built, but see odeAllocations()
  ///   cost a table call for every allowed pair with a plane; the others only where boxes overlap
  int collide(double margin, ContactPoint* out, int capacity, bool& overflow);

  /// All pairs that may collide, sorted, for who asks their functions himself; and the geom that such a
  /// function is given.
  std::vector<ScenePair> pairs() const;
  const collision::Geom& geomOf(GeomId id) const { return geom(id); }

  /// Pairs of the last collide() that may approach by more than twice their thickness, 32 at most.
  const std::vector<FastPair>& fastPairs() const { return fast_; }
  /// How deep the two would lie in one another at other poses, m; 0 or less where they would not.
  double depthAt(const FastPair& pair, const Transformd& X_Wa, const Transformd& X_Wb);

  /// The first surface a ray meets; of equal distances that of the lower id. A ray that starts
  /// inside a solid, or below a plane or heightfield, does not see it; static meshes are seen
  /// from both sides.
  ///   in   direction   any length > 0
  ///   out  hit         set where true is returned
  ///   cost linear in the number of geoms
  bool raycast(const Vec3d& origin, const Vec3d& direction, double maxDistance, RayHit& hit,
               const RayFilter& filter = {}) const;
  /// The first surface it meets of every geom on its way, nearest first.
  std::vector<RayHit> raycastAll(const Vec3d& origin, const Vec3d& direction, double maxDistance,
                                 const RayFilter& filter = {}) const;

  /// Where a vertical line through (x, y) of the world meets the geom from above.
  ///   out  hit  set where true is returned
  bool surfaceFromAbove(GeomId id, double x, double y, RayHit& hit) const;

  /// The geom as ODE's dGeomID, in its present pose, created when first asked for; it lives as
  /// long as the geom. ODE's own calls may resize it, switch it off and set its category and
  /// collide bits, which are the geom's group and mask. Its pose follows from its body.
  dxGeom* odeGeom(GeomId id);
  /// Takes over what was changed through odeGeom(): lengths of spheres, boxes, cylinders and
  /// capsules, dGeomEnable and dGeomDisable, category and collide bits. Brings the twins to their
  /// geoms' poses.
  ///   out  return  the geoms that changed, until the next call
  ///   pre  lengths positive and finite, else they are taken back
  ///   errors  throws std::invalid_argument where dGeomSetPosition or a call like it has moved one;
  ///           all poses are taken back, and nothing else has changed
  ///   cost nothing where nobody has asked for a twin
  const std::vector<GeomId>& syncFromOde();

 private:
  struct Assets;

  const collision::Geom& geom(GeomId id) const { return geoms_[id.value]; }
  collision::Geom& edited(GeomId id);
  void setGeom(GeomId id, const Shape& shape, bool isStatic);
  void touchOwner(int owner);
  void setSwitch(GeomId id, bool collision::Geom::*which, bool value);
  void makeOdeTwin(collision::Geom& geom, int id);
  void takeBackOdePoses();
  void listDiagnostics();
  bool add(collision::BroadPhase::Pair& pair, double margin, ContactPoint* out, int capacity,
           int& count);

  std::vector<collision::Geom> geoms_;
  std::vector<int> free_;  // ids that may be given again, descending
  collision::BroadPhase broadPhase_;
  collision::Manifold manifold_;
  std::vector<FastPair> fast_;
  int switched_ = 0;  // geoms that are passive or not enabled
  Diagnostics diagnostics_;
  std::unique_ptr<Assets> assets_;
};

}  // namespace espalier

#pragma once

// Collision of one robot in several worlds side by side: the points of every pair of a LanePlan, in its slots.
// Spheres, capsules and boxes against planes are closed forms in lanes; every other pair is asked world by
// world where its bounds come near.
//
// Pairs whose bounding spheres are far apart are left out until a shape has moved by half of the distance that
// was left between them: a neighbour list.
//
//   from  Verlet 1967, "Computer experiments on classical fluids", for the list

#include "espalier/batch/lane_plan.h"
#include "espalier/collision/manifold.h"
#include "espalier/step/geom_motion.h"

namespace espalier {

/// A point of a pair, in the lanes where isThere is 1.
template <class T>
struct LanePoint {
  Vec3<T> position, normal;  ///< m, world; the push on the pair's first
  T depth;                   ///< m; negative: a gap
  T feature;                 ///< as ContactPoint::feature
  T isThere;
};

template <class T>
class LaneCollision {
 public:
  explicit LaneCollision(const LanePlan& plan);

  /// Forgets which pairs are neighbours: other worlds come.
  void forget() { areListed_ = false; }
  /// The points of all pairs whose gap is less than the margin and what their shapes may move in two half steps.
  ///   in  geoms    [Model::collisions]
  ///   in  terrain  m, how far what never moves stands from where the plan has it; that of all calls
  ///                since forget()
  ///   in  steps    calls that come until forget(), this one included
  void find(const GeomMotion<T>* geoms, const Vec3<T>& terrain, int steps);

  struct Found {
    const LanePlan::Pair* pair;
    int slot;
  };
  AlignedArray<LanePoint<T>> points;  ///< [LanePlan::slots], of those in `found`
  std::vector<Found> found;           ///< slots of points that are there in some lane, ascending

 private:
  using Pair = LanePlan::Pair;
  using Geom = collision::Geom;
  /// Where a shape that never moves stands.
  Vec3<T> standingAt(const LanePlan::End& end) const {
    const Vec3<T> p = bc<T>(plan_.geoms[end.geom].X_WG.p);
    return end.isTerrain ? p + terrain_ : p;
  }
  /// Of the pair's margin: an upper bound that costs less, and itself.
  T marginBelow(const Pair& pair) const;
  T marginOf(const Pair& pair) const;
  void measureMotion(const GeomMotion<T>* geoms);
  bool areListed(const GeomMotion<T>* geoms) const;
  void listNeighbours(const GeomMotion<T>* geoms, int steps);
  mask_t<T> areSpheresNear(const Pair& pair, const GeomMotion<T>* geoms, const T& margin) const;
  mask_t<T> areNear(const Pair& pair, const GeomMotion<T>* geoms, const T& margin) const;
  /// Of its lowest point above the field's frame, at least; of a shape on a height map.
  T lowestOf(const Pair& pair, const GeomMotion<T>* geoms) const;
  bool isAbove(const Pair& pair, const GeomMotion<T>* geoms, int lane, double lowest,
               double margin) const;
  bool isAboveInAll(const Pair& pair, const GeomMotion<T>* geoms, const T& margin,
                    const mask_t<T>& lanes) const;
  bool findOnPlane(const Pair& pair, const GeomMotion<T>* geoms, const T& margin);
  void findInLane(const Pair& pair, const GeomMotion<T>* geoms, int lane, double margin);
  void add(const Pair& pair, int k, const Vec3<T>& position, const Vec3<T>& normal, const T& depth,
           const T& feature, const T& margin);

  const LanePlan& plan_;
  Vec3<T> terrain_{};
  std::vector<Geom> geoms_;  // as the functions of pairs read them, in one lane after the other
  collision::Manifold manifold_;
  std::vector<char> isActive_;  // [slots] it is in `found`
  AlignedArray<Vec3<T>> way_;  // [collisions] m, how far its origin may move in two half steps, ...
  AlignedArray<T> turn_;       // ... its surface besides, ...
  AlignedArray<T> reach_;      // ... and both

  bool areListed_ = false;
  std::vector<const Pair*> neighbours_;
  AlignedArray<Vec3<T>> listedAt_;  // [collisions] m, world: where the shapes were, ...
  AlignedArray<T> listedReach_;     // ... reach_, ...
  T room_{};                        // ... and what a shape may move and reach_ may grow, m
};

}  // namespace espalier

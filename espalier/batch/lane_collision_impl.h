#pragma once

// The definitions of batch/lane_collision.h, for the translation units that instantiate them.

#include "espalier/batch/lane_collision.h"
#include "espalier/collision/heightfield.h"

namespace espalier {

template <class T>
LaneCollision<T>::LaneCollision(const LanePlan& plan)
    : points(static_cast<std::size_t>(plan.slots)),
      plan_(plan),
      geoms_(plan.copyOfGeoms()),
      isActive_(points.size()),
      way_(plan.radii.size()),
      turn_(way_.size()),
      reach_(way_.size()),
      listedAt_(way_.size()),
      listedReach_(way_.size()) {
  found.reserve(points.size());
  neighbours_.reserve(plan.pairs.size());
}

template <class T>
void LaneCollision<T>::find(const GeomMotion<T>* geoms, const Vec3<T>& terrain, int steps) {
  terrain_ = terrain;
  for (const Found& old : found) isActive_[old.slot] = 0;
  found.clear();
  measureMotion(geoms);
  if (!areListed(geoms)) listNeighbours(geoms, steps);
  for (const Pair* neighbours : neighbours_) {
    const Pair& pair = *neighbours;
    if (pair.b.collision >= 0 && !any(areSpheresNear(pair, geoms, marginBelow(pair)))) continue;
    const T margin = marginOf(pair);
    const mask_t<T> near = areNear(pair, geoms, margin);
    if (!any(near) || findOnPlane(pair, geoms, margin)) continue;
    const T isNear = select(near, bc<T>(1.0), bc<T>(0.0));
    const T lowest = pair.field ? lowestOf(pair, geoms) : bc<T>(0.0);
    for (int l = 0; l < lanes_v<T>; ++l) {
      const auto own = static_cast<double>(lane(margin, l));
      if (!(lane(isNear, l) > 0)) continue;
      if (pair.field && isAbove(pair, geoms, l, static_cast<double>(lane(lowest, l)), own))
        continue;
      findInLane(pair, geoms, l, own);
    }
  }
}

template <class T>
void LaneCollision<T>::measureMotion(const GeomMotion<T>* geoms) {
  for (std::size_t i = 0; i < way_.size(); ++i) {
    way_[i] = geoms[i].velocity * bc<T>(2 * plan_.dt);
    turn_[i] = min(bc<T>(2 * plan_.dt) * (geoms[i].spin * bc<T>(plan_.radii[i])), bc<T>(1.0));
    reach_[i] = norm(way_[i]) + turn_[i];
  }
}

template <class T>
T LaneCollision<T>::marginBelow(const Pair& pair) const {
  const int a = pair.a.collision, b = pair.b.collision;
  const T both = b < 0 ? reach_[a] : reach_[a] + reach_[b];
  return bc<T>(plan_.margin) + min(both, bc<T>(collision::farthest_approach));
}

template <class T>
T LaneCollision<T>::marginOf(const Pair& pair) const {
  const int a = pair.a.collision, b = pair.b.collision;
  if (b < 0) return marginBelow(pair);
  return bc<T>(plan_.margin) + collision::approachOf(way_[a], turn_[a], way_[b], turn_[b]);
}

/// Whether pairs that are not listed are still too far apart in every lane.
template <class T>
bool LaneCollision<T>::areListed(const GeomMotion<T>* geoms) const {
  if (!areListed_) return false;
  const T zero = bc<T>(0.0);
  mask_t<T> areWithin = zero <= zero;
  for (std::size_t i = 0; i < way_.size(); ++i) {
    const Vec3<T> moved = geoms[i].X_WG.p - listedAt_[i];
    const T room = room_ - (reach_[i] - listedReach_[i]);
    areWithin = areWithin & (room > zero) & (dot(moved, moved) < room * room);
  }
  return all(areWithin);
}

/// Lists the pairs that may come near in so many steps, at the speeds of now; in more than eight too many would.
template <class T>
void LaneCollision<T>::listNeighbours(const GeomMotion<T>* geoms, int steps) {
  T most = bc<T>(0.0);
  for (std::size_t i = 0; i < way_.size(); ++i) {
    listedAt_[i] = geoms[i].X_WG.p;
    listedReach_[i] = reach_[i];
    most = max(most, min(reach_[i], bc<T>(1.0)));
  }
  constexpr int most_steps = 8;
  const double ahead = std::min(steps, most_steps);
  const T spare = bc<T>(plan_.margin) + bc<T>(ahead) * most;
  room_ = bc<T>(0.9) * spare;  // a tenth is for rounding
  areListed_ = true;
  neighbours_.clear();
  for (const Pair& pair : plan_.pairs) {
    const T margin = marginBelow(pair) + bc<T>(2.0) * spare;
    const mask_t<T> near = areSpheresNear(pair, geoms, margin);
    if (!any(near)) continue;
    if (!pair.field || !isAboveInAll(pair, geoms, margin, near)) neighbours_.push_back(&pair);
  }
}

/// By the spheres around both; of a plane by its half space.
template <class T>
mask_t<T> LaneCollision<T>::areSpheresNear(const Pair& pair, const GeomMotion<T>* geoms,
                                           const T& margin) const {
  const Geom &a = plan_.geoms[pair.a.geom], &b = plan_.geoms[pair.b.geom];
  const Vec3<T> between =
      geoms[pair.a.collision].X_WG.p -
      (pair.b.collision < 0 ? standingAt(pair.b) : geoms[pair.b.collision].X_WG.p);
  const T reach = margin + bc<T>(a.radius);
  if (pair.hasPlane) return dot(bc<T>(columnZ(b.X_WG.R)), between) < reach;
  const T sum = reach + bc<T>(b.radius);
  return dot(between, between) < sum * sum;
}

/// By the spheres around both, then along the six faces of the boxes around them, unless it is a height map's.
template <class T>
mask_t<T> LaneCollision<T>::areNear(const Pair& pair, const GeomMotion<T>* geoms,
                                    const T& margin) const {
  const mask_t<T> near = areSpheresNear(pair, geoms, margin);
  if (pair.hasPlane || pair.field || !any(near)) return near;
  const Geom& b = plan_.geoms[pair.b.geom];
  const Transform<T>& A = geoms[pair.a.collision].X_WG;
  const Transform<T> B = pair.b.collision < 0 ? Transform<T>{bc<T>(b.X_WG.R), standingAt(pair.b)}
                                              : geoms[pair.b.collision].X_WG;
  // Of the other's box along the axes of X: its middle, and half its extent.
  const auto meets = [&](const LanePlan::End& end, const Transform<T>& X,
                         const LanePlan::End& other, const Transform<T>& Y) {
    const Mat3<T> R = mul(transpose(X.R), Y.R);
    const Vec3<T> d = tmul(X.R, Y.p - X.p) + mul(R, bc<T>(other.middle)) - bc<T>(end.middle);
    const Vec3<T> half = bc<T>(other.half);
    const auto along = [&](const Vec3<T>& row, const T& x, double own) {
      return abs(x) <
             margin + bc<T>(own) + abs(row.x) * half.x + abs(row.y) * half.y + abs(row.z) * half.z;
    };
    return along(R.r0, d.x, end.half.x) & along(R.r1, d.y, end.half.y) &
           along(R.r2, d.z, end.half.z);
  };
  return near & meets(pair.b, B, pair.a, A) & meets(pair.a, A, pair.b, B);
}

template <class T>
void LaneCollision<T>::add(const Pair& pair, int k, const Vec3<T>& position, const Vec3<T>& normal,
                           const T& depth, const T& feature, const T& margin) {
  const mask_t<T> isThere = -depth < margin;
  if (!any(isThere)) return;
  const int slot = pair.firstSlot + k;
  points[slot] = {position, normal, depth, feature, select(isThere, bc<T>(1.0), bc<T>(0.0))};
  isActive_[slot] = 1;
  found.push_back({&pair, slot});
}

template <class T>
T LaneCollision<T>::lowestOf(const Pair& pair, const GeomMotion<T>* geoms) const {
  const Transform<T>& X = geoms[pair.a.collision].X_WG;
  const Geom& ground = plan_.geoms[pair.b.geom];
  const Vec3<T> up = bc<T>(columnZ(ground.X_WG.R)), own = tmul(X.R, up), half = bc<T>(pair.a.half);
  const T extent = abs(own.x) * half.x + abs(own.y) * half.y + abs(own.z) * half.z;
  const T origin = dot(up, X.p - standingAt(pair.b));
  const T height = origin + dot(own, bc<T>(pair.a.middle));
  const double radius = plan_.geoms[pair.a.geom].radius;
  return max(height - extent, origin - bc<T>(radius));
}

/// Whether the sphere around the shape is, in every one of these lanes.
template <class T>
bool LaneCollision<T>::isAboveInAll(const Pair& pair, const GeomMotion<T>* geoms, const T& margin,
                                    const mask_t<T>& lanes) const {
  const Geom& ground = plan_.geoms[pair.b.geom];
  const T origin =
      dot(bc<T>(columnZ(ground.X_WG.R)), geoms[pair.a.collision].X_WG.p - standingAt(pair.b));
  const T lowest = origin - bc<T>(plan_.geoms[pair.a.geom].radius);
  const T isAsked = select(lanes, bc<T>(1.0), bc<T>(0.0));
  for (int l = 0; l < lanes_v<T>; ++l)
    if (lane(isAsked, l) > 0 && !isAbove(pair, geoms, l, static_cast<double>(lane(lowest, l)),
                                         static_cast<double>(lane(margin, l))))
      return false;
  return true;
}

template <class T>
bool LaneCollision<T>::isAbove(const Pair& pair, const GeomMotion<T>* geoms, int l, double lowest,
                               double margin) const {
  const Geom &a = plan_.geoms[pair.a.geom], &ground = plan_.geoms[pair.b.geom];
  const Vec3<T> p = geoms[pair.a.collision].X_WG.p - standingAt(pair.b);
  const Vec3d local = tmul(
      ground.X_WG.R, Vec3d{static_cast<double>(lane(p.x, l)), static_cast<double>(lane(p.y, l)),
                           static_cast<double>(lane(p.z, l))});
  return lowest - margin > collision::topAround(*pair.field, local.x, local.y, a.radius + margin);
}

/// The closed forms of plane_pairs.cpp; false where there is none.
template <class T>
bool LaneCollision<T>::findOnPlane(const Pair& pair, const GeomMotion<T>* geoms, const T& margin) {
  if (!pair.hasPlane) return false;
  const Geom &solid = plan_.geoms[pair.a.geom], &plane = plan_.geoms[pair.b.geom];
  const Transform<T>& X = geoms[pair.a.collision].X_WG;
  const Vec3<T> n = bc<T>(columnZ(plane.X_WG.R));
  const auto heightOf = [&](const Vec3<T>& x) { return dot(n, x - standingAt(pair.b)); };
  const auto put = [&](int k, const Vec3<T>& x, const T& feature) {
    add(pair, k, x, n, -heightOf(x), feature, margin);
  };
  using enum collision::Kind;
  if (solid.kind == Sphere || solid.kind == Capsule) {
    const Vec3<T> low = nmadd(n, bc<T>(solid.size.x), X.p);
    if (solid.kind == Sphere) {
      put(0, low, bc<T>(0.0));
    } else {
      const Vec3<T> half = columnZ(X.R) * bc<T>(solid.size.z);
      put(0, low - half, bc<T>(0.0));
      put(1, low + half, bc<T>(1.0));
    }
    return true;
  }
  if (solid.kind != Box) return false;
  // The corners of the face that looks most at the plane.
  const Vec3<T> along = tmul(X.R, n);
  const T tie = bc<T>(1e-6), one = bc<T>(1.0), none = bc<T>(0.0);
  const auto isY = abs(along.y) > abs(along.x) + tie;
  const auto isZ = abs(along.z) > select(isY, abs(along.y), abs(along.x)) + tie;
  const auto choose = [&](const T& x, const T& y, const T& z) {
    return select(isZ, z, select(isY, y, x));
  };
  const auto axis = [&](const T& x, const T& y,
                        const T& z) {  // a column of R by numbers of its axes
    return mul(X.R, Vec3<T>{x, y, z});
  };
  const Vec3<T> half = bc<T>(solid.size);
  const T x = choose(one, none, none), y = choose(none, one, none), z = choose(none, none, one);
  const T side = select(choose(along.x, along.y, along.z) > none, -one, one);
  const Vec3<T> down = axis(side * x * half.x, side * y * half.y, side * z * half.z);
  const Vec3<T> first = axis(z * half.x, x * half.y, y * half.z),
                second = axis(y * half.x, z * half.y, x * half.z);
  const T face = bc<T>(4.0) * choose(none, one, one + one) + select(side > none, bc<T>(12.0), none);
  for (int k = 0; k < 4; ++k) {
    const Vec3<T> u = k & 1 ? first : -first, v = k & 2 ? second : -second;
    put(k, X.p + down + u + v, face + bc<T>(static_cast<double>(k)));
  }
  return true;
}

/// As a world by itself finds them.
template <class T>
void LaneCollision<T>::findInLane(const Pair& pair, const GeomMotion<T>* geoms, int l,
                                  double margin) {
  const auto numberOf = [&](const T& x) { return static_cast<double>(lane(x, l)); };
  const auto vectorOf = [&](const Vec3<T>& v) {
    return Vec3d{numberOf(v.x), numberOf(v.y), numberOf(v.z)};
  };
  const auto place = [&](const LanePlan::End& end) -> const Geom& {
    Geom& geom = geoms_[end.geom];
    if (end.collision < 0) {
      const Vec3d p = plan_.geoms[end.geom].X_WG.p, at = end.isTerrain ? p + vectorOf(terrain_) : p;
      if (at.x != geom.X_WG.p.x || at.y != geom.X_WG.p.y || at.z != geom.X_WG.p.z) {
        geom.X_WG.p = at;
        ++geom.poseStamp;
      }
      return geom;
    }
    const Transform<T>& X = geoms[end.collision].X_WG;
    geom.X_WG = {{vectorOf(X.R.r0), vectorOf(X.R.r1), vectorOf(X.R.r2)}, vectorOf(X.p)};
    ++geom.poseStamp;
    return geom;
  };
  const Geom &a = place(pair.a), &b = place(pair.b);
  manifold_.clear();
  pair.function(pair.swapped ? b : a, pair.swapped ? a : b, margin, manifold_);
  const double sign = pair.swapped ? -1 : 1;
  for (int i = 0; i < std::min(manifold_.count, pair.slots); ++i) {
    const collision::PairPoint& p = manifold_.points[i];
    const auto slot = static_cast<std::size_t>(pair.firstSlot + i);
    LanePoint<T>& to = points[slot];
    if (!isActive_[slot]) {
      to = {zero3<T>(), {bc<T>(0.0), bc<T>(0.0), bc<T>(1.0)}, bc<T>(-1.0), bc<T>(0.0), bc<T>(0.0)};
      isActive_[slot] = 1;
      found.push_back({&pair, pair.firstSlot + i});
    }
    const auto set = [&](T& x, double number) { setLane(x, l, static_cast<value_t<T>>(number)); };
    const auto setVector = [&](Vec3<T>& v, const Vec3d& numbers) {
      set(v.x, numbers.x);
      set(v.y, numbers.y);
      set(v.z, numbers.z);
    };
    setVector(to.position, p.position);
    setVector(to.normal, p.normal * sign);
    set(to.depth, p.depth);
    set(to.feature, p.feature);
    set(to.isThere, 1);
  }
}

}  // namespace espalier

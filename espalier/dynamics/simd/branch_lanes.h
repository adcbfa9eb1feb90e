#pragma once

// How numbers move between a plan's lanes and plain arrays. Internal to branches*.cpp.

#include "espalier/dynamics/simd/branches.h"
#include "espalier/model/joints/dispatch.h"
#include "espalier/scalar/fours.h"

namespace espalier::branches_detail {

using T = DoubleLanes;
constexpr int W = branch_lanes;

/// f.template operator()<Joint>() for the kinds a node may have.
template <class F>
ESPALIER_INLINE void withNode(JointKind kind, F&& f) {
  if (kind == JointKind::Revolute)
    f.template operator()<RevoluteJoint>();
  else
    f.template operator()<PrismaticJoint>();
}

/// Numbers of a node's lanes from places in a plain array.
ESPALIER_INLINE T gather(const double* from, const std::array<int, W>& place) {
  T x;
  for (int l = 0; l < W; ++l) setLane(x, l, from[place[l]]);
  return x;
}

// A struct of lanes is W structs of doubles laid crosswise; these move one lane.
template <class Plain, class Wide>
ESPALIER_INLINE void putLane(Wide& to, int lane, const Plain& from) {
  static_assert(sizeof(Wide) == sizeof(Plain) * W);
  const double* f = reinterpret_cast<const double*>(&from);
  double* t = reinterpret_cast<double*>(&to);
  for (std::size_t i = 0; i < sizeof(Plain) / sizeof(double); ++i) t[i * W + lane] = f[i];
}
template <class Plain, class Wide>
ESPALIER_INLINE void takeLane(const Wide& from, int lane, Plain& to) {
  static_assert(sizeof(Wide) == sizeof(Plain) * W);
  double* t = reinterpret_cast<double*>(&to);
  const double* f = reinterpret_cast<const double*>(&from);
  for (std::size_t i = 0; i < sizeof(Plain) / sizeof(double); ++i) t[i] = f[i * W + lane];
}
template <class Plain, class Wide>
ESPALIER_INLINE Plain takeLane(const Wide& from, int lane) {
  Plain to;
  takeLane(from, lane, to);
  return to;
}

template <class Plain, class Wide>
ESPALIER_INLINE Wide broadcastLanes(const Plain& from) {
  static_assert(sizeof(Wide) == sizeof(Plain) * W);
  Wide to;
  const double* f = reinterpret_cast<const double*>(&from);
  T* t = reinterpret_cast<T*>(&to);
  for (std::size_t i = 0; i < sizeof(Plain) / sizeof(double); ++i) t[i] = T(f[i]);
  return to;
}

/// What the parents of a node hold, lane by lane: another node's numbers as they are, the base's
/// in every lane, or a gathering of both.
template <class Plain, class Wide>
ESPALIER_INLINE const Wide& ofParents(const Topology& t, const BranchPlan& plan,
                                      const BranchNode& node, const AlignedArray<Wide>& nodes,
                                      const Plain& base, Wide& gathered) {
  if (node.parentNode >= 0) return nodes[node.parentNode];
  gathered = broadcastLanes<Plain, Wide>(base);
  if (node.onBase) return gathered;
  for (int l = 0; l < W; ++l) {
    if (node.body[l] < 0) continue;
    const int p = t.bodies[node.body[l]].parent;
    if (p > 0) putLane(gathered, l, takeLane<Plain>(nodes[plan.nodeOf[p]], plan.laneOf[p]));
  }
  return gathered;
}

/// sum += what the children of every lane hand up, the last child first.
template <class Plain, class Wide>
ESPALIER_INLINE void addChildren(const BranchPlan& plan, const BranchNode& node,
                                 const AlignedArray<Wide>& handed, Wide& sum) {
  if (node.isLeaf) return;
  if (node.childNode >= 0) {
    sum += handed[node.childNode];
    return;
  }
  for (int l = 0; l < W; ++l) {
    if (node.body[l] < 0) continue;
    for (int child : plan.children[node.body[l]]) {
      Plain own = takeLane<Plain>(sum, l);
      own += takeLane<Plain>(handed[plan.nodeOf[child]], plan.laneOf[child]);
      putLane(sum, l, own);
    }
  }
}
template <class Plain, class Wide>
ESPALIER_INLINE void addToBase(const BranchPlan& plan, const AlignedArray<Wide>& handed,
                               Plain& sum) {
  for (int child : plan.children[0])
    sum += takeLane<Plain>(handed[plan.nodeOf[child]], plan.laneOf[child]);
}

/// The sum itself, without an own part: zero where a lane has no child.
template <class Plain, class Wide>
ESPALIER_INLINE Wide sumOfChildren(const BranchPlan& plan, const BranchNode& node,
                                   const AlignedArray<Wide>& handed) {
  if (node.childNode >= 0) return handed[node.childNode];
  Wide sum = broadcastLanes<Plain, Wide>(Plain{});
  for (int l = 0; l < W; ++l) {
    if (node.body[l] < 0 || plan.children[node.body[l]].empty()) continue;
    Plain own{};
    for (int child : plan.children[node.body[l]]) {
      const Plain part = takeLane<Plain>(handed[plan.nodeOf[child]], plan.laneOf[child]);
      if (child == plan.children[node.body[l]].front())
        own = part;
      else
        own += part;
    }
    putLane(sum, l, own);
  }
  return sum;
}
template <class Plain, class Wide>
ESPALIER_INLINE Plain sumOnBase(const BranchPlan& plan, const AlignedArray<Wide>& handed) {
  Plain sum{};
  for (std::size_t k = 0; k < plan.children[0].size(); ++k) {
    const int child = plan.children[0][k];
    const Plain part = takeLane<Plain>(handed[plan.nodeOf[child]], plan.laneOf[child]);
    if (k == 0)
      sum = part;
    else
      sum += part;
  }
  return sum;
}

ESPALIER_INLINE void scatter(const BranchNode& node, const T& x, double* to) {
  for (int l = 0; l < W; ++l)
    if (node.body[l] >= 0) to[node.u[l]] = lane(x, l);
}

inline const JointExtra<T> no_extra{};

}  // namespace espalier::branches_detail

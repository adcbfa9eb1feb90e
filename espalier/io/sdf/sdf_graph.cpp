// A model's joints are the edges of a graph. In the order of the file each takes its child into
// the tree of its parent, unless that closes a ring: then it is a loop.
//
//   child has a parent already, and hangs in the same tree             a loop
//   child has a parent already, the joint's parent is a root           the joint turned round: the
//                                                                       parent hangs from the child
//   child is the root of the parent's own tree                          a loop
//
// Roots that are left float side by side, on a link "world".
// Axes of one loop that are parallel but for rounding are made parallel.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "espalier/io/sdf/sdf_parts.h"

namespace espalier::io {
namespace {

constexpr const char* world_link = "world";

std::optional<LoopKind> loopOf(JointKind kind) {
  switch (kind) {
    case JointKind::Fixed: return LoopKind::FIXED;
    case JointKind::Revolute: return LoopKind::REVOLUTE;
    case JointKind::Prismatic: return LoopKind::PRISMATIC;
    case JointKind::Spherical: return LoopKind::POINT;
    case JointKind::Universal: return LoopKind::UNIVERSAL;
    case JointKind::Helical: return LoopKind::SCREW;
    default: return std::nullopt;
  }
}

class Graph {
 public:
  Graph(SdfModel model, XmlReader& xml) : model_(std::move(model)), xml_(xml) {
    for (std::size_t i = 0; i < model_.links.size(); ++i)
      links_.emplace(model_.links[i].name, static_cast<int>(i));
    const bool usesWorld =
        std::any_of(model_.joints.begin(), model_.joints.end(), [](const SdfJoint& j) {
          return j.spec.parent == world_link || j.spec.child == world_link;
        });
    if (usesWorld && links_.count(world_link) == 0) addWorld();
    parent_.assign(model_.links.size(), -1);
    X_LS_.assign(model_.links.size(), identityTransform<double>());
  }

  SystemSpec build() {
    spec_.name = model_.name;
    std::vector<SdfJoint*> closing;
    for (SdfJoint& joint : model_.joints) {
      if (!hasEnds(joint)) continue;
      if (!takeIn(joint)) closing.push_back(&joint);
    }
    std::vector<SdfJoint*> loops;
    for (SdfJoint* joint : closing)
      if (!takeInTurned(*joint)) loops.push_back(joint);
    joinRoots();
    for (SdfJoint* joint : loops) straighten(*joint);
    placeAll();
    for (const SdfJoint* joint : loops) addLoop(*joint);
    spec_.selfCollides = model_.collidesWithItself;
    return std::move(spec_);
  }

 private:
  void addWorld() {
    LinkSpec world;
    world.name = world_link;
    world.line = model_.line;
    links_.emplace(world_link, static_cast<int>(model_.links.size()));
    model_.links.push_back(std::move(world));
  }

  int find(const std::string& name) const { return links_.at(name); }
  int rootOf(int link) const {
    while (parent_[link] >= 0) link = parent_[link];
    return link;
  }

  bool hasEnds(const SdfJoint& joint) {
    for (const std::string* end : {&joint.spec.parent, &joint.spec.child}) {
      if (links_.count(*end) != 0) continue;
      xml_.error(joint.spec.line,
                 "joint " + shown(joint.spec.name) + " names the link " + shown(*end) +
                     ", which does not exist",
                 "add the link, or correct its name");
      return false;
    }
    if (joint.spec.parent != joint.spec.child) return true;
    xml_.error(joint.spec.line, "joint " + shown(joint.spec.name) + " ties a link to itself",
               "name two links");
    return false;
  }

  /// The child hangs from the parent; false where it hangs already, or carries the parent.
  bool takeIn(const SdfJoint& joint) {
    const int parent = find(joint.spec.parent), child = find(joint.spec.child);
    if (joint.spec.child == world_link) return false;
    if (parent_[child] >= 0 || rootOf(parent) == child) return false;
    parent_[child] = parent;
    tree_.push_back(joint);
    return true;
  }

  /// The same joint from its child to its parent: all axes the other way.
  bool takeInTurned(const SdfJoint& joint) {
    const int parent = find(joint.spec.parent), child = find(joint.spec.child);
    // A universal joint's axes change places, and a ball's turns do not just change sign.
    const JointKind kind = joint.spec.kind;
    const bool canTurn = info(kind).axes <= 1 && kind != JointKind::Spherical;
    if (!canTurn || joint.spec.parent == world_link || parent_[parent] >= 0 ||
        rootOf(child) == parent)
      return false;
    SdfJoint turned = joint;
    std::swap(turned.spec.parent, turned.spec.child);
    turned.spec.axes[0] = -turned.spec.axes[0];
    parent_[parent] = child;
    tree_.push_back(std::move(turned));
    return true;
  }

  /// Axes along one ring that are parallel but for the digits that were written are parallel: a
  /// planar linkage whose axes are a hair askew is none that moves.
  void straighten(SdfJoint& loop) {
    constexpr double by_rounding = 1e-4;  // rad; a pose such as 1.5708 has four decimals
    std::vector<SdfJoint*> ring;
    for (const int from : {find(loop.spec.parent), find(loop.spec.child)}) {
      for (int link = from; link >= 0; link = parent_[link]) {
        const auto it = std::find_if(tree_.begin(), tree_.end(),
                                     [&](const SdfJoint& j) { return find(j.spec.child) == link; });
        if (it == tree_.end()) break;
        const auto twice = std::find(ring.begin(), ring.end(), &*it);
        if (twice == ring.end())
          ring.push_back(&*it);
        else
          ring.erase(twice);  // above the nearest common ancestor
      }
    }
    std::sort(ring.begin(), ring.end());  // in the order of the tree
    ring.push_back(&loop);
    for (std::size_t i = 0; i < ring.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        const double askew = angleBetween(*ring[k], *ring[i]);
        if (!(askew < by_rounding)) continue;
        align(*ring[k], *ring[i], askew);
        break;
      }
    }
  }

  /// Of two axes as drawn, whichever way they point; infinite for joints that do not turn.
  static double angleBetween(const SdfJoint& a, const SdfJoint& b) {
    if (a.spec.kind != JointKind::Revolute || b.spec.kind != JointKind::Revolute) return HUGE_VAL;
    const Vec3d x = mul(a.X_MJ.R, a.spec.axes[0]), y = mul(b.X_MJ.R, b.spec.axes[0]);
    return norm(cross(x, y)) / (norm(x) * norm(y));
  }

  void align(const SdfJoint& straight, SdfJoint& joint, double askew) {
    const Vec3d x = mul(straight.X_MJ.R, straight.spec.axes[0]);
    const Vec3d y = mul(joint.X_MJ.R, joint.spec.axes[0]);
    const Vec3d aligned = tmul(joint.X_MJ.R, dot(x, y) < 0 ? -x : x);
    constexpr double exact = 1e-15;
    if (askew < exact) return;
    joint.spec.axes[0] = aligned;
    char text[32];
    std::snprintf(text, sizeof text, "%.1e", askew);
    xml_.once(Severity::Note, "askew", joint.spec.line,
              "the axis of joint " + shown(joint.spec.name) + " is " + text + " rad off that of " +
                  shown(straight.spec.name) + " in the same loop, and is taken as parallel",
              "write poses with more digits; said once for all joints");
  }

  /// Several trees: each but the world's own floats in it.
  void joinRoots() {
    std::vector<int> roots;
    for (std::size_t i = 0; i < parent_.size(); ++i)
      if (parent_[i] < 0 && model_.links[i].name != world_link)
        roots.push_back(static_cast<int>(i));
    const bool hasWorld = links_.count(world_link) != 0;
    if (roots.size() + (hasWorld ? 1 : 0) <= 1) return;
    if (!hasWorld) {
      addWorld();
      parent_.push_back(-1);
      X_LS_.push_back(identityTransform<double>());
    }
    for (const int root : roots) {
      const LinkSpec& link = model_.links[root];
      SdfJoint floating;
      floating.spec.name = unused(link.name + ":floating");
      floating.spec.kind = JointKind::Floating;
      floating.spec.parent = world_link;
      floating.spec.child = link.name;
      floating.spec.line = link.line;
      floating.X_MJ = pose(root);
      parent_[root] = find(world_link);
      tree_.push_back(std::move(floating));
    }
  }

  /// The frame of the file on a link, in the model.
  Transformd pose(int link) {
    const std::string& name = model_.links[link].name;
    // The world's frame: where the model's origin stands is told by X_WB.
    return name == world_link ? identityTransform<double>() : model_.frames.find(name);
  }

  /// Links take the frames of the joints that move them, S of the file becoming X_LS in L.
  void placeAll() {
    for (const SdfJoint& joint : tree_) {
      const int child = find(joint.spec.child);
      X_LS_[child] = inverse(joint.X_MJ) * pose(child);
    }
    for (std::size_t i = 0; i < model_.links.size(); ++i) {
      LinkSpec link = std::move(model_.links[i]);
      model_.links[i].name = link.name;
      const Transformd& X = X_LS_[i];
      if (link.inertial) link.inertial->X_LC = X * link.inertial->X_LC;
      for (CollisionSpec& c : link.collisions) c.X_LG = X * c.X_LG;
      for (VisualSpec& v : link.visuals) v.X_LG = X * v.X_LG;
      spec_.links.push_back(std::move(link));
    }
    for (SdfJoint& joint : tree_) {
      joint.spec.X_PJ = inModel(find(joint.spec.parent), joint.X_MJ);
      if (joint.axes.empty())
        spec_.joints.push_back(std::move(joint.spec));
      else
        addAxes(joint);
    }
    spec_.X_WB = model_.X_WM;
    for (std::size_t i = 0; i < parent_.size(); ++i)
      if (parent_[i] < 0) spec_.X_WB = model_.X_WM * pose(static_cast<int>(i));
  }

  /// A universal joint whose axes have limits or dynamics of their own: two revolute joints, and a link without
  /// mass between them.
  void addAxes(const SdfJoint& joint) {
    const JointSpec& whole = joint.spec;
    LinkSpec between;
    between.name = unused(whole.child + ":" + whole.name);
    between.line = whole.line;
    for (std::size_t i = 0; i < 2; ++i) {
      JointSpec& one = spec_.joints.emplace_back(joint.axes[i]);
      one.name = i == 0 ? whole.name : unused(whole.name + ":axis2");
      one.parent = i == 0 ? whole.parent : between.name;
      one.child = i == 0 ? between.name : whole.child;
      if (i == 0) one.X_PJ = whole.X_PJ;
      one.axes[0] = whole.axes[i];
      one.line = whole.line;
    }
    spec_.links.push_back(std::move(between));
  }

  std::string unused(std::string name) const {
    while (model_.frames.has(name)) name += "_";
    return name;
  }

  /// A pose in the model as one in a link's own frame L.
  Transformd inModel(int link, const Transformd& X_M) {
    return X_LS_[link] * inverse(pose(link)) * X_M;
  }

  void addLoop(const SdfJoint& joint) {
    const auto kind = loopOf(joint.spec.kind);
    if (!kind) return;
    LoopSpec loop;
    loop.name = joint.spec.name;
    loop.kind = *kind;
    loop.predecessor = joint.spec.parent;
    loop.successor = joint.spec.child;
    loop.X_PA = inModel(find(joint.spec.parent), joint.X_MJ);
    loop.X_SB = inModel(find(joint.spec.child), joint.X_MJ);
    loop.axis = joint.spec.axes[0];
    loop.axis2 = joint.spec.axes[1];
    loop.pitch = joint.spec.pitch;
    loop.line = joint.spec.line;
    spec_.loops.push_back(std::move(loop));
    if (joint.hasLimits || joint.hasDynamics) {
      xml_.once(Severity::Warning, "loop dynamics", joint.spec.line,
                "joint " + shown(joint.spec.name) +
                    " closes a loop: its limits, damping and springs do not act",
                "list it before the joint its child hangs from now; said once for all loops");
    }
  }

  SdfModel model_;
  XmlReader& xml_;
  SystemSpec spec_;
  std::map<std::string, int> links_;
  std::vector<int> parent_;       ///< by link; -1 for roots
  std::vector<Transformd> X_LS_;  ///< by link
  std::vector<SdfJoint> tree_;    ///< in the order of the file, turned ones last
};

}  // namespace

SystemSpec buildSdfSystem(SdfModel model, XmlReader& xml) {
  return Graph(std::move(model), xml).build();
}

}  // namespace espalier::io

#include "espalier/model/spec/checks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "espalier/model/spec/tape_affine.h"
#include "espalier/spatial/finite.h"

namespace espalier {
namespace {

/// The tree as loops see it.
struct Links {
  const SystemSpec& spec;
  const SpecTree& tree;

  /// The joint above a link; none above a root.
  const JointSpec* jointAbove(int link) const {
    const int j = tree.parentJoint[link];
    return j < 0 ? nullptr : &spec.joints[j];
  }
  int parent(int link) const { return tree.parentLink[link]; }

  /// The link that carries all those welded to this one; the ground, -1, for what is welded to it.
  int welded(int link) const {
    while (link >= 0 && jointAbove(link) != nullptr && jointAbove(link)->kind == JointKind::Fixed)
      link = parent(link);
    const bool isGround = link >= 0 && jointAbove(link) == nullptr &&
                          (spec.fixedBase || spec.links[link].name == "world");
    return isGround ? -1 : link;
  }

  /// Its pose in that one.
  Transformd inWelded(int link) const {
    Transformd X = identityTransform<double>();
    while (link >= 0 && jointAbove(link) != nullptr && jointAbove(link)->kind == JointKind::Fixed) {
      X = jointAbove(link)->X_PJ * X;
      link = parent(link);
    }
    return X;
  }

  /// The movable joints from the nearest common ancestor down to the first of two links.
  std::vector<const JointSpec*> way(int to, int other) const {
    std::set<int> above;
    for (int l = other; l >= 0; l = parent(l)) above.insert(l);
    std::vector<const JointSpec*> joints;
    for (int l = to; l >= 0 && above.count(l) == 0; l = parent(l)) {
      const JointSpec* joint = jointAbove(l);
      if (joint != nullptr && joint->kind != JointKind::Fixed) joints.push_back(joint);
    }
    return joints;
  }
};

/// `part` names the link by <tag link="NAME"/>.
bool checkEnd(const CheckReport& report, const SpecTree& tree, const SpecPlace& part,
              const char* tag, const std::string& name) {
  return checkEnd(report, part, tag, tag, name, tree.link(name) >= 0);
}

void checkDirection(const CheckReport& report, const LoopSpec& loop, const char* tag,
                    const Vec3d& axis) {
  const double length = norm(axis);
  if (std::isfinite(length) && length >= 1e-12) return;
  report.error(loop,
               std::string("has ") + (std::isfinite(length)
                                          ? std::string("a zero ") + tag
                                          : std::string("an ") + tag + " that is not finite"),
               "give a direction such as 0 0 1");
}

void checkLoop(const CheckReport& report, const Links& links, const LoopSpec& loop) {
  const auto exists = [&](const char* end, const std::string& name) {
    return name == "world" || checkEnd(report, links.tree, loop, end, name);
  };
  const bool hasPredecessor = exists("predecessor", loop.predecessor);
  const bool hasSuccessor = exists("successor", loop.successor);
  for (const auto& [end, X] : {std::pair{"predecessor", loop.X_PA}, {"successor", loop.X_SB}}) {
    const std::string origin = std::string("has an origin on its ") + end;
    checkPose(report, loop, X, origin + " that", origin + " whose orientation");
  }
  if (loop.kind != LoopKind::POINT && loop.kind != LoopKind::FIXED)
    checkDirection(report, loop, "axis", loop.axis);
  if (loop.kind == LoopKind::UNIVERSAL) checkDirection(report, loop, "axis2", loop.axis2);
  if (loop.kind == LoopKind::SCREW && !std::isfinite(loop.pitch))
    report.error(loop, "has a pitch that is not finite", "give it in metres per radian");
  if (!hasPredecessor || !hasSuccessor) return;
  if (loop.predecessor == loop.successor) {
    report.error(loop, "ties the link " + inQuotes(loop.predecessor) + " to itself",
                 "name two links that move against each other");
    return;
  }
  if (!links.tree.isTree) return;
  // "world" is the ground where no link has its name.
  const int p = links.tree.link(loop.predecessor), s = links.tree.link(loop.successor);
  if (links.welded(p) != links.welded(s)) return;
  const Closure c = closureOf(loop);
  checkWelded(report, loop, {links.inWelded(p) * c.X_LA, links.inWelded(s) * c.X_LB});
}

/// Whether every joint on the way has one coordinate, as sums of q want it.
bool checkWay(const CheckReport& report, const CouplingSpec& coupling,
              const std::vector<const JointSpec*>& way) {
  for (const JointSpec* joint : way) {
    if (info(joint->kind).nv == 1) continue;
    report.error(coupling,
                 "goes through the " + std::string(info(joint->kind).name) + " joint " +
                     inQuotes(joint->name),
                 "couplings gear joints of one coordinate: name links with no other joint between");
    return false;
  }
  return true;
}

void checkCoupling(const CheckReport& report, const Links& links, const CouplingSpec& coupling) {
  if (!std::isfinite(coupling.ratio) || !std::isfinite(coupling.offset)) {
    report.error(coupling, "has a ratio or an offset that is not finite", "give finite numbers");
  } else if (coupling.ratio == 0) {
    report.error(coupling, "has the ratio zero, so that it ties nothing to its predecessor",
                 "give the gear ratio, or make the joint fixed");
  }
  const bool hasPredecessor =
      checkEnd(report, links.tree, coupling, "predecessor", coupling.predecessor);
  const bool hasSuccessor = checkEnd(report, links.tree, coupling, "successor", coupling.successor);
  if (!hasPredecessor || !hasSuccessor) return;
  if (coupling.predecessor == coupling.successor) {
    report.error(coupling, "gears the link " + inQuotes(coupling.predecessor) + " to itself",
                 "name two links");
    return;
  }
  if (!links.tree.isTree) return;
  const int p = links.tree.link(coupling.predecessor), s = links.tree.link(coupling.successor);
  const auto toP = links.way(p, s), toS = links.way(s, p);
  if (!checkWay(report, coupling, toP) || !checkWay(report, coupling, toS)) return;
  if (toP.empty() && toS.empty()) {
    report.error(coupling, "has no movable joint between its links, nothing to gear",
                 "name links that joints move");
  } else if (toP.empty() || toS.empty()) {
    report.warn(coupling,
                "has joints on one side only: they can no longer turn against one another",
                "name links on two branches of the tree, or make the joint fixed");
  }
}

void checkConstraint(const CheckReport& report, const SpecTree& tree,
                     const ConstraintSpec& constraint) {
  if (const std::string fault = constraint.phi.fault(); !fault.empty()) {
    report.error(constraint, "has a tape with " + fault, "make it by trace()");
    return;
  }
  std::set<std::string_view> named;
  int coordinates = 0;
  for (const std::string& name : constraint.joints) {
    const int joint = tree.joint(name);
    if (joint < 0) {
      report.error(constraint, "names the joint " + inQuotes(name) + ", which does not exist",
                   "add the joint, or correct its name");
      return;
    }
    const JointKindInfo& kind = info(report.spec.joints[joint].kind);
    if (kind.nv == 0 || kind.nq != kind.nv) {
      report.error(constraint, "ties the " + std::string(kind.name) + " joint " + inQuotes(name),
                   "name joints that move by plain coordinates");
      return;
    }
    if (!named.insert(name).second) {
      report.error(constraint, "names the joint " + inQuotes(name) + " twice", "name it once");
      return;
    }
    coordinates += kind.nq;
  }
  if (coordinates != constraint.phi.inputs) {
    report.error(constraint,
                 "is of " + std::to_string(constraint.phi.inputs) +
                     " coordinates, but its joints have " + std::to_string(coordinates),
                 "name the joints whose coordinates it is of, in their order");
    return;
  }
  for (int r = 0; r < constraint.phi.rows(); ++r) {
    const std::optional<AffineRow> plain = affineOf(singleRow(constraint.phi, r));
    if (!plain ||
        std::any_of(plain->factors.begin(), plain->factors.end(), [](double f) { return f != 0; }))
      continue;
    report.error(constraint, "has an equation in which no coordinate stands",
                 "leave it out, or correct it");
  }
}

class Mimics {
 public:
  explicit Mimics(const CheckReport& report) : report_(report) {
    for (const JointSpec& joint : report.spec.joints) joints_.emplace(joint.name, &joint);
  }

  void check() {
    for (const JointSpec& joint : report_.spec.joints) {
      if (!joint.mimic || leader(joint) == nullptr || leader(joint) == &joint) continue;
      checkKinds(joint, *leader(joint));
      checkRing(joint);
    }
  }

 private:
  const JointSpec* leader(const JointSpec& joint) const {
    if (!joint.mimic) return nullptr;
    const auto place = joints_.find(joint.mimic->joint);
    return place == joints_.end() ? nullptr : place->second;
  }

  void checkKinds(const JointSpec& joint, const JointSpec& leader) {
    if (joint.kind == JointKind::Fixed) {
      report_.warn(joint, "is fixed, so that its mimic has nothing to move",
                   "remove <mimic>, or give the joint its type");
      return;
    }
    for (const JointSpec* one : {&joint, &leader}) {
      if (info(one->kind).nv == 1) continue;
      report_.error(joint,
                    "mimics the joint " + inQuotes(leader.name) + ", but " + inQuotes(one->name) +
                        " is " + info(one->kind).name,
                    "mimic ties joints of one coordinate");
      return;
    }
    if (joint.mimic->multiplier == 0) {
      report_.warn(joint, "mimics with the multiplier zero: it stands still at the offset",
                   "give the ratio of the two, or make the joint fixed");
    }
  }

  /// One Error for each ring, at its first joint.
  void checkRing(const JointSpec& start) {
    std::set<const JointSpec*> ring;
    std::string names = inQuotes(start.name);
    const JointSpec* joint = &start;
    while (joint != nullptr && ring.insert(joint).second) {
      joint = leader(*joint);
      if (joint != nullptr && ring.size() < 10) names += " -> " + inQuotes(joint->name);
    }
    if (joint != &start || said_.count(joint) != 0) return;
    said_.insert(ring.begin(), ring.end());
    report_.error(start, "mimics itself by way of others: " + names,
                  "let one joint of them mimic none");
  }

  const CheckReport& report_;
  std::map<std::string_view, const JointSpec*> joints_;
  std::set<const JointSpec*> said_;
};

}  // namespace

void checkWelded(const CheckReport& report, const LoopSpec& loop, const LoopEnds& ends) {
  const LoopGap gap = gapOf(closureOf(loop), ends);
  const std::string what = "ties the links " + inQuotes(loop.predecessor) + " and " +
                           inQuotes(loop.successor) + ", which are welded together already";
  const auto& said = report.diagnostics.all();
  if (std::any_of(said.begin(), said.end(), [&](const Diagnostic& d) {
        return d.line == loop.line && d.what.find(what) != std::string::npos;
      }))
    return;
  if (isRounding(gap, std::max(norm(ends.A.p), norm(ends.B.p)))) {
    report.warn(loop, what + ", and is left out; its ends are " + printed(gap) + " apart",
                "remove it, or name two links that move against each other");
  } else {
    report.error(loop, what + ", " + printed(gap) + " from where it would be closed",
                 "name two links that move against each other, or correct its origins");
  }
}

void checkLoops(const CheckReport& report, const SpecTree& tree) {
  const Links links{report.spec, tree};
  for (const LoopSpec& loop : report.spec.loops) checkLoop(report, links, loop);
  for (const CouplingSpec& coupling : report.spec.couplings) checkCoupling(report, links, coupling);
  for (const ConstraintSpec& constraint : report.spec.constraints)
    checkConstraint(report, tree, constraint);
  Mimics(report).check();
}

}  // namespace espalier

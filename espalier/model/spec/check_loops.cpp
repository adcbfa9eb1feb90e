#include "espalier/model/spec/check_loops.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "espalier/model/spec/check_joint.h"
#include "espalier/model/spec/tape_affine.h"
#include "espalier/spatial/finite.h"

namespace espalier {
namespace {

constexpr int ground = -1, unknown = -2;

/// The tree as loops see it.
struct Links {
  Links(const SystemSpec& spec, const SpecTree& tree) : spec_(spec), tree_(tree) {
    for (int i = 0; i < static_cast<int>(spec.links.size()); ++i)
      index_.emplace(spec.links[i].name, i);
  }

  int find(const std::string& name) const {
    const auto place = index_.find(name);
    return place == index_.end() ? unknown : place->second;
  }

  /// The joint above a link; none above a root.
  const JointSpec* jointAbove(int link) const {
    const int j = tree_.parentJoint[link];
    return j < 0 ? nullptr : &spec_.joints[j];
  }
  int parent(int link) const { return tree_.parentLink[link]; }

  /// The link that carries all those welded to this one; the ground for what is welded to it.
  int welded(int link) const {
    while (link >= 0 && jointAbove(link) != nullptr && jointAbove(link)->kind == JointKind::Fixed)
      link = parent(link);
    const bool isGround = link >= 0 && jointAbove(link) == nullptr &&
                          (spec_.fixedBase || spec_.links[link].name == "world");
    return isGround ? ground : link;
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

 private:
  const SystemSpec& spec_;
  const SpecTree& tree_;
  std::map<std::string_view, int> index_;
};

/// Says it if a tie's end is no link; true if it is one.
template <class Tie>
bool checkEnd(const CheckReport& report, const Links& links, const Tie& tie, const char* end,
              const std::string& name) {
  if (links.find(name) != unknown) return true;
  if (name.empty()) {
    report.error(tie, std::string("has no ") + end, std::string("add <") + end + " link=\"...\"/>");
  } else {
    report.error(tie,
                 std::string("names the ") + end + " " + inQuotes(name) + ", which does not exist",
                 "add the link, or correct its name");
  }
  return false;
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

void checkPose(const CheckReport& report, const LoopSpec& loop, const Transformd& pose,
               const char* end) {
  if (!isFinite(pose)) {
    report.error(loop, std::string("has an origin on its ") + end + " that is not finite",
                 "give finite numbers");
  } else if (!isRotation(pose.R)) {
    report.error(
        loop, std::string("has an origin on its ") + end + " whose orientation is not a rotation",
        "give a matrix of unit columns at right angles, no mirror");
  }
}

void checkLoop(const CheckReport& report, const Links& links, bool isTree, const LoopSpec& loop) {
  const auto exists = [&](const char* end, const std::string& name) {
    return name == "world" || checkEnd(report, links, loop, end, name);
  };
  const bool hasPredecessor = exists("predecessor", loop.predecessor);
  const bool hasSuccessor = exists("successor", loop.successor);
  checkPose(report, loop, loop.X_PA, "predecessor");
  checkPose(report, loop, loop.X_SB, "successor");
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
  if (!isTree) return;
  const auto bodyOf = [&](const std::string& name) {
    const int link = links.find(name);
    return link == unknown ? ground : links.welded(link);  // the ground, where no link has its name
  };
  if (bodyOf(loop.predecessor) != bodyOf(loop.successor)) return;
  const auto poseOf = [&](const std::string& name) {
    const int link = links.find(name);
    return link == unknown ? identityTransform<double>() : links.inWelded(link);
  };
  const Closure c = closureOf(loop);
  checkWelded(report, loop, {poseOf(loop.predecessor) * c.X_LA, poseOf(loop.successor) * c.X_LB});
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

void checkCoupling(const CheckReport& report, const Links& links, bool isTree,
                   const CouplingSpec& coupling) {
  if (!std::isfinite(coupling.ratio) || !std::isfinite(coupling.offset)) {
    report.error(coupling, "has a ratio or an offset that is not finite", "give finite numbers");
  } else if (coupling.ratio == 0) {
    report.error(coupling, "has the ratio zero, so that it ties nothing to its predecessor",
                 "give the gear ratio, or make the joint fixed");
  }
  const bool hasPredecessor =
      checkEnd(report, links, coupling, "predecessor", coupling.predecessor);
  const bool hasSuccessor = checkEnd(report, links, coupling, "successor", coupling.successor);
  if (!hasPredecessor || !hasSuccessor) return;
  if (coupling.predecessor == coupling.successor) {
    report.error(coupling, "gears the link " + inQuotes(coupling.predecessor) + " to itself",
                 "name two links");
    return;
  }
  if (!isTree) return;
  const int p = links.find(coupling.predecessor), s = links.find(coupling.successor);
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

void checkConstraint(const CheckReport& report, const ConstraintSpec& constraint) {
  if (const std::string fault = constraint.phi.fault(); !fault.empty()) {
    report.error(constraint, "has a tape with " + fault, "make it by trace()");
    return;
  }
  std::set<std::string_view> named;
  int coordinates = 0;
  for (const std::string& name : constraint.joints) {
    const auto joint = std::find_if(report.spec.joints.begin(), report.spec.joints.end(),
                                    [&](const JointSpec& j) { return j.name == name; });
    if (joint == report.spec.joints.end()) {
      report.error(constraint, "names the joint " + inQuotes(name) + ", which does not exist",
                   "add the joint, or correct its name");
      return;
    }
    const JointKindInfo& kind = info(joint->kind);
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
  const Links links(report.spec, tree);
  for (const LoopSpec& loop : report.spec.loops) checkLoop(report, links, tree.isTree, loop);
  for (const CouplingSpec& coupling : report.spec.couplings)
    checkCoupling(report, links, tree.isTree, coupling);
  for (const ConstraintSpec& constraint : report.spec.constraints)
    checkConstraint(report, constraint);
  Mimics(report).check();
}

}  // namespace espalier

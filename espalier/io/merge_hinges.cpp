#include "espalier/io/merge_hinges.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string>

#include "espalier/io/spec_links.h"
#include "espalier/model/spec/check_report.h"
#include "espalier/model/spec/checks.h"

namespace espalier::io {
namespace {

constexpr double one_point = 1e-9;  // m
constexpr double flat = 0.1;        // of the volume of three unit axes

class Merger {
 public:
  Merger(SystemSpec& spec, Diagnostics& diagnostics) : spec_(spec), diagnostics_(diagnostics) {
    Diagnostics saidLater;
    tree_ = checkTree({spec, saidLater});
  }

  void run() {
    if (!tree_.isTree || spec_.loops.empty()) return;
    noteNames();
    const std::vector<char> isInLoop = jointsInLoops();
    for (const int link : tree_.order) {
      const int third = tree_.parentJoint[link];
      if (third < 0 || !isInLoop[third]) continue;
      const int inner = tree_.parentLink[link], second = tree_.parentJoint[inner];
      if (second < 0 || !isBetween(inner)) continue;
      const int outer = tree_.parentLink[inner], first = tree_.parentJoint[outer];
      if (first < 0 || !isBetween(outer)) continue;
      if (isPlain(first) && isPlain(second) && isPlain(third)) merge(first, second, third);
    }
    removeMerged();
  }

 private:
  /// Parts that are referred to by name.
  void noteNames() {
    for (const JointSpec& joint : spec_.joints)
      if (joint.mimic) named_.insert(joint.mimic->joint);
    for (const ConstraintSpec& constraint : spec_.constraints)
      named_.insert(constraint.joints.begin(), constraint.joints.end());
    for (const TransmissionSpec& transmission : spec_.transmissions)
      named_.insert(transmission.joint);
    for (const LoopSpec& loop : spec_.loops) ends_.insert({loop.predecessor, loop.successor});
    for (const CouplingSpec& coupling : spec_.couplings)
      for (const int joint : between(coupling.predecessor, coupling.successor))
        named_.insert(spec_.joints[joint].name);
    childrenOf_.assign(spec_.links.size(), 0);
    for (const int parent : tree_.parentLink)
      if (parent >= 0) ++childrenOf_[parent];
  }

  /// The joints between each of two links and their nearest common ancestor.
  std::set<int> between(const std::string& first, const std::string& second) const {
    std::set<int> once;
    for (const std::string* end : {&first, &second})
      for (int link = linkIndex(spec_, *end); link >= 0; link = tree_.parentLink[link]) {
        const int joint = tree_.parentJoint[link];
        if (joint >= 0 && !once.insert(joint).second) once.erase(joint);
      }
    return once;
  }

  std::vector<char> jointsInLoops() const {
    std::vector<char> isIn(spec_.joints.size(), 0);
    for (const LoopSpec& loop : spec_.loops) {
      if (loop.isBilateral) continue;
      for (const int joint : between(loop.predecessor, loop.successor)) isIn[joint] = 1;
    }
    return isIn;
  }

  /// A link that is nothing but a place between two joints.
  bool isBetween(int link) const {
    const LinkSpec& l = spec_.links[link];
    const auto isZero = [](const Sym3<double>& I) {
      return I.xx == 0 && I.xy == 0 && I.xz == 0 && I.yy == 0 && I.yz == 0 && I.zz == 0;
    };
    const bool hasNoMass = !l.inertial || (l.inertial->mass == 0 && isZero(l.inertial->I));
    return hasNoMass && l.collisions.empty() && l.visuals.empty() && childrenOf_[link] == 1 &&
           ends_.count(l.name) == 0;
  }

  bool isPlain(int j) const {
    const JointSpec& joint = spec_.joints[j];
    const JointDynamics& d = joint.dynamics;
    constexpr double half = std::numbers::pi;
    return joint.kind == JointKind::Revolute && joint.limits.lower <= -half &&
           joint.limits.upper >= half && d.damping == 0 && d.friction == 0 && d.stiffness == 0 &&
           d.rotorInertia == 0 && !joint.mimic && !joint.independent.value_or(false) &&
           named_.count(joint.name) == 0 && merged_.count(joint.name) == 0;
  }

  void merge(int first, int second, int third) {
    JointSpec &a = spec_.joints[first], &b = spec_.joints[second], &c = spec_.joints[third];
    if (norm(b.X_PJ.p) > one_point || norm(c.X_PJ.p) > one_point) return;
    const auto unit = [](const Vec3d& v) { return v * (1 / norm(v)); };
    const Vec3d x = unit(a.axes[0]), y = mul(b.X_PJ.R, unit(b.axes[0])),
                z = mul(b.X_PJ.R, mul(c.X_PJ.R, unit(c.axes[0])));
    if (!(std::abs(dot(cross(x, y), z)) > flat)) return;
    diagnostics_.add({Severity::Note, spec_.file, a.line,
                      "the hinges " + inQuotes(a.name) + ", " + inQuotes(b.name) + " and " +
                          inQuotes(c.name) +
                          " meet in one point over massless links: they are one spherical joint " +
                          inQuotes(c.name),
                      "nothing to do; --keep-hinges (UrdfOptions::keepsHinges) keeps them"});
    for (const JointSpec* gone : {&a, &b}) {
      merged_.insert(gone->name);
      removed_.insert(gone->child);
    }
    merged_.insert(c.name);
    const bool follows = a.independent && b.independent && c.independent;
    c.X_PJ = a.X_PJ * b.X_PJ * c.X_PJ;
    c.parent = a.parent;
    c.kind = JointKind::Spherical;
    c.limits = {};
    c.axes = JointSpec{}.axes;
    c.dynamics = {};
    c.line = a.line;
    if (!follows) c.independent.reset();
  }

  void removeMerged() {
    std::set<std::string> joints;
    std::erase_if(spec_.joints, [&](const JointSpec& joint) {
      if (removed_.count(joint.child) == 0) return false;
      joints.insert(joint.name);
      return true;
    });
    std::erase_if(spec_.links, [&](const LinkSpec& link) { return removed_.count(link.name) > 0; });
    std::erase_if(spec_.jointOrder,
                  [&](const std::string& name) { return joints.count(name) > 0; });
    std::erase_if(spec_.ignoredPairs, [&](const auto& pair) {
      return removed_.count(pair.first) > 0 || removed_.count(pair.second) > 0;
    });
  }

  SystemSpec& spec_;
  Diagnostics& diagnostics_;
  SpecTree tree_;
  std::set<std::string> named_, ends_;  // joints, links
  std::vector<int> childrenOf_;         // [links]
  std::set<std::string> merged_;        // joints
  std::set<std::string> removed_;       // links
};

}  // namespace

void mergeHinges(SystemSpec& spec, Diagnostics& diagnostics) { Merger(spec, diagnostics).run(); }

}  // namespace espalier::io

#include "espalier/model/compile/gyrostats.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <optional>

#include "espalier/model/spec/checks.h"

namespace espalier {
namespace {

/// Axes count as parallel, and inertias as symmetric, within this rounding.
constexpr double negligible = 1e-12;

bool isNegligible(double x, double size) { return std::abs(x) <= negligible * size; }

class Finder {
 public:
  explicit Finder(const SystemSpec& spec) : spec_(spec), tree_(treeOf(spec)) {
    hasChildren_.assign(spec.links.size(), 0);
    for (int j = 0; j < count(spec.joints); ++j) hasChildren_[parent(j)] = 1;
    isCandidate_.assign(spec.joints.size(), 0);
    found_.isRotor.assign(spec.joints.size(), 0);
    found_.spin.assign(spec.joints.size(), 0.0);
    found_.inertia.assign(spec.joints.size(), 0.0);
    axis_.resize(spec.joints.size());
    R_.resize(spec.links.size(), identity3<double>());
    placed_.assign(spec.links.size(), 0);
    for (int j = 0; j < count(spec.joints); ++j) axis_[j] = axisAtNeutral(j);
  }

  Gyrostats run() {
    if (spec_.rotorsAsBodies) return {};
    countTies();
    std::vector<Gyrostat> candidates;
    for (int i = 0; i < count(spec_.couplings); ++i)
      if (auto rotor = turnedBy(spec_.couplings[i])) candidates.push_back(std::move(*rotor));
    for (int j = 0; j < count(spec_.joints); ++j)
      if (auto rotor = mimic(j)) candidates.push_back(std::move(*rotor));
    std::sort(candidates.begin(), candidates.end(),
              [](const Gyrostat& x, const Gyrostat& y) { return x.joint < y.joint; });
    for (const Gyrostat& rotor : candidates) isCandidate_[rotor.joint] = 1;
    for (Gyrostat& rotor : candidates) {
      Reflected reflected;
      if (std::string why = reflect(rotor, reflected); !why.empty())
        found_.kept.push_back({rotor.joint, std::move(why)});
      else
        accept(std::move(rotor), reflected);
    }
    std::sort(found_.kept.begin(), found_.kept.end(),
              [](const Gyrostats::Kept& x, const Gyrostats::Kept& y) { return x.joint < y.joint; });
    return std::move(found_);
  }

 private:
  // ---- the tree

  template <class V>
  static int count(const V& v) {
    return static_cast<int>(v.size());
  }
  int parent(int j) const { return tree_.link(spec_.joints[j].parent); }
  int child(int j) const { return tree_.link(spec_.joints[j].child); }

  /// Of a link, at q = 0, in the axes of the root.
  const Mat3d& orientation(int link) {
    if (!placed_[link]) {
      placed_[link] = 1;
      if (const int j = tree_.parentJoint[link]; j >= 0)
        R_[link] = mul(orientation(parent(j)), spec_.joints[j].X_PJ.R);
    }
    return R_[link];
  }
  Vec3d axisAtNeutral(int j) {
    const Vec3d a = mul(orientation(child(j)), spec_.joints[j].axes[0]);
    return norm(a) > 0 ? a * (1 / norm(a)) : a;
  }
  /// The joint that moves a link, through welds; -1: none but the root's.
  int movableCarrier(int link) const {
    int j = tree_.parentJoint[link];
    while (j >= 0 && spec_.joints[j].kind == JointKind::Fixed) j = tree_.parentJoint[parent(j)];
    return j;
  }
  /// Movable joints from a link up to the root.
  std::vector<int> wayUp(int link) const {
    std::vector<int> way;
    for (int j = movableCarrier(link); j >= 0; j = movableCarrier(parent(j))) way.push_back(j);
    return way;
  }
  /// Whether joint i is an ancestor of joint j or j itself.
  bool carries(int i, int j) const {
    const std::vector<int> way = wayUp(child(j));
    return std::find(way.begin(), way.end(), i) != way.end();
  }
  /// Without what both ways have in common.
  static void part(std::vector<int>& a, std::vector<int>& b) {
    while (!a.empty() && !b.empty() && a.back() == b.back()) {
      a.pop_back();
      b.pop_back();
    }
  }

  // ---- which links are rotors

  bool hasOneDof(int j) const {
    return spec_.joints[j].kind == JointKind::Revolute ||
           spec_.joints[j].kind == JointKind::Prismatic;
  }

  /// How many couplings, mimics, constraints and ends of loops speak of each joint.
  void countTies() {
    ties_.assign(spec_.joints.size(), 0);
    const auto countLink = [this](const std::string& link) {
      if (const int l = tree_.link(link); l >= 0 && tree_.parentJoint[l] >= 0)
        ++ties_[tree_.parentJoint[l]];
    };
    const auto countJoint = [this](const std::string& joint) {
      if (const int j = tree_.joint(joint); j >= 0) ++ties_[j];
    };
    for (const CouplingSpec& c : spec_.couplings) {
      countLink(c.predecessor);
      countLink(c.successor);
    }
    for (const LoopSpec& loop : spec_.loops) {
      countLink(loop.predecessor);
      countLink(loop.successor);
    }
    for (const ConstraintSpec& c : spec_.constraints)
      for (const std::string& joint : c.joints) countJoint(joint);
    for (const JointSpec& joint : spec_.joints) {
      if (!joint.mimic) continue;
      countJoint(joint.name);
      countJoint(joint.mimic->joint);
    }
  }

  /// A spinning part that only the one tie knows of which turns it.
  bool looksLikeRotor(int j) const {
    const JointSpec& joint = spec_.joints[j];
    const LinkSpec& link = spec_.links[child(j)];
    return joint.kind == JointKind::Revolute && !joint.independent.value_or(false) &&
           ties_[j] == 1 && !hasChildren_[child(j)] && link.collisions.empty() && link.inertial;
  }
  /// Why a link that resembles a gyrostat is none; empty where it is one.
  std::string hindranceOf(int j) const {
    const JointDynamics& d = spec_.joints[j].dynamics;
    if (d.damping != 0 || d.friction != 0 || d.stiffness != 0 || d.rotorInertia != 0)
      return "its joint has friction, damping, a spring or an armature of its own";
    if (spec_.joints[j].actuator) return "its joint has an actuator";
    const InertialSpec& inertial = *spec_.links[child(j)].inertial;
    const Vec3d axis = spec_.joints[j].axes[0] * (1 / norm(spec_.joints[j].axes[0]));
    const Mat3d Q = mul(transpose(rotationToZ(axis)), inertial.X_LC.R);
    const Sym3<double> I = congruence(transpose(Q), inertial.I);
    const double size = I.xx + I.yy + I.zz;
    const double uneven =
        std::max({std::abs(I.xy), std::abs(I.xz), std::abs(I.yz), std::abs(I.xx - I.yy)});
    if (!(I.zz > 0) || !isNegligible(uneven, size))
      return "its inertia is not the same all about its axis: " + printed(uneven / size) +
             " of its size apart";
    const double off = norm(cross(inertial.X_LC.p, axis));
    return off <= negligible ? "" : "its centre of mass is " + printed(off) + " m off its axis";
  }
  /// The first that is one, -1 if none is; what only looks like one, and is flagged as a follower,
  /// is noted.
  int chooseRotor(std::initializer_list<int> joints) {
    Gyrostats::Kept kept{-1, ""};
    for (const int j : joints) {
      if (j < 0 || !looksLikeRotor(j)) continue;
      std::string why = hindranceOf(j);
      if (why.empty()) return j;
      if (kept.joint < 0 && spec_.joints[j].independent) kept = {j, std::move(why)};
    }
    if (kept.joint >= 0) found_.kept.push_back(std::move(kept));
    return -1;
  }

  /// ratio (sum on the way to the predecessor) + offset = sum on the way to the successor.
  std::optional<Gyrostat> turnedBy(const CouplingSpec& c) {
    std::vector<int> first = wayUp(tree_.link(c.predecessor)),
                     second = wayUp(tree_.link(c.successor));
    part(first, second);
    const auto end = [](const std::vector<int>& way) { return way.empty() ? -1 : way.front(); };
    const int j = chooseRotor({end(second), end(first)});
    if (j < 0) return {};
    const bool isSecond = j == end(second);
    Gyrostat rotor{j, {}, isSecond ? c.offset : -c.offset / c.ratio, inertiaOf(j)};
    for (const int other : first)
      if (other != j) rotor.terms.push_back({other, isSecond ? c.ratio : -1});
    for (const int other : second)
      if (other != j) rotor.terms.push_back({other, isSecond ? -1 : 1 / c.ratio});
    return rotor;
  }
  /// Those without a flag are joints that users count on: fingers, say.
  std::optional<Gyrostat> mimic(int j) {
    const JointSpec& joint = spec_.joints[j];
    if (!joint.mimic || joint.independent.value_or(true) || chooseRotor({j}) < 0) return {};
    const int leader = tree_.joint(joint.mimic->joint);
    return Gyrostat{j, {{leader, joint.mimic->multiplier}}, joint.mimic->offset, inertiaOf(j)};
  }

  /// About its axis.
  double inertiaOf(int j) const {
    const JointSpec& joint = spec_.joints[j];
    const InertialSpec& inertial = *spec_.links[child(j)].inertial;
    const Vec3d a = tmul(inertial.X_LC.R, joint.axes[0] * (1 / norm(joint.axes[0])));
    return dot(a, mul(inertial.I, a));
  }

  /// Why a rotor may not follow it; empty where it may: something other than the rotor leads then.
  std::string hindranceToFollow(int j, const Gyrostat& rotor) const {
    if (!hasOneDof(j)) return "it follows a joint of several dofs";
    if (isCandidate_[j]) return "it follows another rotor";
    const bool others = !spec_.loops.empty() || !spec_.constraints.empty();
    const bool follows = !spec_.joints[rotor.joint].independent.value_or(true);
    const bool mayLead = spec_.joints[j].independent.value_or(true) || (others && follows);
    return mayLead ? "" : "the joint that it follows is flagged dependent";
  }

  // ---- its terms in the equations of motion

  std::string askew(int j, const Vec3d& a) const {
    return "its axis is askew to that of joint " + inQuotes(spec_.joints[j].name) + " by " +
           printed(std::asin(std::min(1.0, norm(cross(axis_[j], a))))) + " rad";
  }
  /// 1 or -1 where the axis of a joint lies along a; 0: across.
  int along(int j, const Vec3d& a) const {
    if (norm(cross(axis_[j], a)) > negligible) return 0;
    return dot(axis_[j], a) > 0 ? 1 : -1;
  }

  struct Reflected {
    std::map<int, double> spin;
    std::map<std::pair<int, int>, double> M0;  ///< by joints, both halves
  };

  /// The terms of the joints between a rotor and the joint j that it follows, because
  ///   a . w_P = a . w_carrier(j) + rates between
  std::string reflectBetween(int rotor, int j, double share, Reflected& r) const {
    const Vec3d& a = axis_[rotor];
    std::vector<int> toRotor = wayUp(parent(rotor)), toJoint = wayUp(parent(j));
    part(toRotor, toJoint);
    for (const auto* way : {&toRotor, &toJoint})
      for (const int m : *way) {
        if (spec_.joints[m].kind == JointKind::Prismatic) continue;
        if (spec_.joints[m].kind != JointKind::Revolute)
          return "joint " + inQuotes(spec_.joints[m].name) +
                 " between it and what it follows is no hinge";
        if (along(m, a) == 0) return askew(m, a);
        const double x = share * along(m, a) * (way == &toRotor ? 1 : -1);
        r.M0[{j, m}] += x;
        r.M0[{m, j}] += x;
      }
    return "";
  }
  bool followsTwoBranches(const Gyrostat& rotor) const {
    for (const Gyrostat::Term& i : rotor.terms)
      for (const Gyrostat::Term& j : rotor.terms)
        if (!carries(i.joint, j.joint) && !carries(j.joint, i.joint)) return true;
    return false;
  }

  /// Why it cannot be told by constants; empty where it can.
  std::string reflect(const Gyrostat& rotor, Reflected& r) const {
    const Vec3d& a = axis_[rotor.joint];
    for (const Gyrostat::Term& j : rotor.terms) {
      if (std::string why = hindranceToFollow(j.joint, rotor); !why.empty()) return why;
      const int sign = along(j.joint, a);
      if (sign == 0) return askew(j.joint, a);
      const double share = rotor.inertia * j.factor;
      r.spin[j.joint] += sign * share;
      for (const Gyrostat::Term& i : rotor.terms) r.M0[{j.joint, i.joint}] += share * i.factor;
      if (std::string why = reflectBetween(rotor.joint, j.joint, share, r); !why.empty())
        return why;
    }
    if (followsTwoBranches(rotor)) return "it follows joints of two branches";
    std::erase_if(r.M0, [&](const auto& entry) {
      const auto& [joints, inertia] = entry;
      return joints.first != joints.second && isNegligible(inertia, rotor.inertia);
    });
    for (const auto& [joints, inertia] : r.M0)
      if (joints.first != joints.second && !areNeighbours(joints.first, joints.second))
        return "it ties joints that are no neighbours";
    return "";
  }
  bool areNeighbours(int i, int j) const {
    return movableCarrier(parent(j)) == i || movableCarrier(parent(i)) == j;
  }

  void accept(Gyrostat rotor, const Reflected& reflected) {
    for (const auto& [joint, spin] : reflected.spin) found_.spin[joint] += spin;
    for (const auto& [joints, inertia] : reflected.M0) {
      const auto [i, j] = joints;
      if (i == j) found_.inertia[i] += inertia;
      if (i >= j) continue;
      const bool isUpper = movableCarrier(parent(j)) == i;
      found_.pairs.push_back({isUpper ? j : i, isUpper ? i : j, inertia});
    }
    found_.isRotor[rotor.joint] = 1;
    found_.rotors.push_back(std::move(rotor));
  }

  const SystemSpec& spec_;
  SpecTree tree_;
  std::vector<char> hasChildren_, isCandidate_;
  std::vector<int> ties_;  // on each joint
  std::vector<Mat3d> R_;
  std::vector<char> placed_;
  std::vector<Vec3d> axis_;  // of the joints at q = 0, in the axes of the root
  Gyrostats found_;
};

}  // namespace

Gyrostats findGyrostats(const SystemSpec& spec) { return Finder(spec).run(); }

}  // namespace espalier

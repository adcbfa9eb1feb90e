#include "espalier/model/gyrostats.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace espalier {
namespace {

/// Axes count as parallel, and inertias as symmetric, within this: what rounding leaves.
constexpr double negligible = 1e-12;

bool isNegligible(double x, double size) { return std::abs(x) <= negligible * size; }

class Finder {
 public:
  explicit Finder(const SystemSpec& spec) : spec_(spec) {
    for (int l = 0; l < count(spec.links); ++l) linkOf_[spec.links[l].name] = l;
    jointOfChild_.assign(spec.links.size(), -1);
    hasChildren_.assign(spec.links.size(), 0);
    for (int j = 0; j < count(spec.joints); ++j) {
      jointOfChild_[child(j)] = j;
      hasChildren_[parent(j)] = 1;
    }
    found_.isRotor.assign(spec.joints.size(), 0);
    found_.spin.assign(spec.joints.size(), 0.0);
    found_.inertia.assign(spec.joints.size(), 0.0);
    axis_.resize(spec.joints.size());
    R_.resize(spec.links.size(), identity3<double>());
    placed_.assign(spec.links.size(), 0);
    for (int j = 0; j < count(spec.joints); ++j) axis_[j] = axisAtNeutral(j);
  }

  Gyrostats run() {
    if (spec_.rotorsAsBodies || !spec_.loops.empty() || !spec_.constraints.empty()) return {};
    for (const CouplingSpec& coupling : spec_.couplings)
      if (!take(coupling)) return {};
    for (int j = 0; j < count(spec_.joints); ++j)
      if (spec_.joints[j].mimic && !takeMimic(j)) return {};
    for (const Gyrostat& rotor : found_.rotors)
      if (!reflect(rotor)) return {};
    for (const Gyrostats::Pair& pair : found_.pairs)
      if (movableCarrier(parent(pair.joint)) != pair.carrier) return {};
    std::sort(found_.rotors.begin(), found_.rotors.end(),
              [](const Gyrostat& a, const Gyrostat& b) { return a.joint < b.joint; });
    return std::move(found_);
  }

 private:
  // ---- the tree

  template <class V>
  static int count(const V& v) {
    return static_cast<int>(v.size());
  }
  int parent(int j) const { return linkOf_.at(spec_.joints[j].parent); }
  int child(int j) const { return linkOf_.at(spec_.joints[j].child); }

  /// Of a link, at q = 0, in the axes of the root.
  const Mat3d& orientation(int link) {
    if (!placed_[link]) {
      placed_[link] = 1;
      if (const int j = jointOfChild_[link]; j >= 0)
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
    int j = jointOfChild_[link];
    while (j >= 0 && spec_.joints[j].kind == JointKind::Fixed) j = jointOfChild_[parent(j)];
    return j;
  }
  /// Movable joints from a link up to the root.
  std::vector<int> wayUp(int link) const {
    std::vector<int> way;
    for (int j = movableCarrier(link); j >= 0; j = movableCarrier(parent(j))) way.push_back(j);
    return way;
  }
  /// Whether joint i moves what joint j moves.
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

  // ---- who is a rotor

  bool hasOneDof(int j) const {
    return spec_.joints[j].kind == JointKind::Revolute ||
           spec_.joints[j].kind == JointKind::Prismatic;
  }

  /// A spinning part that nothing else knows of.
  bool isRotor(int j) const {
    const JointSpec& joint = spec_.joints[j];
    const LinkSpec& link = spec_.links[child(j)];
    const JointDynamics& d = joint.dynamics;
    if (joint.kind != JointKind::Revolute || joint.independent.value_or(false)) return false;
    if (hasChildren_[child(j)] || !link.collisions.empty() || !link.inertial) return false;
    if (d.damping != 0 || d.friction != 0 || d.stiffness != 0 || d.rotorInertia != 0) return false;
    return isSymmetric(*link.inertial, joint.axes[0]);
  }
  static bool isSymmetric(const InertialSpec& inertial, const Vec3d& axis) {
    const Mat3d Q = mul(transpose(rotationToZ(axis * (1 / norm(axis)))), inertial.X_LC.R);
    const Sym3<double> I = congruence(transpose(Q), inertial.I);
    const Vec3d& c = inertial.X_LC.p;
    const double size = I.xx + I.yy + I.zz, off = norm(cross(c, axis)) / norm(axis);
    return I.zz > 0 && isNegligible(I.xy, size) && isNegligible(I.xz, size) &&
           isNegligible(I.yz, size) && isNegligible(I.xx - I.yy, size) && off <= negligible;
  }

  /// ratio (sum on the way to the predecessor) + offset = sum on the way to the successor.
  bool take(const CouplingSpec& c) {
    std::vector<int> first = wayUp(linkOf_.at(c.predecessor)),
                     second = wayUp(linkOf_.at(c.successor));
    part(first, second);
    const auto ends = [this](const std::vector<int>& way) {
      return !way.empty() && isRotor(way.front()) ? way.front() : -1;
    };
    const int j = ends(second) >= 0 ? ends(second) : ends(first);
    if (j < 0) return false;
    const bool isSecond = ends(second) >= 0;
    Gyrostat rotor{j, {}, isSecond ? c.offset : -c.offset / c.ratio, 0};
    for (const int other : first)
      if (other != j) rotor.terms.push_back({other, isSecond ? c.ratio : -1});
    for (const int other : second)
      if (other != j) rotor.terms.push_back({other, isSecond ? -1 : 1 / c.ratio});
    return add(std::move(rotor));
  }
  bool takeMimic(int j) {
    const MimicSpec& mimic = *spec_.joints[j].mimic;
    // Others are joints that users count on: fingers, say.
    if (!isRotor(j) || spec_.joints[j].independent.value_or(true)) return false;
    const auto other =
        std::find_if(spec_.joints.begin(), spec_.joints.end(),
                     [&](const JointSpec& joint) { return joint.name == mimic.joint; });
    const int leader = static_cast<int>(other - spec_.joints.begin());
    return add({j, {{leader, mimic.multiplier}}, mimic.offset, 0});
  }

  bool add(Gyrostat rotor) {
    if (found_.isRotor[rotor.joint]) return false;  // tied twice
    const JointSpec& joint = spec_.joints[rotor.joint];
    const InertialSpec& inertial = *spec_.links[child(rotor.joint)].inertial;
    const Vec3d a = tmul(inertial.X_LC.R, joint.axes[0] * (1 / norm(joint.axes[0])));
    rotor.inertia = dot(a, mul(inertial.I, a));
    found_.isRotor[rotor.joint] = 1;
    found_.rotors.push_back(std::move(rotor));
    return true;
  }

  // ---- what it adds

  /// 1 or -1 where the axis of a joint lies along a; 0: across.
  int along(int j, const Vec3d& a) const {
    if (norm(cross(axis_[j], a)) > negligible) return 0;
    return dot(axis_[j], a) > 0 ? 1 : -1;
  }

  bool reflect(const Gyrostat& rotor) {
    const Vec3d& a = axis_[rotor.joint];
    std::map<std::pair<int, int>, double> M0;  // of the rotor, by joints, both halves
    const auto pair = [&M0](int i, int j, double x) {
      M0[{i, j}] += 0.5 * x;
      M0[{j, i}] += 0.5 * x;
    };
    for (const Gyrostat::Term& j : rotor.terms) {
      if (!hasOneDof(j.joint) || found_.isRotor[j.joint]) return false;
      if (!spec_.joints[j.joint].independent.value_or(true)) return false;  // the rotor leads
      const int sign = along(j.joint, a);
      if (sign == 0) return false;
      const double share = rotor.inertia * j.factor;
      found_.spin[j.joint] += sign * share;
      for (const Gyrostat::Term& i : rotor.terms) M0[{j.joint, i.joint}] += share * i.factor;
      // a . w_P = a . w_carrier(j) + rates between
      std::vector<int> toRotor = wayUp(parent(rotor.joint)), toJoint = wayUp(parent(j.joint));
      part(toRotor, toJoint);
      for (const auto* way : {&toRotor, &toJoint})
        for (const int m : *way) {
          if (spec_.joints[m].kind == JointKind::Prismatic) continue;
          if (spec_.joints[m].kind != JointKind::Revolute || along(m, a) == 0) return false;
          pair(j.joint, m, 2 * share * along(m, a) * (way == &toRotor ? 1 : -1));
        }
    }
    for (const Gyrostat::Term& i : rotor.terms)
      for (const Gyrostat::Term& j : rotor.terms)
        if (!carries(i.joint, j.joint) && !carries(j.joint, i.joint)) return false;
    for (const auto& [joints, inertia] : M0) {
      const auto [i, j] = joints;
      if (i == j) found_.inertia[i] += inertia;
      if (i >= j || isNegligible(inertia, rotor.inertia)) continue;
      const bool isUpper = movableCarrier(parent(j)) == i;
      found_.pairs.push_back({isUpper ? j : i, isUpper ? i : j, inertia});
    }
    return true;
  }

  const SystemSpec& spec_;
  std::map<std::string, int> linkOf_;
  std::vector<int> jointOfChild_;
  std::vector<char> hasChildren_;
  std::vector<Mat3d> R_;
  std::vector<char> placed_;
  std::vector<Vec3d> axis_;  // of the joints at q = 0, in the axes of the root
  Gyrostats found_;
};

}  // namespace

Gyrostats findGyrostats(const SystemSpec& spec) { return Finder(spec).run(); }

}  // namespace espalier

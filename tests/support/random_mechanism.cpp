#include "tests/support/random_mechanism.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "tests/support/random_spec.h"

namespace espalier::testing {
namespace {

constexpr std::array loop_kinds{LoopKind::POINT,     LoopKind::FIXED,       LoopKind::REVOLUTE,
                                LoopKind::PRISMATIC, LoopKind::CYLINDRICAL, LoopKind::UNIVERSAL,
                                LoopKind::PLANAR,    LoopKind::SCREW};

V3 direction(Random& random) { return toEigen(random.unit()); }
Pose turned(const V3& axis, double angle) {
  return {Eigen::AngleAxisd(angle, axis).toRotationMatrix(), V3::Zero()};
}
Pose moved(const V3& p) { return {M3::Identity(), p}; }

class Builder {
 public:
  Builder(std::uint64_t seed, const MechanismOptions& options) : options_(options), random_(seed) {}

  /// One attempt; false where what was drawn does not move, or not well.
  bool draw() {
    drawTree();
    drawConfiguration();
    spec_.rotorsAsBodies = true;
    if (options_.rotors) drawRotors();
    if (options_.coupling) drawCoupling();
    if (!moves()) return false;
    if (!tryLoops([this] { return drawLoop(options_.kind, options_.place); })) return false;
    if (options_.second && !tryLoops([this] { return drawSecondLoop(); })) return false;
    return staysRegular();
  }

  RandomMechanism take() { return {std::move(spec_), std::move(q0_)}; }

 private:
  // ---- the tree: base, a stem, two or three branches, each with a welded tool at times

  void drawTree() {
    spec_ = {};
    spec_.name = "mechanism";
    spec_.fixedBase = !options_.floating;
    spec_.X_WB = {random_.rotation(), random_.vector(0.5)};
    if (options_.planar) normal_ = direction(random_);
    branches_.clear();
    addLink("base");
    ground_ = options_.floating ? "world" : "base";
    R_WL_["base"] = options_.floating ? M3::Identity() : toEigen(spec_.X_WB.R);
    std::string stem = "base";
    const int stemLinks = options_.rotors ? 2 : random_.integer(2);
    for (int k = 0; k < stemLinks; ++k)
      stem = addBody("stem" + std::to_string(k), stem,
                     options_.rotors ? JointKind::Revolute : drawKind());
    stem_ = stem;
    const int branches = options_.overlapping ? 3 : 2;
    for (int b = 0; b < branches; ++b) {
      std::string at = stem;
      std::vector<std::string>& branch = branches_.emplace_back();
      const int links = (options_.planar ? 3 : 2) + random_.integer(2);
      for (int k = 0; k < links; ++k) {
        const bool geared = options_.coupling && k == 0;
        at = addBody("arm" + std::to_string(b) + std::to_string(k), at,
                     geared ? JointKind::Revolute : drawKind());
        branch.push_back(at);
      }
      if (random_.integer(3) == 0) branch.back() = addTool(at);
    }
  }

  JointKind drawKind() {
    if (options_.planar)
      return random_.integer(5) == 0 ? JointKind::Prismatic : JointKind::Revolute;
    constexpr std::array kinds{JointKind::Revolute,   JointKind::Revolute,  JointKind::Revolute,
                               JointKind::Revolute,   JointKind::Prismatic, JointKind::Helical,
                               JointKind::Universal,  JointKind::Universal, JointKind::Spherical,
                               JointKind::Spherical,  JointKind::Euler,     JointKind::Planar,
                               JointKind::Translation};
    return kinds[random_.integer(static_cast<int>(kinds.size()))];
  }

  LinkSpec& addLink(const std::string& name) {
    LinkSpec& link = spec_.links.emplace_back();
    link.name = name;
    link.inertial = randomInertial(random_);
    return link;
  }

  /// In a plane the normal is the same for all links, at q = 0 and so at every q.
  std::string addBody(const std::string& name, const std::string& parent, JointKind kind) {
    addLink(name);
    JointSpec& joint = spec_.joints.emplace_back();
    joint.name = name + "_joint";
    joint.kind = kind;
    joint.parent = parent;
    joint.child = name;
    joint.X_PJ = {random_.rotation(), random_.vector(0.4)};
    const M3 R_WJ = R_WL_.at(parent) * toEigen(joint.X_PJ.R);
    R_WL_[name] = R_WJ;
    for (Vec3d& axis : joint.axes) axis = random_.unit() * drawLength();
    if (options_.planar) {
      const V3 across = normal_.cross(direction(random_)).normalized();
      const V3 axis = kind == JointKind::Prismatic ? across : normal_;
      joint.axes[0] = fromEigen(V3(R_WJ.transpose() * axis * drawLength()));
    }
    joint.pitch = random_.uniform(-0.2, 0.2);
    if (random_.integer(4) == 0) joint.dynamics.rotorInertia = random_.uniform(0, 0.1);
    return name;
  }

  /// Axes need not be unit.
  double drawLength() { return random_.uniform(0.5, 2) * (random_.integer(2) ? 1 : -1); }

  std::string addTool(const std::string& parent) {
    const std::string name = parent + "_tool";
    addLink(name);
    JointSpec& weld = spec_.joints.emplace_back();
    weld.name = name + "_weld";
    weld.kind = JointKind::Fixed;
    weld.parent = parent;
    weld.child = name;
    weld.X_PJ = {random_.rotation(), random_.vector(0.2)};
    return name;
  }

  void drawConfiguration() {
    const MechanismTree tree(spec_);
    Eigen::VectorXd step(tree.nv);
    for (double& x : step) x = random_.uniform(-1, 1);
    for (const MechanismTree::Joint& j : tree.joints)
      if (j.kind == JointKind::Prismatic || j.kind == JointKind::Translation)
        step.segment(j.u, j.nv) *= 0.3;
    q0_ = tree.advance(tree.neutral(), step);
  }

  // ---- gears, their offsets such that q0 is where they mesh

  /// One rotor geared to the first joint of the stem, one belted to both.
  void drawRotors() {
    for (int k = 0; k < 2; ++k) {
      const std::string name = "rotor" + std::to_string(k), driven = "stem" + std::to_string(k);
      addBody(name, "base", JointKind::Revolute);
      JointSpec& joint = spec_.joints.back();
      joint.dynamics.rotorInertia = 0;
      if (!options_.planar) joint.axes[0] = random_.unit();
      // Round about its own axis, and its centre of mass on it.
      const Vec3d axis = joint.axes[0] * (1 / norm(joint.axes[0]));
      InertialSpec round;
      const double across = random_.uniform(1e-3, 4e-3), along = across * random_.uniform(0.5, 1.9);
      round.mass = random_.uniform(0.1, 0.5);
      round.X_LC = {rotationToZ(axis), axis * random_.uniform(-0.1, 0.1)};
      round.I = {across, 0, 0, across, 0, along};
      spec_.links.back().inertial = round;
      couple(driven, name, random_.uniform(2, 9) * (random_.integer(2) ? 1 : -1));
    }
  }

  void couple(const std::string& predecessor, const std::string& successor, double ratio) {
    CouplingSpec gear;
    gear.name = successor + "_gear";
    gear.predecessor = predecessor;
    gear.successor = successor;
    gear.ratio = ratio;
    q0_.conservativeResize(MechanismTree(spec_).nq);
    if (predecessor.rfind("stem", 0) == 0) q0_.tail<1>()[0] = random_.uniform(-1, 1);
    spec_.couplings.push_back(gear);
    spec_.couplings.back().offset = -closureResidual(MechanismTree(spec_), q0_).tail<1>()[0];
  }

  /// The first joints of two branches.
  void drawCoupling() {
    const double ratio = random_.uniform(0.5, 2) * (random_.integer(2) ? 1 : -1);
    const std::string first = branches_[0][0], second = branches_[1][0];
    if (random_.integer(2)) return couple(first, second, ratio);
    for (JointSpec& j : spec_.joints)
      if (j.child == second) {
        j.mimic = MimicSpec{first + "_joint", ratio, 0};
        j.mimic->offset = -closureResidual(MechanismTree(spec_), q0_).tail<1>()[0];
      }
  }

  // ---- loops

  template <class Draw>
  bool tryLoops(const Draw& draw) {
    const int before = dofs();
    const std::size_t loops = spec_.loops.size();
    for (int attempt = 0; attempt < 12; ++attempt) {
      if (draw() && dofs() < before && moves()) return true;
      spec_.loops.resize(loops);
    }
    return false;
  }

  const std::string& pick(const std::vector<std::string>& links, int first = 0) {
    const int count = static_cast<int>(links.size()) - first;
    return links[first + random_.integer(count)];
  }

  bool drawLoop(LoopKind kind, LoopPlace place) {
    const std::string& tip = branches_[0].back();
    switch (place) {
      case LoopPlace::BRANCHES: return tie(kind, pick(branches_[1], 1), pick(branches_[0], 1));
      case LoopPlace::ANCESTOR: return tie(kind, random_.integer(2) ? stem_ : branches_[0][0], tip);
      case LoopPlace::GROUND: return tie(kind, ground_, tip);
    }
    return false;
  }

  bool drawSecondLoop() {
    const LoopKind kind = loop_kinds[random_.integer(static_cast<int>(loop_kinds.size()))];
    const int links = static_cast<int>(spec_.links.size());
    const std::string first = spec_.links[random_.integer(links)].name;
    const std::string second =
        random_.integer(6) ? spec_.links[random_.integer(links)].name : ground_;
    if (first.rfind("rotor", 0) == 0 || second.rfind("rotor", 0) == 0 || !tie(kind, first, second))
      return false;
    const MechanismTree tree(spec_);
    const std::vector<int> one = jointsOfLoop(tree, tree.ties[0]);
    const std::vector<int> two = jointsOfLoop(tree, tree.ties[1]);
    const bool shared =
        std::find_first_of(one.begin(), one.end(), two.begin(), two.end()) != one.end();
    return shared || !options_.overlapping;
  }

  /// A loop of this kind that q0 closes. In a plane its axis is the normal, except where it is one
  /// of sliding.
  bool tie(LoopKind kind, const std::string& predecessor, const std::string& successor) {
    const MechanismTree tree(spec_);
    if (tree.link(predecessor).body == tree.link(successor).body) return false;
    const std::vector<BodyMotion> at = tree.place(q0_);
    const Pose X_WP = tree.pose(at, tree.link(predecessor));
    const Pose X_WS = tree.pose(at, tree.link(successor));
    LoopSpec& loop = spec_.loops.emplace_back();
    loop.name = "loop" + std::to_string(spec_.loops.size());
    loop.kind = kind;
    loop.predecessor = predecessor;
    loop.successor = successor;
    loop.X_PA = {random_.rotation(), random_.vector(0.3)};
    const Pose X_WA = X_WP * toEigen(loop.X_PA);
    V3 a = direction(random_);
    if (options_.planar) {
      const V3 inA = X_WA.R.transpose() * planeNormal(at, tree);
      const bool slides = kind == LoopKind::PRISMATIC || kind == LoopKind::PLANAR;
      a = slides ? V3(inA.cross(direction(random_)).normalized()) : inA;
    }
    const double angle = random_.uniform(-1.2, 1.2), slide = random_.uniform(-0.2, 0.2);
    loop.pitch = random_.uniform(0.05, 0.3);
    Pose X_AB;
    switch (kind) {
      case LoopKind::POINT: X_AB = {toEigen(random_.rotation()), V3::Zero()}; break;
      case LoopKind::FIXED: break;
      case LoopKind::REVOLUTE: X_AB = turned(a, angle); break;
      case LoopKind::PRISMATIC: X_AB = moved(a * slide); break;
      case LoopKind::CYLINDRICAL: X_AB = moved(a * slide) * turned(a, angle); break;
      case LoopKind::SCREW: X_AB = moved(a * loop.pitch * angle) * turned(a, angle); break;
      case LoopKind::PLANAR:
        X_AB = moved(a.cross(direction(random_)) * slide) * turned(a, angle);
        break;
      case LoopKind::UNIVERSAL: {
        const V3 b = a.cross(direction(random_)).normalized();
        X_AB = turned(a, angle) * turned(b, random_.uniform(-1, 1));
        loop.axis2 = fromEigen(V3(b * drawLength()));
        break;
      }
    }
    loop.axis = fromEigen(V3(a * drawLength()));
    loop.X_SB = fromEigen(X_WS.inverse() * X_WA * X_AB);
    return true;
  }

  /// Where the base floats, the plane turns with it.
  V3 planeNormal(const std::vector<BodyMotion>& at, const MechanismTree& tree) const {
    return options_.floating ? V3(tree.pose(at, tree.link("base")).R * normal_) : normal_;
  }

  // ---- what makes a mechanism worth testing

  int dofs() const {
    const MechanismTree tree(spec_);
    return Maximal(tree, q0_, Eigen::VectorXd::Zero(tree.nv)).dofs();
  }

  /// Something beside the base moves, and so do the joints of every loop; all of it in a well
  /// conditioned way.
  bool moves() const {
    const MechanismTree tree(spec_);
    const Maximal m(tree, q0_, Eigen::VectorXd::Zero(tree.nv));
    const auto isLocked = [&](const MechanismTree::Tie& tie) {
      double most = 0;
      for (int i : jointsOfLoop(tree, tie))
        most = std::max(
            most,
            m.freedoms().middleRows(tree.joints[i].u, tree.joints[i].nv).cwiseAbs().maxCoeff());
      return most < 1e-6;
    };
    return m.dofs() > (options_.floating && options_.place != LoopPlace::GROUND ? 6 : 0) &&
           m.conditioning() > 3e-3 && m.dropped() < 1e-12 &&
           std::none_of(tree.ties.begin(), tree.ties.end(), isLocked);
  }

  /// Other closed configurations nearby have the same rank: q0 is not a singular one.
  bool staysRegular() const {
    const MechanismTree tree(spec_);
    return randomStates(tree, q0_, 7, 4).size() == 4;
  }

  MechanismOptions options_;
  Random random_;
  SystemSpec spec_;
  Eigen::VectorXd q0_;
  V3 normal_ = V3::Zero();
  std::map<std::string, M3> R_WL_;  ///< of links at q = 0; in a floating base, of its own frame
  std::string stem_, ground_;
  std::vector<std::vector<std::string>> branches_;
};

}  // namespace

MechanismOptions mechanismOptions(std::uint64_t seed) {
  MechanismOptions o;
  o.kind = loop_kinds[seed % loop_kinds.size()];
  o.planar = seed / 8 % 2 == 0;
  o.floating = seed / 16 % 2 == 1;
  o.place = static_cast<LoopPlace>(seed % 3);
  o.second = seed % 5 >= 2;
  o.overlapping = seed % 5 >= 3;
  o.rotors = seed % 7 >= 4;
  o.coupling = seed % 7 == 3 || seed % 7 == 6;
  return o;
}

RandomMechanism randomMechanism(std::uint64_t seed, const MechanismOptions& options) {
  for (std::uint64_t attempt = 0; attempt < 200; ++attempt) {
    Builder builder(seed * 1000 + attempt, options);
    if (builder.draw()) return builder.take();
  }
  throw std::runtime_error("no mechanism for seed " + std::to_string(seed));
}

std::vector<int> jointsOfLoop(const MechanismTree& tree, const MechanismTree::Tie& tie) {
  const std::vector<int> a = tree.way(tie.a.body), b = tree.way(tie.b.body);
  std::vector<int> joints;
  const auto passed = [&joints](const std::vector<int>& from, const std::vector<int>& other) {
    for (int i : from)
      if (std::find(other.begin(), other.end(), i) == other.end()) joints.push_back(i);
  };
  passed(a, b);
  passed(b, a);
  return joints;
}

bool isPlanar(const MechanismTree& tree, const MechanismTree::Tie& tie, const Eigen::VectorXd& q) {
  const std::vector<BodyMotion> at = tree.place(q);
  std::vector<V3> turns, slides;
  for (int i : jointsOfLoop(tree, tie)) {
    const MechanismTree::Joint& j = tree.joints[i];
    const V3 axis = at[i].X.R * j.axes[0];
    if (j.kind == JointKind::Revolute)
      turns.push_back(axis);
    else if (j.kind == JointKind::Prismatic)
      slides.push_back(axis);
    else
      return false;
  }
  if (turns.empty()) return false;
  return std::all_of(turns.begin(), turns.end(),
                     [&](const V3& t) { return t.cross(turns[0]).norm() < 1e-12; }) &&
         std::all_of(slides.begin(), slides.end(),
                     [&](const V3& s) { return std::abs(s.dot(turns[0])) < 1e-12; });
}

int nominalRows(LoopKind kind) {
  switch (kind) {
    case LoopKind::POINT:
    case LoopKind::PLANAR: return 3;
    case LoopKind::CYLINDRICAL:
    case LoopKind::UNIVERSAL: return 4;
    case LoopKind::REVOLUTE:
    case LoopKind::PRISMATIC:
    case LoopKind::SCREW: return 5;
    case LoopKind::FIXED: return 6;
  }
  return 0;
}

}  // namespace espalier::testing

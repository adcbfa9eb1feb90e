#include "espalier/model/loops/weld_joints.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "espalier/model/compile/placement.h"
#include "espalier/model/loops/clusters.h"
#include "espalier/model/loops/loop_ties.h"
#include "espalier/model/spec/named.h"

namespace espalier {
namespace {

class Welder {
 public:
  Welder(const SystemSpec& spec, const Model& model, const RigidBodies& rigid)
      : model_(model),
        rigid_(rigid),
        at_(model.topology, model.lowered, rigid.q.data()),
        spec_(spec) {}

  SystemSpec run() {
    for (const int b : rigid_.bodies) {
      if (b == 0)
        weldBase();
      else
        weld(spec_.joints[model_.bodies[b].specJoint], pose(b));
    }
    for (const RotorInfo& rotor : model_.rotors) weld(rotor);
    std::erase_if(spec_.loops, [&](const LoopSpec& l) {
      return !l.isBilateral && ties(l.predecessor, l.successor);
    });
    std::erase_if(spec_.couplings, [&](const CouplingSpec& c) {
      return isWelded(c.predecessor) || isWelded(c.successor) || ties(c.predecessor, c.successor);
    });
    std::erase_if(spec_.constraints, [&](const ConstraintSpec& c) {
      return std::any_of(c.joints.begin(), c.joints.end(),
                         [&](const std::string& name) { return isRigid(model_.joint(name)); });
    });
    std::erase_if(spec_.jointOrder,
                  [&](const std::string& name) { return names_.count(name) > 0; });
    return std::move(spec_);
  }

 private:
  bool isRigid(int body) const {
    return std::find(rigid_.bodies.begin(), rigid_.bodies.end(), body) != rigid_.bodies.end();
  }
  /// A link whose own joint has been fixed here.
  bool isWelded(const std::string& link) const { return links_.count(link) > 0; }

  /// Whether a way between two links leads over a rigid body.
  bool ties(const std::string& first, const std::string& second) const {
    const LoopPath path =
        pathBetween(model_.topology, placeOf(model_, first).first, placeOf(model_, second).first);
    const auto meets = [&](const std::vector<int>& way) {
      return std::any_of(way.begin(), way.end(), [&](int b) { return isRigid(b); });
    };
    return meets(path.first) || meets(path.second);
  }

  /// X_WL of the link that the body's joint carries.
  Transformd pose(int body) const {
    return {mul(at_.R[body], transpose(model_.bodies[body].R_LC)), at_.x[body]};
  }

  void weld(JointSpec& joint, const Transformd& X_WL) {
    const auto [body, X_LP] = placeOf(model_, joint.parent);
    joint.X_PJ = inverse(pose(body) * X_LP) * X_WL;
    joint.kind = JointKind::Fixed;
    joint.limits = {};
    joint.dynamics = {};
    joint.mimic.reset();
    joint.independent.reset();
    names_.insert(joint.name);
    links_.insert(joint.child);
  }

  /// Fixes a floating base. Loops and tendons that are left find the world's own frame as a link of it.
  void weldBase() {
    spec_.fixedBase = true;
    spec_.X_WB = pose(0);
    JointSpec& joint = spec_.joints.emplace_back();
    joint.name = joint.child = spec_.links.emplace_back().name = "world";
    joint.parent = model_.bodies[0].name;
    joint.kind = JointKind::Fixed;
    joint.X_PJ = inverse(spec_.X_WB);
  }

  /// One of a rotor whose angle no other joint tells.
  void weld(const RotorInfo& rotor) {
    for (const RotorInfo::Term& term : rotor.terms)
      if (!isRigid(model_.topology.dofBody[term.u])) return;
    JointSpec& joint = spec_.joints[indexOf(spec_.joints, rotor.joint)];
    const double angle = rotor.angle(rigid_.q.data());
    const Mat3d turn = axisRotation(rotor.axis, std::sin(angle), std::cos(angle));
    weld(joint, pose(rotor.body) * rotor.X_LJ * Transformd{turn, {0, 0, 0}});
  }

  const Model& model_;
  const RigidBodies& rigid_;
  Placement at_;
  SystemSpec spec_;
  std::set<std::string> names_, links_;
};

}  // namespace

SystemSpec withWelds(const SystemSpec& spec, const Model& model, const RigidBodies& rigid) {
  return Welder(spec, model, rigid).run();
}

}  // namespace espalier

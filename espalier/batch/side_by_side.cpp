#include "espalier/batch/side_by_side.h"

#include <set>

#include "espalier/model/spec/checks.h"

namespace espalier {
namespace {

constexpr const char* ground = "world";

/// Of a system that is added, by the names it has there.
class Names {
 public:
  /// in  root    its base
  ///     floats  what it ties to the world is tied to the ground, else to its base
  Names(std::string prefix, const std::string& root, bool floats)
      : prefix_(std::move(prefix)), world_(floats ? ground : prefix_ + root) {}

  void own(std::string& name) const { name = prefix_ + name; }
  /// Of a link, or of the world.
  void end(std::string& link) const {
    if (link == ground)
      link = world_;
    else
      own(link);
  }

 private:
  std::string prefix_, world_;
};

void rename(const Names& names, LinkSpec& link) {
  names.own(link.name);
  link.visuals.clear();
}

void rename(const Names& names, JointSpec& joint) {
  names.own(joint.name);
  names.own(joint.parent);
  names.own(joint.child);
  if (joint.mimic) names.own(joint.mimic->joint);
}

template <class Tie>
void renameEnds(const Names& names, Tie& tie) {
  names.own(tie.name);
  names.end(tie.predecessor);
  names.end(tie.successor);
}
void rename(const Names& names, LoopSpec& loop) { renameEnds(names, loop); }
void rename(const Names& names, CouplingSpec& coupling) { renameEnds(names, coupling); }

void rename(const Names& names, ConstraintSpec& constraint) {
  names.own(constraint.name);
  for (std::string& joint : constraint.joints) names.own(joint);
}

void rename(const Names& names, TendonSpec& tendon) {
  names.own(tendon.name);
  for (TendonSpec::Term& term : tendon.terms) names.own(term.joint);
  for (TendonSpec::Way& way : tendon.ways) {
    for (TendonSpec::Point& point : way.points) names.end(point.link);
    for (TendonSpec::Wrap& wrap : way.wraps) {
      names.end(wrap.link);
      if (wrap.side) names.end(wrap.side->link);
    }
  }
}

template <class Part>
void append(const Names& names, std::vector<Part>& onto, std::vector<Part>& parts) {
  for (Part& part : parts) {
    rename(names, part);
    onto.push_back(std::move(part));
  }
}

std::string rootOf(const SystemSpec& system) {
  return system.links[static_cast<std::size_t>(treeOf(system).order.front())].name;
}

/// All joints in the order that their system has them.
std::vector<std::string> orderOf(const SystemSpec& system) {
  std::vector<std::string> order = system.jointOrder;
  const std::set<std::string> first(order.begin(), order.end());
  for (const JointSpec& joint : system.joints)
    if (!first.contains(joint.name)) order.push_back(joint.name);
  return order;
}

void hang(SystemSpec& onto, const std::string& link, JointKind kind, const Transformd& X_PJ) {
  JointSpec base;
  base.name = link;
  base.kind = kind;
  base.parent = ground;
  base.child = link;
  base.X_PJ = X_PJ;
  onto.jointOrder.push_back(base.name);
  onto.joints.push_back(std::move(base));
}

}  // namespace

SystemSpec standingAlone() {
  SystemSpec system;
  system.name = ground;
  system.file = "<batch>";
  system.links.emplace_back().name = ground;
  return system;
}

void addSystem(SystemSpec& onto, SystemSpec system, const std::string& prefix, bool floats) {
  std::string root = rootOf(system);
  const Names names(prefix, root, floats);
  names.own(root);
  hang(onto, root, floats ? JointKind::Floating : JointKind::Fixed,
       floats ? identityTransform<double>() : system.X_WB);
  for (std::string name : orderOf(system)) {
    names.own(name);
    onto.jointOrder.push_back(std::move(name));
  }
  append(names, onto.links, system.links);
  append(names, onto.joints, system.joints);
  append(names, onto.loops, system.loops);
  append(names, onto.couplings, system.couplings);
  append(names, onto.constraints, system.constraints);
  append(names, onto.tendons, system.tendons);
  onto.unbounded |= system.unbounded;
  onto.rotorsAsBodies |= system.rotorsAsBodies;
}

void addBody(SystemSpec& onto, const BodySpec& body, const std::string& name) {
  LinkSpec link;
  link.name = name;
  link.inertial = body.inertial;
  link.collisions = body.collisions;
  onto.links.push_back(std::move(link));
  hang(onto, name, JointKind::Floating, identityTransform<double>());
}

}  // namespace espalier

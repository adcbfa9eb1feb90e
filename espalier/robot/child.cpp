#include "espalier/robot/child.h"

#include "espalier/core/check.h"

namespace espalier {
namespace {

LinkSpec linkOf(const Child& node) {
  LinkSpec link;
  link.name = node.name;
  const InertialSpec& in = node.body.inertial;
  const bool isMassless = in.mass == 0 && in.I.xx == 0 && in.I.yy == 0 && in.I.zz == 0;
  if (!isMassless) link.inertial = in;
  link.collisions = node.body.colObj;
  link.visuals = node.body.visObj;
  return link;
}

JointSpec jointOf(const Child& node, const std::string& parent) {
  const Child::Joint& j = node.joint;
  JointSpec joint;
  joint.name = j.name.empty() ? parent + "-" + node.name : j.name;
  joint.kind = static_cast<JointKind>(j.type);
  joint.parent = parent;
  joint.child = node.name;
  joint.X_PJ = {j.rot, j.pos_P};
  if (info(joint.kind).axes > 0) joint.axes[0] = j.axis;
  if (j.limit[0] != j.limit[1]) {
    joint.limits.lower = j.limit[0];
    joint.limits.upper = j.limit[1];
  }
  joint.limits.effort = j.effort;
  if (j.velocity_limit != 0) joint.limits.velocity = j.velocity_limit;
  joint.dynamics = {j.damping, j.friction, j.stiffness, j.springMount, j.rotor_inertia};
  return joint;
}

void append(const Child& node, SystemSpec& spec) {
  spec.links.push_back(linkOf(node));
  for (const auto* below : {&node.fixedBodies, &node.child})
    for (const Child& one : *below) {
      ESPALIER_REQUIRE(one.joint.type != Child::Joint::FLOATING,
                       "only the root may have a floating joint, not '" + one.name + "'");
      ESPALIER_REQUIRE((one.joint.type == Child::Joint::FIXED) == (below == &node.fixedBodies),
                       "'" + one.name + "' does not belong in this list: use addChild()");
      spec.joints.push_back(jointOf(one, node.name));
      append(one, spec);
    }
}

}  // namespace

CollisionSpec& Child::Body::addCollision(const Shape& shape, const Vec<3>& position,
                                         const std::string& material) {
  CollisionSpec& c = colObj.emplace_back();
  c.shape = shape;
  c.X_LG.p = position;
  c.material = material;
  return c;
}
VisualSpec& Child::Body::addVisual(const Shape& shape, const Vec<3>& position) {
  VisualSpec& v = visObj.emplace_back();
  v.shape = shape;
  v.X_LG.p = position;
  return v;
}

void Child::addChild(const Child& below) {
  ESPALIER_REQUIRE(below.joint.type != Joint::FLOATING,
                   "only the root may have a floating joint, not '" + below.name + "'");
  (below.joint.type == Joint::FIXED ? fixedBodies : child).push_back(below);
}

SystemSpec toSpec(const Child& root, const std::vector<std::string>& jointOrder,
                  const std::vector<std::pair<std::string, std::string>>& ignoredPairs) {
  ESPALIER_REQUIRE(
      root.joint.type == Child::Joint::FIXED || root.joint.type == Child::Joint::FLOATING,
      "the root '" + root.name + "' is FIXED to the world or FLOATING");
  SystemSpec spec;
  spec.name = root.name;
  spec.file = "<code>";
  spec.jointOrder = jointOrder;
  for (const auto& [first, second] : ignoredPairs) spec.ignoredPairs.emplace_back(first, second);
  spec.fixedBase = root.joint.type == Child::Joint::FIXED;
  spec.X_WB = {root.joint.rot, root.joint.pos_P};
  append(root, spec);
  return spec;
}

Child::operator SystemSpec() const { return toSpec(*this); }

}  // namespace espalier

#include <tinyxml2.h>

#include "espalier/io/urdf_parts.h"

namespace espalier::io {
namespace {

struct TypeName {
  const char* name;
  JointKind kind;
};

constexpr TypeName type_names[] = {
    {"fixed", JointKind::Fixed},         {"revolute", JointKind::Revolute},
    {"continuous", JointKind::Revolute}, {"prismatic", JointKind::Prismatic},
    {"helical", JointKind::Helical},     {"screw", JointKind::Helical},
    {"universal", JointKind::Universal}, {"euler", JointKind::Euler},
    {"planar", JointKind::Planar},       {"translation", JointKind::Translation},
    {"spherical", JointKind::Spherical}, {"floating", JointKind::Floating},
};

JointKind readKind(XmlReader& xml, const XMLElement& e, const std::string& type) {
  std::string all;
  for (const TypeName& t : type_names) {
    if (type == t.name) return t.kind;
    all += (all.empty() ? "" : ", ") + std::string(t.name);
  }
  xml.error(
      e.GetLineNum(),
      type.empty() ? "the joint has no type" : "the joint type " + shown(type) + " is not known",
      "use one of " + all);
  return JointKind::Fixed;
}

std::string linkOf(XmlReader& xml, const XMLElement& joint, const char* end) {
  const XMLElement* e = xml.single(joint, end);
  if (e == nullptr) return {};
  xml.expectAttributes(*e, {"link"});
  return xml.text(*e, "link");
}

}  // namespace

JointSpec readJoint(XmlReader& xml, const XMLElement& e) {
  JointSpec joint;
  joint.name = xml.text(e, "name");
  joint.line = xml.lineOf(e);
  xml.setSubject("joint " + shown(joint.name));
  xml.expectAttributes(e, {"name", "type", "pitch", "independent"}, {"dont_collapse"});
  xml.expectChildren(
      e,
      {"origin", "parent", "child", "axis", "axis2", "axis3", "limit", "dynamics", "mimic",
       "actuator"},
      {"safety_controller", "calibration", "joint_properties", "gazebo", "hardwareInterface"});
  const std::string type = xml.text(e, "type");
  joint.kind = readKind(xml, e, type);
  joint.parent = linkOf(xml, e, "parent");
  joint.child = linkOf(xml, e, "child");
  joint.X_PJ = readOrigin(xml, e);
  readAxes(xml, e, joint);
  readLimits(xml, e, type, joint);
  readDynamics(xml, e, joint);
  joint.actuator = readActuator(xml, e);
  readMimic(xml, e, joint);
  joint.independent = xml.flag(e, "independent");
  return joint;
}

}  // namespace espalier::io

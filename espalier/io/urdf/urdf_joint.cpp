#include <tinyxml2.h>

#include "espalier/io/urdf/urdf_parts.h"

namespace espalier::io {
namespace {

/// Other names of a kind than its own.
constexpr std::pair<const char*, JointKind> aliases[] = {{"continuous", JointKind::Revolute},
                                                         {"screw", JointKind::Helical}};

JointKind readKind(XmlReader& xml, const XMLElement& e, const std::string& type) {
  std::string all;
  for (const JointKindInfo& kind : joint_kinds) {
    if (type == kind.name) return kind.kind;
    all += std::string(kind.name) + ", ";
  }
  for (const auto& [name, kind] : aliases)
    if (type == name) return kind;
  xml.error(
      e.GetLineNum(),
      type.empty() ? "the joint has no type" : "the joint type " + shown(type) + " is not known",
      "use one of " + all + "continuous, screw");
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

#include <tinyxml2.h>

#include "espalier/io/urdf/urdf_parts.h"

namespace espalier::io {
namespace {

TendonSpec::Point readPoint(XmlReader& xml, const XMLElement& e) {
  xml.expectAttributes(e, {"link", "xyz"});
  return {xml.text(e, "link"), xml.vector(e, "xyz", {0, 0, 0})};
}

/// <sphere> or <cylinder>, between two points.
TendonSpec::Wrap readWrap(XmlReader& xml, const XMLElement& e) {
  TendonSpec::Wrap wrap;
  xml.expectAttributes(e, {"link", "radius"});
  xml.expectChildren(e, {"origin", "side"});
  wrap.link = xml.text(e, "link");
  wrap.surface = {xml.requiredNumber(e, "radius", 1), std::string_view(e.Name()) == "cylinder"};
  wrap.X_LS = readOrigin(xml, e);
  if (const XMLElement* side = xml.single(e, "side")) wrap.side = readPoint(xml, *side);
  return wrap;
}

TendonSpec::Way readWay(XmlReader& xml, const XMLElement& e) {
  TendonSpec::Way way;
  xml.expectAttributes(e, {"divisor"});
  xml.expectChildren(e, {"point", "sphere", "cylinder"});
  way.divisor = xml.number(e, "divisor", 1);
  for (const XMLElement* p : childrenOf(e)) {
    const std::string_view kind = p->Name();
    if (kind == "point") {
      way.points.push_back(readPoint(xml, *p));
    } else if (kind == "sphere" || kind == "cylinder") {
      way.wraps.push_back(readWrap(xml, *p));
      way.wraps.back().after = static_cast<int>(way.points.size()) - 1;
    }
  }
  return way;
}

}  // namespace

std::optional<ActuatorSpec> readActuator(XmlReader& xml, const XMLElement& owner) {
  const XMLElement* e = xml.single(owner, "actuator");
  if (e == nullptr) return std::nullopt;
  xml.expectAttributes(*e, {"kp", "kd", "target", "target_rate", "feedforward", "lower", "upper"});
  ActuatorSpec a;
  a.kp = xml.number(*e, "kp", 0);
  a.kd = xml.number(*e, "kd", 0);
  a.target = xml.number(*e, "target", 0);
  a.targetRate = xml.number(*e, "target_rate", 0);
  a.feedforward = xml.number(*e, "feedforward", 0);
  a.lower = xml.number(*e, "lower", -unlimited, Infinity::Allowed);
  a.upper = xml.number(*e, "upper", unlimited, Infinity::Allowed);
  return a;
}

TendonSpec readTendon(XmlReader& xml, const XMLElement& e) {
  TendonSpec tendon;
  tendon.name = xml.text(e, "name");
  tendon.line = xml.lineOf(e);
  xml.setSubject("tendon " + shown(tendon.name));
  xml.expectAttributes(e, {"name", "lower", "upper", "stiffness", "rest_lower", "rest_upper",
                           "damping", "friction"});
  xml.expectChildren(e, {"joint", "way", "actuator"});
  tendon.lower = xml.number(e, "lower", -unlimited, Infinity::Allowed);
  tendon.upper = xml.number(e, "upper", unlimited, Infinity::Allowed);
  tendon.stiffness = xml.number(e, "stiffness", 0);
  tendon.restLower = xml.number(e, "rest_lower", 0);
  tendon.restUpper = xml.number(e, "rest_upper", tendon.restLower);
  tendon.damping = xml.number(e, "damping", 0);
  tendon.friction = xml.number(e, "friction", 0);
  for (const XMLElement* j : childrenOf(e, "joint")) {
    xml.expectAttributes(*j, {"name", "coefficient"});
    tendon.terms.push_back({xml.text(*j, "name"), xml.number(*j, "coefficient", 1)});
  }
  for (const XMLElement* w : childrenOf(e, "way")) tendon.ways.push_back(readWay(xml, *w));
  tendon.actuator = readActuator(xml, e);
  return tendon;
}

}  // namespace espalier::io

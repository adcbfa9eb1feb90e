#include <tinyxml2.h>

#include "espalier/io/urdf/urdf_parts.h"

namespace espalier::io {
namespace {

double readReduction(XmlReader& xml, const XMLElement* e) {
  if (e == nullptr) return 1;
  const std::optional<double> value = parseNumber(textOf(e));
  if (value) return *value;
  xml.warn(e->GetLineNum(),
           "<mechanicalReduction> is " + shown(textOf(e)) + ", not a finite number: taken as 1",
           "write the gear ratio, such as 6");
  return 1;
}

}  // namespace

void readTransmission(XmlReader& xml, const XMLElement& e, std::vector<TransmissionSpec>& out) {
  const std::string name = xml.text(e, "name");
  xml.setSubject("transmission " + shown(name));
  xml.once(Severity::Warning, "transmission", e.GetLineNum(),
           "<transmission> is kept but does not act yet: motors sit right on their joints",
           "for the motor's inertia use <dynamics rotor_inertia>; said once for all of them");
  std::string type = xml.text(e, "type");
  if (type.empty()) type = textOf(e.FirstChildElement("type"));
  // The n-th joint goes with the n-th actuator.
  const XMLElement* actuator = e.FirstChildElement("actuator");
  for (const XMLElement* joint : childrenOf(e, "joint")) {
    TransmissionSpec t;
    t.name = name;
    t.type = type;
    t.joint = xml.text(*joint, "name");
    t.line = xml.lineOf(e);
    const XMLElement* reduction = joint->FirstChildElement("mechanicalReduction");
    if (actuator != nullptr) {
      t.actuator = xml.text(*actuator, "name");
      if (reduction == nullptr) reduction = actuator->FirstChildElement("mechanicalReduction");
      actuator = actuator->NextSiblingElement("actuator");
    }
    if (reduction == nullptr) reduction = e.FirstChildElement("mechanicalReduction");
    t.reduction = readReduction(xml, reduction);
    out.push_back(std::move(t));
  }
}

}  // namespace espalier::io

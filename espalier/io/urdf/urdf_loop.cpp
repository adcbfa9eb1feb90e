// URDF+: <loop>, which closes the tree, and <coupling>, which gears two of its links.

#include <tinyxml2.h>

#include <cmath>

#include "espalier/io/urdf/urdf_parts.h"

namespace espalier::io {
namespace {

constexpr std::pair<const char*, LoopKind> loop_types[] = {
    {"point", LoopKind::POINT},         {"spherical", LoopKind::POINT},
    {"fixed", LoopKind::FIXED},         {"revolute", LoopKind::REVOLUTE},
    {"continuous", LoopKind::REVOLUTE}, {"prismatic", LoopKind::PRISMATIC},
    {"planar", LoopKind::PLANAR},       {"cylindrical", LoopKind::CYLINDRICAL},
    {"universal", LoopKind::UNIVERSAL}, {"screw", LoopKind::SCREW},
};

LoopKind readKind(XmlReader& xml, const XMLElement& e) {
  const std::string type = xml.text(e, "type");
  std::string all;
  for (const auto& [name, kind] : loop_types) {
    if (type == name) return kind;
    all += (all.empty() ? "" : ", ") + std::string(name);
  }
  xml.error(
      e.GetLineNum(),
      type.empty() ? "the loop has no type" : "the loop type " + shown(type) + " is not known",
      "use one of " + all);
  return LoopKind::POINT;
}

/// The link that <predecessor> or <successor> names; empty where there is none.
std::string readEnd(XmlReader& xml, const XMLElement& parent, const char* tag,
                    Transformd* pose = nullptr) {
  const XMLElement* e = xml.single(parent, tag);
  if (e == nullptr) return {};
  xml.expectAttributes(*e, {"link"});
  if (pose != nullptr) {
    xml.expectChildren(*e, {"origin"});
    *pose = readOrigin(xml, *e);
  } else {
    xml.expectChildren(*e, {});
  }
  return xml.text(*e, "link");
}

/// The direction of <tag xyz>, of unit length; a zero vector is left to checkSpec.
void readDirection(XmlReader& xml, const XMLElement& loop, const char* tag, Vec3d& out) {
  const XMLElement* e = xml.single(loop, tag);
  if (e == nullptr) return;
  xml.expectAttributes(*e, {"xyz", "pitch"});
  double a[3];
  if (!xml.numbers(*e, "xyz", a)) return;
  out = {a[0], a[1], a[2]};
  const double n2 = dot(out, out);
  // A vector of unit length stays as it is, so that written and read again it is the same.
  if (n2 > 0 && std::isfinite(n2) && std::abs(n2 - 1) > 1e-15) out = out * (1 / std::sqrt(n2));
}

double readValue(XmlReader& xml, const XMLElement& coupling, const char* tag, double fallback) {
  const XMLElement* e = xml.single(coupling, tag);
  if (e == nullptr) return fallback;
  xml.expectAttributes(*e, {"value"});
  return xml.requiredNumber(*e, "value", fallback);
}

}  // namespace

LoopSpec readLoop(XmlReader& xml, const XMLElement& e) {
  LoopSpec loop;
  loop.name = xml.text(e, "name");
  loop.line = xml.lineOf(e);
  xml.setSubject("loop " + shown(loop.name));
  xml.expectAttributes(e, {"name", "type", "pitch", "bilateral"});
  xml.expectChildren(e, {"predecessor", "successor", "axis", "axis2"});
  loop.kind = readKind(xml, e);
  loop.predecessor = readEnd(xml, e, "predecessor", &loop.X_PA);
  loop.successor = readEnd(xml, e, "successor", &loop.X_SB);
  readDirection(xml, e, "axis", loop.axis);
  readDirection(xml, e, "axis2", loop.axis2);
  if (loop.kind == LoopKind::SCREW) loop.pitch = readPitch(xml, e, "screw");
  loop.isBilateral = xml.flag(e, "bilateral").value_or(false);
  return loop;
}

CouplingSpec readCoupling(XmlReader& xml, const XMLElement& e) {
  CouplingSpec coupling;
  coupling.name = xml.text(e, "name");
  coupling.line = xml.lineOf(e);
  xml.setSubject("coupling " + shown(coupling.name));
  xml.expectAttributes(e, {"name", "type"});  // URDF+ gives type no meaning
  xml.expectChildren(e, {"predecessor", "successor", "ratio", "offset"});
  coupling.predecessor = readEnd(xml, e, "predecessor");
  coupling.successor = readEnd(xml, e, "successor");
  coupling.ratio = readValue(xml, e, "ratio", 1);
  coupling.offset = readValue(xml, e, "offset", 0);
  return coupling;
}

}  // namespace espalier::io

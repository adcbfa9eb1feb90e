#include <tinyxml2.h>

#include "espalier/io/urdf/urdf_parts.h"

namespace espalier::io {
namespace {

/// <color rgba> of a <material>; three numbers are opaque. None where it is absent, empty (a Warning)
/// or bad (an Error).
std::optional<std::array<double, 4>> readColour(XmlReader& xml, const XMLElement& material) {
  const XMLElement* color = material.FirstChildElement("color");
  if (color == nullptr) return std::nullopt;
  if (xml.text(*color, "rgba").empty()) {
    xml.once(Severity::Warning, "empty colour", color->GetLineNum(),
             "a <color> without rgba is left out",
             "give red, green, blue and opacity; said once for all of them");
    return std::nullopt;
  }
  std::array<double, 4> rgba{0, 0, 0, 1};
  const std::string text = xml.text(*color, "rgba");
  if (parseNumbers(text, {rgba.data(), 3})) return rgba;
  if (!xml.numbers(*color, "rgba", rgba)) return std::nullopt;
  return rgba;
}

}  // namespace

Colours readColours(XmlReader& xml, const XMLElement& robot) {
  Colours colours;
  const auto collect = [&](const XMLElement& parent) {
    for (const XMLElement* m : childrenOf(parent, "material")) {
      const auto rgba = readColour(xml, *m);
      if (rgba && !xml.text(*m, "name").empty()) colours.emplace(xml.text(*m, "name"), *rgba);
    }
  };
  xml.setSubject("");
  collect(robot);
  for (const XMLElement* link : childrenOf(robot, "link")) {
    xml.setSubject("link " + shown(xml.text(*link, "name")));
    for (const XMLElement* v : childrenOf(*link, "visual")) collect(*v);
  }
  return colours;
}

void readMaterial(UrdfReading& reading, const XMLElement& visual, VisualSpec& out) {
  XmlReader& xml = reading.xml;
  const XMLElement* material = xml.single(visual, "material");
  if (material == nullptr) return;
  xml.expectAttributes(*material, {"name"});
  xml.expectChildren(*material, {"color"}, {"texture"});
  out.material = xml.text(*material, "name");
  if (const XMLElement* color = material->FirstChildElement("color")) {
    // Bad numbers were remarked when all colours were collected.
    std::array<double, 4> rgba{0, 0, 0, 1};
    const std::string text = xml.text(*color, "rgba");
    if (parseNumbers(text, rgba) || parseNumbers(text, {rgba.data(), 3})) out.rgba = rgba;
    return;
  }
  const auto known = reading.colours.find(out.material);
  if (known != reading.colours.end()) {
    out.rgba = known->second;
  } else if (!out.material.empty() && material->FirstChildElement("texture") == nullptr) {
    xml.once(Severity::Warning, "material " + out.material, material->GetLineNum(),
             "the material " + shown(out.material) + " is nowhere defined; it is drawn grey",
             "add <material name=...><color rgba=.../></material> to the robot");
  }
}

std::string readContactMaterial(XmlReader& xml, const XMLElement& collision) {
  const XMLElement* material = xml.single(collision, "material");
  if (material == nullptr) return "default";
  xml.expectAttributes(*material, {"name"});
  xml.expectChildren(*material, {"contact", "color", "texture"});
  const XMLElement* contact = xml.single(*material, "contact");
  if (contact == nullptr) return "default";
  xml.expectAttributes(*contact, {"name"});
  const std::string name = xml.text(*contact, "name");
  if (!name.empty()) return name;
  xml.warn(contact->GetLineNum(), "<contact> names no material; it is 'default'",
           "add name=\"...\"");
  return "default";
}

}  // namespace espalier::io

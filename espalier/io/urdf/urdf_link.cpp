#include <tinyxml2.h>

#include "espalier/io/text/bits.h"
#include "espalier/io/urdf/urdf_parts.h"

namespace espalier::io {
namespace {

std::optional<InertialSpec> readInertial(XmlReader& xml, const XMLElement& link) {
  const XMLElement* e = xml.single(link, "inertial");
  if (e == nullptr) return std::nullopt;
  xml.expectChildren(*e, {"origin", "mass", "inertia"});
  InertialSpec inertial;
  inertial.X_LC = readOrigin(xml, *e);
  if (const XMLElement* mass = xml.single(*e, "mass")) {
    xml.expectAttributes(*mass, {"value"});
    inertial.mass = xml.requiredNumber(*mass, "value", 0);
  } else {
    xml.error(e->GetLineNum(), "<inertial> has no <mass>", "add <mass value=\"...\"/>, in kg");
  }
  if (const XMLElement* i = xml.single(*e, "inertia")) {
    xml.expectAttributes(*i, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"});
    inertial.I = {xml.requiredNumber(*i, "ixx", 0), xml.number(*i, "ixy", 0),
                  xml.number(*i, "ixz", 0),         xml.requiredNumber(*i, "iyy", 0),
                  xml.number(*i, "iyz", 0),         xml.requiredNumber(*i, "izz", 0)};
  } else {
    xml.error(e->GetLineNum(), "<inertial> has no <inertia>",
              "add <inertia ixx=... iyy=... izz=.../>, in kg m^2 about the centre of mass");
  }
  return inertial;
}

/// Common part of collisions and visuals; false where there is no shape.
template <class Part>
bool readPart(UrdfReading& reading, const XMLElement& e, bool isCollision, Part& out) {
  const auto shape = readGeometry(reading, e, isCollision, out.meshScale);
  if (!shape) return false;
  out.name = reading.xml.text(e, "name");
  out.shape = *shape;
  out.X_LG = readOrigin(reading.xml, e);
  out.line = reading.xml.lineOf(e);
  return true;
}

}  // namespace

LinkSpec readLink(UrdfReading& reading, const XMLElement& e) {
  XmlReader& xml = reading.xml;
  LinkSpec link;
  link.name = xml.text(e, "name");
  link.line = xml.lineOf(e);
  xml.setSubject("link " + shown(link.name));
  xml.expectAttributes(e, {"name", "gravity_compensation"}, {"type", "sensor"});
  link.gravityCompensation = xml.number(e, "gravity_compensation", 0);
  xml.expectChildren(e, {"inertial", "visual", "collision"},
                     {"contact", "self_filter", "collision_checking", "sensor", "gazebo",
                      "self_collision_checking", "verbose"});
  link.inertial = readInertial(xml, e);
  for (const XMLElement* c : childrenOf(e, "collision")) {
    xml.expectAttributes(*c, {"name", "collision_group", "collision_mask"}, {"group"});
    xml.expectChildren(*c, {"origin", "geometry", "material"}, {"verbose", "surface", "contact"});
    CollisionSpec collision;
    if (!readPart(reading, *c, true, collision)) continue;
    collision.material = readContactMaterial(xml, *c);
    collision.group = readBits(xml, *c, "collision_group", collision.group);
    collision.mask = readBits(xml, *c, "collision_mask", collision.mask);
    link.collisions.push_back(std::move(collision));
  }
  for (const XMLElement* v : childrenOf(e, "visual")) {
    xml.expectAttributes(*v, {"name"}, {"group"});
    xml.expectChildren(*v, {"origin", "geometry", "material"}, {"meshfile"});
    VisualSpec visual;
    if (!readPart(reading, *v, false, visual)) continue;
    readMaterial(reading, *v, visual);
    link.visuals.push_back(std::move(visual));
  }
  return link;
}

}  // namespace espalier::io

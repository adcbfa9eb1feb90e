#include <tinyxml2.h>

#include <cmath>

#include "espalier/io/mesh/inline_mesh.h"
#include "espalier/io/urdf/urdf_parts.h"

namespace espalier::io {
namespace {

/// Shapes without extent are left out: exporters write them for shapes that were never filled in.
template <class S>
std::optional<Shape> withExtent(XmlReader& xml, const XMLElement& e, const S& shape, bool good) {
  if (good) return shape;
  xml.warn(e.GetLineNum(), std::string("a <") + e.Name() + "> without extent is left out",
           "give it sizes above zero, or remove it");
  return std::nullopt;
}

/// A parameter under either of its names.
void readLengths(XmlReader& xml, const XMLElement& e, const char* name, const char* alias,
                 double& to) {
  to = xml.has(e, name) || !xml.has(e, alias) ? xml.requiredNumber(e, name, 1)
                                              : xml.number(e, alias, 1);
}
void readLengths(XmlReader& xml, const XMLElement& e, const char* name, const char*, Vec3d& to) {
  if (!xml.has(e, name)) xml.requiredNumber(e, name, 1);
  to = xml.vector(e, name, {1, 1, 1});
}

std::optional<Shape> readSolid(XmlReader& xml, const XMLElement& e, const std::string& kind) {
  const auto aliasOf = [](const auto& p) {
    return p.urdf == std::string_view(p.sdf) ? p.name : p.sdf;
  };
  forEachSolid([&]<class S>(S) {
    if (kind != S::name) return;
    std::apply(
        [&](const auto&... p) {
          xml.expectAttributes(e, {p.urdf..., aliasOf(p)...});
        },
        S::parameters());
  });
  bool good = true;
  const auto solid = solidNamed(kind, [&](const auto& p, auto& value) {
    readLengths(xml, e, p.urdf, aliasOf(p), value);
    forEachNumber(p.name, value, [&](const char*, double x) {
      good = good && (x > 0 || (p.canBeZero && x == 0));
    });
  });
  return withExtent(xml, e, *solid, good);
}

std::optional<Shape> readMesh(UrdfReading& reading, const XMLElement& e, bool isCollision,
                              Vec3d& scale) {
  XmlReader& xml = reading.xml;
  if (isInlineMesh(e)) return readInlineMesh(xml, e);
  xml.expectAttributes(e, {"filename", "scale"});
  scale = xml.vector(e, "scale", {1, 1, 1});
  const std::string name = xml.text(e, "filename");
  if (name.empty()) {
    xml.error(e.GetLineNum(), "<mesh> names no file", "add filename=\"...\"");
    return std::nullopt;
  }
  if (scale.x == 0 || scale.y == 0 || scale.z == 0) return withExtent(xml, e, MeshShape{}, false);
  return reading.meshes.get(xml, e.GetLineNum(), name, scale, isCollision);
}

}  // namespace

Transformd readOrigin(XmlReader& xml, const XMLElement& e) {
  Transformd pose = identityTransform<double>();
  if (const XMLElement* origin = xml.single(e, "origin")) {
    xml.expectAttributes(*origin, {"xyz", "rpy", "quat_xyzw"});
    pose.p = xml.vector(*origin, "xyz", {0, 0, 0});
    pose.R = rotationFromRpy(xml.vector(*origin, "rpy", {0, 0, 0}));
    double q[4];
    if (!xml.numbers(*origin, "quat_xyzw", q)) return pose;
    const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
    if (length > 1e-6 && std::isfinite(length)) {
      for (double& component : q) component /= length;
      pose.R = rotation(Quat<double>{q[3], q[0], q[1], q[2]});
    } else {
      xml.error(origin->GetLineNum(), "<origin quat_xyzw> is no rotation",
                "give a unit quaternion, x y z w");
    }
  }
  return pose;
}

std::optional<Shape> readGeometry(UrdfReading& reading, const XMLElement& e, bool isCollision,
                                  Vec3d& scale) {
  XmlReader& xml = reading.xml;
  const XMLElement* geometry = xml.single(e, "geometry");
  if (geometry == nullptr || geometry->FirstChildElement() == nullptr) {
    xml.warn(e.GetLineNum(), std::string("a <") + e.Name() + "> without a shape is left out",
             "add <geometry> with one shape in it");
    return std::nullopt;
  }
  const XMLElement& shape = *geometry->FirstChildElement();
  if (const XMLElement* more = shape.NextSiblingElement()) {
    xml.warn(more->GetLineNum(), "a second shape in one <geometry> is left out",
             std::string("give it a <") + e.Name() + "> of its own");
  }
  const std::string kind = shape.Name();
  if (isSolidName(kind)) return readSolid(xml, shape, kind);
  if (kind == "plane") return Plane{};
  if (kind == "mesh") return readMesh(reading, shape, isCollision, scale);
  xml.warn(shape.GetLineNum(), "the shape " + shown(kind) + " is not known and is left out",
           "use " + solidNames() + ", plane or mesh");
  return std::nullopt;
}

}  // namespace espalier::io

#include <tinyxml2.h>

#include <cmath>

#include "espalier/io/sdf/sdf_parts.h"

namespace espalier::io {
namespace {

bool isLength(double x) { return x > 0 && std::isfinite(x); }

/// Sets one length, or three; an Error where they are not above zero.
void readLengths(const SdfNode& shape, const char* name, double& to) {
  to = shape.number(name, 0);
  if (isLength(to)) return;
  shape.error("a " + std::string(shape.element().Name()) + " has no " + name + " above zero",
              std::string("add <") + name + ">, in metres");
  to = 1;
}
void readLengths(const SdfNode& shape, const char* name, Vec3d& to) {
  to = shape.vector(name, {0, 0, 0});
  if (isLength(to.x) && isLength(to.y) && isLength(to.z)) return;
  shape.error("a " + std::string(shape.element().Name()) + " has no " + name + " above zero",
              std::string("add <") + name + ">x y z</" + name + ">, in metres");
}

Transformd planeFrame(const SdfNode& plane) {
  const Vec3d n = plane.vector("normal", {0, 0, 1});
  const double length = std::hypot(n.x, n.y, n.z);
  Transformd X = identityTransform<double>();
  if (length > 1e-9 && std::isfinite(length))
    X.R = rotationToZ({n.x / length, n.y / length, n.z / length});
  else
    plane.error("a plane has no normal", "add <normal>0 0 1</normal>");
  return X;
}

std::optional<Shape> readMesh(SdfReading& reading, const SdfNode& mesh, bool isCollision,
                              Vec3d& scale) {
  scale = mesh.vector("scale", {1, 1, 1});
  mesh.expect({"uri", "scale"}, {"submesh", "convex_decomposition"});
  const std::string uri = mesh.text("uri");
  if (uri.empty() || scale.x == 0 || scale.y == 0 || scale.z == 0) {
    mesh.error(uri.empty() ? "a mesh names no file" : "a mesh has a scale of zero",
               uri.empty() ? "add <uri>" : "give a scale such as 1 1 1");
    return std::nullopt;
  }
  return reading.meshes.get(reading.xml, mesh.element().GetLineNum(), uri, scale, isCollision);
}

}  // namespace

std::optional<Shape> readSdfShape(SdfReading& reading, const SdfNode& e, bool isCollision,
                                  Vec3d& scale, Transformd& X) {
  const auto geometry = e.child("geometry");
  const XMLElement* first = geometry ? geometry->element().FirstChildElement() : nullptr;
  if (first == nullptr) {
    e.warn(std::string("a <") + e.element().Name() + "> without a shape is left out",
           "add <geometry> with one shape in it");
    return std::nullopt;
  }
  const SdfNode shape(reading.xml, *first);
  const std::string kind = first->Name();
  if (kind == "empty") return std::nullopt;
  if (auto solid =
          solidNamed(kind, [&](const auto& p, auto& value) { readLengths(shape, p.sdf, value); }))
    return solid;
  if (kind == "mesh") return readMesh(reading, shape, isCollision, scale);
  if (kind == "plane") {
    X = planeFrame(shape);
    return Plane{};
  }
  shape.once(Severity::Warning, "shape " + kind, "the shape " + shown(kind) + " is left out",
             "use " + solidNames() + ", plane or mesh; said once for all of its kind");
  return std::nullopt;
}

}  // namespace espalier::io

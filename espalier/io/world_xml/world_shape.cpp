#include <tinyxml2.h>

#include <cctype>

#include "espalier/io/mesh/inline_mesh.h"
#include "espalier/io/world_xml/world_parts.h"

namespace espalier::io {
namespace {

/// The numbers of a shape: of its <dim>, of a class's <dimension>, or of a class's child's
/// object_param, where they stand in the order of `names`.
std::vector<double> dimensions(const Node& object, const std::vector<const char*>& names) {
  std::vector<double> values(names.size(), 0.0);
  if (object.has("object_param")) {
    object.numbers("object_param", values);
    return values;
  }
  std::optional<Node> dim = object.child("dim");
  if (!dim) dim = object.child("dimension");
  if (!dim) {
    std::string wanted;
    for (const char* name : names) wanted += std::string(" ") + name + "=\"...\"";
    object.error(std::string("<") + object.spelled() + "> has no <dim>",
                 "add <dim" + wanted + "/>");
    values.assign(names.size(), 1.0);
    return values;
  }
  dim->expect({"radius", "height", "x", "y", "z"}, {});
  std::size_t i = 0;
  for (const char* name : names) values[i++] = dim->required(name, 1);
  return values;
}

/// One number, or three.
Vec3d readScale(const Node& object) {
  Vec3d s{1, 1, 1};
  if (const auto child = object.child("scale")) {  // of a class
    child->expect({"x", "y", "z"}, {});
    s.x = child->number("x", 1);
    s.y = child->number("y", s.x);
    s.z = child->number("z", s.x);
  } else if (const auto list = object.list("scale")) {
    if (list->size() == 1)
      s.x = s.y = s.z = list->front();
    else
      s = object.vector("scale", s);
  }
  if (s.x == 0 || s.y == 0 || s.z == 0) {
    object.error("the scale of a mesh is zero", "give numbers that are not zero");
    return {1, 1, 1};
  }
  return s;
}

/// Whether a mesh that stands still collides as its hull; by its triangles otherwise.
bool isConvexMode(const Node& object) {
  const std::string mode = lowered(object.text("collision_mode"));
  if (mode == "convex_hull") return true;
  if (!mode.empty() && mode != "original") {
    object.warn("the collision_mode " + shown(mode) + " is not known",
                "use original or convex_hull");
  }
  return false;
}

std::optional<Shape> readMesh(WorldReading& reading, const Node& object, Vec3d& scale) {
  const bool isConvex = isConvexMode(object);
  if (isInlineMesh(object.element())) {
    std::optional<Shape> shape = readInlineMesh(object.xml(), object.element());
    if (shape) std::get<MeshShape>(*shape).isConvex = isConvex;
    return shape;
  }
  std::string name = object.text("file_name");
  if (const auto file = object.child("file"); name.empty() && file) name = file->text("name");
  if (name.empty()) {
    object.error(std::string("<") + object.spelled() + "> names no file", "add file_name=\"...\"");
    return std::nullopt;
  }
  scale = readScale(object);
  MeshShape mesh =
      reading.meshes.get(object.xml(), object.element().GetLineNum(), name, scale, true);
  mesh.isConvex = isConvex;
  return mesh;
}

}  // namespace

std::optional<Shape> readWorldShape(WorldReading& reading, const Node& object,
                                    const std::string& kind, Vec3d& scale) {
  std::vector<const char*> names;
  const auto forNumbers = [&](const auto& visit) {
    return solidNamed(kind, [&](const auto& p, auto& v) { forEachNumber(p.name, v, visit); });
  };
  if (forNumbers([&](const char* name, double&) { names.push_back(name); })) {
    const std::vector<double> lengths = dimensions(object, names);
    std::size_t next = 0;
    return forNumbers([&](const char*, double& x) { x = lengths[next++]; });
  }
  if (kind == "mesh") return readMesh(reading, object, scale);
  if (kind == "ground") return Plane{};
  return readHeightmap(reading, object);
}

}  // namespace espalier::io

#include "espalier/core/overloaded.h"
#include "espalier/io/export_parts.h"
#include "espalier/io/rotation_text.h"

namespace espalier::io {

bool needsTriangles(const MeshShape& mesh) {
  return (mesh.file.empty() || mesh.part > 0) && mesh.data != nullptr;
}

void writeTriangles(XmlWriter& xml, const TriangleMesh& mesh) {
  std::string vertices, triangles;
  for (const Vec3d& v : mesh.vertices) {
    vertices += (vertices.empty() ? "" : "  ") + shortest(v);
  }
  for (const auto& t : mesh.triangles) {
    triangles += (triangles.empty() ? "" : "  ") + std::to_string(t[0]) + " " +
                 std::to_string(t[1]) + " " + std::to_string(t[2]);
  }
  xml.open("vertices").attribute("value", vertices).close();
  xml.open("triangles").attribute("value", triangles).close();
}

const char* shapeTag(const Shape& shape) {
  return std::visit(
      Overloaded{[](const SphereShape&) { return "sphere"; }, [](const BoxShape&) { return "box"; },
                 [](const CylinderShape&) { return "cylinder"; },
                 [](const CapsuleShape&) { return "capsule"; },
                 [](const Plane&) { return "ground"; }, [](const MeshShape&) { return "mesh"; },
                 [](const Heightfield&) { return "heightmap"; }},
      shape);
}

void writeShapeAttributes(XmlWriter& xml, const Shape& shape, const Vec3d& scale,
                          const std::string& folder) {
  const MeshShape* mesh = std::get_if<MeshShape>(&shape);
  if (mesh != nullptr && mesh->isConvex) xml.attribute("collision_mode", "convex_hull");
  if (mesh != nullptr && !needsTriangles(*mesh)) {
    xml.attribute("file_name", writtenPath(mesh->file, folder));
    if (scale.x != 1 || scale.y != 1 || scale.z != 1) xml.attribute("scale", shortest(scale));
  }
  const Heightfield* field = std::get_if<Heightfield>(&shape);
  if (field == nullptr || field->data == nullptr) return;
  const HeightfieldData& data = *field->data;
  xml.attribute("x_sample", std::to_string(data.xSamples));
  xml.attribute("y_sample", std::to_string(data.ySamples));
  xml.attribute("x_size", data.xSize).attribute("y_size", data.ySize);
  xml.attribute("height", data.heights);
}

void writeShapeChildren(XmlWriter& xml, const Shape& shape) {
  std::visit(Overloaded{[&](const SphereShape& s) {
                          xml.open("dim").attribute("radius", s.radius).close();
                        },
                        [&](const BoxShape& b) {
                          xml.open("dim").attribute("x", b.size.x).attribute("y", b.size.y);
                          xml.attribute("z", b.size.z).close();
                        },
                        [&](const CylinderShape& c) {
                          xml.open("dim").attribute("radius", c.radius);
                          xml.attribute("height", c.height).close();
                        },
                        [&](const CapsuleShape& c) {
                          xml.open("dim").attribute("radius", c.radius);
                          xml.attribute("height", c.height).close();
                        },
                        [](const Plane&) {},
                        [&](const MeshShape& m) {
                          if (needsTriangles(m)) writeTriangles(xml, *m.data);
                        },
                        [](const Heightfield&) {}},
             shape);
}

}  // namespace espalier::io

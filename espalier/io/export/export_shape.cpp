#include "espalier/core/overloaded.h"
#include "espalier/io/export/export_parts.h"

namespace espalier::io {

bool needsTriangles(const MeshShape& mesh) {
  return (mesh.file.empty() || mesh.part > 0) && mesh.data != nullptr;
}

void writeTriangles(XmlWriter& xml, const TriangleMesh& mesh) {
  std::string vertices, triangles;
  for (const Vec3d& v : mesh.vertices) vertices += (vertices.empty() ? "" : "  ") + shortest(v);
  for (const auto& t : mesh.triangles) {
    triangles += (triangles.empty() ? "" : "  ") + std::to_string(t[0]) + " " +
                 std::to_string(t[1]) + " " + std::to_string(t[2]);
  }
  xml.open("vertices").attribute("value", vertices).close();
  xml.open("triangles").attribute("value", triangles).close();
}

const char* shapeTag(const Shape& shape) {
  if (std::holds_alternative<Plane>(shape)) return "ground";
  return std::holds_alternative<Heightfield>(shape) ? "heightmap" : shapeName(shape);
}

void writeShapeAttributes(XmlWriter& xml, const Shape& shape, const Vec3d& scale,
                          const std::string& folder) {
  const MeshShape* mesh = std::get_if<MeshShape>(&shape);
  if (mesh != nullptr && mesh->isConvex) xml.attribute("collision_mode", "convex_hull");
  if (mesh != nullptr && !needsTriangles(*mesh)) {
    xml.attribute("file_name", writtenPath(mesh->file, folder));
    xml.optional("scale", scale, {1, 1, 1});
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
  std::visit(Overloaded{[&](const SolidShape auto& s) {
                          xml.open("dim");
                          forEachNumber(
                              s, [&](const char* name, double x) { xml.attribute(name, x); });
                          xml.close();
                        },
                        [&](const MeshShape& m) {
                          if (needsTriangles(m)) writeTriangles(xml, *m.data);
                        },
                        [](const auto&) {}},
             shape);
}

}  // namespace espalier::io

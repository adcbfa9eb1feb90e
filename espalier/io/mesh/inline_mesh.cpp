#include "espalier/io/mesh/inline_mesh.h"

#include <tinyxml2.h>

#include <cmath>

#include "espalier/io/world_xml/world_node.h"

namespace espalier::io {
namespace {

/// The numbers in <name value>, in threes; none, and an Error, where they are not.
std::optional<std::vector<double>> triples(XmlReader& xml, const XMLElement& mesh,
                                           const char* name) {
  const XMLElement& e = *mesh.FirstChildElement(name);
  auto values = splitNumbers(xml.text(e, "value"));
  if (values && values->size() % 3 == 0) return values;
  xml.error(e.GetLineNum(), std::string("<") + name + "> holds no numbers in threes",
            "write three finite numbers for each, separated by spaces");
  return std::nullopt;
}

}  // namespace

bool isInlineMesh(const XMLElement& mesh) {
  return mesh.FirstChildElement("vertices") != nullptr &&
         mesh.FirstChildElement("triangles") != nullptr;
}

std::optional<Shape> readInlineMesh(XmlReader& xml, const XMLElement& e) {
  const auto v = triples(xml, e, "vertices"), t = triples(xml, e, "triangles");
  if (!v || !t) return std::nullopt;
  auto mesh = std::make_shared<TriangleMesh>();
  for (std::size_t i = 0; i < v->size(); i += 3)
    mesh->vertices.push_back({(*v)[i], (*v)[i + 1], (*v)[i + 2]});
  const auto count = static_cast<double>(mesh->vertices.size());
  for (const double index : *t) {
    if (index >= 0 && index < count && index == std::floor(index)) continue;
    xml.error(e.FirstChildElement("triangles")->GetLineNum(),
              "a triangle names the vertex " + printNumber(index) + ", which is not there",
              "name the vertices by 0, 1, ... in their order");
    return std::nullopt;
  }
  for (std::size_t i = 0; i < t->size(); i += 3) {
    mesh->triangles.push_back(
        {static_cast<int>((*t)[i]), static_cast<int>((*t)[i + 1]), static_cast<int>((*t)[i + 2])});
  }
  return MeshShape{"", std::move(mesh)};
}

}  // namespace espalier::io

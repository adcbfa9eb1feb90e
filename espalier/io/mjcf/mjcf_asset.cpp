#include <tinyxml2.h>

#include <filesystem>

#include "espalier/io/mjcf/mjcf_parts.h"

namespace espalier::io {
namespace {

namespace fs = std::filesystem;

void readMeshAsset(MjcfReading& reading, const MjcfNode& mesh) {
  expectMjcfAttributes(mesh);
  std::string name = mesh.text("name");
  if (name.empty()) name = fs::path(mesh.text("file")).stem().string();
  if (name.empty())
    mesh.error("a <mesh> has neither name nor file", "add name=\"...\"");
  else
    addNamed(reading.meshAssets, name, &mesh.element(), mesh, "mesh", "meshes");
}

void readColour(MjcfReading& reading, const MjcfNode& material) {
  std::array<double, 4> rgba{1, 1, 1, 1};
  material.colour("rgba", rgba);
  reading.colours.emplace(material.text("name"), rgba);
}

}  // namespace

std::string mjcfAssetPath(const MjcfReading& reading, const MjcfNode& asset) {
  fs::path file(asset.text("file"));
  if (reading.compiler.stripPath) file = file.filename();
  if (file.is_absolute()) return file.string();
  const fs::path path = fs::path(reading.compiler.meshFolder) / file;
  if (path.is_absolute()) return path.lexically_normal().string();
  if (!reading.files.inModel(asset.element(), path.string())) {
    std::error_code code;
    if (const auto found = reading.files.beside(asset.element(), file.string()))
      return fs::absolute(*found, code).string();
  }
  return (fs::path(reading.folder) / path).lexically_normal().string();
}

void readMjcfAsset(MjcfReading& reading, const MjcfNode& asset) {
  for (const XMLElement* e : asset.children()) {
    const std::string_view tag = e->Name();
    const MjcfNode node = reading.node(*e, reading.mainClass());
    if (tag == "mesh") readMeshAsset(reading, node);
    if (tag == "material") readColour(reading, node);
    if (tag == "model") readMjcfModelAsset(reading, node);
    if (tag == "hfield") readMjcfHfieldAsset(reading, node);
    if (tag == "flex" || tag == "plugin") {
      node.omit("asset " + std::string(tag), "<" + std::string(tag) + "> is not read",
                "what uses it is left out; said once for all of its kind");
    }
  }
  asset.xml().expectChildren(asset.element(),
                             {"mesh", "material", "hfield", "model", "flex", "plugin", "include"},
                             {"texture", "skin"});
}

void readMjcfDeformables(MjcfReading&, const MjcfNode& deformable) {
  for (const XMLElement* e : deformable.children()) {
    if (std::string_view(e->Name()) == "skin") continue;  // drawn only
    deformable.omit("deformable", "<" + std::string(e->Name()) + "> is left out: nothing is soft",
                    "expect neither it nor contact with it; said once for all of its kind");
  }
  deformable.xml().expectChildren(deformable.element(), {"flex", "include"}, {"skin"});
}

}  // namespace espalier::io

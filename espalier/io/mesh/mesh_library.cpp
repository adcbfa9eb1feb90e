#include "espalier/io/mesh/mesh_library.h"

#include "espalier/io/mesh/mesh_file.h"
#include "espalier/io/text/text_file.h"

namespace espalier::io {
namespace {

/// "the mesh ... (file:line)".
std::string whatAndWhere(const Diagnostic& d) {
  return d.what + " (" + d.file + (d.line > 0 ? ":" + std::to_string(d.line) : "") + ")";
}

}  // namespace

MeshShape MeshLibrary::get(XmlReader& xml, int line, const std::string& uri, const Vec3d& scale,
                           bool isCollision) {
  if (!load_) return {uri, nullptr};
  auto place = found_.find(uri);
  if (place == found_.end()) {
    place = found_.emplace(uri, paths_.find(uri)).first;
    if (!place->second) {
      xml.warn(line, "the mesh " + shown(uri) + " was not found; its shape is empty",
               "add the folder of its package to the search paths" +
                   (hasToldPaths_ ? "" : "; looked in " + paths_.toString()));
      hasToldPaths_ = true;
    } else if (place->second->byTail) {
      const std::string package = uri.substr(0, uri.find('/', uri.find("://") + 3));
      xml.once(Severity::Note, "tail " + package, line,
               "the mesh " + shown(uri) + " was found as " + place->second->path,
               "nothing to do if that is the right one; said once for the package");
    }
  }
  if (!place->second) return {uri, nullptr};

  const std::string& path = place->second->path;
  const Key key{path, {scale.x, scale.y, scale.z}};
  auto mesh = read_.find(key);
  auto bad = bad_.find(key);
  if (mesh == read_.end() && bad == bad_.end()) {
    Expected<TriangleMesh> data = read(path, scale);
    if (data) {
      auto shared = std::make_shared<const TriangleMesh>(std::move(data).value());
      mesh = read_.emplace(key, std::move(shared)).first;
    } else {
      bad = bad_.emplace(key, data.diagnostics().all().front()).first;
      if (!isCollision)
        xml.warn(line, whatAndWhere(bad->second), bad->second.remedy + "; its visual is empty");
    }
  }
  if (mesh != read_.end()) return {path, mesh->second};
  if (isCollision && badCollisions_.insert(key).second)
    xml.error(line, whatAndWhere(bad->second), bad->second.remedy + ", or remove the collision");
  return {path, nullptr};
}

Expected<TriangleMesh> MeshLibrary::read(const std::string& path, const Vec3d& scale) const {
  Expected<TriangleMesh> mesh = readMeshFile(path, scale);
  if (!mesh) return mesh;
  const std::size_t numbers = 3 * (mesh->vertices.size() + mesh->triangles.size());
  if (const auto excess = budget_->takeNumbers(numbers))
    return problem(path, "with this mesh " + excess->what, excess->remedy);
  return mesh;
}

}  // namespace espalier::io

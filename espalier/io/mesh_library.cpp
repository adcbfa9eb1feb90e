#include "espalier/io/mesh_library.h"

#include "espalier/io/mesh_file.h"

namespace espalier::io {

Mesh MeshLibrary::get(XmlReader& xml, int line, const std::string& uri, const Vec3d& scale,
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
  if (mesh == read_.end() && bad_.count(path) == 0) {
    Expected<TriangleMesh> data = readMeshFile(path, scale);
    if (data) {
      auto shared = std::make_shared<const TriangleMesh>(std::move(data).value());
      mesh = read_.emplace(key, std::move(shared)).first;
    } else {
      bad_.emplace(path, data.diagnostics().all().front().what);
      if (!isCollision) {
        xml.warn(line, bad_[path] + " (" + path + ")",
                 "write the mesh again as STL, OBJ or DAE; its visual is empty");
      }
    }
  }
  if (mesh != read_.end()) return {path, mesh->second};
  if (isCollision && badCollisions_.insert(path).second) {
    xml.error(line, bad_[path] + " (" + path + ")",
              "write the mesh again as STL, OBJ or DAE, or remove the collision");
  }
  return {path, nullptr};
}

}  // namespace espalier::io
